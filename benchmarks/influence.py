"""Measure the chain of influence: what controls it, how far it reaches, and what it costs.

Every game goes on after a mine until each cell is known; the first cell is (0,0) and safe, and the
mine count is unknown, so that influence travels through clues only. All reasoners guess in the same
random order. Chains are in cells, reach in king's moves (the mean over the clues of a game), times
in CPU milliseconds of playing. What follows `+-` is half of a 95 % CI.

    python benchmarks/influence.py [--part NAME] [--scale X]
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import atanh, sqrt, tanh
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from msgspec import structs

import mineproof as mp
from mineproof.agents import Decision, Recipe, get
from mineproof.agents.guessers import (
    Guesser,
    SharedOrder,
    can_be_opened,
    in_order,
)
from mineproof.agents.guessers.shared_order import CLOSE
from mineproof.agents.recipes import RecipePlayer
from mineproof.games.influence_trace import trace
from mineproof.reasoning.influence import Influence, InfluenceEntry
from mineproof.reasoning.knowledge import Knowledge
from mineproof.series.intervals import Z, mean, paired_rates, wilson
from mineproof.world.chance import order_keys
from mineproof.world.move import Move
from mineproof.world.view import HIDDEN

RULES = mp.Rules(on_mine="continue", opening="safe", count_known=False)
START = (0, 0)
SIDE, MINES = 16, 40
INTERMEDIATE = mp.Deal(SIDE, SIDE, MINES)
REASONERS = {
    name: replace(get(name), name=f"{name}-in-order", guess=in_order, start=None)
    for name in ("baseline", "csp", "gauss", "exact")
}


class Played(NamedTuple):
    """A game, its graph, and the time to play it."""

    record: mp.Record
    graph: Influence
    milliseconds: float


def played(agent: Recipe, board: mp.Deal | mp.Board, seed: int) -> Played:
    begun = process_time()
    record = mp.play(board, agent, rules=RULES, start=START, seed=seed)
    spent = 1e3 * (process_time() - begun)
    return Played(record, chain_of(record, agent), spent)


def chain_of(record: mp.Record, agent: Recipe, *, smallest: bool = False) -> Influence:
    setting = record.first, record.rules, record.clues, record.seed
    return trace(*setting, record.turns, agent, smallest=smallest)


def output(values: Sequence[float], digits: int = 1) -> str:
    found = mean(values)
    assert found is not None
    return f"{found.mean:7.{digits}f} +- {found.interval.high - found.mean:<5.{digits}f}"


HEADINGS = (
    "    n  longest chain   width           reach           choices         score           ms"
)


def figures(games: Sequence[Played]) -> str:
    columns: list[list[float]] = [
        [len(game.graph.longest) for game in games],
        [game.graph.width for game in games],
        [float(np.mean(list(game.graph.reach.values()))) for game in games],
        [len(game.graph.choices) for game in games],
    ]
    score = output([game.record.score or 0.0 for game in games], 3)
    shown = " ".join(map(output, columns))
    return f"{len(games):5} {shown} {score} {output([game.milliseconds for game in games])}"


def by_density(scale: float) -> None:
    print(
        f"\n{SIDE}x{SIDE}, by the number of mines\nmines reasoner {HEADINGS}  chain minus baseline"
    )
    for mines in (2, 5, 10, 20, 30, 40, 50, 60, 80, 100):
        compare(mp.Deal(SIDE, SIDE, mines), round(30 * scale), f"{mines:5}", list(REASONERS))


def by_size(scale: float) -> None:
    print(f"\ndensity 0.16, by size\n side reasoner {HEADINGS}  chain minus baseline")
    for side in (8, 12, 16, 24, 32, 48):
        names = list(REASONERS) if side <= 24 else ["baseline", "gauss"]
        n = max(2, round(scale * max(12, 480 / side)))
        compare(mp.Deal(side, side, density=0.16), n, f"{side:5}", names)


def compare(deal: mp.Deal, n: int, label: str, names: list[str]) -> None:
    """Compare reasoners on the same boards: their chains minus those of the first."""
    first: list[Played] = []
    for name in names:
        games = [played(REASONERS[name], deal, seed) for seed in range(n)]
        first = first or games
        pairs = zip(games, first, strict=True)
        longer = output([len(a.graph.longest) - len(b.graph.longest) for a, b in pairs])
        print(f"{label} {name:8} {figures(games)} {longer}", flush=True)


def controls(scale: float) -> None:
    """Print what correlates with long chains on boards of one kind."""
    n = round(500 * scale)
    games = [played(REASONERS["baseline"], INTERMEDIATE, seed) for seed in range(n)]
    chains = [len(game.graph.longest) for game in games]
    print(f"\n{SIDE}x{SIDE}/{MINES}, baseline, n={n}: correlation with the longest chain (95 %)")
    times = [game.milliseconds for game in games]
    flooded = [sum(node.kind == "flood" for node in game.graph.nodes) for game in games]
    moves = [len(game.record.moves) for game in games]
    for name, values in (
        ("cells opened by zeros", flooded),
        ("moves", moves),
        ("choices", [len(game.graph.choices) for game in games]),
        ("width", [game.graph.width for game in games]),
        ("3BV of the board", [game.record.board.figures.bbbv for game in games]),
        ("openings of the board", [game.record.board.figures.openings for game in games]),
        ("ms to play", times),
    ):
        print(f"  {name:24} {correlation(chains, values)}")
    print(f"  ms and chain, given moves {correlation(less(chains, moves), less(times, moves))}")
    print(f"  shortest {min(chains)}, median {np.median(chains):.0f}, longest {max(chains)}")
    longer = sum(chain > 4 for chain in chains)
    print(f"  longer than four cells: {longer} of {n}, 95 %: {wilson(longer, n).low:.1%} or more")


def definition(scale: float) -> None:
    """How much shorter chains are if local rules use only necessary premises."""
    n = round(100 * scale)
    games = [played(REASONERS["baseline"], INTERMEDIATE, seed) for seed in range(n)]
    print(f"\n{SIDE}x{SIDE}/{MINES}, baseline, n={n}: longest chain")
    print(f"  as defined:                   {output([len(g.graph.longest) for g in games])}")
    sharp = [sharpened(game) for game in games]
    print(f"  necessary premises only       {output([len(graph.longest) for graph in sharp])}")


def smallest(scale: float) -> None:
    """Chains from smallest proofs, compared with those from the agents' own reasons."""
    n = round(60 * scale)
    print(f"\n{SIDE}x{SIDE}/{MINES}, n={n}: longest chain")
    print("reasoner own reasons       smallest proofs  difference       ms per graph")
    for name, agent in REASONERS.items():
        own, least, times = [], [], []
        for seed in range(n):
            game = played(agent, INTERMEDIATE, seed)
            begun = process_time()
            graph = chain_of(game.record, agent, smallest=True)
            times.append(1e3 * (process_time() - begun))
            own.append(len(game.graph.longest))
            least.append(len(graph.longest))
        less_by = [a - b for a, b in zip(least, own, strict=True)]
        print(
            f"{name:8} {output(own)}  {output(least)}  {output(less_by)}  {output(times)}",
            flush=True,
        )


