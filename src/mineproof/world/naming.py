"""Names with options, as people type them: `name`, `name:value`, `name:key=value,key=value`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mineproof.errors import InvalidInput, shorten, unknown_name

_WORDS = dict.fromkeys(("true", "yes", "on", "1"), True) | dict.fromkeys(
    ("false", "no", "off", "0"), False
)


def read_options(text: str, kinds: Mapping[str, type], kind: str) -> dict[str, Any]:
    """Return the options in the text after the colon, converted to their types.

    A bare value belongs to the first option. `kind` names the owner of the options in errors.
    """
    found: dict[str, Any] = {}
    names = list(kinds)
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = part.partition("=")
        if not equals:
            if not names:
                raise InvalidInput(f"{kind} takes no options, got {shorten(part)!r}")
            name, value = names[0], part
        if name not in kinds:
            if not names:
                raise InvalidInput(f"{kind} takes no options, got {shorten(part)!r}")
            raise unknown_name(f"option of {kind}", name, names)
        if name in found:
            raise InvalidInput(f"{kind}:{name} was given twice, the second time as {value!r}")
        found[name] = _value(value.strip(), kinds[name], f"{kind}:{name}")
    return found


def write_options(options: Mapping[str, Any]) -> str:
    """Return the text that `read_options` reads."""
    return ",".join(
        f"{name}={str(value).lower() if isinstance(value, bool) else value}"
        for name, value in options.items()
    )


def _value(text: str, kind: type, where: str) -> Any:
    try:
        return _WORDS[text.lower()] if kind is bool else kind(text)
    except (KeyError, ValueError):
        wanted = {bool: "true or false", int: "a whole number", float: "a number"}[kind]
        raise InvalidInput(f"{where} must be {wanted}, got {shorten(text)!r}") from None
