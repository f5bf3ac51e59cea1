"""The arena: the same boards for all, sound intervals, the same results on any number of cores."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mineproof as mp
from mineproof import _engine
from mineproof.agents import Decision
from mineproof.series.columns import GAMES, KEYS
from mineproof.series.game_table import GameTable
from mineproof.series.intervals import mean, paired_rates, student, wilson
from mineproof.series.standings import summarise
from mineproof.world import chance
from mineproof.world.view import HIDDEN, KNOWN_SAFE


def timeless(games: GameTable) -> list[dict[str, Any]]:
    return [row | {"cpu_seconds": 0.0} for row in games.rows()]


def test_results_do_not_depend_on_the_number_of_workers() -> None:
    def played(workers: int) -> list[dict[str, Any]]:
        names = mp.agents.names()
        return timeless(mp.arena(names, mp.Deal(9, 9, 10), games=60, seed=5, workers=workers).games)

    one = played(1)
    assert one == played(2) == played(3)
    assert [(game["board"], game["agent"]) for game in one] == list(
        itertools.product(range(60), mp.agents.names())
    )


def test_a_game_of_the_arena_can_be_replayed_from_its_seed() -> None:
    rules = mp.Rules(opening="safe")
    games = mp.arena(["baseline"], mp.Deal(9, 9, 10), games=5, rules=rules, seed=3, workers=1).games
    assert len(games) == 5
    for game in games.rows():
        record = mp.play(mp.Deal(9, 9, 10), "baseline", rules=rules, seed=game["seed"])
        assert (record.won, record.guesses) == (game["won"], game["guesses"])


def test_generated_boards_equal_those_of_the_arena() -> None:
    options = {"start": (4, 4), "opening": "clear"}
    boards = list(mp.generate(9, 9, 10, count=20, seed=3, **options))
    rules = mp.Rules(opening="clear")
    deal = mp.Deal(9, 9, 10)
    dealt = mp.arena(["baseline"], deal, games=20, rules=rules, start=(4, 4), seed=3)
    ready = mp.arena(["baseline"], boards, rules=rules, start=(4, 4), seed=3)
    assert timeless(dealt.games) == timeless(ready.games)
    assert len(ready.games) == 20


def test_the_table_of_games_has_every_column_and_is_read_only() -> None:
    rules = mp.Rules(on_mine="continue")
    for agent in ("baseline", "simple"):  # in the kernel and in Python
        games = mp.arena([agent], mp.Deal(4, 4, 3), games=3, rules=rules).games
        assert list(games.columns) == [column.name for column in (*KEYS, *GAMES)]
        for column in (*KEYS, *GAMES):
            assert games[column.name].dtype == column.dtype, column.name
        with pytest.raises(ValueError, match="read-only"):
            games["won"][0] = True


def test_every_column_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    shown = text.partition("## Columns of a game")[2].partition("\n## ")[0]
    lines = [line for line in shown.splitlines() if line.startswith("| `")]
    assert lines == [f"| `{one.name}` | {one.meaning} |" for one in (*KEYS, *GAMES)]


def test_standings_are_sums_over_the_table() -> None:
    rules = mp.Rules(on_mine="continue")
    standings = mp.arena(["csp", "one-two"], mp.Deal(7, 7, 9), games=40, rules=rules, seed=2)
    for one in standings.agents:
        rows = [row for row in standings.games.rows() if row["agent"] == one.name]
        assert len(rows) == one.games == 40
        assert one.wins == sum(row["won"] for row in rows)
        assert one.score == mean([row["score"] for row in rows])
        for name in ("right", "wrong", "exploded", "guesses", "moves", "estimates"):
            assert getattr(one, name) == sum(row[name] for row in rows) / 40, name
        assert one.deductions["local"] == sum(row["proved_local"] for row in rows) / 40
    with pytest.raises(AttributeError, match="no 'gueses'"):
        _ = standings.agents[0].gueses


def test_a_users_own_reasoner_is_counted() -> None:
    class Lucky(LastHidden):
        name = "lucky"

        def decide(self, view: mp.View, **_: Any) -> Decision:
            return replace(super().decide(view), certain=True, rule="sixth-sense")

    standings = mp.arena([Lucky(), "random"], mp.Deal(3, 3, 1), games=10, seed=4, workers=1)
    lucky, _ = standings.agents
    assert lucky.deductions == {"sixth-sense": lucky.moves}


def test_all_agents_play_the_same_boards() -> None:
    standings = mp.arena(["random", "baseline"], mp.Deal(5, 5, 5), games=200, seed=1)
    (pair,) = standings.paired
    random, baseline = standings.agents
    assert pair.difference.mean == pytest.approx(random.win_rate - baseline.win_rate)
    # Paired, the standard error is smaller than for two independent samples.
    apart = sum(one.win_rate * (1 - one.win_rate) / 200 for one in standings.agents) ** 0.5
    assert pair.difference.error <= apart * 1.05


def test_scores_are_compared_if_play_continues_after_a_mine() -> None:
    rules = mp.Rules(on_mine="continue")
    standings = mp.arena(["simple", "baseline"], mp.Deal(9, 9, 15), games=100, rules=rules)
    assert [pair.of for pair in standings.paired] == ["score"]
    assert standings.agents[0].score.mean < standings.agents[1].score.mean
    assert standings.to_json()["paired"][0]["interval"][1] < 0


class LastHidden:
    """A user's agent whose class can be sent to other processes."""

    name = "last-hidden"

    def decide(self, view: mp.View, **_: Any) -> Decision:
        return Decision(view.cells(HIDDEN, KNOWN_SAFE)[-1], "open", None, False, "the last")


