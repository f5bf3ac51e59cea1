"""Report 004's backtracking: equations added up, and all ways to satisfy the sum.

A risk and never a deduction: the sum forgets most of what its equations say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from mineproof.agents.guessers.order import Guesser, SharedOrder, can_be_opened
from mineproof.reasoning.describing import shares_text
from mineproof.reasoning.equations import Equation
from mineproof.reasoning.knowledge import Knowledge
from mineproof.world.move import Move

ENOUGH = 0.85
"""A cell that is clear in more than this share of the solutions is opened."""


@dataclass(frozen=True)
class LikelyClear:
    """The first cell that is clear in more than 85 % of the solutions of a summed equation."""

    otherwise: Guesser

    def __str__(self) -> str:
        return f"likely_clear, {getattr(self.otherwise, '__name__', self.otherwise)}"

    def __call__(self, knowledge: Knowledge, order: SharedOrder) -> Move | None:
        """The guess, if there is a cell to open."""
        likely = _likely(knowledge)
        if knowledge.tell is not None:
            shares = {index: share for cells in likely.values() for index, share in cells}
            title = "clear in more than 85 % of the solutions of a summed equation"
            knowledge.tell(shares_text(title, shares, knowledge.grid))
        for clue in sorted(clue for clue, cells in likely.items() if cells):
            for index, share in likely[clue]:
                if can_be_opened(knowledge, index):
                    whose = knowledge.grid.name(clue)
                    why = f"clear in {share:.0%} of the ways to satisfy {whose} and its neighbours"
                    cell = knowledge.grid.cell(index)
                    return Move(cell, "open", 1.0 - share, False, f"{why}, added up")
        return self.otherwise(knowledge, order)


Likely = list[tuple[int, float]]


def _likely(knowledge: Knowledge) -> dict[int, Likely]:
    """By clue: the cells of its sum that are likely clear. Only what changed is counted again."""
    memo: dict[int, Likely] = knowledge.memo("backtracking")
    stale = set()
    for equation in knowledge.fresh("backtracking"):
        stale.add(equation.clue)
        stale.update(e.clue for index in equation.cells for e in knowledge.holding(index))
    for clue in stale:
        equation = knowledge.equations[clue]
        shares = clear_shares(_sharing(knowledge, equation)) if equation.cells else {}
        memo[clue] = [(index, share) for index, share in shares.items() if share > ENOUGH]
    return memo


def _sharing(knowledge: Knowledge, first: Equation) -> list[Equation]:
    """The equations that share a cell with this one, itself among them."""
    found = {e.clue: e for index in first.cells for e in knowledge.holding(index)}
    return [found[clue] for clue in sorted(found)]


def clear_shares(equations: Iterable[Equation]) -> dict[int, float]:
    """In what share of the solutions of the summed equations each cell is clear.

    Cells count as often as equations hold them. Solutions are counted sum by sum, not
    listed: there are up to 2^n of them. Empty if there is none.
    """
    times: Counter[int] = Counter()
    total = 0
    for equation in equations:
        times.update(equation.cells)
        total += equation.least
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
