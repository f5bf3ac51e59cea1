"""A random policy that makes only legal moves: ten lines to start with."""

import sys

try:
    import gymnasium
except ModuleNotFoundError as missing:
    sys.exit(f"this example needs {missing.name}, not installed here: pip install gymnasium")

import mineproof.gym  # noqa: F401  registers the environment

env = gymnasium.make("mineproof/Minesweeper-v0", level="beginner", render_mode="ansi")
observation, info = env.reset(seed=1)
env.action_space.seed(1)
over = False
while not over:
    action = env.action_space.sample(info["action_mask"])
    observation, reward, over, _, info = env.step(action)
print(env.render())
print("won" if info["won"] else "lost")
