"""The observation and action spaces of an environment."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from mineproof.gym.env_config import EnvConfig
from mineproof.world.view import FLAGGED


def spaces_of(task: EnvConfig) -> tuple[Any, Any]:
    """Return the spaces: observations have one byte per cell, actions are numbers of moves."""
    shape = task.grid.rows, task.grid.cols
    return spaces.Box(0, FLAGGED, shape, np.uint8), spaces.Discrete(task.moves)
