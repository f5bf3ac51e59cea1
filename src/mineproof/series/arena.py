"""The arena: it compares agents on the same boards, on all cores, with the games in memory."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from mineproof.agents import Agent, Recipe, as_agent
from mineproof.arguments import listed
from mineproof.errors import InvalidInput, check_integer, quote
from mineproof.games.guarded_player import check_seconds
from mineproof.printable import printable
from mineproof.series.agent_series import AgentSeries, play_range
from mineproof.series.chunks import GameRange, cells_of_chunk, cut
from mineproof.series.game_table import GameTable
from mineproof.series.parallel import Backend, ParallelWork, Progress
from mineproof.series.sequential import check_points, interim_analyses, is_known
from mineproof.series.standings import Standings, summarise
from mineproof.series.unreadable import unreadable
from mineproof.world import fair
from mineproof.world.board import Board, Deal, DealLike, Level, as_deal
from mineproof.world.chance import check_salt, check_seed, fresh_salt
from mineproof.world.clues import ClueModel, Exact, as_clues
from mineproof.world.conditions import Conditions, name_board
from mineproof.world.game import Game
from mineproof.world.geometry import Cell
from mineproof.world.rules import Rules, RulesLike, as_rules

MOST_GAMES = 10**9


def arena(
    agents: Sequence[Any],
    boards: Iterable[Board] | DealLike,
    *,
    games: int | None = None,
    rules: RulesLike = Rules(),
    clues: ClueModel | str = Exact(),
    start: Cell | None = None,
    seed: int = 0,
    workers: int | None = None,
    sealed: bool = False,
    salt: str | None = None,
    seconds: float | None = None,
    until: float | None = None,
) -> Standings:
    """Compare agents on the same boards, on all cores, and return the standings.

    `boards` are ready-made boards, or a `Deal` or the name of a level, from which `games` boards
    are dealt. Board i then has the seed `chance.game_seed(seed, i)`; it is dealt when the first
    cell is opened, which is safe unless `rules` say otherwise. The shared random order and the
    noise of the clues are also the same for all agents.

    `sealed` is for agents that you do not trust: boards, noise and order then also depend on a
    secret, so that no agent can find them by trying seeds. Nothing that depends on the secret is
    shown before the last game has ended. The result has the secret as `.salt`; pass it as `salt` to
    repeat the games.

    If your own agent raises an error, makes an illegal move or takes more than `seconds` (default
    60) for a move, it forfeits that game; the standings count such `faults`.

    `until` is a precision in percentage points: the arena stops when all differences are known this
    precisely, or after `games` boards. It uses anytime-valid confidence sequences (see
    `series.sequential`).
    """
    one = Arena(
        agents,
        boards,
        games=games,
        rules=rules,
        clues=clues,
        start=start,
        seed=seed,
        workers=workers,
        sealed=sealed,
        salt=salt,
        seconds=seconds,
        until=until,
    )
    for _ in one.work():
        pass
    return summarise(one.games(), one.conditions, one.salt, until)


class _Chunk(NamedTuple):
    """Some games of one agent, with their boards unless they are dealt."""

    agent: int
    span: GameRange
    boards: tuple[Board, ...] | None

    @property
    def numbers(self) -> range:
        return self.span.numbers

    @property
    def cost(self) -> float:
        return self.span.cost


@dataclass(frozen=True)
class _Playing:
    """Plays chunks of games: one series per agent."""

    series: tuple[AgentSeries, ...]

    def __call__(self, chunk: _Chunk) -> GameTable:
        return play_range(self.series[chunk.agent], chunk.numbers, chunk.boards)


class Arena:
    """Agents on the same boards. `work()` plays; `blocks` are the games so far.

    A block has complete boards only, sorted by board, then by agent: a board appears when all
    agents have finished it and all boards before it.
    """

    def __init__(
        self,
        agents: Sequence[Any],
        boards: Iterable[Board] | DealLike,
        *,
        games: int | None = None,
        rules: RulesLike = Rules(),
        clues: ClueModel | str = Exact(),
        start: Cell | None = None,
        seed: int = 0,
        workers: int | None = None,
        sealed: bool = False,
        salt: str | None = None,
        seconds: float | None = None,
        until: float | None = None,
    ) -> None:
        players = _agents(agents)
        for one in players:
            if isinstance(one, Recipe):
                one.check()
        if isinstance(boards, (str, Level)):
            boards = as_deal(boards, "boards", "some boards, ")
        deal = boards if isinstance(boards, Deal) else None
        rules = as_rules(rules, dealt=deal is not None)
        clues = as_clues(clues)
        fair.check(rules, clues)
        seconds = check_seconds(seconds)
        seed = check_seed(seed)
        fresh = fresh_salt() if sealed else None
        self.sealed = bool(sealed)
        """Whether everything that depends on the salt stays secret until all games are over."""
        self.salt = fresh if salt is None else check_salt(salt)
        """The secret of a sealed arena; None if the arena is not sealed."""
        self.agents = tuple(agent.name for agent in players)
        ground = "given boards" if deal is None else name_board(deal)
        self.conditions = Conditions(ground, rules, clues, start)
        self.blocks: list[GameTable] = []
        self._series = tuple(
            AgentSeries(one, deal, rules, clues, start, seed, self.salt, seconds, self.sealed)
            for one in players
        )
        self.until = None if until is None else check_points(until)
        if until is not None and len(players) < 2:
            raise InvalidInput("a precision is that of differences: give at least two agents")
        self._looks = interim_analyses()
        self._look = next(self._looks)
        self._known = False
        self._place = Backend.chosen(workers)
        self._boards = boards
        self._games = games = (
            None if games is None else check_integer(games, "games", 1, MOST_GAMES)
        )
        # Smaller than the chunks of a study: Ctrl-C loses unfinished chunks.
        self._most = [cells_of_chunk(one, clues) // (2 * len(players)) for one in players]
        self._queues = [_BoardQueue() for _ in players]
        if isinstance(boards, Deal):
            if games is None:
                raise InvalidInput("`games` is required when boards are dealt at random")
            Game(
                boards, rules, clues, start=start, seed=seed
            )  # raises an error if it cannot be played
            share = -(-games // self._place.workers) * boards.grid.size
            self._most = [min(most, share) for most in self._most]  # so that all workers are busy
        elif isinstance(boards, Board) or not isinstance(boards, Iterable):
            taken = "a list of boards, a Deal or the name of a level"
            raise InvalidInput(f"boards must be {taken}, got {quote(boards)}")
        elif isinstance(boards, Sequence):  # others are read while the games are played
            for grid in {one.grid for one in boards[:games] if isinstance(one, Board)}:
                clues.check(grid)

    def work(self) -> Generator[Progress, None, None]:
        """Play all games; yield the progress, first when the workers have started."""
        games, cost = None, 0.0
        if isinstance(self._boards, Deal) and self._games is not None:
            games = self._games * len(self._series)
            cost = sum(self._games * self._boards.grid.size / most for most in self._most)
        work = ParallelWork(_Playing(self._series), self._keep)
        played = work.carry_out(self._chunks(), self._place, games, cost)
        if self.until is not None:
            played = self._work_until_known(played, self.until)
        return _unreadable(played) if self.sealed else played

    def _work_until_known(
        self, played: Generator[Progress, None, None], points: float
    ) -> Generator[Progress, None, None]:
        """Yield the progress until the differences are known.

        Games beyond the last look are dropped, even if workers have finished them: where an arena
        ends depends on its games alone.
        """
        with closing(played):
            for progress in played:
                self._known = self._is_known(points)
                yield progress
                if self._known:
                    return

    def _is_known(self, points: float) -> bool:
        """Whether the differences are known at one of the looks that can be taken now."""
        agents, rows = len(self.agents), sum(map(len, self.blocks))
        while self._look * agents <= rows:
            games = GameTable.joined(self.agents, self.blocks).part(0, self._look * agents)
            if is_known(games, points):
                self._leave_out_beyond(self._look * agents)
                return True
            self._look = next(self._looks)
        return False

    def _leave_out_beyond(self, rows: int) -> None:
        """Keep the first `rows` rows: several blocks may have arrived since the last look."""
        kept = []
        for block in self.blocks:
            if rows > 0:
                kept.append(block.part(0, min(rows, len(block))))
            rows -= len(block)
        self.blocks = kept

    def games(self) -> GameTable:
        """Return all games so far on boards that every agent has finished."""
        self.blocks = [GameTable.joined(self.agents, self.blocks)]
        return self.blocks[0]

    def _chunks(self) -> Iterator[_Chunk]:
        """Yield chunks by first board, then by agent; their length depends on the agent's speed."""
        for numbers, cells, boards in self._stretches():
            every = (
                _Chunk(agent, span, _some(boards, span, numbers.start))
                for agent, most in enumerate(self._most)
                for span in cut(numbers, cells, most)
            )
            yield from sorted(every, key=lambda chunk: chunk.span.first)

    def _stretches(self) -> Iterator[tuple[range, int, tuple[Board, ...] | None]]:
        """Yield runs of boards of one shape, no longer than a chunk: numbers, cells, boards."""
        longest = max(self._most)
        if isinstance(self._boards, Deal):
            assert self._games is not None
            cells = self._boards.grid.size
            for span in cut(range(self._games), cells, longest):
                yield span.numbers, cells, None
            return
        boards: list[Board] = []
        first = 0
        for number, board in enumerate(islice(self._boards, self._games)):
            if not isinstance(board, Board):
                raise InvalidInput(f"board {number} must be a Board, got {quote(board)}")
            full = (len(boards) + 1) * board.grid.size > longest
            if boards and (full or board.grid != boards[0].grid):
                yield range(first, number), boards[0].grid.size, tuple(boards)
                boards, first = [], number
            boards.append(board)
        if boards:
            yield range(first, first + len(boards)), boards[0].grid.size, tuple(boards)

    def _keep(self, chunk: _Chunk, games: GameTable) -> None:
        if self._known:
            return
        self._queues[chunk.agent].put(chunk.span.first, games)
        boards = min(queue.ready for queue in self._queues)
        if boards:
            self.blocks.append(GameTable.by_board([queue.take(boards) for queue in self._queues]))


