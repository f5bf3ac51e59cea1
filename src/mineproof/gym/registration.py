"""How Gymnasium gets to know the environment."""

from __future__ import annotations

from gymnasium.envs.registration import register, registry

ID = "mineproof/Minesweeper-v0"


def register_envs() -> None:
    """Register the environment, once."""
    if ID not in registry:
        register(
            ID,
            entry_point="mineproof.gym.environment:MinesweeperEnv",
            vector_entry_point="mineproof.gym.vector:MinesweeperVectorEnv",
        )
