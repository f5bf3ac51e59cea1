"""Subtracting one of two nearby clues from the other deduces cells that only one touches."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mineproof as mp
from mineproof.reasoning.closure import Reasoner, close
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.equations import COUNT, Equation, Excerpt, System
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.local import local
from mineproof.reasoning.one_two import one_two
from mineproof.reasoning.pairs import pairs
from mineproof.reasoning.subset import subset
from mineproof.world.clues import ClueModel, Exact, Optimistic
from mineproof.world.geometry import Grid
from mineproof.world.view import EXPLODED, HIDDEN, NO_CLUE
from tests.strategies import corners, middles

exact = st.just(Exact())


def found(view: str, clues: ClueModel | None = None) -> list[Deduction]:
    """What one pass over a view deduces."""
    return list(pairs(Knowledge(mp.View.from_text(view), None, clues)))


def verdicts(system: System, *reasoners: Reasoner) -> dict[mp.Cell, bool]:
    return {d.cell: d.mine for d in close(system, reasoners)}


# Patterns


def test_one_one_at_a_wall_proves_the_third_cell_safe() -> None:
    (one,) = found("2x4 ????/11--")
    assert (one.cell, one.verdict, one.rule) == ((0, 2), "safe", "pairs")
    assert one.clues == ((1, 0), (1, 1))
    assert one.known == ((1, 0), (1, 1), (1, 2))
    assert one.why == (
        "the 1 at (1,0) and the 1 at (1,1) share all their mines, "
        "so the other cell next to (1,1) is safe"
    )


def test_one_two_at_a_wall_proves_the_third_cell_a_mine() -> None:
    (one,) = found("2x4 ????/12--")
    assert (one.cell, one.verdict, one.clues) == ((0, 2), "mine", ((1, 1), (1, 0)))
    assert one.why == (
        "the 1 at (1,0) and the 2 at (1,1) share at most 1 mine, "
        "so the other cell next to (1,1) is a mine"
    )


def test_overlapping_clues_deduce_cells_on_both_sides() -> None:
    """Neither set of cells contains the other, so the subset rule deduces nothing here."""
    view = "2x4 ????/-12-"
    assert [(one.cell, one.verdict) for one in found(view)] == [((0, 0), "safe"), ((0, 3), "mine")]
    assert not list(subset(Knowledge(mp.View.from_text(view))))


def test_known_mines_are_subtracted() -> None:
    """A 2 and a 3 next to an exploded cell read as a 1 and a 2."""
    plain, counted = found("3x4 ????/12--/----"), found("3x4 ????/23--/*---")
    assert [d[:4] for d in counted] == [d[:4] for d in plain]
    assert "the 3 at (1,1), reduced to 2, share" in counted[0].why


@pytest.mark.parametrize(
    "view",
    [
        "????/????",  # no clue
        "2x3 ???/-1-",  # one clue
        "2x5 ?????/-111-",  # equal clues, each with cells of its own
        "2x2 ??/11",  # both clues touch the same cells
        "2x5 ??1??/?????",
    ],
)
def test_nothing_to_deduce(view: str) -> None:
    assert found(view) == []


def test_ranges_compare_the_least_of_one_with_the_most_of_the_other() -> None:
    """Cells 0 to 4; a clue needs at least 2 of 0 1 2, another has at most 1 of 1 2 3."""

    def deduced(least: int, most: int) -> dict[mp.Cell, bool]:
        system = System(Grid(2, 8), bytearray([HIDDEN]) * 16)
        system._add(Equation(8, {0, 1, 2}, [], least, 3))
        system._add(Equation(9, {1, 2, 3}, [], 0, most))
        return {one.cell: one.mine for one in pairs(system)}

    assert deduced(2, 1) == {(0, 0): True, (0, 3): False}
    assert deduced(2, 2) == deduced(1, 1) == {}
    assert deduced(3, 1) == {}, "clues that contradict each other prove nothing"


def test_bounds_on_one_side_deduce_nothing() -> None:
    """Optimistic clues are only lower bounds, so they cannot be subtracted."""
    assert found("2x4 ????/12--") != []
    assert found("2x4 ????/12--", Optimistic()) == []


def test_the_count_is_not_used() -> None:
    system = System(Grid(2, 8), bytearray([HIDDEN]) * 16)
    system._add(Equation(8, {0, 1}, [], 1, 1))
    system._add(Equation(COUNT, {0, 1, 2}, [], 1, 1))
    assert not list(pairs(system))


def test_only_changed_clues_are_compared_again() -> None:
    knowledge = Knowledge(mp.View.from_text("2x4 ????/11--"))
    assert list(pairs(knowledge))
    assert not list(pairs(knowledge))


def test_the_first_of_several_pairs_is_the_reason() -> None:
    """In report 000's column, both the upper and the lower 1-2 prove the third cell."""
    (one,) = found("5x2 ?1/?2/?2/?2/?1")
    assert (one.cell, one.clues) == ((2, 0), ((1, 1), (0, 1)))


