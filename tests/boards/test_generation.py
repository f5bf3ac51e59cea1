"""No-guess boards need no guess whoever plays them, and a seed always gives the same boards."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mineproof as mp
from mineproof import _engine
from mineproof.agents import get
from mineproof.agents.recipes import ROWS, SUBSETS, Recipe
from mineproof.boards.deduction_play import REASONING, DeductionPlayer, deduce
from mineproof.boards.no_guess_search import BoardSpec, NoGuessSearch, attempt, search
from mineproof.reasoning.local import local

EXACT = get("exact")
PLAYERS: dict[str, Recipe] = {
    "local": replace(EXACT, reasoners=(local,), beyond=None),
    "pairs": replace(EXACT, beyond=None),
    "subset": replace(EXACT, beyond=SUBSETS),
    "gauss": replace(EXACT, beyond=ROWS),
    "exact": EXACT,
}


def guesses(board: mp.Board, agent: Recipe, start: mp.Cell, opening: str) -> int:
    """How often a Python agent guesses before it hits a mine or finishes."""
    with _engine.using("python"):
        rules = mp.Rules(opening=opening)  # type: ignore[arg-type]
        record = mp.play(board, replace(agent, start=None), rules=rules, start=start)
    return record.guesses + (not record.won)


@pytest.mark.parametrize("opening", ["safe", "clear"])
@pytest.mark.parametrize("tries", [2000, 1])
def test_python_agents_solve_them_without_a_guess(opening: str, tries: int) -> None:
    boards = list(
        mp.generate(
            *(16, 16, 40),
            count=12,
            seed=1,
            start=(2, 3),
            opening=opening,  # type: ignore[arg-type]
            no_guess=True,
            tries=tries,
        )
    )
    assert any(board.repaired for board in boards) == (tries == 1)
    for board in boards:
        assert (board.mine_count, board.start) == (40, (2, 3))
        assert guesses(board, PLAYERS["exact"], (2, 3), opening) == 0


@pytest.mark.parametrize("reasoning", ["local", "pairs"])
def test_weak_agents_solve_boards_generated_for_them(reasoning: str) -> None:
    for tries in (2000, 1):
        for board in mp.generate(
            *(9, 9, 14),
            count=5,
            seed=2,
            start=(4, 4),
            opening="clear",
            reasoning=reasoning,
            tries=tries,
        ):
            assert guesses(board, PLAYERS[reasoning], (4, 4), "clear") == 0


@pytest.mark.parametrize("needs", REASONING)
def test_a_board_needs_exactly_the_requested_reasoning(needs: str) -> None:
    levels = list(REASONING)
    for board in mp.generate(
        9, 9, 14, count=3, seed=3, start=(4, 4), opening="clear", needs=needs, tries=200_000
    ):
        assert not board.repaired
        assert guesses(board, PLAYERS["exact"], (4, 4), "clear") == 0
        for level in levels[: levels.index(needs)]:
            assert guesses(board, PLAYERS[level], (4, 4), "clear") > 0
        with _engine.using("python"):
            assert deduce(board, (4, 4), opening="clear").highest == needs


@given(st.integers(0, 2**32), st.sampled_from([6, 10, 14]), st.sampled_from(["safe", "clear"]))
def test_both_engines_deduce_the_same(seed: int, mines: int, opening: str) -> None:
    board = mp.Board.random(8, 8, mines, seed=seed, start=(1, 2), opening=opening)  # type: ignore[arg-type]
    for reasoning in REASONING:
        found = []
        for engine in _engine.ENGINES:
            with _engine.using(engine):
                found.append(deduce(board, (1, 2), opening=opening, reasoning=reasoning))  # type: ignore[arg-type]
        assert found[0] == found[1]


def test_both_engines_make_the_same_attempts() -> None:
    for reasoning in ("local", "exact"):
        wanted = BoardSpec(9, 9, 20, (0, 0), "safe", reasoning, reasoning == "local", 5, 60)
        with _engine.using("native"):
            found = search(wanted, 4, [NoGuessSearch(number) for number in range(6)], 8, 1)
        for one in found:
            number = one.tries - 1
            tried = attempt(wanted, mp.chance.game_seed(4, one.board), number)
            assert (tried.board.mined, tried.seed, tried.found) == (one.mines, one.seed, one.found)


def test_every_no_guess_board_is_equally_likely() -> None:
    """Exactly the no-guess boards of a small size occur, with frequencies within chance."""
    grid, start = mp.Grid(4, 4), (0, 0)
    every = {
        board.to_text()
        for cells in combinations(range(1, 16), 4)
        if (board := mp.Board.from_mines(4, 4, [grid.cell(i) for i in cells]))
        and DeductionPlayer(board, start, "safe").play(REASONING).solved
    }
    n = 200 * len(every)
    counts = Counter(
        board.to_text()
        for board in mp.generate(
            4, 4, 4, count=n, seed=9, start=start, opening="safe", no_guess=True, repair=False
        )
    )
    assert set(counts) == every
    expected = n / len(every)
    chi = sum((counts[board] - expected) ** 2 / expected for board in every)
    freedom = len(every) - 1
    assert abs(chi - freedom) < 4 * (2 * freedom) ** 0.5


def test_a_seed_gives_the_same_boards_on_any_number_of_workers() -> None:
    kind = {"count": 70, "seed": 11, "start": (3, 3), "opening": "clear", "no_guess": True}
    one, three = ([*mp.generate(16, 30, 99, workers=n, **kind)] for n in (1, 3))  # type: ignore[arg-type]
    assert one == three
    fewer = [*mp.generate(16, 30, 99, **{**kind, "count": 5})]  # type: ignore[arg-type]
    assert fewer == one[:5]
    deal = mp.Deal(16, 30, 99)
    for board in one[:5]:  # its seed gives the same board again
        assert deal.board(board.seed, start=(3, 3), opening="clear") == board
        assert not board.repaired


def test_the_boards_of_a_seed_are_golden() -> None:
    boards = mp.generate(4, 5, 5, count=3, seed=1, start=(0, 0), opening="safe", no_guess=True)
    assert [board.to_text() for board in boards] == GOLDEN


GOLDEN = [
    "4x5/5 ....*/..*.*/....*/....*",
    "4x5/5 ....*/....*/*..../*.*..",
    "4x5/5 ....*/....*/..*.*/....*",
]


def test_dense_boards_are_repaired_and_say_so() -> None:
    kind = {"start": (3, 3), "opening": "clear", "no_guess": True, "tries": 20}
    for board in mp.generate(16, 30, 150, count=2, seed=1, **kind):  # type: ignore[arg-type]
        assert board.repaired
        assert board.mine_count == 150
        assert board.keeps("clear", (3, 3))
        assert guesses(board, PLAYERS["exact"], (3, 3), "clear") == 0


def test_a_failed_search_reports_how_close_it_came() -> None:
    kind = {"start": (3, 3), "opening": "clear", "no_guess": True, "tries": 50, "repair": False}
    with pytest.raises(mp.NotFound, match="none of 50 deals of 16x30 with 170 mines") as caught:
        next(mp.generate(16, 30, 170, seed=1, **kind))  # type: ignore[arg-type]
    assert caught.value.tries == 50
    assert 0 < caught.value.best < 1
    assert f"{100 * caught.value.best:.1f} % of the safe cells" in str(caught.value)
    with pytest.raises(mp.NotFound, match="chain of at least 5000 cells"):
        next(mp.generate(9, 9, 10, seed=1, **(kind | {"chain": 5000})))  # type: ignore[arg-type]


def test_a_long_chain_can_be_requested() -> None:
    for board in mp.generate(9, 9, 10, count=3, seed=1, start=(0, 0), opening="safe", chain=16):
        record = mp.play(board, "exact", rules=mp.Rules(opening="safe"), start=(0, 0))
        assert len(record.smallest_influence.longest) >= 16


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"no_guess": True}, "needs a safe first cell"),
        ({"no_guess": True, "start": (0, 0)}, "needs a safe first cell"),
        ({"reasoning": "gaus"}, "did you mean 'gauss'"),
        ({"reasoning": "local", "needs": "gauss"}, "cannot be solved by 'local'"),
        (
            {"no_guess": True, "start": (0, 0), "opening": "safe", "tries": 0},
            "tries must be at least 1",
        ),
    ],
)
def test_impossible_requests_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(mp.InvalidInput, match=message):
        mp.generate(9, 9, 10, **options)  # type: ignore[arg-type]
    with pytest.raises(mp.InvalidInput, match="need a fixed mine count"):
        mp.generate(
            *(9, 9), density=0.2, independent=True, start=(0, 0), opening="safe", no_guess=True
        )


def test_a_generated_board_equals_a_plain_one() -> None:
    (board,) = mp.generate(9, 9, 10, seed=1)
    plain = mp.Board.from_text(board.to_text())
    assert board == plain
    assert plain == board
    assert len({board, plain}) == 1
    assert (board.tries, board.repaired) == (1, False)
