"""Agents whose whole games the compiled engine can play: the same moves, much faster."""

from __future__ import annotations

from contextlib import suppress
from typing import TypeGuard

from mineproof import _engine
from mineproof.agents.champion import Champion
from mineproof.agents.guessers import (
    in_order,
    least_clue_ratio,
    least_clue_sum,
    least_exact,
    least_local_probability,
)
from mineproof.agents.recipes import (
    EXACT,
    ROWS,
    ROWS_WITH_COUNT,
    SUBSETS,
    SUBSETS_UNTIL_FOUND,
    Recipe,
)
from mineproof.reasoning.local import local
from mineproof.reasoning.pairs import pairs
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.geometry import Grid

with suppress(ImportError):  # where nothing was compiled, nothing asks for it
    from mineproof import _native

_BEYOND = (None, SUBSETS, SUBSETS_UNTIL_FOUND, ROWS, ROWS_WITH_COUNT, EXACT)
_GUESSERS = (in_order, least_clue_ratio, least_clue_sum, least_local_probability, least_exact)
RULES = ("", "opening", "local", "count", "subset", "gauss", "exact", "pairs")
"""Names of rules by the numbers that the compiled engine gives them."""
ACTIONS = ("open", "flag", "unflag", "stop")


def compiles(agent: object, clues: ClueModel) -> TypeGuard[Recipe]:
    """Whether an agent has a compiled form, be there an engine to run it or not."""
    if not isinstance(agent, Recipe) or not isinstance(clues, Exact):
        return False
    if agent.reasoners not in {(), (local,), (local, pairs)} or agent.remembers:
        return False
    known = isinstance(agent.guess, Champion) or agent.guess in _GUESSERS
    return agent.beyond in _BEYOND and known


def strategy_of(agent: object, clues: ClueModel, grid: Grid) -> _native.Strategy | None:
    """The compiled form of an agent; None if it has none, or the clues are not exact."""
    if not _engine.is_native() or not compiles(agent, clues):
        return None
    return _native.Strategy(
        local in agent.reasoners,
        pairs in agent.reasoners,
        _BEYOND.index(agent.beyond),
        len(_GUESSERS) if isinstance(agent.guess, Champion) else _GUESSERS.index(agent.guess),
        -1 if agent.start is None else grid.index(agent.start),
        agent.guess.compiled if isinstance(agent.guess, Champion) else None,
    )
