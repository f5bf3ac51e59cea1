"""Arguments by cases in words."""

from __future__ import annotations

from collections.abc import Sequence

from mineproof.reasoning.proofs.names import Namer
from mineproof.reasoning.proofs.phrases import are_apart, joined
from mineproof.reasoning.proofs.statements import COUNT, Line, What


class CaseTeller:
    """Tells what follows from an assumption: `known` is what is settled or assumed."""

    def __init__(self, namer: Namer, known: dict[int, bool]) -> None:
        self._namer, self._known = namer.knowing(known), known

    def tell(self, lines: Sequence[Line]) -> str:
        """The lines of one case, up to where it clashes or splits."""
        namer, parts = self._namer, []
        for place, (what, depth, clues, signs, cells, mine) in enumerate(lines):
            if what == What.FORCE:
                one, many = ("a mine", "mines") if mine else ("safe", "safe")
                verb = f"is {one}" if len(cells) == 1 else f"are {many}"
                parts.append(f"{namer.cells(cells)} {verb} by {namer.name(clues[0])}")
                self._known.update(dict.fromkeys(cells, mine))
            elif what == What.CLASH:
                end = self._clash(clues[0]) if len(clues) == 1 else self._sum_clash(clues, signs)
                parts.append(f"and {end}" if parts else end)
            else:
                second = next(
                    n
                    for n in range(place + 1, len(lines))
                    if lines[n].what == What.ASSUME and lines[n].depth == depth
                )
                cases = (lines[place:second], lines[second:])
                parts.append("; ".join(map(self._case, cases)))
                break
        return ", ".join(parts)

    def _case(self, lines: Sequence[Line]) -> str:
        (cell,), mine = lines[0].cells, lines[0].mine
        told = CaseTeller(self._namer, {**self._known, cell: mine}).tell(lines[1:])
        return f"[if {self._namer.at(cell)} is {'a mine' if mine else 'safe'}: {told}]"

    def _sum_clash(self, clues: Sequence[int], signs: Sequence[int]) -> str:
        """Why some clues cannot hold together."""
        namer = self._namer
        if clues[-1] != COUNT or len(set(signs[:-1])) > 1 or signs[0] == signs[-1]:
            both = joined([namer.name(clue) for clue in clues])
            return f"{both} would clash: {namer.equation(clues, signs)}"
        named = joined([namer.name(clue) for clue in clues[:-1]])
        left = namer.left(COUNT).low
        parts = [namer.left(clue) for clue in clues[:-1]]
        needed = sum(part.low for part in parts)
        mines = f"{left} mine{'s' * (left != 1)}"
        if are_apart(parts) and needed > left:
            return f"{named} would need {needed} more mines where {mines} would be left"
        return f"{named} would clash with the {mines} left: {namer.equation(clues, signs)}"

    def _clash(self, clue: int) -> str:
        """How one clue cannot hold."""
        name, statement = self._namer.name(clue), self._namer.statement(clue)
        seen = 0 if clue == COUNT else len(self._namer.hit(clue))
        mines = sum(self._known.get(cell, False) for cell in statement.cells)
        room = sum(self._known.get(cell, True) for cell in statement.cells)
        if mines >= statement.allowed.bit_length():
            end = "would be too low" if clue == COUNT else f"would see {mines + seen}"
        elif (1 << room + 1) - 1 & statement.allowed:
            end = "could not hold"
        else:
            end = "would be too high" if clue == COUNT else f"would see {room + seen} at most"
        return f"{name} {end}"
