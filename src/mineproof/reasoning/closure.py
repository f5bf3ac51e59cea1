"""Fixpoints of reasoners, and finders for what the local rules do not find.

The local rules, and pairs of clues if a recipe compares them, keep the knowledge of a game up to
date; everything else works on copies of its components. So the result depends only on the view:
not on the order of moves, and not on earlier conclusions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from mineproof.phrases import Phrase
from mineproof.reasoning.deductions import Deduction, Entry
from mineproof.reasoning.equations import Excerpt, System, premises
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.reason_phrases import MOST_CELLS

Reasoner = Callable[[System], Iterator[Deduction]]


class DeductionFinder(Protocol):
    """Finds, in one game, the deductions beyond the local rules."""

    def __call__(self, knowledge: Knowledge) -> dict[int, Deduction]:
        """Return what follows now, by the index of the cell."""
        ...


def close(system: System, reasoners: Iterable[Reasoner]) -> Iterator[Deduction]:
    """Reason to the fixpoint; a later reasoner is used when the earlier ones find nothing more."""
    progress = True
    while progress:
        progress = False
        for reasoner in reasoners:
            for deduction in reasoner(system):
                if system.is_open(system.grid.index(deduction.cell)):
                    system.deduce(deduction)
                    progress = True
                    yield deduction
            if progress:
                break


class ByComponent:
    """Reasons to the fixpoint in every component that changed since the last call."""

    def __init__(self, *reasoners: Reasoner) -> None:
        self._reasoners = reasoners
        self._reader = " ".join(["components", *(one.__name__ for one in reasoners)])
        self._found: dict[int, Deduction] = {}

    def __call__(self, knowledge: Knowledge) -> dict[int, Deduction]:
        """Return what follows now."""
        for linked in knowledge.components_of(knowledge.fresh(self._reader)):
            cells = {index for other in linked for index in other.cells}
            if not cells:
                continue
            if knowledge.report is not None:
                clues = knowledge.grid.cells(sorted(other.clue for other in linked))
                values = {"clues": clues[:MOST_CELLS], "more": max(len(clues) - MOST_CELLS, 0)}
                scope = Phrase("log.component", {**values, "cells": len(cells)})
                knowledge.report(Entry(scope, "scope"))
            for index in cells:
                self._found.pop(index, None)
            self._keep(close(Excerpt(knowledge, linked), self._reasoners), knowledge)
        for index in [i for i in self._found if not knowledge.is_open(i)]:
            del self._found[index]
        return self._found

    def _keep(self, deductions: Iterable[Deduction], knowledge: Knowledge) -> None:
        for deduction in deductions:
            self._found[knowledge.grid.index(deduction.cell)] = deduction


class WithCount:
    """Reasons to the fixpoint in the whole position, with the equation of the mine count."""

    def __init__(self, *reasoners: Reasoner) -> None:
        self._reasoners = reasoners
        self._found: dict[int, Deduction] = {}
        self._version = -1

    def __call__(self, knowledge: Knowledge) -> dict[int, Deduction]:
        """Return what follows now."""
        if self._version != knowledge.version:
            self._version = knowledge.version
            count = knowledge.count()
            equations = [e for e in knowledge.equations.values() if e.cells]
            everything = Excerpt(knowledge, [*equations, *([count] if count else [])])
            if knowledge.report is not None:
                values = {"clues": len(equations), "count": count is not None}
                knowledge.report(Entry(Phrase("log.all-clues", values), "scope"))
            index = knowledge.grid.index
            self._found = {index(d.cell): d for d in close(everything, self._reasoners)}
        return self._found


class UntilAllAreFound:
    """Once all mines are known, the other cells are safe without further reasoning.

    This is checked first: if the local rules found the last mine, no component is examined.
    """

    def __init__(self, inner: DeductionFinder) -> None:
        self._inner = inner

    def __call__(self, knowledge: Knowledge) -> dict[int, Deduction]:
        """Return what follows now."""
        left = knowledge.mines_left
        found = {} if left == 0 else self._inner(knowledge)
        if left is None or left != sum(deduction.mine for deduction in found.values()):
            return found
        why = Phrase("count.all-known", {"mines": knowledge.mines or 0})
        rest = (index for index in range(knowledge.grid.size) if knowledge.is_open(index))
        cell = knowledge.grid.cell
        safe = {
            i: Deduction(cell(i), False, "count", phrase=why, count_used=True)
            for i in rest
            if i not in found
        }
        return found | safe


class Everything:
    """Deduces everything that follows from all clues and the mine count: the exact posterior."""

    def __init__(self) -> None:
        self._found: dict[int, Deduction] = {}
        self._version = -1

    def __call__(self, knowledge: Knowledge) -> dict[int, Deduction]:
        """Return what follows now."""
        if self._version != knowledge.version:
            self._version = knowledge.version
            to_index = knowledge.grid.index
            posterior = knowledge.posterior()
            if posterior is None:  # contradictory clues, taken for exact, prove nothing
                self._found = {}
                return self._found
            count = knowledge.mines is not None
            self._found = {
                to_index(cell): Deduction(cell, mine, "exact", (), (), why, count, True)
                for mine, cells in ((True, posterior.mined), (False, posterior.safe))
                for why in (Phrase("exact.certain", {"mine": mine, "count": count}),)
                for cell in cells
            }
            news = self._found.keys() - knowledge.settled.keys()
            if news:
                every = [one for one in knowledge.equations.values() if one.cells]
                clues, known = premises(every, knowledge.grid)
                for index in news:
                    self._found[index] = self._found[index]._replace(clues=clues, known=known)
            if knowledge.report is not None:
                values = {"safe": len(posterior.safe), "mines": len(posterior.mined)}
                proved = Phrase("log.posterior", {**values, "exact": posterior.exact})
                knowledge.report(Entry(proved, "scope"))
        return self._found
