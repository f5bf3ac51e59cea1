"""The clue models under their public name: `mp.clues.Exact()` and others."""

from mineproof.world.clues import Cautious, ClueModel, Exact, Optimistic, Sometimes, Table, parse

__all__ = ["Cautious", "ClueModel", "Exact", "Optimistic", "Sometimes", "Table", "parse"]
