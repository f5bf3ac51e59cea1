"""What all tests share."""

from __future__ import annotations

import atexit
import faulthandler
import gc
import os
import signal
from collections.abc import Generator, Iterator
from contextlib import contextmanager

import pytest
from hypothesis import settings

from mineproof import _engine

# Started in the background a shell lets Ctrl-C be ignored, and so would all that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("mineproof", deadline=None, derandomize=True)
settings.load_profile("mineproof")

HOPELESS = 150.0
"""Seconds beyond a test's own limit after which nothing will end it any more."""
_stderr = pytest.StashKey[int]()


def pytest_configure(config: pytest.Config) -> None:
    """Keep the way to the terminal: while a test runs, what is said is caught."""
    config.stash[_stderr] = os.dup(2)


def pytest_collection_finish() -> None:
    """Leave what collecting made, half a million objects, out of every later garbage collection."""
    gc.collect()
    gc.freeze()
    atexit.register(gc.unfreeze)  # otherwise nanobind finds leaks at the end


@contextmanager
def _ended(item: pytest.Item) -> Iterator[None]:
    """End the process where a test's limit did not end the test: cleaning up may wait, too.

    All threads are shown, and the run says which test it was and goes on with another process.
    """
    marker = item.get_closest_marker("timeout")
    usual = item.config.getoption("timeout") or item.config.getini("timeout")
    limit = float(marker.args[0] if marker and marker.args else usual) + HOPELESS
    faulthandler.dump_traceback_later(limit, file=item.config.stash[_stderr], exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:
    with _ended(item):
        yield


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    with _ended(item):
        yield


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    with _ended(item):
        yield


@pytest.fixture(params=_engine.ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run the test on the compiled engine and on the Python one."""
    with _engine.using(request.param):
        yield request.param
