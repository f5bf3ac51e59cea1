"""Derives a cell from chosen clues by the easiest inferences.

Rules are tried from easy to hard, each time from the start, and later steps may use what earlier
ones deduced. At the end only the steps that the cell rests on are kept. Twin of
`native/src/proof_derivation.cpp`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from mineproof.reasoning.patterns import Reduced, along_walls
from mineproof.reasoning.proofs.cases import case_premises, refute
from mineproof.reasoning.proofs.statements import (
    COUNT,
    Allowance,
    Inference,
    InferenceKind,
    ProofConstraint,
    cells_in,
    sum_premises,
)
from mineproof.world.geometry import Grid

MOST_TERMS = 10
"""The most constraints of which every sum is tried."""

Deduced = dict[int, bool]


def derive(
    grid: Grid, statements: Sequence[ProofConstraint], cell: int, mine: bool, allowance: Allowance
) -> tuple[Inference, ...]:
    """Return inferences that lead from constraints, which prove the cell, to the cell.

    Raises `OutOfBudget` if the derivation exceeds its allowance.
    """
    settled: Deduced = {}
    steps: list[Inference] = []
    while cell not in settled:
        step = next(_inferences(grid, statements, settled, allowance), None)
        if step is None:
            lines, clues = refute(statements, settled, cell, not mine, allowance)
            step = Inference(InferenceKind.CASES, clues, (1,) * len(clues), ((cell, mine),), lines)
        steps.append(step)
        settled.update(step.settled)
    return _needed(statements, steps, cell)


def _inferences(
    grid: Grid, statements: Sequence[ProofConstraint], settled: Deduced, allowance: Allowance
) -> Iterator[Inference]:
    """Yield the inferences that are possible now, from easy to hard."""
    allowance.spend(cells_in(statements))
    clues = [statement for statement in statements if statement.clue != COUNT]
    yield from _single(clues, settled)
    yield from _patterns(grid, clues, settled)
    for subset in (True, False):
        allowance.spend(len(clues) ** 2)
        yield from _differences(clues, settled, subset=subset)
    yield from _sums(clues, settled, 3, allowance)
    if len(clues) < len(statements):
        yield from _single(statements[-1:], settled)
        yield from _sums(statements, settled, 2, allowance)


def _single(statements: Sequence[ProofConstraint], settled: Deduced) -> Iterator[Inference]:
    for statement in statements:
        cells, bounds = statement.left(settled)
        if cells and bounds is not None and (bounds[1] == 0 or bounds[0] == len(cells)):
            kind = InferenceKind.COUNT if statement.clue == COUNT else InferenceKind.CLUE
            verdicts = tuple((cell, bounds[1] != 0) for cell in cells)
            yield Inference(kind, (statement.clue,), (1,), verdicts)


def _patterns(
    grid: Grid, statements: Sequence[ProofConstraint], settled: Deduced
) -> Iterator[Inference]:
    """1-2-1 and 1-2-2-1, after subtracting known mines, with all unknown cells in one line."""
    exact = {}
    for statement in statements:
        cells, bounds = statement.left(settled)
        if cells and bounds is not None and bounds[0] == bounds[1]:
            exact[statement.clue] = Reduced(bounds[0], frozenset(cells))
    for one in along_walls(grid, exact):
        yield Inference(InferenceKind.PATTERN, one.clues, (1,) * len(one.clues), one.settled)


def _differences(
    statements: Sequence[ProofConstraint], settled: Deduced, *, subset: bool
) -> Iterator[Inference]:
    """Two clues: mines that do not fit into the shared cells are outside them."""
    left = [statement.left(settled) for statement in statements]
    for one, (cells, bounds) in enumerate(left):
        for two, (others, other_bounds) in enumerate(left):
            shared = set(cells) & set(others)
            if one == two or not shared or bounds is None or other_bounds is None:
                continue
            mines = [cell for cell in cells if cell not in shared]
            safe = [cell for cell in others if cell not in shared]
            if (not mines and not safe) or subset != (not mines or not safe):
                continue
            if bounds[0] - other_bounds[1] == len(mines):
                verdicts = [(cell, True) for cell in mines] + [(cell, False) for cell in safe]
                clues = statements[one].clue, statements[two].clue
                kind = InferenceKind.SUBSET if subset else InferenceKind.PAIR
                yield Inference(kind, clues, (1, -1), tuple(sorted(verdicts)))


def _sums(
    statements: Sequence[ProofConstraint], settled: Deduced, fewest: int, allowance: Allowance
) -> Iterator[Inference]:
    """Constraints added and subtracted until all remaining cells are mines or all are safe.

    If the mine count is given (as the last constraint), only sums with it are tried.
    """
    left = [
        (statement.clue, *statement.left(settled))
        for statement in statements
        if any(cell not in settled for cell in statement.cells)
    ]
    counted = bool(left) and left[-1][0] == COUNT
    if fewest == 2 and not counted:
        return
    sizes = range(fewest, len(left) + 1)
    if len(left) > MOST_TERMS:
        sizes = range(len(left), len(left) + 1) if counted else range(0)
    for size in sizes:
        for chosen in combinations(left, size):
            if counted and chosen[-1][0] != COUNT:
                continue
            every = product((1, -1), repeat=size - 1)
            for others in [(1,) * (size - 2) + (-1,)] if len(left) > MOST_TERMS else every:
                allowance.spend(sum(len(cells) for _, cells, _ in chosen))
                step = _sum(chosen, (1, *others))
                if step is not None:
                    yield step


_Left = tuple[int, list[int], tuple[int, int] | None]


def _sum(chosen: Sequence[_Left], signs: tuple[int, ...]) -> Inference | None:
    coefficients: dict[int, int] = {}
    least = most = 0
    for (_, cells, bounds), sign in zip(chosen, signs, strict=True):
        if bounds is None:
            return None
        least += sign * bounds[0 if sign > 0 else 1]
        most += sign * bounds[1 if sign > 0 else 0]
        for cell in cells:
            coefficients[cell] = coefficients.get(cell, 0) + sign
    above = sum(number for number in coefficients.values() if number > 0)
    below = sum(number for number in coefficients.values() if number < 0)
    if (not above and not below) or (least != above and most != below):
        return None
    full = least == above
    verdicts = tuple(
        (cell, (number > 0) == full) for cell, number in sorted(coefficients.items()) if number
    )
    clues = tuple(clue for clue, _, _ in chosen)
    if clues[-1] == COUNT and signs[-1] < 0:
        signs = tuple(-sign for sign in signs)
    kind = InferenceKind.COUNT if clues[-1] == COUNT else InferenceKind.SUM
    return Inference(kind, clues, signs, verdicts)


def _needed(
    statements: Sequence[ProofConstraint], steps: Sequence[Inference], cell: int
) -> tuple[Inference, ...]:
    """The steps that the cell rests on, each with only those deduced cells that are used."""
    by_clue = {statement.clue: statement for statement in statements}
    known = {index: mine for step in steps for index, mine in step.settled}
    wanted = {cell}
    kept = []
    for step in reversed(steps):
        for index, _ in step.settled:
            known.pop(index, None)
        used = tuple(verdict for verdict in step.settled if verdict[0] in wanted)
        if used:
            kept.append(step._replace(settled=used))
            wanted.difference_update(index for index, _ in step.settled)
            wanted.update(_premises(step, [by_clue[clue] for clue in step.clues], known))
    return tuple(reversed(kept))


def _premises(step: Inference, used: Sequence[ProofConstraint], known: Deduced) -> set[int]:
    """The already deduced cells that a step rests on."""
    if step.kind == InferenceKind.CASES:
        return case_premises(used, known, step.lines)
    if step.kind == InferenceKind.PATTERN:
        return {cell for statement in used for cell in statement.cells if cell in known}
    first, mine = step.settled[0]
    number = sum(
        sign for statement, sign in zip(used, step.signs, strict=True) if first in statement.cells
    )
    return sum_premises(used, step.signs, known, (number > 0) == mine)