def sharpened(game: Played) -> Influence:
    """The graph in which local rules use only necessary premises.

    If cells are safe because a clue has all its mines, its known safe neighbours are not needed;
    if cells are mines because a clue needs all its hidden cells, its known mines are not needed.
    """

    def needed(node: InfluenceEntry, place: int, parent: mp.Cell) -> bool:
        is_mine = game.record.board.is_mine(parent)
        return node.rule != "local" or place == 0 or is_mine == (node.kind == "safe")

    nodes = (
        structs.replace(
            node, parents=tuple(p for i, p in enumerate(node.parents) if needed(node, i, p))
        )
        for node in game.graph.nodes
    )
    return Influence(game.graph.view, tuple(nodes))


def correlation(one: Sequence[float], other: Sequence[float]) -> str:
    """Pearson's correlation with Fisher's 95 % CI."""
    found = float(np.corrcoef(one, other)[0, 1])
    spread = Z / sqrt(len(one) - 3)
    low, high = tanh(atanh(found) - spread), tanh(atanh(found) + spread)
    return f"{found:6.2f} ({low:.2f} to {high:.2f})"


def less(values: Sequence[float], cause: Sequence[float]) -> list[float]:
    """The residuals of a linear regression."""
    slope, level = np.polyfit(cause, values, 1)
    return [value - slope * x - level for value, x in zip(values, cause, strict=True)]


