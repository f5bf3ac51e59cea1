"""Names of clues and cells in proofs, and what clues still say when some cells are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, NamedTuple

from mineproof.phrases import Phrase, say
from mineproof.reasoning.proofs.statements import COUNT, ProofConstraint
from mineproof.world.geometry import Cell
from mineproof.world.view import EXPLODED, NO_CLUE, View

MOST_NAMED = 8
"""The most cells with the same number of which an equation names each."""


class RemainingConstraint(NamedTuple):
    """What a constraint still says about cells that are not deduced yet."""

    cells: list[int]
    low: int
    high: int
    """The smallest and the largest possible number of mines among them."""
    mines: list[int]
    """The mines that it already has."""


def are_apart(parts: Sequence[RemainingConstraint]) -> bool:
    """Whether no cell is in two of the parts."""
    cells = [cell for part in parts for cell in part.cells]
    return len(cells) == len(set(cells))


class Namer:
    """Names clues and cells of one view, given the cells that are deduced so far."""

    def __init__(self, view: View, statements: Iterable[ProofConstraint]) -> None:
        self._view = view
        self._statements = {statement.clue: statement for statement in statements}
        self._known: dict[int, bool] = {}

    def name(self, clue: int, start: bool = False) -> Phrase:
        """A clue and its cell: `the 2 at (3,4)`; an uncertain clue with its range."""
        if clue == COUNT:
            return Phrase("clue.count")
        state, about = self._view.states[clue], {"at": self.at(clue), "start": start}
        if state == NO_CLUE:
            name = Phrase("clue.none", about)
        else:
            name = Phrase("clue.number", about | {"number": state})
        if self._statements[clue].is_exact:
            return name
        return Phrase("clue.range", {"clue": name, "range": self._range(clue)})

    def _range(self, clue: int) -> Phrase:
        """The possible numbers of mines around an uncertain clue."""
        statement, hit = self._statements[clue], len(self.hit(clue))
        counts = [n + hit for n in range(9) if statement.allowed >> n & 1]
        if len(counts) < counts[-1] - counts[0] + 1:
            return Phrase("clue.some", {"counts": reduce(_either, counts[1:], counts[0])})
        if counts[-1] == len(statement.cells) + hit:
            return Phrase("clue.least", {"count": counts[0]})
        if counts[0] <= hit:
            return Phrase("clue.most", {"count": counts[-1]})
        return Phrase("clue.between", {"least": counts[0], "most": counts[-1]})

    def at(self, index: int) -> Cell:
        """The cell with this index."""
        return self._view.grid.cell(index)

    def cells(self, indices: Iterable[int]) -> list[Cell]:
        """The cells with these indices, in order."""
        return self._view.grid.cells(sorted(indices))

    def verdict(self, settled: Mapping[int, bool]) -> list[Phrase]:
        """Which cells are mines and which are safe: `(1,2) is a mine`, `(1,3) is safe`."""
        mines, safe = (
            self.cells(cell for cell, is_mine in settled.items() if is_mine == mine)
            for mine in (True, False)
        )
        some = Phrase("cells.mines", {"cells": mines}), Phrase("cells.safe", {"cells": safe})
        return [phrase for phrase in some if phrase.values["cells"]]

    def hit(self, clue: int) -> list[int]:
        """The exploded neighbours of a clue; they are already subtracted from its constraint."""
        return [i for i in self._view.grid.neighbours(clue) if self._view.states[i] == EXPLODED]

    def left(self, clue: int) -> RemainingConstraint:
        """What a constraint still says about cells that are not deduced yet."""
        statement = self._statements[clue]
        cells, bounds = statement.left(self._known)
        low, high = bounds or (0, len(cells))
        mines = [cell for cell in statement.cells if self._known.get(cell)]
        return RemainingConstraint(
            cells, low, high, mines + ([] if clue == COUNT else self.hit(clue))
        )

    def statement(self, clue: int) -> ProofConstraint:
        """The constraint of a clue."""
        return self._statements[clue]

    def learn(self, settled: Mapping[int, bool]) -> None:
        """Take cells as known."""
        self._known.update(settled)

    def supposing(self, cell: int, mine: bool) -> Namer:
        """A namer that also knows this cell; this one learns nothing from it."""
        other = Namer(self._view, self._statements.values())
        other.learn({**self._known, cell: mine})
        return other

    def extremes(self, clue: int) -> tuple[int, int]:
        """The smallest and the largest number of mines in the cells of a clue, clues aside."""
        known = [self._known.get(cell) for cell in self._statements[clue].cells]
        return known.count(True), len(known) - known.count(False)

    def equation(self, clues: Sequence[int], signs: Sequence[int]) -> str:
        """The sum of constraints with these signs, as an equation: `(1,2) - (2,4) = 1`."""
        terms: dict[int, int] = {}
        least = most = 0
        for clue, sign in zip(clues, signs, strict=True):
            cells, low, high, _ = self.left(clue)
            least += sign * (low if sign > 0 else high)
            most += sign * (high if sign > 0 else low)
            for cell in cells:
                terms[cell] = terms.get(cell, 0) + sign
        above = sum(number for number in terms.values() if number > 0)
        if not above:  # only negative terms: change all signs
            terms = {cell: -number for cell, number in terms.items()}
            least, most, above = -most, -least, sum(terms.values())
        value = f"= {least}" if least == most else f">= {least}" if least >= above else f"<= {most}"
        return f"{self._sides(terms)} {value}"

    def _sides(self, numbers: dict[int, int]) -> str:
        groups: dict[int, list[int]] = {}
        for cell, number in sorted(numbers.items()):
            groups.setdefault(number, []).append(cell)
        parts = []
        for number in sorted((n for n in groups if n), reverse=True):
            cells, others = groups[number][:MOST_NAMED], len(groups[number]) - MOST_NAMED
            times = "" if abs(number) == 1 else f"{abs(number)} "
            terms = [f"{times}{self._view.grid.name(cell)}" for cell in cells]
            if others > 0:
                terms.append(say("proof.other-cells", cells=others))
            parts += [f"{'-' if number < 0 else '+'} {term}" for term in terms]
        return " ".join(parts).removeprefix("+ ") or "0"


def _either(one: Any, other: int) -> Any:
    return Phrase("clue.or", {"one": one, "other": other})
