"""The worked examples of the reports, by name, from `examples.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from mineproof.errors import InvalidInput, unknown_name


class Example(NamedTuple):
    """A game or a position from a report.

    `board` (None if the report does not show it) and `position` are texts. `agent` is the
    report's agent and `rules` are its rules; `picks` are the cells that it guessed, in order;
    `ending` is the outcome in the report. `says` is what the report says about the example,
    `unread` what is missing or illegible in the report and how it was completed.
    """

    name: str
    about: str
    says: str
    agent: str
    position: str
    board: str | None = None
    rules: dict[str, Any] = {}
    picks: list[list[int]] = []
    ending: str | None = None
    unread: str | None = None

    @property
    def report(self) -> str:
        """The number of the report, such as `003`."""
        return self.name.removeprefix("report")[:3]


@cache
def _all() -> dict[str, Example]:
    text = (files("mineproof.formats") / "examples.toml").read_text(encoding="utf-8")
    return {name: Example(name, **fields) for name, fields in tomllib.loads(text).items()}


def names(report: str | None = None) -> list[str]:
    """Return the names of all examples, or of those of one report (`003`)."""
    return [name for name, one in _all().items() if report in (None, one.report)]


def get(name: str) -> Example:
    """Return the example with this name."""
    if name not in _all():
        raise unknown_name("example", name, names())
    return _all()[name]


def is_example(name: str) -> bool:
    """Return whether there is an example with this name."""
    return name in _all()


def board_text(name: str) -> str:
    """Return the board of an example as text; an error if the example has none."""
    text = get(name).board
    if text is None:
        others = ", ".join(one.name for one in _all().values() if one.board is not None)
        raise InvalidInput(
            f"example {name} has only a position, no board; examples with a board: {others}"
        )
    return text


def position_text(name: str) -> str:
    """Return the position of an example as text."""
    return get(name).position
