"""Messages as lines of JSON."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from mineproof.errors import FormatError, shorten

MOST_CHARACTERS = 8_000_000
"""A message has no more."""


def read_line(line: str | bytes) -> dict[str, Any]:
    """The message on a line; anything else than a JSON object is refused."""
    if len(line) > MOST_CHARACTERS:
        raise FormatError(f"a message has at most {MOST_CHARACTERS} characters, got {len(line)}")
    text = line.decode(errors="replace") if isinstance(line, bytes) else line
    try:
        found = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise FormatError(f"a message is a line of JSON, got {shorten(text.strip())!r}") from None
    if not isinstance(found, dict):
        raise FormatError(f"a message is a JSON object, got {shorten(text.strip())!r}")
    return found


def write_line(message: dict[str, Any]) -> str:
    """A message as a line, with its end."""
    return f"{json.dumps(message, allow_nan=False)}\n"


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)
