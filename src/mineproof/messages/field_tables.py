"""The fields of a message as rows of a table, for documentation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

Schema = Mapping[str, Any]

_FORMAT = "the name and version of the format"


class FieldRow(NamedTuple):
    """A field: its name, its value in words, its meaning, and whether it is always there."""

    name: str
    value: str
    about: str
    required: bool


def rows(schema: Schema) -> Iterator[FieldRow]:
    """Yield the fields of an object; null is not mentioned where it means that one is absent."""
    for name, field in schema.get("properties", {}).items():
        required = name in schema["required"]
        alternatives = field.get("anyOf", [field])
        kinds = [one for one in alternatives if required or one.get("type") != "null"]
        about = field.get("description", _FORMAT if name == "format" else "")
        yield FieldRow(name, _either(map(value, kinds)), about, required)


def value(schema: Schema) -> str:
    """Return in words what a schema allows."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "title" in schema:
        return str(schema["title"])
    if "enum" in schema:
        return _either(map(str, schema["enum"]))
    if "anyOf" in schema:
        return _either(map(value, schema["anyOf"]))
    kind = schema.get("type", "any value")
    if kind == "array":
        return _list(schema)
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_inner(schema['additionalProperties'])}"
    least, most = schema.get("minimum"), schema.get("maximum")
    if most is not None:
        return f"{kind} {least} to {most:.12g}"
    return str(kind) if least is None else f"{kind} from {least}"


def _list(schema: Schema) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(map(value, schema['prefixItems']))}]"
    return f"list of {_inner(schema['items'])}" if schema.get("items") else "list"


def _inner(schema: Schema) -> str:
    text = value(schema)
    if len(schema.get("anyOf", schema.get("enum", ()))) > 1:
        return f"({text})"
    return re.sub(r"^(?:a )?([a-z]+)\b", r"\1s", text)


def _either(texts: Iterator[str]) -> str:
    *first, last = dict.fromkeys(texts)
    return f"{', '.join(first)} or {last}" if first else last
