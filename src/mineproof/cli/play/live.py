"""A game on the terminal: live where there is one, in plain lines elsewhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING

import click
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mineproof.cli.screen import window
from mineproof.games.playbyplay import proved
from mineproof.render import draw, is_poor, legend, plain
from mineproof.world.geometry import name_cell
from mineproof.world.view import COVERED, EXPLODED, FLAGGED, is_opened

if TYPE_CHECKING:
    from mineproof.games.match import Match, Turn
    from mineproof.games.record import Record
    from mineproof.world.move import Move
    from mineproof.world.view import View

_SIDE = 36
"""Columns that the reason needs beside the board."""


def show(match: Match, turns: Iterable[Turn], *, delay: float, plain: bool) -> bool:
    """Play the match, by its turns, before people's eyes; False if Ctrl-C stopped it."""
    console = Console(highlight=False)
    try:
        if plain or not console.is_terminal:
            _print_moves(match, turns)
        else:
            _animate(match, turns, console, delay)
    except KeyboardInterrupt:
        view = match.view
        moves = _some(len(match.moves), "move", "moves")
        click.echo(f"\nstopped after {moves}: {_progress(view)}")
        return False
    return True


def show_end(record: Record) -> None:
    """The end of a game: the outcome, the figures, the seconds, and what to try next."""
    console = Console(highlight=False)
    board, figures = record.board, record.board.figures
    last = record.moves[-1] if record.moves else None
    if console.is_terminal:
        picture = draw(
            record.view,
            truth=board,
            marked=last.cell if last else None,
            ascii_only=is_poor(console),
            window=window(console, board.rows, board.cols),
        )
        console.print()
        console.print(picture)
    else:
        click.echo(plain(record.view, truth=board))
        click.echo(legend(truth=True, ascii_only=True))
    click.echo()
    if last is not None and record.exploded and record.rules.on_mine == "end":
        click.echo(f"{name_cell(last.cell)} was a mine: {last.reason}")
    click.echo(
        f"{record.agent}: {_some(len(record.moves), 'move', 'moves')}, "
        f"{_some(record.guesses, 'guess', 'guesses')}; "
        f"{record.right} mines flagged, {record.wrong} flags wrong, {record.exploded} hit"
    )
    click.echo(proved(record))
    click.echo(
        f"board: {board.rows}x{board.cols}, {board.mine_count} mines, 3BV {figures.bbbv}, "
        f"{figures.openings} openings, {figures.islands} islands; seed {record.seed}"
    )
    click.echo(f"seconds: {record.seconds:.3f}, with the referee's")
    click.echo("\nTry next:")
    for line in _suggestions(record):
        fits = not console.is_terminal or len(line) + 2 <= console.width
        click.echo(f"  {line if fits else line.split('  #')[0].rstrip()}")
    click.echo(f"\n{record.outcome}")


def _suggestions(record: Record) -> list[str]:
    name = _own_name()
    lines = {
        f"{name} play --level beginner": "a short game",
        f"{name} play --on-mine continue --seed {record.seed}": "play on for a score",
        f"{name} arena --agents simple,baseline --games 500": "who is better?",
    }
    width = max(map(len, lines))
    return [f"{line:<{width}}  # {why}" for line, why in lines.items()]


def _own_name() -> str:
    """How to call this program from here: by name if the shell finds it, else by path."""
    program = Path(sys.argv[0])
    if program.name != "mineproof":
        return f"{Path(sys.executable).name} -m mineproof"
    if str(program.parent) in os.environ.get("PATH", "").split(os.pathsep):
        return program.name
    return os.path.relpath(program)


def _animate(match: Match, turns: Iterable[Turn], console: Console, delay: float) -> None:
    guesses = 0
    with Live(console=console, auto_refresh=False, transient=True) as screen:
        for move, _ in turns:
            guesses += move.action == "open" and not move.certain
            screen.update(_frame(match, move, guesses, console), refresh=True)
            # A guess is worth a longer look.
            sleep(delay if move.certain else min(6 * delay, 1.0))


def _frame(match: Match, move: Move, guesses: int, console: Console) -> RenderableType:
    view = match.view
    poor = is_poor(console)
    room = window(console, view.rows, view.cols)
    board = draw(view, marked=move.cell, ascii_only=poor, window=room)
    words = Group(*_words(match, move, view, guesses))
    width = max((len(line) for line in board.plain.splitlines()), default=0)
    if console.width >= width + _SIDE:
        table = Table.grid(padding=(0, 2))
        table.add_row(board, Padding(words, (1, 0, 0, 0)))
        return table
    return Group(board, words)


def _words(match: Match, move: Move, view: View, guesses: int) -> list[Text]:
    count = "" if view.mines is None else f"/{view.mines}"
    if move.certain:
        kind = Text("certain", style="bold green")
    else:
        risk = "" if move.risk is None else f", risk {100 * move.risk:.1f} %"
        kind = Text(f"guess{risk}", style="bold yellow")
    return [
        Text(f"{match.agent.name} on {view.rows}x{view.cols}{count}", style="bold"),
        Text(f"move {len(match.moves)}: {move.action} {name_cell(move.cell)}  ").append_text(kind),
        Text(move.reason),
        Text(f"{_progress(view)}, {_some(guesses, 'guess', 'guesses')}", style="dim"),
    ]


def _print_moves(match: Match, turns: Iterable[Turn]) -> None:
    """Guesses one by one, and what followed from each in one line."""
    view = match.view
    mines = "an unknown number of" if view.mines is None else str(view.mines)
    click.echo(f"{match.agent.name} plays {view.rows}x{view.cols} with {mines} mines")
    opened = flagged = 0
    for number, (move, events) in enumerate(turns, start=1):
        if move.certain and move.action in {"open", "flag"}:
            flagged += move.action == "flag"
            opened += sum(event.state not in COVERED for event in events)
            continue
        _print_certain(opened, flagged)
        opened = flagged = 0
        hit = any(event.state == EXPLODED for event in events)
        shown = "a mine" if hit else f"{max(len(events), 1)} opened"
        click.echo(f"move {number}: {move.action} {name_cell(move.cell)}, {move.reason}: {shown}")
    _print_certain(opened, flagged)
    click.echo()


def _print_certain(opened: int, flagged: int) -> None:
    if opened or flagged:
        click.echo(f"  it follows: {_some(opened, 'cell', 'cells')} opened, {flagged} flagged")


def _progress(view: View) -> str:
    states = view.states
    hit, opened = states.count(EXPLODED), sum(map(is_opened, states))
    known = f"{opened} cells open, {states.count(FLAGGED)} flagged"
    return f"{known}, {hit} mines hit" if hit else known


def _some(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
