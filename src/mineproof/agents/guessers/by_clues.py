"""Guesses by what single clues say, or by nothing but the shared order."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mineproof._engine import twin
from mineproof.agents.guessers.order import CLOSE, SharedOrder, can_be_opened, tell_shares
from mineproof.errors import counted
from mineproof.reasoning.equations import Equation
from mineproof.reasoning.knowledge import Knowledge
from mineproof.world.move import Move


@twin("in_order")
def in_order(knowledge: Knowledge, order: SharedOrder) -> Move | None:
    """The next cell of the shared order."""
    index = order.first(knowledge)
    if index is None:
        return None
    why = "nothing is certain: the next cell of the shared random order"
    return Move(knowledge.grid.cell(index), "open", None, False, why)


def corners_then_edges(knowledge: Knowledge, order: SharedOrder) -> Move | None:
    """After the first cell: corners, then edges, then the others (report 003).

    Each in the shared order; the first cell of all is the next in that order, wherever it lies.
    """
    return _from_the_rim(knowledge, order, order.least, "in the shared order")


def corners_then_edges_by_index(knowledge: Knowledge, order: SharedOrder) -> Move | None:
    """The same with corners and edges in a fixed order, row by row, as report 003 queues them."""
    return _from_the_rim(knowledge, order, min, "in a fixed order")


def _from_the_rim(
    knowledge: Knowledge,
    order: SharedOrder,
    first: Callable[[list[int]], int],
    how: str,
) -> Move | None:
    if knowledge.covered == knowledge.grid.size:
        return in_order(knowledge, order)
    rows, cols = knowledge.grid.rows, knowledge.grid.cols

    def rims(index: int) -> int:
        row, col = divmod(index, cols)
        return (row in {0, rows - 1}) + (col in {0, cols - 1})

    for kind, sides in (("corner", 2), ("edge", 1)):
        cells = [i for i in _rim(knowledge) if rims(i) == sides]
        if cells:
            why = f"nothing is certain: the next {kind} {how}"
            return Move(knowledge.grid.cell(first(cells)), "open", None, False, why)
    return in_order(knowledge, order)


def _rim(knowledge: Knowledge) -> Iterator[int]:
    return (index for index in knowledge.grid.rim() if can_be_opened(knowledge, index))


@twin("clue_ratio")
def least_clue_ratio(knowledge: Knowledge, order: SharedOrder) -> Move | None:
    """Beside the clue with the fewest mines left a hidden cell (report 001)."""
    best: tuple[float, int, Equation] | None = None
    if knowledge.tell is not None:
        ratios = {e.clue: _ratio(e) for e in knowledge.equations.values() if e.cells}
        tell_shares(knowledge, "the share of mines around each clue", ratios)
    for equation in knowledge.equations.values():
        if any(can_be_opened(knowledge, index) for index in equation.cells):
            rank = (_ratio(equation), order.key(equation.clue), equation)
            if best is None or rank[:2] < best[:2]:
                best = rank
    if best is None:
        return in_order(knowledge, order)
    ratio, _, equation = best
    cells = [index for index in equation.cells if can_be_opened(knowledge, index)]
    clue = knowledge.grid.name(equation.clue)
    why = f"of all clues {clue} has the least share of mines around: {ratio:.0%}"
    return Move(knowledge.grid.cell(order.least(cells)), "open", ratio, False, why)


def _ratio(equation: Equation) -> float:
    """The share of mines among a clue's cells, if it says one; else the middle of its range."""
    share = (equation.least + equation.most) / 2 / len(equation.cells)
    return min(max(share, 0.0), 1.0)


@twin("local_probability")
def least_local_probability(knowledge: Knowledge, order: SharedOrder) -> Move | None:
    """The least chance of a mine as single clues tell it, the largest of them (report 002).

    Cells without clues have the chance of all cells together.
    """
    risks: dict[int, float] = {}
    for equation in knowledge.equations.values():
        if equation.cells:
            ratio = _ratio(equation)
            for index in equation.cells:
                risks[index] = max(risks.get(index, 0.0), ratio)
    risks = {index: risk for index, risk in risks.items() if can_be_opened(knowledge, index)}
    tell_shares(knowledge, "the chance of a mine as single clues tell it", risks)
    elsewhere = order.first(knowledge, lambda index: not knowledge.holding(index))
    overall = _overall(knowledge)
    if elsewhere is not None and overall is not None:
        risks[elsewhere] = overall
    if not risks:
        return in_order(knowledge, order)
    least = min(risks.values())
    index = order.least(index for index, risk in risks.items() if risk <= least + CLOSE)
    whose = "no clue tells of it; of all cells" if index == elsewhere else "as single clues tell it"
    why = f"the least chance of a mine: {least:.1%}, {whose}"
    return Move(knowledge.grid.cell(index), "open", least, False, why)


def _overall(knowledge: Knowledge) -> float | None:
    """The share of mines among all cells whose truth is open, if anything is known of it."""
    left = knowledge.mines_left
    if left is None:
        return knowledge.rules.density
    hidden = knowledge.covered - len(knowledge.settled)
    return min(max(left / hidden, 0.0), 1.0) if hidden else None


@twin("clue_sum")
def least_clue_sum(knowledge: Knowledge, order: SharedOrder) -> Move | None:
    """Next to opened cells, where the clues around sum to the least (report 004).

    Ties go to the first on the board, not in the shared order: so its figures come out.
    """
    sums: dict[int, int] = {}
    for equation in knowledge.equations.values():
        for index in equation.cells:
            sums[index] = sums.get(index, 0) + knowledge.states[equation.clue]
    sums = {index: total for index, total in sums.items() if can_be_opened(knowledge, index)}
    if not sums:
        return in_order(knowledge, order)
    least = min(sums.values())
    if knowledge.tell is not None:
        number = sum(total == least for total in sums.values())
        have = "has" if number == 1 else "have"
        knowledge.tell(
            f"clues around {counted(len(sums), 'cell')} summed: {number} {have} the least, {least}"
        )
    index = min(index for index, total in sums.items() if total == least)
    why = f"the clues around it sum to the least: {least}"
    return Move(knowledge.grid.cell(index), "open", None, False, why)
