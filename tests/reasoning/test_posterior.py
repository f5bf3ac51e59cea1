"""The posterior is exact: on both engines, under every clue model and prior, at every size."""

from __future__ import annotations

import itertools
import math
import pickle
import subprocess
import sys
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof import _engine
from mineproof.world.clues import Cautious, ClueModel, Exact, Optimistic
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, KNOWN_SAFE
from tests.calibration import Claim, calibration_p
from tests.oracle import Verdict, judge
from tests.strategies import SLIPS, corners, games, seeds

priors = st.sampled_from([None, None, 0.2, 0.5, 0.0, 1.0])


def stuck(count: int, rows: int = 16, cols: int = 30, mines: int = 99) -> list[mp.View]:
    """Positions from real games without a certainly safe cell."""
    found: list[mp.View] = []
    for seed in range(10_000):
        game = mp.Game.deal(
            rows, cols, mines, rules=mp.Rules(opening="safe"), start=(0, 0), seed=seed
        )
        game.open((0, 0))
        while not game.over:
            posterior = mp.posterior(game.view)
            for cell in posterior.safe:
                if game.view.state(cell) == HIDDEN and not game.over:
                    game.open(cell)
            if not posterior.safe:
                found.append(game.view)
                if len(found) == count:
                    return found
                game.open(divmod(int(np.nanargmin(posterior.risk)), cols))
    raise AssertionError


def hidden_in(view: mp.View, *, trust_flags: bool) -> list[int]:
    states = {HIDDEN} if trust_flags else {HIDDEN, FLAGGED}
    return [i for i, state in enumerate(view.states) if state in states]


def test_both_engines_equal_brute_force() -> None:
    """Under every clue model and prior, in hundreds of positions that no single clue solves."""
    compared: Counter[str] = Counter()

    @settings(max_examples=1200)
    @given(corners() | games(), priors, st.booleans())
    def check(game: mp.Game, density: float | None, trust_flags: bool) -> None:
        view, clues = game.view, game.clues
        assume(len(hidden_in(view, trust_flags=trust_flags)) <= 13)
        how = {"density": density if view.mines is None else None, "trust_flags": trust_flags}
        verdict = judge(view, clues, **how)
        for engine in _engine.ENGINES:
            with _engine.using(engine):
                equal_brute_force(view, clues, verdict, **how)
        open_cells = len(verdict.unknown) - len(verdict.safe) - len(verdict.mined)
        compared["fits" if verdict.fits else "contradicts"] += 1
        compared["several cells open"] += bool(verdict.fits) and open_cells >= 4

    check()
    assert compared["fits"] >= 800
    assert compared["several cells open"] >= 500
    assert compared["contradicts"] >= 30  # from trusted flags, and densities of 0 and 1


@settings(max_examples=300)
@given(
    corners() | games(),
    st.floats(1, 320).map(lambda tens: 10.0**-tens)
    | st.sampled_from([1e-3, 1 - 1e-12, 1 - 2**-53]),
)
def test_both_engines_handle_the_smallest_densities(game: mp.Game, density: float) -> None:
    """Powers of the density underflow a float, as happens with forced mines."""
    view = replace(game.view, mines=None)
    found = []
    for engine in _engine.ENGINES:
        with _engine.using(engine):
            found.append(mp.posterior(view, game.clues, density=density))
    native, python = found
    assert native.exact
    np.testing.assert_allclose(native.risk, python.risk, rtol=1e-9, atol=1e-290)
    assert native.log_weight == pytest.approx(python.log_weight, rel=1e-9, abs=1e-9)
    assert (native.safe, native.mined) == (python.safe, python.mined)


def test_forced_mines_are_equally_likely_anywhere_at_any_density(engine: str) -> None:
    """Five cells share four mines, whatever the density."""
    view = mp.View.from_text("3x5 s???s/ss4ss/s?s?s")
    for density in (1e-300, 1e-100, 1e-31, 0.5, 1 - 2**-53):
        risk = mp.posterior(view, density=density).risk
        assert risk[0, 2] == pytest.approx(0.8)
        drawn = mp.sample(view, 20, density=density)
        assert {board.mine_count for board in drawn} == {4}


