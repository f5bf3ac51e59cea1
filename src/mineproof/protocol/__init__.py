"""The JSON protocol: requests, responses, and the methods of a solver.

`Session().answer({"do": "odds", "view": "2x3/2 ???/121"})` returns the response as data. An
invalid request leads to an error response, never to an exception. Transports (pipes, sockets,
the web app) only carry messages. docs/protocol.md describes every message.
"""

from __future__ import annotations

from mineproof.protocol.faults import error_answer
from mineproof.protocol.fields import Field, read_fields
from mineproof.protocol.heads import head, read_verb
from mineproof.protocol.lines import MOST_CHARACTERS, read_line, write_line
from mineproof.protocol.session import Session
from mineproof.protocol.verbs import PROTOCOL, VERBS

__all__ = [
    "MOST_CHARACTERS",
    "PROTOCOL",
    "VERBS",
    "Field",
    "Session",
    "error_answer",
    "head",
    "read_fields",
    "read_line",
    "read_verb",
    "write_line",
]
