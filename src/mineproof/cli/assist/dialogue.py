"""The assistant's output and input in the terminal."""

from __future__ import annotations

import sys
from contextlib import suppress

import click
from rich.console import Console
from rich.text import Text

from mineproof import phrases
from mineproof.cli.assist.parsing import HELP
from mineproof.cli.position_text import (
    is_plain,
    name_prior,
    name_risk,
    room,
    say,
    show_clash,
    show_odds,
)
from mineproof.games.analysis import best_moves
from mineproof.games.assistant import Assistant, GameEnd, InconsistentClue
from mineproof.render import draw
from mineproof.world.geometry import Cell
from mineproof.world.move import Move

_BEST = 5
"""Moves listed by `why`."""


class InputEnded(Exception):
    """The user quit or input ended; the message says which."""


class AssistantDialogue:
    """Prints boards and advice, and reads answers."""

    def __init__(self) -> None:
        self._console = Console(highlight=False)
        self._drawn: Move | None = None

    def hear(self, prompt: str) -> str:
        """Read a line, typed at the prompt or piped in."""
        if sys.stdin is not None and sys.stdin.isatty():
            return _type(prompt)
        click.echo(prompt, nl=False)
        line = _read_line()
        # Show piped input as if it had been typed.
        click.echo(line.encode("ascii", "backslashreplace"))
        return line

    def begin(self, assistant: Assistant) -> None:
        """Print the size, the mines, the clue model and what to type."""
        view = assistant.view
        prior = name_prior(view, assistant.rules.density)
        self._say(f"{view.rows}x{view.cols}, {prior}, {assistant.clues} clues", style="bold")
        self._say("type what the suggested cell shows: 0 to 8 or mine (help lists all commands)")

    def ask(self, assistant: Assistant, ask: Move) -> str:
        """Print the board, the cell, its risk and the reason, if they are new; read an answer."""
        if ask is not self._drawn:
            self._draw(assistant, ask)
            risk = {"estimated": not assistant.odds.exact, "risk": name_risk(ask.risk, False)}
            about = {"cell": ask.cell, "certain": ask.certain, **risk}
            self._say(phrases.say("assist.ask", **about), style="bold")
            self._say(f"{assistant.agent.name}: {ask.reason}")
            if others := [one for one in assistant.odds.safe if one != ask.cell]:
                self._say(phrases.say("assist.also-safe", cells=others))
            self._drawn = ask
        return self.hear(phrases.say("assist.shows", cell=ask.cell))

    def help(self, assistant: Assistant, ask: Move, command: str) -> None:
        """Print the mine probabilities, the board, or the list of commands."""
        if command == "why":
            show_odds(self._console, assistant.odds, best_moves(assistant.odds, _BEST), ask.cell)
            self._say(f"{assistant.agent.name}: {ask.reason}")
        elif command == "board":
            self._draw(assistant, ask)
        else:
            self._say(HELP)

    def explain(self, assistant: Assistant, cell: Cell) -> None:
        """Print what is known about a cell."""
        self._say(assistant.why(cell))

    def complain(self, error: ValueError) -> None:
        """Print an error."""
        self._say(str(error))

    def refuse(self, clash: InconsistentClue) -> None:
        """Print the board with the conflicting clues marked, and the error."""
        show_clash(self._console, clash.view, clash)
        self._say(f"{clash}")
        self._say(phrases.say("assist.retracted"))

    def end(self, over: GameEnd, assistant: Assistant | None) -> None:
        """Print the final board and the reason for the end; the last line is the outcome."""
        if assistant is not None:
            self._draw(assistant, None)
        else:
            self._say("")
        self._say(over.reason)
        self._say(over.outcome if over.score is None else f"{over.outcome}, score {over.score:.3f}")

    def _draw(self, assistant: Assistant, ask: Move | None) -> None:
        view = assistant.shown
        marked = None if ask is None else ask.cell
        self._say("")
        poor = is_plain(self._console)
        self._say(draw(view, marked=marked, ascii_only=poor, room=room(self._console)))

    def _say(self, what: Text | str, *, style: str | None = None) -> None:
        say(self._console, what, style=style)


def _type(prompt: str) -> str:
    """Read a line from a terminal, with line editing if available."""
    with suppress(ImportError):
        import readline  # noqa: F401
    try:
        return input(prompt)
    except EOFError:
        raise InputEnded("end of input") from None
    except UnicodeDecodeError:
        return "\ufffd"


def _read_line() -> str:
    """Read a piped line; bytes that are not UTF-8 become replacement characters."""
    line = b"" if sys.stdin is None else sys.stdin.buffer.readline()
    if not line:
        raise InputEnded("end of input")
    return line.decode(errors="replace").rstrip("\r\n")
