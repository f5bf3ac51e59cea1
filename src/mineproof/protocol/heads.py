"""The head of a message: its verb and its id, read from a request and echoed in its answers."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from typing import Any

from mineproof.errors import InvalidInput, quoted, unknown_name

MOST_HEAD = 64
"""Characters of an id, and of a verb that is echoed: every answer repeats them."""


def head(message: Any) -> dict[str, Any]:
    """What every answer to a message begins with: only what is safe to repeat is repeated."""
    known = message if isinstance(message, dict) else {}
    name, verb = known.get("id"), known.get("do")
    found = {"id": name} if is_id(name) else {}
    return found | {"do": verb if isinstance(verb, str) and is_id(verb) else None}


def read_verb(message: Any, known: Collection[str]) -> str:
    """The verb of a message whose head and texts can be used; any other message is refused."""
    if not isinstance(message, dict):
        raise InvalidInput(f'a message is an object, {{"do": VERB, ...}}, got {quoted(message)}')
    name, verb = message.get("id"), message.get("do")
    if name is not None:
        check_id(name, "id")
    for text in _texts(message):
        if not is_unicode(text):
            raise InvalidInput(f"a text has half a character, a lone surrogate: {quoted(text)}")
    if not isinstance(verb, str):
        raise InvalidInput(f"a message says what to do: 'do' is a text, got {quoted(verb)}")
    if verb not in known:
        raise unknown_name("verb", verb, known)
    return verb


def check_id(value: Any, field: str) -> Any:
    """The id of a request."""
    if not is_id(value):
        allowed = f"a text or a number of at most {MOST_HEAD} characters"
        raise InvalidInput(f"{field!r} is {allowed}, got {quoted(value)}")
    return value


def is_id(value: Any) -> bool:
    """Whether a value can be the id of a request: what JSON can write, and short."""
    if isinstance(value, str):
        return len(value) <= MOST_HEAD and is_unicode(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    if isinstance(value, float):
        return math.isfinite(value)
    return value.bit_length() < 4 * MOST_HEAD and len(str(value)) <= MOST_HEAD


def is_unicode(text: str) -> bool:
    r"""Whether a text is whole: JSON can write half a character, `"\ud800"`, and UTF-8 cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _texts(message: Any) -> Iterator[str]:
    """All texts in a JSON value, however deeply it is nested."""
    waiting = [message]
    while waiting:
        match waiting.pop():
            case str(text):
                yield text
            case dict(entries):
                waiting += (*entries, *entries.values())
            case list(entries):
                waiting += entries
