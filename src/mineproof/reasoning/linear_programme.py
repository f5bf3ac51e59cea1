"""Linear programmes (HiGHS): the smallest and the largest value that a cell can have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import inf
from typing import Any

from mineproof.extras import need
from mineproof.phrases import Phrase
from mineproof.reasoning.deductions import Deduction, Entry
from mineproof.reasoning.equations import COUNT, Equation, System, is_one_sided
from mineproof.reasoning.reason_phrases import shares_entry

SURE = 1e-6
"""A bound further than this from 0 or 1 excludes that value. Vertices of these programmes are
fractions with small denominators, and HiGHS is accurate to 1e-7."""


def linear_programme(system: System) -> Iterator[Deduction]:
    """Deduce mines (cells whose smallest value is above 0) and safe cells (largest below 1).

    Fractions between 0 and 1 are allowed, so whatever they exclude is excluded for whole numbers
    too. If every clue is only a lower bound (optimistic clues), or every clue only an upper
    bound, and the mine count is not known, nothing follows beyond single clues, and nothing is
    solved: with lower bounds, mines in all cells but one satisfy all clues, unless one of them
    needs every cell; with upper bounds, one mine does, unless a clue allows none.
    """
    equations = [equation for equation in system.equations.values() if equation.cells]
    count = system.equations.get(COUNT)
    clues = [equation for equation in equations if equation.clue != COUNT]
    if not clues or (count is None and is_one_sided(clues)):
        if system.report is not None:
            system.report(Entry(Phrase("log.no-programme")))
        return
    programme = _Programme(clues, count)
    found = programme.settled()
    if system.report is not None:
        title = Phrase("log.programme", {"clues": len(clues), "cells": len(programme.cells)})
        system.report(shares_entry(title, programme.bounds, system.grid))
    # All are found before any is applied: none depends on another.
    yield from [_deduction(system, index, mine, programme) for index, mine in sorted(found.items())]


def largest_sum(system: System) -> Iterator[Deduction]:
    """Repeat the attempt of report 000: maximise the mines and trust values of 0 and 1.

    Unsound, because one solution of many proves nothing about a cell. As in the report, the
    mine count is one more row of the same kind as the clues: a lower bound if they are lower
    bounds, an upper bound if they are upper bounds. Here cells are at most 1; without that, as in
    the report, there is no largest sum if clues are lower bounds.
    """
    equations = [equation for equation in system.equations.values() if equation.cells]
    clues = [equation for equation in equations if equation.clue != COUNT]
    if not clues:
        return
    values = _Programme(clues, _as_the_clues(clues, system.equations.get(COUNT))).largest()
    if system.report is not None:
        _log_largest(system, values, system.report)
    names = tuple(system.grid.cells(sorted(equation.clue for equation in clues)))
    for index, value in sorted(values.items()):
        if value <= SURE or value >= 1 - SURE:
            mine = value > SURE
            why = Phrase("largest-sum.value", {"value": round(value)})
            cell = system.grid.cell(index)
            yield Deduction(cell, mine, "largest-sum", names, (), why, every_clue=True)


def _log_largest(
    system: System, values: Mapping[int, float], report: Callable[[Entry], None]
) -> None:
    """Log the solution; if there is none, that the programme failed and what happens instead."""
    if values and not has_largest_sum(system):
        report(Entry(Phrase("log.no-largest-sum")))
    if values:
        report(shares_entry(Phrase("log.largest-sum"), values, system.grid))
    else:
        report(Entry(Phrase("log.programme-fails")))


def has_largest_sum(system: System) -> bool:
    """Return whether report 000's programme, without an upper bound for cells, has a solution."""
    clues = [e for e in system.equations.values() if e.cells and e.clue != COUNT]
    count = _as_the_clues(clues, system.equations.get(COUNT))
    return bool(clues) and bool(_Programme(clues, count, most=inf).largest())


def _as_the_clues(clues: list[Equation], count: Equation | None) -> Equation | None:
    """Return the mine count as a row of the same kind as the clues."""
    if count is None:
        return None
    only_least = all(equation.most >= len(equation.cells) for equation in clues)
    only_most = all(equation.least <= 0 for equation in clues)
    least = 0 if only_most and not only_least else count.least
    most = len(count.cells) if only_least and not only_most else count.most
    return Equation(COUNT, count.cells, [], least, most)


def _deduction(system: System, index: int, mine: bool, programme: _Programme) -> Deduction:
    """Return the deduction of a cell with the clues whose duals force its bound, and no others."""
    grid, duals = system.grid, programme.duals[index]
    clues = sorted(clue for clue in duals if clue != COUNT)
    known = sorted({other for clue in duals for other in system.equations[clue].known})
    bound = f"{programme.bounds[index]:.3g}"
    why = Phrase(
        "linear-programme.bound", {"terms": _terms(system, duals), "mine": mine, "bound": bound}
    )
    return Deduction(
        grid.cell(index),
        mine,
        "linear-programme",
        tuple(grid.cells(clues)),
        tuple(grid.cells(known)),
        why,
        count_used=COUNT in duals,
    )


