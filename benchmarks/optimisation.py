"""Measure why the linear optimisation of report 000 failed.

The positions are those before the guesses of `baseline` on 10x10 with 20 mines, with a safe
opening; play goes on after a mine. In each, three linear programmes over all clues and the mine
count are solved:

- as in the report: maximise the sum of cells that are at least 0, bounded by clues and count
- the same with cells from 0 to 1 (`linopt:sum=true`): a result of 0 or 1 is taken for the truth
- the minimum and maximum of each cell (`linopt`)

It prints in how many positions the first has a solution, how many cells per position the others
decide, and how many of these wrongly, with 95 % CI by games.

    python benchmarks/optimisation.py [--games N]
"""

from __future__ import annotations

import argparse
import math
from collections import Counter

import mineproof as mp
from mineproof.reasoning.closure import close
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.equations import Excerpt
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.linear_programme import (
    has_largest_sum,
    largest_sum,
    linear_programme,
)
from mineproof.reasoning.local import local

RULES = mp.Rules(opening="safe", on_mine="continue")
MODELS = ("exact", "optimistic", "cautious")


def count(clues: mp.clues.ClueModel, seed: int) -> Counter[str]:
    """The results of the programmes in the positions of one game."""
    found: Counter[str] = Counter()
    match = mp.Match(mp.Deal(10, 10, 20), "baseline", rules=RULES, clues=clues, seed=seed)
    views = [match.view]
    guesses = []
    for turn in match:
        if not turn.asked.certain and len(views) > 1:
            guesses.append(views[-1])
        views.append(match.view)
    board = match.record().board
    for view in guesses:
        knowledge = Knowledge(view, RULES, clues)
        list(close(knowledge, (local,)))
        everything = [e for e in knowledge.equations.values() if e.cells]
        total = knowledge.count()
        assert total is not None
        if not everything:
            continue
        found["positions"] += 1
        system = Excerpt(knowledge, [*everything, total])
        found["solved"] += has_largest_sum(system)
        for name, reasoner in (("sum", largest_sum), ("bounds", linear_programme)):
            settled: list[Deduction] = list(reasoner(Excerpt(knowledge, [*everything, total])))
            found[name] += len(settled)
            found[f"{name} wrong"] += sum(d.mine != board.is_mine(d.cell) for d in settled)
    return found


def ratio(games: list[Counter[str]], name: str, of: str, times: float = 1) -> str:
    """A ratio of sums, with half of a 95 % CI by games."""
    whole = sum(game[of] for game in games)
    if not whole:
        return "-"
    value = sum(game[name] for game in games) / whole
    error = math.sqrt(sum((game[name] - value * game[of]) ** 2 for game in games)) / whole
    return f"{times * value:.1f} ± {times * 1.96 * error:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=50, help="games per kind of clue")
    games = parser.parse_args().games
    rows = (
        ("the report's sum has a solution, % of positions", "solved", "positions", 100),
        ("largest sum with cells from 0 to 1: cells per position", "sum", "positions", 1),
        ("of these wrong, %", "sum wrong", "sum", 100),
        ("bounds of each cell: cells per position", "bounds", "positions", 1),
        ("of these wrong, %", "bounds wrong", "bounds", 100),
    )
    played = {name: [count(mp.clues.parse(name), seed) for seed in range(games)] for name in MODELS}
    print(f"| n = {games} games | {' | '.join(MODELS)} |\n| --- | --- | --- | --- |")
    numbers = (str(sum(game["positions"] for game in each)) for each in played.values())
    print(f"| positions | {' | '.join(numbers)} |")
    for title, name, of, times in rows:
        each = (ratio(each, name, of, times) for each in played.values())
        print(f"| {title} | {' | '.join(each)} |")


if __name__ == "__main__":
    main()
