"""Checks whether clues are consistent, by themselves or with the opposite of a verdict.

Unknown cells that touch the same clues form a group. Starting at the cell in question, each group
is assigned every number of mines that its clues allow. Failed states are remembered, so the work is
bounded by the number of clues that are partly assigned at a time. Twin of
`native/src/proof_consistency.cpp`, node by node: both give up at the same place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

MOST_NODES = 200_000
"""The most numbers tried for groups in one check before it is given up."""

_PATIENCE = 128
"""Nodes before failures are remembered; most checks end sooner."""


class CountConstraint(Protocol):
    """A constraint: the possible numbers of mines among some cells."""

    @property
    def cells(self) -> tuple[int, ...]:
        """The indices of the cells."""

    @property
    def allowed(self) -> int:
        """Bit n is set if n of the cells may be mines."""


class Consistency:
    """Consistency checks for the constraints of one view."""

    def __init__(self, statements: Sequence[CountConstraint]) -> None:
        self.statements = statements
        touching: dict[int, list[int]] = {}
        for place, statement in enumerate(statements):
            for cell in statement.cells:
                touching.setdefault(cell, []).append(place)
        numbers: dict[tuple[int, ...], int] = {}
        self.sizes: list[int] = []
        self.of_group: list[tuple[int, ...]] = []
        """For each group, the constraints that touch it."""
        self.group_of: dict[int, int] = {}
        self.groups_of: list[list[int]] = [[] for _ in statements]
        for cell in sorted(touching):
            key = tuple(touching[cell])
            if key not in numbers:
                numbers[key] = len(self.sizes)
                self.sizes.append(0)
                self.of_group.append(key)
                for place in key:
                    self.groups_of[place].append(numbers[key])
            self.group_of[cell] = numbers[key]
            self.sizes[numbers[key]] += 1
        self.gave_up = False
        """Whether a check was given up since this was set to False."""
        self.nodes = 0
        """Numbers tried for groups in the last check."""

    def refutes(self, chosen: Iterable[int], cell: int, mine: bool) -> bool:
        """Whether these constraints are inconsistent with a cell being a mine (or being safe).

        Also False if the check was given up. Constraints that are not linked to the cell through
        shared cells are ignored.
        """
        self.nodes = 0
        if cell not in self.group_of:
            return False
        group = self.group_of[cell]
        size = self.sizes[group]
        low, high = (1, size) if mine else (0, size - 1)
        return not self._fits(_Question(self, set(chosen), group), low, high)

    def clash(self, chosen: Sequence[int]) -> bool:
        """Whether these constraints contradict each other; also False if the check was given up."""
        self.nodes = 0
        left = dict.fromkeys(chosen)
        while left and self.nodes <= MOST_NODES:
            first = next(iter(left))
            groups = self.groups_of[first]
            if not groups:
                del left[first]
                continue
            question = _Question(self, set(chosen), groups[0])
            if not self._fits(question, 0, self.sizes[groups[0]]):
                return True
            for place in question.first:
                del left[place]
        return False

    def _fits(self, question: _Question, low: int, high: int) -> bool:
        fits = question.fits(low, high)
        self.gave_up |= self.nodes > MOST_NODES
        return fits


class _Question:
    """One consistency check: a search through the groups in order."""

    def __init__(self, asked: Consistency, chosen: set[int], group: int) -> None:
        self.asked = asked
        self.order = [group]
        self.done = dict.fromkeys(chosen, 0)  # mines given so far
        self.rest = {place: len(asked.statements[place].cells) for place in chosen}
        seen_groups, seen = {group}, set()
        for reached in self.order:
            for place in asked.of_group[reached]:
                if place in chosen and place not in seen:
                    seen.add(place)
                    fresh = [near for near in asked.groups_of[place] if near not in seen_groups]
                    seen_groups.update(fresh)
                    self.order += fresh
        self.touching = [[t for t in asked.of_group[b] if t in chosen] for b in self.order]
        self.first: dict[int, int] = {}
        self.last: dict[int, int] = {}
        """For each constraint, the places of its first and of its last group."""
        for place, statements in enumerate(self.touching):
            for statement in statements:
                self.first.setdefault(statement, place)
                self.last[statement] = place
        self.open_at: list[list[int]] = []

    def fits(self, low: int, high: int) -> bool:
        """Whether some numbers of mines in the groups satisfy the constraints.

        The first group has `low` to `high` mines. Also True if the check is given up.
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
        """The mines assigned so far to open constraints: the rest of the search needs no more."""
        if not self.open_at:
            self.open_at = self._find_open()
        return place, *(self.done[t] for t in self.open_at[place])

    def _find_open(self) -> list[list[int]]:
        """For each place of the order, the constraints with groups before and from there on."""
        found: list[list[int]] = [[] for _ in self.order]
        for statement, first in self.first.items():
            for place in range(first + 1, self.last[statement] + 1):
                found[place].append(statement)
        return found

    def _can_hold(self, statement: int) -> bool:
        allowed = self.asked.statements[statement].allowed
        return bool(allowed >> self.done[statement] & (2 << self.rest[statement]) - 1)
