"""Tables on a terminal of any width: what names a row is never cut, the least important goes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mineproof.cli.screen import say
from mineproof.printable import printable

_LEAST_PROSE = 24
"""A column of prose gets at least so many characters, or its own width, or is left out."""
_PADDING = 2
"""Characters that stand around the text of a cell."""


class Column(NamedTuple):
    """A column: rank 0 tells rows apart and always stays; the highest rank is left out first.

    Numbers stand right: what has a higher rank and is no prose, and what a row is about. Prose
    stands left, and is cut or folded where there is no room for all of it.
    """

    head: str
    rank: int
    prose: bool = False
    number: bool = False
    """Of rank 0, but not what tells rows apart: what they are about."""

    @property
    def names_rows(self) -> bool:
        """Whether it tells rows apart."""
        return self.rank == 0 and not self.number


def show_table(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    *,
    console: Console | None = None,
    fold: bool = False,
) -> None:
    """Print rows of texts; prose on one line each, or folded. A pipe gets all of it, uncut."""
    console = console or Console()
    rows = [list(map(printable, row)) for row in rows]
    natural = [
        max(len(text) for text in (column.head, *(row[place] for row in rows)))
        for place, column in enumerate(columns)
    ]
    room = console.width if console.is_terminal else sum(natural) + _PADDING * len(columns)
    widths = fit(columns, natural, room)
    table = Table(box=None)
    for place, width in widths.items():
        column = columns[place]
        is_number = column.number or (column.rank > 0 and not column.prose)
        cut = column.prose and not fold
        table.add_column(
            column.head,
            justify="right" if is_number else "left",
            width=width,
            no_wrap=cut,
            overflow="ellipsis" if cut else "fold",
        )
    for row in rows:
        table.add_row(
            *(Text(row[at], "bold" if columns[at].names_rows else "") for at in widths),
        )
    if not console.is_terminal:
        console = Console(width=room, file=console.file)
    console.print(table)
    left_out = [column.head for at, column in enumerate(columns) if at not in widths]
    if left_out:
        say(console, f"no room here for: {', '.join(left_out)} (--json has all)", style="dim")


def fit(columns: Sequence[Column], natural: Sequence[int], room: int) -> dict[int, int]:
    """The places of the columns that there is room for, each with its width."""
    least = [
        min(width, _LEAST_PROSE) if column.prose else width
        for column, width in zip(columns, natural, strict=True)
    ]
    shown = list(range(len(columns)))
    while sum(least[at] + _PADDING for at in shown) > room:
        last = max(shown, key=lambda at: (columns[at].rank, at))
        if columns[last].rank == 0:
            return _folded({at: least[at] for at in shown}, room)
        shown.remove(last)
    spare = room - sum(least[at] + _PADDING for at in shown)
    widths = {}
    for at in shown:
        more = min(spare, natural[at] - least[at])
        widths[at], spare = least[at] + more, spare - more
    return widths


def _folded(natural: dict[int, int], room: int) -> dict[int, int]:
    """Widths for columns that must all stay: the widest are folded, wherever they must be."""
    widths, left = dict(natural), room
    for done, at in enumerate(sorted(natural, key=natural.__getitem__)):
        share = left // (len(natural) - done) - _PADDING
        widths[at] = max(1, min(natural[at], share))
        left -= widths[at] + _PADDING
    return widths
