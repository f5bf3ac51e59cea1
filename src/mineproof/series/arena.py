"""Many games: agents on the same boards, on all cores, natively where that can be done."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain, islice
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from mineproof import _engine
from mineproof._engine import strategy_of
from mineproof.agents import Agent, as_agent
from mineproof.errors import InvalidInput, MineproofError, shorten, whole
from mineproof.games.match import play
from mineproof.series.standings import Result, Standings, summarise
from mineproof.series.workers import check_workers, forks, pool
from mineproof.world.board import Board, Deal
from mineproof.world.chance import check_seed, game_seed
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.geometry import Cell
from mineproof.world.rules import Rules

if TYPE_CHECKING:
    from mineproof import _native

_CHUNK_CELLS = 8_000
"""About so many cells of boards are one worker's task: a fraction of a second of play."""
_NATIVE_CHUNK_CELLS = 10 * _CHUNK_CELLS


@dataclass(frozen=True)
class Setting:
    """What all games of an arena share."""

    agents: tuple[Agent, ...]
    deal: Deal | None
    rules: Rules
    clues: ClueModel
    start: Cell | None
    seed: int


def arena(
    agents: Sequence[Any],
    boards: Iterable[Board] | Deal,
    *,
    games: int | None = None,
    rules: Rules = Rules(),
    clues: ClueModel = Exact(),
    start: Cell | None = None,
    seed: int = 0,
    workers: int | None = None,
) -> Standings:
    """Let agents play on the same boards, on all cores.

    `boards` are ready ones, or a `Deal` of which `games` are made: the board of
    game i is then that of seed `chance.game_seed(seed, i)`, dealt when the first
    cell is opened. The shared order and the noise of the clues are the same for
    all agents, too.
    """
    return summarise(
        list(
            run(
                agents,
                boards,
                games=games,
                rules=rules,
                clues=clues,
                start=start,
                seed=seed,
                workers=workers,
            )
        )
    )


