"""Messages as lines of JSON."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from mineproof.errors import FormatError, shorten
from mineproof.phrases import say

MOST_CHARACTERS = 8_000_000
"""The maximum length of a message."""


def read_line(line: str | bytes) -> dict[str, Any]:
    """Return the JSON object on a line, or raise an error."""
    if len(line) > MOST_CHARACTERS:
        raise FormatError(say("refusal.message-length", most=MOST_CHARACTERS, got=len(line)))
    text = line.decode(errors="replace") if isinstance(line, bytes) else line
    try:
        found = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise FormatError(say("refusal.not-json", text=repr(shorten(text.strip())))) from None
    if not isinstance(found, dict):
        raise FormatError(say("refusal.not-object", text=repr(shorten(text.strip()))))
    return found


def write_line(message: dict[str, Any]) -> str:
    """Return a message as a line of JSON with a line break."""
    return f"{json.dumps(message, allow_nan=False)}\n"


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)
