"""Positions per CPU second: the dataset writer compared with `mp.posteriors` alone.

Both process the same positions on one thread; the writer's time includes its games, its agent's
moves and the files. Both are measured several times in turn; the best time counts.

    python benchmarks/gym_dataset.py [--games N] [--rounds N]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import duckdb

import mineproof as mp
from mineproof.gym import write_dataset


def taken(work: Callable[..., object], *given: object, **more: object) -> float:
    begun = process_time()
    work(*given, **more)
    return process_time() - begun


def measure(level: str, agent: str, games: int, rounds: int) -> str:
    deal, rules = mp.Deal(*mp.LEVELS[level]), mp.Rules(opening="safe")
    best = {"write": float("inf"), "count": float("inf")}
    with TemporaryDirectory() as folder:
        views: list[mp.View] = []
        for turn in range(rounds):
            out = Path(folder) / str(turn)
            write = taken(write_dataset, out, deal, agent, games=games, rules=rules)
            if not views:
                rows = duckdb.sql(f"SELECT states FROM '{out}/*.parquet'").fetchall()
                views = [mp.View(deal.grid, states, deal.mine_count) for (states,) in rows]
            count = taken(mp.posteriors, views)
            best = {"write": min(best["write"], write), "count": min(best["count"], count)}
    written, counted = len(views) / best["write"], len(views) / best["count"]
    return (
        f"{level:<13}{agent:<10}{len(views):>9,}{written:>12,.0f}{counted:>14,.0f}"
        f"{written / counted:>8.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=2000, help="beginner games (expert: half)")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    print("level        agent     positions   written/s   posteriors/s   share")
    for level, games in (("beginner", given.games), ("expert", max(given.games // 2, 1))):
        for agent in ("exact", "baseline"):
            print(measure(level, agent, games, given.rounds))


if __name__ == "__main__":
    main()
