"""Any file is either read or refused by an error that says what is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof.formats import board_files
from mineproof.studies import Study
from mineproof.studies.manifest import differences, new_manifest, read_manifest, to_text
from mineproof.studies.toml import write_toml
from tests.studying import TINY, tiny

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(0, 9)
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(
        ["exact", "9x9/10", "win", "size", "any", "end", "2x2/1 *../..", "0" * 64, "\ud800"]
    )
)
NAMES = st.sampled_from(["block", "agents", "cell", "nodes", "board", "a", "", "\ud800"])
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
GAME = mp.play(mp.Deal(4, 4, 3), "exact", rules=mp.Rules(on_mine="continue"), seed=1)
INFLUENCE = GAME.influence.to_json()
BOARDS = {"boards": [{"board": "2x3/1 *../...", "start": [1, 2], "seed": "1"}]}
MANIFEST = json.loads(to_text(new_manifest(tiny(), 0, None)))


@st.composite
def changed(draw: st.DrawFn, valid: Any) -> Any:
    """Valid data with one value replaced, removed or added, or any other JSON value."""
    data = json.loads(json.dumps(valid))
    inner: Any = data
    while draw(st.integers(0, 5)):
        keys = [*inner] if isinstance(inner, dict) else range(len(inner))
        key = draw(st.sampled_from(keys))
        if not isinstance(inner[key], (dict, list)) or not inner[key]:
            inner[key] = draw(VALUES)
            return data
        inner = inner[key]
    if isinstance(inner, dict):
        if draw(st.booleans()):
            inner.pop(draw(st.sampled_from([*inner])))
        else:
            inner[draw(NAMES | st.text())] = draw(VALUES)
    else:
        inner.append(draw(VALUES))
    return draw(st.just(data) | VALUES)


@given(changed(TINY))
@settings(max_examples=300)
def test_any_study_is_read_or_refused(data: Any) -> None:
    try:
        study = Study.from_dict("tiny", data)
    except mp.InvalidInput as error:
        assert str(error).startswith("study 'tiny': ")
    else:
        assert Study.from_dict("tiny", json.loads(json.dumps(study.to_json()))) == study
        assert Study.from_text("tiny", write_toml(study.to_json())).points() == study.points()


@given(changed(MANIFEST))
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_manifest_is_read_or_refused(tmp_path: Path, data: Any) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps(data))
    try:
        found = read_manifest(tmp_path)
    except mp.FormatError as error:
        assert "manifest.json' is damaged: " in str(error)
    else:
        again = json.loads(to_text(found))
        assert again == {name: data.get(name, {}) for name in again}
        assert differences(found, found) == []


@given(changed(INFLUENCE))
@settings(max_examples=300)
def test_any_chain_of_influence_is_read_or_refused(data: Any) -> None:
    try:
        found = mp.Influence.from_json(json.dumps(data))
    except mp.FormatError as error:
        assert "a chain of influence" in str(error)
    else:
        assert mp.Influence.from_json(found.to_json()) == found


@given(changed(BOARDS) | changed(GAME.to_json()))
@settings(max_examples=300)
def test_any_list_of_boards_is_read_or_refused(data: Any) -> None:
    text = json.dumps(data)
    try:
        found = [*board_files.read(text, "a file")]
    except mp.MineproofError:
        return
    assert all(isinstance(one.board, mp.Board) for one in found)


def test_a_board_of_a_list_has_a_first_cell() -> None:
    expected = board_files.BoardWithStart(mp.Board.from_text("2x3/1 *../..."), (1, 2))
    assert [*board_files.read(json.dumps(BOARDS), "a file")] == [expected]
    assert [*board_files.read(json.dumps(BOARDS["boards"][0]), "a file")] == [expected]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"boards": [{}]}, "a file: 'boards[0]' needs 'board': the board: expected"),
        ({"boards": [{"board": 3}]}, "'boards[0].board' must be a string, got 3"),
        ({"board": "1x1/0 .", "start": [0]}, "'boards[0].start' must be a cell [row, col]"),
        ({"board": "1x1/0 .", "start": [0, 1]}, "(0,1) is outside the board"),
    ],
)
def test_an_invalid_list_of_boards_is_refused(data: Any, message: str) -> None:
    with pytest.raises(mp.InvalidInput) as caught:
        board_files.read(json.dumps(data), "a file")
    assert message in str(caught.value)


def test_a_manifest_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    """It lacks the user's own agents; the fingerprint stays the same."""
    data = {name: value for name, value in MANIFEST.items() if name != "agents"}
    (tmp_path / "manifest.json").write_text(json.dumps(data | {"seconds": 3, "more": None}))
    assert read_manifest(tmp_path).fingerprint == MANIFEST["fingerprint"]
