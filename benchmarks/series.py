"""Games per CPU second of `mp.arena`, compared with a bare loop over the C++ library.

Both play the same games in one process on one core; the arena's time includes its statistics. Each
is measured several times in turn; the best time counts, because other load on the machine only
makes times longer. `--before REV` also measures an earlier revision, built in a temporary
environment.

    python benchmarks/series.py [--seconds S] [--rounds N] [--before REV]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import mineproof as mp

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build" / "native"
SEED = 5
ARENA = """
import sys
from time import process_time
import mineproof as mp

agent, level, games, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])

def play(games):
    rules = mp.Rules(opening="safe")
    deal = mp.Deal(*mp.LEVELS[level])
    return mp.arena([agent], deal, games=games, rules=rules, seed=seed, workers=1).agents[0]

play(100)
begun = process_time()
found = play(games)
print(process_time() - begun, found.wins, round(found.moves * games))
"""

Player = Callable[[str, str, int], str]
"""Plays games of an agent on a level; returns CPU seconds, wins and moves."""


def said(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def bare() -> Player:
    """The bare loop, built where `make native-test` builds."""
    tools = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for words in (
        ("cmake", "-S", str(ROOT), "-B", str(BUILD), "-DMINEPROOF_TESTS=ON"),
        ("cmake", "--build", str(BUILD), "--target", "bare_games"),
    ):
        subprocess.run(words, env=tools, stdout=subprocess.DEVNULL, check=True)
    program = str(BUILD / "native" / "bare_games")

    def play(agent: str, level: str, games: int) -> str:
        return said(program, agent, *map(str, (*mp.LEVELS[level], games, SEED)))

    return play


def arena(python: str) -> Player:
    def play(agent: str, level: str, games: int) -> str:
        return said(python, "-c", ARENA, agent, level, str(games), str(SEED))

    return play


@contextmanager
def earlier(revision: str) -> Iterator[str]:
    """Yield a Python with an earlier mineproof and otherwise our packages."""
    with TemporaryDirectory() as folder:
        source, place = f"{folder}/source", Path(folder) / "venv"
        said("git", "-C", str(ROOT), "worktree", "add", "--detach", source, revision)
        try:
            said(sys.executable, "-m", "venv", "--without-pip", str(place))
            python = str(place / "bin" / "python")
            site = said(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")
            packages = sysconfig.get_path("purelib")
            (Path(site.strip()) / "ours.pth").write_text(f"{packages}\n", encoding="utf-8")
            os.environ["MINEPROOF_REQUIRE_NATIVE"] = "1"
            pip = (sys.executable, "-m", "pip", "--python", python, "--quiet")
            own = ("--no-deps", "--no-index", "--no-build-isolation", "--ignore-installed")
            said(*pip, "install", *own, source)
            yield python
        finally:
            said("git", "-C", str(ROOT), "worktree", "remove", "--force", source)


def measure(players: dict[str, Player], seconds: float, rounds: int) -> None:
    print("games per CPU second, best of", rounds, "rounds")
    print(f"{'agent':10} {'level':14} {'games':>9}", *(f"{name:>9}" for name in players), end="")
    print("   arena / bare", "  arena / before" if "before" in players else "")
    for agent in ("baseline", "exact"):
        for level in mp.LEVELS:
            first = float(players["bare"](agent, level, 2000).split()[0])
            games = max(2000, int(2000 * seconds / first))
            best, outcomes = dict.fromkeys(players, float("inf")), set()
            for _ in range(rounds):
                for name, play in players.items():
                    time, *outcome = play(agent, level, games).split()
                    best[name] = min(best[name], float(time))
                    outcomes.add(tuple(outcome))
            assert len(outcomes) == 1, f"the arena and the loop played different games: {outcomes}"
            rates = {name: games / time for name, time in best.items()}
            print(f"{agent:10} {level:14} {games:9}", *(f"{rates[name]:9.0f}" for name in players),
                  f"{rates['arena'] / rates['bare']:14.1%}",
                  f"{rates['arena'] / rates['before']:16.2f}" if "before" in rates else "",
                  flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds per measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--before", metavar="REV", help="earlier revision to compare with")
    given = parser.parse_args()
    players = {"bare": bare(), "arena": arena(sys.executable)}
    if given.before is None:
        measure(players, given.seconds, given.rounds)
        return
    with earlier(given.before) as python:
        measure(players | {"before": arena(python)}, given.seconds, given.rounds)


if __name__ == "__main__":
    main()
