"""Responses as text."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import Response

from mineproof.web.request_errors import error, is_error

STATUS = {
    "forbidden": 403,
    "unknown": 404,
    "stopped": 408,
    "illegal": 409,
    "contradiction": 409,
    "not-found": 409,
    "large": 413,
    "agent": 422,
    "engine": 422,
    "failed": 422,
    "memory": 422,
    "busy": 429,
    "fault": 500,
    "store": 503,
}
"""The HTTP status of each kind of error; 400 for all others."""


def text(answer: dict[str, Any]) -> str:
    """Return a response as a line of ASCII JSON (file names may not be valid UTF-8)."""
    return json.dumps(answer, separators=(",", ":"), allow_nan=False)


def response(answer: dict[str, Any]) -> Response:
    """Return a response over HTTP."""
    status = STATUS.get(answer["error"]["kind"], 400) if is_error(answer) else 200
    return Response(text(answer), status, media_type="application/json")


def refused(status: int, kind: str, message: str) -> Response:
    """Return an HTTP error that is sent before a request is read."""
    return Response(
        text({"method": None, **error(kind, message)}), status, media_type="application/json"
    )
