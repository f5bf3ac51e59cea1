"""Worker processes: nothing hangs if one dies, and leaving a pool early ends its workers."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import threading
import time
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path
from random import Random

import pytest

import mineproof as mp
from mineproof.series import workers
from mineproof.series.workers import pool

SOON = 3.0
"""Seconds within which an error must be raised; on an idle machine, one is enough."""
LARGE = 5_000_000


def pids() -> list[int]:
    return [process.pid or 0 for process in multiprocessing.active_children()]


def left_early() -> None:
    with pool(2, time.sleep) as submit:
        for _ in range(6):
            submit(60)
        raise KeyboardInterrupt


def test_leaving_a_pool_early_ends_its_workers() -> None:
    children, threads = pids(), threading.enumerate()
    for _ in range(5):
        with pytest.raises(KeyboardInterrupt):
            left_early()
        assert (pids(), threading.enumerate()) == (children, threads)


def compute(seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        pass


def send(size: int) -> bytes:
    return bytes(size)


def leave_a_child() -> None:
    """Start a child that outlives its parent and keeps its files open."""
    if os.fork() == 0:
        time.sleep(2 * SOON)
        os._exit(0)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("begin", [None, leave_a_child])
@pytest.mark.parametrize(
    ("do", "piece"),
    [(compute, 60.0), (send, LARGE), (len, bytes(LARGE))],
    ids=["computing", "sending", "receiving"],
)
def test_a_killed_worker_is_an_error(do, piece, begin, seed: int) -> None:
    """Whenever it is killed: nothing waits for results that cannot come."""
    with pytest.raises(mp.MineproofError, match="a worker process died before its games were"):
        submit_and_kill(do, piece, begin, Random(seed))
    assert not pids()


def test_a_killed_worker_is_an_error_even_if_its_pipe_stays_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.register_at_fork", lambda **_: None)
    with pytest.raises(mp.MineproofError, match="a worker process died before its games were"):
        submit_and_kill(compute, 60.0, leave_a_child, Random(1))


def submit_and_kill(do, piece: object, begin, random: Random) -> None:
    with pool(3, do, begin) as submit:
        threading.Timer(random.uniform(0, 0.3), os.kill, (random.choice(pids()), 9)).start()
        deadline = time.monotonic() + 0.3 + SOON
        waiting: set[Future[object]] = set()
        while time.monotonic() < deadline:
            waiting |= {submit(piece) for _ in range(6 - len(waiting))}
            done, waiting = wait(waiting, 0.01, FIRST_COMPLETED)
            for one in done:
                one.result()


def test_an_idle_worker_that_is_killed_is_an_error() -> None:
    with pool(2, len, what="they were counted") as submit:
        assert submit("ab").result(SOON) == 2
        for pid in pids():
            os.kill(pid, signal.SIGKILL)
        with pytest.raises(mp.MineproofError, match="died before they were counted"):
            submit("abc").result(SOON)


def test_a_worker_may_be_killed_after_its_last_task() -> None:
    with pool(2, len) as submit:
        assert submit("ab").result(SOON) == 2
        os.kill(pids()[0], signal.SIGKILL)
    assert not pids()


def fail() -> None:
    raise LookupError


def test_a_worker_that_cannot_start_is_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(mp.MineproofError, match="a worker process died"), pool(2, len, fail) as ask:
        ask("ab").result(SOON)
    assert "LookupError" in capfd.readouterr().err


@pytest.mark.parametrize("forks", [True, False])
def test_errors_are_raised_with_the_workers_traceback(
    forks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "forks", lambda: forks)
    with pool(2, Path.read_text) as submit:
        with pytest.raises(FileNotFoundError, match="missing") as caught:
            submit(Path("missing")).result()
        assert "in read_text" in caught.value.__notes__[0]
        assert submit(Path(__file__)).result().startswith('"""Worker processes')


@pytest.mark.parametrize("piece", [{}, {}.keys()])
def test_a_task_that_cannot_be_pickled_is_an_error(piece) -> None:
    with pool(2, dict.keys) as submit, pytest.raises(TypeError, match="cannot pickle 'dict_keys'"):
        submit(piece).result(SOON)


def test_too_many_workers_for_the_system_is_reported() -> None:
    before, used = resource.getrlimit(resource.RLIMIT_NOFILE), len([*Path("/dev/fd").iterdir()])
    resource.setrlimit(resource.RLIMIT_NOFILE, (used + 20, before[1]))
    try:
        with pytest.raises(mp.MineproofError, match="cannot start 50 processes: .*fewer workers"):
            pool(50, len).__enter__()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert not pids()
