"""One agent's games of a series: played by the kernel where that can be done, else in Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any

from mineproof.agents import Agent
from mineproof import _native
from mineproof.agents.compiled import RULES, strategy_of
from mineproof.errors import MineproofError
from mineproof.games.match import play
from mineproof.series.columns import Array, column_of_rule
from mineproof.series.games import Builder, Games, kernel_columns
from mineproof.world.board import Board, Deal
from mineproof.world.chance import game_seed
from mineproof.world.clues import ClueModel
from mineproof.world.geometry import Cell
from mineproof.world.rules import Rules
from mineproof.world.rules import compiled as compiled_rules


@dataclass(frozen=True)
class Series:
    """What the games of one agent share. Game i has the seed `game_seed(seed, i)`."""

    agent: Agent
    deal: Deal | None
    """How boards are made; None where there are boards."""
    rules: Rules
    clues: ClueModel
    start: Cell | None
    seed: int


def play_range(series: Series, numbers: range, boards: Sequence[Board] | None = None) -> Games:
    """The games of these numbers: on these boards, all of one shape, or dealt."""
    ground = series.deal or (boards or ())[0]
    strategy = strategy_of(series.agent, series.clues, ground.grid)
    if strategy is None:
        return _in_python(series, numbers, boards)
    return _by_kernel(series, strategy, numbers, boards)


def _in_python(series: Series, numbers: range, boards: Sequence[Board] | None) -> Games:
    builder = Builder(series.agent.name)
    for place, number in enumerate(numbers):
        ground = series.deal if boards is None else boards[place]
        assert ground is not None
        seed = game_seed(series.seed, number)
        begun = process_time()
        try:
            record = play(
                ground,
                series.agent,
                rules=series.rules,
                clues=series.clues,
                start=series.start,
                seed=seed,
            )
        except MineproofError as error:
            error.args = (f"board {number}: {error}", *error.args[1:])
            raise
        builder.append(number, seed, record, process_time() - begun)
    return builder.games()


def _by_kernel(
    series: Series, strategy: Any, numbers: range, boards: Sequence[Board] | None
) -> Games:
    arrays = kernel_columns(len(numbers))
    _fill(series, strategy, numbers, boards, arrays)
    return Games.from_kernel(series.agent.name, numbers.start, arrays, series.rules)


def _fill(
    series: Series,
    strategy: Any,
    numbers: range,
    boards: Sequence[Board] | None,
    arrays: dict[str, Array],
) -> None:
    deal = series.deal
    grid = (deal or (boards or ())[0]).grid
    seeds = [game_seed(series.seed, number) for number in numbers]
    outcomes, _ = _native.play(
        grid.rows,
        grid.cols,
        [board.mined for board in boards or ()],
        0 if deal is None else deal.mine_count or 0,
        None if deal is None else deal.threshold,
        compiled_rules(series.rules),
        strategy,
        -1 if series.start is None else grid.index(series.start),
        seeds,
        record=False,
    )
    names = ("won", "mines", "right", "wrong", "exploded", "guesses", "moves")
    arrays["seed"][:] = seeds
    for place, outcome in enumerate(outcomes):
        for name, value in zip(names, outcome, strict=False):
            arrays[name][place] = value
        for rule, n in zip(RULES, outcome[7], strict=True):
            if rule:
                arrays[column_of_rule(rule)][place] = n
        arrays["cpu_seconds"][place] = outcome[8]
