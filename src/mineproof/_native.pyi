"""
The native twins of what must be fast; the same results as the Python code.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray


def deal(rows: int, cols: int, mines: int, free: Sequence[int], seed: int) -> bytes:
    """
    Mines by count, uniform among the boards in which the cells `free` have none.
    """

def deal_each(rows: int, cols: int, threshold: int, free: Sequence[int], seed: int) -> bytes:
    """Each cell mined by itself with chance `threshold` / 2**53."""

def order_keys(size: int, seed: int) -> bytes:
    """The 64-bit keys of the shared order, cell by cell."""

def words(seed: int, purpose: int, index: int, count: int) -> list[int]:
    """The first 32-bit words of a stream."""

def count_mines(rows: int, cols: int, mines: bytes) -> bytes:
    """Mines around every cell."""

def figures(rows: int, cols: int, mines: bytes) -> tuple[int, int, int]:
    """Openings, islands and 3BV of a board."""

class Model:
    """The likelihoods of a clue model: [shown][degree][count]."""

    def __init__(self, table: Annotated[NDArray[numpy.float64], dict(shape=(10, 9, 9), order='C', device='cpu', writable=False)]) -> None: ...

class Solution:
    """The posterior of one view."""

    @property
    def outcome(self) -> int:
        """0 exact, 1 an estimate, 2 a contradiction."""

    @property
    def risk(self) -> bytes:
        """The chance of a mine in each cell, as doubles."""

    @property
    def verdicts(self) -> bytes:
        """By cell: 0 open, 1 proved safe, 2 proved mined."""

    @property
    def log_weight(self) -> float: ...

    @property
    def error(self) -> float: ...

    @property
    def figures(self) -> tuple[int, int, int, int, int, int]:
        """
        Components, boxes of the largest, widest layer, states, open clues, taken over.
        """

class Engine:
    """An engine that remembers the components of the last view."""

    def __init__(self) -> None: ...

    def posterior(self, view: object, model: Model | None, overrides: Sequence[tuple[int, Sequence[float]]], density: float | None, trust_flags: bool, budget: int, mines: int | None) -> Solution:
        """The posterior; components that did not change are taken over."""

def posterior(view: object, model: Model | None, overrides: Sequence[tuple[int, Sequence[float]]], density: float | None, trust_flags: bool, budget: int, mines: int | None) -> Solution:
    """The exact posterior of a view."""

def posteriors(views: list[Any], model: Model | None, overrides: Sequence[Sequence[tuple[int, Sequence[float]]]], density: float | None, trust_flags: bool, budget: int, threads: int) -> list[Solution]:
    """The posteriors of many views; overrides of none of them, or of each."""

def sample(view: object, model: Model | None, overrides: Sequence[tuple[int, Sequence[float]]], density: float | None, trust_flags: bool, budget: int, mines: int | None, count: int, seed: int) -> tuple[int, list[bytes]]:
    """Boards drawn exactly from the posterior."""

class GameRules:
    """The rules of games that are played natively."""

    def __init__(self, mine_ends: bool, opening: int, count_known: bool, flood: bool, density: float | None) -> None: ...

class Budget:
    """How much a decision of the champion may cost."""

    def __init__(self, arrangements: int, work: int, parts: int, candidates: int, premium: float, leaves: int, playouts: int) -> None: ...

class Strategy:
    """An agent that can play natively."""

    def __init__(self, local: bool, pairs: bool, beyond: int, guesser: int, first: int, budget: Budget | None) -> None: ...

def advise(view: object, model: Model | None, overrides: Sequence[tuple[int, Sequence[float]]], density: float | None, rules: GameRules, budget: Budget) -> tuple[int, list[tuple[int, float, float | None, float | None, float | None]]]:
    """
    How the champion decides: by which method, and for every cell that it considered, the best first, its risk, its score by look-ahead, its chance to win and the error of that.
    """

def win_chance(view: object, rules: GameRules, budget: Budget, games: int) -> tuple[float, float] | None:
    """
    The chance to win a view with exact clues and a known count, and its standard error.
    """

def play(rows: int, cols: int, boards: Sequence[bytes], mines: int, threshold: int | None, rules: GameRules, strategy: Strategy, start: int, seeds: Sequence[int], record: bool) -> tuple[list[tuple[bool, int, int, int, int, int, int, list[int], float]], list[list[tuple[int, int, bool, int, float | None]]]]:
    """
    Games on boards, or dealt by count or cell by cell: won, mines, right, wrong, exploded, guesses, moves, moves by rule, CPU seconds; and their moves if they are asked for.
    """

def closure(view: object, rules: GameRules, strategy: Strategy) -> bytes:
    """
    By cell: 0 open, 1 proved safe, 2 proved mined, by the rules of this agent.
    """

def solve(rows: int, cols: int, mines: int, free: int, most: int, told: Callable[[int], None]) -> tuple[int, int, int, int]:
    """Boards won by best play, boards dealt, a best first cell, states met."""

def prove(view: object, model: Model | None, overrides: Sequence[tuple[int, Sequence[float]]], density: float | None, trust_flags: bool, budget: int, mines: int | None, cells: Sequence[int]) -> list[tuple[int, bool, list[int], bool, bool, bool, list[tuple[int, list[int], list[int], list[tuple[int, bool]], list[tuple[int, int, list[int], list[int], list[int], bool]]]]]]:
    """
    Proofs of those of the cells that are certain: cell, mine, clues, whether the count is used, whether none is smaller, whether no clue can be left out, steps.
    """

def timings(views: list[Any], budget: int, repeats: int) -> list[float]:
    """
    CPU seconds of each view with exact clues in the kernel, the least of some repeats.
    """