def equal_brute_force(
    view: mp.View, clues: ClueModel, verdict: Verdict, *, density: float | None, trust_flags: bool
) -> None:
    if not verdict.fits:
        with pytest.raises(mp.Contradiction):
            mp.posterior(view, clues, density=density, trust_flags=trust_flags)
        return
    found = mp.posterior(view, clues, density=density, trust_flags=trust_flags)
    assert found.exact
    assert found.error == 0
    risk = found.risk.ravel()
    for index, chance in verdict.risk.items():
        assert risk[index] == pytest.approx(float(chance), abs=1e-12)
    known = {i for i, state in enumerate(view.states) if state == KNOWN_SAFE}
    flags = {i for i, state in enumerate(view.states) if state == FLAGGED and trust_flags}
    assert found.safe == view.grid.cells(sorted({*verdict.safe, *known}))
    assert found.mined == view.grid.cells(sorted({*verdict.mined, *flags}))
    assert found.log_weight == pytest.approx(math.log(verdict.weight), abs=1e-9)
    opened = [i for i, s in enumerate(view.states) if s not in {HIDDEN, FLAGGED, KNOWN_SAFE}]
    assert np.isnan(risk[opened]).all()


@settings(max_examples=300)
@given(corners(most=10) | games(), seeds)
def test_value_odds_equal_brute_force(game: mp.Game, seed: int) -> None:
    """A clue's probability is the weighted share of configurations in which it is shown."""
    view, clues = game.view, game.clues
    hidden = hidden_in(view, trust_flags=False)
    assume(0 < len(hidden) <= 11)
    index = hidden[seed % len(hidden)]
    boards = everything(view, clues)
    assert boards, "the board played is consistent with its own view"
    total = sum(boards.values())
    near = [view.states[i] for i in view.grid.neighbours(index)]
    bound = clues.bound(
        near.count(EXPLODED) + near.count(FLAGGED), near.count(HIDDEN) + near.count(KNOWN_SAFE)
    )
    expected: dict[int | None, float] = {}
    for board, weight in boards.items():
        if board.mined[index]:
            continue
        count, degree = board.counts[index], len(near)
        for shown in (*range(9), None):
            if shown is None and clues == Exact():
                continue
            chance = clues.likelihood(shown, degree, bound)[count] if degree else 1.0 * (shown == 0)
            if degree == 0 and clues != Exact():
                chance = clues.likelihood(shown, 0, bound)[0]
            expected[shown] = expected.get(shown, 0.0) + chance * weight / total
    for engine in _engine.ENGINES:
        with _engine.using(engine):
            odds = mp.value_odds(view, view.grid.cell(index), clues)
            assert odds.risk + sum(odds.shown.values()) == pytest.approx(1)
            for shown, chance in expected.items():
                assert odds.shown.get(shown, 0.0) == pytest.approx(chance, abs=1e-9)


def everything(view: mp.View, clues: ClueModel) -> dict[mp.Board, float]:
    """Every board consistent with a small view, with its weight, straight from the definition."""
    hidden = hidden_in(view, trust_flags=False)
    bounds = dict(view.bounds)
    found = {}
    for choice in range(1 << len(hidden)):
        mined = bytearray(state == EXPLODED for state in view.states)
        for bit, index in enumerate(hidden):
            mined[index] = choice >> bit & 1
        board = mp.Board(view.grid, bytes(mined))
        if view.mines not in {None, board.mine_count}:
            continue
        weight = 1.0
        if view.mines is None:
            weight /= math.comb(view.grid.size, board.mine_count)
        for index, state in enumerate(view.states):
            if state <= 8 or state == 11:
                shown = None if state == 11 else state
                degree = view.grid.neighbour_count(index)
                table = clues.likelihood(shown, degree, bounds.get(index))
                weight *= table[board.counts[index]]
        if weight > 0:
            found[board] = weight
    return found


