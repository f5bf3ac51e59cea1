"""What guessers share: the random order of cells, and when risks count as equal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from mineproof.phrases import Phrase
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.reason_phrases import shares_entry
from mineproof.world.chance import order_keys
from mineproof.world.move import Move
from mineproof.world.view import FLAGGED

CLOSE = 1e-10
"""Probabilities that differ by no more count as equal."""


class SharedOrder:
    """The random order of cells that all agents on a board share.

    It is determined by the game's seed: cells are sorted by key. Resolved cells never become
    unresolved again, so a search continues where the last one stopped.
    """

    def __init__(self, size: int, seed: int) -> None:
        self._size, self._seed = size, seed
        self._keys: list[int] | None = None
        self._order: list[int] = []
        self._passed = 0

    def first(
        self, knowledge: Knowledge, wanted: Callable[[int], bool] | None = None
    ) -> int | None:
        """Return the first unresolved cell that has no flag and is wanted."""
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
        """Return the key by which a cell is sorted."""
        if self._keys is None:
            keys = order_keys(self._size, self._seed)
            self._keys = keys.tolist()
            self._order = np.argsort(keys, kind="stable").tolist()
        return self._keys[index]

    def least(self, cells: Iterable[int]) -> int:
        """Return the first of these cells in the order."""
        return min(cells, key=lambda index: (self.key(index), index))


Guesser = Callable[[Knowledge, SharedOrder], Move | None]
"""Returns a move when no cell is proved safe: an opening or a flag; None if no cell is left."""


def can_be_opened(knowledge: Knowledge, index: int) -> bool:
    """Return whether a cell is unresolved and has no flag."""
    return knowledge.is_open(index) and knowledge.states[index] != FLAGGED


def log_shares(knowledge: Knowledge, title: Phrase, shares: Mapping[int, float]) -> None:
    """Write the share of every cell to the log, if there is one."""
    if knowledge.report is not None:
        knowledge.report(shares_entry(title, shares, knowledge.grid))
