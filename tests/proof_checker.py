"""The judge of proofs: plain backtracking over the cells of the chosen clues, and nothing else.

It shares nothing with the code that finds proofs: it reads the view itself, and looks for a
configuration of the cells around the clues that contradicts each claim.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

from mineproof.reasoning.proofs import Proof
from mineproof.reasoning.proofs.statements import CaseLine
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.geometry import Cell
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, NO_CLUE, View


class Checker:
    """Judges the proofs of one view."""

    def __init__(self, view: View, clues: ClueModel = Exact()) -> None:
        self.view = view
        self.says: dict[Cell, tuple[list[Cell], set[int]]] = {}
        bounds = {view.grid.cell(index): bound for index, bound in view.bounds}
        self.unknown = view.cells(HIDDEN, FLAGGED)
        for row, col in view.cells(*range(9), NO_CLUE):
            near = [
                (r, c)
                for r in (row - 1, row, row + 1)
                for c in (col - 1, col, col + 1)
                if (r, c) != (row, col) and 0 <= r < view.rows and 0 <= c < view.cols
            ]
            state = view.state((row, col))
            shown = None if state == NO_CLUE else state
            table = clues.likelihood(shown, len(near), bounds.get((row, col)))
            hit = sum(view.state(cell) == EXPLODED for cell in near)
            cells = [cell for cell in near if view.state(cell) in {HIDDEN, FLAGGED}]
            self.says[row, col] = cells, {n - hit for n, chance in enumerate(table) if chance > 0}

    def follows(
        self, clues: Iterable[Cell], cell: Cell, mine: bool, known: Mapping[Cell, bool], count: bool
    ) -> bool:
        """Whether the clues (and the count) and the known cells leave a cell no other value."""
        return not self.fits(list(clues), {**known, cell: not mine}, count)

    def fits(self, clues: list[Cell], given: Mapping[Cell, bool], count: bool) -> bool:
        """Whether some configuration satisfies the clues (and the count), given the known cells."""
        order = list(dict.fromkeys([*given, *(c for clue in clues for c in self.says[clue][0])]))
        touching = {cell: [clue for clue in clues if cell in self.says[clue][0]] for cell in order}
        rest = len(set(self.unknown) - set(order))
        total = None
        if count and self.view.mines is not None:
            total = self.view.mines - self.view.states.count(EXPLODED)
        values: dict[Cell, bool] = {}

        def holds(clue: Cell) -> bool:
            cells, allowed = self.says[clue]
            mines = sum(values.get(cell, False) for cell in cells)
            most = mines + sum(cell not in values for cell in cells)
            return any(mines <= n <= most for n in allowed)

        def search(place: int, mines: int) -> bool:
            left = len(order) - place + rest
            if total is not None and not mines <= total <= mines + left:
                return False
            if place == len(order):
                return True
            cell = order[place]
            for mine in [given[cell]] if cell in given else [True, False]:
                values[cell] = mine
                if all(map(holds, touching[cell])) and search(place + 1, mines + mine):
                    return True
                del values[cell]
            return False

        return search(0, 0)

    def check(self, proof: Proof, *, least: bool = False) -> None:
        """Check every claim of a proof; `least` also tries all smaller sets of clues."""
        assert proof.mine is not None
        claim = proof.cell, proof.mine
        assert self.follows(proof.clues, *claim, {}, proof.count_used), "the clues do not prove it"
        if proof.irreducible:
            for clue in proof.clues:
                fewer = [other for other in proof.clues if other != clue]
                assert not self.follows(fewer, *claim, {}, proof.count_used), (
                    f"{clue} is not needed"
                )
            if proof.count_used:
                assert not self.follows(proof.clues, *claim, {}, False), "the count is not needed"
        known: dict[Cell, bool] = {}
        for step in proof.steps:
            assert set(step.clues) <= set(proof.clues)
            for cell, mine in step.settled:
                assert self.follows(step.clues, cell, mine, known, step.count_used), step
            self.check_lines(proof, step.inference.lines, known)
            known.update(step.settled)
        assert known[proof.cell] == proof.mine
        assert {clue for step in proof.steps for clue in step.clues} == set(proof.clues)
        assert any(step.count_used for step in proof.steps) == proof.count_used
        if least and proof.least:
            self.check_least(proof)

    def check_least(self, proof: Proof) -> None:
        """No smaller set of clues is enough; the count is used only where clues alone are not."""
        assert proof.mine is not None
        claim = proof.cell, proof.mine
        if proof.clues:
            for smaller in combinations(self.says, len(proof.clues) - 1):
                assert not self.follows(smaller, *claim, {}, proof.count_used), (
                    "a smaller set is enough"
                )
        if proof.count_used:
            assert not self.follows(self.says, *claim, {}, False), (
                "the clues are enough without the count"
            )

    def check_lines(
        self, proof: Proof, lines: Iterable[CaseLine], known: Mapping[Cell, bool]
    ) -> None:
        """In an argument by cases, each line follows from its own clue, and no case is missing."""
        cell_of = proof.view.grid.cell
        stack = [dict(known)]
        assumed: dict[tuple[int, Cell], list[bool]] = {}
        for what, depth, used, _, cells, mine in lines:
            del stack[depth + 1 :]
            named = [cell_of(cell) for cell in cells]
            clues, count = [cell_of(clue) for clue in used if clue >= 0], -1 in used
            if what.name == "ASSUME":
                stack.append({**stack[-1], named[0]: mine})
                if depth:
                    assumed.setdefault((depth, named[0]), []).append(mine)
            elif what.name == "FORCE":
                for cell in named:
                    assert self.follows(clues, cell, mine, stack[-1], count)
                stack[-1].update(dict.fromkeys(named, mine))
            else:
                assert not self.fits(clues, stack[-1], count)
        # For each cell assumed both ways: first a mine, then safe.
        assert all(values == [True, False] * (len(values) // 2) for values in assumed.values())
