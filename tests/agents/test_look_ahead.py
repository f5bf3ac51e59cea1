"""The look-ahead's scores equal a reimplementation that enumerates every board."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import pytest

import mineproof as mp
from mineproof import _engine
from mineproof.agents.budget import BUDGETS
from mineproof.agents.champion import Champion
from mineproof.world.view import HIDDEN
from tests.agents.small_boards import fitting, position

pytestmark = pytest.mark.skipif(_engine.native is None, reason="the champion is compiled")

ALONE = Champion(BUDGETS["fast"]._replace(arrangements=0, parts=0, fifties=False))


@dataclass(frozen=True)
class Known:
    """A position: the open cells, and all consistent boards."""

    around: list[frozenset[int]]
    opened: frozenset[int]
    boards: list[frozenset[int]]

    @cached_property
    def risks(self) -> dict[int, float]:
        covered = [cell for cell in range(len(self.around)) if cell not in self.opened]
        mined = Counter(chain.from_iterable(self.boards))
        return {cell: mined[cell] / len(self.boards) for cell in covered}

    @cached_property
    def open(self) -> dict[int, float]:
        """The risks of uncertain cells."""
        return {cell: risk for cell, risk in self.risks.items() if 0 < risk < 1}

    def shown(self, cell: int) -> list[tuple[float, Known]]:
        """The probabilities of what a cell may show, each with the position that follows."""
        groups: dict[int, list[frozenset[int]]] = {}
        for mined in self.boards:
            if cell not in mined:
                groups.setdefault(len(self.around[cell] & mined), []).append(mined)
        opened = self.opened | {cell}
        total = len(self.boards)
        return [
            (len(boards) / total, Known(self.around, opened, boards)) for boards in groups.values()
        ]

    def candidates(self, most: int) -> list[int]:
        risks = self.open
        least = min(risks.values())
        close = [cell for cell, risk in risks.items() if 1 - risk >= 0.9 * (1 - least) - 1e-12]

        def rank(cell: int) -> tuple[float, int, int]:
            return round(risks[cell], 9), len(self.around[cell] - self.opened), cell

        given = [cell for cell in close if self.around[cell] & self.opened]
        others = sorted((cell for cell in close if cell not in given), key=rank)[:6]
        return sorted(given + others, key=rank)[:most]

    def worth(self) -> tuple[float, bool]:
        """The estimated value of the next move, and whether it is a guess."""
        risks = self.risks
        safe = sum(risk == 0 for risk in risks.values())
        if safe:
            return 1 + 0.1 * (1 - 0.5 ** (safe - 1)), False
        # Cells that touch the same clues form one group.
        boxes = {self.around[cell] & self.opened: risk for cell, risk in self.open.items()}
        least, second = sorted([*boxes.values(), 1, 1])[:2]
        return 1 - least - 0.3 * (second - least), True

    def score(self, cell: int) -> float:
        return sum(chance * after.worth()[0] for chance, after in self.shown(cell))

    def further(self, cell: int) -> float:
        """The score with one more step, wherever another guess is likely to follow."""
        shown = [(chance, after, *after.worth()) for chance, after in self.shown(cell)]
        survives = sum(chance for chance, *_ in shown)
        looked_at = [
            (chance, worth, max(map(after.score, after.candidates(4))))
            for chance, after, worth, stuck in shown
            if stuck and chance >= 0.1 * survives
        ]
        was = sum(chance * worth for chance, worth, _ in looked_at)
        now = sum(chance * then for chance, _, then in looked_at)
        rest = sum(c * worth for c, _, worth, stuck in shown if stuck) - was
        certain = sum(c * worth for c, _, worth, stuck in shown if not stuck)
        return certain + now + rest * (now / was if was else 0.95)


def known(view: mp.View) -> Known:
    grid = view.grid
    around = [frozenset(grid.neighbours(cell)) for cell in range(grid.size)]
    hidden = [cell for cell in range(grid.size) if view.states[cell] == HIDDEN]
    assert view.mines is not None
    boards = fitting(view, hidden, around, view.mines)
    return Known(around, frozenset(range(grid.size)) - frozenset(hidden), boards)


def test_scores_equal_enumeration_over_all_consistent_boards() -> None:
    looked_further = moved = 0
    for seed in range(600):
        view = position(seed)
        if view.states.count(HIDDEN) > 16:
            continue
        here = known(view)
        if 0 in here.risks.values() or not here.open:
            continue
        cells = here.candidates(18)
        scores = {cell: here.score(cell) for cell in cells}
        first = max(cells, key=here.score)
        near = [cell for cell in cells if scores[cell] > 0.97 * scores[first]]
        if len(near) > 1:
            scores = {cell: here.further(cell) for cell in near}
            looked_further += 1
        advised = ALONE.advise(view).candidates[0]
        assert advised.score == pytest.approx(scores[view.grid.index(advised.cell)], abs=1e-9)
        # The search drops a cell early if it is unlikely to be the best.
        assert max(scores.values()) <= 1.06 * scores[view.grid.index(advised.cell)]
        moved += view.grid.index(advised.cell) != first
    assert looked_further > 50
    assert moved > 2
