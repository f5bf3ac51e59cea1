"""Summaries are golden, agree with the arena, and have the published figures in their places."""

from __future__ import annotations

import csv
import io
import os
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("duckdb")

import mineproof as mp
from mineproof import agents
from mineproof.studies import Study, StudyResults, get, names, open_folder, run
from mineproof.studies.hardness import crossing, steepest, turning
from mineproof.studies.per_game_metrics import BINS
from mineproof.studies.published import distance, figure_at, figures, figures_of
from mineproof.studies.study_run import StudyRun
from mineproof.studies.summary import Summary, SummaryRow, averages, summarise
from mineproof.studies.summary_csv import COLUMNS, write_csv
from mineproof.studies.tasks import MEASURES
from mineproof.world import clues
from tests.studying import TIMES, tiny

GOLDEN = Path(__file__).parents[1] / "golden" / "study.csv"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> StudyResults:
    return run(tiny(), tmp_path_factory.mktemp("look"), workers=1)


@pytest.fixture(scope="module")
def summary(folder: StudyResults) -> Summary:
    return summarise(folder)


def timeless(summary: Summary, path: Path) -> str:
    """The summary as CSV without measures of time."""
    write_csv([summary], path)
    lines = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")))
    kept = [line for line in lines if not line["measure"].endswith(TIMES)]
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(kept)
    return out.getvalue()


def test_a_tiny_study_has_its_golden_summary(summary: Summary, tmp_path: Path) -> None:
    """`MINEPROOF_WRITE_GOLDEN=1` rewrites it after an intended change of play."""
    found = timeless(summary, tmp_path / "study.csv")
    if os.environ.get("MINEPROOF_WRITE_GOLDEN"):
        GOLDEN.write_text(found, encoding="utf-8")
    golden = GOLDEN.read_text(encoding="utf-8")
    ours, theirs = (list(csv.DictReader(io.StringIO(text))) for text in (found, golden))
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs, strict=True):
        for column in ("mean", "low", "high"):
            here, there = one.pop(column), other.pop(column)
            assert here == there or float(here) == pytest.approx(float(there), abs=1e-12)
        assert one == other


def test_a_summary_agrees_with_the_arena(summary: Summary) -> None:
    point = next(p for p in summary.study.points() if p.on_mine == "continue")
    standings = mp.arena(
        ["baseline", "one-two"], point.deal, games=40, rules=point.rules, seed=7, workers=1
    )
    at = {(row.point.agent, row.measure): row for row in summary.rows if same(row.point, point)}
    for one in standings.agents:
        win, score = at[one.name, "win"], at[one.name, "score"]
        assert (win.n, win.mean, (win.low, win.high)) == (40, one.win_rate, one.win_interval)
        assert one.score is not None
        assert score.mean == pytest.approx(one.score.mean)
        assert (score.low, score.high) == pytest.approx(one.score.interval)
    paired = standings.paired[0]
    ours = next(
        one for one in summary.differences if same(one.first, point) and one.measure == "score"
    )
    assert ours.mean == pytest.approx(paired.difference.mean)
    assert (ours.low, ours.high) == pytest.approx(paired.difference.interval)


def same(one: mp.studies.Point, other: mp.studies.Point) -> bool:
    return one._replace(agent="", index=0) == other._replace(agent="", index=0)


def test_every_point_has_every_measure_with_n_and_an_interval(summary: Summary) -> None:
    for row in summary.rows:
        assert row.n == 40
        assert row.low <= row.mean <= row.high, row
    per_point = Counter(row.point.index for row in summary.rows)
    assert len(per_point) == len(summary.study.points())
    assert [row.point.index for row in summary.rows] == sorted(
        row.point.index for row in summary.rows
    )


def test_a_board_without_mines_counts_as_fully_flagged(tmp_path: Path) -> None:
    study = Study.from_dict(
        "empty",
        {"games": 3, "block": [{"agents": "baseline", "boards": "4x4/0", "on_mine": "continue"}]},
    )
    found = {row.measure: row.mean for row in summarise(run(study, tmp_path, workers=1)).rows}
    assert found["flag_rate"] == found["score"] == found["flags_per_mine"] == 1
    assert found["mines_hit"] == found["wrong_rate"] == 0


def test_a_folder_without_games_has_an_empty_summary(tmp_path: Path) -> None:
    """As left by a run that was stopped before its first chunk."""
    with StudyRun([tiny()], tmp_path):
        pass
    assert summarise(open_folder(tmp_path / "tiny")).rows == ()


SPECIAL = ("calibration", "influence", "surprise")


