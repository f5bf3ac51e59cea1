"""No-guess boards: the time to generate them, and how boards from other generators differ.

Four kinds of expert boards with a clear start, all with the same starts: random boards; random
no-guess boards (uniform among all such boards); boards repaired until they need no guess; boards of
Simon Tatham's generator (Debian's sgt-puzzles), which sets the starts. What follows `+-` is half of
a 95 % CI; boards are independent. Times are CPU milliseconds.

    python benchmarks/generation.py [--part NAME] [--boards N]
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from time import process_time
from typing import NamedTuple

import numpy as np

import mineproof as mp
from mineproof.boards.deduction_play import REASONING, deduce
from mineproof.formats import game_ids
from mineproof.series.intervals import mean, wilson

ROWS, COLS, MINES = mp.LEVELS["expert"]
PROGRAM = shutil.which("sgt-mines", path="/usr/games:/usr/local/bin:/usr/bin")


class Begun(NamedTuple):
    """A board and its start."""

    board: mp.Board
    start: mp.Cell


def cost(n: int) -> None:
    """Print the time per board, for dealt and for repaired boards."""
    print(f"{'kind':48}boards  ms per board  deals/board  repaired")
    kinds = [
        ("expert, clear at (3,3), exact", (16, 30, 99), {"start": (3, 3)}, n),
        ("expert, safe corner, exact", (16, 30, 99), {"opening": "safe"}, n),
        ("intermediate, clear at (3,3), exact", (16, 16, 40), {"start": (3, 3)}, n),
        *(
            (f"expert, clear at (3,3), {level}", (16, 30, 99), {"reasoning": level}, n // 10)
            for level in list(REASONING)[:-1]
        ),
        *(
            (f"expert, clear at (3,3), needs {level}", (16, 30, 99), {"needs": level}, n // 100)
            for level in REASONING
        ),
        ("50x50 with 500 mines, clear at (3,3), exact", (50, 50, 500), {}, n // 100),
        ("16x30 with 130 mines, clear at (3,3), exact", (16, 30, 130), {}, n // 100),
        ("the same, 100 deals, then repaired", (16, 30, 130), {"tries": 100}, n // 100),
        ("16x30 with 170 mines, repaired at once", (16, 30, 170), {"tries": 1}, n // 100),
    ]
    for name, shape, options, count in kinds:
        start = {"start": (0, 0) if options.get("opening") == "safe" else (3, 3)}
        asked = {"no_guess": True, "opening": "clear"} | start | options
        begun = process_time()
        boards = list(mp.generate(*shape, count=count, seed=1, workers=1, **asked))  # type: ignore[arg-type]
        spent = 1e3 * (process_time() - begun) / count
        tries = sum(board.tries for board in boards) / count
        repaired = sum(board.repaired for board in boards)
        print(f"{name:48}{count:6}  {spent:12.3f}  {tries:11.1f}  {repaired:8}", flush=True)


def sources(n: int) -> Iterator[tuple[str, list[Begun]]]:
    """Yield the four kinds; the starts are Tatham's if his program is installed."""
    theirs = list(tathams(n))
    starts = [one.start for one in theirs] or [(3, 3)] * n
    kind = {"rows": ROWS, "cols": COLS, "mines": MINES, "opening": "clear"}
    yield "deals", [one(kind, start, i) for i, start in enumerate(starts)]
    yield "no guess", [one(kind | {"no_guess": True}, start, i) for i, start in enumerate(starts)]
    yield "repaired", [repaired(kind, start, i) for i, start in enumerate(starts)]
    if theirs:
        yield "Tatham's", theirs


def one(kind: dict[str, object], start: mp.Cell, seed: int) -> Begun:
    (board,) = mp.generate(**kind, start=start, seed=seed)  # type: ignore[arg-type]
    return Begun(board, start)


def repaired(kind: dict[str, object], start: mp.Cell, seed: int) -> Begun:
    """The first board, counting seeds from this one, that had to be repaired."""
    found = mp.generate(**kind, start=start, seed=seed, count=1000, no_guess=True, tries=1)  # type: ignore[arg-type]
    return Begun(next(board for board in found if board.repaired), start)


