"""The conditions of a game in a few words: the heading of records, tables and screens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mineproof.world.board import Board, Deal
from mineproof.world.clues import ClueModel
from mineproof.world.geometry import Cell, name_cell
from mineproof.world.rules import Rules
from mineproof.world.view import View


@dataclass(frozen=True)
class Conditions:
    """Board, rules and clue model. As text: `9x9/10, opening safe, exact clues`."""

    board: str
    """The text that `name_board` returns."""
    rules: Rules
    clues: ClueModel
    start: Cell | None = None

    def __str__(self) -> str:
        """Return board, opening rule, clue model, and every rule that is not the default."""
        rules = self.rules
        parts = [self.board, f"opening {rules.opening}", f"{self.clues} clues"]
        if self.start is not None:
            parts.append(f"starting at {name_cell(self.start)}")
        if rules.on_mine == "continue":
            parts.append("for a score")
        if rules.density is not None:
            parts.append(f"mine density {rules.density:g} known")
        elif not rules.count_known:
            parts.append("mine count unknown")
        if not rules.flood:
            parts.append("no flood")
        if rules.luck == "fair":
            parts.append("no luck")
        return ", ".join(parts)

    def to_json(self) -> dict[str, Any]:
        """Return the conditions as JSON data."""
        return {
            "board": self.board,
            "rules": self.rules.to_json(),
            "clues": str(self.clues),
            "start": self.start,
        }


def name_board(board: Board | Deal | View) -> str:
    """Return a shape and what is known about its mines as text.

    `9x9/10`; `9x9/0.2` if each cell is a mine with this probability; `9x9` if nothing is known.
    """
    shape = f"{board.rows}x{board.cols}"
    if isinstance(board, View):
        return shape if board.mines is None else f"{shape}/{board.mines}"
    mines = board.density if isinstance(board, Deal) and board.independent else board.mine_count
    return f"{shape}/{mines}"
