"""Errors as data."""

from __future__ import annotations

import logging
from typing import Any

from mineproof.errors import MineproofError
from mineproof.protocol import error_answer
from mineproof.web.database import StoreFault

_LOG = logging.getLogger(__name__)


class RequestRefused(MineproofError):
    """A request is refused; `kind` is the kind of error, `more` has additional fields."""

    def __init__(self, kind: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.kind, self.more = kind, more

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> RequestRefused:
        """Return an error from its data."""
        more = {name: data[name] for name in data if name not in {"kind", "message"}}
        return cls(data["kind"], data["message"], **more)


def error(kind: str, message: str, **more: Any) -> dict[str, Any]:
    """Return an error as data."""
    return {"error": {"kind": kind, "message": message, **more}}


def as_error(fault: BaseException) -> dict[str, Any]:
    """Return an exception as data; unexpected ones are logged as internal errors."""
    if isinstance(fault, RequestRefused):
        return error(fault.kind, str(fault), **fault.more)
    if isinstance(fault, StoreFault):
        _LOG.error("the database of games is not available: %s", fault)
        return error("store", f"the database of games is not available: {fault}")
    data: dict[str, Any] = error_answer(None, fault)["error"]
    if data["kind"] == "fault":
        data["message"] = (
            f"internal error in mineproof ({type(fault).__name__}): see the server's log"
        )
    return {"error": data}


def is_error(answer: dict[str, Any]) -> bool:
    """Whether a response is an error (`odds` has a field `error`, too, which is a number)."""
    return isinstance(answer.get("error"), dict)
