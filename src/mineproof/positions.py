"""A position from anywhere: a text, a file, an example's name, a game ID, a link, a picture.

What something is, its content tells, so that a file and a pipe may hold whatever can be typed.
A game ID stands for its board with the first cell opened, a board link or a `.mbf` file for a
board on which nothing is opened yet: of the mines only the count becomes known.
"""

from __future__ import annotations

from typing import NamedTuple

from mineproof.errors import FormatError, counted
from mineproof.formats import board_links, boards, examples, game_ids, mbf, other_symbols
from mineproof.formats.reading import as_text, exists, read_bytes
from mineproof.screenshots import Reading, is_picture
from mineproof.screenshots import read as read_picture
from mineproof.world.board import Board
from mineproof.world.game import Game
from mineproof.world.geometry import Cell, Grid
from mineproof.world.rules import Rules
from mineproof.world.view import Dots, View

SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp")


class GivenPosition(NamedTuple):
    """What was given: a view, and how it was read if it is from a picture."""

    view: View
    reading: Reading | None = None


def read(
    given: str, mines: int | None = None, *, dots: Dots | None = None, shape: Grid | None = None
) -> GivenPosition:
    """The position that somebody names: a text, an example, a file, or `-` for what is piped in.

    `mines` is the count where nothing else says it, `dots` what a `.` means where it could be
    either, `shape` that of the board in a picture.
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
        return GivenPosition(_begun(*next(boards.read(content, given)), mines))
    return GivenPosition(from_text(as_text(content, given), mines, dots=dots))


def from_text(text: str, mines: int | None = None, *, dots: Dots | None = None) -> View:
    """The position of a text: ours, a game ID, a link, or in the symbols of other programs.

    Our own notation comes first: others are tried only where a text is none of it.
    """
    if game_ids.is_id(text):
        return _begun(*game_ids.read(text), mines)
    if board_links.is_link(text):
        return _begun(board_links.read(text), None, mines)
    if _is_ours(text):
        return View.from_text(text, mines, dots=dots)
    try:
        return other_symbols.read(text, mines)
    except FormatError:
        if other_symbols.has_others(text):
            raise
    return View.from_text(text, mines, dots=dots)


def is_text(given: str) -> bool:
    """Whether this is a position itself, and no likely name of a file."""
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
    except ValueError:  # its symbols are ours, what they say together cannot be
        return True
    return True


def _begun(board: Board, start: Cell | None, mines: int | None) -> View:
    """What is seen of a board when play begins, and nothing more of its mines than the count."""
    if mines not in {None, board.mine_count}:
        raise FormatError(f"the board has {counted(board.mine_count, 'mine')}, not {mines}")
    if start is None:
        return View.hidden(board.rows, board.cols, board.mine_count)
    game = Game(board, Rules(on_mine="end", opening="any"))
    game.open(start)
    return game.view
