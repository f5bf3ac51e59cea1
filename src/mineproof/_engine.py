"""Which engine answers: the compiled twins or the Python code.

`MINEPROOF_ENGINE=python|native` chooses; by default the native one if it was
built. Both give the same results.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from mineproof.errors import EngineError, unknown_name

ENGINES = ("native", "python")


def _chosen(wanted: str | None) -> str:
    if wanted is not None and wanted not in ENGINES:
        raise unknown_name("engine in MINEPROOF_ENGINE", wanted, ENGINES)
    built = find_spec("mineproof._native") is not None
    if wanted == "native" and not built:
        raise EngineError(
            "the native engine was asked for, but this install has no compiled part: "
            "reinstall with a C++20 compiler and MINEPROOF_REQUIRE_NATIVE=1"
        )
    return wanted or ("native" if built else "python")


_engine = _chosen(os.environ.get("MINEPROOF_ENGINE") or None)


def name() -> str:
    """The engine in use: `native` or `python`."""
    return _engine


def is_native() -> bool:
    """Whether the compiled twins shall answer; if so, `mineproof._native` is there."""
    return _engine == "native"


@contextmanager
def using(engine: str) -> Iterator[None]:
    """Answer with this engine for a while (for tests and comparisons; not for threads)."""
    global _engine  # noqa: PLW0603
    before = _engine
    _engine = _chosen(engine)
    try:
        yield
    finally:
        _engine = before
