"""Proofs in words: each step so short that it can be checked by looking at the board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from mineproof.reasoning.deductions import at
from mineproof.reasoning.proofs.statements import COUNT, Inference, Kind, Line, Statement, What
from mineproof.world.geometry import Cell
from mineproof.world.view import EXPLODED, NO_CLUE, View

_MOST = 8
"""Cells that are named one by one; of more, how many others there are."""


class Teller:
    """Tells the steps of one proof, in order: what one settles the next may use."""

    def __init__(self, view: View, statements: Iterable[Statement]) -> None:
        self._view = view
        self._statements = {statement.clue: statement for statement in statements}
        self._known: dict[int, bool] = {}

    def tell(self, step: Inference) -> str:
        """A step in words."""
        words = _TOLD[step.kind](self, step)
        self._known.update(step.settled)
        return words

    # How things are named.

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
        hit = len(self._hit(clue))
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
        return at(self._view.grid.cell(index))

    def cells(self, indices: Iterable[int]) -> str:
        """Some cells: `(1,2)`, `(1,2) and (1,3)`, or the first and how many more."""
        return listing(self._view.grid.cells(sorted(indices)))

    def verdict(self, step: Inference) -> str:
        """What a step settles: `so (1,2) is safe and (1,3) is a mine`."""
        parts = []
        for mine, one, many in ((True, "a mine", "mines"), (False, "safe", "safe")):
            found = [cell for cell, is_mine in step.settled if is_mine == mine]
            if found:
                verb = f"is {one}" if len(found) == 1 else f"are {many}"
                parts.append(f"{self.cells(found)} {verb}")
        return "so " + " and ".join(parts)

    def _hit(self, clue: int) -> list[int]:
        """The exploded cells that a statement counts already."""
        return [i for i in self._view.grid.around(clue) if self._view.states[i] == EXPLODED]

    def _left(self, clue: int) -> tuple[list[int], int, int, list[int]]:
        """What a statement leaves open: the cells, the least and most mines; the mines it has."""
        statement = self._statements[clue]
        cells, bounds = statement.left(self._known)
        low, high = bounds or (0, len(cells))
        mines = [cell for cell in statement.cells if self._known.get(cell)]
        return cells, low, high, mines + ([] if clue == COUNT else self._hit(clue))

    # One kind of step each.

    def by_clue(self, step: Inference) -> str:
        """One clue has all its mines, or needs all its cells."""
        clue = step.clues[0]
        cells, low, _, mines = self._left(clue)
        name = capital(self.name(clue))
        if not step.settled[0][1]:
            if not mines:
                return f"{name} has no mine around it, {self.verdict(step)}."
            has = "its mine" if len(mines) == 1 else f"its {len(mines)} mines"
            return f"{name} has {has} already, {self.cells(mines)}, {self.verdict(step)}."
        more = f" {low} more than {self.cells(mines)}" if mines else f" {low}"
        left = f"only {len(cells)} cell{'s' * (len(cells) > 1)} left"
        rest = "" if len(cells) == len(step.settled) else f", {self.cells(cells)}"
        return f"{name} needs{more} and has {left}{rest}, {self.verdict(step)}."

    def by_pattern(self, step: Inference) -> str:
        """Clues in a row along a wall."""
        numbers = [self._left(clue)[1] for clue in step.clues]
        shown = [self._view.states[clue] for clue in step.clues]
        less = "" if shown == numbers else ", less the mines they have,"
        return (
            f"The clues at {self.cells(step.clues)}{less} are a {'-'.join(map(str, numbers))} "
            f"along a wall, {self.verdict(step)}."
        )

    def by_two(self, step: Inference) -> str:
        """One clue has more mines than another leaves it in the cells they share."""
        one, two = step.clues
        cells, low, _, mines = self._left(one)
        others, _, high, _ = self._left(two)
        shared = [cell for cell in cells if cell in others]
        own = [cell for cell in cells if cell not in shared]
        more = " more" if mines else ""
        both = self.cells(shared)
        pattern = self._pattern(one, two, low, high)
        if not own:
            has = f"all {low}{more} mines" if low > 1 else f"the mine{more and ' still missing'}"
            why = f"{has} of {self.name(one)} {'are' if low > 1 else 'is'} in {both}"
            end = f"and that is all that {self.name(two)} can have"
            return f"{pattern}{capital(why)}, {end}, {self.verdict(step)}."
        most = f"at most {high} of them" if high else "none of them"
        needs = f"{capital(self.name(one))} needs {low}{more} mine{'s' * (low != 1)}, {most} in {both}"
        others = "" if all(mine for _, mine in step.settled) else self._spoken_for(one, two, own)
        return f"{pattern}{needs} by {self.name(two)}{others}, {self.verdict(step)}."

    def _spoken_for(self, one: int, two: int, own: list[int]) -> str:
        """Why two clues that overlap leave the second none beside what they share."""
        verb = "is a mine" if len(own) == 1 else "are mines"
        rest = f"{self.cells(own)} {verb}, and the rest of {self.at(one)} is all {self.at(two)} has"
        return f": {rest}"

    def _pattern(self, one: int, two: int, low: int, high: int) -> str:
        """The name of a pair of clues side by side, as players call it."""
        grid = self._view.grid
        (a, b), (c, d) = grid.cell(one), grid.cell(two)
        numbers = sorted((low, high))
        if abs(a - c) + abs(b - d) == 1 and numbers in ([1, 1], [1, 2]):
            return f"A {numbers[0]}-{numbers[1]}. "
        return ""

    def by_sum(self, step: Inference) -> str:
        """Equations added and taken away."""
        added = [clue for clue, sign in zip(step.clues, step.signs, strict=True) if sign > 0]
        taken = [clue for clue, sign in zip(step.clues, step.signs, strict=True) if sign < 0]
        words = "Add " + joined([self.name(clue) for clue in added])
        if len(added) == 1:
            words = f"From {self.name(added[0])}"
        if taken:
            verb = "take away" if len(added) > 1 else "take"
            words += f", {verb} " if len(added) > 1 else f" {verb} "
            words += joined([self.name(clue) for clue in taken])
        return f"{words}: {self.equation(step)}, {self.verdict(step)}."

    def equation(self, step: Inference) -> str:
        """The sum of a step: `(1,2) + (1,3) - (2,4) = 2`."""
        return self.equation_of(step.clues, step.signs)

    def equation_of(self, clues: Sequence[int], signs: Sequence[int]) -> str:
        """What statements, added and taken away, say of the cells that are left."""
        terms: dict[int, int] = {}
        least = most = 0
        for clue, sign in zip(clues, signs, strict=True):
            cells, low, high, _ = self._left(clue)
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
            for cell in groups[number][:_MOST]:
                times = "" if abs(number) == 1 else f"{abs(number)} "
                parts.append(f"{'-' if number < 0 else '+'} {times}{self.at(cell)}")
            if len(groups[number]) > _MOST:
                others = len(groups[number]) - _MOST
                parts.append(f"{'-' if number < 0 else '+'} {others} other cells")
        return " ".join(parts).removeprefix("+ ") or "0"

    def by_count(self, step: Inference) -> str:
        """The mine count, less what clues hold."""
        cells, left, _, mines = self._left(COUNT)
        total = f"{left} mine{'s' * (left != 1)}"
        found = f" besides the {len(mines)} found so far" if mines else ""
        count = f"{total} {'are' if left != 1 else 'is'} left{found}"
        if len(step.clues) == 1:
            room = "no" if not left else f"just {len(cells)}"
            return f"{capital(count)}, and {room} cells for them, {self.verdict(step)}."
        taken = list(zip(step.clues[:-1], step.signs[:-1], strict=True))
        parts = [set(self._left(clue)[0]) for clue, _ in taken]
        apart = sum(map(len, parts)) == len(set().union(*parts))
        if apart and all(sign < 0 for _, sign in taken):
            held = joined([f"{self._held(clue, step)} around {self.name(clue)}" for clue, _ in taken])
            room = len(cells) - sum(map(len, parts))
            mine = step.settled[0][1] == (step.settled[0][0] not in set().union(*parts))
            end = f"the other {room} cells have them all" if mine else "none is left for the others"
            return f"{capital(count)}: {held}; {end}, {self.verdict(step)}."
        names = joined([f"{'less' if sign < 0 else 'plus'} {self.name(c)}" for c, sign in taken])
        return f"{capital(count)}; {names}: {self.equation(step)}, {self.verdict(step)}."

    def _held(self, clue: int, step: Inference) -> str:
        _, low, high, _ = self._left(clue)
        if low == high:
            return str(low)
        settled = dict(step.settled)
        other = next(cell for cell in settled if cell not in self._statements[clue].cells)
        return f"at most {high}" if settled[other] else f"at least {low}"

    def by_cases(self, step: Inference) -> str:
        """The opposite leads to a clue that cannot hold."""
        (cell,), mine = step.lines[0].cells, step.lines[0].mine
        told = self._lines(step.lines[1:], {**self._known, cell: mine})
        supposed = "a mine" if mine else "safe"
        return f"If {self.at(cell)} were {supposed}: {told}; {self.verdict(step)}."

    def _lines(self, lines: Sequence[Line], known: dict[int, bool]) -> str:
        """The lines of one case, with their consequences, up to where it clashes or splits."""
        parts = []
        for place, (what, depth, clues, signs, cells, mine) in enumerate(lines):
            if what == What.FORCE:
                one, many = ("a mine", "mines") if mine else ("safe", "safe")
                verb = f"is {one}" if len(cells) == 1 else f"are {many}"
                parts.append(f"{self.cells(cells)} {verb} by {self.name(clues[0])}")
                known = {**known, **dict.fromkeys(cells, mine)}
            elif what == What.CLASH:
                end = self._sum_clash(clues, signs, known)
                if len(clues) == 1:
                    end = f"{self.name(clues[0])} {self._clash(clues[0], known)}"
                parts.append(f"and {end}" if parts else end)
            else:
                second = next(
                    n
                    for n in range(place + 1, len(lines))
                    if lines[n].what == What.ASSUME and lines[n].depth == depth
                )
                cases = (lines[place:second], lines[second:])
                parts.append("; ".join(self._case(case, known) for case in cases))
                break
        return ", ".join(parts)

    def _case(self, lines: Sequence[Line], known: dict[int, bool]) -> str:
        (cell,), mine = lines[0].cells, lines[0].mine
        told = self._lines(lines[1:], {**known, cell: mine})
        return f"[if {self.at(cell)} is {'a mine' if mine else 'safe'}: {told}]"

    def _sum_clash(
        self, clues: Sequence[int], signs: Sequence[int], known: dict[int, bool]
    ) -> str:
        """Why some clues cannot hold together."""
        teller = Teller(self._view, self._statements.values())
        teller._known = known
        if clues[-1] != COUNT or len(set(signs[:-1])) > 1 or signs[0] == signs[-1]:
            both = joined([self.name(clue) for clue in clues])
            return f"{both} would clash: {teller.equation_of(clues, signs)}"
        named = joined([self.name(clue) for clue in clues[:-1]])
        left = teller._left(COUNT)[1]
        needed = sum(teller._left(clue)[1] for clue in clues[:-1])
        parts = [set(teller._left(clue)[0]) for clue in clues[:-1]]
        apart = sum(map(len, parts)) == len(set().union(*parts))
        mines = f"{left} mine{'s' * (left != 1)}"
        if apart and needed > left:
            return f"{named} would need {needed} more mines where {mines} would be left"
        return f"{named} would clash with the {mines} left: {teller.equation_of(clues, signs)}"

    def _clash(self, clue: int, known: dict[int, bool]) -> str:
        statement = self._statements[clue]
        hit = 0 if clue == COUNT else len(self._hit(clue))
        mines = sum(known.get(cell, False) for cell in statement.cells)
        if mines >= statement.allowed.bit_length():
            return f"would see {mines + hit}" if clue != COUNT else "would be too low"
        room = sum(known.get(cell, True) for cell in statement.cells)
        if (1 << room + 1) - 1 & statement.allowed:
            return "could not hold"
        return f"would see {room + hit} at most" if clue != COUNT else "would be too high"


_TOLD: dict[Kind, Callable[[Teller, Inference], str]] = {
    Kind.CLUE: Teller.by_clue,
    Kind.PATTERN: Teller.by_pattern,
    Kind.SUBSET: Teller.by_two,
    Kind.PAIR: Teller.by_two,
    Kind.SUM: Teller.by_sum,
    Kind.COUNT: Teller.by_count,
    Kind.CASES: Teller.by_cases,
}


def joined(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def listing(cells: Sequence[Cell]) -> str:
    """Some cells, as sentences name them; of very many the first ones."""
    named = list(map(at, cells))
    if len(named) > _MOST:
        return f"{', '.join(named[: _MOST - 1])} and {len(named) - _MOST + 1} more"
    return joined(named)


def capital(text: str) -> str:
    """The text with a capital at its head."""
    return text[:1].upper() + text[1:]
