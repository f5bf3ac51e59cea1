"""Register the environment with Gymnasium."""

from __future__ import annotations

from gymnasium.envs.registration import register, registry

ID = "mineproof/Minesweeper-v0"


def register_envs() -> None:
    """Register the environment if it is not registered yet."""
    if ID not in registry:
        register(
            ID,
            entry_point="mineproof.gym.environment:MinesweeperEnv",
            vector_entry_point="mineproof.gym.vector:MinesweeperVectorEnv",
        )
