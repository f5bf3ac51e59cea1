"""The compiled engine exists, matches its stub, and is optional.

Its values and errors have types; invalid values are refused; long work can be interrupted.
"""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np
import pytest

import mineproof as mp
from mineproof import _engine, _native
from mineproof.agents.budget import BUDGETS
from mineproof.world.clues import Exact
from mineproof.world.view import HIDDEN

ROOT = Path(__file__).parents[1]


def test_the_stub_is_up_to_date(tmp_path: Path) -> None:
    fresh = tmp_path / "_native.pyi"
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "mineproof._native", "-o", fresh],
        check=True,
    )
    committed = ROOT / "src" / "mineproof" / "_native.pyi"
    assert fresh.read_text() == committed.read_text(), "run `make stub`"


def version(**environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mineproof", "--version"],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_engine_is_chosen_by_the_environment() -> None:
    assert version(MINEPROOF_ENGINE="").stdout == f"mineproof {mp.__version__} (engine: native)\n"
    assert "(engine: python)" in version(MINEPROOF_ENGINE="python").stdout
    wrong = version(MINEPROOF_ENGINE="nativ")
    assert wrong.returncode == 2
    assert "did you mean 'native'" in wrong.stderr
    assert "Traceback" not in wrong.stderr


def test_the_engine_is_printed() -> None:
    for engine in _engine.ENGINES:
        with _engine.using(engine):
            assert mp.engine == engine


def test_without_a_compiler_the_package_installs_and_plays(tmp_path: Path) -> None:
    """As pure Python, in a new environment; and it says so."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    python = tmp_path / "env" / "bin" / "python"
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("MINEPROOF_", "PYTHON"))
    } | {"CC": "/bin/false", "CXX": "/bin/false"}
    pip = [python, "-m", "pip", "--disable-pip-version-check", "-q", "install"]
    done = subprocess.run(
        [*pip, ROOT, "--config-settings", f"build-dir={tmp_path / 'build'}"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr

    def run(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [python, "-m", "mineproof", *arguments],
            env=environment | more,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )

    assert run("--version").stdout == f"mineproof {mp.__version__} (engine: python)\n"
    game = run("watch", "--level", "beginner", "--seed", "1")
    assert game.returncode == 0, game.stderr
    assert game.stdout.splitlines()[-1] in {"won", "lost"}
    native = run("watch", MINEPROOF_ENGINE="native")
    assert native.returncode == 2
    assert "no compiled part" in native.stderr


def test_a_failed_build_is_an_error_if_the_compiled_engine_is_required(tmp_path: Path) -> None:
    environment = os.environ | {
        "CC": "/bin/false",
        "CXX": "/bin/false",
        "MINEPROOF_REQUIRE_NATIVE": "1",
    }
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "-q",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            str(tmp_path),
            "--config-settings",
            f"build-dir={tmp_path / 'build'}",
            str(ROOT),
        ],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        pytest.fail("the build fell back to pure Python in silence")


# Values that cross the language border have names and types.


VIEW = mp.View.from_text("3x3/1 1??/???/???")
FAST = _engine.budget_of(BUDGETS["fast"]._asdict())


def agent(name: str, grid: mp.Grid) -> _native.Strategy:
    strategy = _engine.strategy_of(mp.agents.get(name), Exact(), grid)
    assert strategy is not None
    return strategy


def test_results_have_named_read_only_fields() -> None:
    found = _native.posterior(VIEW, None, [], None, False, 1000, None)
    assert found.outcome is _native.Outcome.exact
    assert (found.effort.components, found.safe) == (1, [2, 5, 6, 7, 8])
    clash = mp.View.from_text("1x3 1?0")
    found = _native.posterior(clash, None, [], None, False, 1000, None)
    assert found.outcome is _native.Outcome.contradiction
    rules = _engine.rules_of(mp.Rules())
    advice = _native.advise(mp.View.from_text("1x4/1 ??1?"), None, [], None, rules, FAST)
    assert advice.method is _native.Method.endgame
    assert {one.cell for one in advice.candidates} <= {1, 3}
    with pytest.raises(AttributeError):
        advice.method = _native.Method.part  # type: ignore[misc]


@pytest.mark.parametrize("error", [ValueError, MemoryError, KeyError, mp.MineproofError])
def test_an_exception_in_a_callback_reaches_the_caller(error: type[Exception]) -> None:
    def raises(states: int) -> None:
        raise error(f"at {states}")

    for engine in _engine.ENGINES:
        with _engine.using(engine), pytest.raises(error, match="at 1024") as caught:
            mp.solve(4, 4, 5, on_progress=raises)
        assert type(caught.value) is error


def test_too_many_states_raise_their_own_error() -> None:
    with pytest.raises(_native.TooManyStates):
        _native.solve(4, 4, 4, _native.Opening.any, 10, lambda _: None)
    with pytest.raises(mp.MineproofError, match="than fit into 1 MB"):
        mp.solve(5, 4, 5, memory=1)


def test_native_errors_can_be_pickled() -> None:
    error = _native.BrokenOpening("broken")
    error.game = 7
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), copy.args, copy.game) == (_native.BrokenOpening, ("broken",), 7)


class Odd(NamedTuple):
    """An object that only resembles a view."""

    grid: mp.Grid
    states: bytes
    mines: int | None = None


@pytest.mark.parametrize(
    ("view", "overrides", "density"),
    [
        (Odd(mp.Grid(2, 2), b"\x09" * 3), [], None),
        (Odd(mp.Grid(2, 2), b"\x09" * 3 + b"\x0e"), [], None),
        (Odd(mp.Grid(2, 2), b"\x09" * 3 + b"\x04"), [], None),
        (Odd(mp.Grid(2, 2), b"\x09" * 4, 5), [], None),
        (Odd(mp.Grid(2, 2), b"\x09" * 4, -1), [], None),
        (Odd(mp.Grid(2, 2), b"\x09" * 4), [], 1.5),
        (Odd(mp.Grid(2, 2), b"\x09" * 4), [(4, [1.0])], None),
        (Odd(mp.Grid(2, 2), b"\x01" * 4), [(-1, [1.0])], None),
        (Odd(mp.Grid(2, 2), b"\x01" * 4), [(0, [1.0] * 10)], None),
        (Odd(mp.Grid(2, 2), b"\x01" * 4), [(0, [float("nan")])], None),
    ],
)
def test_invalid_views_are_refused(
    view: Odd, overrides: list[tuple[int, list[float]]], density: float | None
) -> None:
    with pytest.raises(mp.InvalidInput):
        _native.posterior(view, None, overrides, density, False, 1000, None)


def test_proofs_are_requested_by_name() -> None:
    (proof,) = _native.prove(VIEW, None, [], None, False, 1000, None, [1, 8], 100)  # cell 1 is open
    assert (proof.cell, proof.mine, proof.clues, proof.count_used) == (8, False, [0], True)
    (step,) = proof.steps
    assert step.kind is _native.Inference.Kind.count
    assert (step.clues, step.signs) == ([0, -1], [-1, 1])
    assert [(one.cell, one.mine) for one in step.settled] == [(8, False)]
    for cell in (-1, 0, 9):
        with pytest.raises(mp.InvalidInput):
            _native.prove(VIEW, None, [], None, False, 1000, None, [cell], 100)


# Whole games as columns.


def columns_for(games: int) -> dict[str, Any]:
    return {name: np.empty(games, kind) for name, kind in _native.columns().items()}


def play_games(
    columns: dict[str, Any],
    ground: _native.GameSetup | None = None,
    rules: mp.Rules | None = None,
    start: int = -1,
    seeds: Any = None,
) -> None:
    _native.play_games(
        ground or _native.GameSetup(9, 9, mines=10),
        _engine.rules_of(rules or mp.Rules()),
        None,
        agent("exact", mp.Grid(9, 9)),
        start,
        7,
        100,
        columns,
        seeds,
    )


def test_columns_contain_the_games_of_their_numbers() -> None:
    columns = columns_for(30)
    play_games(columns, rules=mp.Rules(opening="safe"))
    deal = mp.Deal(9, 9, 10)
    for place in range(30):
        seed = mp.chance.game_seed(7, 100 + place)
        record = mp.play(deal, "exact", rules=mp.Rules(opening="safe"), seed=seed)
        expected = {
            "seed": seed,
            "won": record.won,
            "mines": 10,
            "right": record.right,
            "wrong": record.wrong,
            "exploded": record.exploded,
            "guesses": record.guesses,
            "moves": len(record.moves),
            "estimates": record.estimates,
            "expected_flags": record.right,
        } | {f"proved_{rule}": n for rule, n in record.deductions.items()}
        row = {name: column[place] for name, column in columns.items()}
        assert 0 < row.pop("cpu_seconds") < 1
        assert {name: row.pop(name) for name in expected} == expected
        assert not any(row.values())


def test_games_can_be_given_seeds() -> None:
    pairs = [mp.chance.seeds_of(3, place, "5a" * 16) for place in range(20)]
    columns = columns_for(20)
    play_games(columns, seeds=np.array(pairs, np.uint64))
    assert columns["seed"].tolist() == [pair.game for pair in pairs]
    for place, pair in enumerate(pairs):
        match = mp.Match(mp.Deal(9, 9, 10), "exact", seed=pair.game, player_seed=pair.player)
        assert columns["moves"][place] == len(list(match))
    with pytest.raises(mp.InvalidInput, match="expected 20 pairs of seeds, one per game, got 19"):
        play_games(columns, seeds=np.array(pairs[1:], np.uint64))


def test_boards_are_assigned_to_games_in_order() -> None:
    boards = [mp.Board.random(9, 9, 12, seed=seed) for seed in range(5)]
    columns = columns_for(5)
    play_games(columns, _native.GameSetup(9, 9, boards=[board.mined for board in boards]))
    for place, board in enumerate(boards):
        record = mp.play(board, "exact", seed=mp.chance.game_seed(7, 100 + place))
        assert columns["won"][place] == record.won
        assert columns["moves"][place] == len(record.moves)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"lost": np.empty(3, bool)}, "no column 'lost'; the columns are: seed, won, "),
        ({"won": np.empty(3, np.int32)}, "column 'won' must be of type bool"),
        ({"seed": np.empty(3, np.int64)}, "column 'seed' must be of type uint64"),
        ({"won": np.empty(3, bool), "moves": np.empty(4, np.int32)}, "must be as long as"),
        ({"won": np.empty((3, 3), bool)}, "column 'won' must be a contiguous"),
        ({"won": np.empty(6, bool)[::2]}, "column 'won' must be a contiguous"),
        ({"won": np.frombuffer(bytes(3), bool)}, "contiguous, writable"),
        ({"won": [False] * 3}, "column 'won' must be a contiguous"),
    ],
)
def test_invalid_columns_are_refused(columns: dict[str, Any], message: str) -> None:
    with pytest.raises(mp.InvalidInput, match=message):
        play_games(columns)


@pytest.mark.parametrize(
    ("ground", "rules", "start", "message"),
    [
        ({"mines": 10}, mp.Rules(), 81, "outside the board"),
        ({"mines": 73}, mp.Rules(opening="clear"), -1, "do not fit"),
        ({"threshold": 2**50}, mp.Rules(opening="safe"), -1, "mine count is unknown before"),
        ({"boards": [bytes(81)]}, mp.Rules(), -1, "expected 3 boards, one per game, got 1"),
    ],
)
def test_invalid_games_are_refused(
    ground: dict[str, Any], rules: mp.Rules, start: int, message: str
) -> None:
    with pytest.raises(mp.InvalidInput, match=message):
        play_games(columns_for(3), _native.GameSetup(9, 9, **ground), rules, start)


@pytest.mark.parametrize("cap", [-1, 0, 21])
def test_an_invalid_cap_is_refused(cap: int) -> None:
    brute = _native.Strategy(
        local=True,
        pairs=False,
        beyond=_native.AdvancedRule.none,
        guesser=_native.Guesser.least_share,
        first=None,
        budget=None,
        shares=(True, cap),
    )
    rules = _engine.rules_of(mp.Rules())
    with pytest.raises(mp.InvalidInput, match="cap on a component's cells must be from 1 to 20"):
        _native.play(_native.GameSetup(9, 9, mines=9), rules, None, brute, -1, 7)


def test_invalid_grids_are_refused() -> None:
    for make in (
        lambda: _native.GameSetup(0, 9),
        lambda: _native.GameSetup(1001, 9),
        lambda: _native.GameSetup(9, 9, mines=82),
        lambda: _native.GameSetup(9, 9, threshold=2**53 + 1),
        lambda: _native.GameSetup(9, 9, boards=[bytes(80)]),
        lambda: _native.GameSetup(9, 9, boards=[b"\x02" * 81]),
    ):
        with pytest.raises(mp.InvalidInput):
            make()


def test_a_broken_opening_rule_names_its_game() -> None:
    boards = [bytes(81), b"\x01" + bytes(80)]
    with pytest.raises(_native.BrokenOpening) as caught:
        play_games(
            columns_for(2),
            _native.GameSetup(9, 9, boards=boards),
            mp.Rules(opening="safe"),
            start=0,
        )
    assert caught.value.game == 101


# Long work can be interrupted.


Work = Callable[[], object]


def long_games() -> Work:
    rules = _engine.rules_of(mp.Rules(opening="safe"))
    ground, strategy = _native.GameSetup(16, 30, mines=99), agent("exact", mp.Grid(16, 30))
    columns = {"won": np.empty(10**7, bool)}
    return lambda: _native.play_games(
        ground, rules, None, strategy, -1, 1, 0, columns, None, CANCEL
    )


def long_posteriors() -> Work:
    views = [half_open(60)] * 500
    return lambda: _native.posteriors(views, None, [], None, False, 10**6, 2, CANCEL)


def long_posterior() -> Work:
    view = half_open(200, 0.3)
    return lambda: _native.posterior(view, None, [], None, False, 10**7, None, [], CANCEL)


def long_sample() -> Work:
    view = mp.View.hidden(100, 100, 2000)
    return lambda: _native.sample(view, None, [], None, False, 10**6, None, 90_000, 1, CANCEL)


def long_advice() -> Work:
    """Uncertain clues leave most of a board in one component."""
    board = mp.Board.random(600, 600, density=0.2, seed=4)
    states = bytes(
        HIDDEN if mine or index % 3 else count
        for index, (mine, count) in enumerate(zip(board.mined, board.counts, strict=True))
    )
    view = mp.View(board.grid, states, board.mine_count)
    model = _engine.model_of(mp.clues.Cautious())
    budget, rules = _engine.budget_of(BUDGETS["max"]._asdict()), _engine.rules_of(mp.Rules())
    return lambda: _native.advise(view, model, [], None, rules, budget, CANCEL)


def long_chance() -> Work:
    budget = _engine.budget_of(BUDGETS["max"]._asdict())
    view, rules = begun(), _engine.rules_of(mp.Rules())
    return lambda: _native.win_chance(view, rules, budget, 10**8, CANCEL)


def long_solve() -> Work:
    opening = _native.Opening.any
    return lambda: _native.solve(6, 6, 9, opening, 10**9, lambda _: None, CANCEL)


def long_timings() -> Work:
    views = [half_open(40)]
    return lambda: _native.timings(views, 10**6, 10**6, CANCEL)


def long_proofs() -> Work:
    view = half_open(60)
    odds = mp.posterior(view)
    cells = [view.grid.index(cell) for cell in (*odds.safe, *odds.mined)]
    return lambda: _native.prove(view, None, [], None, False, 10**6, None, cells, 10**9, CANCEL)


def half_open(side: int, density: float = 0.25) -> mp.View:
    """Every second cell opened if it is safe: hard to count."""
    board = mp.Board.random(side, side, density=density, seed=4)
    game = mp.Game(board, mp.Rules(on_mine="continue", flood=False))
    for index in range(0, side * side, 2):
        if not board.mined[index]:
            game.open(board.grid.cell(index))
    return game.view


def begun() -> mp.View:
    """An unfinished game on a large board in which nothing is certain."""
    game = mp.Game.deal(40, 40, 320, rules=mp.Rules(opening="clear"), start=(20, 20), seed=3)
    game.open((20, 20))
    while safe := mp.posterior(game.view).safe:
        game.open(safe[0])
    return game.view


CANCEL = _engine.native.Cancel()
LONG = [
    long_games,
    long_posteriors,
    long_posterior,
    long_sample,
    long_advice,
    long_chance,
    long_solve,
    long_timings,
    long_proofs,
]
SOON = 1.0
"""CPU seconds: 0.2 are promised; on a busy machine, wall-clock time means nothing."""


@contextmanager
def stopped_by(stop: Callable[[], None]) -> Iterator[list[float]]:
    """Stop work after a moment; the list then has the CPU time of the stop."""
    when: list[float] = []

    def act() -> None:
        when.append(process_time())
        stop()

    timer = threading.Timer(0.3, act)
    timer.start()
    try:
        yield when
    finally:  # it must not stop later work
        timer.cancel()
        timer.join()


@pytest.mark.parametrize("prepare", LONG, ids=lambda prepare: prepare.__name__)
def test_a_cancel_stops_work_from_another_thread(prepare: Callable[[], Work]) -> None:
    CANCEL.clear()
    work = prepare()
    with stopped_by(CANCEL.set) as when, pytest.raises(_native.Cancelled):
        work()
    assert process_time() - when[0] < SOON
    CANCEL.clear()


def end_by_ctrl_c(prepare: Callable[[], Work]) -> None:
    """In another process: the CPU time that the work took after the signal."""
    work = prepare()
    handler = signal.getsignal(signal.SIGINT)
    with stopped_by(lambda: os.kill(os.getpid(), signal.SIGINT)) as when:
        try:
            work()
        except KeyboardInterrupt:
            print(process_time() - when[0])
    assert signal.getsignal(signal.SIGINT) is handler


@pytest.mark.parametrize("prepare", LONG, ids=lambda prepare: prepare.__name__)
def test_ctrl_c_stops_work(prepare: Callable[[], Work]) -> None:
    code = f"from tests import test_native as here; here.end_by_ctrl_c(here.{prepare.__name__})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < SOON


def test_work_continues_after_a_handler_that_does_not_raise() -> None:
    heard = []
    columns = {"won": np.empty(20_000, bool)}
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(perf_counter()))
    try:
        timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        play_games(columns)
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(heard) == 1
    again = {"won": np.empty(20_000, bool)}
    play_games(again)
    np.testing.assert_array_equal(columns["won"], again["won"])


# A compiled engine that is installed but cannot be loaded.


@pytest.mark.parametrize("asked", ["", "native"])
def test_a_compiled_engine_that_does_not_load_is_reported(tmp_path: Path, asked: str) -> None:
    package = tmp_path / "mineproof"
    shutil.copytree(
        ROOT / "src" / "mineproof", package, ignore=shutil.ignore_patterns("__pycache__", "*.so")
    )
    (package / f"_native{EXTENSION_SUFFIXES[0]}").write_bytes(b"not what it seems")

    def run(engine: str) -> subprocess.CompletedProcess[str]:
        code = "import sys; sys.path.insert(0, sys.argv.pop(1)); sys.meta_path[:] = [f for f in "
        code += "sys.meta_path if 'ScikitBuild' not in type(f).__name__]\n"
        code += "from mineproof.cli import main; sys.exit(main(['--version']))"
        return subprocess.run(
            [sys.executable, "-c", code, tmp_path],
            env=os.environ | {"MINEPROOF_ENGINE": engine},
            capture_output=True,
            text=True,
            check=False,
        )

    broken = run(asked)
    assert broken.returncode == 2
    assert "is installed but cannot be loaded" in broken.stderr
    assert "MINEPROOF_ENGINE=python" in broken.stderr
    assert "Traceback" not in broken.stderr
    assert "(engine: python)" in run("python").stdout
