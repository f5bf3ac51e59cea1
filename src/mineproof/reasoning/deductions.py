"""Deductions: a deduced cell, the rule and its premises; and the entries of a log."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from mineproof.phrases import Phrase
from mineproof.world.geometry import Cell
from mineproof.world.move import MoveReason


class Deduction(NamedTuple):
    """A cell that is proved to be a mine or safe.

    `rule` names the rule that proved it. Its premises are `clues`, the cells whose clues were
    used, `known`, the cells around them that were already opened, exploded or deduced, and, if
    `count_used`, the mine count. If `every_clue` is set, `clues` are all clues of the position or
    of a component; which of them are needed, and whether the mine count is, is not known. `phrase`
    is the reason, which `why` puts into words.
    """

    cell: Cell
    mine: bool
    rule: str
    clues: tuple[Cell, ...] = ()
    known: tuple[Cell, ...] = ()
    phrase: Phrase | str = ""
    count_used: bool = False
    every_clue: bool = False

    @property
    def reason(self) -> MoveReason | str:
        """Return the reason of a move that plays it."""
        if not isinstance(self.phrase, Phrase):
            return self.phrase
        return MoveReason(self.phrase, self.clues, self.known, self.count_used, self.every_clue)

    @property
    def why(self) -> str:
        """Return the reason in words."""
        return str(self.phrase)

    @property
    def verdict(self) -> str:
        """Return `mine` or `safe`."""
        return "mine" if self.mine else "safe"


class Entry(NamedTuple):
    """A line of the log of an agent's reasoning, before it becomes text.

    Its kind is `scope` (what a reasoner works on: a component, or all clues), `step`, `columns` (a
    line of a table), `deduced` (with `rule` and `cells` among the values of its phrase) or `idle`
    (the queue, and that nothing was deduced). Formulas are text.
    """

    said: Phrase | str
    kind: Literal["scope", "step", "columns", "deduced", "idle"] = "step"

    def __str__(self) -> str:
        return str(self.said)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON data."""
        said = self.said.to_json() if isinstance(self.said, Phrase) else {"text": self.said}
        return {"kind": self.kind, **said}
