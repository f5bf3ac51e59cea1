"""Boards in numbers: as they come, or those that need no guess."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from mineproof.boards.deducing import REASONING, check_reasoning
from mineproof.boards.searching import Search, Wanted, search
from mineproof.errors import InvalidInput, NotFound, counted, whole
from mineproof.games.match import play
from mineproof.series.workers import check_workers
from mineproof.world.board import Board, Deal, DealLike, Opening, read_deal
from mineproof.world.chance import check_seed, fresh_seed, game_seed
from mineproof.world.geometry import Cell, Grid
from mineproof.world.rules import Rules

TRIES = 10_000
"""Deals that are tried for a board that needs no guess, before any is repaired."""
REPAIRS = 100
"""Deals that are tried to repair after that."""
MOVES = 4_000
"""Of mines, in one repair."""
_AT_ONCE = 32
"""Boards that are searched for at the same time."""


@dataclass(frozen=True, eq=False, repr=False)
class Generated(Board):
    """A board and how it came about; equal to any board with the same mines.

    `seed` names the deal: `Deal.board(seed, ...)` makes it again. A board that was `repaired` is
    not that deal any more: mines were moved until it needed no guess, so it is not one of all
    such boards with equal chances. `tries` is how many deals it took.
    """

    start: Cell | None = None
    seed: int = 0
    tries: int = 1
    repaired: bool = False

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return (self.grid, self.mined) == (other.grid, other.mined)

    def __hash__(self) -> int:
        return hash((self.grid, self.mined))


def generate(
    rows: int | DealLike,
    cols: int | None = None,
    mines: int | None = None,
    *,
    density: float | None = None,
    independent: bool = False,
    count: int = 1,
    seed: int | None = None,
    start: Cell | None = None,
    opening: Opening = "any",
    no_guess: bool = False,
    reasoning: str | None = None,
    needs: str | None = None,
    chain: int | None = None,
    tries: int = TRIES,
    repair: bool = True,
    workers: int | None = None,
    told: Callable[[int, int], None] | None = None,
) -> Iterator[Generated]:
    """Random boards, one by one, uniform among those that keep the opening rule at `start`.

    `rows`, `cols` and mines, or a level or `Deal` in their place: `generate("expert")`.
    Board i is the one that game i of an arena with this seed is played on, if it
    begins at `start`.

    With `no_guess`, boards that can be played from `start` to the end by certainty alone: by this
    `reasoning` (local, pairs, subset, gauss or exact, each with all before it; else exact, all
    that follows from clues and count). `needs` asks for boards that need exactly this
    reasoning, `chain` for a chain of influence (by smallest proofs) of so many cells or more. They
    are dealt and thrown away, so they are uniform among all such boards; where `tries` deals are
    not enough for one, deals are repaired (unless `repair` is False), and the board says so. Where
    that fails too, `NotFound` tells how far it came. A seed names the same boards on any number
    of `workers` (threads; all cores unless given). `told` is called now and then with the
    boards found and the tries made.
    """
    deal = read_deal(rows, cols, mines, density=density, independent=independent)
    count = whole(count, "a count of boards", 0, 10**12)
    if opening != "any" and start is None:
        raise InvalidInput(f"the opening rule {opening!r} needs a start cell")
    deal.check(opening, start)
    series = check_seed(fresh_seed() if seed is None else seed)
    if not (no_guess or reasoning or needs or chain):
        return _deal(deal, series, count, start, opening)
    level = _level(reasoning, needs)
    wanted = _wanted(deal, start, opening, level, needs is not None, tries)
    longest = whole(chain or 0, "chain")
    workers = check_workers(workers)
    hunt = _Hunt(wanted, series, REPAIRS if repair else 0, longest, workers, told)
    return hunt.boards(count)


def _wanted(
    deal: Deal, start: Cell | None, opening: Opening, level: str, needed: bool, tries: int
) -> Wanted:
    """What is searched for, if there can be such a board."""
    if deal.mine_count is None:
        raise InvalidInput("boards without a guess are dealt by count: not independent")
    if start is None or opening == "any":
        raise InvalidInput(
            "a board without a guess begins at a safe cell: give start, and opening safe or clear"
        )
    if whole(tries, "tries") < 1:
        raise InvalidInput(f"at least 1 try is needed, got {tries}")
    cell, mines = deal.grid.cell(deal.grid.index(start)), deal.mine_count
    return Wanted(deal.rows, deal.cols, mines, cell, opening, level, needed, tries, MOVES)


def _level(reasoning: str | None, needs: str | None) -> str:
    """The reasoning that shall solve a board."""
    for name in (reasoning, needs):
        if name is not None:
            check_reasoning(name)
    rank = list(REASONING).index
    if needs is not None and reasoning is not None and rank(needs) > rank(reasoning):
        raise InvalidInput(f"a board that needs {needs!r} is not solved by {reasoning!r}")
    return needs or reasoning or "exact"


def _deal(
    deal: Deal, series: int, count: int, start: Cell | None, opening: Opening
) -> Iterator[Generated]:
    for number in range(count):
        seed = game_seed(series, number)
        board = deal.board(seed, start=start, opening=opening)
        yield Generated(board.grid, board.mined, start, seed)


class _Hunt:
    """Looks for boards without a guess, some at a time."""

    def __init__(
        self,
        wanted: Wanted,
        series: int,
        repairs: int,
        chain: int,
        workers: int,
        told: Callable[[int, int], None] | None,
    ) -> None:
        self._wanted, self._series, self._chain = wanted, series, chain
        self._most = wanted.deals + repairs
        self._workers, self._told = workers, told
        self._given = self._tried = 0
        self._fitting: set[int] = set()  # boards that were found, by their number

    def boards(self, count: int) -> Iterator[Generated]:
        """So many of them, in order."""
        for first in range(0, count, _AT_ONCE):
            numbers = range(first, min(first + _AT_ONCE, count))
            yield from self._find([Search(number) for number in numbers])

    def _find(self, searches: list[Search]) -> Iterator[Generated]:
        while searches:
            searches = search(self._wanted, self._series, searches, self._most, self._workers)
            searches = [self._judge(one) for one in searches]
            while searches and searches[0].found:
                found = searches.pop(0)
                self._given += 1
                self._tried += found.tries
                yield self._made(found)
            if searches and searches[0].tries >= self._most:
                raise self._failure(searches[0])
            if searches and self._told is not None:
                self._told(self._given, self._tried + sum(one.tries for one in searches))

    def _judge(self, found: Search) -> Search:
        """Goes on where the chain of a board is too short."""
        if not found.found or found.board in self._fitting:
            return found
        if self._chain and self._longest(self._made(found)) < self._chain:
            return replace(found, found=False)
        self._fitting.add(found.board)
        return found

    def _longest(self, board: Board) -> int:
        rules = Rules(opening=self._wanted.opening)
        record = play(board, "exact", rules=rules, start=self._wanted.start)
        return len(record.smallest_influence.longest)

    def _made(self, found: Search) -> Generated:
        wanted = self._wanted
        grid = Grid(wanted.rows, wanted.cols)
        repaired = found.tries > wanted.deals
        return Generated(grid, found.mines, wanted.start, found.seed, found.tries, repaired)

    def _failure(self, found: Search) -> NotFound:
        wanted = self._wanted
        best = found.opened / (wanted.rows * wanted.cols - wanted.mines)
        deals, repaired = min(found.tries, wanted.deals), max(found.tries - wanted.deals, 0)
        more = f" and {repaired} repaired ones" if repaired else ""
        chain = f", or none had a chain of {self._chain} cells" if self._chain else ""
        what = f"needs {wanted.reasoning!r}" if wanted.needed else f"{wanted.reasoning!r} solves"
        return NotFound(
            f"none of {deals} deals{more} of {wanted.rows}x{wanted.cols} with "
            f"{counted(wanted.mines, 'mine')} is a board that {what} without a guess{chain}; the "
            f"best came to {100 * best:.1f} % of the safe cells",
            found.tries,
            best,
        )
