"""Boards without a safe cell, and rules that no board can keep, mean the same everywhere.

If every cell is a mine, the game is won from the start, and optimal play for a score flags them
all. A rule that no board can keep is refused everywhere with the same message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations

import pytest

import mineproof as mp
from mineproof import _engine
from mineproof.cli import main
from mineproof.gym.env_config import env_config_of
from mineproof.world.board import OPENINGS, Board, Deal, Opening, promised
from mineproof.world.geometry import Cell, Grid

SHAPES = [(1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (2, 3)]
Kind = tuple[int, int, int, Opening]


KINDS: list[Kind] = [
    (rows, cols, mines, opening)
    for rows, cols in SHAPES
    for mines in range(rows * cols + 1)
    for opening in OPENINGS
]


def starts(kind: Kind) -> list[Cell]:
    """The first cells at which some board keeps the rule, found by trying every board."""
    rows, cols, mines, opening = kind
    grid = Grid(rows, cols)
    boards = [set(chosen) for chosen in combinations(range(grid.size), mines)]
    cells = [grid.cell(index) for index in range(grid.size)]
    free = {cell: set(promised(grid, cell, opening)) for cell in cells}
    return [cell for cell in cells if any(not free[cell] & board for board in boards)]


def refusal(call: Callable[[], object]) -> str | None:
    """The message of a refusal; None if there was none."""
    try:
        call()
    except mp.InvalidInput as error:
        return str(error)
    return None


def full(rows: int, cols: int) -> Board:
    return Board(Grid(rows, cols), bytes([1]) * (rows * cols))


@pytest.fixture(params=_engine.ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    with _engine.using(request.param):
        yield request.param


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.usefixtures("engine")
def test_a_rule_that_no_board_can_keep_is_refused_everywhere_with_the_same_message(
    kind: Kind,
) -> None:
    rows, cols, mines, opening = kind
    possible = starts(kind)
    deal, rules = Deal(rows, cols, mines), mp.Rules(opening=opening)
    immortal = mp.Rules(opening=opening, on_mine="continue")
    series = partial(mp.arena, ["baseline"], deal, games=2, rules=rules, workers=1)
    words = refusal(lambda: deal.check(opening, (0, 0)))
    assert (words is None) == bool(possible)
    assert refusal(lambda: mp.solve(rows, cols, mines, opening=opening)) == words
    assert refusal(lambda: mp.solve_score(rows, cols, mines, opening=opening)) == words
    for row in range(rows):
        for col in range(cols):
            cell = (row, col)
            shown = refusal(lambda cell=cell: deal.check(opening, cell))  # type: ignore[misc]
            assert (shown is None) == (cell in possible)
            given = {"start": cell, "opening": opening, "seed": 1}
            ways: list[Callable[[], object]] = [
                lambda cell=cell: mp.Game(deal, rules, start=cell),  # type: ignore[misc]
                lambda cell=cell: mp.Game(deal, immortal, start=cell),  # type: ignore[misc]
                lambda given=given: Board.random(rows, cols, mines, **given),  # type: ignore[misc]
                lambda given=given: list(mp.generate(rows, cols, mines, **given)),  # type: ignore[misc]
                lambda cell=cell: mp.play(deal, "baseline", rules=rules, start=cell),  # type: ignore[misc]
                lambda cell=cell: series(start=cell),  # type: ignore[misc]
            ]
            assert {refusal(way) for way in ways} == {shown}
    # Without a start, the rule must hold wherever play may start.
    anywhere = refusal(lambda: deal.check(opening))
    assert (anywhere is None) == (len(possible) == rows * cols)
    assert refusal(lambda: mp.Game(deal, rules)) == anywhere
    assert refusal(series) == anywhere
    # An episode needs a first move, so an environment needs a safe cell.
    lacks = "a board of an environment needs a safe cell" if mines == rows * cols else None
    episode = {"rows": rows, "cols": cols, "mines": mines, "opening": opening}
    assert refusal(lambda: env_config_of(**episode)) == (anywhere or lacks)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.usefixtures("engine")
def test_the_optimum_starts_where_the_rule_can_be_kept(kind: Kind) -> None:
    rows, cols, mines, opening = kind
    if not starts(kind):
        return
    best, score = (
        solve(rows, cols, mines, opening=opening)  # type: ignore[operator]
        for solve in (mp.solve, mp.solve_score)
    )
    assert 0 <= best.chance <= 1
    assert best.boards == score.boards > 0
    if mines < rows * cols:
        assert best.first in starts(kind)
    else:
        assert (best.chance, best.first, score.score, score.first) == (1, None, 1, None)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.usefixtures("engine")
def test_a_board_without_a_safe_cell_is_won_at_once(shape: tuple[int, int]) -> None:
    rows, cols = shape
    mines = rows * cols
    board = full(rows, cols)
    rules = mp.Rules(opening="any")
    assert mp.solve(rows, cols, mines, opening="any").chance == 1
    for ground in (board, Deal(rows, cols, mines)):
        game = mp.Game(ground, rules)
        assert (game.over, game.won, game.score) == (True, True, None)
        record = mp.play(ground, "baseline", rules=rules)
        assert (record.won, len(record.moves)) == (True, 0)
    assert list(mp.generate(rows, cols, mines, count=2, seed=1)) == [board, board]
    assert Board.random(rows, cols, mines, seed=1) == board
    boards = mp.arena(["baseline", "exact"], [board] * 3)
    dealt = mp.arena(["baseline", "exact"], Deal(rows, cols, mines), games=3, rules=rules)
    assert [one.wins for one in (*boards.agents, *dealt.agents)] == [3] * 4


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.usefixtures("engine")
def test_for_a_score_its_mines_are_flagged(shape: tuple[int, int]) -> None:
    rows, cols = shape
    rules = mp.Rules(on_mine="continue")
    assert mp.solve_score(rows, cols, rows * cols, opening="any").score == 1
    for agent in ("exact", "champion") if _engine.is_native() else ("exact",):
        record = mp.play(full(rows, cols), agent, rules=rules)
        assert (record.score, record.won, record.exploded) == (1.0, True, 0)
        standing = mp.arena([agent], [full(rows, cols)], rules=rules).agents[0]
        assert standing.score is not None
        assert (standing.score.mean, standing.wins) == (1.0, 1)


@pytest.mark.parametrize("on_mine", ["end", "continue"])
@pytest.mark.parametrize(
    ("text", "opening"), [("1x2 **", "safe"), ("2x2 **/**", "clear"), ("3x3 .../.*./...", "clear")]
)
@pytest.mark.usefixtures("engine")
def test_a_given_board_that_keeps_the_rule_nowhere_is_refused(
    text: str, opening: Opening, on_mine: str
) -> None:
    board = Board.from_text(text)
    rules = mp.Rules(opening=opening, on_mine=on_mine)  # type: ignore[arg-type]
    for ask in (
        lambda: mp.Game(board, rules),
        lambda: mp.play(board, "baseline", rules=rules),
        lambda: mp.arena(["baseline", "exact"], [board], rules=rules),
    ):
        with pytest.raises(mp.InvalidInput, match=f"satisfies the opening rule '{opening}'"):
            ask()


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_champion_agrees(kind: Kind) -> None:
    """Before the first move, its advice, win probability and expected loss are the optimum's."""
    rows, cols, mines, opening = kind
    champion, view = mp.agents.get("champion"), mp.View.hidden(rows, cols, mines)
    rules = mp.Rules(opening=opening)
    if not starts(kind):
        assert champion.advise(view, rules).candidates == ()  # type: ignore[attr-defined]
        return
    best = mp.solve(rows, cols, mines, opening=opening)
    chance = champion.guess.win_chance(view, rules)  # type: ignore[attr-defined]
    assert chance == pytest.approx((float(best.chance), 0))
    if mines == rows * cols:
        assert champion.advise(view, rules).candidates == ()  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_command_line_agrees(kind: Kind, capsys: pytest.CaptureFixture[str]) -> None:
    rows, cols, mines, opening = kind
    size = [str(rows), str(cols), str(mines)]
    code = 0 if starts(kind) else 2
    words = refusal(lambda: Deal(rows, cols, mines).check(opening, (0, 0))) or ""
    shape = ["--rows", size[0], "--cols", size[1], "--mines", size[2]]
    alone = ["--agents", "baseline", "--workers", "1"]
    for arguments in (
        ["solve", *size, "--opening", opening],
        ["solve", *size, "--opening", opening, "--score"],
        ["play", *shape, "--opening", opening, "--start", "0,0", "--plain"],
        ["arena", *shape, "--opening", opening, "--start", "0,0", "--games", "2", *alone],
        ["generate", *shape, "--opening", opening, "--start", "0,0"],
    ):
        assert main(arguments) == code, arguments
        assert words in capsys.readouterr().err


def test_the_command_says_that_there_is_no_cell_to_open(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["solve", "2", "2", "4", "--opening", "any"]) == 0
    assert "1/1 = 1.00000\nbest first cell: none" in capsys.readouterr().out
    assert main(["solve", "2", "2", "4", "--opening", "any", "--json"]) == 0
    assert '"first": null' in capsys.readouterr().out
