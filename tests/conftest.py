"""What all tests share."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from mineproof import _engine

# Started in the background a shell lets Ctrl-C be ignored, and so would all that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("mineproof", deadline=None, derandomize=True)
settings.load_profile("mineproof")


@pytest.fixture(params=_engine.ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run the test on the compiled engine and on the Python one."""
    with _engine.using(request.param):
        yield request.param
