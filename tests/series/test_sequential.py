"""An arena with a target precision stops in time, and looking early does not bias it."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mineproof as mp
from mineproof.cli import main
from mineproof.series import arena as arena_module
from mineproof.series import chunks
from mineproof.series.intervals import mean
from mineproof.series.parallel import Backend, ParallelWork, Progress
from mineproof.series.sequential import anytime, interim_analyses

DEAL = mp.Deal(5, 5, 4)


def drawn(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Games of two agents; the win rate of the first is 5 percentage points higher."""
    chances = np.random.default_rng(seed).random(n)
    return (chances < 0.45) | (chances > 0.85), (chances < 0.40) | (chances > 0.85)


def test_looking_all_the_time_rarely_misleads() -> None:
    """A fixed-size interval misses the truth at some look far more often than in 5 % of runs."""
    when = list(takewhile(lambda n: n <= 4000, interim_analyses()))
    wrong = wrong_once = 0
    for seed in range(300):
        first, second = drawn(4000, seed)
        found = [anytime(first[:n], second[:n], 3.0).interval for n in when]
        once = [mean(first[:n].astype(float) - second[:n]) for n in when]
        wrong += any(not low <= 0.05 <= high for low, high in found)
        wrong_once += any(not one.interval[0] <= 0.05 <= one.interval[1] for one in once if one)
    assert wrong <= 300 * 0.05
    assert wrong_once > 300 * 0.1


def test_an_interval_has_a_width_even_without_discordant_boards() -> None:
    alike = np.ones(200, bool)
    low, high = anytime(alike, alike, 1.0).interval
    assert low < -0.01 < 0.01 < high
    assert anytime(alike[:0], alike[:0], 1.0).interval == (-1, 1)


@pytest.mark.parametrize("workers", [1, 2])
def test_it_ends_at_the_same_board_with_any_number_of_workers(workers: int) -> None:
    found = mp.arena(["baseline", "exact"], DEAL, games=20_000, until=4, workers=workers, seed=3)
    n = found.agents[0].games
    assert found.known
    low, high = found.paired[0].difference.interval
    assert (high - low) / 2 <= 0.04
    assert n == 2308
    before = list(takewhile(lambda one: one < n, interim_analyses()))[-1]
    part = found.games.part(0, 2 * before)
    wins = (part.of(name)["won"] for name in ("baseline", "exact"))
    low, high = anytime(*wins, 4).interval
    assert (high - low) / 2 > 0.04, "it ends at the first analysis that is precise enough"
    assert "(anytime)" in str(found)


class _Late(ParallelWork[Any, Any]):
    """Workers of a busy machine: they return many results at once, and more after being stopped."""

    def carry_out(
        self, pieces: Iterable[Any], place: Backend, games: int | None, cost: float
    ) -> Generator[Progress, None, None]:
        todo = iter(pieces)
        try:
            while some := list(islice(todo, 4)):
                for piece in some:
                    self.keep(piece, self.do(piece))
                yield Progress(0, games, 0.0, cost)
        except GeneratorExit:
            for piece in todo:
                self.keep(piece, self.do(piece))
            raise


def test_it_ends_at_the_same_board_whatever_had_finished_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(arena_module, "ParallelWork", _Late)
    monkeypatch.setattr(chunks, "_COMPILED_CELLS", 25 * 1500)
    found = mp.arena(["baseline", "exact"], DEAL, games=8000, until=4, seed=3, workers=1)
    assert found.agents[0].games == 2308


def test_the_maximum_number_of_games_is_kept_and_reported() -> None:
    found = mp.arena(["baseline", "exact"], DEAL, games=300, until=0.5)
    assert (found.agents[0].games, found.known) == (300, False)
    assert found.to_json()["known"] is False
    assert mp.arena(["baseline", "exact"], DEAL, games=30).to_json()["until"] is None


@pytest.mark.parametrize("until", [0, -1, 200, True, "1"])
def test_invalid_precisions_are_refused(until: object) -> None:
    with pytest.raises(mp.InvalidInput, match="the precision must be"):
        mp.arena(["baseline", "exact"], DEAL, games=3, until=until)  # type: ignore[arg-type]
    with pytest.raises(mp.InvalidInput, match="at least two agents"):
        mp.arena(["baseline"], DEAL, games=3, until=1)


def test_the_command_prints_the_precision_reached(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["arena", "--rows", "5", "--cols", "5", "--mines", "4", "--agents", "baseline,exact"]
    line += ["--seed", "3", "--opening", "any"]
    table = tmp_path / "games.csv"
    assert main([*line, "--precision", "4", "--per-game", str(table)]) == 0
    out = capsys.readouterr().out
    assert "difference known to within 4 points after 2,199 boards" in out
    assert len(table.read_text().splitlines()) == 1 + 2 * 2199
    assert main([*line, "--precision", "0.5", "--games", "300", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["until"], shown["known"], shown["agents"][0]["games"]) == (0.5, False, 300)


def test_scores_are_compared_if_play_continues_after_a_mine() -> None:
    rules = mp.Rules(on_mine="continue")
    found = mp.arena(["baseline", "exact"], DEAL, games=20_000, rules=rules, until=3, workers=1)
    assert found.known
    assert found.paired[0].of == "score"
