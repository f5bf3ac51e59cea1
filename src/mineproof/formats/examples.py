"""The worked examples of the reports, by name: `examples.toml` beside this module."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from mineproof.errors import InvalidInput, unknown_name


class Example(NamedTuple):
    """A game or a position of a report.

    `board` is the truth and `position` what was seen of it, as texts; either may be missing.
    `unread` says what of it the report does not show, and what stands in its place.
    """

    name: str
    about: str
    board: str | None = None
    position: str | None = None
    unread: str | None = None


@cache
def _all() -> dict[str, Example]:
    text = (files("mineproof.formats") / "examples.toml").read_text(encoding="utf-8")
    return {name: Example(name, **fields) for name, fields in tomllib.loads(text).items()}


def names() -> list[str]:
    """What there is, by name."""
    return list(_all())


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
    return _part(name, "board")


def position_text(name: str) -> str:
    """What was seen in an example."""
    return _part(name, "position")


def _part(name: str, kind: str) -> str:
    text: str | None = getattr(get(name), kind)
    if text is None:
        others = ", ".join(one.name for one in _all().values() if getattr(one, kind) is not None)
        raise InvalidInput(f"{name} has no {kind}; these have: {others}")
    return text