def tathams(n: int) -> Iterator[Begun]:
    if PROGRAM is None:
        print("sgt-mines is not installed: skipping the boards of Simon Tatham's generator")
        return
    command = [PROGRAM, "--generate", str(n), f"{COLS}x{ROWS}n{MINES}"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    yield from (Begun(*game_ids.read(line)) for line in lines)


def output(values: Iterable[float], scale: float = 1.0, digits: int = 2) -> str:
    found = mean([scale * value for value in values])
    assert found is not None
    return f"{found.mean:.{digits}f} +- {found.interval.high - found.mean:.{digits}f}"


def regions(start: mp.Cell) -> dict[str, np.ndarray]:
    """Cells by region of the board, and by king's moves from the start."""
    row, col = np.mgrid[:ROWS, :COLS]
    edges = ((row == 0) | (row == ROWS - 1)).astype(int) + ((col == 0) | (col == COLS - 1))
    far = np.maximum(abs(row - start[0]), abs(col - start[1]))
    by_side = {"corners": edges == 2, "edges": edges == 1, "inside": edges == 0}
    by_side = {name: cells & (far > 1) for name, cells in by_side.items()}
    steps = {"2 from the start": far == 2, "3": far == 3, "4 to 6": (far >= 4) & (far <= 6)}
    return by_side | steps | {"7 to 12": (far >= 7) & (far <= 12), "13 and more": far >= 13}


def densities(boards: Sequence[Begun]) -> Iterator[tuple[str, str]]:
    found: dict[str, list[float]] = {}
    for board, start in boards:
        mined = np.frombuffer(board.mined, np.uint8).reshape(ROWS, COLS)
        for name, cells in regions(start).items():
            if cells.any():
                found.setdefault(name, []).append(float(mined[cells].mean()))
    for name, values in found.items():
        yield f"mines in %, {name}", output(values, 100)


def clue_values(boards: Sequence[Begun]) -> Iterator[tuple[str, str]]:
    safe = ROWS * COLS - MINES
    by_board = [
        Counter(n for n, mined in zip(board.counts, board.mined, strict=True) if not mined)
        for board, _ in boards
    ]
    for value in range(7):
        yield f"clues {value}, in %", output((clues[value] / safe for clues in by_board), 100)
    more = (sum(clues[value] for value in (7, 8)) / safe for clues in by_board)
    yield "clues 7 and 8, in %", output(more, 100, 3)


def figures(boards: Sequence[Begun]) -> Iterator[tuple[str, str]]:
    yield "boards", str(len(boards))
    yield from densities(boards)
    yield "3BV", output((board.figures.bbbv for board, _ in boards), digits=1)
    yield "openings", output((board.figures.openings for board, _ in boards), digits=1)
    yield "islands", output((board.figures.islands for board, _ in boards), digits=1)
    yield from clue_values(boards)


def distributions(n: int) -> None:
    """Compare no-guess boards from different generators."""
    columns = {name: dict(figures(boards)) for name, boards in sources(n)}
    table(columns)


def needed(n: int) -> None:
    """Print which reasoning the boards need."""
    columns = {}
    for name, boards in sources(n):
        found = [deduce(board, start, opening="clear") for board, start in boards]
        solved = [one for one in found if one.solved]
        levels = Counter(one.highest for one in solved)
        shares = {"boards": str(len(found)), "need no guess": rate(len(solved), len(found))}
        for level in REASONING:
            shares[f"of these need {level}"] = rate(levels[level], len(solved))
        columns[name] = shares
    table(columns)


def rate(successes: int, n: int) -> str:
    low, high = wilson(successes, n)
    return f"{100 * successes / max(n, 1):.1f} ({100 * low:.1f} - {100 * high:.1f})"


def table(columns: dict[str, dict[str, str]]) -> None:
    print("| | " + " | ".join(columns) + " |")
    print("| --- " * (len(columns) + 1) + "|")
    for name in next(iter(columns.values())):
        print(f"| {name} | " + " | ".join(column[name] for column in columns.values()) + " |")


PARTS = {"cost": (cost, 20_000), "distributions": (distributions, 2_000), "needed": (needed, 2_000)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", choices=PARTS, help="print only this table (default: all)")
    parser.add_argument("--boards", type=int, help="boards of each kind (default: many)")
    options = parser.parse_args()
    for name, (part, usual) in PARTS.items():
        if options.part in {None, name}:
            print(f"{name}:")
            part(options.boards or usual)


if __name__ == "__main__":
    main()
