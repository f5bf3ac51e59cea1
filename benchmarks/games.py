"""CPU time per game of every agent, with the native engine where possible, and in Python.

The last table compares our CPU time with reports 000 and 004: 000's baseline at 40x40 and 50x50,
and 004's agents at 40x40 ("almost 180 seconds" at density 0.3) and 25x25 ("60 to 120 seconds"
above 0.6, of which we take 60; the basic agent "almost half").

    python benchmarks/games.py [--seconds S]
"""

from __future__ import annotations

import argparse

import mineproof as mp
from mineproof import _engine
from mineproof.series.intervals import mean

SCORED = mp.Rules(on_mine="continue", opening="any")
PUBLISHED = [
    ("baseline", 40, 0.3, 3.816501),
    ("baseline", 40, 0.5, 5.791174),
    ("baseline", 50, 0.3, 8.937176),
    ("baseline", 50, 0.5, 13.768566),
    ("baseline", 25, 0.6, 30.0),
    ("mean", 25, 0.6, 60.0),
    ("mean", 40, 0.3, 180.0),
]


def play(agent: str, deal: mp.Deal, rules: mp.Rules, seconds: float) -> list[float]:
    """CPU seconds of as many games as fit into `seconds`, judging by the first three."""

    def some(games: int) -> list[float]:
        found = mp.arena([agent], deal, games=games, rules=rules, seed=1, workers=1).games
        return [float(seconds) for seconds in found["cpu_seconds"]]

    first = some(3)
    games = int(seconds * len(first) / max(sum(first), 1e-9))
    return some(min(games, 2000)) if games > 3 else first


def output(agent: str, deal: mp.Deal, rules: mp.Rules, seconds: float) -> float:
    """Print the start of a row, and return the mean in seconds."""
    each = play(agent, deal, rules, seconds)
    one = mean(each)
    assert one is not None
    reach = 1e3 * (one.interval.high - one.mean)
    print(f"  {agent:22} {len(each):6} {1e3 * one.mean:10.3f} +- {reach:7.3f}", end="")
    return one.mean


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="time per row")
    seconds = parser.parse_args().seconds
    kinds = {
        "expert, opening safe, a mine ends the game": (
            mp.Deal(16, 30, 99),
            mp.Rules(opening="safe"),
        ),
        "40x40, density 0.3, play goes on": (mp.Deal(40, 40, density=0.3), SCORED),
    }
    for title, (deal, rules) in kinds.items():
        print(f"{title}: games, CPU milliseconds per game (95 % CI)")
        for agent in mp.agents.names():
            if agent == "linopt" and deal.rows == 40:
                continue
            output(agent, deal, rules, seconds)
            print(flush=True)
    print("compared with the reports: CPU milliseconds per game (95 % CI), published, times faster")
    for engine in _engine.ENGINES:
        with _engine.using(engine):
            print(f" engine: {engine}")
            for agent, side, density, theirs in PUBLISHED:
                ours = output(agent, mp.Deal(side, side, density=density), SCORED, seconds)
                print(
                    f"  {side}x{side} {density} {1e3 * theirs:9.0f} {theirs / ours:8.0f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
