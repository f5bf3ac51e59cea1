"""Results of the library as the JSON data of responses and of `--json`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mineproof.agents.champion import Advice
from mineproof.boards.generation import Generated
from mineproof.games.assistant import GameEnd
from mineproof.reasoning.clue_odds import value_odds
from mineproof.reasoning.influence import Influence
from mineproof.reasoning.influence_text import phrases_of
from mineproof.reasoning.posterior import Posterior
from mineproof.reasoning.proofs import Proof, easiest
from mineproof.reasoning.reasoner_comparison import ReasonerResult
from mineproof.world.chance import seed_to_json
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.geometry import Cell
from mineproof.world.view import COVERED, KNOWN_SAFE, View


def advice_json(advice: Advice | None) -> dict[str, Any]:
    """Return the champion's candidates and its win probability; empty for other agents."""
    if advice is None:
        return {"win": None, "candidates": []}
    found = [one.to_json() for one in advice.candidates]
    return {"win": found[0]["win"] if found else None, "candidates": found}


def over_json(over: GameEnd) -> dict[str, Any]:
    """Return how a game in another program ended."""
    return over._asdict()


def explained_json(view: View, found: Sequence[Proof], *, every: bool) -> dict[str, Any]:
    """Return whether anything is certain, with the easiest proof or all proofs."""
    guaranteed = view.cells(KNOWN_SAFE)
    safe = [proof for proof in found if proof.mine is False]
    best = easiest(safe) or easiest(found)
    answer: dict[str, Any] = {
        "may_guess": not safe and not guaranteed,
        "safe": sorted([*guaranteed, *(proof.cell for proof in safe)]),
        "mined": [proof.cell for proof in found if proof.mine],
        "wrong_flags": [proof.cell for proof in found if proof.refutes_flag],
        "easiest": None if best is None else best.to_json(),
    }
    return answer | ({"proofs": [proof.to_json() for proof in found]} if every else {})


def reasoner_result_json(result: ReasonerResult) -> dict[str, Any]:
    """Return what a reasoner deduces."""
    settled = [
        {"cell": cell, "mine": one.mine, "rule": one.rule, "clues": one.clues, "why": one.why}
        for cell, one in result.settled.items()
    ]
    return result._asdict() | {"settled": settled}


def generated_json(board: Generated) -> dict[str, Any]:
    """Return a generated board, how it was found, and its statistics."""
    data = {"board": board.to_text(), "start": board.start, "seed": seed_to_json(board.seed)}
    data |= {"tries": board.tries, "repaired": board.repaired}
    return data | board.figures._asdict()


def influence_json(influence: Influence, cell: Cell | None) -> dict[str, Any]:
    """Return a chain of influence, or the cells on which one deduction rests."""
    if cell is None:
        return influence.to_json()
    steps = list(phrases_of(influence, cell))
    return {
        "cell": cell,
        "depth": influence.depth(cell),
        "chain": influence.chain_to(cell),
        "ancestors": influence.ancestors(cell),
        "steps": [step.to_json() for step in steps],
        "words": [str(step) for step in steps],
    }


def zeros_json(
    odds: Posterior, clues: ClueModel, density: float | None
) -> list[list[float | None]]:
    """Return for each cell the probability that it shows 0 when opened; None for open cells."""
    view = odds.view
    mined = set(map(view.grid.index, odds.mined))

    def of(index: int) -> float | None:
        if view.states[index] not in COVERED:
            return None
        touches_mine = isinstance(clues, Exact) and any(
            near in mined for near in view.grid.neighbours(index)
        )
        if index in mined or touches_mine:
            return 0.0
        return value_odds(view, view.grid.cell(index), clues, density=density).shown.get(0, 0.0)

    chances = [of(index) for index in range(view.grid.size)]
    cols = view.cols
    return [chances[row * cols : (row + 1) * cols] for row in range(view.rows)]
