"""Which engine answers: the compiled twins or the Python code.

`MINEPROOF_ENGINE=python|native` chooses; by default the native one if it was
built. Both give the same results.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from mineproof.errors import EngineError, UnknownName

if TYPE_CHECKING:
    from types import ModuleType

    class _Native(ModuleType):
        from mineproof._native import (
            count_mines,
            deal,
            deal_each,
            figures,
            order_keys,
            words,
        )


ENGINES = ("native", "python")


def _load(wanted: str | None) -> ModuleType | None:
    if wanted is not None and wanted not in ENGINES:
        raise UnknownName("engine in MINEPROOF_ENGINE", wanted, ENGINES)
    if wanted == "python":
        return None
    try:
        return importlib.import_module("mineproof._native")
    except ModuleNotFoundError as missing:
        if wanted == "native":
            raise EngineError(
                "the native engine was asked for, but this install has no compiled part: "
                "reinstall with a C++20 compiler and MINEPROOF_REQUIRE_NATIVE=1"
            ) from missing
        return None


_native = _load(os.environ.get("MINEPROOF_ENGINE") or None)


def native() -> _Native | None:
    """The compiled module, or None where the Python code shall answer."""
    return cast("_Native | None", _native)


def name() -> str:
    """The engine in use: `native` or `python`."""
    return "python" if _native is None else "native"


@contextmanager
def using(engine: str) -> Iterator[None]:
    """Answer with this engine for a while (for tests and comparisons; not for threads)."""
    global _native  # noqa: PLW0603
    before = _native
    _native = _load(engine)
    try:
        yield
    finally:
        _native = before
