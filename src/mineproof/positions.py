"""Read a position from a text, a file, the name of an example, a game ID, a link or a picture.

The content decides the format, so a file or a pipe may contain anything that can be typed.
A game ID means its board with the first cell opened; a board link or a `.mbf` file means a
board on which no cell is opened. Of the mines, only the number is used.
"""

from __future__ import annotations

from typing import NamedTuple

from mineproof.errors import FormatError, plural
from mineproof.formats import board_files, board_links, examples, foreign_symbols, game_ids, mbf
from mineproof.formats.input_files import as_text, exists, read_bytes
from mineproof.screenshots import ReadBoard, is_picture
from mineproof.screenshots import read as read_picture
from mineproof.world.board import Board
from mineproof.world.game import Game
from mineproof.world.geometry import Cell, Grid
from mineproof.world.rules import Rules
from mineproof.world.view import Dots, View

SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp")


class GivenPosition(NamedTuple):
    """A view, and how it was read if it comes from a picture."""

    view: View
    reading: ReadBoard | None = None


def read(
    given: str, mines: int | None = None, *, dots: Dots | None = None, shape: Grid | None = None
) -> GivenPosition:
    """Return the position of a text, an example, a file, or `-` for standard input.

    `mines` is the mine count if the position does not have it, `dots` the meaning of `.` if it is
    ambiguous, `shape` that of the board in a picture.
    """
    if not exists(given):
        if is_text(given):
            return GivenPosition(from_text(given, mines, dots=dots))
        if examples.is_example(given):
            return GivenPosition(from_text(examples.position_text(given), mines, dots=dots))
    content = read_bytes(given)
    if shape is not None or is_picture(content) or given.lower().endswith(SUFFIXES):
        reading = read_picture(content, shape)
        return GivenPosition(reading.view(mines), reading)
    text = _text(content)
    if mbf.is_mbf(content) and (text is None or not _is_ours(text)):
        return GivenPosition(_begun(*next(board_files.read(content, given)), mines))
    return GivenPosition(from_text(as_text(content, given), mines, dots=dots))


def from_text(text: str, mines: int | None = None, *, dots: Dots | None = None) -> View:
    """Return the position of a text: our notation, a game ID, a link, or other programs' symbols.

    Our own notation comes first; others are tried only if that fails.
    """
    if game_ids.is_id(text):
        return _begun(*game_ids.read(text), mines)
    if board_links.is_link(text):
        return _begun(board_links.read(text), None, mines)
    if _is_ours(text):
        return View.from_text(text, mines, dots=dots)
    try:
        return foreign_symbols.read(text, mines)
    except FormatError:
        if foreign_symbols.has_others(text):
            raise
    return View.from_text(text, mines, dots=dots)


def is_text(given: str) -> bool:
    """Return whether this is a position itself, and not the name of a file."""
    if game_ids.is_id(given) or board_links.is_link(given):
        return True
    rows = "/" in given and not set(given) - set("0123456789?s-*F./xX,:")
    return rows or bool(set(given) & set(" ?\n"))


def _text(content: bytes) -> str | None:
    try:
        return as_text(content, "-")
    except FormatError:
        return None


def _is_ours(text: str) -> bool:
    try:
        View.from_text(text, dots="hidden")
    except FormatError:
        return False
    except ValueError:  # our symbols, but an impossible position
        return True
    return True


def _begun(board: Board, start: Cell | None, mines: int | None) -> View:
    """Return the first view of a game on a board; of the mines, it has only the count."""
    if mines not in {None, board.mine_count}:
        raise FormatError(
            f"the board has {plural(board.mine_count, 'mine')}, but the given mine count is {mines}"
        )
    if start is None:
        return View.hidden(board.rows, board.cols, board.mine_count)
    game = Game(board, Rules(on_mine="end", opening="any"))
    game.open(start)
    return game.view
