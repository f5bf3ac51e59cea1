"""The guesses of a printed game, so that it can be played again."""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.agents.guessers.shared_order import Guesser, SharedOrder, can_be_opened
from mineproof.phrases import Phrase
from mineproof.reasoning.knowledge import Knowledge
from mineproof.world.geometry import Cell
from mineproof.world.move import Move


@dataclass(frozen=True)
class Picks:
    """Guesses the next of these `cells`; after the last of them it asks `otherwise`."""

    cells: tuple[Cell, ...]
    otherwise: Guesser

    def __str__(self) -> str:
        inner = getattr(self.otherwise, "__name__", None) or str(self.otherwise)
        return f"the choices of the printed game, then {inner}"

    def __call__(self, knowledge: Knowledge, order: SharedOrder) -> Move | None:
        """Return the guess, if there is a cell to open."""
        for cell in self.cells:
            if can_be_opened(knowledge, knowledge.grid.index(cell)):
                return Move(cell, "open", None, False, Phrase("guess.printed"))
        return self.otherwise(knowledge, order)
