"""Worker processes: by default one per core; they end with this process."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from queue import SimpleQueue
from time import sleep
from typing import Any, TypeVar

from mineproof.errors import MineproofError, check_integer
from mineproof.interrupts import undisturbed

MOST_WORKERS = 10_000

P = TypeVar("P")
R = TypeVar("R")


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_workers(workers: int | None) -> int:
    """Return the number of workers: one per core unless given."""
    if workers is None:
        return cores()
    return check_integer(workers, "workers", 1, MOST_WORKERS)


def forks() -> bool:
    """Whether workers are forked, and so begin with a copy of this process."""
    return "fork" in multiprocessing.get_all_start_methods()


@contextmanager
def pool(
    workers: int,
    do: Callable[[P], R],
    begin: Callable[[], object] | None = None,
    *,
    what: str = "its games were",
) -> Iterator[Callable[[P], Future[R]]]:
    """Yield a function that lets the next free worker `do` a piece of work.

    Each worker calls `begin` first. If it dies, its piece of work fails with a MineproofError.
    If an error or Ctrl-C ends the block early, the workers are killed, not waited for.
    """
    started: list[_Worker] = []
    free: SimpleQueue[_Worker] = SimpleQueue()
    threads = ThreadPoolExecutor(workers)

    def ask(piece: P) -> R:
        worker = free.get()
        result: R
        try:
            result, error = worker.ask(piece)
        except (EOFError, OSError):
            raise MineproofError(f"a worker process died before {what} finished") from None
        finally:
            free.put(worker)
        if error is not None:
            raise error
        return result

    def submit(piece: P) -> Future[R]:
        with _start_errors_explained(workers):
            return threads.submit(ask, piece)

    try:
        with (
            undisturbed(),
            _start_errors_explained(workers),
        ):  # Ctrl-C while a process forks would be lost
            for _ in range(workers):
                started.append(_Worker(do, begin))
                free.put(started[-1])
        yield submit
        threads.shutdown()
        for worker in started:
            worker.leave()
    finally:
        with undisturbed():
            for worker in started:
                worker.process.kill()
            threads.shutdown(cancel_futures=True)
            for worker in started:
                worker.process.join()


@contextmanager
def _start_errors_explained(workers: int) -> Iterator[None]:
    """Turn errors of the system, such as a lack of processes or threads, into a clear message."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise MineproofError(
            f"cannot start {workers} processes: {reason}; try fewer workers"
        ) from None


class _Worker:
    """A worker process, and our end of the pipe to it."""

    def __init__(self, do: Callable[[Any], Any], begin: Callable[[], object] | None) -> None:
        context: Any = multiprocessing.get_context("fork" if forks() else "spawn")
        self._pipe, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs, os.getpid(), do, begin))
        self.process.start()
        theirs.close()

    def ask(self, piece: Any) -> Any:
        """Return the result of a piece and None, or None and the error.

        Raise EOFError or OSError if the worker dies.
        """
        self._pipe.send(piece)
        while not self._pipe.poll(1.0):
            if not self.process.is_alive():  # but another process has its end of the pipe
                raise EOFError
        return self._pipe.recv()

    def leave(self) -> None:
        """Let the process end when it has nothing to do, and wait for that."""
        with suppress(OSError):
            self._pipe.send(None)
        self.process.join()


def _work(
    pipe: Connection, parent: int, do: Callable[[Any], Any], begin: Callable[[], object] | None
) -> None:
    """Be a worker: leave Ctrl-C to the parent, and end when the parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with(parent)
    if forks():  # the pipe must not stay open in a process of a user's agent
        os.register_at_fork(after_in_child=pipe.close)
    if begin is not None:
        begin()
    with suppress(EOFError, ConnectionError):  # the parent has ended
        while (piece := pipe.recv()) is not None:
            try:
                pipe.send((do(piece), None))
            except Exception as error:
                error.add_note(traceback.format_exc())
                pipe.send((None, error))


def end_with(parent: int) -> None:
    """End this process within a second after its parent, whose id this is."""

    def watch() -> None:
        while os.getppid() == parent:
            sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
