"""The description of the HTTP API: OpenAPI data, and a page without scripts made from it."""

from __future__ import annotations

from html import escape
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from mineproof import __version__
from mineproof.boards.deducing import REASONING
from mineproof.protocol import VERBS as SOLVER_VERBS
from mineproof.protocol import Field
from mineproof.web import limits
from mineproof.web.answering import STATUS
from mineproof.web.verbs import VERBS, fields_of
from mineproof.world.board import LEVELS, OPENINGS
from mineproof.world.move import ACTS
from mineproof.world.rules import ON_MINE

Schema = dict[str, Any]


def _whole(least: int, most: int) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most}


_TEXT: Schema = {"type": "string", "maxLength": 10_000}
_NAME: Schema = {"type": "string", "maxLength": 64}
_TRUTH: Schema = {"type": "boolean"}
_SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
_CELL: Schema = {"type": "array", "items": _whole(0, 999), "minItems": 2, "maxItems": 2}
_OBJECT: Schema = {"type": "object"}
_LIST: Schema = {"type": "array", "items": {"type": "array"}}
_SIZED: Schema = {
    "type": "object",
    "properties": {
        "level": {"enum": list(LEVELS)},
        "rows": _whole(1, 1000),
        "cols": _whole(1, 1000),
        "mines": _whole(0, limits.CELLS),
        "density": _SHARE,
        "independent": _TRUTH,
    },
    "additionalProperties": False,
}
_RULES: Schema = {
    "type": "object",
    "properties": {
        "on_mine": {"enum": list(ON_MINE)},
        "opening": {"enum": list(OPENINGS)},
        "count_known": _TRUTH,
        "density": _SHARE,
        "flood": _TRUTH,
    },
    "additionalProperties": False,
}
SCHEMAS: dict[str, Schema] = {
    "action": {"enum": list(ACTS)},
    "agent": _TEXT,
    "agents": {"type": "array", "items": _TEXT, "minItems": 1, "maxItems": limits.ARENA_AGENTS},
    "all": _TRUTH,
    "at": _whole(0, 10**6),
    "before": {"type": "number", "minimum": 0},
    "best": _whole(1, 10**6),
    "board": {"type": "string", "description": "`2x3/1 *../...`"},
    "budget": {"anyOf": [{"enum": ["fast", "default", "max"]}, _whole(1, 10**9)]},
    "cell": _CELL,
    "chain": _whole(1, 10**6),
    "clues": _TEXT | {"description": "as on the command line: exact, optimistic, ..."},
    "count": _whole(1, 1000),
    "deal": _SIZED,
    "density": _SHARE,
    "events": _LIST,
    "game": _NAME,
    "again": _NAME,
    "games": _whole(1, limits.ARENA_GAMES),
    "level": {"enum": [*LEVELS, "other"]},
    "limit": _whole(1, limits.LISTED),
    "n": _whole(0, 10**6),
    "of": {"type": ["string", "number"], "maxLength": 64},
    "opening": {"enum": list(OPENINGS)},
    "reasoning": {"enum": list(REASONING)},
    "needs": {"enum": list(REASONING)},
    "record": _OBJECT | {"description": "a record, as `play --json` prints it"},
    "rules": _RULES,
    "seed": {"anyOf": [_whole(0, 2**53), {"type": "string", "pattern": "^[0-9]{1,20}$"}]},
    "shows": _LIST,
    "start": _CELL,
    "steps": _whole(1, 10**6),
    "study": _NAME,
    "text": {"type": "string", "description": "the content of a file with games"},
    "tries": _whole(1, 10**6),
    "view": {"type": "string", "description": "`2x3/2 ???/121`"},
}
"""The schemas of fields by name; a name has the same schema in all methods."""

