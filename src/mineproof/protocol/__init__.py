"""The JSON protocol: requests, responses, and the methods of a solver.

`Session().answer({"method": "odds", "view": "2x3/2 ???/121"})` returns the response as data. An
invalid request leads to an error response, never to an exception. Transports (pipes, sockets,
the web app) only carry messages. docs/protocol.md describes every message.
"""

from __future__ import annotations

from mineproof.protocol.error_responses import error_answer
from mineproof.protocol.heads import (
    PROTOCOL,
    fields_of,
    head,
    method_of,
    read_fields,
    read_method,
)
from mineproof.protocol.lines import MOST_CHARACTERS, read_line, write_line
from mineproof.protocol.session import Session

__all__ = [
    "MOST_CHARACTERS",
    "PROTOCOL",
    "Session",
    "error_answer",
    "fields_of",
    "head",
    "method_of",
    "read_fields",
    "read_line",
    "read_method",
    "write_line",
]
