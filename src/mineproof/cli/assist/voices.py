"""How an assistant speaks and hears: to people, on a screen, or to programs, in JSON."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from typing import Any, Protocol

import click
from rich.console import Console
from rich.text import Text

from mineproof.cli.assist.typed import HELP
from mineproof.cli.screen import (
    assumption,
    is_plain,
    name_prior,
    name_risk,
    room,
    say,
    show_clash,
    show_odds,
)
from mineproof.games.analysis import best_moves, odds_json
from mineproof.games.dialogue import Dialogue, Over, Slip
from mineproof.render import draw
from mineproof.world.geometry import Cell, name_cell
from mineproof.world.move import Move
from mineproof.world.view import COVERED

_BEST = 5
"""How many moves `why` names."""


class Stopped(Exception):
    """Nobody answers any more; the message says why."""


class Voice(Protocol):
    """How the assistant speaks and hears: to people, or to programs."""

    def hear(self, prompt: str) -> str:
        """A line that was typed or piped in; raises `Stopped` at the end of input."""
        ...

    def begin(self, dialogue: Dialogue) -> None:
        """Say what the game is."""

    def ask(self, dialogue: Dialogue, ask: Move) -> str:
        """Name a cell and hear what it shows."""
        ...

    def help(self, dialogue: Dialogue, ask: Move, command: str) -> None:
        """Do what `board`, `why` or `help` asks for."""

    def explain(self, dialogue: Dialogue, cell: Cell) -> None:
        """Say what is known of a cell."""

    def complain(self, error: ValueError) -> None:
        """Say what was wrong with an answer."""

    def refuse(self, slip: Slip) -> None:
        """Say which clues an answer would contradict."""

    def end(self, over: Over, dialogue: Dialogue | None) -> None:
        """Say how it ended."""


class Lines:
    """Speaks JSON, an object a line."""

    def hear(self, prompt: str) -> str:  # noqa: ARG002
        """The next line; programs need no prompt."""
        return _read_line()

    def begin(self, dialogue: Dialogue) -> None:
        """Nothing: a program knows what it began."""

    def ask(self, dialogue: Dialogue, ask: Move) -> str:
        """The cell, its risk and the reason, with the view; then the next line."""
        self._say(
            ask=ask.cell,
            action="open",
            risk=ask.risk,
            certain=ask.certain,
            reason=ask.reason,
            view=dialogue.shown.to_text(),
        )
        return _read_line()

    def help(self, dialogue: Dialogue, ask: Move, command: str) -> None:  # noqa: ARG002
        """The odds, the view or the help, as data."""
        if command == "why":
            odds = dialogue.odds
            assumed = assumption(odds.view, dialogue.rules.density)
            self._say(why={**odds_json(odds, best_moves(odds, _BEST)), "assumed": assumed})
        elif command == "board":
            self._say(board=dialogue.shown.to_text(lines=True).splitlines())
        else:
            self._say(help=HELP.splitlines())

    def explain(self, dialogue: Dialogue, cell: Cell) -> None:
        """What is known of the cell, in words, and its risk where it is covered."""
        reason = dialogue.why(cell)
        covered = dialogue.view.state(cell) in COVERED
        risk = float(dialogue.odds.risk[cell]) if covered else None
        self._say(why={"cell": cell, "risk": risk, "reason": reason})

    def complain(self, error: ValueError) -> None:
        """The error; no clues take part."""
        self._say(error=str(error), clues=[])

    def refuse(self, slip: Slip) -> None:
        """The error, with the cells whose clues clash."""
        self._say(error=str(slip), clues=slip.clues, count_used=slip.count_used)

    def end(self, over: Over, dialogue: Dialogue | None) -> None:
        """The outcome, with the view."""
        self._say(
            over=over.outcome,
            reason=over.reason,
            hit=over.hit,
            score=over.score,
            view=None if dialogue is None else dialogue.shown.to_text(),
        )

    def _say(self, **what: Any) -> None:
        click.echo(json.dumps(what, allow_nan=False))


class Screen:
    """Speaks to people, with boards."""

    def __init__(self) -> None:
        self._console = Console(highlight=False)
        self._drawn: Move | None = None

    def hear(self, prompt: str) -> str:
        """A line typed at the prompt, or piped in."""
        if sys.stdin is not None and sys.stdin.isatty():
            return _type(prompt)
        click.echo(prompt, nl=False)
        line = _read_line()
        # What is piped in is shown, as what is typed would be.
        click.echo(line.encode("ascii", "backslashreplace"))
        return line

    def begin(self, dialogue: Dialogue) -> None:
        """The shape, the mines and the clue model."""
        view = dialogue.view
        prior = name_prior(view, dialogue.rules.density)
        self._say(f"{view.rows}x{view.cols}, {prior}, clues {dialogue.clues}", style="bold")
        self._say("type what the named cell shows: 0 to 8, or mine; or help")

    def ask(self, dialogue: Dialogue, ask: Move) -> str:
        """The board, the cell, its risk and the reason; a prompt alone if nothing changed."""
        cell = name_cell(ask.cell)
        if ask is not self._drawn:
            self._draw(dialogue, ask)
            about = "" if dialogue.odds.exact else "about "
            risk = "safe" if ask.certain else f"risk {about}{name_risk(ask.risk, False)}"
            self._say(f"open {cell}: {risk}", style="bold")
            self._say(f"{dialogue.agent.name}: {ask.reason}")
            self._drawn = ask
        return self.hear(f"{cell} shows: ")

    def help(self, dialogue: Dialogue, ask: Move, command: str) -> None:
        """The odds, the board again, or what can be typed."""
        if command == "why":
            show_odds(self._console, dialogue.odds, best_moves(dialogue.odds, _BEST), ask.cell)
            self._say(f"{dialogue.agent.name}: {ask.reason}")
        elif command == "board":
            self._draw(dialogue, ask)
        else:
            self._say(HELP)

    def explain(self, dialogue: Dialogue, cell: Cell) -> None:
        """One line."""
        self._say(dialogue.why(cell))

    def complain(self, error: ValueError) -> None:
        """One line."""
        self._say(str(error))

    def refuse(self, slip: Slip) -> None:
        """The board with the clues that clash marked, and the error in words."""
        show_clash(self._console, slip.view, slip)
        self._say(f"{slip}")
        self._say("the answer is taken back; if an earlier one was wrong, tell that cell again")

    def end(self, over: Over, dialogue: Dialogue | None) -> None:
        """The board as it is known; the last line says the outcome."""
        if dialogue is not None:
            self._draw(dialogue, None)
        else:
            self._say("")
        self._say(over.reason)
        self._say(over.outcome if over.score is None else f"{over.outcome}, score {over.score:.3f}")

    def _draw(self, dialogue: Dialogue, ask: Move | None) -> None:
        view = dialogue.shown
        marked = None if ask is None else ask.cell
        self._say("")
        poor = is_plain(self._console)
        self._say(draw(view, marked=marked, ascii_only=poor, room=room(self._console)))

    def _say(self, what: Text | str, *, style: str | None = None) -> None:
        say(self._console, what, style=style)


def _type(prompt: str) -> str:
    """A line typed at a terminal, where it can be edited."""
    with suppress(ImportError):
        import readline  # noqa: F401
    try:
        return input(prompt)
    except EOFError:
        raise Stopped("end of input") from None
    except UnicodeDecodeError:
        return "\ufffd"


def _read_line() -> str:
    """A line piped in; bytes that are no text become marks that no answer has."""
    line = b"" if sys.stdin is None else sys.stdin.buffer.readline()
    if not line:
        raise Stopped("end of input")
    return line.decode(errors="replace").rstrip("\r\n")
