"""JSON objects whose field `format` names their kind and version."""

from __future__ import annotations

import json
from typing import Any, TypeVar

import msgspec

from mineproof.errors import FormatError, InvalidInput, shorten
from mineproof.messages.decoding import decode

T = TypeVar("T", bound=msgspec.Struct)


def decode_labelled(kind: type[T], data: str | dict[str, Any], what: str) -> T:
    """Return the object of this type, whose tag is its format; errors call it `what`."""
    data = read_labelled(data, str(kind.__struct_config__.tag), what)
    try:
        return decode(kind, data, what)
    except InvalidInput as error:
        raise FormatError(f"in {what}: {error}") from None


def read_labelled(data: str | dict[str, Any], form: str, what: str) -> dict[str, Any]:
    """Return an object of this format from JSON text or data; errors call it `what`."""
    if isinstance(data, str):
        try:
            data = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"not JSON: {error} in {shorten(str(data))!r}") from None
    if not isinstance(data, dict) or data.get("format") != form:
        raise FormatError(f"not {what}: expected an object with 'format': {form!r}")
    return data