@settings(max_examples=25)
@given(corners(most=8))
def test_samples_have_the_frequencies_of_the_posterior(game: mp.Game) -> None:
    view, clues = game.view, game.clues
    fitting = everything(view, clues)
    total = sum(fitting.values())
    for engine in _engine.ENGINES:
        with _engine.using(engine):
            draws = mp.sample(view, 2000, clues, seed=1)
            assert set(draws) <= set(fitting)
            for board, weight in fitting.items():
                share = weight / total
                spread = (2000 * share * (1 - share)) ** 0.5
                assert abs(draws.count(board) - 2000 * share) <= 5 * spread + 1


def test_the_same_seed_gives_the_same_samples(engine: str) -> None:
    view = mp.View.from_text("4x4/4 ????/?1??/????/????")
    assert mp.sample(view, 5, seed=3) == mp.sample(view, 5, seed=3)
    assert mp.sample(view, 5, seed=3) != mp.sample(view, 5, seed=4)
    assert mp.sample(view, 0) == []


def test_the_native_engine_equals_the_python_one_on_expert_positions() -> None:
    for view in stuck(60):
        found = mp.posterior(view)
        with _engine.using("python"):
            reference = mp.posterior(view)
        assert np.nanmax(np.abs(found.risk - reference.risk)) < 1e-9
        assert (found.safe, found.mined) == (reference.safe, reference.mined)
        assert found.log_weight == pytest.approx(reference.log_weight, rel=1e-10)
        assert found.log_weight == pytest.approx(math.log(found.arrangements), rel=1e-10)


@pytest.mark.parametrize("clues", [Optimistic(), Cautious(), SLIPS], ids=str)
def test_both_engines_agree_on_noisy_clues(clues: ClueModel) -> None:
    for seed in range(6):
        game = mp.Game.deal(9, 9, 12, rules=mp.Rules(on_mine="continue"), clues=clues, seed=seed)
        for i in range(14):
            cell = divmod((i * 23 + seed) % 81, 9)
            if game.view.state(cell) == HIDDEN:
                game.open(cell)
        found = mp.posterior(game.view, clues)
        with _engine.using("python"):
            assert np.nanmax(np.abs(found.risk - mp.posterior(game.view, clues).risk)) < 1e-9


def test_the_risks_of_a_million_cells_add_up() -> None:
    board = mp.Board.random(1000, 1000, 200_000, seed=1)
    game = mp.Game(board, mp.Rules(on_mine="continue", flood=False))
    safe = [i for i in range(0, 1_000_000, 41) if not board.mined[i]]
    for index in safe:
        if game._states[index] == HIDDEN:
            game.open(board.grid.cell(index))
    found = mp.posterior(game.view)
    assert found.exact
    assert np.nansum(found.risk) == pytest.approx(200_000, rel=1e-9)
    assert not any(board.is_mine(cell) for cell in found.safe)
    assert all(board.is_mine(cell) for cell in found.mined)
    unknown = mp.posterior(mp.View(board.grid, game.view.states))
    assert 0.1 < unknown.risk[np.isfinite(unknown.risk)].mean() < 0.3


def test_extreme_counts_are_counted_right(engine: str) -> None:
    """With the fewest or the most mines possible, whose weights are far from typical."""
    wall = "?" * 60 + "\n" + "1" * 60  # one of the first two is a mine, then every third cell
    found = mp.posterior(mp.View.from_text(wall, mines=20))
    assert list(found.mined) == [(0, col) for col in range(1, 60, 3)]
    with pytest.raises(mp.Contradiction):
        mp.posterior(mp.View.from_text(wall, mines=21))
    empty = mp.posterior(mp.View.hidden(40, 40, 1600))
    assert len(empty.mined) == 1600
    none = mp.posterior(mp.View.hidden(40, 40, 0))
    assert len(none.safe) == 1600


