"""A study specifies what is played; an invalid one is refused before anything runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

import mineproof as mp
from mineproof import studies
from mineproof.messages.study_files import Column
from mineproof.series.columns import RULES
from mineproof.studies import Point, Study, chunk_plan, tasks
from mineproof.studies.study_run import StudyRun
from tests.studying import TINY, tiny

BLOCK = {"agents": ["baseline"], "boards": ["9x9/10"]}


def test_points_are_ordered_by_block_board_rules_clues_and_agent() -> None:
    points = tiny().points()
    assert [point.index for point in points] == list(range(9))
    assert [(one.board, one.on_mine, one.agent) for one in points[:5]] == [
        ("9x9/10", "end", "baseline"),
        ("9x9/10", "end", "one-two"),
        ("9x9/10", "continue", "baseline"),
        ("9x9/10", "continue", "one-two"),
        ("8x8/0.2", "end", "baseline"),
    ]
    assert (points[0].mines, points[0].density, points[0].size) == (10, 10 / 81, "9x9")
    assert (points[4].mines, points[4].density) == (13, 0.2)
    assert (points[8].mines, points[8].density) == (None, 0.2)


def test_a_study_is_the_same_in_toml_in_python_and_as_json(tmp_path: Path) -> None:
    study = tiny()
    assert Study.from_dict("tiny", study.to_json()) == study
    file = tmp_path / "tiny.toml"
    file.write_text(
        'title = "Tiny"\ngames = 40\nseed = 7\n[[block]]\nagents = ["baseline", "one-two"]\n'
        'boards = ["9x9/10", "8x8/0.2"]\non_mine = ["end", "continue"]\nopening = "any"\n'
        "[[block]]\n"
        'agents = "exact"\nboards = "5x5/0.2"\nindependent = true\nopening = "safe"\n'
        '[[plot]]\ny = "win"\nx = "density"\npanels = ["size"]\n'
    )
    assert Study.from_toml(file) == study


def test_levels_can_be_used_as_boards() -> None:
    study = Study.from_dict("x", {"block": [BLOCK | {"boards": ["expert", "16x30/99"]}]})
    one, other = study.points()
    assert one.deal == other.deal == mp.Deal(16, 30, 99)


def test_independent_mines_show_their_density() -> None:
    block = BLOCK | {"boards": "5x5/0.2", "independent": True, "count_known": [True, False]}
    shown, not_shown = Study.from_dict("x", {"block": [block]}).points()
    assert shown.rules == mp.Rules(count_known=False, density=0.2)
    assert not_shown.rules == mp.Rules(count_known=False)
    assert shown.deal == mp.Deal(5, 5, density=0.2, independent=True)


def test_for_independent_mines_a_mine_count_becomes_a_density() -> None:
    block = BLOCK | {"boards": ["5x5/10", "expert"], "independent": True}
    small, expert = Study.from_dict("x", {"block": [block]}).points()
    assert small.deal == mp.Deal(5, 5, density=0.4, independent=True)
    assert (small.board, expert.density) == ("5x5/10", 99 / 480)


def test_games_equal_those_of_the_arena() -> None:
    for point in tiny().points():
        rules = point.rules
        theirs = mp.arena([point.agent], point.deal, games=12, rules=rules, seed=7, workers=1).games
        ours = tasks.find("games").do(point, 7, range(5, 12))
        assert list(ours["game"]) == list(range(5, 12))
        assert ours.keys() - {"game"} == theirs.columns.keys() - {"board", "agent", "seed"}
        for name in ours.keys() - {"game", "cpu_seconds"}:
            np.testing.assert_array_equal(ours[name], theirs[name][5:], err_msg=name)


def test_every_reasoner_has_its_column() -> None:
    """Together the agents use every reasoner, and no others."""
    found = set()
    agents = [name for name in mp.agents.names() if name != "champion"]  # proves as `exact` does
    for rules in (mp.Rules(on_mine="continue"), mp.Rules(opening="clear", flood=False)):
        standings = mp.arena(agents, mp.Deal(8, 8, 12), games=12, rules=rules, seed=2)
        found |= {rule for one in standings.agents for rule in one.deductions}
    assert found == set(RULES)


def test_chunks_cover_every_game_once() -> None:
    study = tiny().with_games(700)
    chunks = chunk_plan.chunks(study)
    for point in study.points():
        numbers = [n for chunk in chunks if chunk.point == point for n in chunk.numbers]
        assert numbers == list(range(700))
    assert len({chunk.name for chunk in chunks}) == len(chunks)
    assert chunks[0].name == "p00000-g000000.parquet"


def test_games_can_be_set_for_all_points_together() -> None:
    study = Study.from_dict(
        "x", {"games": 50, "block": [BLOCK, {**BLOCK, "agents": "exact", "games": 3}]}
    )
    assert [point.games for point in study.points()] == [50, 3]
    assert [point.games for point in study.with_games(9).points()] == [9, 9]
    assert [point.games for point in study.quick().points()] == [40, 3]


def test_a_study_sets_the_games_of_a_quick_run() -> None:
    costly = {**BLOCK, "agents": "exact"}
    blocks = [BLOCK, costly | {"quick_games": 5}, costly | {"boards": "9x9/9", "quick_games": 0}]
    study = Study.from_dict("x", {"games": 50, "quick_games": 20, "block": blocks})
    assert [point.games for point in study.quick().points()] == [20, 5]
    assert [point.games for point in study.points()] == [50, 50, 50]
    assert Study.from_dict("x", study.to_json()) == study


@pytest.mark.parametrize("name", studies.names())
def test_a_quick_run_has_enough_games_to_be_meaningful(name: str) -> None:
    """Per point, or over all densities of an average."""
    assert all(point.games >= 10 for point in studies.get(name).quick().points())


@pytest.mark.parametrize("name", studies.names())
def test_the_catalogue_is_consistent(name: str, tmp_path: Path) -> None:
    study = studies.get(name)
    assert study.title
    assert study.question
    with StudyRun([study], tmp_path, workers=1) as running:  # every agent can play at every point
        assert running.left


@pytest.mark.parametrize("name", studies.names())
def test_every_point_of_the_catalogue_has_enough_games(name: str) -> None:
    """200 up to 10x10, 100 up to 25x25, 20 above; fewer only where the champion estimates risks."""
    for point in studies.get(name).points():
        least = 200 if point.cells <= 100 else 100 if point.cells <= 625 else 20
        if point.agent == "champion" and point.clues != "exact" and point.cells >= 400:
            least = 10 if point.cells > 625 else 30 if "cautious" in point.clues else 100
        assert point.games >= least, point


def test_columns_are_those_of_points() -> None:
    derived = {"size", "cells", "claimed"}
    assert set(get_args(Column)) == {*Point._fields} - {"index", "games"} | derived


def refused(**data: Any) -> str:
    with pytest.raises(mp.InvalidInput) as caught:
        Study.from_dict("mine", data)
    return str(caught.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "study 'mine': the study needs 'block': the games to play"),
        (
            {"blocks": []},
            "study 'mine': unknown field of the study 'blocks': did you mean 'block'?",
        ),
        ({"block": [{}]}, "'block[0]' needs 'agents': the agents that play"),
        ({"block": {}}, "'block' must be a list, got {}"),
        ({"block": ["x"]}, "'block[0]' must be an object, got 'x'"),
        ({"title": 3, "block": [BLOCK]}, "'title' must be a string, got 3"),
        ({"block": [BLOCK], "games": 0}, "'games' must be from 1 to 1000000000, got 0"),
        ({"block": [BLOCK], "games": 1.5}, "'games' must be a whole number, got 1.5"),
        ({"block": [BLOCK], "seed": -1}, "'seed' must be at least 0, got -1"),
        ({"block": [BLOCK], "quick_games": 0}, "'quick_games' must be from 1"),
        ({"block": [BLOCK | {"quick_games": 0}]}, "a quick run needs at least one [[block]]"),
        (
            {"block": [BLOCK | {"quick_games": -1}]},
            "'block[0].quick_games' must be from 0",
        ),
        (
            {"block": [BLOCK], "plot": [{"y": "scor", "x": "density"}]},
            "unknown measure in 'plot[0].y' 'scor': did you mean 'score'?",
        ),
        (
            {"block": [BLOCK], "plot": [{"y": "score", "x": "dens"}]},
            "unknown value of 'plot[0].x' 'dens': did you mean 'density'?",
        ),
        (
            {"block": [BLOCK], "plot": [{"y": "score", "x": "size", "lines": ["agents"]}]},
            "unknown value of 'plot[0].lines[0]' 'agents': did you mean 'agent'?",
        ),
        ({"block": [BLOCK], "plot": [{"y": "score"}]}, "'plot[0]' needs 'x': a column"),
    ],
)
def test_an_invalid_study_is_refused(data: dict[str, Any], message: str) -> None:
    assert message in refused(**data)


@pytest.mark.parametrize(
    ("block", "message"),
    [
        (
            {"agents": ["basline"]},
            "'block[1].agents[0]': unknown agent 'basline': did you mean 'baseline'?",
        ),
        ({"agents": ["champion:budget=huge"]}, "'block[1].agents[0]': unknown budget 'huge'"),
        ({"agents": []}, "'block[1].agents' must have at least 1 entry"),
        ({"agents": ["exact", "exact"]}, "'block[1].agents[1]': 'exact' occurs twice"),
        ({"agents": [3]}, "'block[1].agents[0]' must be a string, got 3"),
        ({"boards": ["9x9"]}, "'block[1].boards[0]': expected a board as ROWSxCOLS/MINES"),
        ({"boards": ["9x9/100"]}, "'block[1].boards[0]': 100 mines do not fit: 9x9 has 81 cells"),
        ({"boards": ["9x9/1.5"]}, "'block[1].boards[0]': a density must be from 0 to 1, got 1.5"),
        (
            {"independent": True, "boards": "9x9/100"},
            "'block[1].boards[0]': a density must be from 0 to 1",
        ),
        ({"independent": 1}, "'block[1].independent' must be true or false, got 1"),
        (
            {"clues": ["exat"]},
            "'block[1].clues[0]': unknown clue model 'exat': did you mean 'exact'?",
        ),
        ({"clues": "sometimes:2"}, "'block[1].clues[0]': sometimes:p must be from 0 to 1"),
        ({"on_mine": "stop"}, "unknown value of 'block[1].on_mine[0]' 'stop'"),
        ({"opening": ["any", "save"]}, "unknown value of 'block[1].opening[1]' 'save'"),
        ({"count_known": ["yes"]}, "'block[1].count_known[0]' must be true or false, got 'yes'"),
        ({"start": [9, 9]}, "cell (9,9) is outside the board"),
        ({"start": 4}, "'block[1].start' must be a cell [row, col], got 4"),
        ({"opening": "clear", "boards": "3x3/1"}, "1 mine does not fit: 3x3 has 0 cells"),
        ({"task": "gmes"}, "'block[1].task': unknown task 'gmes': did you mean 'games'?"),
        ({"rules": "any"}, "unknown field of 'block[1]' 'rules'"),
    ],
)
def test_an_invalid_block_is_refused(block: dict[str, Any], message: str) -> None:
    found = refused(block=[{**BLOCK, "agents": "random"}, BLOCK | block])
    assert found.startswith("study 'mine': ")
    assert "'block[1]" in found
    assert message in found


def test_duplicate_settings_are_refused() -> None:
    message = (
        "'block[1]': 'baseline' on '9x9/10' with the same rules and clues is already in 'block[0]'"
    )
    assert message in refused(block=[BLOCK, BLOCK])


def test_names_are_valid_folder_names() -> None:
    with pytest.raises(mp.InvalidInput, match="a study's name may contain only letters"):
        Study.from_dict("../x", TINY)


def test_an_unknown_study_is_refused_by_name() -> None:
    with pytest.raises(mp.UnknownName, match="unknown study"):
        studies.get("nonsense")


def test_an_unreadable_file_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(mp.FormatError, match="cannot read .*nothing.toml"):
        Study.from_toml(tmp_path / "nothing.toml")
    (tmp_path / "broken.toml").write_text("games = ")
    with pytest.raises(mp.FormatError, match="study 'broken' is not valid TOML: Invalid value"):
        Study.from_toml(tmp_path / "broken.toml")
