"""Optimal play on small boards has known values, equals its definition, and no agent beats it."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations

import pytest

import mineproof as mp
from mineproof import _engine
from mineproof.cli import main
from mineproof.world.board import Opening

# Board; (boards won, all boards) if the first cell may be a mine; win probability if it is safe.
KNOWN = [
    ((4, 4, 1), (15, 16), 1.0),
    ((4, 4, 2), (102, 120), 0.97143),
    ((4, 4, 3), (400, 560), 0.87912),
    ((4, 4, 4), (961, 1820), 0.70403),
    ((5, 2, 3), (21, 120), 0.25),
    ((10, 1, 5), (24, 252), 0.19048),
]
LARGER = [
    ((4, 4, 5), (1461, 4368), 0.48651),
    ((4, 4, 6), (1584, 8008), 0.31648),
    ((4, 4, 7), (1317, 11440), 0.20466),
    ((4, 4, 8), (859, 12870), 0.13349),
    ((5, 4, 2), (166, 190), 0.97076),
    ((5, 4, 3), (864, 1140), 0.89164),
    ((5, 4, 4), (2950, 4845), 0.76109),
]


@pytest.mark.parametrize(("board", "unsafe", "safe"), KNOWN + LARGER)
def test_small_boards_have_their_known_values(
    board: tuple[int, int, int], unsafe: tuple[int, int], safe: float
) -> None:
    found = mp.solve(*board, opening="any")
    assert (found.wins, found.boards) == unsafe
    assert mp.solve(*board) == mp.solve(*board, opening="safe")
    assert float(mp.solve(*board).chance) == pytest.approx(safe, abs=5e-6)


@pytest.mark.parametrize("opening", ["any", "safe", "clear"])
@pytest.mark.parametrize("board", [(1, 5, 2), (3, 3, 2), (2, 4, 3), (3, 4, 3), (3, 3, 0)])
def test_both_engines_agree(board: tuple[int, int, int], opening: Opening) -> None:
    found = {}
    for engine in _engine.ENGINES:
        with _engine.using(engine):
            one = mp.solve(*board, opening=opening)
            found[engine] = (one.wins, one.boards)
    assert found["native"] == found["python"]


@pytest.mark.parametrize("board", [(1, 4, 1), (2, 3, 2), (3, 3, 2), (2, 4, 3)])
def test_it_equals_the_definition(board: tuple[int, int, int]) -> None:
    """The value by its definition: no memory, no symmetry, no cell opened for free."""
    rows, cols, mines = board
    grid = mp.Deal(rows, cols, mines).grid
    around = [set(grid.neighbours(cell)) for cell in range(grid.size)]
    boards = [frozenset(chosen) for chosen in combinations(range(grid.size), mines)]

    def worth(fitting: list[frozenset[int]], opened: frozenset[int]) -> int:
        if len(opened) == grid.size - mines:
            return len(fitting)
        best = 0
        for cell in set(range(grid.size)) - opened:
            outcomes: dict[int, list[frozenset[int]]] = {}
            for one in fitting:
                if cell not in one:
                    outcomes.setdefault(len(one & around[cell]), []).append(one)
            best = max(best, sum(worth(some, opened | {cell}) for some in outcomes.values()))
        return best

    found = mp.solve(*board, opening="any")
    assert found.chance == Fraction(worth(boards, frozenset()), len(boards))


def test_no_agent_beats_it() -> None:
    best = float(mp.solve(4, 4, 4, opening="safe").chance)
    games = mp.arena(["exact", "csp"], mp.Deal(4, 4, 4), games=4000, rules=mp.Rules(opening="safe"))
    for standing in games.agents:
        assert standing.win_interval.low < best


def test_the_command_prints_the_fraction(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "4", "4", "4"]) == 0
    assert "961/1365 = 0.70403" in capsys.readouterr().out
    assert main(["solve", "4", "4", "4", "--opening", "safe", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["wins"], found["boards"], found["opening"]) == (961, 1365, "safe")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["4", "4", "17"], "17 mines do not fit"),
        (["0", "4", "1"], "1 to 1000 rows"),
        (["9", "9", "10"], "too many for 2000 MB"),
        (["5", "5", "5", "--memory", "2"], "more states than fit into 2 MB"),
        (["2", "2", "4", "--opening", "safe"], "4 mines do not fit: 2x2 has 3 cells besides"),
        (["2", "2", "3", "--opening", "clear"], "3 mines do not fit: 2x2 has 0 cells besides"),
    ],
)
def test_unsolvable_settings_are_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", *arguments]) == 2
    assert message in capsys.readouterr().err