def _unreadable(work: Generator[Progress, None, None]) -> Generator[Progress, None, None]:
    """Do the work in processes that other processes cannot read."""
    with unreadable(), closing(work):
        yield from work


class _BoardQueue:
    """Puts the chunks of one agent in order, whenever they arrive."""

    def __init__(self) -> None:
        self.ready = 0
        """The number of games that can be taken."""
        self._next = 0
        self._early: dict[int, GameTable] = {}
        self._row: list[GameTable] = []

    def put(self, first: int, games: GameTable) -> None:
        """Add the games from number `first` on; a repetition changes nothing."""
        if first >= self._next:
            self._early[first] = games
        while self._next in self._early:
            one = self._early.pop(self._next)
            self._row.append(one)
            self._next += len(one)
            self.ready += len(one)

    def take(self, n: int) -> GameTable:
        """Remove and return the next `n` games."""
        found = GameTable.joined(self._row[0].agents, self._row)
        self._row = [found.part(n, len(found))] if n < len(found) else []
        self.ready -= n
        return found.part(0, n)


def _some(
    boards: tuple[Board, ...] | None, span: GameRange, first: int
) -> tuple[Board, ...] | None:
    """Return the boards of a span, out of boards that begin with number `first`."""
    return None if boards is None else boards[span.first - first : span.last - first]


def _agents(agents: Sequence[Any]) -> tuple[Agent, ...]:
    if isinstance(agents, str):
        agents = [agents]
    found = tuple(as_agent(agent) for agent in listed(agents, "agents"))
    if not found:
        raise InvalidInput("an arena needs at least one agent")
    names = [agent.name for agent in found]
    if len(set(names)) != len(names):
        raise InvalidInput(
            f"each agent may be listed only once, got {', '.join(map(printable, names))}"
        )
    return found
