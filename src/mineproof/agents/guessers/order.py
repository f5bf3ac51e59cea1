"""What guessers share: the order of cells for random choice, and when chances are equal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from mineproof.reasoning.describing import shares_text
from mineproof.reasoning.knowledge import Knowledge
from mineproof.world.chance import order_keys
from mineproof.world.move import Move
from mineproof.world.view import FLAGGED

CLOSE = 1e-10
"""Chances that are no further apart count as equal."""


class SharedOrder:
    """The random order of cells that all agents on a board share.

    It belongs to the game's seed: cells come by rising key. What is settled never
    comes back, so asking again goes on from where it was.
    """

    def __init__(self, size: int, seed: int) -> None:
        self._size, self._seed = size, seed
        self._keys: list[int] | None = None
        self._order: list[int] = []
        self._passed = 0

    def first(
        self, knowledge: Knowledge, wanted: Callable[[int], bool] | None = None
    ) -> int | None:
        """The first cell whose truth is open, that bears no flag and is wanted."""
        self.key(0)
        order = self._order
        while self._passed < self._size and not knowledge.is_open(order[self._passed]):
            self._passed += 1
        for place in range(self._passed, self._size):
            index = order[place]
            if can_be_opened(knowledge, index) and (wanted is None or wanted(index)):
                return index
        return None

    def key(self, index: int) -> int:
        """What a cell is ordered by."""
        if self._keys is None:
            keys = order_keys(self._size, self._seed)
            self._keys = keys.tolist()
            self._order = np.argsort(keys, kind="stable").tolist()
        return self._keys[index]

    def least(self, cells: Iterable[int]) -> int:
        """The one of these cells that comes first."""
        return min(cells, key=lambda index: (self.key(index), index))


Guesser = Callable[[Knowledge, SharedOrder], Move | None]
"""Picks a move when nothing is proved safe: a cell to open, a flag; None if no cell is left."""


def can_be_opened(knowledge: Knowledge, index: int) -> bool:
    """Whether a cell's truth is open and it bears no flag."""
    return knowledge.is_open(index) and knowledge.states[index] != FLAGGED


def tell_shares(knowledge: Knowledge, title: str, shares: Mapping[int, float]) -> None:
    """The share of every cell, if somebody wants to know."""
    if knowledge.tell is not None:
        knowledge.tell(shares_text(title, shares, knowledge.grid))