_ERROR: Schema = {
    "type": "object",
    "required": ["do", "error"],
    "properties": {
        "do": {"type": ["string", "null"]},
        "error": {
            "type": "object",
            "required": ["kind", "message"],
            "properties": {"kind": {"type": "string"}, "message": {"type": "string"}},
        },
    },
}
_ONLY_IN_TALKS = {"new", "position", "tell", "undo", "stop", "quit"}
"""Methods that need a connection with a memory."""


def describe() -> dict[str, Any]:
    """Return the OpenAPI description."""
    verbs = [*(verb for verb in SOLVER_VERBS if verb not in _ONLY_IN_TALKS), *VERBS]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "mineproof",
            "version": __version__,
            "description": "The methods of mineproof over HTTP. The WebSocket /ws takes the same "
            'requests as {"do": METHOD, "id": ..., ...}; there, a position can be set for several '
            'requests, and {"do": "stop", "of": ID} stops a request.',
        },
        "paths": {f"/api/{verb}": {"post": _operation(verb)} for verb in verbs},
    }


def _operation(verb: str) -> dict[str, Any]:
    fields = fields_of(verb)
    many = verb in VERBS and VERBS[verb].many
    form = "application/x-ndjson" if many else "application/json"
    answer = {"description": "the responses, one per line" if many else "the response"}
    wrong = {"application/json": {"schema": _ERROR}}
    return {
        "operationId": verb,
        "summary": (VERBS[verb] if verb in VERBS else SOLVER_VERBS[verb]).about,
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": _request(fields)}},
        },
        "responses": {
            "200": answer | {"content": {form: {"schema": {} if many else _OBJECT}}},
            **{
                str(status): {"description": "an error", "content": wrong}
                for status in sorted({400, *STATUS.values()} - {500})
            },
        },
    }


def _request(fields: Any) -> Schema:
    needed = [name for name, field in fields.items() if field.needed]
    return {
        "type": "object",
        "properties": {name: _field(name, field) for name, field in fields.items()},
        "additionalProperties": False,
        **({"required": needed} if needed else {}),
    }


def _field(name: str, field: Field) -> Schema:
    return {"description": field.about, **SCHEMAS.get(name, _TRUTH)}


async def openapi(_: Request) -> Response:
    """Answer /openapi.json."""
    return JSONResponse(describe())


async def docs(_: Request) -> Response:
    """Answer /docs."""
    spec = describe()
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>mineproof API</title>"
        "<meta name='viewport' content='width=device-width'>"
        "<link rel='stylesheet' href='/docs.css'>",
        f"<h1>mineproof {escape(__version__)}: HTTP API</h1>",
        f"<p>{escape(spec['info']['description'])} <a href='/openapi.json'>openapi.json</a></p>",
    ]
    for path, methods in spec["paths"].items():
        parts.append(_section(path, methods["post"]))
    return HTMLResponse("\n".join(parts))


def _section(path: str, operation: dict[str, Any]) -> str:
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    needed = schema.get("required", [])
    rows = "".join(
        f"<tr><td><code>{escape(name)}</code>{' (required)' if name in needed else ''}</td>"
        f"<td>{escape(one.get('description', ''))}</td>"
        f"<td><code>{escape(_short(one))}</code></td></tr>"
        for name, one in schema["properties"].items()
    )
    table = f"<table><tr><th>field<th>meaning<th>value</tr>{rows}</table>" if rows else ""
    many = "application/x-ndjson" in operation["responses"]["200"]["content"]
    note = "<p>Several responses, one per line.</p>" if many else ""
    about = f"<p>{escape(operation['summary'])}</p>"
    return f"<h2><code>POST {escape(path)}</code></h2>{about}{note}{table}"


def _short(schema: Schema) -> str:
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "anyOf" in schema:
        return " or ".join(map(_short, schema["anyOf"]))
    if "properties" in schema:
        return f"{{{', '.join(schema['properties'])}}}"
    bounds = f" {schema['minimum']} to {schema['maximum']}" if "maximum" in schema else ""
    return f"{schema.get('type', 'anything')}{bounds}"
