"""CPU time of an agent that updates its knowledge incrementally, by board size.

Report 000 timed its baseline agent on boards of 10x10 to 50x50; its time grew from 0.028 to 13.8
seconds per game at density 0.5. Here the same agent plays boards of these sizes and larger ones.
This prints CPU time per game next to the published times, and microseconds per cell, which should
stay constant.

    python benchmarks/knowledge.py [--games N]
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from time import process_time

import mineproof as mp
from mineproof.series.intervals import mean

PUBLISHED = Path(__file__).with_name("report000_baseline_seconds.csv")
RULES = mp.Rules(on_mine="continue", opening="any")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100, help="games on the smallest board")
    games = parser.parse_args().games
    with PUBLISHED.open() as file:
        published = {
            (int(row["dim"]), float(density)): float(seconds)
            for row in csv.DictReader(line for line in file if not line.startswith("#"))
            for density, seconds in row.items()
            if density != "dim"
        }
    print(f"engine: {mp.engine}; agent: baseline; play goes on after a mine")
    print("side density games   ms/game (95 % CI)      us/cell   report 000, ms   times faster")
    for density in (0.1, 0.2, 0.3, 0.5):
        for side in (10, 20, 30, 40, 50, 100, 200):
            n = max(3, games * 100 // side**2)
            report(side, density, n, published.get((side, density)))


def report(side: int, density: float, games: int, theirs: float | None) -> None:
    deal = mp.Deal(side, side, density=density)
    seconds = []
    for seed in range(games):
        begun = process_time()
        mp.play(deal, "baseline", rules=RULES, seed=seed)
        seconds.append(process_time() - begun)
    ours = mean(seconds)
    assert ours is not None
    reach = 1e3 * (ours.interval.high - ours.mean)
    line = (
        f"{side:4} {density:7} {games:5} {1e3 * ours.mean:10.2f} +- {reach:6.2f} "
        f"{1e6 * ours.mean / side**2:13.1f}"
    )
    if theirs is not None:
        line += f" {1e3 * theirs:16.1f} {theirs / ours.mean:14.0f}"
    print(line, flush=True)


if __name__ == "__main__":
    main()
