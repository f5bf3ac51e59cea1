"""JSON objects whose field `format` names their kind and version."""

from __future__ import annotations

import json
from typing import Any

from mineproof.errors import FormatError, shorten


def read_labelled(data: str | dict[str, Any], form: str, what: str, *older: str) -> dict[str, Any]:
    """Return an object of this format or an older one, from JSON text or data.

    Errors call it `what`.
    """
    if isinstance(data, str):
        try:
            data = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"not JSON: {error} in {shorten(str(data))!r}") from None
    if not isinstance(data, dict) or data.get("format") not in (form, *older):
        raise FormatError(f"not {what}: expected an object with 'format': {form!r}")
    return data
