"""The five reports: their agents, questions with our answers, and differing results.

Each report has a file (`003.toml`). Its printed games are examples, and its experiments are studies
named `report003-...`.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from mineproof.errors import unknown_name
from mineproof.formats import examples
from mineproof.studies import catalogue

NUMBERS = ("000", "001", "002", "003", "004")


class ReportAgent(NamedTuple):
    """An agent of a report: its name in mineproof, and its name in the report."""

    name: str
    called: str


class ReportQuestion(NamedTuple):
    """A question of the assignment, and its answer in one sentence."""

    question: str
    answer: str


class ReportDifference(NamedTuple):
    """A claim of a report, and our differing result."""

    claim: str
    finding: str


class Report(NamedTuple):
    """One of the five reports."""

    number: str
    title: str
    summary: str
    play: str
    """Its board and rules, as options of `mineproof play`."""
    agents: list[ReportAgent]
    questions: list[ReportQuestion]
    differences: list[ReportDifference]

    @property
    def examples(self) -> list[str]:
        """The names of its printed games and positions."""
        return examples.names(self.number)

    @property
    def studies(self) -> list[str]:
        """The names of the studies that repeat its tables and plots."""
        return [name for name in catalogue.names() if name.startswith(f"report{self.number}-")]

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return {
            "number": self.number,
            "title": self.title,
            "summary": self.summary,
            "play": self.play,
            "agents": [one._asdict() for one in self.agents],
            "examples": self.examples,
            "studies": self.studies,
            "questions": [one._asdict() for one in self.questions],
            "differences": [one._asdict() for one in self.differences],
        }


@cache
def get(number: str) -> Report:
    """Return the report with this number; `3`, `003` and `report003` are the same."""
    wanted = number.removeprefix("report").zfill(3)
    if wanted not in NUMBERS:
        raise unknown_name("report", number, NUMBERS)
    text = (files("mineproof.reports") / f"{wanted}.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    return Report(
        wanted,
        data["title"],
        data["summary"],
        data["play"],
        [ReportAgent(**one) for one in data["agents"]],
        [ReportQuestion(**one) for one in data["questions"]],
        [ReportDifference(**one) for one in data["differences"]],
    )
