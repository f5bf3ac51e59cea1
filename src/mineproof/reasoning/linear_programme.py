"""The least and the most that a cell can be, by linear programmes (HiGHS)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mineproof.errors import counted
from mineproof.extras import need
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.describing import shares_text
from mineproof.reasoning.equations import COUNT, Equation, System, is_one_sided

SURE = 1e-6
"""A bound further than this from 0 or 1 excludes it. Corners of these programmes are
fractions with small denominators, and HiGHS is right to 1e-7."""


def linear_programme(system: System) -> Iterator[Deduction]:
    """A cell whose least value is above 0 is a mine; one whose most is below 1 is safe.

    Values between 0 and 1 are allowed on the way, so what is excluded is excluded for
    whole numbers too. Where every clue is only a least number (optimistic clues), or
    every clue only a most, and the count is not known, nothing follows beyond single
    clues: all cells mined but one satisfies all clues unless one of them needs every
    cell, and all cells safe but one unless one allows none. Then nothing is solved.
    """
    equations = [equation for equation in system.equations.values() if equation.cells]
    count = system.equations.get(COUNT)
    clues = [equation for equation in equations if equation.clue != COUNT]
    if not clues or (count is None and is_one_sided(clues)):
        if system.tell is not None:
            system.tell("no linear programme is solved: nothing follows beyond single clues")
        return
    programme = _Programme(clues, count)
    found = programme.settled()
    if system.tell is not None:
        number = f"{counted(len(clues), 'clue')} and {counted(len(programme.cells), 'cell')}"
        title = f"linear programme of {number}, the bounds of what it settles"
        system.tell(shares_text(title, programme.bounds, system.grid))
    for index, mine in sorted(found.items()):
        value = "at least" if mine else "at most"
        bound = programme.bounds[index]
        why = f"the linear programme of all clues gives it {value} {bound:.3g}: {_verdict(mine)}"
        known = sorted({other for equation in equations for other in equation.known})
        cells = system.grid.cells(sorted(equation.clue for equation in clues))
        yield Deduction(
            system.grid.cell(index),
            mine,
            "linear-programme",
            tuple(cells),
            tuple(system.grid.cells(known)),
            why,
            every_clue=True,
        )


def _verdict(mine: bool) -> str:
    return "a mine" if mine else "safe"


class _Programme:
    """One programme, solved for one cell after the other.

    Every solution is a witness for all cells that are 0 or 1 in it: those need not be
    asked for that any more. Cells that no clue touches are alike: one number for all.
    """

    def __init__(self, clues: list[Equation], count: Equation | None) -> None:
        self.cells = sorted({index for equation in clues for index in equation.cells})
        self.bounds: dict[int, float] = {}
        self._column = {index: i for i, index in enumerate(self.cells)}
        self._can_be_safe = [False] * len(self.cells)
        self._can_be_mined = [False] * len(self.cells)
        self._solver, self._names = _new_solver()
        for _ in self.cells:
            self._solver.addVar(0.0, 1.0)
        for equation in clues:
            self._row(equation, sorted(self._column[index] for index in equation.cells))
        if count is not None:
            self._solver.addVar(0.0, float(len(count.cells) - len(self.cells)))
            self._row(count, list(range(len(self.cells) + 1)))

    def settled(self) -> dict[int, bool]:
        """The cells that can only be one thing."""
        found = {}
        for index in self.cells:
            column = self._column[index]
            if not self._can_be_safe[column]:
                least = self._extreme(column, most=False)
                if least is None:
                    return {}  # nothing fits
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

    def _row(self, equation: Equation, columns: list[int]) -> None:
        ones = [1.0] * len(columns)
        self._solver.addRow(
            float(equation.least), float(equation.most), len(columns), columns, ones
        )

    def _extreme(self, column: int, *, most: bool) -> float | None:
        """The least or the most that a cell can be; None if nothing fits."""
        solver, names = self._solver, self._names
        solver.changeObjectiveSense(names.ObjSense.kMaximize if most else names.ObjSense.kMinimize)
        solver.changeColCost(column, 1.0)
        solver.run()
        fits = solver.getModelStatus() == names.HighsModelStatus.kOptimal
        values = list(solver.getSolution().col_value)
        solver.changeColCost(column, 0.0)  # which forgets the solution
        if not fits:
            return None
        for i in range(len(self.cells)):
            self._can_be_safe[i] |= values[i] <= SURE
            self._can_be_mined[i] |= values[i] >= 1 - SURE
        return abs(float(values[column]))  # no -0


def solver_package() -> Any:
    """HiGHS; where it is missing, an error that says how to get it."""
    return need("highspy", "lp")


def _new_solver() -> tuple[Any, Any]:
    highspy = solver_package()
    solver: Any = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    return solver, highspy
