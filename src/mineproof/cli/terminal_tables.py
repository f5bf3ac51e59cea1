"""Tables for terminals of any width: the least important columns are left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mineproof.cli.position_text import say
from mineproof.printable import printable

_LEAST_PROSE = 24
"""The smallest width of a column of prose, unless it is narrower by itself."""
_PADDING = 2
"""Characters of padding per cell."""


class TableColumn(NamedTuple):
    """A column: rank 0 identifies the rows and always stays; the highest rank is left out first.

    Numbers are right-aligned: columns of a higher rank that are not prose, and `number` columns.
    Prose is left-aligned, and cut or folded if it does not fit.
    """

    head: str
    rank: int
    prose: bool = False
    number: bool = False
    """A column of rank 0 that does not identify the rows: their main result."""

    @property
    def names_rows(self) -> bool:
        """Whether it identifies the rows."""
        return self.rank == 0 and not self.number


def show_table(
    columns: Sequence[TableColumn],
    rows: Sequence[Sequence[str]],
    *,
    console: Console | None = None,
    fold: bool = False,
) -> None:
    """Print a table; prose takes one line, or is folded. In a pipe, nothing is cut."""
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
        names = ", ".join(left_out)
        say(console, f"not enough room for: {names} (use --json to see everything)", style="dim")


def fit(columns: Sequence[TableColumn], natural: Sequence[int], room: int) -> dict[int, int]:
    """Return the places of the columns that fit, each with its width."""
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
    """Return widths for columns that must all stay: the widest ones are folded."""
    widths, left = dict(natural), room
    for done, at in enumerate(sorted(natural, key=natural.__getitem__)):
        share = left // (len(natural) - done) - _PADDING
        widths[at] = max(1, min(natural[at], share))
        left -= widths[at] + _PADDING
    return widths
