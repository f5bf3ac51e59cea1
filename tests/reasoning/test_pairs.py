"""Two clues side by side settle what one of them needs more than the other."""

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
    """What one round finds in a view."""
    return list(pairs(Knowledge(mp.View.from_text(view), None, clues)))


def verdicts(system: System, *reasoners: Reasoner) -> dict[mp.Cell, bool]:
    return {d.cell: d.mine for d in close(system, reasoners)}


# The patterns


def test_one_one_at_a_wall_frees_the_third_cell() -> None:
    (one,) = found("2x4 ????/11--")
    assert (one.cell, one.verdict, one.rule) == ((0, 2), "safe", "pairs")
    assert one.clues == ((1, 0), (1, 1))
    assert one.known == ((1, 0), (1, 1), (1, 2))
    assert one.why == (
        "the 1 at (1,0) and the 1 at (1,1) share all their mines, "
        "so the other cell next to (1,1) is safe"
    )


def test_one_two_at_a_wall_mines_the_third_cell() -> None:
    (one,) = found("2x4 ????/12--")
    assert (one.cell, one.verdict, one.clues) == ((0, 2), "mine", ((1, 1), (1, 0)))
    assert one.why == (
        "the 1 at (1,0) and the 2 at (1,1) share at most 1 mine, "
        "so the other cell next to (1,1) is a mine"
    )


def test_clues_that_only_overlap_deduce_both_sides() -> None:
    """Neither set of cells holds the other, so subsets see nothing here."""
    view = "2x4 ????/-12-"
    assert [(one.cell, one.verdict) for one in found(view)] == [((0, 0), "safe"), ((0, 3), "mine")]
    assert not list(subset(Knowledge(mp.View.from_text(view))))


def test_known_mines_are_counted_out() -> None:
    """A 2 and a 3 beside an exploded cell are a 1 and a 2."""
    plain, counted = found("3x4 ????/12--/----"), found("3x4 ????/23--/*---")
    assert [d[:4] for d in counted] == [d[:4] for d in plain]
    assert "the 3 at (1,1), reduced to 2, share" in counted[0].why


@pytest.mark.parametrize(
    "view",
    [
        "????/????",  # no clue
        "2x3 ???/-1-",  # one clue
        "2x5 ?????/-111-",  # as many mines, and cells apart on both sides
        "2x2 ??/11",  # the same cells twice
        "2x5 ??1??/?????",
    ],
)
def test_nothing_to_say(view: str) -> None:
    assert found(view) == []


def test_ranges_count_with_the_least_of_one_and_the_most_of_the_other() -> None:
    """Cells 0 to 4; a clue needs at least 2 of 0 1 2, another has at most 1 of 1 2 3."""

    def settled(least: int, most: int) -> dict[mp.Cell, bool]:
        system = System(Grid(2, 8), bytearray([HIDDEN]) * 16)
        system._add(Equation(8, {0, 1, 2}, [], least, 3))
        system._add(Equation(9, {1, 2, 3}, [], 0, most))
        return {one.cell: one.mine for one in pairs(system)}

    assert settled(2, 1) == {(0, 0): True, (0, 3): False}
    assert settled(2, 2) == settled(1, 1) == {}
    assert settled(3, 1) == {}, "clues that contradict each other prove nothing"


def test_bounds_on_one_side_deduce_nothing() -> None:
    """An optimistic clue is a least number of mines, and two of them have no difference."""
    assert found("2x4 ????/12--") != []
    assert found("2x4 ????/12--", Optimistic()) == []


def test_the_count_takes_no_part() -> None:
    system = System(Grid(2, 8), bytearray([HIDDEN]) * 16)
    system._add(Equation(8, {0, 1}, [], 1, 1))
    system._add(Equation(COUNT, {0, 1, 2}, [], 1, 1))
    assert not list(pairs(system))


def test_only_what_changed_is_compared_again() -> None:
    knowledge = Knowledge(mp.View.from_text("2x4 ????/11--"))
    assert list(pairs(knowledge))
    assert not list(pairs(knowledge))


def test_of_several_pairs_the_first_gives_the_reason() -> None:
    """In the column of report 000 the upper 1 and 2 prove the third cell, and the lower."""
    (one,) = found("5x2 ?1/?2/?2/?2/?1")
    assert (one.cell, one.clues) == ((2, 0), ((1, 1), (0, 1)))


# In any position


@given(middles() | corners())
def test_nothing_is_deduced_that_does_not_follow(game: mp.Game) -> None:
    """The posterior proves as much, whatever the clue model."""
    view = game.view
    posterior = mp.posterior(view, game.clues)
    knowledge = Knowledge(view, game.rules, game.clues)
    for cell, mine in verdicts(knowledge, local, pairs).items():
        assert cell in (posterior.mined if mine else posterior.safe)


@given(middles(exact) | corners(exact))
def test_a_deduction_follows_from_its_premises_alone(game: mp.Game) -> None:
    """From the two clues and what is known around them, in a view that shows nothing else."""
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
def test_what_subsets_find_in_two_clues_pairs_find(game: mp.Game) -> None:
    knowledge = Knowledge(game.view, game.rules, game.clues)
    for two in combinations(knowledge.equations.values(), 2):
        by_subsets = verdicts(Excerpt(knowledge, two), local, subset)
        assert by_subsets.items() <= verdicts(Excerpt(knowledge, two), local, pairs).items()


@given(middles() | corners())
def test_what_the_one_two_pattern_finds_pairs_find(game: mp.Game) -> None:
    knowledge = Knowledge(game.view, game.rules, game.clues)
    equations = knowledge.equations.values()
    by_pattern = verdicts(Excerpt(knowledge, equations), local, one_two)
    assert by_pattern.items() <= verdicts(Excerpt(knowledge, equations), local, pairs).items()


@given(middles() | corners())
def test_clues_come_in_any_order(game: mp.Game) -> None:
    """The same is found for the same reasons, by index, from equations the other way round."""
    knowledge = Knowledge(game.view, game.rules, game.clues)
    equations = list(knowledge.equations.values())
    deductions = list(pairs(Excerpt(knowledge, equations)))
    assert deductions == list(pairs(Excerpt(knowledge, equations[::-1])))
    assert [d.cell for d in deductions] == sorted({d.cell for d in deductions})