def run(
    agents: Sequence[Any],
    boards: Iterable[Board] | Deal,
    *,
    games: int | None = None,
    rules: Rules = Rules(),
    clues: ClueModel = Exact(),
    start: Cell | None = None,
    seed: int = 0,
    workers: int | None = None,
) -> Generator[Result, None, None]:
    """The games of an arena one by one, by board, then by agent, as they are finished."""
    setting = Setting(
        _agents(agents),
        boards if isinstance(boards, Deal) else None,
        rules,
        clues,
        start,
        check_seed(seed),
    )
    workers = check_workers(workers)
    if games is not None and whole(games, "games") < 1:
        raise InvalidInput(f"at least 1 game is needed, got {games}")
    if isinstance(boards, Deal):
        if games is None:
            raise InvalidInput("how many games? a deal has no end of its own")
        boards.check(rules.opening, start)
    elif isinstance(boards, (Board, str)) or not isinstance(boards, Iterable):
        raise InvalidInput(f"boards are a Deal or some boards, got {shorten(repr(boards))}")
    cells = _CHUNK_CELLS // len(setting.agents)
    if isinstance(boards, Deal) and all(
        strategy_of(agent, clues, boards.grid) for agent in setting.agents
    ):
        share = -(-(games or 1) // workers) * boards.grid.size  # so that all have something to do
        cells = min(_NATIVE_CHUNK_CELLS // len(setting.agents), share)
    return _run(setting, _tasks(boards, games, cells), workers)


def play_series(
    agent: Any,
    deal: Deal,
    numbers: range,
    *,
    rules: Rules = Rules(),
    clues: ClueModel = Exact(),
    start: Cell | None = None,
    seed: int = 0,
) -> Iterator[Result]:
    """The games of these numbers of one agent, here and now: those that an arena has."""
    player = as_agent(agent)
    setting = Setting((player,), deal, rules, clues, start, check_seed(seed))
    return _play_some(setting, player, [(number, None) for number in numbers])


def _agents(agents: Sequence[Any]) -> tuple[Agent, ...]:
    if isinstance(agents, str):
        agents = [agents]
    found = tuple(as_agent(agent) for agent in agents)
    if not found:
        raise InvalidInput("an arena needs at least one agent")
    names = [agent.name for agent in found]
    if len(set(names)) != len(names):
        raise InvalidInput(f"each agent plays once, got {', '.join(names)}")
    return found


Task = list[tuple[int, Board | None]]


def _tasks(boards: Iterable[Board] | Deal, games: int | None, most: int) -> Iterator[Task]:
    """Numbered boards in chunks of so many cells; for a deal the numbers say it all."""
    if isinstance(boards, Deal):
        assert games is not None
        size = max(1, most // boards.grid.size)
        for first in range(0, games, size):
            yield [(number, None) for number in range(first, min(first + size, games))]
        return
    task: Task = []
    cells, shape = 0, None
    for number, board in enumerate(boards if games is None else islice(boards, games)):
        if not isinstance(board, Board):
            raise InvalidInput(f"board {number} is no board: {shorten(repr(board))}")
        if task and board.grid != shape:  # a task has boards of one shape
            yield task
            task, cells = [], 0
        shape = board.grid
        task.append((number, board))
        cells += board.grid.size
        if cells >= most:
            yield task
            task, cells = [], 0
    if task:
        yield task


def _run(setting: Setting, tasks: Iterator[Task], workers: int) -> Generator[Result, None, None]:
    first = list(islice(tasks, workers))
    workers = min(workers, len(first))
    if workers <= 1:
        for task in (*first, *tasks):
            yield from _play_all(setting, task)
        return
    if not forks():
        _check_sendable(setting)
    with pool(workers, _take, (setting,)) as found:
        yield from _gather(found, chain(first, tasks), 2 * workers)


def _check_sendable(setting: Setting) -> None:
    try:
        pickle.dumps(setting)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise MineproofError(
            f"an agent cannot be sent to other processes ({error}): use workers=1"
        ) from None


def _gather(pool: ProcessPoolExecutor, tasks: Iterator[Task], ahead: int) -> Iterator[Result]:
    """Results in the order of the boards, with a few tasks ahead and no more in memory."""
    waiting: deque[Future[list[Result]]] = deque()
    for task in tasks:
        waiting.append(pool.submit(_work, task))
        if len(waiting) > ahead:
            yield from waiting.popleft().result()
    while waiting:
        yield from waiting.popleft().result()


_setting: Setting | None = None


def _take(setting: Setting) -> None:
    """A worker learns what all its games share."""
    global _setting  # noqa: PLW0603
    _setting = setting


def _work(task: Task) -> list[Result]:
    assert _setting is not None
    return list(_play_all(_setting, task))


def _play_all(setting: Setting, task: Task) -> Iterator[Result]:
    """The games of a task, by board, then by agent."""
    by_agent = [_play_some(setting, agent, task) for agent in setting.agents]
    for games in zip(*by_agent, strict=True):
        yield from games


def _play_some(setting: Setting, agent: Agent, task: Task) -> Iterator[Result]:
    """One agent's games: natively where that can be done, else one by one."""
    ground = setting.deal or task[0][1]
    assert ground is not None
    strategy = strategy_of(agent, setting.clues, ground.grid)
    if strategy is not None and not _lacks_count(setting):
        try:
            return iter(_play_natively(setting, agent, strategy, task))
        except _engine.native.BrokenOpening:  # gets its error where errors have words
            pass
        except _engine.native.Overflow:  # Python's whole numbers have no end
            pass
    return (_play_one(setting, agent, number, board) for number, board in task)


def _lacks_count(setting: Setting) -> bool:
    """Whether a count shall be told before there is one: the referee refuses that."""
    deal, rules = setting.deal, setting.rules
    waits = rules.opening != "any" and setting.start is None
    return deal is not None and deal.independent and rules.count_known and waits


def _play_natively(
    setting: Setting, agent: Agent, strategy: _native.Strategy, task: Task
) -> list[Result]:
    deal = setting.deal
    ground = deal or task[0][1]
    assert ground is not None
    grid = ground.grid
    native = _engine.native
    columns = {name: np.empty(len(task), kind) for name, kind in native.columns().items()}
    native.play_games(
        native.Ground(
            grid.rows,
            grid.cols,
            mines=0 if deal is None else deal.mine_count or 0,
            threshold=None if deal is None else deal.threshold,
            boards=[board.mined for _, board in task if board is not None] if not deal else None,
        ),
        _engine.rules_of(setting.rules),
        strategy,
        -1 if setting.start is None else grid.index(setting.start),
        setting.seed,
        task[0][0],
        columns,
    )
    scored = setting.rules.on_mine == "continue"
    values = {name: column.tolist() for name, column in columns.items()}
    rows = [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)]
    return [_result(agent, task[place][0], row, scored) for place, row in enumerate(rows)]


def _result(agent: Agent, number: int, row: dict[str, Any], scored: bool) -> Result:
    right, wrong, mines = row["right"], row["wrong"], row["mines"]
    proved = {name.removeprefix("proved_"): n for name, n in row.items() if "proved_" in name}
    return Result(
        board=number,
        agent=agent.name,
        seed=row["seed"],
        won=row["won"],
        score=(((right - wrong) / mines if mines else 1.0) if scored else None),
        expected_score=(((right + wrong) / mines if mines else 1.0) if scored else None),
        mines=mines,
        right=right,
        wrong=wrong,
        exploded=row["exploded"],
        guesses=row["guesses"],
        moves=row["moves"],
        estimates=0,
        cpu_seconds=row["cpu_seconds"],
        deductions={rule: n for rule, n in sorted(proved.items()) if n},
    )


def _play_one(setting: Setting, agent: Agent, number: int, board: Board | None) -> Result:
    ground = setting.deal if board is None else board
    assert ground is not None
    seed = game_seed(setting.seed, number)
    begun = process_time()
    try:
        record = play(
            ground,
            agent,
            rules=setting.rules,
            clues=setting.clues,
            start=setting.start,
            seed=seed,
        )
    except MineproofError as error:
        error.args = (f"board {number}: {error}",)
        raise
    return Result(
        board=number,
        agent=agent.name,
        seed=seed,
        won=record.won,
        score=record.score,
        expected_score=record.expected_score,
        mines=record.board.mine_count,
        right=record.right,
        wrong=record.wrong,
        exploded=record.exploded,
        guesses=record.guesses,
        moves=len(record.moves),
        estimates=record.estimates,
        cpu_seconds=process_time() - begun,
        deductions=record.deductions,
    )
