"""The JSON Schemas of all messages, from which other descriptions of them are generated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from mineproof.messages.requests import Request
from mineproof.messages.responses import Responses

Schema = dict[str, Any]


def request_schemas(
    methods: Mapping[str, type[Request]], template: str = "#/$defs/{name}"
) -> tuple[dict[str, Schema], dict[str, Schema]]:
    """Return the schema of each method's requests, and the definitions that these refer to.

    The schemas leave out `method` and `id`. `template` is the form of references.
    """
    kinds = dict.fromkeys(methods.values())
    found, definitions = msgspec.json.schema_components(kinds, ref_template=template)
    schemas = dict(zip(kinds, found, strict=True))
    return {method: schemas[kind] for method, kind in methods.items()}, definitions


def response_schemas(
    methods: Responses, template: str = "#/$defs/{name}"
) -> tuple[dict[str, Schema], dict[str, Schema]]:
    """Return the schema of each method's responses, and the definitions that these refer to.

    The schemas leave out `method` and `id`, and errors.
    """
    kinds = dict.fromkeys(kind for kinds in methods.values() for kind in kinds)
    found, definitions = msgspec.json.schema_components(kinds, ref_template=template)
    schemas = dict(zip(kinds, found, strict=True))

    def of(kinds: tuple[type, ...]) -> Schema:
        first, *others = (schemas[kind] for kind in kinds)
        return {"anyOf": [first, *others]} if others else first

    return {method: of(kinds) for method, kinds in methods.items()}, definitions
