"""What to open when nothing is proved safe."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mineproof.chance import order_keys
from mineproof.geometry import Cell
from mineproof.reasoning.knowledge import Knowledge
from mineproof.view import FLAGGED


class Guess(NamedTuple):
    """A cell to open, its risk as the guesser sees it, if it does, and why."""

    cell: Cell
    risk: float | None
    reason: str


class SharedOrder:
    """The random order of cells that all agents on a board share.

    It belongs to the game's seed: cells come by rising key. What is settled never
    comes back, so asking again goes on from where it was.
    """

    def __init__(self, size: int, seed: int) -> None:
        self._size, self._seed = size, seed
        self._order: list[int] | None = None
        self._passed = 0

    def first(self, knowledge: Knowledge) -> int | None:
        """The first cell whose truth is open and that bears no flag."""
        if self._order is None:
            self._order = np.argsort(order_keys(self._size, self._seed), kind="stable").tolist()
        order = self._order
        while self._passed < self._size and not knowledge.is_open(order[self._passed]):
            self._passed += 1
        for place in range(self._passed, self._size):
            index = order[place]
            if knowledge.is_open(index) and knowledge.states[index] != FLAGGED:
                return index
        return None


def in_order(knowledge: Knowledge, order: SharedOrder) -> Guess | None:
    """The next cell of the shared order."""
    index = order.first(knowledge)
    if index is None:
        return None
    return Guess(
        knowledge.grid.cell(index),
        None,
        "nothing is certain: the next cell of the shared random order",
    )
