"""Take over the terminal for a game, and restore it whatever happens."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Any

from rich.console import Console
from rich.control import Control
from rich.screen import Screen as Whole
from rich.text import Text

from mineproof import interrupts
from mineproof.cli.keyboard import Keyboard, is_terminal, typing
from mineproof.errors import InvalidInput

_MOUSE_ON, _MOUSE_OFF = "\x1b[?1000h\x1b[?1006h", "\x1b[?1006l\x1b[?1000l"
"""Report mouse buttons and positions, in the SGR format."""
_ENDINGS = ("SIGTERM", "SIGHUP")


def check_terminal() -> None:
    """Raise `InvalidInput` if there is no terminal to play on."""
    if not is_terminal():
        raise InvalidInput(
            "playing needs an interactive terminal; without one, use 'mineproof watch --agent "
            "exact' to watch an agent play, or 'mineproof serve' for the web app"
        )
    if os.environ.get("TERM", "") in {"dumb", "unknown"}:
        raise InvalidInput(
            f"a terminal with TERM={os.environ['TERM']} cannot move the cursor: use another one, "
            "or 'mineproof watch --agent exact --plain', or 'mineproof serve' for the web app"
        )


class Terminal:
    """The full-screen terminal: draws whole screens and reads keys."""

    def __init__(self, console: Console, keyboard: Keyboard) -> None:
        self.console, self.keyboard = console, keyboard

    @property
    def size(self) -> tuple[int, int]:
        """The current number of lines and columns."""
        found = os.get_terminal_size(sys.stdout.fileno())
        return max(found.lines, 1), max(found.columns, 1)

    def draw(self, lines: list[Text]) -> None:
        """Show these lines and clear the rest of the screen."""
        height, width = self.size
        self.console.size = (width, height)
        with self.console:
            self.console.control(Control.home())
            self.console.print(Whole(*lines), end="")


@contextmanager
def taken_over(console: Console) -> Iterator[Terminal]:
    """Use the alternate screen until the block ends, also by an error or a signal."""
    with ExitStack() as stack:
        keyboard = stack.enter_context(typing(suspend=False, forget=True))
        stack.enter_context(_signals(keyboard))
        stack.enter_context(_own_screen(console))
        yield Terminal(console, keyboard)


@contextmanager
def _own_screen(console: Console) -> Iterator[None]:
    try:
        console.set_alt_screen(True)
        console.show_cursor(False)
        _write(_MOUSE_ON)
        yield
    finally:
        with interrupts.undisturbed():
            _write(_MOUSE_OFF)
            console.set_alt_screen(False)
            console.show_cursor(True)


def suspend() -> None:
    """Suspend this program as Ctrl-Z does, until the shell resumes it."""
    if hasattr(signal, "SIGTSTP"):
        os.kill(0, signal.SIGTSTP)


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


@contextmanager
def _signals(keyboard: Keyboard) -> Iterator[None]:
    """Wake the keyboard when the window is resized; restore the terminal on SIGTERM or SIGHUP."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, _: FrameType | None) -> None:
        raise SystemExit(128 + number)

    handlers: dict[str, Any] = dict.fromkeys(_ENDINGS, end)
    handlers["SIGWINCH"] = lambda *_: keyboard.wake()
    before = {
        number: signal.signal(number, handler)
        for name, handler in handlers.items()
        if (number := getattr(signal, name, None)) is not None
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
