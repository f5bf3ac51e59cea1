"""Incrementally updated knowledge equals knowledge built from the view."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import mineproof as mp
from mineproof.reasoning.knowledge import Equation
from mineproof.reasoning.local import count, local
from mineproof.world.clues import Exact
from mineproof.world.view import EXPLODED, HIDDEN
from tests.strategies import corners, games, middles

exact = st.just(Exact())
any_game = games() | middles() | corners()


def close(knowledge: mp.Knowledge) -> None:
    for deduction in local(knowledge):
        knowledge.deduce(deduction)


def constraint_of(equation: Equation) -> tuple[set[int], int, int]:
    return equation.cells, equation.least, equation.most


@given(any_game)
def test_a_view_round_trips(game: mp.Game) -> None:
    assert mp.Knowledge(game.view, game.rules, game.clues).view == game.view


@given(any_game)
def test_incremental_updates_equal_a_fresh_start(game: mp.Game) -> None:
    """Feeds the rest of a game event by event, reasoning in between; compares at each step."""
    knowledge = mp.Knowledge(game.view, game.rules, game.clues)
    while not game.over:
        close(knowledge)
        fresh = mp.Knowledge(game.view, game.rules, game.clues)
        close(fresh)
        assert {i: d.mine for i, d in knowledge.settled.items()} == {
            i: d.mine for i, d in fresh.settled.items()
        }
        assert {i: constraint_of(e) for i, e in knowledge.equations.items()} == {
            i: constraint_of(e) for i, e in fresh.equations.items()
        }
        assert (knowledge.covered, knowledge.mines_known) == (fresh.covered, fresh.mines_known)
        cell = next(iter(game.view.cells(HIDDEN)), None)
        if cell is None:
            break
        knowledge.observe(game.open(cell))


@given(any_game)
def test_equations_hold_on_the_board(game: mp.Game) -> None:
    """Under every clue model, the true number of mines is between `least` and `most`."""
    view = game.view
    if not game.over:
        game.stop()
    knowledge = mp.Knowledge(view, game.rules, game.clues)
    for equation in knowledge.equations.values():
        mines = sum(game.board.mined[index] for index in equation.cells)
        assert equation.least <= mines <= equation.most


@given(any_game)
def test_what_is_deduced_is_true_under_every_clue_model(game: mp.Game) -> None:
    view = game.view
    if not game.over:
        game.stop()
    knowledge = mp.Knowledge(view, game.rules, game.clues)
    close(knowledge)
    for index, deduction in knowledge.settled.items():
        assert deduction.mine == bool(game.board.mined[index])


@given(corners(exact) | games(exact))
def test_a_deduction_follows_from_its_premises_alone(game: mp.Game) -> None:
    """Its clue and the true state of the cells it names leave no alternative."""
    view = game.view
    if not game.over:
        game.stop()
    knowledge = mp.Knowledge(view, game.rules)
    close(knowledge)
    for deduction in knowledge.deductions:
        if deduction.rule == "opening":
            continue
        assert (deduction.rule, deduction.count_used) == ("local", False)
        (clue,) = deduction.clues
        around = game.board.grid.neighbours(game.board.grid.index(clue))
        known = {game.board.grid.index(cell) for cell in deduction.known}
        assert known <= set(around)
        left = game.board.clue(clue) - sum(game.board.mined[index] for index in known)
        assert left == (len(around) - len(known) if deduction.mine else 0)


def test_the_count_deduces_all_remaining_cells() -> None:
    """If as many mines as cells are left, or none; the deduction uses no clue."""
    for mines, mine in ((2, True), (0, False)):
        knowledge = mp.Knowledge(mp.View.from_text(f"1x4/{mines} ?-?-"))
        knowledge._add(knowledge.count())
        assert not list(local(knowledge))
        found = list(count(knowledge))
        assert [(d.cell, d.mine) for d in found] == [((0, 0), mine), ((0, 2), mine)]
        assert {(d.rule, d.clues, d.count_used) for d in found} == {("count", (), True)}
        assert found[0].why == (
            "the number of mines left equals the number of unresolved cells, so both are mines"
            if mine
            else "no mines are left to find, so all unresolved cells are safe"
        )


def test_flags_are_not_evidence() -> None:
    knowledge = mp.Knowledge(mp.View.from_text("F1?"))
    close(knowledge)
    assert not knowledge.settled


def test_an_explosion_is_evidence() -> None:
    knowledge = mp.Knowledge(mp.View.from_text("*1?"), mp.Rules(on_mine="continue"))
    close(knowledge)
    assert [d.cell for d in knowledge.deductions if not d.mine] == [(0, 2)]


def test_a_wrong_deduction_is_corrected() -> None:
    """Optimistic clues read as exact can mislead; the equations recover."""
    naive = mp.Knowledge(mp.View.from_text("0??/??1/???"), mp.Rules(on_mine="continue"))
    close(naive)
    assert constraint_of(naive.equations[5]) == ({2, 7, 8}, 1, 1)
    naive.observe([mp.Event((0, 1), EXPLODED)])
    assert constraint_of(naive.equations[5]) == ({2, 7, 8}, 0, 0)
    assert naive.mines_known == 1
