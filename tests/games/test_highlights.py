"""A game's highlights, a short proof and the hardest guess, are its own moves."""

from __future__ import annotations

import pytest

import mineproof as mp
from mineproof.games.highlights import hardest_guess, instructive_proof
from mineproof.games.record import Record

RULES = mp.Rules(opening="safe")
native = pytest.mark.skipif(mp.engine == "python", reason="the champion is compiled")


def expert(agent: str, seed: int) -> Record:
    return mp.play(mp.Deal(16, 30, 99), agent, rules=RULES, seed=seed)


@pytest.mark.parametrize("seed", [5, 6, 166])
def test_the_proof_is_true_and_proves_a_move_of_the_game(seed: int) -> None:
    record = expert("exact", seed)
    found = instructive_proof(record)
    assert found is not None
    move, proof = record.moves[found.number - 1], found.proof
    assert move.certain
    assert move.cell == proof.cell
    assert proof.mine is bool(record.board.mined[record.board.grid.index(proof.cell)])
    assert 2 <= len(proof.clues) <= 4
    assert proof.steps
    assert proof.ease != "clue"
    assert not proof.count_used
    assert str(mp.explain(proof.view, proof.cell)) == str(proof)


def test_a_game_of_few_moves_has_no_proof_worth_showing() -> None:
    record = mp.play(mp.Board.from_text("3x3/1 *../.../..."), "exact", start=(2, 2))
    assert instructive_proof(record) is None


def test_a_game_without_a_guess_has_no_hardest_guess() -> None:
    record = mp.play(mp.Board.from_text("3x3/1 *../.../..."), "exact", rules=RULES, start=(2, 2))
    assert record.guesses == 0
    assert hardest_guess(record) is None


def test_a_guess_comes_with_the_position_before_it_and_its_odds() -> None:
    record = expert("exact", 166)
    guess = hardest_guess(record)
    assert guess is not None
    assert record.moves[guess.number - 1] == guess.move
    assert guess.odds.risk[guess.move.cell] == pytest.approx(guess.move.risk)
    assert guess.odds.view == guess.view
    assert guess.advice is None
    assert not guess.takes_a_risk
    assert all(move.certain for move in record.moves[guess.number :][: guess.followed])
    assert guess.move.risk == max(move.risk or 0 for move in record.moves if not move.certain)


@native
def test_the_hardest_guess_is_one_that_rejects_the_safest_cell() -> None:
    record = expert("champion", 576)
    guess = hardest_guess(record)
    assert guess is not None
    assert guess.safest is not None
    assert guess.takes_a_risk
    chosen = guess.compared[0]
    assert chosen.cell == guess.move.cell
    assert guess.safest.risk < chosen.risk
    assert (guess.safest.win or 1) < (chosen.win or 0)


@native
def test_a_guess_that_hit_a_mine_says_so() -> None:
    record = expert("champion", 3)
    assert not record.won
    guess = hardest_guess(record)
    assert guess is not None
    assert guess.hit
    assert guess.followed == 0
