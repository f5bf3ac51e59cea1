"""Rewards: functions of the effects of a move, by name or your own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mineproof.errors import InvalidInput, quote, unknown_name
from mineproof.gym.env_config import EnvConfig
from mineproof.gym.episodes import Step

Reward = Callable[[Step], Any]


def win(step: Step) -> Any:
    """1 for a move that wins, -1 for one that loses, 0 for every other move."""
    return 2.0 * step.won - step.over


def progress(step: Step) -> Any:
    """The share of the safe cells that the move opened, and -1 for a mine; 1 in all for a win."""
    return step.opened / (1.0 * step.cells - step.mines) - step.exploded


def safe_open(step: Step) -> Any:
    """1 for a move that opens a cell, -1 for a mine, 0 for an illegal move."""
    return 1.0 * (step.opened > 0) - step.exploded


def score(step: Step) -> Any:
    """The change in the score, (correct flags - wrong flags) / mines; changes add up to it."""
    return (step.right - 1.0 * step.wrong) / (step.mines + (step.mines == 0))


REWARDS: dict[str, Reward] = {
    "win": win,
    "progress": progress,
    "safe-open": safe_open,
    "score": score,
}


def reward_of(reward: str | Reward, task: EnvConfig) -> Reward:
    """Return the function with this name, or the given function."""
    if isinstance(reward, str):
        if reward == "score" and not (task.flags and task.rules.on_mine == "continue"):
            raise InvalidInput("the reward 'score' needs flags and on_mine='continue'")
        if reward not in REWARDS:
            raise unknown_name("reward", reward, REWARDS)
        return REWARDS[reward]
    if not callable(reward):
        raise InvalidInput(f"a reward must be a name or a function of a step, got {quote(reward)}")
    return reward
