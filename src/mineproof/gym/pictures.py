"""Render a board as text, as an array of pixels, or in the terminal."""

from __future__ import annotations

from mineproof.render.appearance import revealed
from mineproof.render.board_text import draw, plain
from mineproof.render.pixels import Pixels, paint
from mineproof.world.board import Board
from mineproof.world.view import View

MODES = ("human", "ansi", "rgb_array")


def text(view: View, truth: Board | None) -> str:
    """Return one line per row, one character per cell; with `truth`, also unflagged mines."""
    return plain(view, truth=truth)


def show(view: View, truth: Board | None) -> None:
    """Print the board in colour."""
    from rich.console import Console

    Console().print(draw(view, truth=truth))


def picture(view: View, truth: Board | None) -> Pixels:
    """Return an array of pixels: height x width x RGB."""
    return paint(view.grid, view.states if truth is None else revealed(view, truth))
