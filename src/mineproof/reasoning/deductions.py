"""A settled cell, and what settled it."""

from __future__ import annotations

from typing import NamedTuple

from mineproof.world.geometry import Cell


class Deduction(NamedTuple):
    """A cell is proved to be mined or safe.

    `rule` names the rule that proved it. It rests on `clues`, the cells whose
    clues were used, and on `known`, the cells around them that were already
    opened, hit or settled; `count_used` says whether the mine count was used, too.
    `every_clue` says that `clues` are all there are: which of them it needs is not known.
    """

    cell: Cell
    mine: bool
    rule: str
    clues: tuple[Cell, ...] = ()
    known: tuple[Cell, ...] = ()
    why: str = ""
    count_used: bool = False
    every_clue: bool = False

    @property
    def verdict(self) -> str:
        """`mine` or `safe`."""
        return "mine" if self.mine else "safe"
