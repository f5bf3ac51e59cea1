"""The moves that exact odds recommend."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from mineproof.reasoning.posterior import Posterior
from mineproof.render.looks import COVERED
from mineproof.world.geometry import Cell
from mineproof.world.view import View


class Move(NamedTuple):
    """A cell to open, its risk, and whether it is proved safe."""

    cell: Cell
    risk: float
    proved: bool


def best_moves(odds: Posterior, count: int) -> list[Move]:
    """The cells to open, least risk first; ties by fewest covered neighbours, then by index.

    What is proved comes before what merely has a risk that looks like none.
    """
    grid, states = odds.view.grid, odds.view.states
    safe = set(map(grid.index, odds.safe))
    mined = set(map(grid.index, odds.mined))
    risks = odds.risk.ravel().tolist()
    # As in play, risks within 1e-10 are alike.
    ranks = {
        index: -1 if index in safe else round(1e10 * risks[index])
        for index, state in enumerate(states)
        if state in COVERED and index not in mined
    }
    last = sorted(ranks.values())[:count][-1:]
    near = {
        index: sum(states[other] in COVERED for other in grid.around(index))
        for index, rank in ranks.items()
        if rank <= last[0]
    }
    order = sorted(near, key=lambda index: (ranks[index], near[index], index))
    return [
        Move(grid.cell(index), 0.0 if index in safe else risks[index], index in safe)
        for index in order[:count]
    ]


def assumption(view: View, density: float | None) -> str | None:
    """What odds take for granted where neither the count nor a density is known."""
    if view.mines is not None or density is not None:
        return None
    return (
        "no mine count given: every total is taken to be as likely as any other; "
        "give --mines or --density"
    )


def odds_json(odds: Posterior, moves: list[Move], assumed: str | None) -> dict[str, Any]:
    """Odds and the moves they recommend as JSON data."""
    return {
        "risk": [[_number(risk) for risk in row] for row in odds.risk.tolist()],
        "safe": odds.safe,
        "mined": odds.mined,
        "best": [{"cell": move.cell, "risk": move.risk} for move in moves],
        "exact": odds.exact,
        "error": _number(odds.error),
        "log_weight": _number(odds.log_weight),
        "assumed": assumed,
    }


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
