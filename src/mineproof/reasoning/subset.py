"""Two clues at a time: where one set of cells lies inside another, the rest is known too."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.describing import sum_text
from mineproof.reasoning.equations import Equation, System, is_one_sided
from mineproof.world.geometry import name_cells

Cells = frozenset[int]


class _Fact:
    """Between `least` and `most` of some cells are mines, by these equations."""

    __slots__ = ("least", "most", "sources")

    def __init__(self, least: int, most: int, sources: tuple[Equation, ...]) -> None:
        self.least = least
        self.most = most
        self.sources = sources


def subset(system: System) -> Iterator[Deduction]:
    """All that follows by taking sets that lie inside others away from them.

    If B lies in A, then A - B has as many mines as A has more than B. What comes out
    takes part in turn, until nothing new does: the set of facts is the same in whatever
    order they are found. With noisy clues each number is a range, and so is the rest. Where
    every clue gives only a least number, or every one only a most, differences are unbounded on
    that side: nothing follows beyond single clues, and nothing is tried.
    """
    if is_one_sided(equation for equation in system.equations.values() if equation.cells):
        return
    facts = _Facts(system)
    for equation in system.equations.values():
        facts.add(frozenset(equation.cells), equation.least, equation.most, (equation,))
    facts.close()
    for cells, fact in sorted(facts.settling(), key=lambda found: min(found[0])):
        yield from _deductions(system, cells, fact)


class _Facts:
    """Facts by their cells, each as narrow as is known."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._facts: dict[Cells, _Fact] = {}
        self._with: dict[int, set[Cells]] = {}
        self._waiting: deque[Cells] = deque()

    def add(self, cells: Cells, least: int, most: int, sources: tuple[Equation, ...]) -> bool:
        """Take in a fact, if it says more than what is there; whether it does."""
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
        """Take sets away from those that hold them until nothing new comes out."""
        while self._waiting:
            cells = self._waiting.popleft()
            near = {other for index in cells for other in self._with[index]}
            for other in sorted(near - {cells}, key=sorted):
                if cells < other:
                    self._take(other, cells)
                elif other < cells:
                    self._take(cells, other)

    def settling(self) -> Iterable[tuple[Cells, _Fact]]:
        """The facts that leave nothing open."""
        for cells, fact in self._facts.items():
            if fact.most == 0 or fact.least == len(cells):
                yield cells, fact

    def _take(self, larger: Cells, smaller: Cells) -> None:
        a, b = self._facts[larger], self._facts[smaller]
        sources = tuple({e.clue: e for e in (*a.sources, *b.sources)}.values())
        rest = larger - smaller
        new = self.add(rest, a.least - b.most, a.most - b.least, sources)
        if new and self._system.tell is not None:
            whole, less, left = (self._text(cells) for cells in (larger, smaller, rest))
            self._system.tell(f"from {whole} take {less}: {left}")

    def _text(self, cells: Cells) -> str:
        fact = self._facts[cells]
        return sum_text(cells, fact.least, fact.most, self._system.grid)


def _deductions(system: System, cells: Cells, fact: _Fact) -> Iterator[Deduction]:
    grid, sources = system.grid, sorted(fact.sources, key=lambda equation: equation.clue)
    mine = fact.most != 0
    clues = tuple(grid.cell(equation.clue) for equation in sources)
    shown = ", ".join(f"{grid.name(e.clue)} shows {system.states[e.clue]}" for e in sources)
    named = name_cells(grid.cells(sorted(cells)))
    verdict = "a mine" if mine else "safe"
    each = f"{named} is {verdict}" if len(cells) == 1 else f"each of {named} is {verdict}"
    why = f"{shown}: taken from each other, {each}"
    known = tuple(grid.cells(sorted({index for e in sources for index in e.known})))
    for index in sorted(cells):
        yield Deduction(grid.cell(index), mine, "subset", clues, known, why)
