"""Handling of Ctrl-C: it ends a command soon, but only where that is safe.

Python raises `KeyboardInterrupt` wherever the main thread happens to be. During an import the
exception can be fatal (a half-initialised compiled module ends the process), wrapped into another
error, or swallowed; in a destructor it is printed and forgotten. There, Ctrl-C is delayed and
repeated a moment later.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic, process_time
from types import FrameType
from typing import Any

_PATIENCE, _LONGEST = 0.5, 2.0
"""CPU seconds and seconds for which an import may delay Ctrl-C; slower imports are interrupted."""
_AGAIN = 0.02
"""Seconds until a delayed Ctrl-C is repeated."""
_IMPORTS = "<frozen importlib._bootstrap>"

_waits = False
"""Whether a delayed Ctrl-C is pending."""
_since: tuple[float, float] | None = None
"""The time of the first Ctrl-C in this command: CPU seconds and seconds."""


def listen() -> None:
    """Install this module's handling of Ctrl-C; for our own processes, on the main thread."""
    global _since, _waits
    _since, _waits = None, False
    signal.signal(signal.SIGINT, on_interrupt)
    sys.unraisablehook = _on_lost


def ignore() -> None:
    """Ignore Ctrl-C from now on: the work is done, and Python is only cleaning up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def listening() -> Iterator[None]:
    """Call `listen` for a block, if this is the main thread with Python's own handler."""
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
    """Whether Ctrl-C was pressed since `listen` was called."""
    return _since is not None


def check() -> None:
    """Raise KeyboardInterrupt if a Ctrl-C is pending; call this where it is safe."""
    global _waits  # noqa: PLW0603
    if _waits:
        _waits = False
        raise KeyboardInterrupt


@contextmanager
def undisturbed() -> Iterator[None]:
    """Delay Ctrl-C until the end of a block."""
    mine = threading.current_thread() is threading.main_thread()
    if not mine or signal.getsignal(signal.SIGINT) is None:
        yield  # no signal arrives here, or other code handles it
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
    """Raise KeyboardInterrupt, now or as soon as it is safe."""
    global _since, _waits  # noqa: PLW0603
    _since = (process_time(), monotonic()) if _since is None else _since
    patient = process_time() - _since[0] < _PATIENCE and monotonic() - _since[1] < _LONGEST
    if patient and is_importing(frame):
        _come_again()
    else:
        _waits = False
        raise KeyboardInterrupt


def is_importing(frame: FrameType | None) -> bool:
    """Whether an import is running: an exception now could leave a module half initialised."""
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTS:
            return True
        frame = frame.f_back
    return False


def _on_lost(lost: Any) -> None:
    """Repeat a Ctrl-C that was lost in a destructor; print other errors of destructors.

    After Ctrl-C other errors are not printed: destructors of half-initialised objects may fail.
    """
    if lost.exc_type is not None and issubclass(lost.exc_type, KeyboardInterrupt):
        _come_again()
    elif not came():
        sys.__unraisablehook__(lost)


def soon(action: Callable[[], None]) -> None:
    """Call a function a moment later, on another thread."""
    timer = threading.Timer(_AGAIN, action)
    timer.daemon = True
    timer.start()


def _come_again() -> None:
    global _waits  # noqa: PLW0603
    _waits = True
    soon(_press)


def _press() -> None:
    # To the main thread: a signal to this thread would not end what the main thread waits for.
    if not _waits:
        return
    with suppress(ProcessLookupError):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
