"""How often named patterns occur, and what share of all certain cells they deduce.

Games on 16x16 with a clear opening; play goes on after a mine. First, everything that single clues
prove is played. When they prove nothing more, this counts the cells that are still certain (by
exact counting) and how many of them each pattern deduces alone; then all of them are played. When
nothing is certain, the safest cell is opened. Of the cells that single clues prove, those at
corners are counted. Shares are of sums over all games, with 95 % CI by games.

    python benchmarks/patterns.py [--games N]
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from statistics import fmean, stdev

import numpy as np

import mineproof as mp
from mineproof.reasoning.closure import Everything, close
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.local import local
from mineproof.reasoning.patterns import NAMES, find, reduced
from mineproof.world.view import COVERED

DENSITIES = (0.10, 0.15, 0.20, 0.25)
RULES = mp.Rules(opening="clear", on_mine="continue")
START = (8, 8)
BEYOND = "beyond"
"""Certain cells that no single clue proves."""
ALONE = "alone"
"""Cells that single clues prove."""
ANY = "any"


class Walk:
    """One game, played by everything certain, and its counts."""

    def __init__(self, mines: int, seed: int) -> None:
        self.game = mp.Game.deal(16, 16, mines, rules=RULES, start=START, seed=seed)
        self.knowledge = Knowledge(self.game.view, RULES)
        self.found: Counter[str] = Counter()
        self._everything = Everything()

    def play(self) -> Counter[str]:
        """Play to the end."""
        self._open([self.knowledge.grid.index(START)])
        while self.knowledge.covered > len(self.knowledge.settled):
            self._single_clues()
            found = self._everything(self.knowledge)
            certain = {i: one for i, one in found.items() if self.knowledge.is_open(i)}
            if certain:
                self._stuck(certain)
            elif self.knowledge.covered > len(self.knowledge.settled):
                posterior = self.knowledge.posterior()
                assert posterior is not None
                self._open([int(np.nanargmin(posterior.risk))])
        return self.found

    def _single_clues(self) -> None:
        """Play what single clues prove, until they prove nothing more."""
        while True:
            corners = {
                one.settled[0][0]
                for one in find(self.knowledge.grid, reduced(self.knowledge))
                if one.name == "corner"
            }
            new = list(close(self.knowledge, (local,)))
            indices = [self.knowledge.grid.index(one.cell) for one in new]
            self.found[ALONE] += len(new)
            self.found["corner"] += len(corners & set(indices))
            self.found["corner times"] += len(corners & set(indices))
            safe = [i for i, one in zip(indices, new, strict=True) if not one.mine]
            if not safe:
                return
            self._open(safe)

    def _stuck(self, certain: dict[int, Deduction]) -> None:
        """Count the certain cells that patterns deduce, and play all certain cells."""
        self.found[BEYOND] += len(certain)
        seen: dict[str, set[int]] = {}
        for one in find(self.knowledge.grid, reduced(self.knowledge)):
            cells = {index for index, _ in one.settled}
            assert all(certain[index].mine == mine for index, mine in one.settled)
            self.found[f"{one.name} times"] += 1
            for name in (one.name, ANY):
                seen.setdefault(name, set()).update(cells)
        for name, cells in seen.items():
            self.found[name] += len(cells)
        for one in list(certain.values()):
            self.knowledge.deduce(one)
        self._open([index for index, one in certain.items() if not one.mine])

    def _open(self, indices: list[int]) -> None:
        for index in indices:
            cell = self.knowledge.grid.cell(index)
            if self.game.view.states[index] in COVERED:
                self.knowledge.observe(self.game.open(cell))


def share(games: list[Counter[str]], name: str, of: str) -> str:
    """A share of sums, with half of a 95 % CI by games."""
    whole = sum(game[of] for game in games) or 1
    ratio = sum(game[name] for game in games) / whole
    error = math.sqrt(sum((game[name] - ratio * game[of]) ** 2 for game in games)) / whole
    return f"{100 * ratio:.1f} ± {196 * error:.1f}"


def mean(games: list[Counter[str]], name: str) -> str:
    """A mean over games, with half of a 95 % CI."""
    numbers = [game[name] for game in games]
    return f"{fmean(numbers):.1f} ± {1.96 * stdev(numbers) / math.sqrt(len(numbers)):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200, help="games per density")
    games = parser.parse_args().games
    played = {
        density: [Walk(round(256 * density), seed).play() for seed in range(games)]
        for density in DENSITIES
    }
    heads = " | ".join(f"{density:.2f}" for density in DENSITIES)
    print(f"| n = {games} games per density | {heads} |\n{'| --- ' * (len(DENSITIES) + 1)}|")
    rows = [(f"times per game: {name}", f"{name} times", None) for name in NAMES]
    rows += [("cells per game proved by single clues", ALONE, None)]
    rows += [("of these at corners, %", "corner", ALONE)]
    rows += [("other certain cells per game", BEYOND, None)]
    rows += [(f"of these by {name}, %", name, BEYOND) for name in NAMES[1:]]
    rows += [("of these by any pattern, %", ANY, BEYOND)]
    for title, name, of in rows:
        each = (share(p, name, of) if of else mean(p, name) for p in played.values())
        print(f"| {title} | {' | '.join(each)} |")


if __name__ == "__main__":
    main()
