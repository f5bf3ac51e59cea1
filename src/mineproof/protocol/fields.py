"""The fields of requests; one function reads and checks each.

A reader takes a JSON value and the name of its field, and returns the value that the library
uses or raises `InvalidInput`. No reader opens a file or runs code.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from mineproof.boards.deducing import REASONING, check_reasoning
from mineproof.errors import InvalidInput, quoted, share, unknown_name, whole
from mineproof.games.dialogue import Answer
from mineproof.phrases import say
from mineproof.world import clues as clue_models
from mineproof.world.board import LEVELS, OPENINGS, Board, Deal
from mineproof.world.chance import seed_from_json
from mineproof.world.clues import ClueModel
from mineproof.world.geometry import MAX_SIDE, Cell
from mineproof.world.rules import ON_MINE
from mineproof.world.view import EXPLODED, LARGEST_CLUE, NO_CLUE, Event, View, read_state

Reader = Callable[[Any, str], Any]

MOST_TEXT = 3 * MAX_SIDE * MAX_SIDE
"""The maximum length of a board or a view: the largest board, with bounds and line ends."""
MOST_NAME = 10_000
"""The maximum length of the text of an agent or a clue model; a table can be long."""


class Field(NamedTuple):
    """A field of a request: how its value is read, what it means, and whether it is required."""

    read: Reader
    about: str
    needed: bool = False


COMMON = ("do", "id")
"""The fields that every request may have."""


def read_fields(message: Mapping[str, Any], fields: Mapping[str, Field]) -> dict[str, Any]:
    """Return the values of a request's fields; null means absent, unknown fields are errors."""
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
    """Return a reader of whole numbers within these bounds."""
    return lambda value, name: whole(value, f"{name!r}", least, most)


def text(value: Any, name: str, most: int = MOST_NAME) -> str:
    """Read a string that is not too long."""
    if not isinstance(value, str):
        raise InvalidInput(say("refusal.text", name=repr(name), value=quoted(value)))
    if len(value) > most:
        raise InvalidInput(f"{name!r} may have at most {most} characters, got {len(value)}")
    return value


def truth(value: Any, name: str) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise InvalidInput(say("refusal.truth", name=repr(name), value=quoted(value)))
    return value


def chance(value: Any, name: str) -> float:
    """Read a number from 0 to 1."""
    return share(value, f"{name!r}")


def one_of(names: Collection[str]) -> Reader:
    """Return a reader of one of these names."""

    def read(value: Any, name: str) -> str:
        if text(value, name) not in names:
            raise unknown_name(f"value of {name!r}", value, names)
        return str(value)

    return read


def reasoning(value: Any, name: str) -> str:
    """Read a level of reasoning."""
    return check_reasoning(one_of(REASONING)(value, name))


def listed(value: Any, name: str, most: int) -> list[Any]:
    """Read a list that is not too long."""
    if not isinstance(value, list):
        raise InvalidInput(f"{name!r} must be a list, got {quoted(value)}")
    if len(value) > most:
        raise InvalidInput(f"{name!r} may have at most {most} entries, got {len(value)}")
    return value


def keyed(value: Any, name: str) -> dict[str, Any]:
    """Read an object."""
    if not isinstance(value, dict):
        raise InvalidInput(say("refusal.object", name=repr(name), value=quoted(value)))
    return value


def cell(value: Any, name: str) -> Cell:
    """Read a cell, [row, col]; whether it is on the board is checked later."""
    if not isinstance(value, list) or len(value) != 2:
        raise InvalidInput(say("refusal.cell", name=repr(name), value=quoted(value)))
    row, col = (whole(one, f"a row or column in {name!r}", 0, MAX_SIDE - 1) for one in value)
    return row, col


def seed(value: Any, _: str) -> int:
    """Read a whole number up to 2**64 - 1, or its digits as a string."""
    return seed_from_json(value)


def view(value: Any, name: str) -> View:
    """Read a position, as `analyse` does."""
    return View.from_text(text(value, name, MOST_TEXT))


def board(value: Any, name: str) -> Board:
    """Read a board in text form."""
    return Board.from_text(text(value, name, MOST_TEXT))


def clues(value: Any, name: str) -> ClueModel:
    """Read a clue model in text form."""
    return clue_models.parse(text(value, name))


_DEAL = {
    "level": Field(one_of(LEVELS), "beginner, intermediate or expert"),
    "rows": Field(number(1, MAX_SIDE), "number of rows"),
    "cols": Field(number(1, MAX_SIDE), "number of columns"),
    "mines": Field(number(0, MAX_SIDE**2), "number of mines"),
    "density": Field(chance, "fraction of cells that are mines"),
    "independent": Field(truth, "each cell is a mine independently, with probability `density`"),
}


def deal(value: Any, name: str) -> Deal:
    """Read a level, or a size with a mine count or a density."""
    given = read_fields(keyed(value, name) | {"do": name}, _DEAL)
    level = given.pop("level", None)
    if level is not None:
        if "rows" in given or "cols" in given:
            raise InvalidInput(say("refusal.level-or-size", name=repr(name)))
        rows, cols, mines = LEVELS[level]
        if not {"mines", "density"} & set(given):
            given["mines"] = mines
        return Deal(rows, cols, **given)
    if "rows" not in given or "cols" not in given:
        raise InvalidInput(say("refusal.size-missing", name=repr(name)))
    return Deal(**given)


_RULES = {
    "on_mine": Field(one_of(ON_MINE), "whether hitting a mine ends the game"),
    "opening": Field(one_of(OPENINGS), "what is guaranteed about the first cell"),
    "count_known": Field(truth, "whether the player knows the mine count"),
    "density": Field(chance, "the mine density that the player knows instead of the count"),
    "flood": Field(truth, "whether opening a 0 opens its neighbours"),
}


def rules(value: Any, name: str) -> dict[str, Any]:
    """Read the rules that are given; the others follow from the position."""
    return read_fields(keyed(value, name) | {"do": name}, _RULES)


def events(value: Any, name: str) -> list[Event]:
    """Read changes, [[row, col, state], ...], with states as in a view; a bound may follow."""
    return [_event(one, name) for one in listed(value, name, MAX_SIDE**2)]


def _event(value: Any, name: str) -> Event:
    if not isinstance(value, list) or len(value) not in {3, 4}:
        raise InvalidInput(f"{name!r} must have entries [row, col, state], got {quoted(value)}")
    state = read_state(text(value[2], name))
    bound = value[3] if len(value) == 4 else None
    if bound is not None:
        bound = whole(bound, f"a bound in {name!r}", 0, LARGEST_CLUE)
    return Event(cell(value[:2], name), state, bound)


def shows(value: Any, name: str) -> list[Answer]:
    """Read what cells show: [[cell or null, 0 to 8, "mine" or null], ...]."""
    return [_answer(one, name) for one in listed(value, name, MAX_SIDE**2)]


def _answer(value: Any, name: str) -> Answer:
    if not isinstance(value, list) or len(value) != 2:
        raise InvalidInput(f"{name!r} must have entries [cell, value], got {quoted(value)}")
    where = None if value[0] is None else cell(value[0], name)
    shown = value[1]
    if shown is None:
        return Answer(where, NO_CLUE)
    if shown == "mine":
        return Answer(where, EXPLODED)
    return Answer(where, whole(shown, "what a cell shows", 0, LARGEST_CLUE))
