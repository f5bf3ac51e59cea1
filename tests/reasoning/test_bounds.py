"""Every question about a large board is answered quickly or reported as over budget.

The limits on CPU seconds are generous: they only rule out answers that take minutes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import process_time

import pytest

import mineproof as mp
from mineproof import _engine
from mineproof.reasoning import contradiction
from mineproof.reasoning.evidence import CountPrior, Evidence, gather
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.view import HIDDEN


@contextmanager
def soon(seconds: float = 5) -> Iterator[None]:
    begun = process_time()
    yield
    assert process_time() - begun < seconds


def lattice(row: int, col: int) -> bool:
    return (2 * row + col) % 5 == 0


def chequered(row: int, col: int) -> bool:
    return (row + col) % 2 == 0


def scattered(row: int, col: int) -> bool:
    return (row * 7919 + col * 104729) % 101 < 35


def seen(side: int, shown: Callable[[int, int], bool], mines: float, seed: int = 1) -> mp.View:
    """A random board on which the safe cells that `shown` selects are open."""
    board = mp.Board.random(side, side, round(mines * side * side), seed=seed)
    states = bytearray(board.counts)
    for index, mine in enumerate(board.mined):
        if mine or not shown(*board.grid.cell(index)):
            states[index] = HIDDEN
    return mp.View(board.grid, bytes(states), board.mine_count)


def altered(view: mp.View, by: int) -> mp.View:
    """The same view with one wrong clue near the middle, off by `by`."""
    states = bytearray(view.states)
    middle = view.grid.size // 2
    index = next(i for i in range(middle, view.grid.size) if by < 0 < states[i] < HIDDEN or by > 0)
    index = next(i for i in range(index, view.grid.size) if 0 <= states[i] + by < 9)
    states[index] += by
    return mp.View(view.grid, bytes(states), view.mines)


def alone(evidence: Evidence, clues: set[int]) -> Evidence:
    """The evidence from these clues only, without the mine count."""
    known = tuple(clue for clue in evidence.constraints if clue.clue in clues)
    return evidence._replace(constraints=known, prior=gather(mp.View.hidden(1, 1)).prior)


@pytest.mark.parametrize("side", [30, 60])
@pytest.mark.parametrize(("shown", "mines"), [(lattice, 0.35), (chequered, 0.2)])
@pytest.mark.parametrize("by", [-1, 1])
def test_a_contradiction_on_a_large_board_is_explained(
    engine: str, side: int, shown: Callable[[int, int], bool], mines: float, by: int
) -> None:
    evidence = gather(altered(seen(side, shown, mines), by))._replace(prior=CountPrior(0))
    with soon():
        found = contradiction.explain(evidence)
    if found.count_used:  # the clues alone are consistent, even with the altered one
        assert found.clues
        return
    clues = set(found.clues)
    assert not contradiction.fits(alone(evidence, clues))
    if found.irreducible:
        assert all(contradiction.fits(alone(evidence, clues - {one})) for one in clues)


def test_both_engines_name_the_same_clues() -> None:
    """With an unlimited budget, because Python exhausts a limited one sooner."""
    for by in (-1, 1):
        evidence = gather(altered(seen(14, chequered, 0.2), by))
        found = []
        for name in _engine.ENGINES:
            with _engine.using(name):
                found.append(contradiction.explain(evidence, budget=math.inf))
        assert found[0] == found[1]


@pytest.mark.parametrize("clues", [Exact(), mp.clues.Optimistic(), mp.clues.Cautious()])
def test_contradictory_uncertain_clues_are_named(clues: ClueModel) -> None:
    """A 4 among open zeros is impossible, unless clues are cautious and may be too high."""
    states = bytearray([HIDDEN]) * 900
    for row in range(10, 20):
        for col in range(10, 20):
            states[row * 30 + col] = 0
    states[15 * 30 + 15] = 4
    view = mp.View(mp.Grid(30, 30), bytes(states), 200)
    with soon():
        if isinstance(clues, mp.clues.Cautious):
            mp.posterior(view, clues, budget=1000)  # consistent
        else:
            with pytest.raises(mp.Contradiction, match="clue"):
                mp.posterior(view, clues, budget=1000)


def test_running_out_of_budget_is_reported() -> None:
    evidence = gather(mp.View.from_text("1x7 1?1?1?0"))
    assert contradiction.explain(evidence, budget=10) == ((), False, False)
    for budget in range(10, 1000, 10):
        found = contradiction.explain(evidence, budget=budget)
        clues = set(found.clues)
        assert not clues or not contradiction.fits(alone(evidence, clues))
        assert not found.irreducible or clues == {0, 2, 4, 6}
    assert contradiction.explain(evidence).irreducible
    error = mp.Contradiction("why", (), False, False)
    assert not error.irreducible


def test_the_count_is_contradicted_by_clues_that_share_no_cells(engine: str) -> None:
    evidence = gather(seen(60, chequered, 0.2))
    unknown = len(evidence.unknown)
    for mines in (-1, 0, 5, unknown - 5, unknown + 1):
        with soon(8):
            found = contradiction.explain(evidence._replace(prior=CountPrior(mines)))
        assert found.count_used
        assert found.irreducible
        assert bool(found.clues) == (0 <= mines <= unknown)


def test_configurations_are_counted_or_reported_as_too_many() -> None:
    few = mp.posterior(seen(60, chequered, 0.2))  # almost every cell is certain
    with soon():
        assert few.arrangements > 1000
    many = mp.posterior(seen(24, lattice, 0.35), mp.clues.Optimistic(), budget=1000)
    assert not many.exact
    with soon(), pytest.raises(mp.MineproofError, match="too many cases to count"):
        _ = many.arrangements


def test_an_uncertain_cell_of_a_hard_board_is_explained_without_configurations() -> None:
    view = seen(24, lattice, 0.35)
    cell = next(cell for cell in view.cells(HIDDEN) if not mp.explain(view, cell).found)
    with soon(10):
        assert str(mp.explain(view, cell))
        assert "arrangements" in mp.explain(view, cell).to_json()


@pytest.mark.parametrize("side", [12, 24])
def test_an_uncertain_cell_has_the_risk_from_the_posterior(side: int) -> None:
    """The count that shows the cell to be uncertain also yields its risk."""
    view = seen(side, lattice, 0.35)
    odds = mp.posterior(view)
    for cell in view.cells(HIDDEN)[:: side * side // 6]:
        proof = mp.explain(view, cell)
        assert proof.risk == odds.risk[cell]
        assert proof.estimated == (proof.mine is None and not odds.exact)


def big_count_proof() -> tuple[mp.View, mp.Cell]:
    """A board on which clues force all mines, so the corner that no clue touches is safe."""
    board = mp.Board.random(300, 300, 9000, seed=1)
    states = bytearray(board.counts)
    for index, mine in enumerate(board.mined):
        row, col = board.grid.cell(index)
        if mine or max(row, col) < 20:
            states[index] = HIDDEN
    view = mp.View(board.grid, bytes(states))
    return mp.View(board.grid, bytes(states), len(mp.posterior(view).mined)), (3, 3)


def test_a_proof_by_the_count_on_a_huge_board_is_bounded() -> None:
    view, cell = big_count_proof()
    with soon(15):
        proof = mp.explain(view, cell)
        known = str(proof)
    assert proof.mine is False
    assert proof.count_used
    assert proof.steps or "not found within the budget" in known


@pytest.mark.parametrize(
    ("side", "shown", "mines"),
    [
        (40, chequered, 0.2),
        pytest.param(60, chequered, 0.2, marks=pytest.mark.slow),
        (100, lattice, 0.35),
    ],
)
def test_all_proofs_of_a_large_board_are_quick_and_missing_ones_are_reported(
    side: int, shown: Callable[[int, int], bool], mines: float
) -> None:
    view = seen(side, shown, mines)
    with soon(8):
        found = mp.proofs(view)
    odds = mp.posterior(view)
    assert {proof.cell for proof in found} == {*odds.safe, *odds.mined}
    without = [proof for proof in found if not proof.steps]
    assert all(not proof.least for proof in without)
    assert all("within the budget" in str(proof) for proof in without[:50])
    for proof in [proof for proof in found if proof.least][:: len(found) // 5]:
        assert mp.explain(view, proof.cell).clues == proof.clues


def test_one_hard_proof_does_not_use_up_the_budget_of_others() -> None:
    """When each proof in turn could use all that was left, 39 of these 302 cells got none."""
    found = mp.proofs(seen(30, scattered, 0.2))
    assert len(found) > 250
    assert sum(not proof.steps for proof in found) < 10


@pytest.mark.parametrize(("side", "budget"), [(10, 30), (12, 60)])
def test_both_engines_omit_the_same_proofs(side: int, budget: int) -> None:
    view = seen(side, chequered, 0.2, seed=3)
    found = []
    for engine in _engine.ENGINES:
        with _engine.using(engine):
            found.append([proof.found for proof in mp.proofs(view, budget=budget)])
    assert found[0] == found[1]
    assert found[0]


@pytest.mark.parametrize("clues", [mp.clues.Optimistic(), mp.clues.Cautious()])
@pytest.mark.parametrize("budget", ["fast", "default", "max"])
def test_advice_with_uncertain_clues_is_quick(clues: ClueModel, budget: str) -> None:
    view = seen(30, lattice, 0.35)
    if isinstance(clues, mp.clues.Cautious):
        view = seen(30, lambda row, col: row + col < 30, 0.2)
    champion = mp.agents.get(f"champion:budget={budget}").guess
    with soon(8):
        advice = champion.advise(view, clues=clues)  # type: ignore[union-attr]
    assert advice.candidates
    assert advice.method in {"look-ahead", "least-risk"}
    if advice.method == "least-risk":
        risks = [one.risk for one in advice.candidates]
        assert risks == sorted(risks)
        assert str(advice)
