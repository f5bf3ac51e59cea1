"""Write the web app's schemas and TypeScript types of messages (part of `make docs`).

`messages.json` contains what the web app's worker needs to check requests; `messages.d.ts` is only
for the type checker.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from mineproof.errors import MineproofError
from mineproof.messages.game_requests import SERVER
from mineproof.messages.game_responses import SERVER_RESPONSES
from mineproof.messages.requests import OLD_NAMES
from mineproof.messages.responses import ErrorResponse
from mineproof.messages.schemas import request_schemas, response_schemas
from mineproof.web.app import STATIC
from mineproof.world.board import LEVELS

Schema = Mapping[str, Any]

SCHEMAS = STATIC / "messages.json"
TYPES = STATIC / "messages.d.ts"
_HEAD = "// Written by `python -m tools.message_types` from the types in mineproof/messages.\n"
_PLAIN = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean"}


def schemas() -> str:
    """Return the content of `messages.json`: one line per method and definition."""
    requests, definitions = request_schemas(SERVER, "{name}")
    parts: dict[str, Any] = {
        "requests": {method: schema["$ref"] for method, schema in requests.items()},
        "definitions": {name: _checked(schema) for name, schema in definitions.items()},
        "old_names": OLD_NAMES,
        "levels": {name: level._asdict() for name, level in LEVELS.items()},
    }
    return _written(parts, depth=2) + "\n"


def types() -> str:
    """Return the content of `messages.d.ts`."""
    requests, definitions = request_schemas(SERVER, "{name}")
    responses, others = response_schemas(SERVER_RESPONSES, "{name}")
    _, errors = response_schemas({"": (ErrorResponse,)}, "{name}")
    for name, schema in (others | errors).items():
        if definitions.setdefault(name, schema) != schema:
            raise MineproofError(f"two types of messages have the name {name}")
    parts = [_HEAD, *(_definition(name, schema) for name, schema in definitions.items())]
    parts.append(_by_method("Requests", requests, definitions))
    parts.append(_by_method("Responses", responses, definitions))
    return "\n".join(parts)


def _written(value: Any, depth: int) -> str:
    """Return JSON with a line for each entry of the outer `depth` levels of objects."""
    if depth == 0 or not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    inner = [f"{json.dumps(name)}:{_written(one, depth - 1)}" for name, one in value.items()]
    return "{\n" + ",\n".join(inner) + "\n}"


def _checked(schema: Any, required: bool = False) -> Any:
    """Return the checked parts of a schema, with the texts that errors quote."""
    if isinstance(schema, list):
        return [_checked(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    unread = {"default", "discriminator", "examples"}
    unread |= set() if required else {"description"}
    unread |= {"title"} if "properties" in schema else set()
    kept = {name: _checked(one) for name, one in schema.items() if name not in unread}
    if "properties" in schema:
        kept["properties"] = {
            name: _checked(one, name in schema["required"])
            for name, one in schema["properties"].items()
        }
    return kept


def _definition(name: str, schema: Schema) -> str:
    """Return the declaration of a type."""
    about = _comment(schema["description"]) if "description" in schema else ""
    if "properties" not in schema:
        return f"{about}export type {name} = {_type(schema)};\n"
    closed = schema.get("additionalProperties") is False
    fields = "".join(
        _field(field, one, field in schema["required"], closed)
        for field, one in schema["properties"].items()
    )
    body = f"{{\n{fields}}}" if fields else "{}"
    return f"{about}export interface {name} {body}\n"


def _field(name: str, schema: Schema, required: bool, closed: bool) -> str:
    """Return a field; in closed types, those of requests, null means no field and is left out."""
    about = _comment(schema["description"], "  ") if "description" in schema else ""
    kinds = schema.get("anyOf", [schema])
    if closed and "default" in schema:
        kinds = [one for one in kinds if one.get("type") != "null"]
    return f"{about}  {name}{'' if required else '?'}: {_union(map(_type, kinds))};\n"


def _by_method(name: str, methods: Mapping[str, Schema], definitions: Mapping[str, Schema]) -> str:
    """Return the interface that has the type of the messages of each method."""
    lines = []
    for method, schema in methods.items():
        about = definitions.get(schema.get("$ref", ""), {}).get("description")
        lines.append(f"{_comment(about, '  ') if about else ''}  {json.dumps(method)}: ")
        lines.append(f"{_type(schema)};\n")
    return f"export interface {name} {{\n{''.join(lines)}}}\n"


def _comment(text: str, indent: str = "") -> str:
    return f"{indent}/** {' '.join(text.split())} */\n"


def _union(kinds: Iterable[str]) -> str:
    return " | ".join(dict.fromkeys(kinds))


def _type(schema: Schema) -> str:
    """Return the type of the values that a schema describes."""
    match schema:
        case {"$ref": name}:
            return str(name)
        case {"anyOf": kinds}:
            return _union(map(_type, kinds))
        case {"enum": values}:
            return _union(map(json.dumps, values))
        case {"type": "array"}:
            return _array(schema)
        case {"type": "object", "additionalProperties": dict(inner)}:
            return f"Record<string, {_type(inner)}>"
        case {"type": "object"}:
            return "Record<string, unknown>"
        case {"type": "null"}:
            return "null"
        case {"type": str(name)}:
            return _PLAIN[name]
    return "unknown"


def _array(schema: Schema) -> str:
    if "prefixItems" not in schema:
        inner = _type(schema["items"]) if schema.get("items") else "unknown"
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    least = schema.get("minItems", 0)
    kinds = [_type(one) for one in schema["prefixItems"]]
    entries = [kind if at < least else f"({kind})?" for at, kind in enumerate(kinds)]
    return f"[{', '.join(entries)}]"


def files() -> dict[Path, str]:
    """Return the generated files and their content."""
    return {SCHEMAS: schemas(), TYPES: types()}


if __name__ == "__main__":
    for path, text in files().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.name}")