def test_incremental_posteriors_equal_fresh_ones(engine: str) -> None:
    """At every step of a game, knowledge gives what counting the view again gives."""
    for seed, clues in ((1, Exact()), (2, Exact()), (3, Cautious())):
        rules = mp.Rules(on_mine="continue")
        game = mp.Game.deal(9, 9, 14, rules=rules, clues=clues, seed=seed)
        knowledge = mp.Knowledge(game.view, rules, clues)
        for _ in range(12):
            if game.over:
                break
            tracked, fresh = knowledge.posterior(), mp.posterior(game.view, clues)
            np.testing.assert_allclose(tracked.risk, fresh.risk, atol=1e-11)
            assert (tracked.safe, tracked.mined) == (fresh.safe, fresh.mined)
            order = np.nan_to_num(fresh.risk, nan=2.0)
            knowledge.observe(game.open(divmod(int(order.argmin()), 9)))


def test_components_untouched_by_a_move_are_taken_over() -> None:
    from mineproof import _native
    from mineproof.reasoning.posterior import ViewSettings, asked

    engine = _native.Engine()
    setting = ViewSettings(Exact(), None, False, 10**6)
    far_apart = "1x20/4 ?1??????????????????"
    first = engine.posterior(*asked(mp.View.from_text(far_apart), setting))
    later = far_apart[:-5] + "?1???"
    second = engine.posterior(*asked(mp.View.from_text(later[:27]), setting))
    assert first.effort.components == 1
    assert second.effort.components == 2
    assert second.effort.reused == 1


def test_a_batch_of_views_equals_single_calls(engine: str) -> None:
    views = stuck(12, 9, 9, 10)
    for threads in (1, 3):
        for one, many in zip(views, mp.posteriors(views, threads=threads), strict=True):
            np.testing.assert_array_equal(mp.posterior(one).risk, many.risk)


def test_threads_may_call_concurrently() -> None:
    views = stuck(40)
    expected = [mp.posterior(view).risk for view in views]
    wrong: list[int] = []

    def ask() -> None:
        for _ in range(5):
            for number, view in enumerate(views):
                if not np.array_equal(mp.posterior(view).risk, expected[number], equal_nan=True):
                    wrong.append(number)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def half_open(side: int, *, seed: int) -> tuple[mp.Board, mp.View]:
    """A board at density 0.25 with every second safe cell open: hard to count."""
    board = mp.Board.random(side, side, density=0.25, seed=seed)
    game = mp.Game(board, mp.Rules(on_mine="continue", flood=False))
    for index in range(0, side * side, 2):
        if not board.mined[index]:
            game.open(board.grid.cell(index))
    return board, game.view


def test_beyond_the_budget_the_result_is_marked_as_an_estimate() -> None:
    board, view = half_open(30, seed=4)
    rough = mp.posterior(view, budget=2000)
    assert not rough.exact
    assert 0 < rough.error <= 1
    again = mp.posterior(view, budget=2000)
    np.testing.assert_array_equal(rough.risk, again.risk)
    finite = rough.risk[np.isfinite(rough.risk)]
    assert ((finite >= 0) & (finite <= 1)).all()
    assert not any(board.is_mine(cell) for cell in rough.safe)
    assert all(board.is_mine(cell) for cell in rough.mined)