def _terms(system: System, duals: Mapping[int, float]) -> list[Phrase]:
    """Return the combination of clues that gives a bound: `(1,2) - 0.5 x (1,3) + mine count`."""
    terms: list[Phrase] = []
    for clue, factor in sorted(
        duals.items(), key=lambda item: (item[1] < 0, item[0] == COUNT, item)
    ):
        sign = "- " if factor < 0 else "+ " if terms else ""
        factor_text = "" if abs(abs(factor) - 1) < SURE else f"{abs(factor):.3g} x "
        if clue == COUNT:
            terms.append(Phrase("linear-programme.count", {"factor": sign + factor_text}))
        else:
            values = {"factor": sign + factor_text, "at": system.grid.cell(clue)}
            terms.append(Phrase("linear-programme.clue", values))
    return terms


class _Programme:
    """One programme, solved for one cell after the other.

    Every solution shows for all cells that are 0 or 1 in it that they can be, so they need not be
    checked again. Interior cells are equivalent and have one variable for their sum.
    """

    def __init__(self, clues: list[Equation], count: Equation | None, *, most: float = 1.0) -> None:
        self.cells = sorted({index for equation in clues for index in equation.cells})
        self.outside = sorted(count.cells.difference(self.cells)) if count is not None else []
        self.bounds: dict[int, float] = {}
        self.duals: dict[int, dict[int, float]] = {}
        """By cell, the factor of each clue that contributes to its bound."""
        self._clues = [equation.clue for equation in clues]
        self._column = {index: i for i, index in enumerate(self.cells)}
        self._can_be_safe = [False] * len(self.cells)
        self._can_be_mined = [False] * len(self.cells)
        self._solver, self._names = _new_solver()
        for _ in self.cells:
            self._solver.addVar(0.0, most)
        for equation in clues:
            self._row(equation, sorted(self._column[index] for index in equation.cells))
        if count is not None:
            self._solver.addVar(0.0, most * len(self.outside) if self.outside else 0.0)
            self._row(count, list(range(len(self.cells) + 1)))
            self._clues.append(COUNT)

    def settled(self) -> dict[int, bool]:
        """Return the cells that can only be mines (True) or only be safe (False)."""
        found = {}
        for index in self.cells:
            column = self._column[index]
            if not self._can_be_safe[column]:
                least = self._extreme(column, most=False)
                if least is None:
                    return {}  # the clues are inconsistent
                if least > SURE:
                    found[index] = True
                    self.bounds[index] = least
                    continue
            if not self._can_be_mined[column]:
                most = self._extreme(column, most=True)
                if most is not None and most < 1 - SURE:
                    found[index] = False
                    self.bounds[index] = most
        return found

    def largest(self) -> dict[int, float]:
        """Return the values of all cells with the largest sum; empty if there is no such sum."""
        for column in range(len(self.cells) + bool(self.outside)):
            self._solver.changeColCost(column, 1.0)
        self._solver.changeObjectiveSense(self._names.ObjSense.kMaximize)
        self._solver.run()
        self.status = self._solver.getModelStatus()
        if self.status != self._names.HighsModelStatus.kOptimal:
            return {}
        values = [abs(float(value)) for value in self._solver.getSolution().col_value]  # no -0
        found = dict(zip(self.cells, values, strict=False))
        for index in self.outside:
            found[index] = values[len(self.cells)] / len(self.outside)
        return found

    def _row(self, equation: Equation, columns: list[int]) -> None:
        ones = [1.0] * len(columns)
        # An upper bound that always holds adds nothing, and none is set if cells have none.
        most = inf if equation.most >= len(equation.cells) else float(equation.most)
        self._solver.addRow(float(equation.least), most, len(columns), columns, ones)

    def _extreme(self, column: int, *, most: bool) -> float | None:
        """Return the smallest or largest value of a cell; None if the clues are inconsistent."""
        solver, names = self._solver, self._names
        solver.changeObjectiveSense(names.ObjSense.kMaximize if most else names.ObjSense.kMinimize)
        solver.changeColCost(column, 1.0)
        solver.run()
        fits = solver.getModelStatus() == names.HighsModelStatus.kOptimal
        solution = solver.getSolution()
        values = list(solution.col_value)
        self.duals[self.cells[column]] = {
            clue: factor
            for clue, factor in zip(self._clues, solution.row_dual, strict=True)
            if abs(factor) > SURE
        }
        solver.changeColCost(column, 0.0)  # which forgets the solution
        if not fits:
            return None
        for i in range(len(self.cells)):
            self._can_be_safe[i] |= values[i] <= SURE
            self._can_be_mined[i] |= values[i] >= 1 - SURE
        return abs(float(values[column]))  # no -0


def solver_package() -> Any:
    """Return HiGHS; if it is not installed, raise an error that says how to install it."""
    return need("highspy", "lp")


def _new_solver() -> tuple[Any, Any]:
    highspy = solver_package()
    solver: Any = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    return solver, highspy