def claims(scale: float) -> None:
    """Claims of report 001: no mines; one mine in the far corner; few or many random openings."""
    agent = REASONERS["baseline"]
    print(f"\n{SIDE}x{SIDE}, baseline, one board each")
    corner = [(SIDE - 1, SIDE - 1)]
    for name, mines in (("no mine", []), ("one mine in the far corner", corner)):
        graph = played(agent, mp.Board.from_mines(SIDE, SIDE, mines), 0).graph
        reach = graph.reach[START]
        print(f"  {name}: longest chain {len(graph.longest)}, reach of (0,0) {reach}")
    print(f"{SIDE}x{SIDE}/{MINES}, baseline, k random cells opened before it reasons")
    print(f"    k {HEADINGS}")
    for k in (0, 4, 16, 64, 128):
        n = round(80 * scale)
        scattered = Scattering(**(vars(agent) | {"name": f"scatter-{k}", "first": k}))
        games = [played(scattered, INTERMEDIATE, seed) for seed in range(n)]
        print(f"{k:5} {figures(games)}", flush=True)


@dataclass(frozen=True)
class Scattering(Recipe):
    """A recipe that opens the first `first` cells of the random order before it reasons."""

    first: int = 0

    def begin(self, view: mp.View, **setting: Any) -> RecipePlayer:
        """Start a player for a game."""
        player = super().begin(view, **setting)
        keys = order_keys(view.grid.size, setting["seed"])
        player.decide = _Scatter(player, np.argsort(keys)[: self.first].tolist())  # type: ignore[method-assign]
        return player


class _Scatter:
    def __init__(self, player: RecipePlayer, cells: list[int]) -> None:
        self._player, self._cells, self._think = player, cells, player.decide

    def __call__(self) -> Decision:
        knowledge = self._player.knowledge
        for index in self._cells:
            if can_be_opened(knowledge, index):
                return Decision(knowledge.grid.cell(index), "open", None, False, "at random")
        return self._think()


def premises(scale: float) -> None:
    """The number of clues that one deduction uses (report 002: four elements)."""
    print(f"\n{SIDE}x{SIDE}/{MINES}: clues that one deduction uses")
    print("reasoner rule     games deductions  clues             over 2  over 4  most")
    for name in ("csp", "gauss", "exact"):
        n = round((40 if name == "exact" else 100) * scale)
        used: dict[str, list[int]] = {}
        for seed in range(n):
            for node in played(REASONERS[name], INTERMEDIATE, seed).graph.nodes:
                if node.clues:
                    used.setdefault(node.rule, []).append(node.clues)
        for rule, sizes in sorted(used.items()):
            over = " ".join(f"{sum(s > x for s in sizes) / len(sizes):7.1%}" for x in (2, 4))
            print(
                f"{name:8} {rule:8} {n:5} {len(sizes):10} {output(sizes, 2)} {over} {max(sizes):5}",
                flush=True,
            )


def guessing(scale: float) -> None:
    """Compare guesses (most equations, least known) with the random order."""
    print(f"\n{SIDE}x{SIDE}/{MINES}: each guesser minus the plain one, on the same boards")
    print("reasoner guesser          n  score             longest chain    choices")
    count = {"baseline": 400, "exact": 60}
    for name, ways in (("baseline", (in_order, *_plain())), ("exact", (_least(), *_careful()))):
        n = round(count[name] * scale)
        games = {
            way: [played(replace(REASONERS[name], guess=way), INTERMEDIATE, s) for s in range(n)]
            for way in ways
        }
        for way in ways[1:]:
            pairs = list(zip(games[way], games[ways[0]], strict=True))
            score = output([(a.record.score or 0) - (b.record.score or 0) for a, b in pairs], 4)
            chain = output([len(a.graph.longest) - len(b.graph.longest) for a, b in pairs])
            choices = output([len(a.graph.choices) - len(b.graph.choices) for a, b in pairs], 2)
            print(f"{name:8} {way!s:15} {n:4}  {score} {chain} {choices}", flush=True)