def test_estimates_are_close_to_exact() -> None:
    errors = []
    for seed in range(8):
        _, view = half_open(16, seed=seed)
        exact = mp.posterior(view)
        rough = mp.posterior(view, budget=exact_states(view) // 3)
        if exact.exact and not rough.exact:
            errors.append(float(np.nanmean(np.abs(exact.risk - rough.risk))))
    assert len(errors) >= 3
    assert np.mean(errors) < 0.02


def lattice(side: int, density: float, seed: int) -> mp.View:
    """A random board opened at the crossings of a lattice, so that clues form loops."""
    board = mp.Board.random(side, side, density=density, seed=seed)
    meets = [(2 * (i // side) + i % side) % 5 == 0 for i in range(side * side)]
    states = bytes(
        count if meet and not board.is_mine(board.grid.cell(i)) else HIDDEN
        for i, (count, meet) in enumerate(zip(board.counts, meets, strict=True))
    )
    return mp.View(board.grid, states, board.mine_count)


def test_stated_errors_match_actual_errors() -> None:
    """For risks and for value odds, compared with an exact count at a larger budget."""
    compared = 0
    for seed, density in itertools.product(range(8), (0.2, 0.35)):
        view = lattice(24, density, seed)
        exact, rough = (mp.posterior(view, budget=budget) for budget in (3_000_000, 100))
        assert exact.exact
        if rough.exact:
            continue
        far = float(np.nanmax(np.abs(exact.risk - rough.risk)))
        assert far <= 4 * rough.error + 1e-12
        for cell in view.cells(HIDDEN)[seed::200]:
            truth, guess = (mp.value_odds(view, cell, budget=budget) for budget in (3_000_000, 100))
            assert truth.exact
            assert truth.error == 0
            if guess.exact:
                continue
            values = truth.shown.keys() | guess.shown.keys()
            gaps = [abs(truth.shown.get(v, 0) - guess.shown.get(v, 0)) for v in values]
            assert max(gaps) <= 4 * guess.error + 1e-12
            compared += 1
    assert compared >= 10


def test_estimated_count_odds_say_so() -> None:
    view = lattice(24, 0.35, 9)
    cell = view.grid.cell(next(i for i, state in enumerate(view.states) if state < 9))
    truth = mp.count_odds(view, cell, Optimistic(), budget=3_000_000)
    guess = mp.count_odds(view, cell, Optimistic(), budget=10)
    assert (truth.exact, truth.error) == (True, 0)
    assert not guess.exact
    assert 0 <= guess.error <= 1
    assert sum(guess.values()) == pytest.approx(1)
    assert all(abs(truth[n] - guess.get(n, 0)) <= 4 * guess.error + 1e-9 for n in truth)


MEASURE = """
import resource, sys
import mineproof as mp
from tests.reasoning.test_posterior import lattice

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

side, budget, clues = int(sys.argv[1]), int(sys.argv[2]), mp.clues.parse(sys.argv[3])
view = lattice(side, 0.35, 1)
before = peak()
found = mp.posterior(view, clues, budget=budget)
assert not found.exact
assert 0 < found.error <= 1
print(peak() - before)
"""


@pytest.mark.parametrize("clues", ["exact", "optimistic"])
@pytest.mark.parametrize("side", [60, 80, 100])
@pytest.mark.parametrize(("budget", "megabytes"), [(1000, 120), (1_000_000, 500)])
def test_the_budget_bounds_memory(side: int, budget: int, megabytes: int, clues: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(side), str(budget), clues],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < megabytes


STARVED = """
import resource, threading
import mineproof as mp
from tests.reasoning.test_posterior import lattice

views = [lattice(100, 0.35, seed) for seed in range(4)]
small = mp.View.from_text("2x3/2 ???/121")
threading.stack_size(1 << 20)
mp.posterior(small)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (60 << 20), resource.RLIM_INFINITY))
for threads in (1, 2):
    try:
        mp.posteriors(views, threads=threads)
    except MemoryError:
        print("MemoryError")
    assert mp.posterior(small).arrangements == 1
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no /proc")
def test_running_out_of_memory_is_an_error_in_any_thread() -> None:
    done = subprocess.run(
        [sys.executable, "-c", STARVED],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "MemoryError\nMemoryError\n"


def exact_states(view: mp.View) -> int:
    from mineproof import _native
    from mineproof.reasoning.posterior import ViewSettings, asked

    asks = asked(view, ViewSettings(Exact(), None, False, 10**6))
    return _native.posterior(*asks).effort.states


def test_the_python_engine_rejects_what_it_cannot_count() -> None:
    _, view = half_open(30, seed=4)
    with _engine.using("python"), pytest.raises(mp.EngineError, match="more than 50 states"):
        mp.posterior(view, budget=50)


@pytest.mark.parametrize(
    ("text", "clues", "count_used", "message"),
    [
        ("2x3/2 ???/141", [(1, 1)], False, r"the clue at \(1,1\)=4 is impossible"),
        ("1x5/3 ?1?1?", [(0, 1)], True, "given the mine count"),
        ("1x2/1 0?", [(0, 0)], True, "no configuration of 1 mine is possible"),
        (
            "2x4 ????/1?5?",
            [(1, 0), (1, 2)],
            False,
            r"\(1,0\)=1 and \(1,2\)=5 contradict each other",
        ),
    ],
)
def test_contradictions_name_the_clues(
    engine: str, text: str, clues: list[mp.Cell], count_used: bool, message: str
) -> None:
    with pytest.raises(mp.Contradiction, match=message) as caught:
        mp.posterior(mp.View.from_text(text))
    assert list(caught.value.clues) == clues
    assert caught.value.count_used is count_used
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.clues, copy.count_used) == (
        str(caught.value),
        caught.value.clues,
        count_used,
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"density": 2}, "a density must be from 0 to 1"),
        ({"density": "x"}, "a density must be a number"),
        ({"density": 0.2}, "only one of them can be the prior"),
    ],
)
def test_invalid_arguments_are_rejected(change: dict[str, object], message: str) -> None:
    with pytest.raises(mp.InvalidInput, match=message):
        mp.posterior(mp.View.from_text("2x2/1 ????".replace("????", "??/??")), **change)  # type: ignore[arg-type]


def test_value_odds_need_a_hidden_cell() -> None:
    with pytest.raises(mp.InvalidInput, match="is open or a known mine"):
        mp.value_odds(mp.View.from_text("?1?"), (0, 1))


# Calibration: claimed risks equal observed frequencies.


def guesses(count: int, density: float | None = None) -> list[Claim]:
    """Claimed risk and outcome of guesses in simulated games, given the count or a density."""
    found: list[Claim] = []
    rows, cols, mines = 16, 16, 60
    rules = mp.Rules(on_mine="continue", opening="any")
    for seed in range(100_000):
        game = mp.Game.deal(rows, cols, mines, rules=rules, seed=seed)
        stream = mp.chance.Stream(seed, mp.chance.Purpose.TIES)
        while not game.over and len(found) < count:
            view = mp.View(game.grid, bytes(game._states), mines if density is None else None)
            posterior = mp.posterior(view, density=density)
            proved = posterior._found
            if proved.safe:
                for index in proved.safe:
                    if not game.over and game._states[index] == HIDDEN:
                        game.open(game.grid.cell(index))
                continue
            risk = posterior.risk.ravel()
            open_cells = np.setdiff1d(np.flatnonzero(np.isfinite(risk)), proved.mined)
            if not len(open_cells):
                break
            # Any cell, not only the best one, so that all risks are tested.
            index = int(open_cells[stream.below(len(open_cells))])
            hit = game.open(view.grid.cell(index))[0].state == EXPLODED
            found.append((float(risk[index]), hit))
        if len(found) >= count:
            return found
    raise AssertionError


def test_claimed_risks_are_calibrated() -> None:
    assert calibration_p(guesses(50_000)) > 1e-4


def test_a_wrong_weight_fails_the_calibration() -> None:
    """The test above can fail, and does if all configurations have equal weight."""
    assert calibration_p(guesses(5000, density=0.5)) < 1e-4


def test_count_odds_of_a_contradictory_view_name_the_clues(engine: str) -> None:
    with pytest.raises(mp.Contradiction, match=r"the clues at \(0,0\)=0 and \(0,2\)=1"):
        mp.count_odds(mp.View.from_text("1x3/1 0?1"), (0, 0))
