"""What notebooks display: pictures of boards that are not too large, and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ParamSpec

from mineproof.printable import escape
from mineproof.render.svg import board_svg, view_svg
from mineproof.world.board import Board
from mineproof.world.geometry import Grid
from mineproof.world.view import View

MOST_CELLS = 10_000
"""The most cells of a picture in a notebook; larger ones take megabytes and are unreadable."""

P = ParamSpec("P")


def if_small(grid: Grid, draw: Callable[P, str], *given: P.args, **named: P.kwargs) -> str | None:
    """Call `draw`; return None for a grid with too many cells, so that text is shown."""
    return draw(*given, **named) if grid.size <= MOST_CELLS else None


def board_picture(board: Board) -> str | None:
    """Return the board as SVG, or None if it is too large."""
    return if_small(board.grid, board_svg, board)


def view_picture(view: View) -> str | None:
    """Return the view as SVG, or None if it is too large."""
    return if_small(view.grid, view_svg, view)


def tables_html(tables: Iterable[Sequence[Sequence[str]]], notes: Iterable[str] = ()) -> str:
    """Return tables as HTML, each starting with its header row, then one line per note."""
    parts = [*map(_table, tables), *(f"<p>{escape(note)}</p>" for note in notes)]
    return "\n".join(parts)


def _table(rows: Sequence[Sequence[str]]) -> str:
    """A table with the first column aligned left and the others right."""
    head, *body = rows
    lines = [f"<tr>{_cells('th', head)}</tr>", "</thead>", "<tbody>"]
    lines += [f"<tr>{_cells('td', row)}</tr>" for row in body]
    return "\n".join(["<table>", "<thead>", *lines, "</tbody>", "</table>"])


def _cells(tag: str, row: Sequence[str]) -> str:
    sides = ["left", *["right"] * (len(row) - 1)]
    return "".join(
        f'<{tag} style="text-align:{side}">{escape(text)}</{tag}>'
        for side, text in zip(sides, row, strict=True)
    )
