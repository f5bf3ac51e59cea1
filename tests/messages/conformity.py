"""Responses match their types. The test clients check every response that they receive."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from mineproof.messages.decoding import problem
from mineproof.messages.game_responses import SERVER_RESPONSES
from mineproof.messages.requests import OLD_NAMES
from mineproof.messages.responses import ErrorResponse, ResponseHead

Schemas = list[dict[str, Any]]


def check_response(answer: Mapping[str, Any]) -> None:
    """Check that a response has all fields that its type has, and no others."""
    shown = dict(answer)
    if "do" in shown:  # version 1
        assert "method" not in shown
        shown["method"] = shown.pop("do")
        if "verbs" in shown:
            shown["methods"] = shown.pop("verbs")
    head = {name: shown.pop(name) for name in ("id", "method") if name in shown}
    ((schema,), definitions) = _schemas((ResponseHead,))
    assert problem(head, schema, definitions, "a head") is None, answer
    method = head["method"]
    kinds: tuple[type, ...] = (ErrorResponse,)
    if not isinstance(shown.get("error"), dict):  # `odds` has a field `error`, which is a number
        assert isinstance(method, str), answer
        kinds = SERVER_RESPONSES[OLD_NAMES.get(method, method)]
    schemas, definitions = _schemas(kinds)
    wrong = [problem(shown, schema, definitions, "a response") for schema in schemas]
    assert None in wrong, (list(map(str, wrong)), answer)


@cache
def _schemas(kinds: tuple[type, ...]) -> tuple[Schemas, dict[str, Any]]:
    """Return schemas that allow no other fields, and their definitions."""
    schemas, definitions = msgspec.json.schema_components(kinds, ref_template="{name}")
    for one in definitions.values():
        if "properties" in one:
            one["additionalProperties"] = False
    return list(schemas), definitions
