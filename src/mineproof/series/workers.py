"""Processes that do work for this one: as many as there are cores, and they end with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from time import sleep
from typing import Any

from mineproof.errors import MineproofError, whole
from mineproof.interrupts import undisturbed

MOST_WORKERS = 10_000


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_workers(workers: int | None) -> int:
    """How many shall work: all cores unless a number is given."""
    if workers is None:
        return cores()
    return whole(workers, "workers", 1, MOST_WORKERS, "are")


def forks() -> bool:
    """Whether workers begin with all that this process has."""
    return "fork" in multiprocessing.get_all_start_methods()


@contextmanager
def pool(
    workers: int,
    begin: Callable[..., object] | None = None,
    arguments: Sequence[Any] = (),
    *,
    what: str = "its games were",
) -> Iterator[ProcessPoolExecutor]:
    """Some workers, each of which calls `begin` first.

    Left early, by an error or by Ctrl-C, nobody waits for what they are at.
    """
    before = set(multiprocessing.active_children())
    context = multiprocessing.get_context("fork" if forks() else None)
    beginning = (os.getpid(), begin, tuple(arguments))
    with _told(workers):
        found = ProcessPoolExecutor(workers, context, _sit_down, beginning)
    finished = False
    try:
        with undisturbed(), _told(workers):  # Ctrl-C while a process forks would be lost
            found.submit(int)  # which begins them all
        yield found
        finished = True
    except BrokenProcessPool:
        raise MineproofError(f"a worker process died before {what} finished") from None
    finally:
        results: Any = found._result_queue
        thread: Any = found._executor_manager_thread
        found.shutdown(wait=finished, cancel_futures=True)
        if not finished:
            for worker in set(multiprocessing.active_children()) - before:
                worker.terminate()
            # One that ended while it was sending leaves the pool's thread waiting for the rest,
            # and us for that thread, unless nobody can send any more.
            results._writer.close()
            # Python would wake the thread up when it ends, and must not find it closing its pipes.
            if thread is not None:
                thread.join()


@contextmanager
def _told(workers: int) -> Iterator[None]:
    """What the system refuses is said: there may be no room for locks, or for processes."""
    try:
        yield
    except OSError as error:
        raise MineproofError(
            f"cannot begin {workers} processes: {error.strerror or error}; fewer workers need less"
        ) from None


def _sit_down(parent: int, begin: Callable[..., object] | None, arguments: tuple[Any, ...]) -> None:
    """A worker begins. Ctrl-C is its parent's to handle, and it ends when its parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()
    if begin is not None:
        begin(*arguments)


def _leave_with(parent: int) -> None:
    while os.getppid() == parent:
        sleep(1)
    os._exit(1)
