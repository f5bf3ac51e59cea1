"""Everything that Python passes to the compiled engine is checked and owned on the way in.

Every entry is called with arbitrary values: it returns or raises one of our errors or a Python
type error. It never crashes, which would end these tests.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof import _native
from mineproof.agents.budget import LIMITS
from mineproof.world.clues import Optimistic
from mineproof.world.geometry import Grid

REFUSALS = (mp.MineproofError, TypeError, OverflowError, ValueError, AttributeError)

odd_numbers = st.one_of(
    st.integers(-3, 12),
    st.sampled_from([-(2**63), -(2**31) - 1, -(2**31), 2**31 - 1, 2**31, 2**63, 2**64, 10**30]),
    st.floats(),
    st.sampled_from([None, True, "9", b"9", np.uint8(255), np.int64(-1), np.float64("nan")]),
)
sides = st.integers(1, 4) | odd_numbers
odd_bytes = st.binary(max_size=20) | st.lists(st.integers(0, 13), max_size=16).map(bytes)
odd_chances = st.floats(0, 1) | st.floats() | odd_numbers
seeds = st.integers(0, 9) | odd_numbers
flags = st.booleans() | odd_numbers


@st.composite
def odd_views(draw: st.DrawFn) -> Any:
    """An object with the attributes of a view, most of them valid."""
    rows, cols = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    states: Any = bytes(
        draw(st.sampled_from([9, 9, 9, 0, 1, 2, 8, 10, 11, 12, 13])) for _ in range(rows * cols)
    )
    mines: Any = draw(st.none() | st.integers(0, 4))
    match draw(st.integers(0, 9)):
        case 0:
            states = draw(odd_bytes | odd_numbers | st.just(bytearray(states)))
        case 1:
            rows = draw(sides)
        case 2:
            cols = draw(sides)
        case 3:
            mines = draw(odd_numbers)
        case 4:
            return draw(st.none() | odd_numbers | st.just(SimpleNamespace()))
    return SimpleNamespace(grid=SimpleNamespace(rows=rows, cols=cols), states=states, mines=mines)


@st.composite
def models(draw: st.DrawFn) -> _native.ClueModel | None:
    """A table model as it should be, or with an invalid number."""
    if draw(st.booleans()):
        return None
    table = np.full((10, 9, 9), draw(st.sampled_from([0.0, 0.1, 1.0])))
    if draw(st.booleans()):
        table[draw(st.integers(0, 9)), draw(st.integers(0, 8)), draw(st.integers(0, 8))] = draw(
            st.floats()
        )
    drawn = draw(st.sampled_from(list(_native.ClueDraw)))
    return _native.ClueModel(table, drawn, draw(st.booleans()), draw(st.booleans()))


overrides = st.lists(
    st.tuples(st.integers(-2, 16) | odd_numbers, st.lists(odd_chances, max_size=10)), max_size=3
)
densities = st.none() | odd_chances
budgets = st.integers(0, 3000) | odd_numbers
cells = st.lists(st.integers(-2, 16) | odd_numbers, max_size=4)
small = st.integers(0, 50)
rules = st.builds(
    lambda *given: (
        lambda: _native.GameRules(
            mine_ends=given[0],
            opening=given[1],
            count_known=given[2],
            flood=given[3],
            density=given[4],
            luck=given[5],
        )
    ),
    flags,
    st.sampled_from([*_native.Opening, 7]),
    flags,
    flags,
    densities,
    st.sampled_from([*_native.Luck, "fair"]),
)
thoughts = st.fixed_dictionaries(
    {
        name: {bool: flags, float: odd_chances, int: small | odd_numbers}[limits.kind]
        for name, limits in LIMITS.items()
    }
).map(lambda given: lambda: _native.Budget(**given))
strategies = st.builds(
    lambda *given: (
        lambda: _native.Strategy(
            local=given[0],
            pairs=given[1],
            beyond=given[2],
            guesser=given[3],
            first=given[4],
            budget=given[5](),
            shares=given[6],
        )
    ),
    flags,
    flags,
    st.sampled_from([*_native.AdvancedRule, "exact"]),
    st.sampled_from([*_native.Guesser, None]),
    st.none() | odd_numbers,
    thoughts,
    st.none() | st.tuples(flags, small | odd_numbers),
)
grounds = st.builds(
    lambda *given: (
        lambda: _native.GameSetup(
            given[0], given[1], mines=given[2], threshold=given[3], boards=given[4]
        )
    ),
    sides,
    sides,
    st.integers(0, 9) | odd_numbers,
    st.none() | odd_numbers,
    st.none() | st.lists(odd_bytes, max_size=3),
)


def attempt(call: Callable[[], object]) -> None:
    try:
        call()
    except REFUSALS:
        pass


reading = st.tuples(
    odd_views(), models(), overrides, densities, flags, budgets, st.none() | odd_numbers
)


@settings(max_examples=300)
@given(reading, st.lists(st.integers(0, 8) | odd_numbers, max_size=4))
def test_posteriors_of_anything(asked: Any, watched: list[Any]) -> None:
    attempt(lambda: _native.posterior(*asked))
    attempt(lambda: _native.posterior(*asked, watched))
    attempt(lambda: _native.Engine().posterior(*asked))


@settings(max_examples=150)
@given(
    st.lists(odd_views(), max_size=3),
    models(),
    st.lists(overrides, max_size=3),
    densities,
    flags,
    budgets,
    st.integers(0, 3) | odd_numbers,
)
def test_many_posteriors_of_anything(
    views: Any, model: Any, own: Any, density: Any, trusted: Any, budget: Any, threads: Any
) -> None:
    attempt(lambda: _native.posteriors(views, model, own, density, trusted, budget, threads))
    attempt(lambda: _native.timings(views, budget, 1))


@settings(max_examples=150)
@given(reading, small | odd_numbers, seeds)
def test_boards_drawn_from_anything(asked: Any, count: Any, seed: Any) -> None:
    attempt(lambda: _native.sample(*asked, count, seed))


@settings(max_examples=200)
@given(
    *(odd_views(), densities, small | odd_numbers, odd_bytes, small | odd_numbers, seeds, seeds),
    st.integers(0, 3) | odd_numbers,
)
def test_openings_of_anything_judged(
    view: Any, density: Any, cell: Any, mined: Any, mines: Any, seed: Any, move: Any, budget: Any
) -> None:
    attempt(lambda: _native.judge_opening(view, density, cell, mined, mines, seed, move, budget))
    states = getattr(view, "states", None)
    own = bytes(len(states)) if isinstance(states, bytes) else mined
    attempt(lambda: _native.judge_opening(view, density, cell, own, mines, seed, move, budget))


@settings(max_examples=200)
@given(reading, cells, small | odd_numbers)
def test_proofs_of_anything(asked: Any, of: Any, questions: Any) -> None:
    attempt(lambda: _native.prove(*asked, of, questions))
    for one in of if isinstance(of, list) else [of]:
        attempt(lambda one=one: _native.explain(*asked, one, questions))


@settings(max_examples=200)
@given(
    *(odd_views(), models(), overrides, densities, rules, thoughts, small | odd_numbers),
    small | odd_numbers,
)
def test_advice_on_anything(
    view: Any, model: Any, own: Any, density: Any, rules: Any, thought: Any, games: Any, first: Any
) -> None:
    games = 20 if isinstance(games, int) and games > 50 else games
    attempt(lambda: _native.advise(view, model, own, density, rules(), thought()))
    attempt(lambda: _native.win_chance(view, rules(), thought(), games))
    attempt(lambda: _native.win_chance(view, rules(), thought(), games, first=first))
    attempt(lambda: _native.score_cost(view, rules(), thought(), first=first))


@settings(max_examples=200)
@given(odd_views(), rules, strategies)
def test_deductions_from_anything(view: Any, rules: Any, strategy: Any) -> None:
    attempt(lambda: _native.closure(view, rules(), strategy()))


columns = st.dictionaries(
    st.sampled_from(["won", "mines", "seed", "cpu_seconds", "odd"]),
    st.sampled_from(
        [
            np.zeros(2, bool),
            np.zeros(2, np.int32),
            np.zeros(2, np.uint64),
            np.zeros(2),
            np.zeros((2, 2)),
            np.zeros(4)[::2],
            None,
            [0, 0],
        ]
    ),
    max_size=3,
)


@settings(max_examples=200)
@given(
    grounds, rules, models(), strategies, st.integers(-1, 4) | odd_numbers, seeds, seeds, columns
)
def test_games_on_anything(
    ground: Any,
    rules: Any,
    clues: Any,
    strategy: Any,
    start: Any,
    seed: Any,
    first: Any,
    filled: Any,
) -> None:
    attempt(lambda: _native.play(ground(), rules(), clues, strategy(), start, seed))
    attempt(
        lambda: _native.play_games(ground(), rules(), clues, strategy(), start, seed, first, filled)
    )


@settings(max_examples=200)
@given(
    grounds, rules, models(), strategies, st.integers(-1, 4) | odd_numbers, seeds,
    small | odd_numbers,
)  # fmt: skip
def test_positions_of_anything(
    ground: Any, rules: Any, clues: Any, strategy: Any, start: Any, seed: Any, number: Any
) -> None:
    few = min(number, 3) if isinstance(number, int) else number
    attempt(
        lambda: _native.positions(
            ground(), rules(), clues, strategy(), start, seed, number, few, number
        )
    )


numbers = st.lists(st.integers(-1, 9), max_size=4) | st.lists(odd_numbers, max_size=4)
arrays = st.one_of(
    st.builds(lambda list_, kind: np.array(list_, object).astype(kind, casting="unsafe"),
              st.lists(st.integers(0, 9), min_size=2, max_size=4),
              st.sampled_from([np.int64, np.uint64, np.int32, float])),
    st.just(np.array([-1, 2])), st.just(np.zeros((2, 2), np.int64)), st.none(), numbers,
)  # fmt: skip


@settings(max_examples=300)
@given(
    sides,
    sides,
    st.integers(1, 3) | st.sampled_from([-1, 0, 2**40, 2**64, None]),
    rules,
    st.integers(0, 4) | odd_numbers,
    st.integers(-1, 4) | odd_numbers,
    st.lists(st.tuples(odd_bytes, st.integers(-2, 16) | odd_numbers), max_size=2),
    st.lists(arrays, min_size=3, max_size=6),
)
def test_many_games_of_anything(
    rows: Any, cols: Any, size: Any, rules: Any, mines: Any, start: Any, boards: Any, given_: Any
) -> None:
    renewal = [*_native.Autoreset][len(given_) % 3]

    def played() -> tuple[Any, Any]:
        games = _native.VectorGame(
            rows, cols, size, rules=rules(), mines=mines, start=start, boards=boards,
            flags=len(boards) == 1, limit=len(given_) - 3, renewal=renewal, threads=2,
        )  # fmt: skip
        attempt(lambda: games.reset(given_[0], given_[1]))
        for moves in given_[2:]:
            attempt(lambda moves=moves: games.step(moves))
        attempt(lambda: games.bounds_of(mines))
        attempt(lambda: games.seed_of(start))
        return games.states, games.won

    def play() -> None:
        states, won = played()  # which outlive the games
        gc.collect()
        assert states.max() <= 13
        assert won.max() <= 1

    attempt(play)


@settings(max_examples=200)
@given(sides, sides, small | odd_numbers, cells, seeds, odd_bytes)
def test_random_boards_of_anything(
    rows: Any, cols: Any, mines: Any, free: Any, seed: Any, mined: Any
) -> None:
    attempt(lambda: _native.deal(rows, cols, mines, free, seed))
    attempt(lambda: _native.deal_each(rows, cols, mines, free, seed))
    attempt(lambda: _native.count_mines(rows, cols, mined))
    attempt(lambda: _native.figures(rows, cols, mined))
    attempt(lambda: _native.order_keys(mines, seed))
    attempt(lambda: _native.words(seed, mines, seed, mines))
    _native.columns()


@settings(max_examples=200)
@given(sides, sides, small | odd_numbers, cells, seeds, odd_bytes, st.integers(-1, 3))
def test_deduction_and_search_with_anything(
    rows: Any, cols: Any, mines: Any, start: Any, seed: Any, mined: Any, many: Any
) -> None:
    opening, reasoning = _native.Opening.safe, _native.Reasoning.exact
    attempt(lambda: _native.deduce(rows, cols, mined, start, opening, reasoning))

    def look() -> Any:
        wanted = _native.BoardSpec(
            rows=rows,
            cols=cols,
            mines=mines,
            start=start,
            opening=opening,
            reasoning=reasoning,
            needed=False,
            deals=many,
            moves=many,
        )
        searches = [_native.NoGuessSearch(0, many, False, many, mined, seed)]
        return _native.search_boards(wanted, seed, searches, 3, 0.05, 1)

    attempt(look)


def test_every_entry_is_called_in_this_file() -> None:
    """A new function of the compiled engine needs one of these tests."""
    called = (
        "posterior posteriors timings sample judge_opening prove explain advise win_chance closure"
    )
    called += " columns deal deal_each count_mines figures order_keys words deduce search_boards"
    called += " positions play play_games score_cost"
    entries = {
        name
        for name in dir(_native)
        if not name.startswith("_") and type(getattr(_native, name)).__name__ == "nb_func"
    }
    assert entries - {"solve", "solve_score"} == set(called.split())  # test_optimum.py tests these


class Renewed(mp.View):
    """A view that creates its states again at every access."""

    def __getattribute__(self, name: str) -> Any:
        found = object.__getattribute__(self, name)
        if name == "states":
            gc.collect(0)
            return bytes(bytearray(found))
        return found


def test_a_view_that_creates_its_states_at_every_access_is_harmless() -> None:
    states = bytes([1, *[9] * 398, 1])
    plain, renewed = (kind(Grid(20, 20), states, 40) for kind in (mp.View, Renewed))
    expected = mp.posterior(plain)
    for _ in range(20):
        assert np.array_equal(mp.posterior(renewed).risk, expected.risk, equal_nan=True)
    for found in mp.posteriors([renewed] * 20, threads=2):
        assert np.array_equal(found.risk, expected.risk, equal_nan=True)


def test_invalid_bounds_are_refused_every_time() -> None:
    for _ in range(50):
        with pytest.raises(mp.InvalidInput, match="a bound must belong to a cell with a clue"):
            mp.View(Grid(3, 3), bytes([9] * 8 + [1]), 2, ((-9, 1),))
    view = mp.View(Grid(3, 3), bytes([9] * 8 + [1]), 2, ((8, 1),))
    object.__setattr__(view, "bounds", ((-9, 1),))  # bypasses the checks of View
    for _ in range(50):
        with pytest.raises(mp.InvalidInput, match="must be for an open cell"):
            mp.posterior(view, Optimistic(known=True))


def test_a_cell_has_one_likelihood() -> None:
    view = mp.View.from_text("3x1 1/?/?")
    two = [(0, [0.5] * 9), (0, [0.0, 0.5, 0.5, 0.5, 0.0, 0.5, 0.5, 0.5, 0.0])]
    with pytest.raises(ValueError, match="two likelihoods"):
        _native.prove(view, None, two, 0.28, True, 1000, None, [1], 10)
    with pytest.raises(ValueError, match="two likelihoods"):
        _native.explain(view, None, two, 0.28, True, 1000, None, 1, 10)


def test_an_engine_serves_one_thread_at_a_time() -> None:
    """Other threads are refused or find it free; nothing breaks."""
    engine = _native.Engine()
    game = mp.Game(mp.Deal(16, 30, 99), mp.Rules(opening="clear"), seed=3)
    game.open((8, 15))
    refused: list[Exception] = []

    def ask() -> None:
        for _ in range(200):
            try:
                engine.posterior(game.view, None, [], None, False, 10**6, None)
            except mp.InvalidInput as error:
                refused.append(error)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("already answering another request" in str(error) for error in refused)
