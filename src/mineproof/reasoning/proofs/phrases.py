"""What sentences about proofs are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mineproof.world.geometry import Cell, name_cell

MOST_NAMED = 8
"""Cells that are named one by one; of more, how many others there are."""


class Left(NamedTuple):
    """What a statement leaves open."""

    cells: list[int]
    low: int
    high: int
    """The least and the most of them that are mines."""
    mines: list[int]
    """The mines it has already."""


def are_apart(parts: Sequence[Left]) -> bool:
    """Whether no cell is in two of them."""
    cells = [cell for part in parts for cell in part.cells]
    return len(cells) == len(set(cells))


def joined(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def listing(cells: Sequence[Cell]) -> str:
    """Some cells, as sentences name them; of very many the first ones."""
    named = list(map(name_cell, cells))
    if len(named) > MOST_NAMED:
        return f"{', '.join(named[: MOST_NAMED - 1])} and {len(named) - MOST_NAMED + 1} more"
    return joined(named)


def capital(text: str) -> str:
    """The text with a capital at its head."""
    return text[:1].upper() + text[1:]
