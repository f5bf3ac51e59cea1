"""Train MaskablePPO (sb3-contrib) on 6x6 boards with 4 mines, and evaluate its moves.

Takes a few minutes on one core. Needs sb3-contrib and PyTorch (`pip install sb3-contrib`).

    python examples/maskable_ppo.py [--steps N] [--games N]
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

try:
    import gymnasium
    import numpy as np
    import torch
    from gymnasium import spaces
    from sb3_contrib import MaskablePPO
except ModuleNotFoundError as missing:
    sys.exit(
        f"this example needs {missing.name}, not installed here: pip install sb3-contrib gymnasium"
    )

from mineproof.gym import evaluate

BOARD = {"rows": 6, "cols": 6, "mines": 4, "opening": "clear"}
PLANES = 10  # clues 0 to 8, and hidden


class Planes(gymnasium.ObservationWrapper[Any, Any, Any]):
    """One plane per clue and one for hidden cells, as a flat vector."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        size = int(np.prod(env.observation_space.shape))
        self.observation_space = spaces.Box(0, 1, (PLANES * size,), np.float32)

    def observation(self, observation: Any) -> Any:
        """Return the observation as planes."""
        return np.eye(PLANES, dtype=np.float32)[np.minimum(observation, PLANES - 1)].ravel()

    def action_masks(self) -> Any:
        """Return which moves are legal."""
        return self.unwrapped.action_masks()


def environment() -> Planes:
    """Create the environment for training."""
    return Planes(gymnasium.make("mineproof/Minesweeper-v0", reward="progress", **BOARD))


def main() -> None:
    """Train, and evaluate before and after."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=200_000, help="Training steps.")
    parser.add_argument("--games", type=int, default=300, help="Games per evaluation.")
    given = parser.parse_args()
    torch.set_num_threads(1)
    model = MaskablePPO(
        "MlpPolicy", environment(), seed=1, learning_rate=5e-4, gamma=0.9, ent_coef=0.01,
        policy_kwargs={"net_arch": [256, 256]}, device="cpu",
    )  # fmt: skip

    def policy(seen: Any, info: dict[str, Any]) -> int:
        action, _ = model.predict(seen, action_masks=info["action_mask"] == 1, deterministic=True)
        return int(action)

    env = environment()
    print(f"before:\n{evaluate(policy, env, games=given.games, seed=2)}")
    model.learn(given.steps)
    print(f"after {model.num_timesteps} steps:\n{evaluate(policy, env, games=given.games, seed=2)}")


if __name__ == "__main__":
    main()
