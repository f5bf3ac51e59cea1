"""Names with options, as people type them: `name`, `name:value`, `name:key=value,key=value`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mineproof.errors import InvalidInput, quote, shorten, unknown_name
from mineproof.phrases import say

_WORDS = dict.fromkeys(("true", "yes", "on", "1"), True) | dict.fromkeys(
    ("false", "no", "off", "0"), False
)

_NAME = re.compile(r"""\s*(?:(["'])((?:(?!\1).)*)\1|([^"',\s][^,]*)?)\s*(?:,|$)""", re.DOTALL)
"""A name of a list, in quotes or up to the next comma."""


def split_names(text: str) -> list[str]:
    """Split a list of names at its commas, which also separate the options of a name.

    A part without a colon and with `=` is an option of the name before it. Quoted text is one name.
    """
    found: list[str] = []
    at = 0
    while at < len(text):
        if not (name := _NAME.match(text, at)):
            mark, shown = text[at:].lstrip()[0], shorten(text)
            raise InvalidInput(f"expected {mark} and a comma after a quoted name in {shown!r}")
        at = name.end()
        mark, inner, plain = name.groups(default="")
        part = (inner or plain).strip()
        if found and not mark and ":" in found[-1] and "=" in part and ":" not in part:
            found[-1] += f",{part}"
        elif part:
            found.append(part)
    return found


def read_options(text: str, kinds: Mapping[str, type] | None, owner: str) -> dict[str, Any]:
    """Return the options in the text after the colon, converted to their types.

    A bare value belongs to the first option. Without `kinds` every name is accepted, and a value is
    true, false, a number or text. `owner` names what has the options, for errors.
    """
    found: dict[str, Any] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        name, equals, value = part.partition("=")
        if kinds and not equals:
            name, value = next(iter(kinds)), part
        if kinds is None and not (equals and name.isidentifier()):
            raise InvalidInput(f"expected an option as name=value, got {quote(part)}")
        if kinds is not None and not kinds:
            raise InvalidInput(say("refusal.no-options", owner=owner, option=repr(shorten(part))))
        if kinds is not None and name not in kinds:
            raise unknown_name(f"option of {owner}", name, kinds)
        if name in found:
            twice = {"name": f"{owner}:{name}", "value": repr(value)}
            raise InvalidInput(say("refusal.option-twice", **twice))
        kind = None if kinds is None else kinds[name]
        found[name] = _value(value.strip(), kind, f"{owner}:{name}")
    return found


def write_options(options: Mapping[str, Any]) -> str:
    """Return the text that `read_options` reads."""
    return ",".join(
        f"{name}={str(value).lower() if isinstance(value, bool) else value}"
        for name, value in options.items()
    )


def _value(text: str, kind: type | None, where: str) -> Any:
    if kind is None:
        return _guessed(text)
    try:
        return _WORDS[text.lower()] if kind is bool else kind(text)
    except (KeyError, ValueError):
        wanted = {bool: "truth", int: "whole", float: "number"}[kind]
        about = {"name": where, "kind": wanted, "value": repr(shorten(text))}
        raise InvalidInput(say("refusal.option", **about)) from None


def _guessed(text: str) -> Any:
    """Return true or false, a whole number or a number; otherwise the text itself."""
    if text.lower() in {"true", "false"}:
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
