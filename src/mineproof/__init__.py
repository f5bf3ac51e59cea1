"""mineproof: a laboratory for Minesweeper.

It plays games, proves deductions, computes probabilities and compares agents.
`import mineproof as mp` is fast: every name is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from mineproof import agents, clues, gym, render, studies, testing
    from mineproof.boards.generation import Generated, generate
    from mineproof.boards.grading import Grade, grade
    from mineproof.boards.optimal_score import BestScore, solve_score
    from mineproof.boards.optimum import Optimum, solve
    from mineproof.errors import (
        AgentFault,
        Contradiction,
        EngineError,
        FormatError,
        IllegalMove,
        InvalidInput,
        MineproofError,
        NotFound,
        UnknownName,
        WrongType,
    )
    from mineproof.formats import board_links, corpus, game_ids, mbf
    from mineproof.games import replays
    from mineproof.games.cell_analysis import CellAnalysis, analyse_cell
    from mineproof.games.match import Match, play
    from mineproof.games.playbyplay import PlayByPlay
    from mineproof.games.record import Move, Record, Turn
    from mineproof.reasoning.clue_odds import count_odds, value_odds
    from mineproof.reasoning.deductions import Deduction
    from mineproof.reasoning.influence import Influence
    from mineproof.reasoning.knowledge import Knowledge
    from mineproof.reasoning.posterior import Posterior, posterior, posteriors, sample
    from mineproof.reasoning.proofs import Proof, explain, proofs
    from mineproof.series.arena import arena
    from mineproof.world import chance
    from mineproof.world.board import LEVELS, Board, Deal
    from mineproof.world.game import Game
    from mineproof.world.geometry import Cell, Grid
    from mineproof.world.rules import Rules
    from mineproof.world.view import Event, State, View

    engine: str

_MODULES = {
    "agents": "agents",
    "board_links": "formats.board_links",
    "chance": "world.chance",
    "clues": "clues",
    "corpus": "formats.corpus",
    "game_ids": "formats.game_ids",
    "gym": "gym",
    "mbf": "formats.mbf",
    "render": "render",
    "replays": "games.replays",
    "studies": "studies",
    "testing": "testing",
}
_NAMES = {
    "boards.generation": ("Generated", "generate"),
    "boards.grading": ("Grade", "grade"),
    "boards.optimal_score": ("BestScore", "solve_score"),
    "boards.optimum": ("Optimum", "solve"),
    "errors": (
        "AgentFault",
        "Contradiction",
        "EngineError",
        "FormatError",
        "IllegalMove",
        "InvalidInput",
        "MineproofError",
        "NotFound",
        "UnknownName",
        "WrongType",
    ),
    "games.cell_analysis": ("CellAnalysis", "analyse_cell"),
    "games.match": ("Match", "play"),
    "games.playbyplay": ("PlayByPlay",),
    "games.record": ("Move", "Record", "Turn"),
    "reasoning.deductions": ("Deduction",),
    "reasoning.influence": ("Influence",),
    "reasoning.knowledge": ("Knowledge",),
    "reasoning.clue_odds": ("count_odds", "value_odds"),
    "reasoning.posterior": ("Posterior", "posterior", "posteriors", "sample"),
    "reasoning.proofs": ("Proof", "explain", "proofs"),
    "series.arena": ("arena",),
    "world.board": ("LEVELS", "Board", "Deal"),
    "world.game": ("Game",),
    "world.geometry": ("Cell", "Grid"),
    "world.rules": ("Rules",),
    "world.view": ("Event", "State", "View"),
}
_HOME = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [  # noqa: PLE0604
    "__version__",
    "engine",
    *_MODULES,
    *_HOME,
]


def __getattr__(name: str) -> Any:
    if name == "engine":  # not cached: tests change it
        return import_module("mineproof._engine").name()
    if name in _MODULES:
        return import_module(f"mineproof.{_MODULES[name]}")
    if name in _HOME:
        value = getattr(import_module(f"mineproof.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'mineproof' has no attribute {name!r}")


def _pictures() -> Any:
    """Return the module that draws boards and views in notebooks; they cannot import it."""
    return import_module("mineproof.render.notebook")


def __dir__() -> list[str]:
    return sorted(__all__)
