"""Phrases: what moves, proofs, hints and refusals say, from one catalogue that the page shares.

The catalogue is `web/static/phrases.json`, where the page can read it; `web/static/phrases.js` is
the twin of this module. A phrase is a small part of ICU MessageFormat:

- `{name}` is a value; a cell is shown as `(3,4)`, a phrase as its words, a list as `a, b and c`;
  a list of more than eight cells is shortened
- `{name, .2}` is a number with two decimals, `{name, .1%}` a share in per cent with one, and
  `{name, list}` a whole list without commas
- `{name, plural, =0 {no mines} one {a mine} other {# mines}}` chooses by a number, or by the
  length of a list
- `{name, select, true {a mine} other {safe}}` chooses by the value as text
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

CATALOGUE = Path(__file__).parent / "web" / "static" / "phrases.json"
_MOST = 8
"""The most cells of a list that are shown."""
_HEAD = re.compile(r"\{\s*(\w+)\s*(?:,\s*(?:(plural|select)\s*,|(list|\.\d%?)\s*\})|\})")
_CASE = re.compile(r"\s*(=?\w+)\s*\{")
_TEXT = re.compile(r"[^{}]+")
_END = re.compile(r"\s*\}")


class Phrase(NamedTuple):
    """A phrase and its values, before it becomes words: `str()` gives these."""

    key: str
    values: Mapping[str, Any] = {}

    def __str__(self) -> str:
        return say(self.key, **self.values)

    def __hash__(self) -> int:
        return hash(self.key)

    def to_json(self) -> dict[str, Any]:
        """Return the phrase as JSON data."""
        return {"phrase": self.key, "values": {n: _to_json(one) for n, one in self.values.items()}}

    @classmethod
    def from_json(cls, data: Any) -> Phrase:
        """Return the phrase of JSON data, perhaps foreign; raise `ValueError` if it is none."""
        try:
            key, values = data["phrase"], data["values"]
            if key not in _catalogue():
                raise ValueError(f"unknown phrase {key!r}")
            phrase = cls(key, {name: _from_json(value) for name, value in values.items()})
            str(phrase)
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError) as error:
            raise ValueError(f"not a valid phrase with values: {error!r}") from None
        return phrase


class Placeholder(NamedTuple):
    """A placeholder: the name of its value, how it is shown and, if it chooses, its cases."""

    name: str
    kind: str | None
    cases: Mapping[str, Parts]


Parts = list["str | Placeholder"]


def say(key: str, /, **values: Any) -> str:
    """Return the phrase with this key, its placeholders filled in."""
    return fill(_catalogue()[key], values)


def capital(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]


def fill(parts: Parts, values: Mapping[str, Any], number: str = "#") -> str:
    """Return a phrase with its placeholders filled in; `number` replaces `#`."""
    return "".join(
        part.replace("#", number) if isinstance(part, str) else _fill_place(part, values)
        for part in parts
    )


def parse(phrase: str) -> Parts:
    """Return the parts of a phrase."""
    parts, end = _parse(phrase, 0)
    if end != len(phrase):
        raise ValueError(f"unexpected {phrase[end]!r} at {end} in {phrase!r}")
    return parts


@cache
def _catalogue() -> dict[str, Parts]:
    phrases: dict[str, str] = json.loads(CATALOGUE.read_text(encoding="utf-8"))
    return {key: parse(phrase) for key, phrase in phrases.items()}


def _parse(phrase: str, at: int) -> tuple[Parts, int]:
    """The parts from `at` to the end, or to the brace that closes them."""
    parts: Parts = []
    while at < len(phrase) and phrase[at] != "}":
        if text := _TEXT.match(phrase, at):
            parts.append(text[0])
            at = text.end()
            continue
        head = _HEAD.match(phrase, at)
        if head is None:
            raise ValueError(f"not a placeholder at {at} in {phrase!r}")
        name, choice, form = head.groups()
        cases, at = _parse_cases(phrase, head.end()) if choice else ({}, head.end())
        parts.append(Placeholder(name, choice or form, cases))
    return parts, at


def _parse_cases(phrase: str, at: int) -> tuple[dict[str, Parts], int]:
    cases: dict[str, Parts] = {}
    while case := _CASE.match(phrase, at):
        cases[case[1]], at = _parse(phrase, case.end())
        at += 1  # past the brace that ends the case
    end = _END.match(phrase, at)
    if end is None or "other" not in cases:
        raise ValueError(f"cases must end with 'other' and a brace at {at} in {phrase!r}")
    return cases, end.end()


def _fill_place(place: Placeholder, values: Mapping[str, Any]) -> str:
    value = values[place.name]
    if place.kind is None:
        return _show(value)
    if place.kind == "list":
        return " ".join(map(_show, value))
    if place.kind[0] == ".":
        digits = place.kind[1]
        return f"{100 * value:.{digits}f} %" if "%" in place.kind else f"{value:.{digits}f}"
    if place.kind == "select":
        key = str(value).lower() if isinstance(value, bool) else str(value)
        return fill(place.cases.get(key, place.cases["other"]), values)
    number = len(value) if isinstance(value, Sequence) else value
    other = place.cases["one" if number == 1 and "one" in place.cases else "other"]
    return fill(place.cases.get(f"={number}", other), values, str(number))


def _show(value: Any) -> str:
    if _is_cell(value):
        return f"({value[0]},{value[1]})"
    if isinstance(value, (list, tuple)) and not isinstance(value, Phrase):
        return _show_list(value)
    return str(value)


def _to_json(value: Any) -> Any:
    if isinstance(value, Phrase):
        return value.to_json()
    return [*map(_to_json, value)] if isinstance(value, (list, tuple)) else value


def _from_json(value: Any) -> Any:
    if isinstance(value, dict):
        return Phrase.from_json(value)
    if isinstance(value, list):
        inner = tuple(map(_from_json, value))
        return inner if _is_cell(inner) else list(inner)
    return value


def _is_cell(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(n, int) for n in value)


def _show_list(values: Sequence[Any]) -> str:
    more = len(values) - _MOST + 1
    if more > 1 and all(map(_is_cell, values)):
        return say("list.more", first=", ".join(map(_show, values[: _MOST - 1])), more=more)
    *first, last = map(_show, values)
    return say("list.and", first=", ".join(first), last=last) if first else last
