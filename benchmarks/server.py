"""Many users at once: the response time of moves, and the memory of the server.

Each user plays expert games over a WebSocket, about one move per second, and sometimes requests
mine probabilities; server and users share the machine. `python benchmarks/server.py --help`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
from websockets.asyncio.client import connect

ROWS, COLS, MINES = 16, 30, 99


def serve(store: Path, workers: int) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-u", "-m", "mineproof", "serve", "--no-browser", "--port", "0"]
    command += ["--store", str(store), "--workers", str(workers)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address = process.stdout.readline().split("http://")[1].split("/")[0]
    return process, address


def family(pid: int) -> list[int]:
    """A process and all its descendants."""
    found = [pid]
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == pid:
            found += family(int(path.parent.name))
    return found


def megabytes(pid: int) -> float:
    """Proportional memory: shared pages are divided among processes."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def cpu_seconds(pid: int) -> float:
    """CPU seconds of a process and all its descendants."""
    total = 0
    for one in family(pid):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


async def play(
    address: str,
    until: float,
    chance: random.Random,
    moves: list[float],
    odds: list[float],
    refused: list[object],
) -> None:
    """One user: opens safe cells if any are known, otherwise any cell, until time is up."""
    async with connect(f"ws://{address}/ws", max_size=None) as socket:

        async def ask(**message: object) -> dict[str, object]:
            await socket.send(json.dumps(message))
            return dict(json.loads(await socket.recv()))

        state: dict[str, object] = {"over": True}
        safe: list[list[int]] = []
        while perf_counter() < until:
            if state["over"]:
                state = await ask(do="game.new", deal={"level": "expert"})
                game, safe = state["game"], [[chance.randrange(ROWS), chance.randrange(COLS)]]
            await asyncio.sleep(chance.uniform(0.3, 1.7))  # the pace of a fast player
            if not safe:
                begun = perf_counter()
                shown = await ask(do="odds", game=game, best=3)
                if "best" not in shown:  # busy: a person would try again
                    refused.append(shown["error"])
                    continue
                odds.append(perf_counter() - begun)
                safe = [one["cell"] for one in shown["best"]]  # type: ignore[attr-defined]
            begun = perf_counter()
            answer = await ask(do="game.move", game=game, cell=safe.pop(0), action="open")
            moves.append(perf_counter() - begun)
            state = answer if "over" in answer else state


async def crowd(address: str, pid: int, people: int, seconds: float) -> None:
    moves: list[float] = []
    odds: list[float] = []
    refused: list[object] = []
    before, begun = cpu_seconds(pid), perf_counter()
    players = [
        asyncio.create_task(
            play(address, begun + seconds, random.Random(one), moves, odds, refused)
        )
        for one in range(people)
    ]
    memory = []
    while not all(player.done() for player in players):
        await asyncio.sleep(min(5.0, seconds / 4))
        memory.append({one: megabytes(one) for one in family(pid)})
    await asyncio.gather(*players)
    for name, times in (("moves", moves), ("odds", odds)):
        mid, most, worst = (1000 * np.quantile(times, q) for q in (0.5, 0.99, 1.0))
        print(
            f"{name}: {len(times)}, {len(times) / seconds:.0f}/s; "
            f"median {mid:.1f} ms, 99 % {most:.1f} ms, worst {worst:.1f} ms"
        )
    load = os.getloadavg()[0]
    print(f"CPU seconds: {cpu_seconds(pid) - before:.1f}; load of the machine: {load:.1f}")
    print(f"refused: {len(refused)}", *refused[:1])
    print("memory of all server processes, MB:", *(f"{sum(one.values()):.0f}" for one in memory))
    for one, last in memory[-1].items():
        print(f"  of process {one}: {memory[0].get(one, 0):.1f} to {last:.1f}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--people", type=int, default=200)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--workers", type=int, default=1)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        process, address = serve(Path(folder) / "games.sqlite", given.workers)
        try:
            print(f"{given.people} people, {given.workers} workers, {given.seconds:.0f} s")
            asyncio.run(crowd(address, process.pid, given.people, given.seconds))
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
