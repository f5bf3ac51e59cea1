"""Reinforcement learning: Gymnasium environments, rewards, wrappers, datasets and evaluation.

Importing this module registers `mineproof/Minesweeper-v0`; its names are loaded on first use.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from mineproof.extras import need

if find_spec("gymnasium"):
    import_module("mineproof.gym.registration").register_envs()

if TYPE_CHECKING:
    from mineproof.gym.curriculum import Curriculum, Stage, graded_stages
    from mineproof.gym.dataset import Written, write_dataset
    from mineproof.gym.environment import MinesweeperEnv
    from mineproof.gym.episodes import Step
    from mineproof.gym.evaluation import Evaluation, Judged, evaluate, judge
    from mineproof.gym.odds_wrapper import OddsWrapper, VectorOddsWrapper, expert_actions
    from mineproof.gym.rewards import REWARDS
    from mineproof.gym.text_wrapper import TextWrapper
    from mineproof.gym.vector import MinesweeperVectorEnv

_NAMES = {
    "curriculum": ("Curriculum", "Stage", "graded_stages"),
    "dataset": ("Written", "write_dataset"),
    "environment": ("MinesweeperEnv",),
    "evaluation": ("Evaluation", "Judged", "evaluate", "judge"),
    "odds_wrapper": ("OddsWrapper", "VectorOddsWrapper", "expert_actions"),
    "episodes": ("Step",),
    "rewards": ("REWARDS",),
    "vector": ("MinesweeperVectorEnv",),
    "text_wrapper": ("TextWrapper",),
}
_HOME = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [*_HOME]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'mineproof.gym' has no attribute {name!r}")
    need("gymnasium", "gym")
    value = getattr(import_module(f"mineproof.gym.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