def test_a_users_agent_plays_in_worker_processes() -> None:
    standings = mp.arena([LastHidden(), "random"], mp.Deal(4, 4, 2), games=100, workers=2)
    assert [one.name for one in standings.agents] == ["last-hidden", "random"]


def test_an_agent_that_cannot_be_pickled_plays_where_processes_fork(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def local_agent(view: mp.View, **_: Any) -> Decision:
        return LastHidden().decide(view)

    standings = mp.arena([local_agent], mp.Deal(4, 4, 2), games=1200, workers=2)
    assert standings.agents[0].games == 1200
    monkeypatch.setattr("multiprocessing.get_all_start_methods", lambda: ["spawn"])
    with pytest.raises(mp.MineproofError, match="use workers=1"):
        mp.arena([local_agent], mp.Deal(4, 4, 2), games=1200, workers=2)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_board_that_breaks_the_opening_rule_is_named(workers: int) -> None:
    boards = (
        [mp.Board.from_text("..*")] * 3
        + [mp.Board.from_text("*..")]
        + [mp.Board.random(200, 200, 0, seed=1)]
    )
    with pytest.raises(mp.InvalidInput, match="board 3: the opening rule 'safe' does not hold"):
        mp.arena(["random"], boards, rules=mp.Rules(opening="safe"), start=(0, 0), workers=workers)


@pytest.mark.skipif(not _engine.is_native(), reason="no kernel here")
def test_python_plays_where_numbers_exceed_the_kernels_range(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def played() -> list[dict[str, Any]]:
        return timeless(mp.arena(["gauss"], mp.Deal(6, 6, 7), games=5, seed=1, workers=1).games)

    def overflow(*_: Any) -> None:
        raise _engine.native.Overflow

    before = played()
    monkeypatch.setattr(_engine.native, "play_games", overflow)
    assert played() == before


@pytest.mark.skipif(not _engine.is_native(), reason="no kernel here")
def test_other_errors_of_the_kernel_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> None:
        raise ValueError("something else")

    monkeypatch.setattr(_engine.native, "play_games", fails)
    with pytest.raises(ValueError, match="something else"):
        mp.arena(["gauss"], mp.Deal(6, 6, 7), games=5, workers=1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"agents": []}, "at least one agent"),
        ({"agents": ["random", "random"]}, "each agent may be listed only once"),
        ({"agents": ["rondom"]}, "did you mean 'random'"),
        ({"boards": "exprt"}, "boards must be some boards, a Deal .* did you mean 'expert'"),
        ({"rules": {"openin": "any"}}, "unknown rule 'openin': did you mean 'opening'"),
        ({"clues": "optimstic"}, "did you mean 'optimistic'"),
        ({"games": 0}, r"games must be from 1 to 10\*\*9, got 0"),
        ({"games": 2.5}, "games must be a whole number"),
        ({"boards": mp.Board.from_text("*."), "games": None}, "boards must be a list of boards"),
        (
            {"boards": [mp.Board.from_text("*."), "x"], "games": None},
            "board 1 must be a Board, got 'x'",
        ),
        ({"boards": [mp.Board.from_text("*.")], "games": -1}, "games must be from 1 to"),
        ({"games": None}, "`games` is required when boards are dealt"),
        ({"workers": 0}, "workers must be from 1 to 10000"),
        ({"seed": -1}, "a seed must be from 0"),
        ({"start": (9, 9)}, "outside the board"),
        ({"boards": [3], "games": None}, "board 0 must be a Board, got 3"),
    ],
)
def test_invalid_arenas_are_refused(arguments: dict[str, Any], message: str) -> None:
    usual: dict[str, Any] = {"agents": ["random"], "boards": mp.Deal(4, 4, 2), "games": 5}
    with pytest.raises(mp.MineproofError, match=message):
        mp.arena(**(usual | arguments))


