"""Proofs on request: for one cell, or for all certain cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mineproof import _engine
from mineproof.arguments import of_type
from mineproof.errors import InvalidInput, shorten
from mineproof.phrases import say
from mineproof.reasoning.posterior import (
    BUDGET,
    Posterior,
    ViewSettings,
    asked,
    check_budget,
    evidence_of,
    posterior,
    view_settings,
)
from mineproof.reasoning.proofs.finder import ProofFinder
from mineproof.reasoning.proofs.proof import Proof
from mineproof.reasoning.proofs.statements import (
    CaseLine,
    CaseLineKind,
    FoundProof,
    Inference,
    InferenceKind,
)
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.geometry import Cell
from mineproof.world.view import COVERED, FLAGGED, HIDDEN, KNOWN_SAFE, View

if TYPE_CHECKING:
    from mineproof import _native

PROOF_BUDGET = 20_000
"""Consistency checks that one search may make: at most a tenth of a second."""


def explain(
    view: View,
    cell: Cell,
    clues: ClueModel = Exact(),
    *,
    density: float | None = None,
    budget: int = PROOF_BUDGET,
) -> Proof:
    """Prove that a hidden cell is safe or a mine from a smallest set of clues.

    If the cell is undecided, the result says so (`mine` is None). A proof without the mine count is
    preferred to any with it. `budget` bounds the search: checking whether some clues are consistent
    costs 1, with the mine count 20, and more where that is hard. If the budget runs out, the proof
    says so (`least`, `irreducible`, no `steps`).
    """
    of_type(view, View, "view")
    index = view.grid.index(cell)
    cell = view.grid.cell(index)
    state = view.states[index]
    if state not in COVERED:
        position = repr(shorten(view.to_text()))
        raise InvalidInput(say("refusal.not-hidden", cell=cell, position=position))
    budget = check_budget(budget)
    setting = view_settings(view, clues, density, False, BUDGET)
    if state == KNOWN_SAFE:
        _certain(view, setting, [], budget)  # raises if the clues contradict each other
        return Proof(view, cell, False, _setting=setting)
    found = _explained(view, setting, index, budget)
    if isinstance(found, FoundProof):
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
    """Return a proof for every certain hidden cell that is not marked as known safe, by index.

    `budget` is per cell; all cells together take at most about a second. If that is not enough,
    hard proofs are not known to be `least`, and the last of very many have neither clues nor steps
    (`explain` such a cell by itself).
    """
    budget = check_budget(budget)
    setting = view_settings(view, clues, density, False, BUDGET)
    undecided = [n for n, state in enumerate(view.states) if state in (HIDDEN, FLAGGED)]
    return _certain(view, setting, undecided, budget)


def easiest(found: Sequence[Proof]) -> Proof | None:
    """The easiest proof: the simplest steps, then the fewest clues, then the fewest steps."""
    ranked = [proof for proof in found if proof.found is not None and proof.found.steps]
    return min(ranked, key=_hardness, default=None)


def _hardness(proof: Proof) -> tuple[int, int, int]:
    assert proof.found is not None
    steps = proof.found.steps
    return max(step.kind for step in steps), len(proof.clues), len(steps)


def _explained(view: View, setting: ViewSettings, cell: int, budget: int) -> FoundProof | Posterior:
    """The proof if the cell is certain, otherwise the posterior, by the current engine."""
    if _engine.is_native():
        native = _engine.native
        with _naming_clashes(view, setting):
            answer = native.explain(*asked(view, setting), cell, budget)
        if isinstance(answer, native.Proof):
            return _read(answer)
        return Posterior(view, setting, answer)
    odds = posterior(view, setting.clues, density=setting.density)
    certain = _verdicts(odds)
    if cell not in certain:
        return odds
    return ProofFinder(evidence_of(view, setting), setting, budget).prove(cell, certain[cell])


def _certain(view: View, setting: ViewSettings, cells: list[int], budget: int) -> list[Proof]:
    """The proofs of the given cells that are certain, by the current engine."""
    found: list[FoundProof]
    if _engine.is_native():
        with _naming_clashes(view, setting):
            proved = _engine.native.prove(*asked(view, setting), cells, budget)
        found = [_read(one) for one in proved]
    else:
        certain = _verdicts(posterior(view, setting.clues, density=setting.density))
        finder = ProofFinder(evidence_of(view, setting), setting, budget)
        found = finder.prove_all({cell: certain[cell] for cell in cells if cell in certain})
    return [_proof(view, setting, one) for one in found]


@contextmanager
def _naming_clashes(view: View, setting: ViewSettings) -> Iterator[None]:
    """Replace an error about an impossible view by one that names the contradicting clues."""
    try:
        yield
    except InvalidInput:
        posterior(view, setting.clues, density=setting.density)
        raise


def _verdicts(odds: Posterior) -> dict[int, bool]:
    """The certain cells, by index, and whether they are mines."""
    index = odds.view.grid.index
    return {index(cell): False for cell in odds.safe} | {index(cell): True for cell in odds.mined}


def _proof(view: View, setting: ViewSettings, found: FoundProof) -> Proof:
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


def _read(proof: _native.Proof) -> FoundProof:
    """Convert the result of the compiled finder."""
    return FoundProof(
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
        CaseLine(
            CaseLineKind[line.what.name.upper()],
            line.depth,
            tuple(line.clues),
            tuple(line.signs),
            tuple(line.cells),
            line.mine,
        )
        for line in step.lines
    )
    return Inference(
        InferenceKind[step.kind.name.upper()],
        tuple(step.clues),
        tuple(step.signs),
        tuple((one.cell, one.mine) for one in step.settled),
        tuple(lines),
    )
