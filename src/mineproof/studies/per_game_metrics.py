"""Analyses of finished games: chains of influence, calibration of claimed risks, guesses.

Each task plays games by their numbers and returns one row per game.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from statistics import fmean
from time import process_time

import numpy as np

from mineproof.games.match import play
from mineproof.games.record import Record
from mineproof.reasoning.posterior import posterior
from mineproof.series.columns import Column
from mineproof.studies.grid import Point
from mineproof.world.chance import game_seed
from mineproof.world.view import is_clue

Row = dict[str, int | float | bool | None]

EDGES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8)
"""The upper ends of the bins of claimed risk; the last bin ends at 1."""
BINS = len(EDGES) + 1

_SECONDS = Column(
    "cpu_seconds",
    "f8",
    "CPU time of the game",
    label="CPU seconds per game",
    unit="seconds",
    paired=True,
)
# fmt: off
INFLUENCE = (
    Column("longest_chain", "i8", "cells of the longest path", label="longest chain, in cells", paired=True),  # noqa: E501
    Column("width", "i8", "cells of the widest layer", label="widest layer, in cells"),
    Column("reach", "f8", "mean over the clues", label="mean reach of a clue, in king's moves"),
    Column("farthest_reach", "i8", "maximum over the clues", label="farthest reach, in king's moves"),  # noqa: E501
    Column("choices", "i8", "cells opened by choice", label="cells opened by choice", paired=True),
    Column("opened_by_zeros", "i8", "cells opened by zeros", label="cells opened by zeros"),
    Column("proved", "i8", "cells proved", label="cells proved"),
    Column("score", "f8", "final score", label="average final score", unit="share", paired=True),
    _SECONDS,
)
CALIBRATION = (
    Column("certain", "i8", "moves called certain", label="moves called certain"),
    Column(
        "certain_wrong",
        "i8",
        "moves called certain that were wrong",
        label="wrong moves called certain",
    ),
    *(
        Column(f"{kind}_{place:02}", dtype, f"{meaning}, in bin {place} of claimed risk")
        for place in range(BINS)
        for kind, dtype, meaning in (
            ("opened", "i8", "cells opened"), ("claimed", "f8", "risks, added up"), ("mined", "i8", "opened cells that were mines"),  # noqa: E501
        )
    ),
    _SECONDS,
)
SURPRISE = (
    Column("guesses", "i8", "guesses after the first move", label="guesses per game"),
    Column("far_guesses", "i8", "guesses at interior cells", label="guesses per game at interior cells"),  # noqa: E501
    Column("riskier_guesses", "i8", "guesses riskier than the safest cell", label="guesses per game riskier than the safest cell"),  # noqa: E501
    _SECONDS,
)
# fmt: on


def influence(point: Point, seed: int, games: range) -> list[Row]:
    """Measure the chain of influence of each game: longest path, width and reach of clues.

    Lengths are in cells, reach in king's moves. `cpu_seconds` is the time of playing, without
    the analysis.
    """
    return [
        {"game": game, **_chain(record), "cpu_seconds": seconds}
        for game, record, seconds in _played(point, seed, games)
    ]


def calibration(point: Point, seed: int, games: range) -> list[Row]:
    """Compare claimed risks with outcomes, for every cell opened without proof.

    For each bin of claimed risk: the cells opened, the sum of their claimed risks, and the mines
    among them. Also the moves called certain, and how many of these were wrong.
    """
    return [
        {"game": game, **_claims(record), "cpu_seconds": seconds}
        for game, record, seconds in _played(point, seed, games)
    ]


def surprise(point: Point, seed: int, games: range) -> list[Row]:
    """Count guesses that a human player would hardly make.

    Of the guesses after the first move: all, those at interior cells (next to no clue), and those
    riskier than the safest cell. Requires exact clues.
    """
    return [
        {"game": game, **_guesses(record), "cpu_seconds": seconds}
        for game, record, seconds in _played(point, seed, games)
    ]


def _played(point: Point, seed: int, games: range) -> Iterator[tuple[int, Record, float]]:
    for game in games:
        begun = process_time()
        record = play(
            point.deal,
            point.agent,
            rules=point.rules,
            clues=point.clue_model,
            start=point.start,
            seed=game_seed(seed, game),
        )
        yield game, record, process_time() - begun


def _chain(record: Record) -> Row:
    graph = record.influence
    reach = list(graph.reach.values())
    return {
        "longest_chain": len(graph.longest),
        "width": graph.width,
        "reach": fmean(reach) if reach else 0.0,
        "farthest_reach": max(reach, default=0),
        "choices": len(graph.choices),
        "opened_by_zeros": sum(node.kind == "flood" for node in graph.nodes),
        "proved": sum(node.kind in {"safe", "mine"} for node in graph.nodes),
        "score": record.score,
    }


def _claims(record: Record) -> Row:
    opened, claimed, mined = [0] * BINS, [0.0] * BINS, [0] * BINS
    certain = wrong = 0
    for move in record.moves:
        if move.action not in {"open", "flag"}:
            continue
        mine = record.board.is_mine(move.cell)
        if move.certain:
            certain += 1
            wrong += mine != (move.action == "flag")
        elif move.action == "open" and move.risk is not None:
            place = bisect_right(EDGES, move.risk)
            opened[place] += 1
            claimed[place] += move.risk
            mined[place] += mine
    found: Row = {"certain": certain, "certain_wrong": wrong}
    for place in range(BINS):
        found[f"opened_{place:02}"] = opened[place]
        found[f"claimed_{place:02}"] = claimed[place]
        found[f"mined_{place:02}"] = mined[place]
    return found


def _guesses(record: Record) -> Row:
    guesses = far = riskier = 0
    for number, (view, turn) in enumerate(record.positions()):
        move = turn.asked
        if not number or move.certain or move.action != "open":
            continue
        guesses += 1
        near = view.grid.cells(view.grid.neighbours(view.grid.index(move.cell)))
        far += not any(is_clue(view.state(cell)) for cell in near)
        risk = posterior(view).risk
        riskier += bool(risk[move.cell] > np.nanmin(risk) + 1e-9)
    return {"guesses": guesses, "far_guesses": far, "riskier_guesses": riskier}
