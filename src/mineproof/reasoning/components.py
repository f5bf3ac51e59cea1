"""Components: items that are linked by shared cells and share none with other items.

An item, such as an equation or a constraint, has a `clue` that identifies it, and `cells`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar


class Linked(Protocol):
    """An equation or a constraint of a clue on some cells."""

    @property
    def clue(self) -> int:
        """The index of the clue; it is unique."""

    @property
    def cells(self) -> Collection[int]:
        """The indices of its cells."""


Item = TypeVar("Item", bound=Linked)


def component(start: Item, holding: Mapping[int, Sequence[Item]]) -> list[Item]:
    """Return all items linked to `start`, which comes first, in breadth-first order.

    `holding` has the items of each cell. The cost depends only on the size of the component.
    """
    found = {start.clue}
    for item in (walk := [start]):
        for index in sorted(item.cells):
            for other in holding.get(index, ()):
                if other.clue not in found:
                    found.add(other.clue)
                    walk.append(other)
    return walk


def components(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Yield all components in the order of their first items; an item without cells is its own."""
    holding: dict[int, list[Item]] = {}
    for item in (every := list(items)):
        for index in item.cells:
            holding.setdefault(index, []).append(item)
    seen: set[int] = set()
    for start in every:
        if start.clue not in seen:
            linked = component(start, holding)
            seen.update(item.clue for item in linked)
            yield linked
