"""The best possible score on a small board, by an exact search of all positions.

Correct flags minus wrong ones count, and a mine that was hit can no longer be flagged. The search
is in `reasoning/score_tree.py`. With exact clues, the compiled twin is about a hundred times
faster; other clue models are searched in Python.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mineproof import _engine
from mineproof.boards.optimum import MEMORY, listener, read_size, refuse_too_many
from mineproof.deprecated import renamed_argument
from mineproof.errors import InvalidInput
from mineproof.reasoning.score_tree import ScoreTree, TooManyStates, is_known
from mineproof.world.board import Opening
from mineproof.world.clues import ClueModel, Exact, as_clues
from mineproof.world.geometry import Cell, Grid


@dataclass(frozen=True)
class BestScore:
    """The average score of best play, starting at `first`; None if opening no cell is best."""

    score: Fraction
    boards: int
    first: Cell | None
    states: int
    """The number of states searched, up to symmetry."""

    def to_json(self) -> dict[str, Any]:
        """Return JSON data."""
        return {
            "score": float(self.score),
            "fraction": str(self.score),
            "boards": self.boards,
            "first": None if self.first is None else list(self.first),
            "states": self.states,
        }


@renamed_argument("told", "on_progress")
def solve_score(
    rows: int,
    cols: int,
    mines: int,
    *,
    opening: Opening = "safe",
    clues: ClueModel | str = Exact(),
    memory: int = MEMORY,
    on_progress: Callable[[int], None] | None = None,
) -> BestScore:
    """Return the best expected score if a mine does not end the game, with a best first cell.

    The score is (correct flags - wrong flags) / mines; the mine count is known. The cost grows
    exponentially with the size, and faster with uncertain clues. The other arguments are those of
    `solve`.
    """
    clues = as_clues(clues)
    if not is_known(clues):
        raise InvalidInput(
            f"the best score cannot be computed with {clues} clues: use exact, "
            "sometimes:P, optimistic, cautious or table clues"
        )
    grid, mines, memory, named = read_size(rows, cols, mines, opening, memory)
    clues.check(grid)
    natively = _engine.is_native() and isinstance(clues, Exact)
    search = _solve_natively if natively else _solve_in_python
    most = memory * 10**6 // (130 if natively else 400 + 100 * grid.size)
    with refuse_too_many(named, memory):
        return search(grid, mines, opening, clues, most, listener(on_progress))


def _solve_natively(
    grid: Grid,
    mines: int,
    opening: Opening,
    clues: ClueModel,  # noqa: ARG001
    most: int,
    on_progress: Callable[[int], None],
) -> BestScore:
    native = _engine.native
    try:
        found = native.solve_score(
            grid.rows, grid.cols, mines, native.Opening[opening], most, on_progress
        )
    except native.TooManyStates:
        raise TooManyStates from None
    first = None if found.first < 0 else grid.cell(found.first)
    return BestScore(_score_of(found.loss, mines, found.boards), found.boards, first, found.states)


def _score_of(loss: int, mines: int, boards: int) -> Fraction:
    """Return the score from the total loss on these boards (or on their weight)."""
    return 1 - Fraction(loss, mines * boards) if mines and boards else Fraction(1)


def _solve_in_python(
    grid: Grid,
    mines: int,
    opening: Opening,
    clues: ClueModel,
    most: int,
    on_progress: Callable[[int], None],
) -> BestScore:
    tree = ScoreTree(grid, mines, clues, most, on_progress)
    score, boards, first = tree.first(opening)
    return BestScore(score, boards, first, tree.states)