def test_workers_end_with_their_parent_process() -> None:
    """Even if it is killed and cannot stop them."""
    code = (
        "import mineproof as mp; mp.arena(['baseline'], mp.Deal(100, 100, 2000), games=10**6,"
        "rules=mp.Rules(on_mine='continue'), workers=2)"
    )
    with subprocess.Popen([sys.executable, "-c", code]) as parent:
        workers: list[str] = []
        for _ in range(100):
            time.sleep(0.1)
            path = f"/proc/{parent.pid}/task/{parent.pid}/children"
            if not os.path.exists(path):  # noqa: PTH110
                pytest.skip("no /proc here")
            with open(path) as file:  # noqa: PTH123
                workers = file.read().split()
            if len(workers) == 2:
                break
        assert len(workers) == 2
        os.kill(parent.pid, signal.SIGKILL)
    for _ in range(150):
        time.sleep(0.1)
        if not any(os.path.exists(f"/proc/{worker}") for worker in workers):  # noqa: PTH110
            return
    raise AssertionError(f"still there: {workers}")


@given(st.integers(0, 200), st.integers(1, 200))
def test_wilson_intervals_contain_the_rate_and_stay_in_range(wins: int, n: int) -> None:
    low, high = wilson(min(wins, n), n)
    assert 0 <= low <= min(wins, n) / n <= high <= 1


def test_wilson_intervals_have_their_textbook_values() -> None:
    assert wilson(10, 100) == pytest.approx((0.0552, 0.1744), abs=1e-4)
    assert wilson(0, 10) == pytest.approx((0, 0.2775), abs=1e-4)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [
        (1, 12.7062),
        (2, 4.3027),
        (3, 3.1824),
        (5, 2.5706),
        (10, 2.2281),
        (30, 2.0423),
        (1000, 1.9623),
    ],
)
def test_student_quantiles_have_their_textbook_values(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, rel=3e-3)


def test_means_have_their_standard_errors() -> None:
    found = mean([1.0, 2.0, 3.0, 4.0])
    assert found is not None
    assert found.mean == 2.5
    assert found.error == pytest.approx((5 / 3 / 4) ** 0.5)
    assert mean([]) is None


def test_intervals_have_the_promised_coverage() -> None:
    """Over many small samples, about 95 % of the intervals contain the true rate."""
    truth, n, covered = 0.3, 40, 0
    for series in range(2000):
        stream = chance.Stream(series, chance.Purpose.TIES)
        low, high = wilson(sum(stream.uniform() < truth for _ in range(n)), n)
        covered += low <= truth <= high
    assert 0.93 < covered / 2000 < 0.97


def test_a_single_game_has_no_standard_error() -> None:
    rules = mp.Rules(on_mine="continue")
    standings = mp.arena(["random", "baseline"], mp.Deal(4, 4, 2), games=1, rules=rules)
    (pair,) = standings.to_json()["paired"]
    assert pair["standard_error"] is None
    assert pair["interval"] is None


def test_paired_differences_have_their_published_intervals() -> None:
    """An example of Newcombe (1998), method 10; and a case without any discordant board."""
    assert paired_rates(36, 12, 2, 0) == pytest.approx((0.0569, 0.3404), abs=5e-4)
    low, high = paired_rates(0, 0, 0, 3)
    assert low == -high < -0.3


def test_paired_intervals_have_the_promised_coverage() -> None:
    n, covered = 60, 0
    for series in range(1500):
        stream = chance.Stream(series, chance.Purpose.TIES)
        cases = [0, 0, 0, 0]
        for _ in range(n):
            point = stream.uniform()
            cases[(point > 0.3) + (point > 0.5) + (point > 0.6)] += 1
        low, high = paired_rates(*cases)
        covered += low <= 0.1 <= high
    assert 0.92 < covered / 1500 < 0.98


def test_no_results_have_no_standings() -> None:
    assert summarise(GameTable.joined(("random",), [])).agents == ()
