"""Evaluate how well a policy plays by exact probabilities, so that luck does not count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import gymnasium

from mineproof.arguments import function, of_type
from mineproof.errors import InvalidInput, check_integer
from mineproof.gym.env_config import EnvConfig
from mineproof.gym.environment import base_of
from mineproof.gym.odds_wrapper import odds_of
from mineproof.world.move import most_moves
from mineproof.world.view import FLAGGED, UNTOUCHED, View

Policy = Callable[[Any, dict[str, Any]], Any]
"""A function from an observation and an info to an action."""


@dataclass(frozen=True)
class Judged:
    """An opened cell, and what could be known about it."""

    risk: float
    """Its mine probability."""
    least: float
    """The lowest mine probability of any cell."""
    safe: int
    """The number of certainly safe cells."""
    certain: bool
    """Whether the opened cell was one of them."""

    @property
    def missed(self) -> bool:
        """Whether a risky cell was opened while another was certainly safe."""
        return self.safe > 0 and not self.certain

    @property
    def excess(self) -> float:
        """The unnecessary risk: its risk minus the lowest one."""
        return self.risk - self.least


def judge(task: EnvConfig, view: View, action: int) -> Judged | None:
    """Evaluate a move by exact probabilities; None if it opens no cell.

    The first cell is as safe as the opening rule guarantees.
    """
    of_type(task, EnvConfig, "task")
    of_type(view, View, "view")
    if task.grid != view.grid:
        raise InvalidInput(f"the view must have the shape {task.grid}, got {view.grid}")
    action = check_integer(action, "a move", 0, task.moves - 1)
    if action >= task.grid.size or view.states[action] not in UNTOUCHED:
        return None
    (found,) = odds_of(task, [view])
    safe = {index for index in map(view.grid.index, found.safe) if view.states[index] != FLAGGED}
    if task.rules.opening != "any" and all(state in UNTOUCHED for state in view.states):
        return Judged(0.0, 0.0, task.grid.size, certain=True)
    risks = found.risk.ravel()
    least = min(risks[i] for i, state in enumerate(view.states) if state in UNTOUCHED)
    certain = action in safe
    risk = 0.0 if certain else float(risks[action])
    return Judged(risk, 0.0 if safe else float(least), len(safe), certain)


@dataclass(frozen=True)
class Evaluation:
    """The results of a policy's games, and an evaluation of the cells it opened."""

    games: int
    won: int
    cut: int
    """Games stopped early, because of a move limit or too many moves."""
    opened: int
    """Moves that opened a cell."""
    idle: int
    """Moves that opened no cell: flags and illegal or missing moves."""
    certain: int
    """Opened cells that could be proved safe."""
    missed: int
    """Missed deductions: risky cells opened while others were certainly safe."""
    guesses: int
    """Cells opened when no cell was certainly safe."""
    risk: float
    """The sum of all risks taken, which is the expected number of mines hit."""
    excess: float
    """The sum of the unnecessary risks among these."""

    def __str__(self) -> str:
        """One line per figure."""
        lines = [f"{field.name:<8}{getattr(self, field.name):>10.6g}" for field in fields(self)]
        return "\n".join(lines)


def evaluate(
    policy: Policy, env: gymnasium.Env[Any, Any], *, games: int = 100, seed: int = 0
) -> Evaluation:
    """Let a policy play games, and evaluate each of its moves by exact probabilities.

    `env` may be wrapped. The same seed gives every policy the same boards.
    """
    games = check_integer(games, "games", 1, 10**9)
    base = base_of(env)
    function(policy, "policy")
    judged: list[Judged | None] = []
    won = cut = 0
    for number in range(games):
        seen, info = env.reset(seed=seed if number == 0 else None)
        over = False
        for _ in range(most_moves(base.task.grid)):
            view, base.last_action = base.view, None
            seen, _, over, truncated, info = env.step(policy(seen, info))
            done = base.last_action
            judged.append(None if done is None else judge(base.task, view, done))
            if over or truncated:
                break
        won += bool(info["won"])
        cut += not over
    return _summed(games, won, cut, judged)


def _summed(games: int, won: int, cut: int, judged: list[Judged | None]) -> Evaluation:
    opens = [one for one in judged if one is not None]
    return Evaluation(
        games=games,
        won=won,
        cut=cut,
        opened=len(opens),
        idle=len(judged) - len(opens),
        certain=sum(one.certain for one in opens),
        missed=sum(one.missed for one in opens),
        guesses=sum(one.safe == 0 for one in opens),
        risk=sum(one.risk for one in opens),
        excess=sum(one.excess for one in opens),
    )
