"""Compare budgets of the champion, with a tenth of the games that counting wins would need.

    python benchmarks/immortal.py pair A B [--games N] [--seed S] [--level LEVEL]
                                  [--opening safe|clear] [--keep FOLDER]
    python benchmarks/immortal.py beside FOLDER [--agents A,B,...] [--games N] [--keep FOLDER]

An immortal game goes on after a mine: each guess multiplies its result by the probability that the
cell is safe; if it is a mine, the board is drawn again (native/bench/immortal_games.cpp). The mean
is the win probability. `pair` prints B minus A on the same boards, in percentage points.

`beside` compares games as dealt with those of another solver: FOLDER has a corpus of boards
KIND.txt and the other solver's results KIND.csv (`board,win,guesses,cpu_ms`), for the kinds
expert_open (the first cell's neighbours are safe), expert_safe and intermediate_safe. The column
`chance` is each agent's win probability minus that of the first agent, as in `pair`.

Results are saved as games end, in build/immortal or another folder, by what was played and which
build of the program played it: after Ctrl-C the same command continues where it stopped, and with
more games it plays the missing ones.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import mineproof as mp
from mineproof.agents.champion import Champion
from mineproof.agents.recipes import Recipe

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build" / "native"
STARTS = {"safe": (0, 0), "clear": (3, 3)}
KINDS = [
    ("expert_open", "expert", "clear"),
    ("expert_safe", "expert", "safe"),
    ("intermediate_safe", "intermediate", "safe"),
]
COLUMNS = [
    "board, first cell",
    "agent",
    "games",
    "wins %",
    "theirs %",
    "points",
    "chance",
    "CPU ms",
    "theirs",
]
BUDGETS = ["champion:budget=fast", "champion", "champion:budget=max"]
Table = NDArray[np.float64]
"""Per board: win probability, won as dealt, guesses, CPU milliseconds as dealt."""


def built(program: str = "immortal_games") -> str:
    """A program of native/bench, built where `make native-test` builds."""
    tools = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for words in (
        ("cmake", "-S", str(ROOT), "-B", str(BUILD), "-DMINEPROOF_TESTS=ON"),
        ("cmake", "--build", str(BUILD), "--target", program),
    ):
        subprocess.run(words, env=tools, stdout=subprocess.DEVNULL, check=True)
    return str(BUILD / "native" / program)


def options(agent: str) -> list[str]:
    """The budget of a champion, as arguments of the program."""
    recipe = mp.agents.get(agent)
    if not isinstance(recipe, Recipe) or not isinstance(recipe.guess, Champion):
        sys.exit(f"{agent} is not a champion: only budgets of the champion can be compared")
    return [f"{name}={number}" for name, number in recipe.guess.budget._asdict().items()]


def play(
    program: str, agent: str, level: str, opening: str, games: int, boards: str | Path, keep: Path
) -> Table:
    """Games of one agent; `boards` is a seed or a corpus. Saved games are not played again."""
    rows, cols, mines = mp.LEVELS[level]
    row, col = STARTS[opening]
    words = [*map(str, (rows, cols, mines, opening, row * cols + col)), str(boards)]
    named = [hashlib.sha256(Path(program).read_bytes()).hexdigest(), *words, *options(agent)]
    kept = keep / f"{hashlib.sha256(' '.join(named).encode()).hexdigest()[:16]}.txt"
    keep.mkdir(parents=True, exist_ok=True)
    before = kept.read_text() if kept.exists() else ""
    whole = before[: before.rfind("\n") + 1]  # the last line may be incomplete
    if whole != before:
        kept.write_text(whole)
    done = whole.count("\n")
    if done < games:
        order = [program, *words, str(done), str(games), *options(agent)]
        watch(order, kept, f"{agent}, {level}, {opening}", games)
    return np.loadtxt(kept.read_text().splitlines()[:games], ndmin=2)


def lines(file: Path) -> int:
    """The number of saved games."""
    return file.read_bytes().count(b"\n")


def watch(
    order: Sequence[str], kept: Path, title: str, games: int, ended: Callable[[Path], int] = lines
) -> None:
    """Run a program that appends to a file, and show its progress on a terminal."""
    with kept.open("a") as file, subprocess.Popen(order, stdout=file) as program:
        try:
            while program.poll() is None:
                with suppress(subprocess.TimeoutExpired):
                    program.wait(1)
                if sys.stderr.isatty():
                    print(f"\r{title}: {ended(kept):,} of {games:,} games", end="", file=sys.stderr)
        finally:
            program.kill()  # it must not go on writing
            if sys.stderr.isatty():
                print(file=sys.stderr)
    if program.returncode:
        sys.exit(f"{order[0]} exited with code {program.returncode}")


def output(differences: Table) -> str:
    """Format percentage points with their standard error."""
    points = 100 * differences
    return f"{points.mean():+.3f} +- {points.std() / np.sqrt(len(points)):.3f}"


def pair(
    agents: Sequence[str], level: str, opening: str, games: int, seed: int, keep: Path
) -> None:
    program = built()
    one, other = (play(program, agent, level, opening, games, str(seed), keep) for agent in agents)
    print(f"{level}, {opening}, {len(one):,} boards, seed {seed}")
    for agent, played in zip(agents, (one, other), strict=True):
        print(f"  {agent}: {100 * played[:, 0].mean():.2f} %, {played[:, 3].mean():.3f} CPU ms")
    print(f"  second minus first: {output(other[:, 0] - one[:, 0])}")


def side_by_side(folder: Path, agents: Sequence[str], games: int, keep: Path) -> None:
    program = built()
    print("|", " | ".join(COLUMNS), "|")
    print("|" + " --- |" * len(COLUMNS))
    for kind, level, opening in KINDS:
        theirs = np.loadtxt(folder / f"{kind}.csv", delimiter=",", skiprows=1)
        first = None
        for agent in agents:
            ours = play(program, agent, level, opening, games, folder / f"{kind}.txt", keep)
            other = theirs[: len(ours)]
            first = ours if first is None else first
            cells = (
                f"{level}, {opening}",
                f"`{agent}`",
                f"{len(ours):,}",
                f"{100 * ours[:, 1].mean():.2f}",
                f"{100 * other[:, 1].mean():.2f}",
                output(ours[:, 1] - other[:, 1]),
                "" if first is ours else output(ours[:, 0] - first[:, 0]),
                f"{ours[:, 3].mean():.2f}",
                f"{other[:, 3].mean():.2f}",
            )
            print("|", " | ".join(cells), "|", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parts = parser.add_subparsers(dest="part", required=True)
    pairs = parts.add_parser("pair", help="compare two budgets on the same boards")
    pairs.add_argument("two", nargs=2, metavar="AGENT")
    pairs.add_argument("--seed", type=int, default=1, help="1 or more")
    pairs.add_argument("--level", choices=mp.LEVELS, default="expert")
    pairs.add_argument("--opening", choices=STARTS, default="safe")
    others = parts.add_parser("beside", help="compare with another solver on its boards")
    others.add_argument("folder", type=Path)
    others.add_argument("--agents", help="separated by commas", default=",".join(BUDGETS))
    for one in (pairs, others):
        one.add_argument("--games", type=int, default=2000, help="maximum number of boards")
        one.add_argument("--keep", type=Path, default=ROOT / "build" / "immortal", help="games")
    given = parser.parse_args()
    if given.part == "pair":
        pair(given.two, given.level, given.opening, given.games, given.seed, given.keep)
    else:
        agents = re.split(r",(?![a-z]+=)", given.agents)  # not before an option
        side_by_side(given.folder, agents, given.games, given.keep)


if __name__ == "__main__":
    main()
