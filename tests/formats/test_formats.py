"""Every text form round-trips, and unreadable text is refused with the place of the error."""

from __future__ import annotations

import dataclasses
import io
import json
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mineproof as mp
from mineproof.formats import corpus
from mineproof.world import clues
from tests.strategies import boards, clue_models, games, rules, seeds


@given(boards(), st.booleans())
def test_boards_round_trip(board: mp.Board, lines: bool) -> None:
    assert mp.Board.from_text(board.to_text(lines=lines)) == board


@given(games(), st.booleans())
def test_views_round_trip(game: mp.Game, lines: bool) -> None:
    assert mp.View.from_text(game.view.to_text(lines=lines)) == game.view


@given(boards())
def test_hex_bitmaps_round_trip(board: mp.Board) -> None:
    assert corpus.from_hex(corpus.to_hex(board), board.grid) == board


def test_hex_bitmaps_are_row_major_with_the_highest_bit_first() -> None:
    board = mp.Board.from_text("*....\n....*\n*....")
    assert corpus.to_hex(board) == "8060"
    assert len(corpus.to_hex(mp.Board.random(9, 9, 10, seed=1))) == 22


@given(st.lists(seeds, min_size=1, max_size=5))
def test_corpora_round_trip(tmp_path_factory: pytest.TempPathFactory, chosen: list[int]) -> None:
    path = tmp_path_factory.mktemp("corpus") / "boards.txt"
    boards_in = [mp.Board.random(5, 7, 8, seed=seed) for seed in chosen]
    with path.open("w") as file:
        assert corpus.write(file, boards_in, (2, 3)) == len(boards_in)
    header, boards_out = corpus.read(path)
    assert (header.grid.rows, header.grid.cols, header.mines, header.start) == (5, 7, 8, (2, 3))
    assert list(boards_out) == boards_in


@given(boards(), rules(), clue_models, seeds, st.sampled_from(mp.agents.names()))
def test_records_round_trip(
    board: mp.Board, how: mp.Rules, model: clues.ClueModel, seed: int, agent: str
) -> None:
    record = mp.play(board, agent, rules=how, clues=model, seed=seed)
    assert mp.Record.from_json(json.dumps(record.to_json())) == record


@given(clue_models)
def test_clue_models_round_trip(model: clues.ClueModel) -> None:
    assert clues.parse(str(model)) == model


@given(games())
def test_values_can_be_pickled(game: mp.Game) -> None:
    assert pickle.loads(pickle.dumps(game.view)) == game.view


def test_a_repr_is_valid_input() -> None:
    view = mp.View.from_text("2x3/2 ???/121")
    assert repr(view) == "View('2x3/2 ???/121')"
    assert view.to_text() == "2x3/2 ???/121"
    assert str(view) == "2x3/2\n???\n121"
    assert repr(mp.Board.from_text("*..\n...")) == "Board('2x3/1 *../...')"


def test_hand_made_views_are_checked() -> None:
    grid = mp.View.hidden(2, 2).grid
    with pytest.raises(mp.InvalidInput, match="a state must be from 0 to 13, got 200"):
        mp.View(grid, bytes([200, 9, 9, 9]))
    with pytest.raises(mp.InvalidInput, match=r"clue 8 at \(0,0\) is too high"):
        mp.View(grid, bytes([8, 9, 9, 9]))
    with pytest.raises(mp.InvalidInput, match=r"mines must be a whole number, got 1.5"):
        mp.View(grid, bytes([9, 9, 9, 9]), 1.5)  # type: ignore[arg-type]


def test_a_corpus_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "boards.txt"
    path.write_bytes(b"\xef\xbb\xbf3 3 1 0 0\n8000\n")
    assert len(list(corpus.read(path)[1])) == 1


def test_views_are_read_leniently() -> None:
    view = mp.View.from_text("2x3/2 ???/121")
    same = [
        "???\n121",
        "...\n121\n",
        "2x3\n? ? ?\n1 2 1",
        "\ufeff2X3/2\r\n???\r\n121\r\n",
        "???/121",
    ]
    for text in same:
        assert mp.View.from_text(text, mines=2) == view
    assert mp.View.from_text("12?").grid.rows == 1


