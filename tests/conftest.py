"""Shared fixtures and settings of all tests."""

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

# A shell starts background jobs with Ctrl-C ignored, which all processes of the tests inherit.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("mineproof", deadline=None, derandomize=True)
settings.load_profile("mineproof")

HOPELESS = 150.0
"""Seconds beyond a test's own limit after which the process is ended."""
_stderr = pytest.StashKey[int]()


def pytest_configure(config: pytest.Config) -> None:
    """Keep a handle on the terminal, because pytest captures output while a test runs."""
    config.stash[_stderr] = os.dup(2)


def pytest_collection_finish() -> None:
    """Freeze what collection created (half a million objects), so garbage collection skips it."""
    gc.collect()
    gc.freeze()
    atexit.register(gc.unfreeze)  # otherwise nanobind finds leaks at the end


@contextmanager
def _ended(item: pytest.Item) -> Iterator[None]:
    """End the process if a test's own time limit did not end the test: cleaning up may hang, too.

    The stacks of all threads are printed; pytest-xdist names the test and starts another worker.
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
