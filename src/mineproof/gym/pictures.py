"""What `render` gives: text, an array of pixels, or a board in the terminal."""

from __future__ import annotations

from mineproof.render.appearance import revealed
from mineproof.render.pixels import Pixels, paint
from mineproof.render.terminal import draw, plain
from mineproof.world.board import Board
from mineproof.world.view import View

MODES = ("human", "ansi", "rgb_array")


def text(view: View, truth: Board | None) -> str:
    """A character a cell, a line a row; with the truth, the mines that nobody found."""
    return plain(view, truth=truth)


def show(view: View, truth: Board | None) -> None:
    """The board in the terminal, with its colours."""
    from rich.console import Console

    Console().print(draw(view, truth=truth))


def picture(view: View, truth: Board | None) -> Pixels:
    """An array of height, width and three colours."""
    return paint(view.grid, view.states if truth is None else revealed(view, truth))
