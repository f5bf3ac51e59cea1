"""Our agents beside the figures of the reports (`studies/published.csv`), cell by cell.

Every cell gets 2,000 games, or as many as fit into its seconds. z is the difference in
combined standard errors: ours, theirs (with our spread of games, for they give none) and
that of their rounding.

    python benchmarks/published.py [--seconds S] [--report 000] [--games N]
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from contextlib import closing
from statistics import fmean, pstdev
from time import monotonic

import mineproof as mp
from mineproof.series.arena import Arena
from mineproof.studies.published import WHOLE_RANGE, Figure, distance, figures

GAMES = 2000


def cells(report: str | None) -> list[Figure]:
    """The published rates and scores of games with exact clues."""
    return [
        figure
        for figure in figures()
        if report in {None, figure.report}
        and figure.measure in {"flag_rate", "score", "win"}
        and (figure.is_of_a_point or figure.density == WHOLE_RANGE)
        and figure.clues == "exact"
    ]


def deals(cell: Figure) -> tuple[list[mp.Deal], mp.Rules]:
    """The boards that a figure is about, and its rules."""
    assert cell.rows is not None
    assert cell.cols is not None
    if cell.report == "002":
        deal = mp.Deal(cell.rows, cell.cols, density=float(cell.density), independent=True)
        return [deal], mp.Rules(opening="safe", count_known=False, density=deal.density)
    rules = mp.Rules(on_mine="continue")
    if cell.density == WHOLE_RANGE:
        return [mp.Deal(cell.rows, cell.cols, mines) for mines in range(1, 101)], rules
    return [mp.Deal(cell.rows, cell.cols, density=float(cell.density))], rules


def play(cell: Figure, games: int, seconds: float) -> list[float]:
    """Values of our games: scores, or 1 and 0 for won and lost."""
    kinds, rules = deals(cell)
    return [
        value
        for deal in kinds
        for value in _some(cell, deal, rules, math.ceil(games / len(kinds)), seconds / len(kinds))
    ]


def _some(
    cell: Figure, deal: mp.Deal, rules: mp.Rules, games: int, seconds: float
) -> Iterator[float]:
    begun = monotonic()
    arena = Arena([cell.agent], deal, games=games, rules=rules, seed=1)
    with closing(arena.work()) as work:
        for progress in work:
            if progress.games >= 20 and monotonic() - begun > seconds:
                break
    for game in arena.games().rows():
        yield float(game["won"]) if game["score"] is None else game["score"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="for each cell")
    parser.add_argument("--games", type=int, default=GAMES, help="for each cell")
    parser.add_argument("--report", help="only this one: 000, 002, 003 or 004")
    options = parser.parse_args()
    print("report  board  density  agent                    games    ours  +-95%  published      z")
    below = 0
    for cell in cells(options.report):
        values = play(cell, options.games, options.seconds)
        ours, spread = fmean(values), pstdev(values)
        error = spread / math.sqrt(len(values))
        z = distance(ours, spread, len(values), cell) or 0.0
        below += z < -3
        print(
            f"{cell.report}  {cell.rows:>4}x{cell.cols:<3} {cell.density:>8}  "
            f"{cell.agent:22} {len(values):7} {ours:8.4f} {1.96 * error:6.4f} "
            f"{cell.value or 0:9.4f} {z:+7.1f}{'  <' if z < -3 else ''}",
            flush=True,
        )
    print(f"{below} cells lie more than three standard errors below the published figure")


if __name__ == "__main__":
    main()
