"""Ctrl-C: it ends a command soon, and never cuts short what must not be.

Python raises `KeyboardInterrupt` wherever the main thread happens to be. Within an import that
can be fatal (a compiled module that is half made ends the process), wrapped into another error,
or swallowed; within a destructor it is printed and forgotten. So Ctrl-C waits there, and comes
again a moment later.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic, process_time
from types import FrameType
from typing import Any

_PATIENCE, _LONGEST = 0.5, 2.0
"""Seconds of CPU that an import may go on, and of any kind, as where the machine is busy; whoever
does more than define things there is stopped."""
_AGAIN = 0.02
"""Seconds until Ctrl-C that could not be heard comes again."""
_IMPORTS = "<frozen importlib._bootstrap>"

_waits = False
"""Whether Ctrl-C came and was not heard yet."""
_since: tuple[float, float] | None = None
"""When Ctrl-C came first, in this command: CPU seconds and seconds."""


def listen() -> None:
    """Hear Ctrl-C as this module says, from now on. For a process of ours, on its main thread."""
    global _since, _waits
    _since, _waits = None, False
    signal.signal(signal.SIGINT, on_interrupt)
    sys.unraisablehook = _on_lost


def ignore() -> None:
    """Do not hear Ctrl-C any more: all is done, and Python only puts things away."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def listening() -> Iterator[None]:
    """The same for a while, where Ctrl-C is heard as Python does and on the main thread."""
    mine = threading.current_thread() is threading.main_thread()
    if not mine or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    hook = sys.unraisablehook
    listen()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.unraisablehook = hook


def came() -> bool:
    """Whether Ctrl-C was pressed since somebody listens."""
    return _since is not None


def check() -> None:
    """Raise KeyboardInterrupt if Ctrl-C waits: here it does no harm."""
    global _waits  # noqa: PLW0603
    if _waits:
        _waits = False
        raise KeyboardInterrupt


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C waits until this is done."""
    mine = threading.current_thread() is threading.main_thread()
    if not mine or signal.getsignal(signal.SIGINT) is None:
        yield  # no signal comes here, or it is for others to handle
        return
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        signal.raise_signal(signal.SIGINT)


def on_interrupt(_: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, now or as soon as that does no harm."""
    global _since, _waits  # noqa: PLW0603
    _since = (process_time(), monotonic()) if _since is None else _since
    patient = process_time() - _since[0] < _PATIENCE and monotonic() - _since[1] < _LONGEST
    if patient and _is_importing(frame):
        _come_again()
    else:
        _waits = False
        raise KeyboardInterrupt


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTS:
            return True
        frame = frame.f_back
    return False


def _on_lost(lost: Any) -> None:
    """Ctrl-C in a destructor, where nobody hears it, comes again; other errors are told.

    After Ctrl-C they are not: things that are half made may fail when they are thrown away.
    """
    if lost.exc_type is not None and issubclass(lost.exc_type, KeyboardInterrupt):
        _come_again()
    elif not came():
        sys.__unraisablehook__(lost)


def _come_again() -> None:
    global _waits  # noqa: PLW0603
    _waits = True
    timer = threading.Timer(_AGAIN, _press)
    timer.daemon = True
    timer.start()


def _press() -> None:
    # To the main thread: a signal to this one would not end what that one waits for.
    if not _waits:
        return
    with suppress(ProcessLookupError):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
