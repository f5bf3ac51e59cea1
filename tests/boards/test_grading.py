"""A grade says what a board demands: checked against every order of play where that is feasible."""

from __future__ import annotations

import json
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof import _engine
from mineproof.boards.deduction_play import REASONING, deduce
from mineproof.boards.grading import describe
from mineproof.cli import main
from mineproof.world.game import Game


def least_needed(board: mp.Board, start: mp.Cell, most: int) -> bool:
    """Whether a board can be solved by reasoning about at most `most` clues at once.

    By brute force: every set of clues in the view, and every configuration of their cells.
    """
    game = Game(board, mp.Rules(opening="safe"), start=start)
    game.play(start, "open")
    while not game.over:
        view = game.view
        clues = [i for i, state in enumerate(view.states) if state <= 8]
        hidden = {i for i, state in enumerate(view.states) if state > 8}
        safe: set[int] = set()
        for number in range(1, most + 1):
            for chosen in combinations(clues, number):
                safe |= proved_safe(view, chosen, hidden)
        if not safe:
            return False
        for index in safe:
            if view.states[index] > 8 and not game.over and game.view.states[index] > 8:
                game.play(view.grid.cell(index), "open")
    return True


def proved_safe(view: mp.View, clues: tuple[int, ...], hidden: set[int]) -> set[int]:
    around = {clue: hidden.intersection(view.grid.neighbours(clue)) for clue in clues}
    cells = sorted(set().union(*around.values()))
    ever: set[int] = set()
    for bits in range(1 << len(cells)):
        mined = {cell for place, cell in enumerate(cells) if bits >> place & 1}
        if all(len(mined & around[clue]) == view.states[clue] for clue in clues):
            ever |= mined
    return set(cells) - ever


@settings(max_examples=25)
@given(st.integers(0, 10**6))
def test_the_largest_proof_cannot_be_avoided(seed: int) -> None:
    kind = {"start": (0, 0), "opening": "safe", "reasoning": "gauss"}
    (board,) = mp.generate(4, 4, 4, seed=seed, **kind)  # type: ignore[arg-type]
    found = mp.grade(board, (0, 0))
    if found.proof is None or found.proof.count_used:
        return
    assert found.proof.least
    assert least_needed(board, (0, 0), found.clues)
    assert not least_needed(board, (0, 0), found.clues - 1)


@given(st.integers(0, 10**6))
def test_a_no_guess_board_has_win_probability_one(seed: int) -> None:
    board = mp.Board.random(6, 6, 7, seed=seed, start=(0, 0), opening="safe")
    found = mp.grade(board, (0, 0))
    deduced = deduce(board, (0, 0))
    assert deduced.solved == (found.guesses == 0)
    assert (found.chance == 1) == deduced.solved
    if deduced.solved:
        assert tuple(found.times.values()) == deduced.times
        assert (found.reasoning, found.steps) == (deduced.highest, max(found.steps, 0))
    assert all(0 < risk < 1 for risk in found.risks)


def test_a_guess_is_listed_with_its_risk(engine: str) -> None:
    found = mp.grade(mp.Board.from_text("2x4/1 ...*/...."), (0, 0))
    assert engine == _engine.name()
    assert (found.guesses, found.risks, found.chance) == (1, (0.5,), 0.5)
    assert next(describe(found)).endswith(
        "1 forced guess (risk 50 %), survived with probability 50 %"
    )


def test_the_largest_proof_is_one_clue_where_one_is_enough() -> None:
    found = mp.grade(mp.Board.from_text("1x4/2 *..*"), (0, 1))  # (0,0) is tried, and is a mine
    assert found.proof is not None
    assert (found.proof.cell, found.proof.count_used, found.clues) == ((0, 2), False, 1)
    found = mp.grade(mp.Board.from_text("3x3/1 *../.../..."), (0, 1))
    assert found.proof is not None
    assert (found.proof.count_used, found.clues, found.guesses) == (True, 1, 0)


def test_a_board_of_zeros_needs_no_proof() -> None:
    found = mp.grade(mp.Board.from_text("3x3/0 .../.../..."), (1, 1))
    assert (found.reasoning, found.steps, found.proof, found.clues) == ("local", 0, None, 0)


@pytest.mark.parametrize("needs", REASONING)
def test_boards_generated_for_a_level_are_graded_at_that_level(needs: str) -> None:
    kind = {"start": (4, 4), "opening": "clear", "needs": needs, "tries": 200_000}
    (board,) = mp.generate(9, 9, 14, seed=8, **kind)  # type: ignore[arg-type]
    found = mp.grade(board, (4, 4), opening="clear")
    assert (found.reasoning, found.guesses) == (needs, 0)
    assert found.steps == found.times[needs] > 0


def test_a_start_must_be_safe_and_keep_the_rule() -> None:
    board = mp.Board.from_text("2x3/1 *../...")
    with pytest.raises(mp.InvalidInput, match=r"\(0,0\) is a mine"):
        mp.grade(board, (0, 0))
    with pytest.raises(mp.InvalidInput, match="breaks the opening rule 'clear'"):
        mp.grade(board, (0, 1), opening="clear")


def test_the_command_grades_every_format_that_generate_writes(
    capsys: pytest.CaptureFixture[str], tmp_path: pytest.TempPathFactory
) -> None:
    kind = ["--level", "beginner", "--no-guess", "--seed", "3", "--count", "2", "--start", "2,2"]
    answers = []
    for form in ("lines", "line", "corpus", "id", "plain-id", "json"):
        path = f"{tmp_path}/boards.txt"
        assert main(["generate", *kind, "--format", form, "--out", path]) == 0
        start = ["--start", "2,2"] if form in {"lines", "line"} else []
        assert main(["grade", path, *start, "--json"]) == 0
        answers.append(json.loads(capsys.readouterr().out)["grades"])
    assert all(answer == answers[0] for answer in answers)
    assert [one["no_guess"] for one in answers[0]] == [True, True]
    assert main(["grade", path]) == 0
    assert capsys.readouterr().out.splitlines()[0].split()[:2] == ["board", "needs"]


def test_the_start_must_be_given_where_the_default_is_a_mine(
    capsys: pytest.CaptureFixture[str], tmp_path: pytest.TempPathFactory
) -> None:
    path = f"{tmp_path}/board.txt"
    with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write("2x3/1 *../...")
    assert main(["grade", path]) == 2
    assert "the first cell must be safe, but (0,0) is a mine" in capsys.readouterr().err
    assert main(["grade", path, "--start", "1,2"]) == 0
    assert "from (1,2)" in capsys.readouterr().out
