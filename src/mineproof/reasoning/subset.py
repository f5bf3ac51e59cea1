"""The subset rule: a clue whose cells are a subset of another's is subtracted from it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from mineproof.phrases import Phrase
from mineproof.reasoning.deductions import Deduction, Entry
from mineproof.reasoning.equations import Equation, System, is_one_sided
from mineproof.reasoning.reason_phrases import sum_text

Cells = frozenset[int]


class _Fact:
    """Between `least` and `most` of some cells are mines, according to the `sources`."""

    __slots__ = ("least", "most", "sources")

    def __init__(self, least: int, most: int, sources: tuple[Equation, ...]) -> None:
        self.least = least
        self.most = most
        self.sources = sources


def subset(system: System) -> Iterator[Deduction]:
    """Deduce everything that follows by subtracting subsets, to the fixpoint.

    If B is a subset of A, then A - B contains the mines of A minus the mines of B. Every result
    takes part in turn until nothing new comes out, so the results do not depend on the order.
    With uncertain clues every number is a range. If all clues are only lower bounds, or all
    only upper bounds, differences are unbounded on that side: nothing follows beyond single
    clues, and nothing is tried.
    """
    if is_one_sided(equation for equation in system.equations.values() if equation.cells):
        return
    facts = _Facts(system)
    for equation in system.equations.values():
        facts.add(frozenset(equation.cells), equation.least, equation.most, (equation,))
    facts.close()
    found = sorted(facts.deducing(), key=lambda found: min(found[0]))
    # All are found before any is applied: their reasons and premises are those of now.
    yield from [one for cells, fact in found for one in _deductions(system, cells, fact)]


class _Facts:
    """The facts by their cells, each with the narrowest known bounds."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._facts: dict[Cells, _Fact] = {}
        self._with: dict[int, set[Cells]] = {}
        self._waiting: deque[Cells] = deque()

    def add(self, cells: Cells, least: int, most: int, sources: tuple[Equation, ...]) -> bool:
        """Add a fact if it is narrower than what is known; return whether it was."""
        least, most = max(least, 0), min(most, len(cells))
        if not cells or least > most:  # nothing, or clues that contradict each other
            return False
        known = self._facts.get(cells)
        if known is None:
            self._facts[cells] = _Fact(least, most, sources)
            for index in cells:
                self._with.setdefault(index, set()).add(cells)
        elif least > known.least or most < known.most:
            least, most = max(least, known.least), min(most, known.most)
            if least > most:
                return False
            joint = tuple({e.clue: e for e in (*known.sources, *sources)}.values())
            self._facts[cells] = _Fact(least, most, joint)
        else:
            return False
        self._waiting.append(cells)
        return True

    def close(self) -> None:
        """Subtract subsets until nothing new comes out."""
        while self._waiting:
            cells = self._waiting.popleft()
            near = {other for index in cells for other in self._with[index]}
            for other in sorted(near - {cells}, key=sorted):
                if cells < other:
                    self._take(other, cells)
                elif other < cells:
                    self._take(cells, other)

    def deducing(self) -> Iterable[tuple[Cells, _Fact]]:
        """Yield the facts whose cells are all mines or all safe."""
        for cells, fact in self._facts.items():
            if fact.most == 0 or fact.least == len(cells):
                yield cells, fact

    def _take(self, larger: Cells, smaller: Cells) -> None:
        a, b = self._facts[larger], self._facts[smaller]
        sources = tuple({e.clue: e for e in (*a.sources, *b.sources)}.values())
        rest = larger - smaller
        new = self.add(rest, a.least - b.most, a.most - b.least, sources)
        if new and self._system.report is not None:
            whole, part, left = (self._text(cells) for cells in (larger, smaller, rest))
            values = {"whole": whole, "part": part, "left": left}
            self._system.report(Entry(Phrase("log.subtract", values)))

    def _text(self, cells: Cells) -> str:
        fact = self._facts[cells]
        return sum_text(cells, fact.least, fact.most, self._system.grid)


def _why(system: System, cells: Cells, fact: _Fact) -> Phrase:
    """Return the subtraction: `subtracting (0,0)=1 from (0,1)=2 shows that ...`."""
    sources = sorted(fact.sources, key=lambda equation: equation.clue)
    values = {"cells": [*system.grid.cells(sorted(cells))], "mine": fact.most != 0}
    whole = next((e for e in sources if _is_difference(cells, e, sources)), None)
    parts = [_term(system, equation) for equation in sources if equation is not whole]
    if whole is None:
        return Phrase("subset.each-other", {**values, "parts": parts})
    return Phrase("subset.from", {**values, "parts": parts, "whole": _term(system, whole)})


def _is_difference(cells: Cells, whole: Equation, sources: Sequence[Equation]) -> bool:
    """Return whether the cells are those of one source minus all others, which are disjoint."""
    rest = [index for e in sources if e is not whole for index in e.cells]
    return bool(rest) and len(rest) == len(set(rest)) and whole.cells == cells.union(rest)


def _term(system: System, equation: Equation) -> Phrase:
    values = {"at": system.grid.cell(equation.clue), "clue": system.states[equation.clue]}
    if equation.is_exact and equation.least != values["clue"]:
        return Phrase("subset.reduced", {**values, "left": equation.least})
    return Phrase("subset.term", values)


def _deductions(system: System, cells: Cells, fact: _Fact) -> Iterator[Deduction]:
    why = _why(system, cells, fact)
    grid, sources = system.grid, sorted(fact.sources, key=lambda equation: equation.clue)
    mine = fact.most != 0
    clues = tuple(grid.cell(equation.clue) for equation in sources)
    known = tuple(grid.cells(sorted({index for e in sources for index in e.known})))
    for index in sorted(cells):
        yield Deduction(grid.cell(index), mine, "subset", clues, known, why)
