"""The JSON Schemas of all messages, from which other descriptions of them are generated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
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
    schemas, definitions = schemas_of(methods.values(), template)
    return {method: schemas[kind] for method, kind in methods.items()}, definitions


def response_schemas(
    methods: Responses, template: str = "#/$defs/{name}"
) -> tuple[dict[str, Schema], dict[str, Schema]]:
    """Return the schema of each method's responses, and the definitions that these refer to.

    The schemas leave out `method` and `id`, and errors.
    """
    schemas, definitions = schemas_of(chain.from_iterable(methods.values()), template)

    def of(kinds: tuple[type, ...]) -> Schema:
        first, *others = (schemas[kind] for kind in kinds)
        return {"anyOf": [first, *others]} if others else first

    return {method: of(kinds) for method, kinds in methods.items()}, definitions


def schemas_of(
    kinds: Iterable[type], template: str = "#/$defs/{name}"
) -> tuple[dict[type, Schema], dict[str, Schema]]:
    """Return the schemas of some types, and the definitions that these refer to."""
    kinds = [*dict.fromkeys(kinds)]
    found, definitions = msgspec.json.schema_components(kinds, ref_template=template)
    return dict(zip(kinds, found, strict=True)), _null_last(definitions)


def _null_last(schema: Any) -> Any:
    """Return a schema with null as the last alternative, whatever the version of msgspec."""
    if isinstance(schema, dict):
        new = {name: _null_last(one) for name, one in schema.items()}
        if isinstance(new.get("anyOf"), list):
            new["anyOf"].sort(key=lambda one: one == {"type": "null"})
        return new
    return [*map(_null_last, schema)] if isinstance(schema, list) else schema