def test_calibration_chains_and_surprises_are_measured(tmp_path: Path) -> None:
    block = {"boards": "6x6/0.2", "agents": "exact", "on_mine": "continue", "opening": "safe"}
    study = Study.from_dict(
        "special",
        {"games": 8, "block": [{"task": task, **block} for task in SPECIAL]},
    )
    found = summarise(run(study, tmp_path, workers=1))
    claims = found.of("mined")
    assert 0 < len(claims) <= BINS
    assert all(row.claimed is not None and 0 <= row.claimed <= 1 for row in claims)
    assert found.of("certain_wrong")[0].mean == 0
    assert found.of("riskier_guesses")[0].mean == 0
    assert found.of("far_guesses")[0].mean <= found.of("guesses")[0].mean
    game = mp.play(
        mp.Deal(6, 6, density=0.2),
        "exact",
        rules=mp.Rules(on_mine="continue", opening="safe"),
        seed=mp.chance.game_seed(0, 0),
    )
    assert found.of("longest_chain")[0].n == 8
    single = run(study.with_games(1), tmp_path / "one", workers=1)
    assert summarise(single).of("longest_chain")[0].mean == len(game.influence.longest)


# Published figures


def test_every_published_figure_belongs_to_a_study_and_an_existing_point() -> None:
    own = {"fall", "hard_density", ""}
    for figure in figures():
        assert figure.study in names(), figure
        assert figure.measure in {*MEASURES, *own}, figure
        agents.get(figure.agent)
        clues.parse(figure.clues)
        assert figure.value is not None or figure.note, figure


def test_every_published_figure_of_a_point_has_one_value() -> None:
    for figure in figures():
        if not figure.is_of_a_point:
            continue
        points = get(figure.study).points()
        hits = [p for p in points if figure_at([figure], p, figure.measure)]
        assert len(hits) == 1, figure


def test_all_published_tables_are_complete() -> None:
    tables = Counter((figure.report, figure.measure) for figure in figures())
    assert tables["000", "flag_rate"] == 30 + 60 + 24
    assert tables["000", "cpu_seconds"] == 30 + 2
    assert tables["001", "hard_density"] == 2
    assert tables["002", "win"] == 5
    assert tables["004", "score"] == 36


def test_a_users_own_study_is_compared_with_the_report_it_names() -> None:
    assert {one.report for one in figures_of("mine", "report 004")} == {"004"}
    assert figures_of("mine", "mineproof") == []
    assert {one.study for one in figures_of("report000-agents")} == {"report000-agents"}


def test_the_distance_includes_all_errors() -> None:
    figure = next(one for one in figures() if one.measure == "score" and one.report == "004")
    assert figure.value == 0.99
    assert distance(0.99, 0.1, 100, figure) == 0
    assert distance(0.99, 0.1, 4, figure) is None
    one, other = (distance(0.9, 0.1, n, figure) for n in (100, 10_000))
    assert one is not None
    assert other is not None
    assert other < one < -3


# Where boards become hard


def curve(values: list[float], error: float = 0.0) -> list[SummaryRow]:
    text = {"games": 1, "block": [{"agents": "csp", "boards": [f"10x10/{m}" for m in MINES]}]}
    points = Study.from_dict("curve", text).points()
    return [
        SummaryRow(point, "score", 9, value, value - error, value + error, 0.1)
        for point, value in zip(points, values, strict=True)
    ]


MINES = (10, 20, 30, 40)


def test_a_crossing_is_between_neighbouring_densities_and_has_an_interval() -> None:
    found = crossing(curve([0.0, 0.05, 0.15, 0.3], 0.02), 0.1, rising=True)
    assert found is not None
    assert found.density == pytest.approx(0.25)
    assert found.low == pytest.approx(0.23)
    assert found.high == pytest.approx(0.27)
    assert crossing(curve([0.0, 0.0, 0.0, 0.05]), 0.1, rising=True) is None
    falls = crossing(curve([1.0, 0.95, 0.85, 0.5]), 0.9, rising=False)
    assert falls is not None
    assert falls.density == pytest.approx(0.25)
    noisy = crossing(curve([0.12, 0.05, 0.15, 0.3]), 0.1, rising=True)
    assert noisy is not None
    assert noisy.density == pytest.approx(0.25)


def test_the_steepest_step_and_the_turning_point() -> None:
    steep = steepest(curve([1.0, 0.9, 0.5, 0.4]))
    assert steep is not None
    assert (steep.low, steep.high) == (0.2, 0.3)
    turn = turning(curve([1.0, 0.2, 0.3, 0.25], 0.02))
    assert turn is not None
    assert turn.density == 0.3


def test_an_average_weights_every_board_equally(summary: Summary) -> None:
    one = next(averages(summary, "guesses", "one-two"))
    rows = [row for row in summary.of("guesses") if row.point.agent == "one-two"]
    assert one.mean == pytest.approx(sum(row.mean for row in rows) / len(rows))
    assert one.low < one.mean < one.high
