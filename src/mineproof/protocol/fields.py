"""The fields of messages: each read, checked and bounded, by one function.

A reader takes a JSON value and the name of its field, and gives a value of ours or raises
`InvalidInput`. No reader opens a file or runs anything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from mineproof.boards.deducing import REASONING, check_reasoning
from mineproof.errors import InvalidInput, quoted, share, unknown_name, whole
from mineproof.games.dialogue import Answer
from mineproof.world import clues as clue_models
from mineproof.world.board import LEVELS, OPENINGS, Board, Deal
from mineproof.world.chance import seed_from_json
from mineproof.world.clues import ClueModel
from mineproof.world.geometry import MAX_SIDE, Cell
from mineproof.world.rules import ON_MINE
from mineproof.world.view import EXPLODED, LARGEST_CLUE, NO_CLUE, Event, View, read_state

Reader = Callable[[Any, str], Any]

MOST_TEXT = 3 * MAX_SIDE * MAX_SIDE
"""Characters of a board or a view: the largest there is, with bounds and line ends."""
MOST_NAME = 10_000
"""Characters of an agent's or a clue model's text: a table of chances is long."""


class Field(NamedTuple):
    """What a message may have: how its value is read, and what it means."""

    read: Reader
    about: str
    needed: bool = False


COMMON = ("do", "id")
"""What every request may have."""


def read_fields(message: Mapping[str, Any], fields: Mapping[str, Field]) -> dict[str, Any]:
    """The fields that a message has, read; null is as good as absent. Others are refused."""
    found: dict[str, Any] = {}
    verb = message.get("do")
    for name, value in message.items():
        if name in COMMON:
            continue
        if name not in fields:
            raise unknown_name(f"field of {verb!r}", name, (*fields, *COMMON))
        if value is not None:
            found[name] = fields[name].read(value, name)
    for name, field in fields.items():
        if field.needed and name not in found:
            raise InvalidInput(f"{verb!r} needs {name!r}: {field.about}")
    return found


def number(least: int, most: int) -> Reader:
    """A whole number within bounds."""
    return lambda value, name: whole(value, f"{name!r}", least, most)


def text(value: Any, name: str, most: int = MOST_NAME) -> str:
    """A text that is not too long."""
    if not isinstance(value, str):
        raise InvalidInput(f"{name!r} is a text, got {quoted(value)}")
    if len(value) > most:
        raise InvalidInput(f"{name!r} has at most {most} characters, got {len(value)}")
    return value


def truth(value: Any, name: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise InvalidInput(f"{name!r} is true or false, got {quoted(value)}")
    return value


def chance(value: Any, name: str) -> float:
    """A number from 0 to 1."""
    return share(value, f"{name!r}")


def one_of(names: Collection[str]) -> Reader:
    """One of some names."""

    def read(value: Any, name: str) -> str:
        if text(value, name) not in names:
            raise unknown_name(f"value of {name!r}", value, names)
        return str(value)

    return read


def reasoning(value: Any, name: str) -> str:
    """A level of reasoning."""
    return check_reasoning(one_of(REASONING)(value, name))


def listed(value: Any, name: str, most: int) -> list[Any]:
    """A list that is not too long."""
    if not isinstance(value, list):
        raise InvalidInput(f"{name!r} is a list, got {quoted(value)}")
    if len(value) > most:
        raise InvalidInput(f"{name!r} has at most {most} entries, got {len(value)}")
    return value


def keyed(value: Any, name: str) -> dict[str, Any]:
    """An object."""
    if not isinstance(value, dict):
        raise InvalidInput(f"{name!r} is an object, got {quoted(value)}")
    return value


def cell(value: Any, name: str) -> Cell:
    """A cell: [row, col]; whether the board has it is seen later."""
    if not isinstance(value, list) or len(value) != 2:
        raise InvalidInput(f"{name!r} is a cell, [row, col], got {quoted(value)}")
    row, col = (whole(one, f"a row or column in {name!r}", 0, MAX_SIDE - 1) for one in value)
    return row, col


def seed(value: Any, _: str) -> int:
    """A whole number up to 2**64 - 1, or its digits as a text."""
    return seed_from_json(value)


def view(value: Any, name: str) -> View:
    """A view as `analyse` reads it."""
    return View.from_text(text(value, name, MOST_TEXT))


def board(value: Any, name: str) -> Board:
    """A board as text."""
    return Board.from_text(text(value, name, MOST_TEXT))


def clues(value: Any, name: str) -> ClueModel:
    """A clue model by its text."""
    return clue_models.parse(text(value, name))


_DEAL = {
    "level": Field(one_of(LEVELS), "beginner, intermediate or expert"),
    "rows": Field(number(1, MAX_SIDE), "how many rows"),
    "cols": Field(number(1, MAX_SIDE), "how many columns"),
    "mines": Field(number(0, MAX_SIDE**2), "how many mines"),
    "density": Field(chance, "mines as a share of the cells"),
    "independent": Field(truth, "whether each cell is mined by itself, by the density"),
}


def deal(value: Any, name: str) -> Deal:
    """A level, or a shape with a number of mines or their density."""
    given = read_fields(keyed(value, name) | {"do": name}, _DEAL)
    level = given.pop("level", None)
    if level is not None:
        if "rows" in given or "cols" in given:
            raise InvalidInput(f"{name!r} has a level or a shape (rows and cols), not both")
        rows, cols, mines = LEVELS[level]
        if not {"mines", "density"} & set(given):
            given["mines"] = mines
        return Deal(rows, cols, **given)
    if "rows" not in given or "cols" not in given:
        raise InvalidInput(f"{name!r} needs a level, or both rows and cols")
    return Deal(**given)


_RULES = {
    "on_mine": Field(one_of(ON_MINE), "a mine ends the game, or play goes on"),
    "opening": Field(one_of(OPENINGS), "what the first cell is promised"),
    "count_known": Field(truth, "whether the number of mines is told"),
    "density": Field(chance, "told in place of the count"),
    "flood": Field(truth, "whether zeros open their surroundings"),
}


def rules(value: Any, name: str) -> dict[str, Any]:
    """Some of the rules, by name; the rest follow from the position."""
    return read_fields(keyed(value, name) | {"do": name}, _RULES)


def events(value: Any, name: str) -> list[Event]:
    """What changed: [[row, col, state], ...], states as in a view; a bound may follow."""
    return [_event(one, name) for one in listed(value, name, MAX_SIDE**2)]


def _event(value: Any, name: str) -> Event:
    if not isinstance(value, list) or len(value) not in {3, 4}:
        raise InvalidInput(f"{name!r} has entries [row, col, state], got {quoted(value)}")
    state = read_state(text(value[2], name))
    bound = value[3] if len(value) == 4 else None
    if bound is not None:
        bound = whole(bound, f"a bound in {name!r}", 0, LARGEST_CLUE)
    return Event(cell(value[:2], name), state, bound)


def shows(value: Any, name: str) -> list[Answer]:
    """What cells show: [[cell or null, 0 to 8, "mine" or null], ...]."""
    return [_answer(one, name) for one in listed(value, name, MAX_SIDE**2)]


def _answer(value: Any, name: str) -> Answer:
    if not isinstance(value, list) or len(value) != 2:
        raise InvalidInput(f"{name!r} has entries [cell, value], got {quoted(value)}")
    where = None if value[0] is None else cell(value[0], name)
    shown = value[1]
    if shown is None:
        return Answer(where, NO_CLUE)
    if shown == "mine":
        return Answer(where, EXPLODED)
    return Answer(where, whole(shown, "what a cell shows", 0, LARGEST_CLUE))
