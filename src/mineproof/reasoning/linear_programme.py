"""The least and the most that a cell can be, by linear programmes (HiGHS)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import inf
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
    # All of them before any is settled: none rests on another.
    yield from [_deduction(system, index, mine, programme) for index, mine in sorted(found.items())]


def largest_sum(system: System) -> Iterator[Deduction]:
    """The attempt of report 000: as many mines as fit, and what comes out as 0 or 1 is believed.

    One solution of many proves nothing about a cell, so this is unsound. As in the report the
    count is one more row of the same kind as the clues: a least number where they are such, a
    most where they are. Cells are at most 1 here; without that, as the report has it, there is no
    largest sum where clues are least numbers.
    """
    equations = [equation for equation in system.equations.values() if equation.cells]
    clues = [equation for equation in equations if equation.clue != COUNT]
    if not clues:
        return
    values = _Programme(clues, _as_the_clues(clues, system.equations.get(COUNT))).largest()
    if system.tell is not None:
        _tell_largest(system, values, system.tell)
    names = tuple(system.grid.cells(sorted(equation.clue for equation in clues)))
    for index, value in sorted(values.items()):
        if value <= SURE or value >= 1 - SURE:
            mine = value > SURE
            why = f"it is {round(value)} where the sum of all cells is largest"
            cell = system.grid.cell(index)
            yield Deduction(cell, mine, "largest-sum", names, (), why, every_clue=True)


def _tell_largest(system: System, values: Mapping[int, float], tell: Callable[[str], None]) -> None:
    """For a log: the solution, where a programme fails, and what it falls back to then."""
    if values and not has_largest_sum(system):
        tell(
            "the report's programme fails: with cells that are only at least 0 no sum is the "
            "largest; it falls back to cells from 0 to 1"
        )
    if values:
        tell(shares_text("the largest sum", values, system.grid))
    else:
        tell(
            "the linear programme fails: no values from 0 to 1 satisfy the clues and the count; "
            "it falls back to the least share of configurations, as brute does"
        )


def has_largest_sum(system: System) -> bool:
    """Whether report 000's programme, in which cells are only at least 0, has a solution."""
    clues = [e for e in system.equations.values() if e.cells and e.clue != COUNT]
    count = _as_the_clues(clues, system.equations.get(COUNT))
    return bool(clues) and bool(_Programme(clues, count, most=inf).largest())


def _as_the_clues(clues: list[Equation], count: Equation | None) -> Equation | None:
    """The count as a row of the same kind as the clues."""
    if count is None:
        return None
    only_least = all(equation.most >= len(equation.cells) for equation in clues)
    only_most = all(equation.least <= 0 for equation in clues)
    least = 0 if only_most and not only_least else count.least
    most = len(count.cells) if only_least and not only_most else count.most
    return Equation(COUNT, count.cells, [], least, most)


def _deduction(system: System, index: int, mine: bool, programme: _Programme) -> Deduction:
    """A settled cell with the clues whose duals force its bound: no others are needed."""
    grid, duals = system.grid, programme.duals[index]
    clues = sorted(clue for clue in duals if clue != COUNT)
    known = sorted({other for clue in duals for other in system.equations[clue].known})
    bound = f"{'at least' if mine else 'at most'} {programme.bounds[index]:.3g}"
    verdict = "a mine" if mine else "safe"
    why = f"added up as {_sum_text(system, duals)}, what is told gives it {bound}: {verdict}"
    return Deduction(
        grid.cell(index),
        mine,
        "linear-programme",
        tuple(grid.cells(clues)),
        tuple(grid.cells(known)),
        why,
        count_used=COUNT in duals,
    )


def _sum_text(system: System, duals: Mapping[int, float]) -> str:
    """Clues with the factors by which a bound adds them up: `(1,2) - 0.5 x (1,3) + the count`."""
    text = ""
    for clue, factor in sorted(
        duals.items(), key=lambda item: (item[1] < 0, item[0] == COUNT, item)
    ):
        name = "the count" if clue == COUNT else system.grid.name(clue)
        times = "" if abs(abs(factor) - 1) < SURE else f"{abs(factor):.3g} x "
        text += f" {'-' if factor < 0 else '+'} {times}{name}"
    return text.strip().removeprefix("+ ")


class _Programme:
    """One programme, solved for one cell after the other.

    Every solution is a witness for all cells that are 0 or 1 in it: those need not be
    asked for that any more. Cells that no clue touches are alike: one number for all.
    """

    def __init__(self, clues: list[Equation], count: Equation | None, *, most: float = 1.0) -> None:
        self.cells = sorted({index for equation in clues for index in equation.cells})
        self.outside = sorted(count.cells.difference(self.cells)) if count is not None else []
        self.bounds: dict[int, float] = {}
        self.duals: dict[int, dict[int, float]] = {}
        """By what factor each clue takes part in a bound; those that do not are left out."""
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

    def largest(self) -> dict[int, float]:
        """The values of all cells where their sum is largest; none if there is no such sum."""
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
        # A most that all cells keep says nothing, and is no bound where a cell has none.
        most = inf if equation.most >= len(equation.cells) else float(equation.most)
        self._solver.addRow(float(equation.least), most, len(columns), columns, ones)

    def _extreme(self, column: int, *, most: bool) -> float | None:
        """The least or the most that a cell can be; None if nothing fits."""
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
    """HiGHS; where it is missing, an error that says how to get it."""
    return need("highspy", "lp")


def _new_solver() -> tuple[Any, Any]:
    highspy = solver_package()
    solver: Any = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    return solver, highspy
