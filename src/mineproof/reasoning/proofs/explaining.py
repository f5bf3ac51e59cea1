"""Ask for proofs: of one cell, or of all that are certain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mineproof import _engine
from mineproof.errors import InvalidInput, shorten
from mineproof.given import of_type
from mineproof.reasoning.posterior import (
    BUDGET,
    Posterior,
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
    of_type(view, View, "view")
    index = view.grid.index(cell)
    cell = view.grid.cell(index)
    state = view.states[index]
    if state not in COVERED:
        raise InvalidInput(f"cell {name_cell(cell)} is not covered in {shorten(view.to_text())!r}")
    budget = check_budget(budget)
    setting = setting_of(view, clues, density, False, BUDGET)
    if state == TOLD_SAFE:
        _certain(view, setting, [], budget)  # which says what clashes
        return Proof(view, cell, False, _setting=setting)
    found = _explained(view, setting, index, budget)
    if isinstance(found, Found):
        return _proof(view, setting, found)
    risk = float(found.risk[cell])
    return Proof(
        view, cell, None, risk=risk, estimated=not found.exact, _setting=setting, _odds=found
    )


def proofs(
    view: View,
    clues: ClueModel = Exact(),
    *,
    density: float | None = None,
    budget: int = PROOF_BUDGET,
) -> list[Proof]:
    """A proof for every covered cell that is certain and was not told, by index.

    `budget` is for each of them; all together take about a second at most. Where that is not
    enough hard ones are not known to be `least`, and the last of very many have neither clues nor
    steps (`explain` one of these by itself).
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


def _explained(view: View, setting: Setting, cell: int, budget: int) -> Found | Posterior:
    """Why a cell is certain, or the odds if it is not: by either engine, counted once."""
    if _engine.is_native():
        native = _engine.native
        with _clashes_told(view, setting):
            answer = native.explain(*asked(view, setting), cell, budget)
        if isinstance(answer, native.Proof):
            return _read(answer)
        return Posterior(view, setting, answer)
    odds = posterior(view, setting.clues, density=setting.density)
    certain = _verdicts(odds)
    if cell not in certain:
        return odds
    return Finder(evidence_of(view, setting), setting, budget).prove(cell, certain[cell])


def _certain(view: View, setting: Setting, cells: list[int], budget: int) -> list[Proof]:
    """The proofs of those of the cells that are certain, by either engine."""
    found: list[Found]
    if _engine.is_native():
        with _clashes_told(view, setting):
            proved = _engine.native.prove(*asked(view, setting), cells, budget)
        found = [_read(one) for one in proved]
    else:
        certain = _verdicts(posterior(view, setting.clues, density=setting.density))
        finder = Finder(evidence_of(view, setting), setting, budget)
        found = finder.prove_all({cell: certain[cell] for cell in cells if cell in certain})
    return [_proof(view, setting, one) for one in found]


@contextmanager
def _clashes_told(view: View, setting: Setting) -> Iterator[None]:
    """Where nothing fits, an error that says which clues clash."""
    try:
        yield
    except InvalidInput:
        posterior(view, setting.clues, density=setting.density)
        raise


def _verdicts(odds: Posterior) -> dict[int, bool]:
    """Whether they are mines, of the cells that are certain."""
    index = odds.view.grid.index
    return {index(cell): False for cell in odds.safe} | {index(cell): True for cell in odds.mined}


def _proof(view: View, setting: Setting, found: Found) -> Proof:
    return Proof(
        view,
        view.grid.cell(found.cell),
        found.mine,
        tuple(view.grid.cells(found.clues)),
        found.count_used,
        found.least,
        found.irreducible,
        float(found.mine),
        found,
        _setting=setting,
    )


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
