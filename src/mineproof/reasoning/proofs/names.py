"""How proofs name clues and cells, and what clues still say when some cells are settled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mineproof.reasoning.proofs.phrases import MOST_NAMED, Left, listing
from mineproof.reasoning.proofs.statements import COUNT, Statement
from mineproof.world.view import EXPLODED, NO_CLUE, View


class Namer:
    """Names what one view shows; knows which cells are settled so far."""

    def __init__(self, view: View, statements: Iterable[Statement]) -> None:
        self._view = view
        self._statements = {statement.clue: statement for statement in statements}
        self._known: dict[int, bool] = {}

    def name(self, clue: int) -> str:
        """A clue with its place: `the 2 at (3,4)`, and what it means where that is unsure."""
        if clue == COUNT:
            return "the mine count"
        state = self._view.states[clue]
        shown = "opened cell" if state == NO_CLUE else str(state)
        return f"the {shown} at {self.at(clue)}{self._meaning(clue)}"

    def _meaning(self, clue: int) -> str:
        """What an uncertain clue says of the number of mines around it."""
        statement = self._statements[clue]
        if statement.is_exact:
            return ""
        hit = len(self.hit(clue))
        counts = [n + hit for n in range(9) if statement.allowed >> n & 1]
        if len(counts) < counts[-1] - counts[0] + 1:
            return f" ({' or '.join(map(str, counts))} mines)"
        if counts[-1] == len(statement.cells) + hit:
            return f" ({counts[0]} or more)"
        if counts[0] <= hit:
            return f" ({counts[-1]} or fewer)"
        return f" ({counts[0]} to {counts[-1]})"

    def at(self, index: int) -> str:
        """A cell by its place."""
        return self._view.grid.name(index)

    def cells(self, indices: Iterable[int]) -> str:
        """Some cells: `(1,2)`, `(1,2) and (1,3)`, or the first and how many more."""
        return listing(self._view.grid.cells(sorted(indices)))

    def hit(self, clue: int) -> list[int]:
        """The exploded cells that a statement counts already."""
        return [i for i in self._view.grid.around(clue) if self._view.states[i] == EXPLODED]

    def left(self, clue: int) -> Left:
        """What a statement leaves open."""
        statement = self._statements[clue]
        cells, bounds = statement.left(self._known)
        low, high = bounds or (0, len(cells))
        mines = [cell for cell in statement.cells if self._known.get(cell)]
        return Left(cells, low, high, mines + ([] if clue == COUNT else self.hit(clue)))

    def statement(self, clue: int) -> Statement:
        """What a clue says."""
        return self._statements[clue]

    def knowing(self, known: dict[int, bool]) -> Namer:
        """One that takes other cells for settled: it shares what is known with whoever asks."""
        other = Namer(self._view, self._statements.values())
        other._known = known
        return other

    def equation(self, clues: Sequence[int], signs: Sequence[int]) -> str:
        """What clues, added and taken away, say of the cells left: `(1,2) - (2,4) = 1`."""
        terms: dict[int, int] = {}
        least = most = 0
        for clue, sign in zip(clues, signs, strict=True):
            cells, low, high, _ = self.left(clue)
            least += sign * (low if sign > 0 else high)
            most += sign * (high if sign > 0 else low)
            for cell in cells:
                terms[cell] = terms.get(cell, 0) + sign
        above = sum(number for number in terms.values() if number > 0)
        if not above:  # nothing but cells taken away: the other way round it reads better
            terms = {cell: -number for cell, number in terms.items()}
            least, most, above = -most, -least, sum(terms.values())
        value = f"= {least}" if least == most else f">= {least}" if least >= above else f"<= {most}"
        return f"{self._sides(terms)} {value}"

    def _sides(self, terms: dict[int, int]) -> str:
        groups: dict[int, list[int]] = {}
        for cell, number in sorted(terms.items()):
            groups.setdefault(number, []).append(cell)
        parts = []
        for number in sorted((n for n in groups if n), reverse=True):
            for cell in groups[number][:MOST_NAMED]:
                times = "" if abs(number) == 1 else f"{abs(number)} "
                parts.append(f"{'-' if number < 0 else '+'} {times}{self.at(cell)}")
            if len(groups[number]) > MOST_NAMED:
                others = len(groups[number]) - MOST_NAMED
                parts.append(f"{'-' if number < 0 else '+'} {others} other cells")
        return " ".join(parts).removeprefix("+ ") or "0"
