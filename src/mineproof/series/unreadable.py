"""A process whose memory and open files no other process can read, as long as it has a secret."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_GET_DUMPABLE, _SET_DUMPABLE = 3, 4
"""Of prctl(2)."""


@contextmanager
def unreadable() -> Iterator[None]:
    """Keep other processes of the same user out of this one and of those that it forks.

    On Linux: memory, open files and environment in /proc are then the system's, no debugger can
    attach and no core is dumped. A program that is started is an ordinary one. The system's
    administrator reads everything all the same; elsewhere nothing is done.
    """
    before = _prctl(_GET_DUMPABLE, 0)
    if before != 1:  # there is no such thing, or nobody can read it anyway
        yield
        return
    _prctl(_SET_DUMPABLE, 0)
    try:
        yield
    finally:
        _prctl(_SET_DUMPABLE, before)


def _prctl(option: int, value: int) -> int:
    """What the system answers; -1 where it knows nothing of it."""
    if not sys.platform.startswith("linux"):
        return -1
    try:
        return int(ctypes.CDLL(None).prctl(option, value, 0, 0, 0))
    except (OSError, AttributeError):
        return -1
