"""Random boards, with or without the need to guess."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from mineproof.boards.deduction_play import REASONING, check_reasoning
from mineproof.boards.no_guess_search import BoardSpec, NoGuessSearch, search
from mineproof.deprecated import renamed_argument
from mineproof.errors import InvalidInput, NotFound, check_integer
from mineproof.games.match import play
from mineproof.phrases import say
from mineproof.series.workers import check_workers
from mineproof.world.board import Board, Deal, DealLike, Opening, read_deal
from mineproof.world.chance import check_seed, fresh_seed, game_seed
from mineproof.world.geometry import Cell, Grid
from mineproof.world.rules import Rules

TRIES = 10_000
"""Deals per no-guess board before repairs."""
REPAIRS = 100
"""Deals that are then repaired, until one succeeds."""
MOVES = 4_000
"""Moves of mines in one repair."""
_AT_ONCE = 32
"""Boards that are searched at the same time."""


@dataclass(frozen=True, eq=False, repr=False)
class Generated(Board):
    """A board and its origin; equal to any board with the same mines.

    `seed` is the seed of its deal: `Deal.board(seed, ...)` deals it again. If the board was
    `repaired`, mines of that deal were moved until it needed no guess, so it is not drawn uniformly
    from all no-guess boards. `tries` is the number of deals that it took.
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


@renamed_argument("told", "on_progress")
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
    on_progress: Callable[[int, int], None] | None = None,
) -> Iterator[Generated]:
    """Yield random boards, drawn uniformly from those that satisfy the opening rule at `start`.

    The size is `rows`, `cols` and `mines`, or a level or `Deal` in their place:
    `generate("expert")`. Board i is the board of game i in an arena with the same seed and opening
    rule, if that game starts at `start`.

    With `no_guess`, every board can be solved from `start` without guessing, by this level of
    `reasoning` (local, pairs, subset, gauss or exact, each including those before it; default:
    exact, everything that follows from the clues and the mine count). `needs` requires boards that
    need exactly this level, `chain` a chain of influence (by smallest proofs) of at least that
    many cells. Boards are dealt until one fits, so they are uniform among all such boards. If
    `tries` deals are not enough, deals are repaired (unless `repair` is False), and the board is
    marked as `repaired`. If that fails too, `NotFound` is raised.

    The same seed gives the same boards with any number of `workers` (threads; default: one per
    core). `on_progress` is called now and then with the numbers of boards found and of tries.
    """
    deal = read_deal(rows, cols, mines, density=density, independent=independent)
    count = check_integer(count, "the number of boards", 0, 10**12)
    if opening != "any" and start is None:
        raise InvalidInput(say("refusal.needs-start", opening=repr(opening)))
    deal.check(opening, start)
    series = check_seed(fresh_seed() if seed is None else seed)
    if not (no_guess or reasoning or needs or chain):
        return _deal(deal, series, count, start, opening)
    level = _level(reasoning, needs)
    wanted = _wanted(deal, start, opening, level, needs is not None, tries)
    longest = check_integer(chain or 0, "chain")
    workers = check_workers(workers)
    hunt = _Hunt(wanted, series, REPAIRS if repair else 0, longest, workers, on_progress)
    return hunt.boards(count)


def _wanted(
    deal: Deal, start: Cell | None, opening: Opening, level: str, needed: bool, tries: int
) -> BoardSpec:
    """Return the specification of the boards, or raise an error if there can be none."""
    if deal.mine_count is None:
        raise InvalidInput(say("refusal.not-independent"))
    if start is None or opening == "any":
        raise InvalidInput(say("refusal.no-start"))
    if check_integer(tries, "tries") < 1:
        raise InvalidInput(f"tries must be at least 1, got {tries}")
    cell, mines = deal.grid.cell(deal.grid.index(start)), deal.mine_count
    return BoardSpec(deal.rows, deal.cols, mines, cell, opening, level, needed, tries, MOVES)


def _level(reasoning: str | None, needs: str | None) -> str:
    """Return the level of reasoning that has to solve the boards."""
    for name in (reasoning, needs):
        if name is not None:
            check_reasoning(name)
    rank = list(REASONING).index
    if needs is not None and reasoning is not None and rank(needs) > rank(reasoning):
        levels = {"needs": repr(needs), "reasoning": repr(reasoning)}
        raise InvalidInput(say("refusal.levels", **levels))
    return needs or reasoning or "exact"


def _deal(
    deal: Deal, series: int, count: int, start: Cell | None, opening: Opening
) -> Iterator[Generated]:
    for number in range(count):
        seed = game_seed(series, number)
        board = deal.board(seed, start=start, opening=opening)
        yield Generated(board.grid, board.mined, start, seed)


class _Hunt:
    """Searches for no-guess boards, several at a time."""

    def __init__(
        self,
        wanted: BoardSpec,
        series: int,
        repairs: int,
        chain: int,
        workers: int,
        on_progress: Callable[[int, int], None] | None,
    ) -> None:
        self._wanted, self._series, self._chain = wanted, series, chain
        self._most = wanted.deals + repairs
        self._workers, self._on_progress = workers, on_progress
        self._given = self._tried = 0
        self._fitting: set[int] = set()  # boards that were found, by their number

    def boards(self, count: int) -> Iterator[Generated]:
        """Yield `count` boards, in order."""
        for first in range(0, count, _AT_ONCE):
            numbers = range(first, min(first + _AT_ONCE, count))
            yield from self._find([NoGuessSearch(number) for number in numbers])

    def _find(self, searches: list[NoGuessSearch]) -> Iterator[Generated]:
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
            if searches and self._on_progress is not None:
                self._on_progress(self._given, self._tried + sum(one.tries for one in searches))

    def _judge(self, found: NoGuessSearch) -> NoGuessSearch:
        """Return the search; it is to continue if its board has too short a chain."""
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

    def _made(self, found: NoGuessSearch) -> Generated:
        wanted = self._wanted
        grid = Grid(wanted.rows, wanted.cols)
        repaired = found.tries > wanted.deals
        return Generated(grid, found.mines, wanted.start, found.seed, found.tries, repaired)

    def _failure(self, found: NoGuessSearch) -> NotFound:
        wanted = self._wanted
        best = found.opened / (wanted.rows * wanted.cols - wanted.mines)
        return NotFound(
            say(
                "refusal.not-found",
                deals=min(found.tries, wanted.deals),
                repaired=max(found.tries - wanted.deals, 0),
                rows=wanted.rows,
                cols=wanted.cols,
                mines=wanted.mines,
                needed=wanted.needed,
                level=repr(wanted.reasoning),
                chain=self._chain,
                best=f"{100 * best:.1f}",
            ),
            found.tries,
            best,
        )
