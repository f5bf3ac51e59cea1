"""Is linear algebra better here than in report 000 because ours is exact and iterates?

The report reduces one matrix of all clues in floating point and goes through its rows once; ours
reduces components in integers until nothing more follows. Both play the same boards without the
mine count, as in `report000-agents`; it prints the mines flagged, with 95 % intervals.

    python benchmarks/single_pass.py [--games N] [--size S] [--density D]
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np

import mineproof as mp
from mineproof.agents.recipes import AdvancedRule
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.knowledge import Knowledge

NEARLY = 1e-9


def single_pass() -> object:
    """Deduces as the report does."""
    return _find


def _find(knowledge: Knowledge) -> dict[int, Deduction]:
    equations = [equation for equation in knowledge.equations.values() if equation.cells]
    cells = sorted({index for equation in equations for index in equation.cells})
    column = {index: number for number, index in enumerate(cells)}
    matrix = np.zeros((len(equations), len(cells) + 1))
    for row, equation in zip(matrix, equations, strict=True):
        row[[column[index] for index in equation.cells]] = 1
        row[-1] = equation.least
    _reduce(matrix)
    found: dict[int, Deduction] = {}
    for row in matrix:
        values = -row if row[-1] < 0 else row
        positive, negative = np.flatnonzero(values[:-1] > 0), np.flatnonzero(values[:-1] < 0)
        if values[-1] == 0:
            if not (len(positive) and len(negative)):
                _note(knowledge, found, cells, [*positive, *negative], mine=False)
        elif values[positive].sum() == values[-1]:
            _note(knowledge, found, cells, positive, mine=True)
            _note(knowledge, found, cells, negative, mine=False)
    return found


def _note(
    knowledge: Knowledge,
    found: dict[int, Deduction],
    cells: list[int],
    columns: list[int] | np.ndarray,
    *,
    mine: bool,
) -> None:
    for number in columns:
        cell = knowledge.grid.cell(cells[number])
        found.setdefault(cells[number], Deduction(cell, mine, "single-pass"))


def _reduce(matrix: np.ndarray) -> None:
    """The reduced row echelon form, in place."""
    lead = 0
    for number in range(matrix.shape[1] - 1):
        rows = np.flatnonzero(np.abs(matrix[lead:, number]) > NEARLY)
        if not len(rows):
            continue
        pivot = lead + rows[0]
        matrix[[lead, pivot]] = matrix[[pivot, lead]]
        matrix[lead] /= matrix[lead, number]
        others = matrix[:, number].copy()
        others[lead] = 0
        touched = np.flatnonzero(others)
        matrix[touched] -= np.outer(others[touched], matrix[lead])
        lead += 1
        if lead == len(matrix):
            return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--size", type=int, default=20)
    parser.add_argument("--density", type=float, default=0.5)
    options = parser.parse_args()
    ours = mp.agents.get("linalg")
    theirs = replace(ours, name="single-pass", beyond=AdvancedRule("single pass", single_pass))
    deal = mp.Deal(options.size, options.size, density=options.density)
    rules = mp.Rules(on_mine="continue", opening="any", count_known=False)
    found = mp.arena([ours, theirs], deal, games=options.games, rules=rules, seed=1)
    print(f"{options.size}x{options.size} at {options.density}, n = {options.games}")
    for agent in found.agents:
        low, high = agent.score.interval
        print(f"{agent.name:12} {agent.score.mean:.3f} ({low:.3f} to {high:.3f})")


if __name__ == "__main__":
    main()
