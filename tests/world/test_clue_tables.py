"""A clue table is refused where it leaves a cell nothing to show; the liar is played exactly."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof import _engine, studies
from mineproof.games.assistant import Assistant
from mineproof.games.guarded_player import start_player
from mineproof.gym import MinesweeperEnv, MinesweeperVectorEnv, write_dataset
from mineproof.protocol import Session
from mineproof.series.arena import Arena
from mineproof.world.chance import Purpose, Stream
from mineproof.world.clues import ClueModel, Exact, Likelihood, Shown, Table
from mineproof.world.geometry import Grid
from mineproof.world.view import EXPLODED, HIDDEN, NO_CLUE
from tests.oracle import judge
from tests.strategies import LIAR, seeds

RIGHT = [[float(clue == count) for clue in range(9)] for count in range(9)]
EDGELESS = Table([*RIGHT[:4], RIGHT[8], *RIGHT[5:]])
"""Four mines are shown as an 8, which a cell at an edge cannot show."""
SCORED = mp.Rules(on_mine="continue", opening="any")
BOARD = mp.Board.from_mines(3, 3, [(0, 0)])
VIEW = mp.View.from_text("3x3/1 ???/?1?/???")
REFUSED = (
    r"row 4 of the clue table leaves a cell with 5 neighbours, such as \(0,1\), nothing to show: "
    "a clue of at most 5, or no clue, must be possible"
)


class Careless:
    name = "careless"

    def decide(self, view: mp.View, **_: Any) -> mp.Move:
        return mp.Move(view.cells(HIDDEN)[0], "open", None, False, "the first hidden cell")


# What a board can show.


def test_the_numbers_of_neighbours_of_a_grid_are_those_of_its_cells() -> None:
    for rows in range(1, 6):
        for cols in range(1, 6):
            grid = Grid(rows, cols)
            found = grid.neighbour_counts()
            assert found.keys() == {grid.neighbour_count(index) for index in range(grid.size)}
            assert all(grid.neighbour_count(index) == count for count, index in found.items())


def can_show(table: Table, grid: Grid) -> bool:
    """Whether every cell can show something for every count, cell by cell."""
    degrees = [len(grid.neighbours(index)) for index in range(grid.size)]
    return all(
        any(row[: degree + 1]) or row[9] for degree in degrees for row in table.rows[: degree + 1]
    )


@settings(max_examples=300)
@given(st.lists(st.integers(0, 9), min_size=9, max_size=9), st.integers(1, 4), st.integers(1, 4))
def test_a_table_suits_a_board_on_which_every_cell_can_show_something(
    shown: list[int], rows: int, cols: int
) -> None:
    table = Table([[float(column == one) for column in range(10)] for one in shown])
    grid = Grid(rows, cols)
    if can_show(table, grid):
        table.check(grid)
    else:
        with pytest.raises(mp.InvalidInput, match="nothing to show"):
            table.check(grid)


def test_a_row_of_which_nothing_is_left_is_refused_only_where_it_is_needed() -> None:
    with pytest.raises(mp.InvalidInput, match=r"row 0 .* with 0 neighbours, such as \(0,0\), noth"):
        mp.Game(mp.Board.from_mines(1, 1, []), clues=LIAR)
    mp.Game(mp.Board.from_mines(1, 2, []), clues=LIAR)
    with pytest.raises(mp.InvalidInput, match=REFUSED):
        mp.posterior(VIEW, EDGELESS)
    corner = mp.View.from_text("2x2/1 1?/??")
    assert mp.posterior(corner, EDGELESS).risk[0, 1] == pytest.approx(1 / 3)
    with pytest.raises(mp.InvalidInput, match="row 0 of .* with 0 neighbours nothing to show"):
        LIAR.draw(0, 0, Stream(1, Purpose.NOISE))


REFUSALS: dict[str, Callable[[Path], object]] = {
    "Game": lambda _: mp.Game(BOARD, SCORED, EDGELESS),
    "Game.deal": lambda _: mp.Game.deal(3, 3, 1, clues=str(EDGELESS)),
    "play": lambda _: mp.play(BOARD, Careless(), rules=SCORED, clues=EDGELESS),
    "posterior": lambda _: mp.posterior(VIEW, EDGELESS),
    "posteriors": lambda _: mp.posteriors([VIEW], EDGELESS),
    "sample": lambda _: mp.sample(VIEW, 1, EDGELESS),
    "count_odds": lambda _: mp.count_odds(VIEW, (1, 1), EDGELESS),
    "value_odds": lambda _: mp.value_odds(VIEW, (0, 0), EDGELESS),
    "analyse_cell": lambda _: mp.analyse_cell(VIEW, (0, 0), EDGELESS),
    "explain": lambda _: mp.explain(VIEW, (0, 0), EDGELESS),
    "solve_score": lambda _: mp.solve_score(3, 3, 1, clues=EDGELESS),
    "agent": lambda _: mp.agents.get("csp").decide(VIEW, clues=EDGELESS),
    "advice": lambda _: mp.agents.get("champion").advise(VIEW, SCORED, EDGELESS),
    "own agent": lambda _: start_player(Careless(), VIEW, rules=SCORED, clues=EDGELESS),
    "assistant": lambda _: Assistant(VIEW, Careless(), clues=EDGELESS),
    "arena": lambda _: mp.arena(["exact"], mp.Deal(3, 3, 1), games=1, clues=EDGELESS),
    "boards of an arena": lambda _: Arena(
        ["exact"], [mp.Board.from_mines(2, 2, []), BOARD], clues=EDGELESS
    ),
    "environment": lambda _: MinesweeperEnv(rows=3, cols=3, mines=1, clues=EDGELESS),
    "environments": lambda _: MinesweeperVectorEnv(2, rows=3, cols=3, mines=1, clues=EDGELESS),
    "boards of an environment": lambda _: MinesweeperEnv(
        boards=[BOARD], opening="any", clues=EDGELESS
    ),
    "dataset": lambda path: write_dataset(path / "new", mp.Deal(3, 3, 1), clues=EDGELESS),
    "study": lambda _: studies.Study.from_dict(
        "edgeless",
        {
            "title": "A table",
            "question": "Does it suit the board?",
            "block": [{"agents": "exact", "boards": "3x3/1", "clues": str(EDGELESS)}],
        },
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_table_that_does_not_suit_the_board_is_refused_before_a_game(
    name: str, tmp_path: Path
) -> None:
    with pytest.raises(mp.InvalidInput, match=REFUSED):
        REFUSALS[name](tmp_path)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    "request_",
    [
        {"do": "new", "deal": {"rows": 3, "cols": 3, "mines": 1}},
        {"do": "odds", "view": VIEW.to_text()},
        {"do": "go", "view": VIEW.to_text()},
    ],
    ids=lambda one: one["do"],
)
def test_requests_with_such_a_table_are_refused(request_: dict[str, Any]) -> None:
    answer = Session().answer({**request_, "clues": str(EDGELESS)})
    assert "row 4 of the clue table leaves" in answer["error"]["message"]


# The liar.


class HandmadeLiar(ClueModel):
    """The liar of the examples without a table, to judge it."""

    def draw(self, count: int, degree: int, stream: Stream, bound: int | None = None) -> Shown:
        raise NotImplementedError

    def likelihood(self, shown: Shown, degree: int, bound: int | None = None) -> Likelihood:
        return tuple(lies(count, degree).get(shown, 0.0) for count in range(degree + 1))


def lies(count: int, degree: int) -> dict[Shown, float]:
    """What the liar may show: one more or one less, if a cell can show it."""
    possible = {count - 1, count + 1} & {*range(degree + 1)}
    return {clue: 1 / len(possible) for clue in possible}


def test_the_liar_is_the_table_that_it_should_be() -> None:
    for degree in (1, 2, 3, 5, 8):
        for shown in (*range(9), None):
            assert LIAR.likelihood(shown, degree) == HandmadeLiar().likelihood(shown, degree)


@st.composite
def liars_games(draw: st.DrawFn) -> mp.Game:
    """A game on a small board, where most cells are at a border; some cells are opened."""
    random = Random(draw(seeds))
    rows, cols = random.choice([(1, 2), (1, 5), (2, 2), (2, 5), (5, 2), (3, 3), (3, 4), (4, 3)])
    density = random.choice([0.15, 0.3, 0.5])
    mined = bytes(random.random() < density for _ in range(rows * cols))
    rules = mp.Rules(on_mine="continue", opening="any", count_known=random.random() < 0.5)
    game = mp.Game(mp.Board(Grid(rows, cols), mined), rules, LIAR, seed=random.getrandbits(64))
    cells = random.sample(range(rows * cols), random.randint(1, rows * cols - 1))
    for index in cells:
        if not game.over and game.view.states[index] == HIDDEN:
            game.open(game.grid.cell(index))
    return game


@settings(max_examples=300)
@given(liars_games(), st.integers(0, 11))
def test_odds_with_a_liar_equal_brute_force(game: mp.Game, place: int) -> None:
    view = game.view
    verdict = judge(view, HandmadeLiar())
    opened = [i for i, state in enumerate(view.states) if state <= 8]
    for engine in _engine.ENGINES:
        with _engine.using(engine):
            odds = mp.posterior(view, LIAR)
            for index, chance in verdict.risk.items():
                assert odds.risk.ravel()[index] == pytest.approx(chance, abs=1e-12)
            assert odds.safe == view.grid.cells(sorted(verdict.safe))
            assert odds.mined == view.grid.cells(sorted(verdict.mined))
            if verdict.unknown:
                index = verdict.unknown[place % len(verdict.unknown)]
                found = mp.value_odds(view, view.grid.cell(index), LIAR)
                assert found.shown == pytest.approx(lies_at(view, index, verdict.fits))
            if opened:
                index = opened[place % len(opened)]
                counts = mp.count_odds(view, view.grid.cell(index), LIAR)
                assert counts == pytest.approx(around(view, index, verdict.fits))


def around(view: mp.View, index: int, fits: dict[frozenset[int], float]) -> dict[int, float]:
    """The probability of every number of mines around a cell, from all configurations."""
    near = set(view.grid.neighbours(index))
    hit = sum(view.states[i] == EXPLODED for i in near)
    found: defaultdict[int, float] = defaultdict(float)
    for mined, weight in fits.items():
        found[hit + len(mined & near)] += weight / math.fsum(fits.values())
    return dict(found)


def lies_at(view: mp.View, index: int, fits: dict[frozenset[int], float]) -> dict[Shown, float]:
    """The probability of every clue that a hidden cell may show, from all configurations."""
    safe = {mined: weight for mined, weight in fits.items() if index not in mined}
    total = math.fsum(fits.values())
    share = math.fsum(safe.values()) / total
    found: defaultdict[Shown, float] = defaultdict(float)
    for count, chance in around(view, index, safe).items():
        for shown, times in lies(count, view.grid.neighbour_count(index)).items():
            found[shown] += share * chance * times
    return dict(found)


def drawn_lies() -> Iterator[tuple[int, int, int]]:
    """The count, the number of neighbours and the clue of every safe cell of many games."""
    for seed in range(400):
        game = mp.Game.deal(4, 5, 8, rules=SCORED, clues=LIAR, seed=seed)
        while not game.over:
            game.open(game.view.cells(HIDDEN)[0])
        grid, board = game.grid, game.board
        for index, state in enumerate(game.view.states):
            if state <= 8:
                yield board.counts[index], grid.neighbour_count(index), state


def test_games_show_what_the_liars_table_says() -> None:
    seen: defaultdict[tuple[int, int], Counter[int]] = defaultdict(Counter)
    for count, degree, shown in drawn_lies():
        seen[count, degree][shown] += 1
    assert {(0, 3), (3, 3), (0, 5), (5, 5), (3, 8)} <= seen.keys()
    for (count, degree), clues in seen.items():
        expected, draws = lies(count, degree), clues.total()
        assert clues.keys() <= expected.keys()
        for shown, chance in expected.items():
            tolerance = 4.5 * (draws * chance * (1 - chance)) ** 0.5
            assert abs(clues[shown] - draws * chance) <= tolerance


def test_who_knows_that_clues_are_lies_beats_who_believes_them() -> None:
    agents = ["exact", "csp", "csp:naive=true", "exact:naive=true"]
    found = mp.arena(agents, mp.Deal(6, 6, 6), games=40, rules=SCORED, clues=LIAR, seed=1)
    score = {one.name: one.score for one in found.agents}
    assert min(score["exact"], score["csp"]) > max(
        score["csp:naive=true"], score["exact:naive=true"]
    )


def test_a_lie_is_no_missing_clue_and_starts_no_flood() -> None:
    game = mp.Game(mp.Board.from_mines(3, 3, []), SCORED, LIAR)
    assert [event.state for event in game.open((1, 1))] == [1]
    assert NO_CLUE not in game.view.states
    assert not isinstance(game.clues, Exact)
