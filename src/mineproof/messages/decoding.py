"""Turn JSON data into messages; an error names the field that is wrong and what it may be.

`msgspec` checks the data. Only if it refuses them, `problem` walks over the JSON Schema of the
message to say what is wrong, in phrases of the catalogue. The web app's worker checks its requests
with the twin of `problem`, `web/static/schema.js`, against the same schemas.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterator, Mapping
from functools import cache
from typing import Any, TypeVar, cast

import msgspec

from mineproof.errors import FormatError, InvalidInput, MineproofError, quote, unknown_name
from mineproof.phrases import say

T = TypeVar("T")
Schema = Mapping[str, Any]

At = tuple[str, str]
"""A place in a message: what the message is called, and the path inside it, as `deal.rows`."""


def decode(kind: type[T], data: Any, name: str) -> T:
    """Return the message of JSON data; `name` is what errors call the message itself."""
    try:
        return msgspec.convert(data, kind)
    except (msgspec.ValidationError, UnicodeEncodeError, RecursionError) as error:
        schema, definitions = _schema(cast(Hashable, kind))
        wrong: MineproofError | None = problem(data, schema, definitions, name)
        if wrong is None and isinstance(error.__cause__, MineproofError):
            wrong = error.__cause__  # raised by the message itself
        raise wrong or FormatError(f"{name} is not valid: {error}") from None


def problem(
    value: Any, schema: Schema, definitions: Mapping[str, Schema], name: str
) -> InvalidInput | None:
    """Return the error for the first place where JSON data do not fit a schema, if any.

    `name` is what errors call the data.
    """
    return next(_problems(value, schema, definitions, (name, "")), None)


@cache
def _schema(kind: Hashable) -> tuple[Schema, Mapping[str, Schema]]:
    (schema,), definitions = msgspec.json.schema_components([kind], ref_template="{name}")
    return schema, definitions


def _problems(
    value: Any, schema: Schema, definitions: Mapping[str, Schema], at: At
) -> Iterator[InvalidInput]:
    whole = schema
    fitting = [one for one in _each(schema, definitions) if _has_type(value, one)]
    if not fitting:
        yield _wrong_kind(value, schema, definitions, at)
        return
    schema = next((one for one in fitting if _has_tag(value, one)), fitting[0])
    if "enum" in schema:
        if value not in schema["enum"]:
            yield unknown_name(f"value of {_quote(at)}", value, map(str, schema["enum"]))
    elif schema.get("type") in {"integer", "number"}:
        yield from _number(value, schema, at)
    elif schema.get("type") == "string":
        most = schema.get("maxLength", math.inf)
        if len(value) > most:
            yield InvalidInput(say("refusal.length", name=_quote(at), most=most, got=len(value)))
        elif "pattern" in schema and not re.search(schema["pattern"], value):
            yield _wrong_kind(value, whole, definitions, at)
    elif schema.get("type") == "array":
        yield from _list(value, schema, definitions, at)
    elif schema.get("type") == "object":
        yield from _object(value, schema, definitions, at)


def _number(value: float, schema: Schema, at: At) -> Iterator[InvalidInput]:
    least, most = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    if least <= value <= most:
        return
    about = {"name": _quote(at), "least": least, "value": quote(value)}
    if most == math.inf:
        yield InvalidInput(say("refusal.least", **about))
    else:
        yield InvalidInput(say("refusal.range", most=most, **about))


def _list(
    values: list[Any], schema: Schema, definitions: Mapping[str, Schema], at: At
) -> Iterator[InvalidInput]:
    first = schema.get("prefixItems", [])
    least, most = schema.get("minItems", 0), schema.get("maxItems", math.inf)
    if first and not least <= len(values) <= most:
        yield _wrong_kind(values, schema, definitions, at)
    elif len(values) < least:
        yield InvalidInput(say("refusal.few", name=_quote(at), least=least, got=len(values)))
    elif len(values) > most:
        yield InvalidInput(say("refusal.many", name=_quote(at), most=most, got=len(values)))
    for number, value in enumerate(values):
        inner = first[number] if number < len(first) else schema.get("items", {})
        yield from _problems(value, inner, definitions, (at[0], f"{at[1]}[{number}]"))


def _object(
    value: dict[str, Any], schema: Schema, definitions: Mapping[str, Schema], at: At
) -> Iterator[InvalidInput]:
    fields, more = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name, one in value.items():
        path = f"{at[1]}.{name}".lstrip(".")
        if name in fields:
            yield from _problems(one, fields[name], definitions, (at[0], path))
        elif more is False:
            yield unknown_name(f"field of {_quote(at)}", str(name), fields)
        elif isinstance(more, dict):
            yield from _problems(one, more, definitions, (at[0], path))
    for name in schema.get("required", ()):
        if name not in value:
            about = fields[name].get("description") or _values(fields[name]) or "none"
            wrong = {"what": _quote(at), "name": repr(name), "about": about}
            yield InvalidInput(say("refusal.missing", **wrong))


def _each(schema: Schema, definitions: Mapping[str, Schema]) -> Iterator[Schema]:
    """Yield the alternatives of a schema, or the schema itself."""
    if "$ref" in schema:
        schema = {**definitions[schema["$ref"]], **schema}
    if "anyOf" not in schema:
        yield schema
    for one in schema.get("anyOf", ()):
        yield from _each(one, definitions)


def _has_type(value: Any, schema: Schema) -> bool:
    """Whether a JSON value has the type that a schema asks for; its bounds come later."""
    match "string" if "enum" in schema else schema.get("type"):
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "array":
            return isinstance(value, (list, tuple))
        case "object":
            return isinstance(value, dict)
        case "null":
            return value is None
    return True


def _has_tag(value: Any, schema: Schema) -> bool:
    """Whether an object has the field with a single allowed value that distinguishes types."""
    fields = schema.get("properties", {}) if isinstance(value, dict) else {}
    return any(one.get("enum") == [value.get(name)] for name, one in fields.items())


def _wrong_kind(
    value: Any, schema: Schema, definitions: Mapping[str, Schema], at: At
) -> InvalidInput:
    every = [*_each(schema, definitions)]
    kinds = [one for one in every if one.get("type") != "null"] or every
    *first, last = dict.fromkeys(map(_kind, kinds))
    either = say("list.or", first=", ".join(first), last=last) if first else last
    return InvalidInput(say("refusal.kind", name=_quote(at), kind=either, value=quote(value)))


def _kind(schema: Schema) -> str:
    """Return what a schema asks for, in words: its title, its values or its type."""
    if "enum" in schema:
        return say("refusal.kind-names", names=_values(schema))
    if "title" in schema and "properties" not in schema:
        return str(schema["title"])
    return say("refusal.kind-type", type=schema["type"])


def _values(schema: Schema) -> str:
    return ", ".join(map(str, schema.get("enum", ())))


def _quote(at: At) -> str:
    """Return the quoted path to a value, or the name of the message for the message itself."""
    name, path = at
    return repr(path) if path else name
