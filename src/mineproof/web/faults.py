"""Errors as they are sent."""

from __future__ import annotations

import logging
from typing import Any

from mineproof.errors import MineproofError
from mineproof.protocol import error_answer
from mineproof.web.database import StoreFault

_LOG = logging.getLogger(__name__)


class Refused(MineproofError):
    """A request that is not carried out, the kind of its error, and what else is told of it."""

    def __init__(self, kind: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.kind, self.more = kind, more

    @classmethod
    def as_told(cls, told: dict[str, Any]) -> Refused:
        """An error that came as data."""
        more = {name: told[name] for name in told if name not in {"kind", "message"}}
        return cls(told["kind"], told["message"], **more)


def error(kind: str, message: str, **more: Any) -> dict[str, Any]:
    """An error as it is sent."""
    return {"error": {"kind": kind, "message": message, **more}}


def as_error(fault: BaseException) -> dict[str, Any]:
    """What went wrong; what is not known is a fault of ours, and is logged, not told."""
    if isinstance(fault, Refused):
        return error(fault.kind, str(fault), **fault.more)
    if isinstance(fault, StoreFault):
        _LOG.error("the store cannot be used: %s", fault)
        return error("store", f"the store cannot be used now: {fault}")
    told: dict[str, Any] = error_answer(None, fault)["error"]
    if told["kind"] == "fault":
        told["message"] = f"a fault of mineproof ({type(fault).__name__}): its log has more"
    return {"error": told}


def is_error(answer: dict[str, Any]) -> bool:
    """Whether it is one; odds have an `error`, too, which is a number."""
    return isinstance(answer.get("error"), dict)
