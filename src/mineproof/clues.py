"""The clue models, under the name that people know: `mp.clues.Exact()` and its kin."""

from mineproof.world.clues import Cautious, ClueModel, Exact, Optimistic, Sometimes, Table, parse

__all__ = ["Cautious", "ClueModel", "Exact", "Optimistic", "Sometimes", "Table", "parse"]
