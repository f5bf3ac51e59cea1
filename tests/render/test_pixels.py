"""Boards as pixels: every cell state differs, and the PNG file holds exactly what was painted."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

import mineproof as mp
from mineproof.cli import main
from mineproof.render.appearance import ZERO, solved
from mineproof.render.pixels import SIDE, _tile, encode, paint


def decode(content: bytes) -> np.ndarray:
    """A minimal PNG reader for our own files: checks every chunk, supports no filter."""
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        kind, data = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        assert struct.unpack(">I", content[at + 8 + length : at + 12 + length])[0] == zlib.crc32(
            kind + data
        )
        chunks[kind], at = data, at + 12 + length
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    width, height, *how = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert how == [8, 2, 0, 0, 0]
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, -1)
    assert not lines[:, 0].any()
    return lines[:, 1:].reshape(height, width, 3)


def test_every_cell_state_has_its_own_tile() -> None:
    assert len({_tile(look).tobytes() for look in range(ZERO + 1)}) == ZERO + 1


@pytest.mark.parametrize("scale", [1, 3])
def test_a_file_has_the_pixels(scale: int) -> None:
    board = mp.Board.random(4, 7, 6, seed=2)
    pixels = paint(board.grid, solved(board), scale)
    assert pixels.shape == (4 * SIDE * scale, 7 * SIDE * scale, 3)
    assert np.array_equal(decode(encode(pixels)), pixels)
    assert mp.render.board_png(board, scale=scale) == encode(pixels)
    assert np.array_equal(pixels[::scale, ::scale], paint(board.grid, solved(board)))


def test_tiles_are_where_their_cells_are() -> None:
    board = mp.Board.from_mines(2, 3, [(0, 2)])
    pixels = paint(board.grid, solved(board))
    for index, look in enumerate(solved(board)):
        row, col = divmod(index, 3)
        square = pixels[row * SIDE : (row + 1) * SIDE, col * SIDE : (col + 1) * SIDE]
        assert np.array_equal(square, _tile(look))


def test_views_and_odds_can_be_drawn() -> None:
    view = mp.View.from_text("2x3/2 ?F?/121")
    truth = mp.Board.from_text("2x3/2 *.*/...")
    hidden, shown = decode(mp.render.view_png(view)), decode(mp.render.view_png(view, truth=truth))
    assert hidden.shape == shown.shape == (64, 96, 3)
    assert not np.array_equal(hidden, shown)
    assert decode(mp.render.odds_png(mp.posterior(view))).shape == (64, 96, 3)


def test_a_picture_that_is_too_large_is_refused() -> None:
    with pytest.raises(mp.InvalidInput, match="1000x1000 at a scale of 2 is too large"):
        mp.render.board_png(mp.Board.from_mines(1000, 1000, []))
    with pytest.raises(mp.InvalidInput, match="a scale must be from 1 to 64, got 0"):
        mp.render.board_png(mp.Board.from_mines(2, 2, []), scale=0)


def test_commands_write_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board, odds, drawn = tmp_path / "board.png", tmp_path / "odds.png", tmp_path / "board.svg"
    kind = ["generate", "--level", "beginner", "--seed", "3", "--format"]
    assert main([*kind, "png", "--out", str(board)]) == 0
    assert decode(board.read_bytes()).shape == (288, 288, 3)
    assert main([*kind, "svg", "--out", str(drawn)]) == 0
    assert drawn.read_text().startswith("<svg")
    assert main(["analyse", "2x3/2 ???/121", "--png", str(odds)]) == 0
    assert decode(odds.read_bytes()).shape == (64, 96, 3)
    assert main(["analyse", "2x3/2 ???/121", "--png", str(tmp_path / "none" / "o.png")]) == 2
    assert "cannot write" in capsys.readouterr().err
