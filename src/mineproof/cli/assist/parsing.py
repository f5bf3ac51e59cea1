"""Parse what the user types to the assistant."""

from __future__ import annotations

import re
from typing import NamedTuple

from mineproof.errors import InvalidInput, shorten, unknown_name
from mineproof.games.assistant import Answer
from mineproof.world.board import LEVELS
from mineproof.world.geometry import Cell, Grid
from mineproof.world.view import EXPLODED, NO_CLUE

COMMANDS = ("undo", "board", "why", "quit", "help")
QUIT = frozenset({"quit", "exit", "q"})

HELP = """\
0 to 8, - or mine      what the suggested cell shows (-: opened without a clue)
2,3=1 2,4=0 5,5=mine   what other cells show, as ROW,COL=VALUE
2,3:011?2              what a row of cells shows, starting at (2,3) (? skips one)
undo                   take back the last answer
board                  draw the board again
why                    show mine probabilities and the best moves
why 2,3                explain a cell: its proof or its mine probability
quit, exit or q        stop here
To correct a cell, enter it again with another value."""

_VALUES = {str(clue): clue for clue in range(9)} | {
    "-": NO_CLUE,
    "mine": EXPLODED,
    "*": EXPLODED,
}
_LEAVE_OUT = "?"
_CELL = re.compile(r"\(?(\d{1,6}),(\d{1,6})\)?([=:])(.+)", re.ASCII)
_WHY = re.compile(r"why\s*\(?(\d{1,6})\s*,\s*(\d{1,6})\)?", re.ASCII)
_SHAPE = re.compile(r"(\d{1,6})\s*[x, ]\s*(\d{1,6})(?:\s*/\s*(\d{1,7}))?", re.ASCII)


class CellQuestion(NamedTuple):
    """A question about a cell."""

    cell: Cell


def read_answer(text: str) -> str | CellQuestion | list[Answer]:
    """Parse a command, a question about a cell, or what cells show.

    Examples: `why 2,3`, `3`, `mine`, `2,3=1 2,4=0`, `2,3:011?2`.
    """
    text = text.strip().lower()
    if text in COMMANDS:
        return text
    if text in QUIT:
        return "quit"
    if asked := _WHY.fullmatch(text):
        return CellQuestion((int(asked[1]), int(asked[2])))
    if not text:
        raise InvalidInput("expected 0 to 8, - or mine (or help), got an empty line")
    words = re.sub(r"\s*([,=:])\s*", r"\1", text).split()
    return [answer for word in words for answer in _read_word(word)]


def read_shape(text: str) -> tuple[int, int, int | None]:
    """Parse a board size with or without mines: `9x9`, `16x30/99`, `expert`."""
    text = text.strip().lower()
    if text in LEVELS:
        return LEVELS[text]
    if text.isalpha() and text.isascii():
        raise unknown_name("level", text, LEVELS)
    found = _SHAPE.fullmatch(text)
    if found is None:
        raise InvalidInput(
            f"expected a size such as 9x9 or 16x30/99, or a level, got {shorten(text)!a}"
        )
    rows, cols, mines = found.groups()
    grid = Grid(int(rows), int(cols))
    return grid.rows, grid.cols, None if mines is None else int(mines)


def read_count(text: str) -> int | None:
    """Parse a number of mines; None for an empty answer."""
    text = text.strip()
    if not text:
        return None
    if not re.fullmatch(r"\d{1,7}", text, re.ASCII):
        raise InvalidInput(f"expected a number of mines, or nothing, got {shorten(text)!a}")
    return int(text)


def _read_word(word: str) -> list[Answer]:
    if word in _VALUES:
        return [Answer(None, _VALUES[word])]
    found = _CELL.fullmatch(word)
    if found is None:
        raise InvalidInput(
            f"cannot read {shorten(word)!a}: expected 0 to 8, - or mine, "
            "ROW,COL=VALUE for other cells, or help"
        )
    row, col = int(found[1]), int(found[2])
    if found[3] == "=":
        return [Answer((row, col), _value(found[4], word))]
    return [
        Answer((row, col + place), _value(value, word))
        for place, value in enumerate(found[4])
        if value != _LEAVE_OUT
    ]


def _value(text: str, where: str) -> int:
    if text not in _VALUES:
        raise InvalidInput(
            f"expected 0 to 8, - or mine, got {shorten(text)!a} in {shorten(where)!a}"
        )
    return _VALUES[text]
