"""Workers that are left early leave nothing behind."""

from __future__ import annotations

import multiprocessing
import threading
import time

import pytest

from mineproof.series.workers import pool


def left_early() -> None:
    with pool(2) as workers:
        for _ in range(6):
            workers.submit(time.sleep, 60)
        raise KeyboardInterrupt


def managers() -> list[threading.Thread]:
    return [one for one in threading.enumerate() if "ExecutorManager" in type(one).__name__]


def test_a_pool_that_is_left_early_is_gone() -> None:
    """Its thread, too: one that is closing its pipes when Python ends, ends in a traceback."""
    children = multiprocessing.active_children()
    for _ in range(5):
        with pytest.raises(KeyboardInterrupt):
            left_early()
        assert not managers()
        assert multiprocessing.active_children() == children
