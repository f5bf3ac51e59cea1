"""Steps per CPU second of the vector environment, by clue model and compared with other libraries.

10x10 with 10 mines; random legal moves are drawn outside the timing, and the time includes
observations and masks. Every clue model is compared with exact clues. Ours floods zeros and keeps
the first cell safe; Jumanji's Minesweeper (JAX, batched and compiled) opens one cell per step and
guarantees nothing; `minesweeper-env-rl` (PyPI) is one board in NumPy. Each is measured several
times in turn; the best time counts, because other load on the machine only makes times longer.

The others need a separate virtual environment, because they pin their dependencies:

    python -m venv /tmp/others && /tmp/others/bin/pip install jumanji minesweeper-env-rl
    python benchmarks/gym_steps.py --others /tmp/others/bin/python
"""

from __future__ import annotations

import argparse
import subprocess
import sys

OURS = """
import gymnasium, mineproof.gym
import numpy as np

games = {games}
envs = gymnasium.make_vec(
    "mineproof/Minesweeper-v0",
    games, rows=10, cols=10, mines=10, clues="{clues}", threads=1, copy={copy},
)
_, info = envs.reset(seed=1)
mask = info["action_mask"]
ended = np.zeros(games, bool)

def draw():
    return (rng.random(mask.shape, dtype=np.float32) * mask).argmax(axis=1)

def step(moves):
    global mask, ended
    moved = games - int(ended.sum())  # the others start a new game instead
    _, _, ended, _, info = envs.step(moves)
    mask = info["action_mask"]
    return moved
"""
SINGLE = """
import gymnasium, mineproof.gym
import numpy as np

games = 16
envs = [
    gymnasium.make("mineproof/Minesweeper-v0", rows=10, cols=10, mines=10) for _ in range(games)
]
masks = [env.reset(seed=i)[1]["action_mask"] for i, env in enumerate(envs)]
ended = [False] * games

def draw():
    for i, env in enumerate(envs):
        if ended[i]:
            masks[i] = env.reset()[1]["action_mask"]
    return [rng.choice(np.flatnonzero(mask)) for mask in masks]

def step(moves):
    for i, (env, move) in enumerate(zip(envs, moves)):
        _, _, ended[i], _, info = env.step(move)
        masks[i] = info["action_mask"]
    return games
"""
JUMANJI = """
import jax, jax.numpy as jnp
import numpy as np
from jumanji.environments import Minesweeper
from jumanji.wrappers import VmapAutoResetWrapper

games = {games}
env = VmapAutoResetWrapper(Minesweeper())
state, seen = jax.jit(env.reset)(jax.random.split(jax.random.PRNGKey(1), games))
compiled = jax.jit(env.step)

def draw():
    mask = np.asarray(seen.observation.action_mask).reshape(games, 100)
    moves = (rng.random(mask.shape, dtype=np.float32) * mask).argmax(axis=1)
    return jax.block_until_ready(jnp.stack([moves // 10, moves % 10], axis=1).astype(jnp.int32))

def step(moves):
    global state, seen
    state, seen = jax.block_until_ready(compiled(state, moves))
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
EXACT = "mineproof"
# Most clues are right; the others are one too high, one too low, or missing.
TABLE = [
    [0.8 if clue == count else 0.05 * (abs(clue - count) == 1) for clue in range(9)]
    for count in range(9)
]
TABLE = [[*row, 1 - sum(row)] for row in TABLE]
CLUES = {
    "sometimes": "sometimes:0.5",
    "optimistic": "optimistic",
    "optimistic, known": "optimistic:known=true",
    "cautious": "cautious",
    "cautious, known": "cautious:known=true",
    "table": f"table:{TABLE}",
}
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
    """Return steps per CPU second, or None if a library is not installed."""
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
    parser.add_argument("--others", default=sys.executable, help="Python with the other libraries")
    parser.add_argument("--games", type=int, default=4096, help="boards at once")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds per measurement")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    here = sys.executable
    runs = {
        EXACT: (here, OURS, {"copy": True, "clues": "exact"}),
        **{
            f"mineproof, clues {name}": (here, OURS, {"copy": True, "clues": text})
            for name, text in CLUES.items()
        },
        "mineproof, copy=False": (here, OURS, {"copy": False, "clues": "exact"}),
        "mineproof, one board at a time": (here, SINGLE, {}),
        "jumanji": (given.others, JUMANJI, {}),
        "minesweeper-env-rl": (given.others, ENV_RL, {}),
    }
    found: dict[str, list[float | None]] = {name: [] for name in runs}
    for _ in range(given.rounds):
        for name, (python, code, more) in runs.items():
            if None not in found[name]:
                found[name].append(rate(python, code, given.seconds, games=given.games, **more))
    best = {name: max(r for r in rates if r) for name, rates in found.items() if None not in rates}
    print(f"steps per CPU second, 10x10 with 10 mines, {given.games} boards at once")
    for name in runs:
        if name not in best:
            print(f"  {name:<34} not installed in {given.others}: skipped")
            continue
        shares = "".join(
            f"{best[name] / best[other]:8.2f} times {other}"
            for other in (EXACT, "jumanji")
            if other in best and other != name
        )
        print(f"  {name:<34}{best[name]:>12,.0f}{shares}")


if __name__ == "__main__":
    main()
