"""Components: what is linked by shared cells, and shares none with anything else.

For whatever has a `clue` that names it and `cells`: equations, constraints.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar


class Linked(Protocol):
    """What a clue says about some cells."""

    @property
    def clue(self) -> int:
        """The index of the cell that says so; no two have the same."""

    @property
    def cells(self) -> Collection[int]:
        """The indices of the cells it speaks of."""


Item = TypeVar("Item", bound=Linked)


def component(start: Item, holding: Mapping[int, Sequence[Item]]) -> list[Item]:
    """All that is linked with the first, itself first, breadth first.

    `holding` are, by cell, the items that hold it. Costs no more than the component.
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
    """All components, in the order of the first item of each; an item without cells is one."""
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
