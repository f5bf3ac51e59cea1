"""What a game was played under, in a few words: the head of records, tables and screens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mineproof.world.board import Board, Deal
from mineproof.world.clues import ClueModel
from mineproof.world.geometry import Cell, name_cell
from mineproof.world.rules import Rules


@dataclass(frozen=True)
class Conditions:
    """Board, rules and clue model; as text `9x9/10, opening safe, exact clues`."""

    board: Board | Deal | None
    """None where boards of any kind were given."""
    rules: Rules
    clues: ClueModel
    start: Cell | None = None

    def __str__(self) -> str:
        """The board, the opening rule and the clue model, then every rule that is not usual."""
        rules = self.rules
        parts = [name_board(self.board), f"opening {rules.opening}", f"{self.clues} clues"]
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
        return ", ".join(parts)

    def to_json(self) -> dict[str, Any]:
        """As JSON data."""
        return {
            "board": name_board(self.board),
            "rules": self.rules.to_json(),
            "clues": str(self.clues),
            "start": self.start,
        }


def name_board(board: Board | Deal | None) -> str:
    """A shape and its mines: `9x9/10`, or `9x9/0.2` where each cell has that chance of a mine."""
    if board is None:
        return "given boards"
    mines = board.density if isinstance(board, Deal) and board.independent else board.mine_count
    return f"{board.rows}x{board.cols}/{mines}"
