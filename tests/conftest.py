"""What all tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

from mineproof import _engine

settings.register_profile("mineproof", deadline=None, derandomize=True)
settings.load_profile("mineproof")


@pytest.fixture(params=_engine.ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run the test on the compiled engine and on the Python one."""
    with _engine.using(request.param):
        yield request.param
