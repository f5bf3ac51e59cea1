"""Run all chaos tests and print a table; any failure makes the exit code 1."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import monotonic
from typing import NamedTuple

from tools.chaos import hazards, interrupting, killing
from tools.chaos.harness import STOPPED, Answer

HAZARDS: dict[str, Callable[[Random, Path], Iterator[Answer]]] = {
    "corrupted files": hazards.odd_files,
    "corrupted options": hazards.odd_words,
    "closed streams": hazards.closed_streams,
    "broken pipes": hazards.gone_readers,
    "full disks": hazards.full_disks,
    "damaged studies": killing.damaged_studies,
    "killed studies": killing.killed_studies,
    "killed arenas": killing.killed_arenas,
    "interrupts": interrupting.interrupted_commands,
}
_COLUMNS = {"completed": 0, "refused": 2, "Ctrl-C": 130, "broken pipe": 141, "timed out": STOPPED}


class Tried(NamedTuple):
    """The results of one kind of hazard."""

    codes: Counter[int]
    commands: set[str]
    faults: list[str]
    seconds: list[float]
    """How long each took to end after Ctrl-C."""


def run(seconds: float, seed: int, least: int = 1, only: str | None = None) -> dict[str, Tried]:
    """Run each kind for its share of the time, and at least `least` times."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="mineproof-chaos-") as folder:
        chosen = HAZARDS if only is None else {only: HAZARDS[only]}
        for name, hazard in chosen.items():
            tried = Tried(Counter(), set(), [], [])
            deadline = monotonic() + seconds / len(chosen)
            for number, answer in enumerate(hazard(Random(f"{seed} {name}"), Path(folder)), 1):
                tried.codes[answer.code] += 1
                tried.commands.add(answer.words[0])
                tried.seconds.append(answer.seconds)
                if answer.fault is not None:
                    tried.faults.append(answer.fault)
                if monotonic() > deadline and number >= least:
                    break
            found[name] = tried
    return found


def table(found: dict[str, Tried]) -> str:
    """A table with one line per kind of hazard."""
    head = ["test", "runs", "commands", *_COLUMNS, "failures"]
    rows = [head, ["---"] * len(head)]
    for name, tried in found.items():
        counts = [str(tried.codes[code]) for code in _COLUMNS.values()]
        sizes = [str(tried.codes.total()), str(len(tried.commands))]
        rows.append([name, *sizes, *counts, str(len(tried.faults))])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> int:
    """Run as `make chaos` does."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--seconds", type=float, default=30)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--least", type=int, default=1, help="minimum number of runs per kind")
    reader.add_argument("--only", choices=HAZARDS, help="run only this kind")
    given = reader.parse_args()
    found = run(given.seconds, given.seed, given.least, only=given.only)
    print(table(found))
    if (slowest := max(max(tried.seconds) for tried in found.values())) > 0:
        print(f"the slowest ended {slowest:.2f} s after Ctrl-C")
    faults = [fault for tried in found.values() for fault in tried.faults]
    for fault in faults[:20]:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
