"""One agent's games of a series, played by the kernel if possible, otherwise in Python."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np

from mineproof import _engine
from mineproof.agents import Agent
from mineproof.errors import MineproofError
from mineproof.games.match import Match
from mineproof.series.game_table import GameTable, GameTableBuilder, kernel_columns
from mineproof.world.board import Board, Deal
from mineproof.world.chance import seeds_of
from mineproof.world.clues import ClueModel
from mineproof.world.geometry import Cell
from mineproof.world.rules import Rules

_log = logging.getLogger(__name__)
_logged: Counter[str] = Counter()
_MOST_LOGGED = 3
"""Faults of an agent that each process logs; further ones are only counted."""


@dataclass(frozen=True)
class AgentSeries:
    """The settings that one agent's games share. Game i has the seeds `seeds_of(seed, i, salt)`."""

    agent: Agent
    deal: Deal | None
    """How boards are dealt; None if ready boards are used."""
    rules: Rules
    clues: ClueModel
    start: Cell | None
    seed: int
    salt: str | None = None
    """The secret of a sealed arena, which hides boards, noise and order from the agents."""
    seconds: float | None = None
    """The time limit per move for the user's own agents."""
    sealed: bool = False
    """Whether everything about a game must stay secret until all games are over."""


def play_range(
    series: AgentSeries, numbers: range, boards: Sequence[Board] | None = None
) -> GameTable:
    """Play the games with these numbers, on these boards of one shape or on dealt ones."""
    ground = series.deal or (boards or ())[0]
    strategy = _engine.strategy_of(series.agent, series.clues, ground.grid)
    if strategy is None:
        return _in_python(series, numbers, boards)
    return _by_kernel(series, strategy, numbers, boards)


def _in_python(series: AgentSeries, numbers: range, boards: Sequence[Board] | None) -> GameTable:
    builder = GameTableBuilder(series.agent.name)
    for place, number in enumerate(numbers):
        ground = series.deal if boards is None else boards[place]
        assert ground is not None
        seeds = seeds_of(series.seed, number, series.salt)
        begun = process_time()
        try:
            match = Match(
                ground,
                series.agent,
                rules=series.rules,
                clues=series.clues,
                start=series.start,
                seed=seeds.game,
                player_seed=seeds.player,
                seconds=series.seconds,
                forfeits=True,
            )
            for _ in match:
                pass
        except MineproofError as error:
            error.args = (f"board {number}: {error}", *error.args[1:])
            raise
        if match.fault and not series.sealed:  # other agents could read the message
            _log_forfeit(series.agent.name, number, match.fault)
        builder.append(number, seeds.game, match.record(), process_time() - begun)
    return builder.games()


def _log_forfeit(agent: str, number: int, fault: str) -> None:
    """Log why an agent forfeited, for its first games; the standings count all of them."""
    _logged[agent] += 1
    if _logged[agent] <= _MOST_LOGGED:
        more = (
            " (further forfeits are counted, not logged)" if _logged[agent] == _MOST_LOGGED else ""
        )
        _log.warning("board %d: forfeited: %s%s", number, fault, more)


def _by_kernel(
    series: AgentSeries, strategy: Any, numbers: range, boards: Sequence[Board] | None
) -> GameTable:
    deal, native = series.deal, _engine.native
    grid = (deal or (boards or ())[0]).grid
    ground = native.GameSetup(
        grid.rows,
        grid.cols,
        mines=0 if deal is None else deal.mine_count or 0,
        threshold=None if deal is None else deal.threshold,
        boards=None if boards is None else [board.mined for board in boards],
    )
    start = -1 if series.start is None else grid.index(series.start)
    arrays = kernel_columns(len(numbers))
    try:
        native.play_games(
            ground,
            _engine.rules_of(series.rules),
            _engine.model_of(series.clues),
            strategy,
            start,
            series.seed,
            numbers.start,
            arrays,
            _sealed(series, numbers),
        )
    except native.BrokenOpening as error:
        place = numbers.index(error.game)
        some = None if boards is None else boards[place : place + 1]
        _in_python(series, numbers[place : place + 1], some)  # which raises it with a message
        raise
    except native.Overflow:
        return _in_python(series, numbers, boards)  # whose integers have no limit
    return GameTable.from_kernel(series.agent.name, numbers.start, arrays, series.rules)


def _sealed(series: AgentSeries, numbers: range) -> Any:
    """Return the seeds of these games if there is a salt: per game, its own and its player's.

    So the kernel never sees the salt.
    """
    if series.salt is None:
        return None
    return np.array([seeds_of(series.seed, one, series.salt) for one in numbers], np.uint64)
