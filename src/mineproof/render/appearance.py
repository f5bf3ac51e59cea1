"""The looks of cells: what they show, what the truth adds, and their mine probability.

A look is a number: a state of a view (0-8 for clues, and the constants of `view`) or a constant of
this module. Every picture is drawn from one byte per cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from mineproof.errors import InvalidInput, WrongType, quote
from mineproof.world.board import Board
from mineproof.world.geometry import Cell, Grid
from mineproof.world.view import (
    COVERED,
    EXPLODED,
    FLAGGED,
    HIDDEN,
    KNOWN_SAFE,
    LARGEST_CLUE,
    NO_CLUE,
    View,
)

MINE = 14
WRONG_FLAG = 15
RISKS = range(16, 116)
"""A hidden cell with its risk in whole per cent, 0 (less than one) to 99."""

ZERO = RISKS.stop
"""A zero that is written; other zeros are blank."""

CLUES = range(LARGEST_CLUE + 1)
_OPENED = frozenset((*CLUES, NO_CLUE))

NAMES = {
    HIDDEN: "hidden",
    KNOWN_SAFE: "known safe",
    FLAGGED: "flagged",
    NO_CLUE: "no clue",
    EXPLODED: "exploded",
    MINE: "mine",
    WRONG_FLAG: "wrong flag",
}
"""The looks other than clues, in the wording and order of legends."""

_MINED = 16
_JUDGED = bytearray([*range(_MINED), *range(_MINED)])  # by look, plus 16 where there is a mine
_JUDGED[FLAGGED] = WRONG_FLAG
_REVEALED = _JUDGED.copy()
_REVEALED[_MINED + HIDDEN] = MINE


def judged(view: View, truth: Board) -> bytes:
    """Return the looks of a view, with wrong flags distinguished from right ones."""
    return _with_truth(view, truth, _JUDGED)


def revealed(view: View, truth: Board) -> bytes:
    """Return the looks of a finished game: with wrong flags and mines that were not found."""
    return _with_truth(view, truth, _REVEALED)


def solved(board: Board) -> bytes:
    """Return the looks of a board: all mines, and the true clues of all other cells."""
    return bytes(
        MINE if mined else count for mined, count in zip(board.mined, board.counts, strict=True)
    )


def zeros_written(grid: Grid, looks: bytes | bytearray) -> bytes:
    """Return the looks, with `ZERO` for every zero that must be written."""
    written = bytearray(looks)
    for index, look in enumerate(looks):
        if look == 0 and not is_blank(grid, looks, index):
            written[index] = ZERO
    return bytes(written)


def is_blank(grid: Grid, looks: bytes | bytearray, index: int) -> bool:
    """Whether all neighbours of a zero are open, so that the number can be left out."""
    return all(looks[near] in _OPENED for near in grid.neighbours(index))


class HasRisks(Protocol):
    """What a picture of mine probabilities needs; a posterior has it."""

    @property
    def view(self) -> View:
        """The view."""

    @property
    def risk(self) -> Any:
        """The risk of every cell, as an array of rows and columns; nan for opened cells."""

    @property
    def safe(self) -> Sequence[Cell]:
        """The hidden cells that are proved safe."""

    @property
    def mined(self) -> Sequence[Cell]:
        """The hidden cells that are proved to be mines."""


def weighed(odds: HasRisks) -> bytes:
    """Return the looks of a view with the risks of hidden cells; proved cells look proved."""
    view = odds.view
    looks = bytearray(view.states)
    for index, (state, risk) in enumerate(
        zip(view.states, odds.risk.ravel().tolist(), strict=True)
    ):
        if state in COVERED:
            looks[index] = RISKS[_per_cent(risk)]
    for cells, look in ((odds.safe, KNOWN_SAFE), (odds.mined, MINE)):
        for cell in cells:
            looks[view.grid.index(cell)] = look
    return bytes(looks)


def _per_cent(risk: float) -> int:
    """Round a risk to per cent, but never a small one to 0 or a large one to 100."""
    return 0 if risk < 0.01 else min(int(100 * risk + 0.5), 99)


def check_odds(odds: HasRisks) -> None:
    """Raise `WrongType` unless these are mine probabilities that can be drawn."""
    needed = ("view", "risk", "safe", "mined")
    if not all(hasattr(odds, name) for name in needed) or not isinstance(odds.view, View):
        raise WrongType(f"odds must be a posterior, as mp.posterior returns it, got {quote(odds)}")


def tally(looks: bytes) -> str:
    """Return the number of cells of each look in words: `57 opened, 20 hidden, 4 flagged`."""
    counts = {"opened": sum(looks.count(clue) for clue in CLUES)}
    counts |= {name: looks.count(look) for look, name in NAMES.items()}
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count)


def _with_truth(view: View, truth: Board, table: bytearray) -> bytes:
    if view.grid != truth.grid:
        raise InvalidInput(
            f"the truth must have the shape of the view: "
            f"expected {_shape(view.grid)}, got {_shape(truth.grid)}"
        )
    return bytes(
        table[state + _MINED * mined] for state, mined in zip(view.states, truth.mined, strict=True)
    )


def _shape(grid: Grid) -> str:
    return f"{grid.rows}x{grid.cols}"
