"""Ask for proofs: of one cell, or of all that are certain."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from mineproof import _engine
from mineproof.errors import InvalidInput, shorten
from mineproof.reasoning.deductions import at
from mineproof.reasoning.posterior import (
    BUDGET,
    Posterior,
    Setting,
    asked,
    evidence_of,
    posterior,
    setting_of,
)
from mineproof.reasoning.proofs.finder import Finder
from mineproof.reasoning.proofs.proof import Proof
from mineproof.reasoning.proofs.statements import Found, Inference, Kind, Line, What
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.geometry import Cell
from mineproof.world.view import FLAGGED, HIDDEN, TOLD_SAFE, View

with suppress(ImportError):  # where nothing was compiled, nothing asks for it
    from mineproof import _native

PROOF_BUDGET = 20_000
"""Questions about clues that one search may ask: a tenth of a second at most."""


def explain(
    view: View,
    cell: Cell,
    clues: ClueModel = Exact(),
    *,
    density: float | None = None,
    budget: int = PROOF_BUDGET,
) -> Proof:
    """Why a covered cell is certain, from a smallest set of clues; or that it is open.

    A proof without the mine count is preferred to any with it. `budget` bounds the search: each
    question whether some clues can hold costs 1, with the mine count 20; where it ends too soon
    the proof says so (`least`, `irreducible`).
    """
    index = view.grid.index(cell)
    cell = view.grid.cell(index)
    state = view.states[index]
    if state not in {HIDDEN, FLAGGED, TOLD_SAFE}:
        raise InvalidInput(f"cell {at(cell)} is not covered in {shorten(str(view))!r}")
    setting = setting_of(view, clues, density, False, BUDGET)
    odds = posterior(view, clues, density=density)
    if state == TOLD_SAFE:
        return Proof(view, cell, False, _setting=setting)
    if cell in odds.safe or cell in odds.mined:
        return _certain(view, setting, odds, [index], budget)[0]
    return Proof(view, cell, None, risk=float(odds.risk[cell]), _setting=setting)


def proofs(
    view: View,
    clues: ClueModel = Exact(),
    *,
    density: float | None = None,
    budget: int = PROOF_BUDGET,
) -> list[Proof]:
    """A proof for every covered cell that is certain and was not told, by index."""
    setting = setting_of(view, clues, density, False, BUDGET)
    odds = posterior(view, clues, density=density)
    certain = sorted(view.grid.index(cell) for cell in (*odds.safe, *odds.mined))
    untold = [index for index in certain if view.states[index] != TOLD_SAFE]
    return _certain(view, setting, odds, untold, budget)


def easiest(found: Sequence[Proof]) -> Proof | None:
    """The one that is easiest to see: simple steps, then few clues, then few steps."""
    ranked = [proof for proof in found if proof.found is not None]
    return min(ranked, key=_hardness, default=None)


def _hardness(proof: Proof) -> tuple[int, int, int]:
    assert proof.found is not None
    steps = proof.found.steps
    return max(step.kind for step in steps), len(proof.clues), len(steps)


def _certain(
    view: View, setting: Setting, odds: Posterior, cells: list[int], budget: int
) -> list[Proof]:
    """The proofs of cells that are certain, by either engine."""
    found: list[Found]
    if _engine.is_native():
        question = asked(view, setting._replace(budget=budget))
        found = [_read(one) for one in _native.prove(*question, cells)]
    else:
        finder = Finder(evidence_of(view, setting), setting, budget)
        mined = {view.grid.index(cell) for cell in odds.mined}
        found = [finder.prove(index, index in mined) for index in cells]
    return [
        Proof(
            view,
            view.grid.cell(one.cell),
            one.mine,
            tuple(view.grid.cells(one.clues)),
            one.count_used,
            one.least,
            one.irreducible,
            float(one.mine),
            one,
            setting,
        )
        for one in found
    ]


def _read(one: tuple[Any, ...]) -> Found:
    """What the compiled finder answers, with its names."""
    cell, mine, clues, count_used, least, irreducible, steps = one
    named = tuple(
        Inference(
            Kind(kind),
            tuple(used),
            tuple(signs),
            tuple(settled),
            tuple(
                Line(What(what), depth, tuple(named), tuple(how), tuple(where), mined)
                for what, depth, named, how, where, mined in lines
            ),
        )
        for kind, used, signs, settled, lines in steps
    )
    return Found(cell, mine, tuple(clues), count_used, least, irreducible, named)
