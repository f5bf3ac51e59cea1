"""Report 004's backtracking: equations added up, and all ways to satisfy the sum.

A risk and never a deduction: the sum forgets most of what its equations say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mineproof.agents.guessers.arrangements import count_all, said
from mineproof.agents.guessers.order import Guesser, SharedOrder, can_be_opened
from mineproof.errors import counted
from mineproof.reasoning.components import components
from mineproof.reasoning.describing import shares_text
from mineproof.reasoning.equations import Equation
from mineproof.reasoning.knowledge import Knowledge
from mineproof.world.geometry import Grid, name_cells
from mineproof.world.move import Move

MOST_SHOWN = 64
"""Solutions that a log lists for a summed equation."""
ENOUGH = 0.85
"""A cell that is clear in more than this share of the solutions is opened."""


class Left(NamedTuple):
    """What subsets left of an equation: so many of these cells are mines."""

    clue: int
    cells: frozenset[int]
    mines: int


@dataclass(frozen=True)
class LikelyClear:
    """The first cell that is clear in more than `enough` of the solutions of a summed equation.

    `joint`: of the solutions of all equations together, in place of those of the sum: that
    is what the sum stands for, and shows what its error costs.
    """

    otherwise: Guesser
    enough: float = ENOUGH
    joint: bool = False

    def __str__(self) -> str:
        return f"likely_clear, {getattr(self.otherwise, '__name__', self.otherwise)}"

    def __call__(self, knowledge: Knowledge, order: SharedOrder) -> Move | None:
        """The guess, if there is a cell to open."""
        likely = self._likely(knowledge)
        if knowledge.tell is not None:
            if not self.joint:
                _tell_sums(knowledge, knowledge.tell)
            shares = {index: share for cells in likely.values() for index, share in cells}
            of = "all equations" if self.joint else "a summed equation"
            title = f"clear in more than {self.enough:.0%} of the solutions of {of}"
            knowledge.tell(shares_text(title, shares, knowledge.grid))
        for clue in sorted(clue for clue, cells in likely.items() if cells):
            for index, share in likely[clue]:
                if can_be_opened(knowledge, index):
                    cell = knowledge.grid.cell(index)
                    return Move(cell, "open", 1.0 - share, False, self._why(knowledge, clue, share))
        return self.otherwise(knowledge, order)

    def _why(self, knowledge: Knowledge, clue: int, share: float) -> str:
        whose = knowledge.grid.name(clue)
        if self.joint:
            return f"clear in {share:.0%} of the ways to satisfy all clues linked with {whose}"
        return f"clear in {share:.0%} of the ways to satisfy {whose} and its neighbours, added up"

    def _likely(self, knowledge: Knowledge) -> dict[int, Likely]:
        """By clue: the cells of its sum that are likely clear; only what changed is counted."""
        memo: dict[int, Likely] = knowledge.memo("backtracking")
        seen: set[int] = set()
        for equation in knowledge.fresh("backtracking"):
            if equation.clue in seen:
                continue
            memo.pop(equation.clue, None)
            linked = knowledge.component(equation) if equation.cells else []
            seen.update(other.clue for other in linked)
            for other in linked:
                memo.pop(other.clue, None)
            memo.update(self._likely_of(linked))
        return memo

    def _likely_of(self, linked: Sequence[Equation]) -> dict[int, Likely]:
        if self.joint:
            return {linked[0].clue: self._enough(_joint_shares(linked))} if linked else {}
        left = left_after_subsets(linked)
        found: dict[int, Likely] = {}
        for one in left:
            sharing = [other for other in left if one.cells & other.cells]
            found.setdefault(one.clue, []).extend(self._enough(clear_shares(sharing)))
        return found

    def _enough(self, shares: Mapping[int, float]) -> Likely:
        return [(index, share) for index, share in shares.items() if share > self.enough]


Likely = list[tuple[int, float]]


def _tell_sums(knowledge: Knowledge, tell: Callable[[str], None]) -> None:
    """Each equation that is left, added to those that share cells with it, and the solutions."""
    for linked in components(e for e in knowledge.equations.values() if e.cells):
        left = left_after_subsets(linked)
        for one in left:
            sharing = [other for other in left if one.cells & other.cells]
            tell(_sum_text(one, sharing, knowledge.grid))


def _sum_text(one: Left, sharing: Sequence[Left], grid: Grid) -> str:
    """A summed equation, how many solutions it has, and the first of them."""
    times = Counter(index for other in sharing for index in other.cells)
    total, cells = sum(other.mines for other in sharing), sorted(times)
    terms = (f"{times[i]} " * (times[i] > 1) + grid.name(i) for i in cells)
    number = _ways([times[i] for i in cells], total)[-1].get(total, 0)
    lines = [
        f"summed for {grid.name(one.clue)}: {' + '.join(terms)} = {total}, "
        f"{counted(number, 'solution')}",
        *(name_cells(grid.cells(mines)) or "no mine" for mines in _solutions(times, total)),
    ]
    if number > MOST_SHOWN:
        lines.append(f"and {number - MOST_SHOWN} more")
    return "\n  ".join(lines)


def _solutions(times: Mapping[int, int], total: int) -> list[list[int]]:
    """The first ways to choose mines whose weights add up to the total."""
    cells = sorted(times)
    rest = [sum(times[i] for i in cells[place:]) for place in range(len(cells) + 1)]
    found: list[list[int]] = []

    def extend(place: int, chosen: list[int], left: int) -> None:
        if len(found) == MOST_SHOWN or not 0 <= left <= rest[place]:
            return
        if place == len(cells):
            found.append(chosen)
            return
        extend(place + 1, [*chosen, cells[place]], left - times[cells[place]])
        extend(place + 1, chosen, left)

    extend(0, [], total)
    return found


def _joint_shares(linked: Iterable[Equation]) -> dict[int, float]:
    """In what share of the solutions of all these equations each cell is clear."""
    everything = count_all(tuple(sorted(said(equation) for equation in linked)))
    shares = everything.shares(range(len(everything.cells) + 1))
    return {index: 1.0 - shares[index] for index in sorted(shares)}


def left_after_subsets(equations: Iterable[Equation]) -> list[Left]:
    """The equations with the cells of every smaller one that they hold taken out, by clue.

    One that was taken out of another stays; the same one twice is kept once.
    """
    left = [Left(e.clue, frozenset(e.cells), e.least) for e in equations if e.cells]
    left.sort(key=lambda one: one.clue)
    changed = True
    while changed:
        changed = False
        left = list({(one.cells, one.mines): one for one in reversed(left)}.values())[::-1]
        for small in left:
            for place, large in enumerate(left):
                if small.cells < large.cells:
                    rest = large.cells - small.cells
                    left[place] = Left(large.clue, rest, large.mines - small.mines)
                    changed = True
    return left


def clear_shares(equations: Iterable[Left]) -> dict[int, float]:
    """In what share of the solutions of the summed equations each cell is clear.

    Cells count as often as equations hold them. Solutions are counted sum by sum, not
    listed: there are up to 2^n of them. Empty if there is none.
    """
    times: Counter[int] = Counter()
    total = 0
    for equation in equations:
        times.update(equation.cells)
        total += equation.mines
    cells = sorted(times)
    before = _ways([times[index] for index in cells], total)
    after = _ways([times[index] for index in reversed(cells)], total)[::-1]
    solutions = before[-1].get(total, 0)
    if not solutions:
        return {}
    return {
        index: sum(n * after[i + 1].get(total - s, 0) for s, n in before[i].items()) / solutions
        for i, index in enumerate(cells)
    }


def _ways(times: list[int], most: int) -> list[dict[int, int]]:
    """In how many ways the first 0, 1, 2, ... of cells that count so often make each sum."""
    ways = [{0: 1}]
    for each in times:
        longer = dict(ways[-1])
        for s, number in ways[-1].items():
            if s + each <= most:
                longer[s + each] = longer.get(s + each, 0) + number
        ways.append(longer)
    return ways
