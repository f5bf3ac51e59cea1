"""The speed of running a study: games per second by agent, on more cores, and on a Dask cluster.

The same study runs on one core, on two, and on a local Dask cluster of two workers with one thread
each. They run in turn, and the fastest round of each counts, because other programs only make it
slower. The overhead of Dask is relative to two of our processes: in wall-clock time, and in CPU
time of everything involved (scheduler, workers, this process), which varies little with the load
of the machine, as does the share of the time that workers are busy.

    python benchmarks/studies.py [--games N] [--rounds R] [--by-agent N]
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import duckdb
import psutil

import mineproof as mp
from mineproof import studies
from mineproof.studies import Study

HERE = ["--host", "127.0.0.1", "--no-dashboard"]


def mixture(games: int) -> Study:
    """Agents in C++ and in Python, with exact and uncertain clues."""
    return Study.from_dict(
        "mixture",
        {
            "games": games,
            "block": [
                {"agents": ["one-two", "brute", "mean"], "boards": "16x16/40"},
                {"agents": "baseline", "boards": "16x16/40", "clues": "sometimes:0.7"},
                {
                    "agents": ["baseline", "csp", "exact"],
                    "boards": "30x30/0.2",
                    "on_mine": "continue",
                    "games": 4 * games,
                },
            ],
        },
    )


class Cost(NamedTuple):
    """The time of a run, and the share of it that its workers were busy."""

    wall: float
    cpu: float
    busy: float


def cost(study: Study, out: Path, cluster: list[int], **how: object) -> Cost:
    """Run a study; CPU seconds include this process, its children and the cluster."""

    def cpu() -> float:
        others = [psutil.Process(pid).cpu_times() for pid in cluster]
        return sum(os.times()[:4]) + sum(one.user + one.system for one in others)

    before, begun = cpu(), time.perf_counter()
    folder = studies.run(study, out, fresh=True, **how)  # type: ignore[arg-type]
    wall = time.perf_counter() - begun
    workers = how.get("workers", 2)
    assert isinstance(workers, int)
    return Cost(wall, cpu() - before, folder.manifest.seconds / workers / wall)


@contextmanager
def dask(log: Path, ready: str, *words: str) -> Iterator[tuple[str, int]]:
    with log.open("wb") as file:
        process = subprocess.Popen([sys.executable, "-m", "dask", *words], stderr=file)
    try:
        while not (found := re.search(ready, log.read_text())):
            assert process.poll() is None, log.read_text()
            time.sleep(0.05)
        yield found.group(), process.pid
    finally:
        process.terminate()
        process.wait()


@contextmanager
def cluster(place: Path) -> Iterator[tuple[str, list[int]]]:
    """Yield a scheduler's address and the processes of the cluster."""
    with ExitStack() as stack:
        begin = stack.enter_context
        words = ["scheduler", *HERE, "--port", "0", "--idle-timeout", "300s"]
        address, pid = begin(dask(place / "scheduler", r"tcp://127\S+", *words))
        pids = [pid]
        words = ["worker", address, *HERE, "--nthreads", "1", "--no-nanny", "--death-timeout", "60"]
        for name in ("a", "b"):
            own = ["--local-directory", str(place)]
            pids.append(begin(dask(place / name, "Registered to", *words, *own))[1])
        yield address, pids


def by_agent(games: int, place: Path) -> None:
    block = {"agents": mp.agents.names(), "boards": "expert", "opening": "safe"}
    slow = ("linopt", "champion")
    blocks = [
        {**block, "agents": [name for name in block["agents"] if name not in slow]},
        {**block, "agents": list(slow), "games": max(1, games // 20)},
    ]
    folder = studies.run(Study.from_dict("agents", {"games": games, "block": blocks}), place)
    print(
        f"games per CPU second, expert, opening safe, {games} games ({blocks[1]['games']} of slow)"
    )
    rates = duckdb.sql(
        f"SELECT agent, count(*) / sum(cpu_seconds) FROM '{folder.path}/chunks/*.parquet' "
        f"JOIN '{folder.path}/points.parquet' USING (point) GROUP BY point, agent ORDER BY point"
    ).fetchall()
    for agent, rate in rates:
        print(f"  {agent:22} {rate:10.1f}")


def least(some: list[Cost]) -> Cost:
    wall, cpu, busy = zip(*some, strict=True)
    return Cost(min(wall), min(cpu), max(busy))


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the cluster ends, too

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=400, help="games per point of the study")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--by-agent", type=int, default=200, help="games per agent")
    given = parser.parse_args()
    study = mixture(given.games)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        by_agent(given.by_agent, place)
        with cluster(place) as (address, pids):
            costs: dict[str, list[Cost]] = {}
            ways = {"one core": {"workers": 1}, "two cores": {"workers": 2}}
            for _ in range(given.rounds):
                for name, how in {**ways, "dask": {"dask": address}}.items():
                    costs.setdefault(name, []).append(cost(study, place / "runs", pids, **how))
    games = sum(point.games for point in study.points())
    print(f"a study of {games} games, the best of {given.rounds}:", end=" ")
    print("seconds, games/s, CPU seconds, workers busy")
    best = {name: least(some) for name, some in costs.items()}
    for name, (wall, cpu, busy) in best.items():
        print(f"  {name:22} {wall:10.2f} {games / wall:10.0f} {cpu:10.2f} {100 * busy:8.1f} %")
    one, two, dasked = best.values()
    print(f"  two cores over one     {one.wall / two.wall:10.2f}")
    print(f"  Dask's overhead        {100 * (dasked.wall / two.wall - 1):9.1f} % of seconds")
    print(f"                         {100 * (dasked.cpu / two.cpu - 1):9.1f} % of CPU seconds")


if __name__ == "__main__":
    main()
