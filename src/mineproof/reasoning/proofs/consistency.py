"""Whether some clues can hold together with the opposite of a cell.

The unknown cells are taken in boxes (cells that touch the same clues), from the asked cell
outwards, and each box is given every number of mines that the clues around it can bear. What
failed once is remembered, so that the work is bounded by how many clues are half done at a
time. Twin of `native/src/proof_consistency.cpp`, node by node: both give up at the same place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mineproof.reasoning.proofs.statements import Statement

MOST_NODES = 200_000
"""Numbers tried for boxes in one question before it is given up."""

_PATIENCE = 128
"""Nodes before failures are remembered: most questions end sooner."""


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

    def refutes(self, chosen: Iterable[int], cell: int, mine: bool) -> bool:
        """Whether these statements cannot hold if a cell is (or is not) a mine.

        False, too, if the question was given up. Statements that no chain of shared cells
        links to the cell play no part.
        """
        if cell not in self.box_of:
            return False
        return _Question(self, set(chosen), self.box_of[cell], mine).fails()


class _Question:
    """One question, asked of the boxes in order."""

    def __init__(self, asked: Consistency, chosen: set[int], box: int, mine: bool) -> None:
        self.asked, self.mine = asked, mine
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
        self.nodes = 0
        self.failed: set[tuple[int, ...]] = set()

    def fails(self) -> bool:
        """Whether no numbers of mines for the boxes satisfy the statements."""
        self.open_at = self._open()
        fits = self._fits(0)
        if self.nodes > MOST_NODES:
            self.asked.gave_up = True
            return False
        return not fits

    def _open(self) -> list[list[int]]:
        """At each place of the order: the statements with boxes before and from there on."""
        first: dict[int, int] = {}
        last: dict[int, int] = {}
        for place, statements in enumerate(self.touching):
            for statement in statements:
                first.setdefault(statement, place)
                last[statement] = place
        return [
            [t for t in first if first[t] < place <= last[t]] for place in range(len(self.order))
        ]

    def _fits(self, place: int) -> bool:
        if place == len(self.order):
            return True
        key = (place, *(self.done[t] for t in self.open_at[place]))
        if key in self.failed:
            return False
        size = self.asked.sizes[self.order[place]]
        low, high = (int(self.mine), size - (not self.mine)) if place == 0 else (0, size)
        touching = self.touching[place]
        for statement in touching:
            self.rest[statement] -= size
        for mines in range(low, high + 1):
            self.nodes += 1
            if self.nodes > MOST_NODES:
                return False
            for statement in touching:
                self.done[statement] += mines
            fits = all(map(self._can_hold, touching)) and self._fits(place + 1)
            for statement in touching:
                self.done[statement] -= mines
            if fits:
                return True
        for statement in touching:
            self.rest[statement] += size
        if self.nodes > _PATIENCE:
            self.failed.add(key)
        return False

    def _can_hold(self, statement: int) -> bool:
        allowed = self.asked.statements[statement].allowed
        return bool(allowed >> self.done[statement] & (2 << self.rest[statement]) - 1)