def winning(scale: float) -> None:
    """The same guessers if a mine ends the game: differences in win rates."""
    n = round(1200 * scale)
    rules = replace(RULES, on_mine="end")
    print(f"\n{SIDE}x{SIDE}/{MINES}, exact, a mine ends the game, n={n}: wins, and the difference")
    won = {
        way: [
            mp.play(
                INTERMEDIATE,
                replace(REASONERS["exact"], guess=way),
                rules=rules,
                start=START,
                seed=seed,
            ).won
            for seed in range(n)
        ]
        for way in (_least(), *_careful())
    }
    plain, *others = won
    print(f"  {plain!s:15} {sum(won[plain]) / n:.1%}")
    for way in others:
        pairs = list(zip(won[way], won[plain], strict=True))
        tally = [pairs.count(kind) for kind in ((1, 1), (1, 0), (0, 1), (0, 0))]
        low, high = paired_rates(*tally)
        difference = (tally[1] - tally[2]) / n
        rate = sum(won[way]) / n
        print(f"  {way!s:15} {rate:.1%}, {difference:+.1%} (95 %: {low:+.1%} to {high:+.1%})")


@dataclass(frozen=True)
class Ranked:
    """Opens the cell with the lowest rank, among all cells or among the safest."""

    name: str
    careful: bool

    def __str__(self) -> str:
        return self.name

    def __call__(self, knowledge: Knowledge, order: SharedOrder) -> Move | None:
        """Return the guess, if there is a cell to open."""
        cells = [i for i in range(knowledge.grid.size) if can_be_opened(knowledge, i)]
        if not cells:
            return None
        if self.careful:
            risk = knowledge.posterior().risk.ravel()
            least = min(risk[cells])
            cells = [index for index in cells if risk[index] <= least + CLOSE]
        best = min(cells, key=lambda i: (self._rank(knowledge, i), order.key(i)))
        return Move(knowledge.grid.cell(best), "open", None, False, self.name)

    def _rank(self, knowledge: Knowledge, index: int) -> int:
        if self.name == "most-equations":
            return -len(knowledge.holding(index))
        if self.name == "least-known":
            return known_near(knowledge, index)
        return 0


def known_near(knowledge: Knowledge, index: int) -> int:
    """The number of known cells within two steps, from which this cell can be deduced."""
    row, col = knowledge.grid.cell(index)
    square = ((row + r, col + c) for r in range(-2, 3) for c in range(-2, 3))
    near = (knowledge.grid.index(cell) for cell in square if cell in knowledge.grid)
    return sum(knowledge.states[i] != HIDDEN or i in knowledge.settled for i in near)


def _plain() -> tuple[Guesser, ...]:
    return Ranked("most-equations", False), Ranked("least-known", False)


def _least() -> Guesser:
    return Ranked("least-risk", True)


def _careful() -> tuple[Guesser, ...]:
    return Ranked("most-equations", True), Ranked("least-known", True)


PARTS = {
    part.__name__.replace("_", "-"): part
    for part in (
        by_density,
        by_size,
        controls,
        definition,
        smallest,
        claims,
        premises,
        guessing,
        winning,
    )
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", choices=PARTS, help="print only this table (default: all)")
    parser.add_argument("--scale", type=float, default=1.0, help="factor for the number of games")
    options = parser.parse_args()
    print(f"engine: {mp.engine}")
    for part in [PARTS[options.part]] if options.part else PARTS.values():
        part(options.scale)


if __name__ == "__main__":
    main()
