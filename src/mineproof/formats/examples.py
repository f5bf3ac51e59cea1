"""The worked examples of the reports, by name: `examples.toml` beside this module."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from mineproof.errors import InvalidInput, unknown_name


class Example(NamedTuple):
    """A game or a position of a report.

    `board` is the truth and `position` what was seen of it, as texts; the truth may be missing.
    `agent` is the report's own, under its `rules`; `picks` are the cells that it opened by choice,
    in order, and `ending` the outcome as the report has it. `says` is what the report says about
    it, `unread` what of it cannot be read, and what stands in its place.
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
        """The number of its report, as `003`."""
        return self.name.removeprefix("report")[:3]


@cache
def _all() -> dict[str, Example]:
    text = (files("mineproof.formats") / "examples.toml").read_text(encoding="utf-8")
    return {name: Example(name, **fields) for name, fields in tomllib.loads(text).items()}


def names(report: str | None = None) -> list[str]:
    """The examples by name: all, or those of one report (`003`)."""
    return [name for name, one in _all().items() if report in (None, one.report)]


def get(name: str) -> Example:
    """The example of this name."""
    if name not in _all():
        raise unknown_name("example", name, names())
    return _all()[name]


def is_example(name: str) -> bool:
    """Whether there is one of this name."""
    return name in _all()


def board_text(name: str) -> str:
    """The truth of an example, which not all of them have."""
    text = get(name).board
    if text is None:
        others = ", ".join(one.name for one in _all().values() if one.board is not None)
        raise InvalidInput(f"{name} has no board, only a position; these have one: {others}")
    return text


def position_text(name: str) -> str:
    """What was seen in an example."""
    return get(name).position