# Arbitrary positions


@given(middles() | corners())
def test_every_deduction_is_certain(game: mp.Game) -> None:
    """The posterior proves every deduced cell, under every clue model."""
    view = game.view
    posterior = mp.posterior(view, game.clues)
    knowledge = Knowledge(view, game.rules, game.clues)
    for cell, mine in verdicts(knowledge, local, pairs).items():
        assert cell in (posterior.mined if mine else posterior.safe)


@given(middles(exact) | corners(exact))
def test_a_deduction_follows_from_its_premises_alone(game: mp.Game) -> None:
    """It holds in a view that shows only the two clues and the known cells around them."""
    knowledge = Knowledge(game.view, game.rules)
    truth = dict(knowledge.settled)
    for deduction in close(knowledge, (local, pairs)):
        truth[game.view.grid.index(deduction.cell)] = deduction
        if deduction.rule != "pairs":
            continue
        states = bytearray([HIDDEN]) * game.view.grid.size
        for index in map(game.view.grid.index, deduction.known):
            mine = truth[index].mine if index in truth else game.view.states[index] == EXPLODED
            states[index] = EXPLODED if mine else NO_CLUE
        for index in map(game.view.grid.index, deduction.clues):
            states[index] = game.view.states[index]
        posterior = mp.posterior(mp.View(game.view.grid, bytes(states), None))
        assert deduction.cell in (posterior.mined if deduction.mine else posterior.safe)


@given(middles() | corners())
def test_pairs_deduce_what_subsets_deduce_from_two_clues(game: mp.Game) -> None:
    knowledge = Knowledge(game.view, game.rules, game.clues)
    for two in combinations(knowledge.equations.values(), 2):
        by_subsets = verdicts(Excerpt(knowledge, two), local, subset)
        assert by_subsets.items() <= verdicts(Excerpt(knowledge, two), local, pairs).items()


@given(middles() | corners())
def test_pairs_deduce_what_the_one_two_pattern_deduces(game: mp.Game) -> None:
    knowledge = Knowledge(game.view, game.rules, game.clues)
    equations = knowledge.equations.values()
    by_pattern = verdicts(Excerpt(knowledge, equations), local, one_two)
    assert by_pattern.items() <= verdicts(Excerpt(knowledge, equations), local, pairs).items()


@given(middles() | corners())
def test_the_order_of_clues_does_not_matter(game: mp.Game) -> None:
    """Reversing the equations changes neither the deductions nor their reasons."""
    knowledge = Knowledge(game.view, game.rules, game.clues)
    equations = list(knowledge.equations.values())
    deductions = list(pairs(Excerpt(knowledge, equations)))
    assert deductions == list(pairs(Excerpt(knowledge, equations[::-1])))
    assert [d.cell for d in deductions] == sorted({d.cell for d in deductions})
