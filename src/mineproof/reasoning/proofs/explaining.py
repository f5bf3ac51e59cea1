"""Ask for proofs: of one cell, or of all that are certain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mineproof import _engine
from mineproof.errors import InvalidInput, shorten
from mineproof.reasoning.posterior import (
    BUDGET,
    Setting,
    asked,
    check_budget,
    evidence_of,
    posterior,
    setting_of,
)
from mineproof.reasoning.proofs.finder import Finder
from mineproof.reasoning.proofs.proof import Proof
from mineproof.reasoning.proofs.statements import Found, Inference, Kind, Line, What
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.geometry import Cell, name_cell
from mineproof.world.view import COVERED, FLAGGED, HIDDEN, TOLD_SAFE, View

if TYPE_CHECKING:
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
    """Why a covered cell is certain, from a smallest set of clues; or that it is undecided.

    A proof without the mine count is preferred to any with it. `budget` bounds the search: each
    question whether some clues can hold costs 1, with the mine count 20, and more where that is
    hard; where it ends too soon the proof says so (`least`, `irreducible`, no `steps`).
    """
    index = view.grid.index(cell)
    cell = view.grid.cell(index)
    state = view.states[index]
    if state not in COVERED:
        raise InvalidInput(f"cell {name_cell(cell)} is not covered in {shorten(view.to_text())!r}")
    budget = check_budget(budget)
    setting = setting_of(view, clues, density, False, BUDGET)
    told = state == TOLD_SAFE
    proved = _certain(view, setting, [] if told else [index], budget)
    if proved or told:
        return proved[0] if proved else Proof(view, cell, False, _setting=setting)
    odds = posterior(view, clues, density=density)
    risk = float(odds.risk[cell])
    return Proof(view, cell, None, risk=risk, estimated=not odds.exact, _setting=setting)


def proofs(
    view: View,
    clues: ClueModel = Exact(),
    *,
    density: float | None = None,
    budget: int = PROOF_BUDGET,
) -> list[Proof]:
    """A proof for every covered cell that is certain and was not told, by index.

    `budget` is for each of them; all together take about a second at most, and where that is
    not enough the last have neither clues nor steps (`explain` one of these by itself).
    """
    budget = check_budget(budget)
    setting = setting_of(view, clues, density, False, BUDGET)
    untold = [n for n, state in enumerate(view.states) if state in (HIDDEN, FLAGGED)]
    return _certain(view, setting, untold, budget)


def easiest(found: Sequence[Proof]) -> Proof | None:
    """The one that is easiest to see: simple steps, then few clues, then few steps."""
    ranked = [proof for proof in found if proof.found is not None and proof.found.steps]
    return min(ranked, key=_hardness, default=None)


def _hardness(proof: Proof) -> tuple[int, int, int]:
    assert proof.found is not None
    steps = proof.found.steps
    return max(step.kind for step in steps), len(proof.clues), len(steps)


def _certain(view: View, setting: Setting, cells: list[int], budget: int) -> list[Proof]:
    """The proofs of those of the cells that are certain, by either engine."""
    found: list[Found]
    if _engine.is_native():
        try:
            proved = _engine.native.prove(*asked(view, setting), cells, budget)
        except InvalidInput:
            posterior(view, setting.clues, density=setting.density)  # which says what clashes
            raise
        found = [_read(one) for one in proved]
    else:
        odds = posterior(view, setting.clues, density=setting.density)
        finder = Finder(evidence_of(view, setting), setting, budget)
        certain = {view.grid.index(cell): False for cell in odds.safe}
        certain |= {view.grid.index(cell): True for cell in odds.mined}
        found = finder.prove_all({cell: certain[cell] for cell in cells if cell in certain})
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
            _setting=setting,
        )
        for one in found
    ]


def _read(proof: _native.Proof) -> Found:
    """What the compiled finder answers, as Python has it."""
    return Found(
        proof.cell,
        proof.mine,
        tuple(proof.clues),
        proof.count_used,
        proof.least,
        proof.irreducible,
        tuple(map(_read_step, proof.steps)),
    )


def _read_step(step: _native.Inference) -> Inference:
    lines = (
        Line(
            What[line.what.name.upper()],
            line.depth,
            tuple(line.clues),
            tuple(line.signs),
            tuple(line.cells),
            line.mine,
        )
        for line in step.lines
    )
    return Inference(
        Kind[step.kind.name.upper()],
        tuple(step.clues),
        tuple(step.signs),
        tuple((one.cell, one.mine) for one in step.settled),
        tuple(lines),
    )
