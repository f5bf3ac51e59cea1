"""Tries at a board that needs no guess: the twin of `native/src/generation.cpp`.

A try is named by the seed of its board and its number. The first are deals, uniform among the
boards that keep the opening rule, so one that is solved is uniform among all that are. Those
after them are repaired: mines where play is stuck are moved, one at a time, and a move is kept
if no fewer cells are opened than before.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from mineproof import _engine
from mineproof.boards.deducing import REASONING, Deduced, Deducer
from mineproof.world.board import Board, Deal, Opening
from mineproof.world.chance import Purpose, Stream, game_seed
from mineproof.world.geometry import Cell
from mineproof.world.view import is_clue

SECONDS = 0.5
"""How long a call may search before it tells how far it is."""


@dataclass(frozen=True)
class Wanted:
    """What kind of board is wanted.

    `needed`: no lower reasoning solves it. The first `deals` tries are deals; one that is
    repaired moves mines at most `moves` times.
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
class Search:
    """Of one board of a series: where to go on, and what came of it."""

    board: int
    """Its number in the series."""
    tries: int = 0
    found: bool = False
    opened: int = 0
    """Safe cells that the best try opened."""
    mines: bytes = b""
    """Of the board that was found."""
    seed: int = 0
    """Of the deal that it is or was made from."""


def search(
    wanted: Wanted, seed: int, searches: list[Search], most: int, workers: int
) -> list[Search]:
    """Go on with searches, for about half a second.

    Each ends when it has found its board or made `most` tries in all. What is found depends
    neither on when that is nor on the number of workers.
    """
    if not _engine.is_native():
        return [_go_on(wanted, seed, one, most) for one in searches]
    native = _engine.native
    kind = native.Wanted(
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
        native.Search(one.board, one.tries, one.found, one.opened, one.mines, one.seed)
        for one in searches
    ]
    return [
        Search(one.board, one.tries, one.found, one.opened, one.mines, one.seed)
        for one in native.search_boards(kind, seed, going, most, SECONDS, workers)
    ]


def _go_on(wanted: Wanted, seed: int, search: Search, most: int) -> Search:
    """One try more, in Python."""
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


class Tried(NamedTuple):
    """What came of a try."""

    board: Board
    seed: int
    found: bool
    opened: int


def try_seed(board_seed: int, number: int) -> int:
    """The seed of a try; the first has that of its board."""
    if number == 0:
        return board_seed
    return Stream(board_seed, Purpose.ATTEMPT, number).next64() >> 11


def attempt(wanted: Wanted, board_seed: int, number: int) -> Tried:
    """One try at a board, in Python."""
    seed = try_seed(board_seed, number)
    deal = Deal(wanted.rows, wanted.cols, wanted.mines)
    board = deal.board(seed, start=wanted.start, opening=wanted.opening)
    deducer, deduced = _play(wanted, board, wanted.reasoning)
    if number >= wanted.deals:
        board, deduced = _repair(wanted, board, deducer, deduced, seed)
    return Tried(board, seed, deduced.solved and _fits(wanted, board), deduced.opened)


def _play(wanted: Wanted, board: Board, reasoning: str) -> tuple[Deducer, Deduced]:
    deducer = Deducer(board, wanted.start, wanted.opening)
    levels = list(REASONING)
    levels = levels[: levels.index(reasoning) + 1]
    if reasoning == "exact":  # it proves all that these do
        levels = [name for name in levels if name not in {"subset", "gauss"}]
    return deducer, deducer.play(levels)


def _fits(wanted: Wanted, board: Board) -> bool:
    """Whether a board that is solved is one that is wanted."""
    if not wanted.needed or wanted.reasoning == "local":
        return True
    levels = list(REASONING)
    lower = levels[levels.index(wanted.reasoning) - 1]
    return not _play(wanted, board, lower)[1].solved


def _repair(
    wanted: Wanted, board: Board, deducer: Deducer, deduced: Deduced, seed: int
) -> tuple[Board, Deduced]:
    stream = Stream(seed, Purpose.REPAIR)
    stuck = _Stuck(deducer, board)
    for _ in range(wanted.moves):
        if deduced.solved:
            break
        # A mine leaves the cells that the clues speak of, or comes to them.
        leaves = stream.below(2) == 0
        sources = stuck.near_mines if leaves else stuck.mines
        targets = stuck.safe if leaves else stuck.near_safe
        if not sources or not targets:
            continue
        source = sources[stream.below(len(sources))]
        target = targets[stream.below(len(targets))]
        mined = bytearray(board.mined)
        mined[source], mined[target] = mined[target], mined[source]
        moved = Board(board.grid, bytes(mined))
        after, result = _play(wanted, moved, wanted.reasoning)
        if result.opened >= deduced.opened:
            board, deduced = moved, result
            stuck = _Stuck(after, board)
    return board, deduced


class _Stuck:
    """Cells neither opened nor known where play is stuck; `near`: those that touch a clue."""

    def __init__(self, deducer: Deducer, board: Board) -> None:
        knowledge = deducer.knowledge
        grid, states = knowledge.grid, knowledge.states
        cells = [index for index in range(grid.size) if knowledge.is_open(index)]
        near = [i for i in cells if any(is_clue(states[other]) for other in grid.around(i))]
        self.mines = [index for index in cells if board.mined[index]]
        self.safe = [index for index in cells if not board.mined[index]]
        self.near_mines = [index for index in near if board.mined[index]]
        self.near_safe = [index for index in near if not board.mined[index]]
