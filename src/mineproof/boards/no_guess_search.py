"""The search for a no-guess board: the twin of `native/src/generation.cpp`.

Each try is determined by the seed of its board and its number. The first tries are deals, drawn
uniformly from the boards that satisfy the opening rule, so a solved one is uniform among all solved
ones. Later tries are repaired: where play is stuck, mines are moved one at a time, and a move is
kept if it does not reduce the number of opened cells.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from mineproof import _engine
from mineproof.boards.deduction_play import REASONING, DeductionPlayer, DeductionResult
from mineproof.world.board import Board, Deal, Opening, promised
from mineproof.world.chance import Purpose, Stream, game_seed
from mineproof.world.geometry import Cell
from mineproof.world.view import is_clue

SECONDS = 0.5
"""How long a call may search before it reports the progress."""


@dataclass(frozen=True)
class BoardSpec:
    """The specification of a board.

    `needed`: no lower level of reasoning solves it. The first `deals` tries are deals; a repair
    moves mines at most `moves` times.
    """

    rows: int
    cols: int
    mines: int
    start: Cell
    opening: Opening
    reasoning: str
    needed: bool
    deals: int
    moves: int


@dataclass(frozen=True)
class NoGuessSearch:
    """The state of the search for one board of a series, and its result."""

    board: int
    """The number of the board in the series."""
    tries: int = 0
    found: bool = False
    opened: int = 0
    """The number of safe cells that the best try opened."""
    mines: bytes = b""
    """The mines of the board that was found."""
    seed: int = 0
    """The seed of the deal from which the board was made."""


def search(
    wanted: BoardSpec, seed: int, searches: list[NoGuessSearch], most: int, workers: int
) -> list[NoGuessSearch]:
    """Continue searches for about half a second, and return their new states.

    Each search ends when it has found its board or made `most` tries in total. What it finds does
    not depend on the time or the number of workers.
    """
    if not _engine.is_native():
        return [_go_on(wanted, seed, one, most) for one in searches]
    native = _engine.native
    kind = native.BoardSpec(
        rows=wanted.rows,
        cols=wanted.cols,
        mines=wanted.mines,
        start=wanted.start[0] * wanted.cols + wanted.start[1],
        opening=native.Opening[wanted.opening],
        reasoning=native.Reasoning[wanted.reasoning],
        needed=wanted.needed,
        deals=wanted.deals,
        moves=wanted.moves,
    )
    going = [
        native.NoGuessSearch(one.board, one.tries, one.found, one.opened, one.mines, one.seed)
        for one in searches
    ]
    return [
        NoGuessSearch(one.board, one.tries, one.found, one.opened, one.mines, one.seed)
        for one in native.search_boards(kind, seed, going, most, SECONDS, workers)
    ]


def _go_on(wanted: BoardSpec, seed: int, search: NoGuessSearch, most: int) -> NoGuessSearch:
    """Make one more try, in Python."""
    if search.found or search.tries >= most:
        return search
    tried = attempt(wanted, game_seed(seed, search.board), search.tries)
    return replace(
        search,
        tries=search.tries + 1,
        found=tried.found,
        opened=max(search.opened, tried.opened),
        mines=tried.board.mined,
        seed=tried.seed,
    )


class Attempt(NamedTuple):
    """The result of a try."""

    board: Board
    seed: int
    found: bool
    opened: int


def try_seed(board_seed: int, number: int) -> int:
    """Return the seed of a try; the first has the seed of its board."""
    if number == 0:
        return board_seed
    return Stream(board_seed, Purpose.ATTEMPT, number).next64() >> 11


def attempt(wanted: BoardSpec, board_seed: int, number: int) -> Attempt:
    """Try once to make a board, in Python."""
    seed = try_seed(board_seed, number)
    deal = Deal(wanted.rows, wanted.cols, wanted.mines)
    board = deal.board(seed, start=wanted.start, opening=wanted.opening)
    deducer, deduced = _play(wanted, board, wanted.reasoning)
    if number >= wanted.deals:
        board, deduced = _repair(wanted, board, deducer, deduced, seed)
    return Attempt(board, seed, deduced.solved and _fits(wanted, board), deduced.opened)


def _play(
    wanted: BoardSpec, board: Board, reasoning: str
) -> tuple[DeductionPlayer, DeductionResult]:
    deducer = DeductionPlayer(board, wanted.start, wanted.opening)
    levels = list(REASONING)
    levels = levels[: levels.index(reasoning) + 1]
    if reasoning == "exact":  # which proves everything that these prove
        levels = [name for name in levels if name not in {"subset", "gauss"}]
    return deducer, deducer.play(levels)


def _fits(wanted: BoardSpec, board: Board) -> bool:
    """Whether a solved board has the wanted difficulty."""
    if not wanted.needed or wanted.reasoning == "local":
        return True
    levels = list(REASONING)
    lower = levels[levels.index(wanted.reasoning) - 1]
    return not _play(wanted, board, lower)[1].solved


def _repair(
    wanted: BoardSpec, board: Board, deducer: DeductionPlayer, deduced: DeductionResult, seed: int
) -> tuple[Board, DeductionResult]:
    stream = Stream(seed, Purpose.REPAIR)
    stuck = _StuckPosition(deducer, board)
    for _ in range(wanted.moves):
        if deduced.solved:
            break
        swapped = stuck.choose(wanted, stream)
        if swapped is None:
            continue
        here, there = swapped
        mined = bytearray(board.mined)
        mined[here], mined[there] = mined[there], mined[here]
        moved = Board(board.grid, bytes(mined))
        after, result = _play(wanted, moved, wanted.reasoning)
        if result.opened >= deduced.opened:
            board, deduced = moved, result
            stuck = _StuckPosition(after, board)
    return board, deduced


class _StuckPosition:
    """The unresolved cells of a position in which play is stuck, and their edge.

    The edge consists of those next to a clue, and of the known mines next to any of them.
    """

    def __init__(self, deducer: DeductionPlayer, board: Board) -> None:
        knowledge, self._board = deducer.knowledge, board
        grid, states, settled = knowledge.grid, knowledge.states, knowledge.settled
        self._cells = [index for index in range(grid.size) if knowledge.is_open(index)]
        edge = [
            i for i in self._cells if any(is_clue(states[other]) for other in grid.neighbours(i))
        ]
        edge += [
            index
            for index, deduction in settled.items()
            if deduction.mine and any(map(knowledge.is_open, grid.neighbours(index)))
        ]
        self._edge = sorted(edge)

    def choose(self, wanted: BoardSpec, stream: Stream) -> tuple[int, int] | None:
        """Draw a mine and a safe cell to swap; None if this draw finds none.

        One of them is at the edge; the other is unresolved or, one time in four, anywhere.
        """
        mined = self._board.mined
        leaves = stream.below(2) == 0  # the mine leaves the edge, or moves to it
        edge = [index for index in self._edge if mined[index] == leaves]
        inner = [index for index in self._cells if mined[index] != leaves]
        anywhere = stream.below(4) == 0
        if not edge or not (inner or anywhere):
            return None
        here = edge[stream.below(len(edge))]
        if not anywhere:
            return here, inner[stream.below(len(inner))]
        there = stream.below(len(mined))
        free = promised(self._board.grid, wanted.start, wanted.opening)
        return None if mined[there] == leaves or there in free else (here, there)
