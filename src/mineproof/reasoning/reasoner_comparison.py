"""Compare all reasoners on one position: what each deduces, and what is new with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from mineproof.errors import MineproofError
from mineproof.reasoning.closure import (
    ByComponent,
    DeductionFinder,
    Everything,
    Reasoner,
    WithCount,
    close,
)
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
from mineproof.world.view import KNOWN_SAFE, View


class _Reasoning(NamedTuple):
    """How a reasoner works: on the knowledge of the game, then on copies of its components."""

    name: str
    title: str
    about: str
    reasoners: tuple[Reasoner, ...]
    beyond: Callable[[], DeductionFinder] | None = None
    most: int | None = None
    """The most unresolved cells, each counted once per clue next to it, with which it is used
    (about half a second)."""


LADDER = (
    _Reasoning(
        "local",
        "Single clues",
        "checks each clue by itself: it has all its mines, or needs all its unresolved cells",
        (local,),
    ),
    _Reasoning(
        "one_two", "1-2 pattern", "checks single clues and finds the 1-2 pattern", (local, one_two)
    ),
    _Reasoning("pairs", "Pairs of clues", "compares two clues that share cells", (local, pairs)),
    _Reasoning(
        "subset",
        "Subsets",
        "subtracts a clue whose cells all belong to another clue",
        (local,),
        lambda: ByComponent(local, subset),
    ),
    _Reasoning(
        "gauss",
        "Gaussian elimination",
        "row-reduces the clues as linear equations",
        (local,),
        lambda: ByComponent(local, gauss),
        5000,
    ),
    _Reasoning(
        "gauss with count",
        "Gaussian elimination with mine count",
        "row-reduces the clues and the mine count as linear equations",
        (local,),
        lambda: WithCount(local, count, gauss),
        5000,
    ),
    _Reasoning(
        "linear_programme",
        "Linear programming",
        "bounds each cell by linear programmes over all clues and the mine count",
        (local,),
        lambda: WithCount(local, count, linear_programme),
        1600,
    ),
    _Reasoning(
        "exact",
        "Exact inference",
        "finds everything that follows from all clues and the mine count",
        (local,),
        Everything,
    ),
)
"""The reasoners, from the weakest to the strongest."""


class ReasonerResult(NamedTuple):
    """What a reasoner deduces in a position."""

    name: str
    title: str
    """Its name for people; `about` is what it does."""
    about: str
    settled: dict[Cell, Deduction]
    """Its deductions by cell, without cells marked safe in the view."""
    first: tuple[Cell, ...]
    """The cells that no reasoner before it deduces."""
    missed: tuple[Cell, ...]
    """The certain cells that it does not deduce."""
    whole: bool = True
    """False if the position is too large for it: then `settled` has only what single clues prove,
    and it might deduce some of the `missed` cells."""


def compare(
    view: View, clues: ClueModel = Exact(), *, density: float | None = None
) -> list[ReasonerResult]:
    """Return what every reasoner deduces; one that is not available (no solver) is left out."""
    rules = Rules(density=None if view.mines is not None else density)
    marked = set(view.cells(KNOWN_SAFE))
    found: list[tuple[_Reasoning, dict[Cell, Deduction], bool]] = []

    @cache  # finders work on copies of it
    def closed(reasoners: tuple[Reasoner, ...]) -> Knowledge:
        knowledge = Knowledge(view, rules, clues)
        for _ in close(knowledge, reasoners):
            pass
        return knowledge

    certain, _ = _deduce(LADDER[-1], closed(LADDER[-1].reasoners))
    for reasoning in LADDER[:-1]:
        try:
            found.append((reasoning, *_deduce(reasoning, closed(reasoning.reasoners))))
        except MineproofError:
            continue
    found.append((LADDER[-1], certain, True))
    seen: set[Cell] = set(marked)
    results = []
    for reasoning, settled, whole in found:
        own = {cell: settled[cell] for cell in sorted(settled) if cell not in marked}
        first = tuple(cell for cell in own if cell not in seen)
        missed = tuple(
            cell for cell in sorted(certain) if cell not in settled and cell not in marked
        )
        results.append(
            ReasonerResult(
                reasoning.name, reasoning.title, reasoning.about, own, first, missed, whole
            )
        )
        seen.update(own)
    return results


def _deduce(reasoning: _Reasoning, knowledge: Knowledge) -> tuple[dict[Cell, Deduction], bool]:
    """Return all its deductions, and whether it was used or the position is too large."""
    settled = dict(knowledge.settled)
    whole = reasoning.most is None or _next_to_clues(knowledge) <= reasoning.most
    if reasoning.beyond is not None and whole:
        settled = {**reasoning.beyond()(knowledge), **settled}
    return {deduction.cell: deduction for deduction in settled.values()}, whole


def _next_to_clues(knowledge: Knowledge) -> int:
    return sum(len(equation.cells) for equation in knowledge.equations.values())
