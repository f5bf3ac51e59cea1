"""Game files round-trip, and the mouse events of videos become the right moves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof.formats import rawvf
from mineproof.games import replays

BOARD = """\
RawVF_Version: Rev6
Program: Somebody's game
Player: Ann
Width: 5
Height: 3
Mines: 2
{settings}Board:
0*000
00000
0000*
Events:
"""


def video(*events: str, settings: str = "") -> str:
    return BOARD.format(settings=settings) + "\n".join(events) + "\n"


def at(seconds: float, what: str, row: int, col: int) -> str:
    return f"{seconds:.3f} {what} {col + 1} {row + 1} ({16 * col + 3} {16 * row + 9})"


def click(seconds: float, row: int, col: int, button: str = "l") -> list[str]:
    return [at(seconds, f"{button}c", row, col), at(seconds + 0.01, f"{button}r", row, col)]


def played(*events: str, settings: str = "") -> mp.Record:
    (record,) = replays.parse(video(*events, settings=settings), "here")
    return record


def done(record: mp.Record) -> list[tuple[str, tuple[int, int]]]:
    return [(move.action, move.cell) for move in record.moves]


def times(record: mp.Record) -> list[float | None]:
    return [turn.seconds for turn in record.turns]


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 999), st.sampled_from(["random", "baseline", "exact"]))
def test_records_read_back_from_every_format(seed: int, agent: str) -> None:
    record = mp.play(mp.Deal(5, 6, 5), agent, rules=mp.Rules(opening="safe"), seed=seed)
    text = rawvf.write(replays.to_video(record))
    assert rawvf.is_rawvf(text)
    (again,) = replays.parse(text, "here")
    assert done(again) == done(record)
    assert (again.board, again.view, again.won) == (record.board, record.view, record.won)
    assert (again.agent, again.rules, again.time) == (agent, record.rules, None)
    line = json.dumps(record.to_json())
    assert list(replays.parse(f"{line}\n\n{line}\n", "here")) == [record] * 2
    assert list(replays.parse(json.dumps(record.to_json(), indent=2), "here")) == [record]


def test_times_and_clicks_are_kept(tmp_path: Path) -> None:
    record = played(*click(0.5, 2, 0), *click(1.5, 0, 3), *click(2.25, 0, 0), *click(9, 0, 4))
    assert (times(record), record.clicks, record.seconds) == ([0.51, 1.51, 2.26], 3, 2.26)
    assert record.won
    for name in ("game.json", "game.jsonl", "game.rawvf"):
        replays.write(tmp_path / name, [record])
        (again,) = replays.read(tmp_path / name)
        assert (times(again), again.clicks, done(again)) == (times(record), 3, done(record))
    replays.write(tmp_path / "game.jsonl", [record])
    assert len(replays.read(tmp_path / "game.jsonl")) == 2
    with pytest.raises(mp.InvalidInput, match="can hold only one game, got 2"):
        replays.write(tmp_path / "game.json", [record, record])


def test_a_right_click_sets_and_removes_a_flag() -> None:
    flags = [*click(1, 0, 1, "r"), *click(2, 0, 1, "r"), *click(3, 0, 1, "r")]
    assert done(played(*click(0, 2, 0), *flags))[1:4] == [
        ("flag", (0, 1)),
        ("unflag", (0, 1)),
        ("flag", (0, 1)),
    ]
    marked = done(played(*click(0, 2, 0), *flags, settings="Marks: On\n"))
    assert [action for action, _ in marked] == ["open", "flag", "unflag", "stop"]
    switched = [*click(0, 2, 0), "0.5 mt", *flags]
    assert [one for one, _ in done(played(*switched))] == ["open", "flag", "unflag", "stop"]


CHORDS = {
    "left, then right": ["lc", "rc", "lr", "rr"],
    "right, then left": ["rc", "lc", "rr", "lr"],
    "let go the other way": ["lc", "rc", "rr", "lr"],
    "middle": ["mc", "mr"],
    "shift": ["sc", "lr"],
}


@pytest.mark.parametrize("buttons", CHORDS.values(), ids=list(CHORDS))
def test_every_chord_opens_around_a_clue(buttons: list[str]) -> None:
    first = [*click(0, 0, 2), *click(1, 0, 1, "r")]
    record = played(*first, *(at(2, what, 0, 2) for what in buttons))
    assert done(record)[:2] == [("open", (0, 2)), ("flag", (0, 1))]
    opened = [cell for action, cell in done(record)[2:] if action == "open"]
    assert opened == [(0, 3), (1, 1)]  # the 0 at (0,3) opens its other neighbours
    assert record.clicks == 3
    assert times(record)[2] == 2.0


def test_a_left_click_on_a_clue_chords_only_with_that_setting() -> None:
    events = [*click(0, 0, 2), *click(1, 0, 1, "r"), *click(2, 0, 2)]
    assert len(played(*events).moves) == 3  # the third is the end of the video
    assert len(played(*events, settings="SuperClick: On\n").moves) > 4


def test_clicks_without_effect_are_counted() -> None:
    record = played(*click(0, 0, 2), *click(1, 0, 2), at(2, "mc", 0, 2), at(2, "mr", 0, 2))
    assert done(record) == [("open", (0, 2)), ("stop", (0, 2))]
    assert record.clicks == 3


def test_a_button_released_elsewhere_acts_there_or_not_at_all() -> None:
    moved = played(*click(0, 2, 0), at(1, "lc", 0, 1), at(1, "mv", 0, 3), at(1, "lr", 0, 3))
    assert done(moved)[1] == ("open", (0, 3))
    outside = [at(1, "lc", 0, 1), at(1, "lr", -1, 3), at(2, "lc", 0, 1), at(2, "lr", 0, 9)]
    assert done(played(*click(0, 2, 0), *outside)) == [("open", (2, 0)), ("stop", (2, 0))]


def test_events_after_a_mine_are_ignored() -> None:
    record = played(*click(0, 2, 0), *click(1, 0, 1), *click(2, 0, 3))
    assert (record.won, record.exploded, len(record.moves)) == (False, 1, 2)
    assert record.rules.opening == "safe"
    first = played(*click(0, 0, 1))
    assert (first.rules.opening, first.exploded) == ("any", 1)


def test_cells_are_computed_from_pixels_or_else_counted_from_one() -> None:
    big = "0.5 lc 0 0 (70 140)", "0.6 lr 0 0 (70 140)"
    assert done(played(*big, settings="SquareSize: 64\n"))[0] == ("open", (2, 1))
    assert done(played("0.5 lc 2 3", "0.6 lr 2 3"))[0] == ("open", (2, 1))


def test_unknown_lines_of_other_programs_are_ignored() -> None:
    more = ["0.00 start", "Cell opened (Number 1) 1 3", "Flag 1 2", "", "nonstandard", "3.0 won"]
    assert done(played(*more, *click(0, 2, 0)))[0] == ("open", (2, 0))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("RawVF_Version: 6\n", "line 1: expected a line 'Board:', got the end of the file"),
        ("RawVF_Version: 6\nBoard:\n00\n", "line 3: expected a line 'Events:'"),
        ("RawVF_Version: 6\nBoard:\nEvents:\n", "expected the rows of the board, got none"),
        ("RawVF_Version: 6\nBoard:\n00\n0\n", "line 4: expected 2 cells in every row"),
        ("RawVF_Version: 6\nBoard:\n0x\n", r"line 3: a cell of the board must be \* or 0, got 'x'"),
        ("RawVF_Version: 6\nWidth: 9\nBoard:\n00\nEvents:\n", "Width is 9, but the board has 2"),
        (
            "RawVF_Version: 6\nMines: -1\nBoard:\n00\nEvents:\n",
            "Mines must be a whole number, got '-1'",
        ),
        ("RawVF_Version: 6\nLevel: Marathon\nBoard:\n", "marathon videos have several boards"),
        (video("0.1 zz 1 1 (1 1)"), "line 12: unknown event 'zz'"),
        (video("0.1 lc"), "line 12: expected the position of the mouse"),
        (video("12"), "line 12: expected SECONDS EVENT"),
        (video("9999999.0 lc 1 1 (1 1)"), "at most 1000000 seconds"),
        (video(), "this video opens no cell"),
        (video(settings="SquareSize: 0\n"), "SquareSize must be at least 1, got 0"),
        (video(settings="Elmar: On\n"), "recorded with the setting Elmar cannot be replayed"),
        ('{"a": 1}\n{"b": 2}\n', "here: game 1: not a record"),
        ("", "not JSON"),
    ],
)
def test_unreadable_files_are_explained(text: str, message: str) -> None:
    with pytest.raises(mp.FormatError, match=message):
        list(replays.parse(text, "here"))


@given(st.text(max_size=60), st.text(alphabet="0123456789lcr ()-.mvst\n*", max_size=80))
def test_any_text_yields_games_or_one_error(head: str, tail: str) -> None:
    for text in (head, video(tail), f"RawVF_Version: {head}\nBoard:\n{tail}\nEvents:\n{tail}"):
        try:
            games = list(replays.parse(text, "here"))
        except mp.MineproofError as error:
            assert str(error)
        else:
            assert all(isinstance(game, mp.Record) for game in games)


def test_games_that_a_mouse_cannot_play_are_not_written_as_videos() -> None:
    rules = mp.Rules(opening="safe", on_mine="continue")
    record = mp.play(mp.Deal(4, 4, 3), "exact", rules=rules, seed=1)
    with pytest.raises(mp.InvalidInput, match="RawVF can hold only standard games"):
        replays.to_video(record)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("times", [1.0], "'times' must have one entry per move"),
        ("times", "soon", "'times' must be a list"),
        ("times", [2.0, 1.0, 3.0], "times must not decrease, got 1.0 after 2.0"),
        ("times", [float("nan")] * 3, r"'times\[0\]' must be from 0"),
        ("clicks", -1, "'clicks' must be from 0"),
    ],
)
def test_a_record_with_odd_times_is_refused(field: str, value: object, message: str) -> None:
    data = played(*click(0.5, 2, 0), *click(1.5, 0, 3)).to_json() | {field: value}
    with pytest.raises(mp.FormatError, match=message):
        mp.Record.from_json(data | {"format": "mineproof-record-1"})
