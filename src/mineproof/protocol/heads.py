"""The method and the id of a request, which its responses repeat."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from mineproof.errors import InvalidInput, quoted, unknown_name
from mineproof.messages.values import check_id, is_id, is_unicode
from mineproof.phrases import say


def head(message: Any) -> dict[str, Any]:
    """Return the first fields of every response: id and method, if they are safe to repeat."""
    known = message if isinstance(message, dict) else {}
    name, verb = known.get("id"), known.get("do")
    found = {"id": name} if is_id(name) else {}
    return found | {"do": verb if isinstance(verb, str) and is_id(verb) else None}


def read_verb(message: Any, known: Collection[str]) -> str:
    """Return the method of a valid request, or raise an error."""
    if not isinstance(message, dict):
        shape = '{"do": METHOD, ...}'
        raise InvalidInput(say("refusal.request", shape=shape, value=quoted(message)))
    name, verb = message.get("id"), message.get("do")
    if name is not None:
        check_id(name, "id")
    for text in _texts(message):
        if not is_unicode(text):
            raise InvalidInput(say("refusal.surrogate", text=quoted(text)))
    if not isinstance(verb, str):
        raise InvalidInput(say("refusal.method", value=quoted(verb)))
    if verb not in known:
        raise unknown_name("method", verb, known)
    return verb


def _texts(message: Any) -> Iterator[str]:
    """Yield all strings in a JSON value, at any depth."""
    waiting = [message]
    while waiting:
        match waiting.pop():
            case str(text):
                yield text
            case dict(entries):
                waiting += (*entries, *entries.values())
            case list(entries):
                waiting += entries
