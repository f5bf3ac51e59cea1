"""How many distorted screenshots are read correctly: `python benchmarks/screenshots.py --help`.

Real screenshots of sgt-puzzles, gnome-mines, kmines and our web app, none of them used for
training, are cropped, scaled, made noisy and saved as JPEG. Screenshots in which the board is cut
off cannot be read and must be refused.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from multiprocessing import Pool
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one process per core is enough

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))  # the screenshots are in the tests

from tests.screenshots.distorting import KINDS, cut_through, distorted, unlearnt, verdict

VERDICTS = ("right", "refused", "wrong")


def judge(task: tuple[int, int]) -> tuple[str, str, str, str]:
    seed, number = task
    shots = unlearnt()
    programs = sorted({shot.program for shot in shots})
    rng = np.random.default_rng([seed, number])
    program = programs[number % len(programs)]
    own = [shot for shot in shots if shot.program == program]
    shot = own[int(rng.integers(len(own)))]
    kind = KINDS[number // len(programs) % len(KINDS)]
    content = distorted(shot, kind, rng)
    return program, kind, verdict(content, shot.view), f"{shot.name} {number}"


def judge_cut(task: tuple[int, int]) -> tuple[str, str, str, str]:
    seed, number = task
    shots = unlearnt()
    rng = np.random.default_rng([seed, number, 1])
    shot = shots[int(rng.integers(len(shots)))]
    return shot.program, "cut", verdict(cut_through(shot, rng), shot.view), f"{shot.name} {number}"


def show(title: str, rows: dict[str, Counter[str]]) -> None:
    print(f"{title:12} {'n':>5} {'right':>6} {'refused':>8} {'wrong':>6} {'right %':>8}")
    for name, counts in rows.items():
        n = sum(counts.values())
        figures = " ".join(
            f"{counts[one]:>{w}}" for one, w in zip(VERDICTS, (6, 8, 6), strict=True)
        )
        print(f"{name:12} {n:5} {figures} {100 * counts['right'] / n:8.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=int, default=500)
    parser.add_argument("--cut", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--verbose", action="store_true", help="list files that are read wrongly")
    given = parser.parse_args()
    by_kind: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    by_program: dict[str, Counter[str]] = {}
    whole: Counter[str] = Counter()
    with Pool(given.workers) as pool:
        tasks = [(given.seed, number) for number in range(given.pictures)]
        for program, kind, found, name in pool.imap(judge, tasks, 4):
            by_kind[kind][found] += 1
            by_program.setdefault(program, Counter())[found] += 1
            whole[found] += 1
            if given.verbose and found != "right":
                print(found, kind, name)
        cuts = [(given.seed, number) for number in range(given.cut)]
        cut = Counter(found for _, _, found, _ in pool.imap(judge_cut, cuts, 4))
    print(f"seed {given.seed}")
    show("distortion", by_kind)
    show("program", dict(sorted(by_program.items())))
    show("all", {"": whole})
    show("cut through", {"": cut})


if __name__ == "__main__":
    main()
