"""Worker processes: by default one per core; they end with this process."""

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
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_workers(workers: int | None) -> int:
    """Return the number of workers: one per core unless given."""
    if workers is None:
        return cores()
    return whole(workers, "workers", 1, MOST_WORKERS)


def forks() -> bool:
    """Whether workers are forked, and so begin with a copy of this process."""
    return "fork" in multiprocessing.get_all_start_methods()


@contextmanager
def pool(
    workers: int,
    begin: Callable[..., object] | None = None,
    arguments: Sequence[Any] = (),
    *,
    what: str = "its games were",
) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of workers, each of which calls `begin` first.

    If an error or Ctrl-C ends the block early, the workers are terminated, not waited for.
    """
    before = set(multiprocessing.active_children())
    context = multiprocessing.get_context("fork" if forks() else None)
    beginning = (os.getpid(), begin, tuple(arguments))
    with _told(workers):
        found = ProcessPoolExecutor(workers, context, _sit_down, beginning)
    finished = False
    try:
        with undisturbed(), _told(workers):  # Ctrl-C while a process forks would be lost
            found.submit(int)  # which starts all of them
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
            # If a worker ended while sending, the pool's thread would wait for the rest for ever,
            # and we for that thread: so close the other end.
            results._writer.close()
            # At exit Python wakes this thread, which must not be closing its pipes at that time.
            if thread is not None:
                thread.join()


@contextmanager
def _told(workers: int) -> Iterator[None]:
    """Turn errors of the system, such as a lack of processes or locks, into a clear message."""
    try:
        yield
    except OSError as error:
        raise MineproofError(
            f"cannot start {workers} processes: {error.strerror or error}; try fewer workers"
        ) from None


def _sit_down(parent: int, begin: Callable[..., object] | None, arguments: tuple[Any, ...]) -> None:
    """Start a worker: it leaves Ctrl-C to its parent, and ends when its parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()
    if begin is not None:
        begin(*arguments)


def _leave_with(parent: int) -> None:
    while os.getppid() == parent:
        sleep(1)
    os._exit(1)
