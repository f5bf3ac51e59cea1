"""Guessers: choose a cell when none is proved safe."""

from __future__ import annotations

from mineproof.agents.guessers.by_clues import (
    always_in_order,
    corners_then_edges,
    corners_then_edges_by_index,
    in_order,
    least_clue_ratio,
    least_clue_sum,
    least_local_probability,
)
from mineproof.agents.guessers.by_configurations import LeastShare
from mineproof.agents.guessers.by_odds import least_exact
from mineproof.agents.guessers.shared_order import Guesser, SharedOrder, can_be_opened
from mineproof.agents.guessers.summed_equations import LikelyClear

__all__ = [
    "Guesser",
    "LeastShare",
    "LikelyClear",
    "SharedOrder",
    "always_in_order",
    "can_be_opened",
    "corners_then_edges",
    "corners_then_edges_by_index",
    "in_order",
    "least_clue_ratio",
    "least_clue_sum",
    "least_exact",
    "least_local_probability",
]
