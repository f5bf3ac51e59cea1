"""Steps a CPU second of the vector environment beside those of others, in the same run.

10x10 with 10 mines, legal moves drawn at random outside the timing; what a call gives counts,
observations and masks included. Ours opens what surrounds zeros and keeps the first cell safe;
Jumanji's Minesweeper (JAX, batched and compiled) opens one cell a step and promises nothing;
`minesweeper-env-rl` (of PyPI) is one board in NumPy. Each is measured some times, in turns, and
the best time of each counts: what else the machine does only makes times longer.

The others need an environment of their own, for they pin what they need:

    python -m venv /tmp/others && /tmp/others/bin/pip install jumanji minesweeper-env-rl
    python benchmarks/gym_steps.py --others /tmp/others/bin/python
"""

from __future__ import annotations

import argparse
import subprocess
import sys

import mineproof as mp

OURS = """
import gymnasium, mineproof.gym
import numpy as np

games = {games}
envs = gymnasium.make_vec(
    "mineproof/Minesweeper-v0", games, rows=10, cols=10, mines=10, threads=1, copy={copy}
)
_, info = envs.reset(seed=1)
mask = info["action_mask"]
ended = np.zeros(games, bool)

def draw():
    return (rng.random(mask.shape, dtype=np.float32) * mask).argmax(axis=1)

def step(moves):
    global mask, ended
    moved = games - int(ended.sum())  # in the place of the others a new game begins
    _, _, ended, _, info = envs.step(moves)
    mask = info["action_mask"]
    return moved
"""
JUMANJI = """
import jax, jax.numpy as jnp
import numpy as np
from jumanji.environments import Minesweeper
from jumanji.wrappers import VmapAutoResetWrapper

games = {games}
env = VmapAutoResetWrapper(Minesweeper())
state, told = jax.jit(env.reset)(jax.random.split(jax.random.PRNGKey(1), games))
compiled = jax.jit(env.step)

def draw():
    mask = np.asarray(told.observation.action_mask).reshape(games, 100)
    moves = (rng.random(mask.shape, dtype=np.float32) * mask).argmax(axis=1)
    return jax.block_until_ready(jnp.stack([moves // 10, moves % 10], axis=1).astype(jnp.int32))

def step(moves):
    global state, told
    state, told = jax.block_until_ready(compiled(state, moves))
    return games
"""
ENV_RL = """
import numpy as np
from minesweeper_env_rl.env import MinesweeperPOMDP

games = 16
envs = [MinesweeperPOMDP(10, 10, 10) for _ in range(games)]
for env in envs:
    env.reset()

def draw():
    for env in envs:
        if env.done:
            env.reset()
    hidden = [np.flatnonzero(~(env.revealed | env.flagged)) for env in envs]
    cells = [divmod(int(rng.choice(one)), 10) for one in hidden]
    return [dict(cell=cell, type="reveal") for cell in cells]

def step(moves):
    for env, move in zip(envs, moves):
        env.step(move)
    return games
"""
MEASURE = """
from time import process_time

rng = np.random.default_rng(0)
for _ in range(3):
    step(draw())
spent = steps = 0
while spent < {seconds}:
    moves = draw()
    begun = process_time()
    steps += step(moves)
    spent += process_time() - begun
print(steps / spent)
"""


def rate(python: str, code: str, seconds: float, **given: object) -> float | None:
    """Steps a CPU second, or None where something is not installed."""
    text = (code + MEASURE).replace("{seconds}", str(seconds))
    for name, value in given.items():
        text = text.replace("{" + name + "}", str(value))
    done = subprocess.run([python, "-c", text], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return float(done.stdout.split()[-1])
    if "ModuleNotFoundError" in done.stderr:
        return None
    raise SystemExit(done.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--others", default=sys.executable, help="the Python that has the others")
    parser.add_argument("--games", type=int, default=4096, help="boards at once")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds of a measurement")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    here = sys.executable
    runs = {
        f"mineproof ({mp.engine})": (here, OURS, {"copy": True}),
        f"mineproof ({mp.engine}), copy=False": (here, OURS, {"copy": False}),
        "jumanji": (given.others, JUMANJI, {}),
        "minesweeper-env-rl": (given.others, ENV_RL, {}),
    }
    found: dict[str, list[float | None]] = {name: [] for name in runs}
    for _ in range(given.rounds):
        for name, (python, code, more) in runs.items():
            if None not in found[name]:
                found[name].append(rate(python, code, given.seconds, games=given.games, **more))
    best = {name: max(r for r in rates if r) for name, rates in found.items() if None not in rates}
    print(f"steps a CPU second, 10x10 with 10 mines, {given.games} boards at once")
    for name in runs:
        if name not in best:
            print(f"  {name:<34} not installed in {given.others}: left out")
            continue
        beside = f"{best[name] / best['jumanji']:8.1f} times jumanji" if "jumanji" in best else ""
        print(f"  {name:<34}{best[name]:>12,.0f}{beside}")


if __name__ == "__main__":
    main()
