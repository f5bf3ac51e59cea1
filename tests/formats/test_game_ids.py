"""Game IDs of Simon Tatham's Mines: read, written back to the letter, and played as claimed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mineproof as mp
from mineproof.boards.deduction_play import REASONING, deduce
from mineproof.formats import board_files, game_ids

STORED = (Path(__file__).parent / "game_ids.txt").read_text().split()
"""Some that his generator made, eight of each level."""
PROGRAM = shutil.which("sgt-mines", path="/usr/games:/usr/local/bin:/usr/bin")
LEVELS = {"9x9n10": 10, "16x16n40": 40, "30x16n99": 99}


def generated(number: int) -> Iterator[str]:
    """So many IDs of each level, by his own program where it is installed."""
    assert PROGRAM is not None
    for parameters in LEVELS:
        command = [PROGRAM, "--generate", str(number), parameters]
        yield from subprocess.run(
            command, capture_output=True, text=True, check=True
        ).stdout.split()


def check(text: str) -> str:
    """What a board of his generator needs; it comes with the claim that no guess is needed."""
    board, start = game_ids.read(text)
    assert board.mine_count == LEVELS[f"{board.cols}x{board.rows}n{board.mine_count}"]
    assert board.keeps("clear", start)
    assert game_ids.write(board, start) == text
    found = deduce(board, start)
    assert found.solved, text
    return found.highest


def test_stored_ids_are_solved_without_a_guess() -> None:
    assert len(STORED) == 24
    assert {check(text) for text in STORED} <= set(REASONING)


@pytest.mark.skipif(PROGRAM is None, reason="Debian's sgt-puzzles is not installed")
def test_a_thousand_new_ones_are_solved_without_a_guess() -> None:
    needed = [check(text) for text in generated(334)]
    assert len(needed) == 1002


@given(
    st.integers(1, 12),
    st.integers(1, 12),
    st.data(),
    st.booleans(),
)
def test_what_is_written_reads_back(
    rows: int, cols: int, data: st.DataObject, masked: bool
) -> None:
    grid = mp.Grid(rows, cols)
    index = data.draw(st.integers(0, grid.size - 1))
    bits = st.lists(st.integers(0, 1), min_size=grid.size, max_size=grid.size)
    mined = bytearray(data.draw(bits))
    mined[index] = 0
    board, start = mp.Board(grid, bytes(mined)), grid.cell(index)
    text = game_ids.write(board, start, masked=masked)
    assert game_ids.read(text) == (board, start)
    assert game_ids.is_id(text)
    assert [*board_files.read(f"{text}\n{text}\n", "here")] == [(board, start)] * 2


def test_plain_digits_are_the_mines_row_by_row() -> None:
    board = mp.Board.from_text("2x3/2 ..*/.*.")
    assert game_ids.write(board, (1, 0), masked=False) == "3x2:0,1,u28"
    assert game_ids.read("3x2n2:0,1,u28") == (board, (1, 0))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("9x9n10#1234", "is a random seed"),
        ("9x9:4,4,m12", "expected 21 hex digits, got 2"),
        ("3x2:3,1,u28", "outside the board"),
        ("3x2:0,1,u2f", "the last 2 bits must be zero"),
        ("3x2n5:0,1,u28", "the ID says 5 mines, but its board has 2"),
        ("3x2:r2,u28", "expected a game ID"),
    ],
)
def test_what_cannot_be_read_is_refused(text: str, message: str) -> None:
    assert game_ids.is_id(text)
    with pytest.raises(mp.FormatError, match=message):
        game_ids.read(text)
    with pytest.raises(mp.FormatError, match="here: board 1: "):
        list(board_files.read(text, "here"))


@pytest.mark.parametrize(
    "text", ["2x3/2 ..*/.*.", "2x3 ..*/.*.", "2 3 2 0 0\n28", "{}", "..*\n.*."]
)
def test_other_texts_are_no_ids(text: str) -> None:
    assert not game_ids.is_id(text)


def test_a_mine_is_no_first_cell() -> None:
    with pytest.raises(mp.InvalidInput, match="must be safe"):
        game_ids.write(mp.Board.from_text("1x2/1 *."), (0, 0))
