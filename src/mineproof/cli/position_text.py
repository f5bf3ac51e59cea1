"""Printing positions: mine probabilities, certain cells, contradicting clues."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.console import Console

from mineproof.errors import plural
from mineproof.printable import printable
from mineproof.render import Room, draw_clash, draw_odds, is_poor, odds_legend
from mineproof.world.geometry import name_cell, name_cells
from mineproof.world.view import FLAGGED

if TYPE_CHECKING:
    from rich.text import Text

    from mineproof.errors import Contradiction
    from mineproof.reasoning.posterior import Posterior
    from mineproof.world.geometry import Cell
    from mineproof.world.move import Move
    from mineproof.world.view import View

_LISTED = 12
"""The most certain cells that are listed; all of them are marked on the board."""
_SCROLLED = 100
"""The most lines of a board that may scroll by; of a longer board, a part is drawn."""


def say(console: Console, what: Text | str, *, style: str | None = None) -> None:
    """Print text: in colour and wrapped on a terminal, otherwise unchanged at full width."""
    plain = printable(str(what), lines=True)
    if isinstance(what, str) or plain != str(what):
        what = plain  # without colours, if it contains control characters
    if console.is_terminal:
        console.print(what, style=style, markup=False, emoji=False)
    else:
        lines = str(what).split("\n")
        click.echo("\n".join(line.rstrip() for line in lines))


def is_plain(console: Console) -> bool:
    """Whether boards are drawn in ASCII: in a pipe, and on a limited terminal."""
    return not console.is_terminal or is_poor(console)


def room(console: Console) -> Room | None:
    """Return the room on a terminal, where a board may scroll; None elsewhere."""
    if not console.is_terminal:
        return None
    return Room(max(console.height - 1, 1), max(console.width, 1), scrolled=_SCROLLED)


def show_odds(console: Console, odds: Posterior, moves: list[Move], marked: Cell | None) -> None:
    """Print mine probabilities as a heat map with a legend, certain cells and the best moves."""
    plainly = is_plain(console)
    say(console, draw_odds(odds, marked=marked, ascii_only=plainly, room=room(console)))
    if moves or odds.mined:
        flagged = set(odds.view.cells(FLAGGED))
        legend = odds_legend(
            flags=bool(flagged),
            wrong=not flagged.isdisjoint(odds.safe),
            marked=bool(moves),
            ascii_only=plainly,
            columns=console.width if console.is_terminal else None,
        )
        say(console, legend)
    say(console, "")
    for line in _certain(odds, moves):
        say(console, line)
    if moves:
        say(console, "best moves:", style="bold")
    width = max((len(name_cell(move.cell)) for move in moves), default=0)
    for move in moves:
        say(console, f"  {name_cell(move.cell):<{width}}  {name_risk(move.risk, move.certain)}")


def show_clash(console: Console, view: View, clash: Contradiction) -> None:
    """Print the board with the contradicting clues marked; the caller prints the error."""
    plainly = is_plain(console)
    say(console, draw_clash(view, clash.clues, ascii_only=plainly, room=room(console)))
    if clash.clues:
        one = len(clash.clues) == 1
        what = "this clue is impossible" if one else "these clues contradict each other"
        count = f" with {plural(view.mines or 0, 'mine')}" if clash.count_used else ""
        say(console, f"[ ] {what}{count}")


def name_risk(risk: float | None, proved: bool) -> str:
    """Return a mine probability in per cent, or `safe` if the cell is proved safe."""
    if proved:
        return "safe"
    if risk is None:
        return "unknown risk"
    digits = ".2f" if risk >= 0.0001 else ".1e"
    return f"{100 * risk:{digits}} %"


def name_prior(view: View, density: float | None) -> str:
    """Return what is known about the number of mines, in words."""
    if view.mines is not None:
        return plural(view.mines, "mine")
    return "mine count unknown" if density is None else f"mine density {density:g}"


def assumption(view: View, density: float | None) -> str | None:
    """Return what the probabilities assume if neither mine count nor density is known."""
    if view.mines is not None or density is not None:
        return None
    return "every mine count is equally likely, because none is given (see --mines and --density)"


def _certain(odds: Posterior, moves: list[Move]) -> list[str]:
    """Return lines that list the proved cells."""
    lines = [
        f"certainly {name} ({len(cells)}): {_some(cells)}"
        for name, cells in (("safe", odds.safe), ("mines", odds.mined))
        if cells
    ]
    if not moves and not odds.mined:
        return ["no cell is hidden: there is nothing left to deduce"]
    if not moves:
        return [*lines, "every hidden cell is a mine: there is nothing left to open"]
    return lines or ["no cell is certain"]


def _some(cells: list[Cell]) -> str:
    if len(cells) <= _LISTED:
        return name_cells(cells)
    # Never `and 1 more`: naming that cell is as short.
    named = cells[: _LISTED - 1]
    return f"{name_cells(named)} and {len(cells) - len(named)} more"


def aligned(commands: list[tuple[str, str]]) -> list[str]:
    """Return one line per command, followed by what it shows."""
    width = max(len(command) for command, _ in commands)
    return [f"  {command:<{width}}  # {why}" for command, why in commands]
