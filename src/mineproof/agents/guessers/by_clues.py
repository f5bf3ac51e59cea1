"""Guesses by single clues, or by the shared random order alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mineproof._engine import twin
from mineproof.agents.guessers.shared_order import CLOSE, SharedOrder, can_be_opened, log_shares
from mineproof.phrases import Phrase
from mineproof.reasoning.deductions import Entry
from mineproof.reasoning.equations import Equation
from mineproof.reasoning.knowledge import Knowledge
from mineproof.world.move import Move


@twin("in_order")
def in_order(knowledge: Knowledge, order: SharedOrder) -> Move | None:
    """Guess the next cell of the shared random order."""
    return _next(knowledge, order, Phrase("guess.random"))


@twin("in_order")
def always_in_order(knowledge: Knowledge, order: SharedOrder) -> Move | None:
    """Open the next cell of the shared random order; for agents that look for no safe cell."""
    return _next(knowledge, order, Phrase("guess.in-order"))


def _next(knowledge: Knowledge, order: SharedOrder, why: Phrase) -> Move | None:
    index = order.first(knowledge)
    return None if index is None else Move(knowledge.grid.cell(index), "open", None, False, why)


def corners_then_edges(knowledge: Knowledge, order: SharedOrder) -> Move | None:
    """Guess corners, then edges, then the other cells (report 003), in the shared order.

    The first move of a game is the next cell of that order, wherever it is.
    """
    return _from_the_rim(knowledge, order, order.least, random=True)


def corners_then_edges_by_index(knowledge: Knowledge, order: SharedOrder) -> Move | None:
    """The same with corners and edges in a fixed order, row by row, as report 003 queues them."""
    return _from_the_rim(knowledge, order, min, random=False)


def _from_the_rim(
    knowledge: Knowledge,
    order: SharedOrder,
    first: Callable[[list[int]], int],
    *,
    random: bool,
) -> Move | None:
    if knowledge.covered == knowledge.grid.size:
        return in_order(knowledge, order)
    rows, cols = knowledge.grid.rows, knowledge.grid.cols

    def rims(index: int) -> int:
        row, col = divmod(index, cols)
        return (row in {0, rows - 1}) + (col in {0, cols - 1})

    for sides in (2, 1):
        cells = [i for i in _rim(knowledge) if rims(i) == sides]
        if cells:
            why = Phrase("guess.rim", {"sides": sides, "random": random})
            return Move(knowledge.grid.cell(first(cells)), "open", None, False, why)
    return in_order(knowledge, order)


def _rim(knowledge: Knowledge) -> Iterator[int]:
    return (index for index in knowledge.grid.border() if can_be_opened(knowledge, index))


@twin("clue_ratio")
def least_clue_ratio(knowledge: Knowledge, order: SharedOrder) -> Move | None:
    """Guess next to the clue with the lowest share of mines in its cells (report 001)."""
    best: tuple[float, int, Equation] | None = None
    if knowledge.report is not None:
        ratios = {e.clue: _ratio(e) for e in knowledge.equations.values() if e.cells}
        log_shares(knowledge, Phrase("log.clue-shares"), ratios)
    for equation in knowledge.equations.values():
        if any(can_be_opened(knowledge, index) for index in equation.cells):
            rank = (_ratio(equation), order.key(equation.clue), equation)
            if best is None or rank[:2] < best[:2]:
                best = rank
    if best is None:
        return in_order(knowledge, order)
    ratio, _, equation = best
    cells = [index for index in equation.cells if can_be_opened(knowledge, index)]
    clue = knowledge.grid.cell(equation.clue)
    why = Phrase("guess.clue-share", {"clue": clue, "share": ratio})
    return Move(knowledge.grid.cell(order.least(cells)), "open", ratio, False, why)


def _ratio(equation: Equation) -> float:
    """Return the share of mines among a clue's cells; for a range, its midpoint."""
    share = (equation.least + equation.most) / 2 / len(equation.cells)
    return min(max(share, 0.0), 1.0)


@twin("local_probability")
def least_local_probability(knowledge: Knowledge, order: SharedOrder) -> Move | None:
    """Guess the lowest risk as estimated from single clues (report 002).

    The risk of a cell is the highest that any of its clues implies; interior cells have the
    overall mine density.
    """
    risks: dict[int, float] = {}
    for equation in knowledge.equations.values():
        if equation.cells:
            ratio = _ratio(equation)
            for index in equation.cells:
                risks[index] = max(risks.get(index, 0.0), ratio)
    risks = {index: risk for index, risk in risks.items() if can_be_opened(knowledge, index)}
    log_shares(knowledge, Phrase("log.clue-risks"), risks)
    elsewhere = order.first(knowledge, lambda index: not knowledge.holding(index))
    overall = _overall(knowledge)
    if elsewhere is not None and overall is not None:
        risks[elsewhere] = overall
    if not risks:
        return in_order(knowledge, order)
    least = min(risks.values())
    index = order.least(index for index, risk in risks.items() if risk <= least + CLOSE)
    by_density = index == elsewhere
    why = Phrase("guess.single-clues", {"risk": least, "density": by_density})
    return Move(knowledge.grid.cell(index), "open", least, False, why)


def _overall(knowledge: Knowledge) -> float | None:
    """Return the share of mines among all unresolved cells, if it is known."""
    left = knowledge.mines_left
    if left is None:
        return knowledge.rules.density
    hidden = knowledge.covered - len(knowledge.settled)
    return min(max(left / hidden, 0.0), 1.0) if hidden else None


@twin("clue_sum")
def least_clue_sum(knowledge: Knowledge, order: SharedOrder) -> Move | None:
    """Guess the frontier cell whose neighbouring clues have the smallest sum (report 004).

    Ties go to the first cell on the board, not in the shared order, which reproduces the
    report's figures.
    """
    sums: dict[int, int] = {}
    for equation in knowledge.equations.values():
        for index in equation.cells:
            sums[index] = sums.get(index, 0) + knowledge.states[equation.clue]
    sums = {index: total for index, total in sums.items() if can_be_opened(knowledge, index)}
    if not sums:
        return in_order(knowledge, order)
    least = min(sums.values())
    if knowledge.report is not None:
        number = sum(total == least for total in sums.values())
        values = {"cells": len(sums), "number": number, "least": least}
        knowledge.report(Entry(Phrase("log.clue-sums", values)))
    index = min(index for index, total in sums.items() if total == least)
    why = Phrase("guess.clue-sum", {"sum": least})
    return Move(knowledge.grid.cell(index), "open", None, False, why)
