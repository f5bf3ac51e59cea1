"""Write docs/messages.md, the fields of all messages, from their types (part of `make docs`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mineproof.messages.field_tables import FieldRow, rows
from mineproof.messages.files import InfluenceFile
from mineproof.messages.game_requests import SERVER
from mineproof.messages.game_responses import SERVER_RESPONSES
from mineproof.messages.records import RecordData
from mineproof.messages.requests import SOLVER
from mineproof.messages.responses import ErrorResponse
from mineproof.messages.schemas import request_schemas, response_schemas, schemas_of

Schemas = dict[str, dict[str, Any]]
FILES: dict[str, type] = {
    "Records": RecordData,
    "Chains of influence": InfluenceFile,
}
"""The files whose fields are listed, by title."""

PAGE = Path(__file__).parents[1] / "docs" / "messages.md"
INTRODUCTION = """\
# Messages

The fields of all requests and responses of the [JSON protocol](protocol.md), version 2, and of
[files](#files). Every request also has `method` and may have `id`; its responses repeat both.
Fields in bold are required in requests and files, and always there in responses. A field that is
null in a request counts as absent.

"""


def page() -> str:
    """Return the page."""
    requests, definitions = request_schemas(SERVER, "{name}")
    responses, more = response_schemas(SERVER_RESPONSES | {"error": (ErrorResponse,)}, "{name}")
    files, parts_of_files = schemas_of(FILES.values(), "{name}")
    every = definitions | more | parts_of_files
    top = {schema["$ref"] for schema in (*requests.values(), *files.values())}
    top |= {name for schema in responses.values() for name in _names(schema)}
    sections = {files[kind]["$ref"]: title for title, kind in FILES.items()}
    shared = {name for name in top - sections.keys() if _is_part(name, every)}
    inner = sorted({*every.keys() - top, *shared})
    links = {name: name.lower() for name in inner}
    links |= {name: title.lower().replace(" ", "-") for name, title in sections.items()}
    parts = [INTRODUCTION, "## Methods\n\n"]
    for method, schema in requests.items():
        if method not in SOLVER and "## Methods of a server\n\n" not in parts:
            parts.append("## Methods of a server\n\n")
        parts += _method(method, schema["$ref"], _names(responses[method]), every)
    parts += ["## Errors\n\n", _about("ErrorResponse", every), _table("ErrorResponse", every)]
    parts.append("## Files\n\n")
    for name, title in sections.items():
        parts += [f"### {title}\n\n", _about(name, every), _table(name, every)]
    parts.append("## Types\n\n")
    for name in inner:
        parts += [f"### {name}\n\n", _about(name, every), _table(name, every)]
    return _linked("".join(parts), links).rstrip() + "\n"


def _method(method: str, request: str, responses: list[str], every: Schemas) -> Iterator[str]:
    yield f"### `{method}`\n\n"
    yield _about(request, every)
    yield _table(request, every, "request")
    for name in responses:
        if len(responses) > 1:
            yield _about(name, every)
        yield _table(name, every, "response")


def _about(name: str, every: Schemas) -> str:
    return f"{every[name]['description']}\n\n"


def _table(name: str, every: Schemas, head: str = "field") -> str:
    schema: Mapping[str, Any] = every[name]
    if "prefixItems" in schema:
        return ""
    lines = [f"| {_shown(row)} | {row.value} | {row.about} |\n" for row in rows(schema)]
    return f"| {head} | value | meaning |\n| --- | --- | --- |\n{''.join(lines)}\n" if lines else ""


def _shown(row: FieldRow) -> str:
    return f"**`{row.name}`**" if row.required else f"`{row.name}`"


def _names(schema: Mapping[str, Any]) -> list[str]:
    return [one["$ref"] for one in schema.get("anyOf", [schema])]


def _is_part(name: str, every: Schemas) -> bool:
    return f"'$ref': '{name}'" in str(every)


def _linked(text: str, links: Mapping[str, str]) -> str:
    """Return the page with a link to each type in the column of values."""
    known = "|".join(links)

    def linked(line: re.Match[str]) -> str:
        value = re.sub(rf"\b({known})\b", lambda one: f"[{one[0]}](#{links[one[0]]})", line[2])
        return f"{line[1]}{value}{line[3]}"

    return re.sub(r"^(\| [^|]* \| )([^|]*)( \|.*)$", linked, text, flags=re.MULTILINE)


if __name__ == "__main__":
    if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page():
        PAGE.write_text(page(), encoding="utf-8")
        print("wrote messages.md")
