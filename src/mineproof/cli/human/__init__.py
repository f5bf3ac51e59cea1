"""Interactive play in the terminal: `mineproof play`.

`human_game` has the moves and the clock, `adviser` the hints, `interactive_session` the meaning of
keys; `game_screen` draws, and `terminal_mode` takes over the terminal and gives it back.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.cli.error_exit import INTERRUPTED
from mineproof.errors import InvalidInput, MineproofError

if TYPE_CHECKING:
    from rich.console import Console

    from mineproof.cli.human.game_screen import GameScreen, ScreenFrame
    from mineproof.cli.human.interactive_session import InteractiveSession, Save
    from mineproof.cli.human.terminal_mode import Terminal
    from mineproof.cli.keyboard import Pressed
    from mineproof.cli.play.game_setup import GameSetup
    from mineproof.games.record import Record


def run(setup: GameSetup, *, save: Path | None, practice: bool, vi: bool) -> int:
    """Play interactively until the player quits; return the exit code."""
    from rich.console import Console

    from mineproof.cli.human.interactive_session import InteractiveSession
    from mineproof.cli.human.terminal_mode import check_terminal

    setup.begin()  # raises if this cannot be played
    saving = None if save is None else _saver(save, setup)
    check_terminal()
    console, code = Console(highlight=False), 0
    session = InteractiveSession(setup, practice=practice, vi=vi, save=saving)
    try:
        _play(session, console)
    except KeyboardInterrupt:
        code = INTERRUPTED
    finally:
        session.close()
    _show_end(session, console)
    if session.error is not None:
        raise session.error
    return code


def _play(session: InteractiveSession, console: Console) -> None:
    """Draw, wait for keys and obey them until the player quits or input ends."""
    from mineproof.cli.human.game_screen import GameScreen
    from mineproof.cli.human.terminal_mode import suspend, taken_over
    from mineproof.render import is_poor

    screen = GameScreen(ascii_only=is_poor(console))
    while True:
        with taken_over(console) as terminal:
            if _until_left(session, screen, terminal) == "quit":
                return
        suspend()


def _until_left(session: InteractiveSession, screen: GameScreen, terminal: Terminal) -> str:
    while True:
        frame = screen.draw(session, *terminal.size)
        terminal.draw(frame.lines)
        pressed = terminal.keyboard.pressed(_until_tick(session))
        if pressed is None:
            return "quit"
        for one in pressed:
            if left := _obey(session, frame, one):
                return left


def _obey(session: InteractiveSession, frame: ScreenFrame, pressed: Pressed) -> str:
    """Do what a key or the mouse asks for; return `quit` or `suspend` for the terminal."""
    if isinstance(pressed, str):
        return session.press(pressed)
    if (cell := frame.cell_at(pressed.line, pressed.column)) is not None:
        session.click(pressed.button, cell)
    return ""


def _until_tick(session: InteractiveSession) -> float | None:
    """Seconds until the displayed time changes; None while the clock is stopped."""
    if session.game.over or not session.game.started:
        return None
    seconds = session.game.seconds
    return math.floor(seconds) + 1.0 - seconds


def _saver(path: Path, setup: GameSetup) -> Save:
    """Return a function that saves a finished game; raise now if the file cannot hold it."""
    from mineproof.games import replays
    from mineproof.world.clues import Exact

    rules = setup.rules
    usual = isinstance(setup.clues, Exact) and rules.on_mine == "end" and rules.flood
    if path.suffix.lower() == ".rawvf" and not usual:
        raise InvalidInput(
            "a .rawvf file can hold only standard games (exact clues, zeros flood, a mine ends the "
            "game): save as .json or .jsonl"
        )
    if not path.parent.is_dir():
        raise MineproofError(
            f"cannot write {str(path)!r}: folder {str(path.parent)!r} does not exist"
        )

    def keep(record: Record) -> str:
        replays.write(path, [record])
        return f"Saved. To review it: mineproof review {path}"

    return keep


def _show_end(session: InteractiveSession, console: Console) -> None:
    """Print what stays on the terminal: the last game, and how many were won."""
    from mineproof.cli.human.result_text import figures
    from mineproof.cli.position_text import room, say
    from mineproof.render import draw, is_poor

    if not session.records:
        click.echo("no game was played")
        return
    last = session.records[-1]
    marked = last.turns[-1].cell
    drawn = draw(
        last.view, truth=last.board, marked=marked, ascii_only=is_poor(console), room=room(console)
    )
    say(console, drawn)
    say(console, "")
    for line in figures(last):
        say(console, line)
    if len(session.records) > 1:
        won = sum(record.won for record in session.records)
        say(console, f"{len(session.records)} games, {won} won.")
    say(console, f"\n{last.outcome}")
