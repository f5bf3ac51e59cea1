"""Errors as responses."""

from __future__ import annotations

import logging
from typing import Any

from mineproof.errors import (
    AgentFault,
    Contradiction,
    EngineError,
    IllegalMove,
    InvalidInput,
    MineproofError,
    NotFound,
    UnknownName,
    shorten,
)
from mineproof.printable import printable
from mineproof.protocol.heads import head

_log = logging.getLogger(__name__)

KINDS: tuple[tuple[type[BaseException], str], ...] = (
    (Contradiction, "contradiction"),
    (UnknownName, "unknown"),
    (IllegalMove, "illegal"),
    (NotFound, "not-found"),
    (EngineError, "engine"),
    (AgentFault, "agent"),
    (InvalidInput, "invalid"),
    (MineproofError, "failed"),
    (MemoryError, "memory"),
    (KeyboardInterrupt, "stopped"),
)
"""The kinds of errors by their exceptions; others are a `fault`."""


def error_answer(message: Any, error: BaseException) -> dict[str, Any]:
    """Return the error response to a message."""
    kinds = (kind for family, kind in KINDS if isinstance(error, family))
    kind = "stopped" if type(error).__name__ == "Cancelled" else next(kinds, "fault")
    words = str(error)
    if kind == "fault":
        _log.error("internal error", exc_info=error)
        words = f"internal error in mineproof ({type(error).__name__}: {error})"
    elif kind == "memory":
        words = "not enough memory for this request"
    elif kind == "stopped":
        words = "stopped on request"
    data: dict[str, Any] = {"kind": kind, "message": _clean(words)}
    if isinstance(error, MineproofError) and error.what != words:
        data["what"] = _clean(error.what)
        data |= {} if error.why is None else {"why": error.why.to_json()}
    if isinstance(error, Contradiction):
        data |= {"cells": error.clues, "count_used": error.count_used}
        data |= {} if error.irreducible else {"irreducible": False}
    return head(message) | {"error": data}


def _clean(words: str) -> str:
    return shorten(printable(" ".join(words.split())), 400)
