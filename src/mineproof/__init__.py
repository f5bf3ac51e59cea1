"""mineproof: a laboratory for inference-informed action on Minesweeper.

It plays, it proves, it measures. `import mineproof as mp` does no work: every name
below is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from mineproof import agents, chance, clues, corpus, render, studies, testing
    from mineproof.board import LEVELS, Board, Deal
    from mineproof.errors import (
        AgentFault,
        Contradiction,
        EngineError,
        FormatError,
        IllegalMove,
        InvalidInput,
        MineproofError,
        UnknownName,
    )
    from mineproof.game import Game
    from mineproof.generation import generate
    from mineproof.geometry import Cell
    from mineproof.match import Match, play
    from mineproof.optimum import Optimum, solve
    from mineproof.playbyplay import PlayByPlay
    from mineproof.reasoning.deductions import Deduction
    from mineproof.reasoning.influence import Influence
    from mineproof.reasoning.knowledge import Knowledge
    from mineproof.reasoning.odds import count_odds, value_odds
    from mineproof.reasoning.posterior import Posterior, posterior, posteriors, sample
    from mineproof.record import Move, Record
    from mineproof.rules import Rules
    from mineproof.tournament import arena
    from mineproof.view import Event, View

    engine: str

_MODULES = ("agents", "chance", "clues", "corpus", "render", "studies", "testing")
_NAMES = {
    "board": ("LEVELS", "Board", "Deal"),
    "errors": (
        "AgentFault",
        "Contradiction",
        "EngineError",
        "FormatError",
        "IllegalMove",
        "InvalidInput",
        "MineproofError",
        "UnknownName",
    ),
    "game": ("Game",),
    "generation": ("generate",),
    "geometry": ("Cell",),
    "match": ("Match", "play"),
    "optimum": ("Optimum", "solve"),
    "playbyplay": ("PlayByPlay",),
    "reasoning.deductions": ("Deduction",),
    "reasoning.influence": ("Influence",),
    "reasoning.knowledge": ("Knowledge",),
    "reasoning.odds": ("count_odds", "value_odds"),
    "reasoning.posterior": ("Posterior", "posterior", "posteriors", "sample"),
    "record": ("Move", "Record"),
    "rules": ("Rules",),
    "tournament": ("arena",),
    "view": ("Event", "View"),
}
_HOME = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [  # noqa: PLE0604
    "__version__",
    "engine",
    *_MODULES,
    *_HOME,
]


def __getattr__(name: str) -> Any:
    if name == "engine":  # asked each time: tests change it
        return import_module("mineproof.backend").name()
    if name in _MODULES:
        return import_module(f"mineproof.{name}")
    if name in _HOME:
        value = getattr(import_module(f"mineproof.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'mineproof' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
