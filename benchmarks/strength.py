"""How often the champion wins: on the levels, without one of its parts, and at optimal play.

    python benchmarks/strength.py levels [--games N] [--seed S] [--agents A,B,...]
    python benchmarks/strength.py ablation [--games N] [--seed S]
    python benchmarks/strength.py optimum [--games N] [--seed S] [--agents A,B,...]
    python benchmarks/strength.py score [--games N] [--seed S] [--boards 10x10,20x20]
    python benchmarks/strength.py sequential A B [--games N] [--seed S] [--batch N]
                                  [--level LEVEL] [--opening safe|clear]

The agents of a table play the same boards. `sequential` is for tuning: it plays until one of two
agents is clearly better. Seeds for tuning are even and those for published results odd, so that no
result comes from boards used for tuning; other seeds are refused.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from math import sqrt
from typing import NamedTuple

import numpy as np

import mineproof as mp
from mineproof.series.arena import Arena
from mineproof.series.game_table import GameTable
from mineproof.series.intervals import Interval, mean
from mineproof.series.standings import Standings, summarise
from mineproof.world.board import Opening

FAST = "champion:budget=fast"
STARTS: dict[Opening, mp.Cell] = {"safe": (0, 0), "clear": (3, 3)}
"""The first cell, by opening rule."""
DOUBT = 3
"""Standard errors at which `sequential` stops; 2 would be too few, as it tests repeatedly."""


class Corner(NamedTuple):
    """A level and opening rule, with JSMinesweeper's win rate in % and number of games."""

    level: str
    opening: Opening
    theirs: float
    their_games: int

    def __str__(self) -> str:
        """Its name in tables."""
        return f"{self.level}, {self.opening}"


# Measured by us with JSMinesweeper on boards dealt like these, but not on the same boards.
CORNERS = [
    Corner("beginner", "safe", 91.87, 20_000),
    Corner("intermediate", "safe", 78.73, 20_000),
    Corner("expert", "safe", 41.36, 20_000),
    Corner("beginner", "clear", 97.19, 10_000),
    Corner("intermediate", "clear", 88.90, 12_000),
    Corner("expert", "clear", 54.10, 20_000),
]
CHANGES = [
    ("arrangements=0", 1),
    ("arrangements=40", 1),
    ("arrangements=2000,work=5000000", 1),
    ("parts=0", 1),
    ("arrangements=0,parts=0", 1),
    ("candidates=1", 1),
    ("arrangements=0,parts=0,candidates=1", 1),
    ("premium=0", 1),
    ("fifties=0", 1),
    ("further=0", 1),
    ("learned=0", 1),
    ("leaves=500", 1),
    ("leaves=500,playouts=100", 2),
]
"""The changes, and by which factor fewer games are played."""
DENSITIES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
BOARDS = [
    *((4, 4, mines) for mines in range(1, 9)),
    *((5, 4, mines) for mines in range(2, 5)),
    (5, 2, 3),
    (10, 1, 5),
    *((5, 5, mines) for mines in range(2, 5)),
    (6, 6, 2),
]


def play(
    level: str, opening: Opening, agents: Sequence[str], games: int, seed: int
) -> Iterator[GameTable]:
    """Play games of a level and opening rule, block by block, showing progress."""
    deal, rules = mp.Deal(*mp.LEVELS[level]), mp.Rules(opening=opening)
    arena = Arena(agents, deal, games=games, rules=rules, start=STARTS[opening], seed=seed)
    return watched(f"{level}, {opening}", arena)


def watched(title: str, arena: Arena) -> Iterator[GameTable]:
    """Yield the blocks of an arena, and show the number of games on a terminal."""
    taken = 0
    terminal = sys.stderr.isatty()
    with closing(arena.work()) as work:
        for progress in work:
            yield from arena.blocks[taken:]
            taken = len(arena.blocks)
            if terminal:
                print(f"\r{title}: {progress.games} games", end="", file=sys.stderr, flush=True)
    if terminal:
        print(file=sys.stderr)


def standings(blocks: Iterator[GameTable], agents: Sequence[str]) -> Standings:
    return summarise(GameTable.joined(tuple(agents), list(blocks)))


def rate(wins: int, games: int, interval: Interval) -> str:
    low, high = interval
    return f"{100 * wins / games:.2f} ({100 * low:.2f} - {100 * high:.2f})"


def row(*cells: object) -> None:
    print("|", " | ".join(map(str, cells)), "|", flush=True)


def head(*names: str) -> None:
    row(*names)
    row(*("---" for _ in names))


def levels(agents: Sequence[str], games: int, seed: int) -> None:
    head(
        "board, first cell",
        "agent",
        "games",
        "wins % (95 % CI)",
        "guesses per game",
        "CPU ms per game",
        "JSMinesweeper % (games)",
        "difference +- standard error",
    )
    for corner in CORNERS:
        played = standings(play(corner.level, corner.opening, agents, games, seed), agents)
        their = corner.theirs / 100
        for one in played.agents:
            variance = one.win_rate * (1 - one.win_rate) / one.games
            error = sqrt(variance + their * (1 - their) / corner.their_games)
            row(
                corner,
                f"`{one.name}`",
                f"{one.games:,}",
                rate(one.wins, one.games, one.win_interval),
                f"{one.guesses:.2f}",
                f"{1000 * one.cpu_seconds / one.games:.3f}",
                f"{corner.theirs:.2f} ({corner.their_games:,})",
                f"{100 * (one.win_rate - their):+.2f} +- {100 * error:.2f}",
            )


