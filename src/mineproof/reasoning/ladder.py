"""One position, every reasoner: what each settles, and what none before it sees."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from mineproof.errors import MineproofError
from mineproof.reasoning.closure import ByComponent, Everything, Finder, Reasoner, WithCount, close
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.gauss import gauss
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.linear_programme import linear_programme
from mineproof.reasoning.local import count, local
from mineproof.reasoning.one_two import one_two
from mineproof.reasoning.pairs import pairs
from mineproof.reasoning.subset import subset
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.geometry import Cell
from mineproof.world.rules import Rules
from mineproof.world.view import TOLD_SAFE, View


class _Reasoning(NamedTuple):
    """How a rung reasons: on the knowledge of the game, then on copies of its components."""

    name: str
    about: str
    reasoners: tuple[Reasoner, ...]
    beyond: Callable[[], Finder] | None = None
    most: int | None = None
    """Open cells, each as often as there are clues beside it, after the reasoners, with which it
    is asked: half a second."""


LADDER = (
    _Reasoning("local", "one clue at a time", (local,)),
    _Reasoning("one_two", "and a 1 beside a 2", (local, one_two)),
    _Reasoning("pairs", "one clue, and two that overlap", (local, pairs)),
    _Reasoning("subset", "sets taken from sets", (local,), lambda: ByComponent(local, subset)),
    _Reasoning("gauss", "Gaussian elimination", (local,), lambda: ByComponent(local, gauss), 5000),
    _Reasoning(
        "gauss with count",
        "the same with the mine count",
        (local,),
        lambda: WithCount(local, count, gauss),
        5000,
    ),
    _Reasoning(
        "linear_programme",
        "linear programmes with the mine count",
        (local,),
        lambda: WithCount(local, count, linear_programme),
        1600,
    ),
    _Reasoning("exact", "every arrangement that fits", (local,), Everything),
)
"""The reasoners, from the narrowest on."""


class Rung(NamedTuple):
    """What a reasoner settles in a position."""

    name: str
    about: str
    settled: dict[Cell, Deduction]
    """By cell, all that it settles and that was not told."""
    first: tuple[Cell, ...]
    """Those of them that no reasoner before it settles."""
    missed: tuple[Cell, ...]
    """The cells that are certain and that it does not see."""
    whole: bool = True
    """False where there are more open cells than it can be asked about within the budget: then
    `settled` is what single clues settle, and of what is `missed` it might see some."""


def compare(view: View, clues: ClueModel = Exact(), *, density: float | None = None) -> list[Rung]:
    """What every reasoner settles; one that cannot work here (no solver) is left out."""
    rules = Rules(density=None if view.mines is not None else density)
    told = set(view.cells(TOLD_SAFE))
    found: list[tuple[_Reasoning, dict[Cell, Deduction], bool]] = []

    @cache  # what goes beyond works on copies of it
    def closed(reasoners: tuple[Reasoner, ...]) -> Knowledge:
        knowledge = Knowledge(view, rules, clues)
        for _ in close(knowledge, reasoners):
            pass
        return knowledge

    certain, _ = _settle(LADDER[-1], closed(LADDER[-1].reasoners))
    for reasoning in LADDER[:-1]:
        try:
            found.append((reasoning, *_settle(reasoning, closed(reasoning.reasoners))))
        except MineproofError:
            continue
    found.append((LADDER[-1], certain, True))
    seen: set[Cell] = set(told)
    rungs = []
    for reasoning, settled, whole in found:
        own = {cell: settled[cell] for cell in sorted(settled) if cell not in told}
        first = tuple(cell for cell in own if cell not in seen)
        missed = tuple(cell for cell in sorted(certain) if cell not in settled and cell not in told)
        rungs.append(Rung(reasoning.name, reasoning.about, own, first, missed, whole))
        seen.update(own)
    return rungs


def _settle(reasoning: _Reasoning, knowledge: Knowledge) -> tuple[dict[Cell, Deduction], bool]:
    """What it settles beyond what its reasoners did, and whether it was asked at all."""
    settled = dict(knowledge.settled)
    whole = reasoning.most is None or _beside_clues(knowledge) <= reasoning.most
    if reasoning.beyond is not None and whole:
        settled = {**reasoning.beyond()(knowledge), **settled}
    return {deduction.cell: deduction for deduction in settled.values()}, whole


def _beside_clues(knowledge: Knowledge) -> int:
    return sum(len(equation.cells) for equation in knowledge.equations.values())
