"""The method, the version and the id of a request, and its fields as a typed request.

Version 2 of the protocol names the method `method`. In version 1 that field is `do`, and some
methods have other names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mineproof.errors import InvalidInput, quote, unknown_name
from mineproof.messages.decoding import decode
from mineproof.messages.requests import OLD_NAMES, Request
from mineproof.messages.values import check_id, is_id, is_unicode
from mineproof.phrases import say

PROTOCOL = 2
"""The version of the protocol; it increases with every incompatible change."""
HEAD = ("do", "method", "id")
"""The fields of requests and responses that are not part of their types."""
_OLD_NAMES = {new: old for old, new in OLD_NAMES.items()}


def version_of(message: Any) -> int:
    """Return the version of the protocol of a request, even if it is not valid."""
    return 2 if isinstance(message, dict) and "method" in message and "do" not in message else 1


def head(message: Any) -> dict[str, Any]:
    """Return the first fields of every response: id and method, if they are safe to repeat."""
    known = message if isinstance(message, dict) else {}
    key = "method" if version_of(message) == 2 else "do"
    name, method = known.get("id"), known.get(key)
    found = {"id": name} if is_id(name) else {}
    return found | {key: method if isinstance(method, str) and is_id(method) else None}


def fields_of(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message without its first fields."""
    return {name: value for name, value in message.items() if name not in HEAD}


def method_of(message: Mapping[str, Any]) -> Any:
    """Return the method of a request, whatever its version; it may not exist."""
    if version_of(message) == 2:
        return message["method"]
    method = message.get("do")
    return OLD_NAMES.get(method, method) if isinstance(method, str) else method


def names_in(version: int, methods: Iterable[str]) -> list[str]:
    """Return the names of methods in a version of the protocol."""
    return [_OLD_NAMES.get(one, one) if version == 1 else one for one in methods]


def read_method(message: Any, methods: Iterable[str]) -> str:
    """Return the method of a request, or raise an error; its fields are not checked."""
    if not isinstance(message, dict):
        shape = '{"method": METHOD, ...}'
        raise InvalidInput(say("refusal.request", shape=shape, value=quote(message)))
    name = message.get("id")
    if name is not None:
        check_id(name, "id")
    for text in _texts(message):
        if not is_unicode(text):
            raise InvalidInput(say("refusal.surrogate", text=quote(text)))
    if "do" in message and "method" in message:
        raise InvalidInput(say("refusal.two-names"))
    version = version_of(message)
    called = message["method"] if version == 2 else message.get("do")
    if not isinstance(called, str):
        about = {"name": repr("method"), "value": quote(called)}
        raise InvalidInput(say("refusal.text" if version == 2 else "refusal.method", **about))
    known = names_in(version, methods)
    if called not in known:
        raise unknown_name("method", called, known)
    return str(method_of(message))


def read_request(message: Any, methods: Mapping[str, type[Request]]) -> tuple[str, Request]:
    """Return the method of a request and its fields, or raise an error."""
    method = read_method(message, methods)
    return method, read_fields(message, methods[method])


def read_fields(message: Mapping[str, Any], kind: type[Request]) -> Request:
    """Return the fields of a request whose method is valid."""
    called = message.get("method", message.get("do"))
    return decode(kind, fields_of(message), quote(called))


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
