"""Board links and `.mbf` files round-trip, are told apart, and are refused with an explanation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mineproof as mp
from mineproof.cli import main
from mineproof.formats import board_files, board_links, corpus, game_ids, mbf, rawvf

SMALL = mp.Board.from_text("2x3/2 ..*/.*.")


@st.composite
def some_boards(draw: st.DrawFn) -> mp.Board:
    grid = mp.Grid(draw(st.integers(1, 20)), draw(st.integers(1, 20)))
    bits = st.lists(st.integers(0, 1), min_size=grid.size, max_size=grid.size)
    return mp.Board(grid, bytes(draw(bits)))


def texts(board: mp.Board) -> Iterator[str]:
    """A board in every text form supported here."""
    grid = board.grid
    yield board.to_text()
    yield board.to_text(lines=True)
    yield "\n".join(board.to_text().split(" ")[1].split("/"))
    yield f"{corpus.Header(grid, board.mine_count, (0, 0))}\n{corpus.to_hex(board)}\n"
    yield json.dumps({"boards": [{"board": board.to_text()}]})
    yield board_links.write(board)
    if not board.mined[0]:
        yield game_ids.write(board, (0, 0))
        yield game_ids.write(board, (0, 0), masked=False)


@given(some_boards())
def test_a_link_reads_back(board: mp.Board) -> None:
    link = board_links.write(board)
    assert board_links.read(link) == board
    assert board_links.read(f"https://host/page/{link}&c=x") == board
    assert board_links.read(link.removeprefix("?")) == board
    assert board_links.is_link(link)
    assert board_links.is_link(f"https://host/#/game?c=1&{link[1:]}")
    assert [one.board for one in board_files.read(f"{link}\n\n{link}\n", "here")] == [board] * 2


@given(some_boards())
def test_an_mbf_file_reads_back(board: mp.Board) -> None:
    content = mbf.write(board)
    assert mbf.read(content) == board
    assert mbf.is_mbf(content)
    assert [*board_files.read(content, "here")] == [(board, None)]
    assert [*board_files.read(content.hex().encode() + b"\n", "here")] == [(board, None)]


@given(some_boards(), st.booleans())
def test_every_text_form_is_printed_from_mbf_and_from_links(board: mp.Board, marked: bool) -> None:
    for text in texts(board):
        content = text.encode("utf-8-sig" if marked else "utf-8")
        assert not mbf.is_mbf(content), text
        assert [one.board for one in board_files.read(content, "here")] == [board], text
        assert board_links.is_link(text) == ("b=" in text)


def test_bits_are_row_by_row_and_coordinates_column_by_column() -> None:
    assert board_links.write(SMALL) == "?b=32&m=50"  # 00101 0(0000)
    assert board_links.write(mp.Board.from_text("1x12/1 " + "." * 11 + "*")) == "?b=1201&m=008"
    assert mbf.write(SMALL) == bytes((3, 2, 0, 2, 1, 1, 2, 0))
    level = mp.Board.from_mines(16, 30, [(0, 0)])
    assert board_links.write(level).startswith("?b=3&m=g000")
    assert board_links.read("?b=3") == mp.Board.from_mines(16, 30, [])
    assert board_links.read("b=3016&M=1&m=" + "0" * 95 + "1") == mp.Board.from_mines(
        16, 30, [(15, 29)]
    )


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("?b=&m=00", "b must be 1, 2 or 3 for a level"),
        ("?b=4&m=00", "b must be 1, 2 or 3 for a level"),
        ("?b=100&m=00", "b must be 1, 2 or 3 for a level"),
        ("?b=٣٣&m=00", "b must be 1, 2 or 3 for a level"),
        ("?b=0003&m=00", "a board must have 1 to 1000 columns, got 0"),
        ("?b=32&m=5", "m must have 2 digits for 2 rows of 3 cells, got 1"),
        ("?b=32&m=5w", "must be 0-9 or a-v, got 'w'"),
        ("?b=32&m=51", "the last 4 bits of m must be zero"),
        (f"?b={'9' * 30}&m=0", "b must be 1, 2 or 3 for a level"),
    ],
)
def test_an_invalid_link_is_refused_with_the_reason(link: str, message: str) -> None:
    with pytest.raises(mp.FormatError, match=message):
        board_links.read(link)
    with pytest.raises(mp.FormatError, match="here: board 1: "):
        list(board_files.read(link, "here"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\0", "at least 4 bytes, got 1"),
        (bytes((0, 9, 0, 0)), "a board must have 1 to 1000 columns, got 0"),
        (bytes((2, 2, 0, 5)), "5 mines do not fit: 2x2 has 4 cells"),
        (bytes((2, 2, 0, 1, 1)), "1 mine must have 6 bytes, got 5"),
        (bytes((3, 2, 0, 1, 3, 0)), "row 0, column 3 of a .mbf file is outside 2x3"),
        (bytes((3, 2, 0, 2, 1, 1, 1, 1)), "the mine at row 1, column 1 twice"),
        (b"\xff\xfe" * 9, "18 bytes|bytes, got 18|do not fit"),
    ],
)
def test_a_damaged_mbf_file_is_refused_with_the_reason(content: bytes, message: str) -> None:
    with pytest.raises(mp.FormatError, match=message):
        mbf.read(content)
    assert mbf.is_mbf(content)
    with pytest.raises(mp.FormatError, match=r"^here: not a text file \(UTF-8\), and .*" + message):
        list(board_files.read(content, "here"))


@given(st.binary(max_size=40))
def test_any_bytes_are_boards_or_one_error(content: bytes) -> None:
    try:
        found = list(board_files.read(content, "here"))
    except mp.MineproofError as error:
        assert "\n" not in str(error)
    else:
        assert found


@pytest.mark.parametrize(("rows", "cols", "mines"), [(256, 1, 0), (1, 256, 0), (255, 258, 65536)])
def test_boards_that_mbf_cannot_hold_are_refused(rows: int, cols: int, mines: int) -> None:
    with pytest.raises(mp.InvalidInput, match="a .mbf file allows"):
        mbf.write(mp.Board.random(rows, cols, mines, seed=1))


def test_the_board_of_a_finished_game_can_be_played_again() -> None:
    record = mp.play(mp.Deal(5, 6, 5), "exact", rules=mp.Rules(opening="safe"), seed=3)
    texts = (json.dumps(record.to_json()), rawvf.write(mp.replays.to_video(record)))
    assert [[*board_files.read(text, "here")] for text in texts] == [[(record.board, None)]] * 2


# On the command line.


@pytest.mark.parametrize(
    "form", ["lines", "line", "corpus", "id", "plain-id", "link", "mbf", "json"]
)
def test_every_command_that_reads_boards_reads_them(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "board")
    kind = ["generate", "--level", "beginner", "--seed", "5", "--format", form, "--out", path]
    assert main(kind) == 0
    for command in (["grade", path], ["play", "--board", path, "--seed", "1", "--json"]):
        assert main(command) == 0
    capsys.readouterr()
    assert main(["arena", "--boards", path, "--agents", "exact", "--json", "--start", "0,0"]) == 0
    standings = json.loads(capsys.readouterr().out)
    assert standings["agents"][0]["games"] == 1


def test_an_arena_plays_many_links_but_not_with_different_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "boards"
    path.write_text(
        "\n".join(board_links.write(mp.Board.random(4, 5, 3, seed=s)) for s in range(9))
    )
    assert main(["arena", "--boards", str(path), "--agents", "exact", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["agents"][0]["games"] == 9
    ids = [game_ids.write(mp.Board.from_mines(3, 3, [(1, 1)]), (0, col)) for col in (0, 1)]
    path.write_text("\n".join(ids))
    assert main(["arena", "--boards", str(path), "--agents", "exact"]) == 2
    assert "board 2 and board 1 start at different cells; give --start" in capsys.readouterr().err
    assert main(["arena", "--boards", str(path), "--agents", "exact", "--start", "2,2"]) == 0


@pytest.mark.parametrize("form", ["mbf", "png", "svg"])
def test_formats_with_one_board_per_file_refuse_more(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["generate", "--count", "2", "--format", form]) == 2
    assert "holds only one board: leave out --count 2" in capsys.readouterr().err


def test_an_empty_list_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.json"
    path.write_text('{"boards": []}')
    for command in (["grade"], ["play", "--board"], ["arena", "--boards"]):
        assert main([*command, str(path)]) == 2
        assert "'boards' must have at least 1 entry, got 0" in capsys.readouterr().err
