"""Keys and mouse of a terminal: decode its bytes, and wait for them."""

from __future__ import annotations

import codecs
import os
import re
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import click


class MouseEvent(NamedTuple):
    """A mouse button that was pressed: `left`, `middle` or `right`, at a place counted from 0."""

    button: str
    line: int
    column: int


Pressed = str | MouseEvent
"""A typed character, the name of another key (`left`, `page down`), or a mouse button."""

_NAMES = {
    **dict.fromkeys(("\r", "\n"), "enter"),
    **dict.fromkeys(("\x7f", "\x08"), "backspace"),
    "\x1b": "escape",
    **dict.fromkeys(("\x1b[A", "\x1bOA", "\xe0H"), "up"),
    **dict.fromkeys(("\x1b[B", "\x1bOB", "\xe0P"), "down"),
    **dict.fromkeys(("\x1b[C", "\x1bOC", "\xe0M"), "right"),
    **dict.fromkeys(("\x1b[D", "\x1bOD", "\xe0K"), "left"),
    **dict.fromkeys(("\x1b[H", "\x1bOH", "\x1b[1~", "\xe0G"), "home"),
    **dict.fromkeys(("\x1b[F", "\x1bOF", "\x1b[4~", "\xe0O"), "end"),
    **dict.fromkeys(("\x1b[5~", "\xe0I"), "page up"),
    **dict.fromkeys(("\x1b[6~", "\xe0Q"), "page down"),
}
"""Keys other than characters: as terminals send them, in both modes, and as Windows does."""
_MOUSE = re.compile(r"\x1b\[<(\d{1,4});(\d{1,5});(\d{1,5})([Mm])")
_PIECE = re.compile(
    r"\x1b\[<[\d;]*[Mm]|\x1b\[[0-9;?]*[ -/]*[@-~]|\x1bO.|\xe0.|.",
    re.DOTALL,
)
_UNFINISHED = re.compile(r"\x1b(\[[<0-9;?]*|O)?$")
_BUTTONS = ("left", "middle", "right")
_OTHER = 0b11110_0000
"""Bits of reports other than pressed buttons, such as movements and the wheel."""
_PAUSE = 0.05
"""Seconds after which a lone escape character counts as the escape key."""


class Decoder:
    """Decodes keys from what a terminal sends, however it is split."""

    def __init__(self) -> None:
        self._rest = ""

    @property
    def waits(self) -> bool:
        """Whether the input so far ends in the middle of a key."""
        return bool(self._rest)

    def feed(self, text: str) -> list[Pressed]:
        """Return the keys in the next piece of input."""
        text = self._rest + text
        unfinished = _UNFINISHED.search(text)
        cut = len(text) if unfinished is None else unfinished.start()
        self._rest = text[cut:]
        found = map(_read, _PIECE.findall(text[:cut]))
        return [key for key in found if key is not None]

    def flush(self) -> list[Pressed]:
        """Return the escape key if it is what remains and nothing follows, otherwise nothing."""
        rest, self._rest = self._rest, ""
        return ["escape"] if rest == "\x1b" else []


def _read(piece: str) -> Pressed | None:
    """Return a key; None for anything else, such as the release of a button."""
    if piece in _NAMES:
        return _NAMES[piece]
    if found := _MOUSE.fullmatch(piece):
        code, column, line = (int(found[place]) for place in (1, 2, 3))
        if found[4] == "m" or code & _OTHER or code & 3 == 3:
            return None
        return MouseEvent(_BUTTONS[code & 3], line - 1, column - 1)
    return piece if len(piece) == 1 else None


class Keyboard:
    """Waits for keys; other parts of the program may end the wait."""

    def __init__(self, keyboard: int) -> None:
        self._keyboard = keyboard
        self._decoder = Decoder()
        self._bytes = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._woken, self._waker = os.pipe()

    def close(self) -> None:
        """Close the pipe that wakes it."""
        os.close(self._woken)
        os.close(self._waker)

    def wake(self) -> None:
        """End the wait of `pressed`; signal handlers may call this."""
        os.write(self._waker, b"!")

    def pressed(self, seconds: float | None = None) -> list[Pressed] | None:
        """Return the next keys: none if `seconds` pass without any, None at the end of input."""
        if self._decoder.waits:
            seconds = _PAUSE
        ready, _, _ = select.select([self._keyboard, self._woken], [], [], seconds)
        if self._woken in ready:
            os.read(self._woken, 64)
        if self._keyboard not in ready:
            return [] if ready else self._decoder.flush()
        try:
            got = os.read(self._keyboard, 1024)
        except OSError:  # the terminal is gone
            return None
        return self._decoder.feed(self._bytes.decode(got)) if got else None


class _WindowsKeyboard(Keyboard):
    """A keyboard for Windows, whose function has no time limit for the wait."""

    def __init__(self) -> None:
        self._decoder = Decoder()

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def wake(self) -> None:
        """Do nothing: the wait cannot be ended."""

    def pressed(self, seconds: float | None = None) -> list[Pressed] | None:  # noqa: ARG002
        """Return the next keys; None at the end of input."""
        text = click.getchar()
        return self._decoder.feed(text) if text else None


@contextmanager
def typing(*, suspend: bool = True, forget: bool = False) -> Iterator[Keyboard]:
    """Yield a keyboard that reads keys as they are pressed, without showing them or losing any.

    Without `suspend`, Ctrl-Z is an ordinary key. With `forget`, keys that were typed but not read
    are discarded at the end.
    """
    try:
        import termios
        import tty
    except ImportError:  # Windows
        yield _WindowsKeyboard()
        return
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    keyboard = Keyboard(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        if not suspend:
            now = termios.tcgetattr(terminal)
            now[6][termios.VSUSP] = b"\x00"
            termios.tcsetattr(terminal, termios.TCSADRAIN, now)
        yield keyboard
    finally:
        termios.tcsetattr(terminal, termios.TCSAFLUSH if forget else termios.TCSADRAIN, before)
        keyboard.close()


def is_terminal() -> bool:
    """Whether standard input and output are both terminals."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
