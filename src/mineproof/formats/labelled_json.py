"""JSON objects whose field `format` names their kind and version."""

from __future__ import annotations

import json
from typing import Any, TypeVar

import msgspec

from mineproof.errors import FormatError, InvalidInput, shorten
from mineproof.messages.decoding import decode

T = TypeVar("T", bound=msgspec.Struct)


def decode_labelled(kind: type[T], data: str | dict[str, Any], what: str, *older: type[T]) -> T:
    """Return the object of this type, or of an older version; errors call it `what`.

    The tag of a type is its format.
    """
    if isinstance(data, str):
        try:
            data = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"not JSON: {error} in {shorten(str(data))!r}") from None
    form = data.get("format") if isinstance(data, dict) else None
    for one in (kind, *older):
        if form == one.__struct_config__.tag:
            try:
                return decode(one, data, what)
            except InvalidInput as error:
                raise FormatError(f"in {what}: {error}") from None
    expected = kind.__struct_config__.tag
    raise FormatError(f"not {what}: expected an object with 'format': {expected!r}")
