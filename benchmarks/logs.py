"""The cost of a log: CPU seconds of `mineproof play` with and without it, by clue model.

`python benchmarks/logs.py [GAMES]`
"""

from __future__ import annotations

import subprocess
import sys
from resource import RUSAGE_CHILDREN, getrusage

COMMAND = [
    *("-m", "mineproof", "play", "--level", "expert", "--on-mine", "continue"),
    *("--agent", "exact", "--plain"),
]


def seconds(model: str, seed: int, *more: str) -> float:
    """CPU seconds of one game, including the start of the program."""
    begin = getrusage(RUSAGE_CHILDREN).ru_utime
    command = [sys.executable, *COMMAND, "--clues", model, "--seed", str(seed), *more]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return getrusage(RUSAGE_CHILDREN).ru_utime - begin


def main() -> None:
    games = range(int(sys.argv[1]) if len(sys.argv) > 1 else 4)
    print(f"CPU seconds of {len(games)} expert games, without and with a log")
    for model in ("exact", "sometimes:0.5", "optimistic", "optimistic:known=true", "cautious"):
        bare = sum(seconds(model, seed) for seed in games)
        logged = sum(seconds(model, seed, "--log", "-") for seed in games)
        print(f"{model:22} {bare:7.2f} {logged:7.2f}  x {logged / bare:.2f}", flush=True)


if __name__ == "__main__":
    main()
