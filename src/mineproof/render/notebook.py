"""What a notebook shows: pictures of boards that are not too large, and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ParamSpec

from mineproof.printable import escape
from mineproof.render.svg import board_svg, view_svg
from mineproof.world.board import Board
from mineproof.world.geometry import Grid
from mineproof.world.view import View

MOST_CELLS = 10_000
"""Of a picture in a notebook: one of more cells has megabytes, and nobody can read it."""

P = ParamSpec("P")


def if_small(grid: Grid, draw: Callable[P, str], *given: P.args, **named: P.kwargs) -> str | None:
    """What `draw` makes of the rest; None where there are too many cells: then text is shown."""
    return draw(*given, **named) if grid.size <= MOST_CELLS else None


def board_picture(board: Board) -> str | None:
    """The truth, if it is small enough."""
    return if_small(board.grid, board_svg, board)


def view_picture(view: View) -> str | None:
    """What a player knows, if it is small enough."""
    return if_small(view.grid, view_svg, view)


def tables_html(tables: Iterable[Sequence[Sequence[str]]], notes: Iterable[str] = ()) -> str:
    """Tables of texts under one another, the heads of each first, then a line for each note."""
    parts = [*map(_table, tables), *(f"<p>{escape(note)}</p>" for note in notes)]
    return "\n".join(parts)


def _table(rows: Sequence[Sequence[str]]) -> str:
    """The first column to the left, numbers to the right."""
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
