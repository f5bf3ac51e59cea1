"""Protect a secret: make this process unreadable for other processes."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_GET_DUMPABLE, _SET_DUMPABLE = 3, 4
"""Options of prctl(2)."""


@contextmanager
def unreadable() -> Iterator[None]:
    """Prevent other processes of the same user from reading this one and those that it forks.

    On Linux, /proc then hides its memory, open files and environment, no debugger can attach, and
    no core is dumped. Programs that it starts are not protected, and root can still read
    everything. On other systems this does nothing.
    """
    before = _prctl(_GET_DUMPABLE, 0)
    if before != 1:  # not supported, or protected already
        yield
        return
    _prctl(_SET_DUMPABLE, 0)
    try:
        yield
    finally:
        _prctl(_SET_DUMPABLE, before)


def _prctl(option: int, value: int) -> int:
    """Return the result of the system call; -1 if it is not supported."""
    if not sys.platform.startswith("linux"):
        return -1
    try:
        return int(ctypes.CDLL(None).prctl(option, value, 0, 0, 0))
    except (OSError, AttributeError):
        return -1