def test_bounds_of_clues_are_in_the_text() -> None:
    view = mp.View.from_text("2x3/2 ???/121 1,0:0 1,1:2")
    assert view.bounds == ((3, 0), (4, 2))
    assert view.to_text() == "2x3/2 ???/121 1,0:0 1,1:2"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected rows of cells, got none in ''"),
        ("2x3/2", "expected rows of cells, got none in '2x3/2'"),
        ("2x3/2 ???", "expected 2 rows, got 1 in '2x3/2 [?]{3}'"),
        ("2x3/2 ???/12", "expected 3 cells in row 1, got 2"),
        ("???\n12", "expected 3 cells in row 1, got 2"),
        ("2x3/2 ?z?/121", r"unknown character 'z' at \(0,1\)"),
        ("2x3/7 ???/121", "7 mines do not fit: 2x3 has 6 cells"),
        ("2x3/4 ???/121", "4 mines do not fit '2x3/4 [?]{3}/121': at most 3 cells can be mines"),
        ("2x3/1 **?/121", "1 mine does not fit .*: 2 mines exploded"),
        ("2x3/2 4??/121", r"clue 4 at \(0,0\) is too high: the cell has 3 neighbours"),
        ("0x3 ", "expected rows of cells"),
        ("0x3 ???", "a board must have 1 to 1000 rows, got 0"),
        ("1x1001 " + "?" * 1001, "a board must have 1 to 1000 columns, got 1001"),
        ("99999999999999x1 ?", "a board must have 1 to 1000 rows"),
        ("2x3/2 ???/121 9,9:1", r"cell \(9,9\) is outside"),
        ("2x3/2 ???/121 0,0:1", r"bound 1 is not possible at \(0,0\)"),
        ("2x3/2 ???/121 1:2", "expected a mark row,col:number, got '1:2'"),
        ("2x3/2 ???/121 1,0:0 1,0:1", "two marks for the same cell"),
    ],
)
def test_invalid_views_are_refused(text: str, message: str) -> None:
    with pytest.raises(mp.InvalidInput, match=message):
        mp.View.from_text(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2x3/2 *../...", "the header says 2 mines, but the rows have 1"),
        ("*.?", r"unknown character '\?' at \(0,2\)"),
        ("*..\n..", "expected 3 cells in row 1, got 2"),
        ("1x3 *.. 0,0:1", "a board cannot have marks"),
    ],
)
def test_invalid_boards_are_refused(text: str, message: str) -> None:
    with pytest.raises(mp.FormatError, match=message):
        mp.Board.from_text(text)


def test_long_texts_are_shortened_in_messages() -> None:
    with pytest.raises(mp.FormatError) as caught:
        mp.View.from_text("?" * 900 + "z")
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "line 1: expected 'rows cols mines start_row start_col', got ''"),
        ("9 9 10\n", "line 1: expected"),
        ("9 9 99 0 0\n", "line 1: 99 mines do not fit: 9x9 has 81 cells"),
        ("9 0 9 0 0\n", "line 1: a board must have 1 to 1000 columns, got 0"),
        ("3 3 1 3 0\n8000\n", r"line 1: cell \(3,0\) is outside"),
        ("3 3 1 0 0\n", "expected boards after the header, got none"),
        ("3 3 1 0 0\n8000\n80\n", "line 3: expected 4 hex digits for 3x3, got 2"),
        ("3 3 1 0 0\n8000\nzz00\n", "line 3: expected hex digits, got 'zz00'"),
        ("3 3 1 0 0\n8 0 \n", "line 2: expected"),
        ("3 3 1 0 0\n\nc000\n", "line 3: expected 1 mine, got 2"),
        ("3 3 1 0 0\n0001\n", "line 2: the 7 padding bits at the end must be zero"),
        ("3 3 1 0 0\n80\xff0\n", "line 2: expected hex digits"),
    ],
)
def test_invalid_corpora_are_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "boards.txt"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(mp.FormatError, match=message):
        list(corpus.read(path)[1])


def test_a_missing_corpus_is_named(tmp_path: Path) -> None:
    with pytest.raises(mp.FormatError, match="cannot read .*none.txt'"):
        corpus.read(tmp_path / "none.txt")


def test_all_boards_of_a_corpus_have_one_size_and_mine_count() -> None:
    mixed = [mp.Board.random(3, 3, 1, seed=1), mp.Board.random(3, 3, 2, seed=1)]
    with pytest.raises(mp.InvalidInput, match="board 1 has 2 mines on 3x3, the first has 1 on 3x3"):
        corpus.write(io.StringIO(), mixed, (0, 0))


