"""Rewards: functions of what a move did, by name or of one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mineproof.errors import InvalidInput, quoted, unknown_name
from mineproof.gym.play import Step
from mineproof.gym.task import Task

Reward = Callable[[Step], Any]


def win(step: Step) -> Any:
    """1 for a game won, -1 for a game lost, 0 for every other move."""
    return 2.0 * step.won - step.over


def progress(step: Step) -> Any:
    """The share of the safe cells that the move opened, and -1 for a mine: a win sums to 1."""
    return step.opened / (1.0 * step.cells - step.mines) - step.exploded


def safe_open(step: Step) -> Any:
    """1 for a move that opened something, -1 for a mine, 0 for an illegal move."""
    return 1.0 * (step.opened > 0) - step.exploded


def score(step: Step) -> Any:
    """What the move added to the score, (right flags - wrong flags) / mines: it sums to that."""
    return (step.right - 1.0 * step.wrong) / (step.mines + (step.mines == 0))


REWARDS: dict[str, Reward] = {
    "win": win,
    "progress": progress,
    "safe-open": safe_open,
    "score": score,
}


def reward_of(reward: str | Reward, task: Task) -> Reward:
    """The function behind a name, or the one that was given."""
    if isinstance(reward, str):
        if reward == "score" and not (task.flags and task.rules.on_mine == "continue"):
            raise InvalidInput("the reward 'score' needs flags, and that a mine ends nothing")
        if reward not in REWARDS:
            raise unknown_name("reward", reward, REWARDS)
        return REWARDS[reward]
    if not callable(reward):
        raise InvalidInput(f"a reward is a name or a function of a step, got {quoted(reward)}")
    return reward
