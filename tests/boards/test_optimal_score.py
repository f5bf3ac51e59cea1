"""Optimal scores of small boards equal their definition on both engines; no agent beats them."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import prod

import pytest

import mineproof as mp
from mineproof import _engine
from mineproof.cli import main
from mineproof.world.board import Opening
from mineproof.world.clues import parse

CHANCES = {
    "exact": lambda k, n: {k: Fraction(1)},
    "sometimes:0.25": lambda k, n: {k: Fraction(1, 4), None: Fraction(3, 4)},
    "optimistic": lambda k, n: dict.fromkeys(range(k + 1), Fraction(1, k + 1)),
    "cautious": lambda k, n: dict.fromkeys(range(k, n + 1), Fraction(1, n - k + 1)),
}
"""What a cell with k mines among n neighbours shows, as the docs define the models."""


def by_definition(rows: int, cols: int, mines: int, clues: str) -> Fraction:
    """All orders of opening and flagging: no symmetry, no pruning, no free moves, no bounds."""
    cells = [(r, c) for r in range(rows) for c in range(cols)]
    near = {
        (r, c): [(y, x) for y, x in cells if (y, x) != (r, c) and abs(y - r) < 2 and abs(x - c) < 2]
        for r, c in cells
    }
    boards = [frozenset(chosen) for chosen in combinations(cells, mines)]

    @cache
    def shows(board: frozenset[object], cell: tuple[int, int], what: object) -> Fraction:
        """The probability that opening a cell of this board shows `what`."""
        if what == "mine" or cell in board:
            return Fraction((what == "mine") == (cell in board))
        count = sum(one in board for one in near[cell])
        return Fraction(CHANCES[clues](count, len(near[cell])).get(what, 0))

    @cache
    def worth(seen: frozenset[tuple[object, object]]) -> Fraction:
        """Expected right minus wrong flags, times the probability of what has been seen."""
        shown = dict(seen)
        chances = {}
        for board in boards:
            each = [shows(board, cell, what) for cell, what in shown.items()]
            if all(each):
                chances[board] = prod(each, start=Fraction(1, len(boards)))
        covered = [cell for cell in cells if cell not in shown]
        flags = (sum((1 if c in b else -1) * p for b, p in chances.items()) for c in covered)
        best = sum((max(Fraction(0), flag) for flag in flags), Fraction(0))
        for cell in covered:
            whats = {"mine", *range(9), None} if chances else set()
            after = (worth(seen | {(cell, what)}) for what in whats)
            best = max(best, sum(after, Fraction(0)))
        return best

    return worth(frozenset()) / mines


@pytest.mark.parametrize("clues", CHANCES)
@pytest.mark.parametrize("board", [(1, 4, 1), (1, 4, 2), (2, 2, 1), (2, 2, 3), (1, 5, 2)])
def test_it_is_the_best_of_all_ways_to_play(board: tuple[int, int, int], clues: str) -> None:
    found = mp.solve_score(*board, opening="any", clues=parse(clues))
    assert found.score == by_definition(*board, clues)


@pytest.mark.parametrize("board", [(2, 3, 2), (2, 3, 4), (1, 6, 3)])
def test_it_is_the_best_on_larger_boards_with_exact_clues(board: tuple[int, int, int]) -> None:
    assert mp.solve_score(*board, opening="any").score == by_definition(*board, "exact")


@pytest.mark.parametrize("opening", ["any", "safe", "clear"])
@pytest.mark.parametrize("board", [(1, 6, 2), (3, 3, 2), (3, 3, 4), (3, 3, 0), (2, 5, 8)])
def test_both_engines_agree(board: tuple[int, int, int], opening: Opening) -> None:
    found = {}
    for engine in _engine.ENGINES:
        with _engine.using(engine):
            try:
                one = mp.solve_score(*board, opening=opening)
                found[engine] = (one.score, one.boards, one.first)
            except mp.InvalidInput as error:
                found[engine] = str(error)
    assert found["native"] == found["python"]


def test_flagging_everything_is_best_where_nearly_all_cells_are_mines() -> None:
    found = mp.solve_score(2, 2, 3, opening="any")
    assert found.first is None
    assert found.score == Fraction(2, 3)


@pytest.mark.parametrize("opening", ["any", "safe", "clear"])
@pytest.mark.parametrize(
    "board", [(2, 2, 3), (2, 3, 2), (2, 4, 2), (3, 3, 3), (2, 4, 5), (1, 7, 3), (1, 3, 2)]
)
def test_the_champion_reaches_the_optimum(board: tuple[int, int, int], opening: Opening) -> None:
    """Over every board that can be dealt, the champion's mean is the optimum, to the last digit."""
    rows, cols, mines = board
    if opening == "clear" and board in {(2, 2, 3), (2, 4, 5), (1, 3, 2)}:
        return  # no board can keep the rule
    grid = mp.Deal(rows, cols, mines).grid
    best = mp.solve_score(*board, opening=opening)
    rules = mp.Rules(on_mine="continue", opening=opening)
    view = mp.View(grid, bytes([9]) * grid.size, mines)
    first = mp.agents.get("champion").advise(view, rules).candidates[0]  # type: ignore[attr-defined]
    dealt = [
        one
        for m in (set(chosen) for chosen in combinations(range(grid.size), mines))
        if (one := mp.Board(grid, bytes(i in m for i in range(grid.size)))).keeps(
            opening, first.cell
        )
    ]
    games = mp.arena(["champion"], dealt, rules=rules)
    flags = games.agents[0].score.mean * mines * len(dealt)
    assert flags == pytest.approx(float(best.score) * mines * len(dealt))
    if best.first is not None:
        assert mines - first.loss == pytest.approx(float(best.score) * mines)


def test_no_agent_beats_it() -> None:
    best = float(mp.solve_score(4, 4, 5, opening="safe").score)
    rules = mp.Rules(on_mine="continue", opening="safe")
    # The champion is slower; the test above compares it on every board.
    for agent, games in (("exact", 2000), ("champion", 500)):
        (standing,) = mp.arena([agent], mp.Deal(4, 4, 5), games=games, rules=rules).agents
        assert standing.score is not None
        assert standing.score.interval.low < best


def test_the_command_prints_the_fraction(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "4", "4", "4", "--score"]) == 0
    assert "best score: 719/780 = 0.92179" in capsys.readouterr().out
    asked = ["solve", "2", "3", "2", "--score", "--clues", "optimistic", "--opening", "any"]
    assert main([*asked, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["fraction"], found["clues"]) == ("1133/3240", "optimistic")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["3", "3", "2", "--clues", "optimistic"], "--score"),
        (["3", "3", "2", "--score", "--clues", "optimistic:known=true"], "cannot be computed with"),
        (
            ["3", "3", "2", "--score", "--clues", "sometimes:0.5,redraw=true"],
            "cannot be computed with",
        ),
        (["5", "5", "5", "--score", "--memory", "2"], "more states than fit into 2 MB"),
    ],
)
def test_unsolvable_settings_are_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", *arguments]) == 2
    assert message in capsys.readouterr().err
