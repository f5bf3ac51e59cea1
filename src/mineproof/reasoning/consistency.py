"""Whether some clues can hold together, with the opposite of a cell or without.

The unknown cells are taken in boxes (cells that touch the same clues), from the asked cell
outwards, and each box is given every number of mines that the clues around it can bear. What
failed once is remembered, so that the work is bounded by how many clues are half done at a
time. Twin of `native/src/proof_consistency.cpp`, node by node: both give up at the same place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

MOST_NODES = 200_000
"""Numbers tried for boxes in one question before it is given up."""

_PATIENCE = 128
"""Nodes before failures are remembered: most questions end sooner."""


class Statement(Protocol):
    """So many of some cells are mines."""

    @property
    def cells(self) -> tuple[int, ...]:
        """Their indices."""

    @property
    def allowed(self) -> int:
        """Bit n is set where n of the cells may be mines."""


class Consistency:
    """Answers for the statements of one view."""

    def __init__(self, statements: Sequence[Statement]) -> None:
        self.statements = statements
        touching: dict[int, list[int]] = {}
        for place, statement in enumerate(statements):
            for cell in statement.cells:
                touching.setdefault(cell, []).append(place)
        numbers: dict[tuple[int, ...], int] = {}
        self.sizes: list[int] = []
        self.of_box: list[tuple[int, ...]] = []
        """For each box, the statements that touch it."""
        self.box_of: dict[int, int] = {}
        self.boxes_of: list[list[int]] = [[] for _ in statements]
        for cell in sorted(touching):
            key = tuple(touching[cell])
            if key not in numbers:
                numbers[key] = len(self.sizes)
                self.sizes.append(0)
                self.of_box.append(key)
                for place in key:
                    self.boxes_of[place].append(numbers[key])
            self.box_of[cell] = numbers[key]
            self.sizes[numbers[key]] += 1
        self.gave_up = False
        """Whether some question was given up since this was set to False."""
        self.nodes = 0
        """Numbers tried for boxes in the last question."""

    def refutes(self, chosen: Iterable[int], cell: int, mine: bool) -> bool:
        """Whether these statements cannot hold if a cell is (or is not) a mine.

        False, too, if the question was given up. Statements that no chain of shared cells
        links to the cell play no part.
        """
        self.nodes = 0
        if cell not in self.box_of:
            return False
        box = self.box_of[cell]
        size = self.sizes[box]
        low, high = (1, size) if mine else (0, size - 1)
        return not self._fits(_Question(self, set(chosen), box), low, high)

    def clash(self, chosen: Sequence[int]) -> bool:
        """Whether these statements cannot hold together; False, too, if that was given up."""
        self.nodes = 0
        left = dict.fromkeys(chosen)
        while left and self.nodes <= MOST_NODES:
            first = next(iter(left))
            boxes = self.boxes_of[first]
            if not boxes:
                del left[first]
                continue
            question = _Question(self, set(chosen), boxes[0])
            if not self._fits(question, 0, self.sizes[boxes[0]]):
                return True
            for place in question.first:
                del left[place]
        return False

    def _fits(self, question: _Question, low: int, high: int) -> bool:
        fits = question.fits(low, high)
        self.gave_up |= self.nodes > MOST_NODES
        return fits


class _Question:
    """One question, asked of the boxes in order."""

    def __init__(self, asked: Consistency, chosen: set[int], box: int) -> None:
        self.asked = asked
        self.order = [box]
        self.done = dict.fromkeys(chosen, 0)  # mines given so far
        self.rest = {place: len(asked.statements[place].cells) for place in chosen}
        seen_boxes, seen = {box}, set()
        for reached in self.order:
            for place in asked.of_box[reached]:
                if place in chosen and place not in seen:
                    seen.add(place)
                    fresh = [near for near in asked.boxes_of[place] if near not in seen_boxes]
                    seen_boxes.update(fresh)
                    self.order += fresh
        self.touching = [[t for t in asked.of_box[b] if t in chosen] for b in self.order]
        self.first: dict[int, int] = {}
        self.last: dict[int, int] = {}
        """For each statement, the places of its first box and of its last one."""
        for place, statements in enumerate(self.touching):
            for statement in statements:
                self.first.setdefault(statement, place)
                self.last[statement] = place
        self.open_at: list[list[int]] = []

    def fits(self, low: int, high: int) -> bool:
        """Whether numbers of mines for the boxes satisfy the statements.

        From `low` to `high` are in the first box. True, too, when the question is given up.
        """
        asked, place, enters = self.asked, 0, True
        given = [low - 1] * len(self.order)
        failed: set[tuple[int, ...]] = set()
        while place < len(self.order):
            size = asked.sizes[self.order[place]]
            if enters:
                if failed and self._key(place) in failed:
                    enters = False
                    place -= 1  # the first is never among them
                    self._give(place, -given[place], 0)
                    continue
                self._give(place, 0, -size)
                given[place] = low - 1 if place == 0 else -1
            enters = False
            if given[place] < (high if place == 0 else size):
                asked.nodes += 1
                if asked.nodes > MOST_NODES:
                    return True
                given[place] += 1
                self._give(place, given[place], 0)
                if all(map(self._can_hold, self.touching[place])):
                    place += 1
                    enters = True
                else:
                    self._give(place, -given[place], 0)
                continue
            self._give(place, 0, size)
            if asked.nodes > _PATIENCE:
                failed.add(self._key(place))
            if place == 0:
                return False
            place -= 1
            self._give(place, -given[place], 0)
        return True

    def _give(self, place: int, mines: int, room: int) -> None:
        for statement in self.touching[place]:
            self.done[statement] += mines
            self.rest[statement] += room

    def _key(self, place: int) -> tuple[int, ...]:
        """The mines given so far to statements that are half done: all the rest depends on."""
        if not self.open_at:
            self.open_at = self._find_open()
        return place, *(self.done[t] for t in self.open_at[place])

    def _find_open(self) -> list[list[int]]:
        """At each place of the order: the statements with boxes before and from there on."""
        found: list[list[int]] = [[] for _ in self.order]
        for statement, first in self.first.items():
            for place in range(first + 1, self.last[statement] + 1):
                found[place].append(statement)
        return found

    def _can_hold(self, statement: int) -> bool:
        allowed = self.asked.statements[statement].allowed
        return bool(allowed >> self.done[statement] & (2 << self.rest[statement]) - 1)