MOVE = {"cell": [0, 1], "action": "open", "risk": None, "certain": True, "reason": "x"}
WHY = {
    "phrase": "search.flag",
    "values": {"risk": 0.5},
    "clues": [],
    "known": [],
    "count_used": False,
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, "not a record"),
        ({"moves": None}, "'moves' must be a list, got None"),
        ({"moves": [{}]}, r"'moves\[0\]' needs 'cell'"),
        ({"moves": [7]}, r"'moves\[0\]' must be an object, got 7"),
        ({"moves": [MOVE | {"action": "jump"}]}, r"'moves\[0\].action' 'jump'"),
        ({"moves": [MOVE | {"cell": [9, 9]}]}, r"'moves\[0\]': cell \(9,9\) is outside"),
        ({"moves": [MOVE | {"risk": 10**400}]}, r"'moves\[0\].risk' must be from 0 to 1"),
        ({"moves": [MOVE | {"why": WHY | {"phrase": "x"}}]}, "unknown phrase 'x'"),
        ({"moves": [MOVE | {"why": WHY | {"values": {}}}]}, r"'moves\[0\]': 'why' .*'risk'"),
        ({"moves": [MOVE | {"why": WHY | {"values": {"risk": "x"}}}]}, "'why' cannot"),
        ({"moves": [MOVE | {"why": WHY | {"clues": [[9, 9]]}}]}, r"\(9,9\) is outside"),
        ({"moves": [MOVE | {"why": WHY | {"known": 3}}]}, r"'moves\[0\].why.known' must be a list"),
        ({"moves": [MOVE | {"why": 3}]}, r"'moves\[0\].why' must be an object"),
        ({"moves": [MOVE | {"action": "flag"}]}, "the moves do not end the game"),
        ({"won": 3}, "'won' must be true or false"),
        ({"exploded": 9}, "'exploded' is 9, but its moves lead to"),
        ({"seconds": 10**400}, "'seconds' must be from 0 to"),
        ({"seed": -1}, "'seed' must be"),
        ({"seed": True}, "'seed' must be"),
        ({"right": -5}, "'right' must be from 0"),
        ({"score": True}, "'score' must be a number"),
        ({"start": [9, 9]}, "outside the board"),
        ({"rules": {"density": "x", "count_known": False}}, "'rules.density' must be a number"),
        ({"rules": {"wings": 2}}, "unknown field of 'rules'"),
        ({"clues": "exactly"}, "unknown clue model 'exactly': did you mean 'exact'"),
        ({"board": "*?"}, "unknown character"),
        ({"start": 3}, "'start' must be a cell"),
        ({"seed": "x"}, "'seed' must be"),
    ],
)
def test_invalid_records_are_refused(change: dict[str, object], message: str) -> None:
    data = mp.play(mp.Board.from_text("*."), "random").to_json()
    with pytest.raises(mp.InvalidInput, match=message):
        mp.Record.from_json(data | change)


def test_a_record_keeps_the_premises_of_its_moves() -> None:
    record = mp.play("beginner", "linalg-count", seed=3)
    data = json.loads(json.dumps(record.to_json()))
    assert [move.why for move in mp.Record.from_json(data).moves] == [
        move.why for move in record.moves
    ]
    assert any(move.why and move.why.clues and move.why.known for move in record.moves)
    for move in data["moves"]:
        del move["why"]  # as in files of version 0.1
    read = mp.Record.from_json(data)
    assert (read.moves, {move.why for move in read.moves}) == (record.moves, {None})


def test_a_move_keeps_its_reason_when_copied_or_pickled() -> None:
    move = mp.play("beginner", "exact", seed=3).moves[-1]
    assert isinstance(move.reason, str)
    assert pickle.loads(pickle.dumps(move)).why == move.why
    assert dataclasses.replace(move, risk=None).reason == move.reason
    text = dataclasses.replace(move, reason="my own")
    assert (text.reason, text.why) == ("my own", None)
    assert len({move, dataclasses.replace(move), text}) == 2
    assert dataclasses.asdict(move)["reason"] == move.reason
    with pytest.raises(dataclasses.FrozenInstanceError):
        move.reason = "another"  # type: ignore[misc,assignment]


def test_a_truncated_record_is_refused() -> None:
    text = json.dumps(mp.play(mp.Board.from_text("*."), "random").to_json())
    with pytest.raises(mp.FormatError, match="not JSON"):
        mp.Record.from_json(text[:-5])


ODD = st.text(st.sampled_from("?.s0123456789-*Fxz/ \n\t:,é\x00"), max_size=60) | st.text()


@given(ODD)
def test_any_text_is_a_view_or_a_clear_error(text: str) -> None:
    try:
        view = mp.View.from_text(text)
    except mp.MineproofError as error:
        assert len(str(error)) < 300
    else:
        assert mp.View.from_text(view.to_text()) == view


@given(ODD)
def test_any_text_is_a_board_or_a_clear_error(text: str) -> None:
    try:
        board = mp.Board.from_text(text)
    except mp.MineproofError as error:
        assert len(str(error)) < 300
    else:
        assert mp.Board.from_text(board.to_text()) == board


@given(st.text(st.sampled_from("0123456789abcdefz -\n"), max_size=80))
def test_any_text_is_a_corpus_or_a_clear_error(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "odd.txt"
    for content in (text, f"2 2 1 0 0\n{text}"):
        path.write_text(content)
        try:
            list(corpus.read(path)[1])
        except mp.MineproofError as error:
            assert str(path) in str(error)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@given(st.data())
def test_any_json_is_a_record_or_a_clear_error(data: st.DataObject) -> None:
    good = mp.play(mp.Board.from_text("*.\n.."), "baseline").to_json()
    field = data.draw(st.sampled_from(sorted(good)))
    try:
        mp.Record.from_json(good | {field: data.draw(JSON)})
    except mp.MineproofError:
        pass


@given(st.text(st.sampled_from("exactsomiopuble:=,.0123456789truefalsknow[]"), max_size=30))
def test_any_text_is_a_clue_model_or_a_clear_error(text: str) -> None:
    try:
        model = clues.parse(text)
    except mp.MineproofError as error:
        assert len(str(error)) < 300
    else:
        assert clues.parse(str(model)) == model
