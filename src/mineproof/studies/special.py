"""Tasks beyond playing: chains of influence, claimed risk against fate, surprising guesses."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from statistics import fmean
from time import process_time
from typing import TYPE_CHECKING

import numpy as np

from mineproof.games.match import play
from mineproof.games.record import Record
from mineproof.reasoning.posterior import posterior
from mineproof.studies.measures import CALIBRATION, INFLUENCE, SURPRISE
from mineproof.studies.tasks import MEASURES, TASKS, Row
from mineproof.world.chance import game_seed

if TYPE_CHECKING:
    from mineproof.studies.spec import Point

EDGES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8)
"""Where the bins of claimed risk end; the last goes up to 1."""
BINS = len(EDGES) + 1


def influence(point: Point, seed: int, games: range) -> list[Row]:
    """The chain of influence of each game: its longest path, its width, how far clues reach.

    Lengths are in cells, reach in king's moves. `cpu_seconds` are those of playing; the
    graph is found afterwards.
    """
    return [
        {"game": game, **_chain(record), "cpu_seconds": seconds}
        for game, record, seconds in _played(point, seed, games)
    ]


def calibration(point: Point, seed: int, games: range) -> list[Row]:
    """What the agent claimed and what happened, for every cell it opened without proof.

    For each bin of claimed risk: how many cells were opened, the sum of the risks
    claimed, how many were mines. And of what it called certain: moves, and wrong ones.
    """
    return [
        {"game": game, **_claims(record), "cpu_seconds": seconds}
        for game, record, seconds in _played(point, seed, games)
    ]


def surprise(point: Point, seed: int, games: range) -> list[Row]:
    """How often a guess is one that a person would hardly make.

    Guesses after the first move: all of them; those at cells that no clue touches; those
    at cells that are not of the least exact risk. With exact clues.
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
    coming = (*record.moves[1:], None)
    for (_, _, game), move in zip(record.replay(), coming, strict=True):
        if move is None or move.certain or move.action != "open":
            continue
        view = game.view
        guesses += 1
        near = view.grid.cells(view.grid.around(view.grid.index(move.cell)))
        far += not any(view.state(cell) <= 8 for cell in near)
        risk = posterior(view).risk
        riskier += bool(risk[move.cell] > np.nanmin(risk) + 1e-9)
    return {"guesses": guesses, "far_guesses": far, "riskier_guesses": riskier}


TASKS |= {"influence": influence, "calibration": calibration, "surprise": surprise}
MEASURES |= {
    "influence": INFLUENCE,
    "calibration": (*CALIBRATION, "mined"),
    "surprise": SURPRISE,
}
