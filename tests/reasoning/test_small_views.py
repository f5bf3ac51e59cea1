"""In every view of a small board, a proof needs all it names, and no smaller one exists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

import mineproof as mp
from mineproof import _engine
from mineproof.reasoning.premises import PremiseFinder, Premises
from mineproof.reasoning.smallest_premises import SmallestPremiseFinder
from mineproof.world.view import EXPLODED, HIDDEN, KNOWN_SAFE
from tests.proof_checker import Checker
from tests.small_views import Judge, Small

SHAPES = [(rows, cols) for rows in (1, 2, 3) for cols in range(1, 5)]
"""All shapes up to 3x4."""


def judged(small: Small, views: Iterable[mp.View], *, steps: bool) -> Counter[str]:
    """Check all proofs against all sets of premises; with `steps`, also each of their steps."""
    looked = Counter[str]()
    for view in views:
        looked["views"] += 1
        judge, checker = Judge(small, view), Checker(view) if steps else None
        for proof in mp.proofs(view):
            assert proof.mine is not None
            assert proof.least
            assert proof.irreducible
            supposed = judge.opposite(proof.cell, proof.mine)
            where = view.to_text(), proof.cell
            assert not judge.idle(proof.clues, proof.count_used, supposed), where
            assert not judge.smaller(proof.clues, proof.count_used, supposed), where
            if checker is not None:
                checker.check(proof, least=True)
            looked["proofs"] += 1
            looked["by the count alone"] += not proof.clues
    return looked


@pytest.mark.parametrize(("shape", "number"), [((2, 3), 300), ((3, 3), 1000), ((3, 4), 4000)])
def test_proofs_need_all_they_name(shape: tuple[int, int], number: int) -> None:
    small = Small(*shape)
    looked = judged(small, small.later_views(number), steps=True)
    assert looked["proofs"] > number
    assert looked["by the count alone"] > number // 20


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("shape", SHAPES)
def test_proofs_need_all_they_name_in_every_view(shape: tuple[int, int]) -> None:
    small = Small(*shape)
    looked = judged(small, small.views(), steps=shape < (3, 4))
    print(shape, dict(looked))


def test_both_engines_find_the_same_proofs() -> None:
    small = Small(3, 4)
    for view in small.later_views(400):
        native = [proof.found for proof in mp.proofs(view)]
        with _engine.using("python"):
            assert [proof.found for proof in mp.proofs(view)] == native


def test_premises_need_all_they_name() -> None:
    """The premises of chains of influence, which another algorithm finds."""
    small = Small(3, 4)
    for view in small.later_views(400):
        judge, prover = Judge(small, view), PremiseFinder(view)
        for proof in mp.proofs(view):
            assert proof.mine is not None
            found = prover.premises(proof.cell, mine=proof.mine)
            assert found is not None
            supposed = judge.opposite(proof.cell, proof.mine)
            assert not judge.idle(found.clues, found.count_used, supposed), view.to_text()


def only(view: mp.View, premises: Premises, unknown: mp.Cell | None) -> mp.View:
    """The view with only these premises known, except one cell."""
    states = bytearray([HIDDEN]) * view.grid.size
    for cell in {*premises.clues, *premises.known} - {unknown}:
        index = view.grid.index(cell)
        is_free = cell in premises.known and view.states[index] != EXPLODED
        states[index] = KNOWN_SAFE if is_free else view.states[index]
    return mp.View(view.grid, bytes(states), view.mines if premises.count_used else None)


def test_smallest_premises_need_all_they_name() -> None:
    """The premises of the smallest chains: every clue and every known cell is needed."""
    small = Small(3, 4)
    for view in small.later_views(120):
        prover = SmallestPremiseFinder(view)
        for proof in mp.proofs(view):
            assert proof.mine is not None
            found = prover.premises(proof.cell, mine=proof.mine)
            assert found is not None
            for unknown in (None, *found.clues, *found.known):
                judge = Judge(small, only(view, found, unknown))
                named = [clue for clue in found.clues if clue != unknown]
                count = [None] if found.count_used else []
                follows = judge.refute([*named, *count], judge.opposite(proof.cell, proof.mine))
                assert follows == (unknown is None), (view.to_text(), proof.cell, unknown)


def clashes(small: Small, views: Iterable[mp.View]) -> Counter[str]:
    """Check that contradictions need every clue they name, and the count if they use it."""
    looked = Counter[str]()
    for view in views:
        looked["views"] += 1
        judge = Judge(small, view)
        try:
            mp.posterior(view)
        except mp.Contradiction as clash:
            fault = judge.idle(clash.clues, clash.count_used, judge.anything())
            assert clash.irreducible
            assert not fault, (fault, view.to_text())
            looked["with the count" if clash.count_used else "by clues"] += 1
            looked["by the count alone"] += not clash.clues
    return looked


def test_contradictions_need_all_they_name(engine: str) -> None:
    small = Small(3, 4)
    looked = clashes(small, small.twisted_views(1200))
    assert looked["by clues"] > 100
    assert looked["with the count"] > 100


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(1, 4), (2, 2), (2, 3)])
def test_contradictions_need_all_they_name_in_every_view(shape: tuple[int, int]) -> None:
    small = Small(*shape)
    print(shape, dict(clashes(small, small.made_up_views())))


def test_the_count_alone_is_named_alone(engine: str) -> None:
    proof = mp.explain(mp.View.from_text("3x3/5 ??3/???/232"), (0, 0))
    assert (proof.clues, proof.count_used, proof.least, proof.irreducible) == ((), True, True, True)
    assert str(proof) == (
        "(0,0) is a mine: proved by the mine count alone.\n"
        "1. 5 mines are left, and just 5 cells for them, so (0,0) is a mine."
    )
    proof = mp.explain(mp.View.from_text("1x3/0 0??"), (0, 2))
    assert str(proof) == (
        "(0,2) is safe: proved by the mine count alone.\n1. No mines are left, so (0,2) is safe."
    )
    proof = mp.explain(mp.View.from_text("1x4/2 *2?s"), (0, 2))
    assert not proof.count_used
    proof = mp.explain(mp.View.from_text("1x4/2 *1s?"), (0, 3))
    assert str(proof).endswith("1. 1 mine is left, and just 1 cell for it, so (0,3) is a mine.")
