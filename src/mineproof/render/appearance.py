"""What a cell looks like: what it shows, what only the truth can tell, and what odds it has.

A look is a number: a view's states (0-8 clues, and the constants of `view`) and the
constants of this module. Every picture is drawn from one byte a cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from mineproof.errors import InvalidInput, WrongType, quoted
from mineproof.world.board import Board
from mineproof.world.geometry import Cell, Grid
from mineproof.world.view import (
    COVERED,
    EXPLODED,
    FLAGGED,
    HIDDEN,
    LARGEST_CLUE,
    NO_CLUE,
    TOLD_SAFE,
    View,
)

MINE = 14
WRONG_FLAG = 15
RISKS = range(16, 116)
"""A covered cell with its risk in whole per cent, 0 (less than one) to 99."""

ZERO = RISKS.stop
"""A zero that is written: other zeros are bare ground."""

CLUES = range(LARGEST_CLUE + 1)
_OPENED = frozenset((*CLUES, NO_CLUE))

NAMES = {
    HIDDEN: "hidden",
    TOLD_SAFE: "told safe",
    FLAGGED: "flagged",
    NO_CLUE: "no clue",
    EXPLODED: "exploded",
    MINE: "mine",
    WRONG_FLAG: "wrong flag",
}
"""The looks besides clues, in the words and the order of legends."""

_MINED = 16
_JUDGED = bytearray([*range(_MINED), *range(_MINED)])  # by look, and look + 16 where mined
_JUDGED[FLAGGED] = WRONG_FLAG
_REVEALED = _JUDGED.copy()
_REVEALED[_MINED + HIDDEN] = MINE


def judged(view: View, truth: Board) -> bytes:
    """What is seen, with wrong flags told from right ones."""
    return _with_truth(view, truth, _JUDGED)


def revealed(view: View, truth: Board) -> bytes:
    """What is seen when a game is over: wrong flags, and the mines that nobody found."""
    return _with_truth(view, truth, _REVEALED)


def solved(board: Board) -> bytes:
    """The whole truth: every mine, and the true clue everywhere else."""
    return bytes(
        MINE if mined else count for mined, count in zip(board.mined, board.counts, strict=True)
    )


def zeros_written(grid: Grid, looks: bytes | bytearray) -> bytes:
    """The same looks, with every zero that cannot be left blank as `ZERO`."""
    written = bytearray(looks)
    for index, look in enumerate(looks):
        if look == 0 and not is_blank(grid, looks, index):
            written[index] = ZERO
    return bytes(written)


def is_blank(grid: Grid, looks: bytes | bytearray, index: int) -> bool:
    """Whether a zero opened all around it: that is seen, and needs no number."""
    return all(looks[near] in _OPENED for near in grid.around(index))


class Odds(Protocol):
    """What a picture of odds needs: a posterior is one."""

    @property
    def view(self) -> View:
        """What is seen."""

    @property
    def risk(self) -> Any:
        """The risk of every cell, as an array of rows and columns; nan where opened."""

    @property
    def safe(self) -> Sequence[Cell]:
        """The covered cells that are proved safe."""

    @property
    def mined(self) -> Sequence[Cell]:
        """The covered cells that are proved mined."""


def weighed(odds: Odds) -> bytes:
    """What is seen, with the risk of every covered cell; what is proved looks so."""
    view = odds.view
    looks = bytearray(view.states)
    for index, (state, risk) in enumerate(
        zip(view.states, odds.risk.ravel().tolist(), strict=True)
    ):
        if state in COVERED:
            looks[index] = RISKS[_per_cent(risk)]
    for cells, look in ((odds.safe, TOLD_SAFE), (odds.mined, MINE)):
        for cell in cells:
            looks[view.grid.index(cell)] = look
    return bytes(looks)


def _per_cent(risk: float) -> int:
    """Rounded, but never so that a small risk looks like none or a great one like certainty."""
    return 0 if risk < 0.01 else min(int(100 * risk + 0.5), 99)


def check_odds(odds: Odds) -> None:
    """Refuse what has no odds to draw."""
    needed = ("view", "risk", "safe", "mined")
    if not all(hasattr(odds, name) for name in needed) or not isinstance(odds.view, View):
        raise WrongType(f"odds must be a posterior, as mp.posterior gives it, got {quoted(odds)}")


def tally(looks: bytes) -> str:
    """How many cells look how, in words: `57 opened, 20 hidden, 4 flagged`."""
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
