"""Show the end of a game: the board, the figures and what to try next."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from mineproof.cli.position_text import room, say
from mineproof.errors import plural
from mineproof.games.playbyplay import proved
from mineproof.printable import printable
from mineproof.render import draw, is_poor, legend, plain
from mineproof.world.geometry import name_cell

if TYPE_CHECKING:
    from mineproof.cli.play.repeat_command import RepeatCommand
    from mineproof.games.record import Record


def show_end(record: Record, again: RepeatCommand) -> None:
    """Show the end of a game: board, figures, what to try next and the outcome."""
    console = Console(highlight=False)
    _show(record, console)
    click.echo("\nTry next:")
    for line in _suggestions(again, console):
        click.echo(f"  {printable(line)}")
    click.echo(f"\n{record.outcome}")


def show_record(record: Record) -> None:
    """Show the end of a replayed game."""
    _show(record, Console(highlight=False))
    click.echo(f"\n{record.outcome}")


def _show(record: Record, console: Console) -> None:
    last = record.turns[-1] if record.turns else None
    if console.is_terminal:
        picture = draw(
            record.view,
            truth=record.board,
            marked=last.cell if last else None,
            ascii_only=is_poor(console),
            room=room(console),
        )
        console.print()
        console.print(picture)
    else:
        click.echo(plain(record.view, truth=record.board))
        click.echo(legend(truth=True, ascii_only=True))
    say(console, "")
    for line in _figures(record):
        say(console, line)


def _figures(record: Record) -> Iterator[str]:
    figures = record.board.figures
    if record.fault:
        yield f"forfeited: {record.fault}"
    if record.turns and record.exploded and record.rules.on_mine == "end":
        last = record.moves[-1]
        reason = f"; why it was opened: {last.reason}" if last.reason else ""
        yield f"{name_cell(last.cell)} was a mine{reason}"
    yield (
        f"{record.agent}: {plural(len(record.turns), 'move')}, "
        f"{plural(record.guesses, 'guess', 'guesses')}; "
        f"{plural(record.right, 'mine')} flagged, {plural(record.wrong, 'wrong flag')}, "
        f"{plural(record.exploded, 'mine')} hit"
    )
    yield proved(record)
    yield (
        f"board: {record.conditions}; "
        f"3BV {figures.bbbv}, {plural(figures.openings, 'opening')}, "
        f"{plural(figures.islands, 'island')}; seed {record.seed}"
    )
    if record.time is not None:
        yield f"{record.time:.3f} s"
    else:
        yield f"{record.seconds:.3f} s, including the referee"


def _suggestions(again: RepeatCommand, console: Console) -> list[str]:
    """Return commands, each followed by its description, or below it on a narrow terminal."""
    name = own_name()
    tries = [(f"{name} {shlex.join(words)}", f"# {why}") for words, why in again.suggestions()]
    width = max(len(command) for command, _ in tries)
    lines = [f"{command:<{width}}  {why}" for command, why in tries]
    if console.is_terminal and max(map(len, lines)) + 2 > console.width:
        return [line for command, why in tries for line in (why, command)]
    return lines


def own_name() -> str:
    """Return how to call this program from here: by name if the shell finds it, or by path."""
    program = Path(sys.argv[0])
    if program.name != "mineproof":
        return f"{Path(sys.executable).name} -m mineproof"
    if str(program.parent) in os.environ.get("PATH", "").split(os.pathsep):
        return program.name
    return os.path.relpath(program)
