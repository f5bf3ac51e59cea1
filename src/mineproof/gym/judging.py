"""How well somebody plays, by what could be known: luck does not count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import gymnasium

from mineproof.errors import InvalidInput, whole
from mineproof.given import function, of_type
from mineproof.gym.environment import base_of
from mineproof.gym.odds import odds_of
from mineproof.gym.task import Task
from mineproof.world.move import most_moves
from mineproof.world.view import FLAGGED, UNTOUCHED, View

Policy = Callable[[Any, dict[str, Any]], Any]
"""Takes an observation and an info, gives an action."""


@dataclass(frozen=True)
class Judged:
    """A cell that was opened, and what could be known of it."""

    risk: float
    """The chance that it was a mine."""
    least: float
    """The least chance of any cell."""
    safe: int
    """Cells that were certainly safe."""
    certain: bool
    """Whether it was one of them."""

    @property
    def missed(self) -> bool:
        """Whether something was certain and something else was opened."""
        return self.safe > 0 and not self.certain

    @property
    def excess(self) -> float:
        """The risk that need not have been taken."""
        return self.risk - self.least


def judge(task: Task, view: View, action: int) -> Judged | None:
    """What could be known of a move; None where it opens nothing, by rule or by choice.

    The first cell is as safe as the opening rule promises.
    """
    of_type(task, Task, "task")
    of_type(view, View, "view")
    if task.grid != view.grid:
        raise InvalidInput(f"the view must be of {task.grid}, got {view.grid}")
    action = whole(action, "a move", 0, task.moves - 1)
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
    """What came of some games, and how each cell was opened in the light of the odds."""

    games: int
    won: int
    cut: int
    """Games that were given up: too many moves that changed nothing."""
    opened: int
    """Moves that opened a cell."""
    idle: int
    """Moves that were illegal, or none at all."""
    certain: int
    """Cells that were opened because they could be proved safe."""
    missed: int
    """Cells that were opened at a risk while others were certainly safe."""
    guesses: int
    """Cells that were opened when nothing was certain."""
    risk: float
    """The sum of all risks taken: how many mines were to be expected."""
    excess: float
    """Of that, what need not have been taken."""

    def __str__(self) -> str:
        """A line a figure."""
        lines = [f"{field.name:<8}{getattr(self, field.name):>10.6g}" for field in fields(self)]
        return "\n".join(lines)


def evaluate(
    policy: Policy, env: gymnasium.Env[Any, Any], *, games: int = 100, seed: int = 0
) -> Evaluation:
    """Let a policy play, and judge each of its moves by what could be known.

    `env` is the environment, wrapped or not. The same seed gives every policy the same boards.
    """
    games = whole(games, "games", 1, 10**9, "are")
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
