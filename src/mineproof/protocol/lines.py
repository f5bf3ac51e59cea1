"""Messages as lines of JSON."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from mineproof.errors import FormatError, shorten

MOST_CHARACTERS = 8_000_000
"""The maximum length of a message."""


def read_line(line: str | bytes) -> dict[str, Any]:
    """Return the JSON object on a line, or raise an error."""
    if len(line) > MOST_CHARACTERS:
        raise FormatError(
            f"a message may have at most {MOST_CHARACTERS} characters, got {len(line)}"
        )
    text = line.decode(errors="replace") if isinstance(line, bytes) else line
    try:
        found = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise FormatError(f"expected a line of JSON, got {shorten(text.strip())!r}") from None
    if not isinstance(found, dict):
        raise FormatError(f"expected a JSON object, got {shorten(text.strip())!r}")
    return found


def write_line(message: dict[str, Any]) -> str:
    """Return a message as a line of JSON with a line break."""
    return f"{json.dumps(message, allow_nan=False)}\n"


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)