def ablation(games: int, seed: int) -> None:
    for opening in STARTS:
        print(f"expert, {opening}")
        head("change", "games", "wins % (95 % CI)", "points +- standard error", "CPU ms per game")
        for share in sorted({share for _, share in CHANGES}):
            names = [FAST, *(f"{FAST},{change}" for change, part in CHANGES if part == share)]
            n = max(games // share, 2)
            _compare(standings(play("expert", opening, names, n, seed), names))


def _compare(played: Standings) -> None:
    """Print the first agent, and the others compared with it."""
    differences = {pair.second: pair.difference for pair in played.paired if pair.first == FAST}
    for one in played.agents:
        points = "-"
        if one.name in differences:
            difference = differences[one.name]
            points = f"{0 - 100 * difference.mean:+.2f} +- {100 * difference.error:.2f}"
        row(
            f"`{one.name.removeprefix(f'{FAST},')}`",
            f"{one.games:,}",
            rate(one.wins, one.games, one.win_interval),
            points,
            f"{1000 * one.cpu_seconds / one.games:.3f}",
        )


def optimum(agents: Sequence[str], games: int, seed: int) -> None:
    """The first cell is safe and chosen by the agent."""
    head("board / mines", "best play wins %", *(f"`{name}` (95 % CI)" for name in agents))
    for rows, cols, mines in BOARDS:
        name = f"{rows}x{cols}/{mines}"
        best = mp.solve(rows, cols, mines, opening="safe").chance
        deal, rules = mp.Deal(rows, cols, mines), mp.Rules(opening="safe")
        arena = Arena(agents, deal, games=games, rules=rules, seed=seed)
        played = standings(watched(name, arena), agents)
        rates = (rate(one.wins, one.games, one.win_interval) for one in played.agents)
        row(name, f"{100 * float(best):.2f}", *rates)


def score(boards: Sequence[str], games: int, seed: int) -> None:
    """Scores (right minus wrong flags, per mine) if play goes on, compared with `exact`."""
    agents = ("exact", FAST)
    head(
        "board", "density", "games", *(f"`{name}`" for name in agents), "difference (95 % CI)", "ms"
    )
    rules = mp.Rules(on_mine="continue", opening="safe")
    for board in boards:
        rows, cols = map(int, board.split("x"))
        for density in DENSITIES:
            deal = mp.Deal(rows, cols, round(density * rows * cols))
            arena = Arena(agents, deal, games=games, rules=rules, seed=seed)
            played = standings(watched(f"{board}, {density}", arena), agents)
            scores = [one.score.mean for one in played.agents if one.score is not None]
            (pair,) = (one for one in played.paired if one.of == "score")
            low, high = pair.difference.interval
            row(
                board,
                density,
                f"{games:,}",
                *(f"{mean:.4f}" for mean in scores),
                f"{0 - pair.difference.mean:+.4f} ({-high:+.4f} to {-low:+.4f})",
                f"{1000 * played.agents[1].cpu_seconds / games:.2f}",
            )


def sequential(
    agents: Sequence[str], level: str, opening: Opening, *, games: int, batch: int, seed: int
) -> None:
    """Play batches until the difference is clear."""
    first, second = agents
    print(f"{first} minus {second}; {level}, {opening}: points +- standard error")
    differences = np.empty(0)
    looked = 0
    for block in play(level, opening, agents, games, seed):
        one, other = (block.of(name)["won"].astype(float) for name in agents)
        differences = np.concatenate([differences, one - other])
        if len(differences) - looked < min(batch, games - looked):
            continue
        looked = len(differences)
        so_far = mean(differences)
        assert so_far is not None
        points = f"{100 * so_far.mean:+.3f} +- {100 * so_far.error:.3f}"
        print(f"\r{len(differences):10,} boards {points}", flush=True)
        if abs(so_far.mean) > DOUBT * so_far.error > 0:
            print(f"{first if so_far.mean > 0 else second} is better")
            return
    print("no clear difference")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parts = ("levels", "ablation", "optimum", "score", "sequential")
    parser.add_argument("part", nargs="?", choices=parts, default="levels")
    parser.add_argument("two", nargs="*", metavar="AGENT", help="sequential: the two agents")
    parser.add_argument("--agents", help="levels and optimum: agents, separated by commas")
    parser.add_argument(
        "--games", type=int, default=2000, help="boards per row (sequential: at most)"
    )
    parser.add_argument("--batch", type=int, default=2000, help="sequential: boards per step")
    parser.add_argument("--seed", type=int, help="odd, or even for sequential [default: 1 or 2]")
    parser.add_argument("--level", choices=mp.LEVELS, default="expert", help="sequential")
    parser.add_argument("--boards", default="10x10,20x20,16x30", help="score: sizes of boards")
    parser.add_argument("--opening", choices=STARTS, default="safe", help="sequential")
    given = parser.parse_args()
    tunes = given.part == "sequential"
    seed = given.seed if given.seed is not None else 1 + tunes
    if seed % 2 == tunes:
        kind = ("even, for tuning", "odd, for reports")[seed % 2]
        parser.error(f"seed {seed} is {kind}, which {given.part} is not")
    if len(given.two) != 2 * tunes:
        parser.error("sequential takes two agents, the other parts --agents")
    default = f"{FAST},champion" if given.part == "optimum" else f"exact,{FAST}"
    agents = re.split(r",(?![a-z]+=)", given.agents or default)  # not before an option
    if given.part == "levels":
        levels(agents, given.games, seed)
    elif given.part == "ablation":
        ablation(given.games, seed)
    elif given.part == "score":
        score(given.boards.split(","), given.games, seed)
    elif given.part == "optimum":
        optimum(agents, given.games, seed)
    else:
        sequential(
            given.two, given.level, given.opening, games=given.games, batch=given.batch, seed=seed
        )


if __name__ == "__main__":
    main()
