"""The description of the HTTP API: OpenAPI data, and a page without scripts made from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from mineproof import __version__
from mineproof.messages.field_tables import rows
from mineproof.messages.game_requests import SERVER
from mineproof.messages.game_responses import SERVER_RESPONSES
from mineproof.messages.responses import ErrorResponse, ResponseHead
from mineproof.messages.schemas import request_schemas, response_schemas
from mineproof.web.json_responses import STATUS

Schema = dict[str, Any]

_REFERENCE = "#/components/schemas/{name}"
_HEAD, _ERROR = "a head", "an error"
_ONLY_IN_TALKS = {"new", "position", "show", "undo", "stop", "quit"}
"""Methods that need a connection with a memory."""
METHODS = [method for method in SERVER if method not in _ONLY_IN_TALKS]


def describe() -> dict[str, Any]:
    """Return the OpenAPI description."""
    requests, definitions = request_schemas({one: SERVER[one] for one in METHODS}, _REFERENCE)
    kinds = {one: SERVER_RESPONSES[one] for one in METHODS}
    kinds |= {_HEAD: (ResponseHead,), _ERROR: (ErrorResponse,)}
    responses, more = response_schemas(kinds, _REFERENCE)
    head, error = responses[_HEAD], responses[_ERROR]

    def operation(method: str) -> dict[str, Any]:
        request = definitions[requests[method]["$ref"].rpartition("/")[2]]
        many = SERVER[method].streams
        success = {
            "description": "the responses, one per line" if many else "the response",
            "content": {
                "application/x-ndjson" if many else "application/json": {
                    "schema": {"allOf": [head, responses[method]]}
                }
            },
        }
        wrong = {"application/json": {"schema": {"allOf": [head, error]}}}
        return {
            "operationId": method,
            "summary": request["description"],
            "requestBody": {
                "required": True,
                "content": {"application/json": {"schema": requests[method]}},
            },
            "responses": {
                "200": success,
                **{
                    str(status): {"description": "an error", "content": wrong}
                    for status in sorted({400, *STATUS.values()} - {500})
                },
            },
        }

    return {
        "openapi": "3.1.0",
        "info": {
            "title": "mineproof",
            "version": __version__,
            "description": "The methods of mineproof over HTTP. The WebSocket /ws takes the same "
            'requests as {"method": METHOD, "id": ..., ...}; there, a position can be set for '
            'several requests, and {"method": "stop", "of": ID} stops a request.',
        },
        "paths": {f"/api/{method}": {"post": operation(method)} for method in METHODS},
        "components": {"schemas": definitions | more},
    }


async def openapi(_: Request) -> Response:
    """Answer /openapi.json."""
    return JSONResponse(describe())


async def docs(_: Request) -> Response:
    """Answer /docs."""
    return HTMLResponse("\n".join(_page(describe())))


def _page(spec: dict[str, Any]) -> Iterator[str]:
    yield "<!doctype html><html lang='en'><meta charset='utf-8'><title>mineproof API</title>"
    yield "<meta name='viewport' content='width=device-width'>"
    yield "<link rel='stylesheet' href='/docs.css'>"
    yield f"<h1>mineproof {escape(__version__)}: HTTP API</h1>"
    about = escape(spec["info"]["description"])
    yield f"<p>{about} <a href='/openapi.json'>openapi.json</a></p>"
    definitions = spec["components"]["schemas"]
    named = set()
    for path, methods in spec["paths"].items():
        request = methods["post"]["requestBody"]["content"]["application/json"]["schema"]
        (content,) = methods["post"]["responses"]["200"]["content"].values()
        _, response = content["schema"]["allOf"]
        names = [_name(one) for one in response.get("anyOf", [response])]
        named |= {_name(request), *names}
        many = SERVER[path.removeprefix("/api/")].streams
        yield f"<h2><code>POST {escape(path)}</code></h2>"
        yield f"<p>{escape(methods['post']['summary'])}</p>"
        yield _table(definitions[_name(request)])
        yield "<p>Several responses, one per line:</p>" if many else "<p>Response:</p>"
        yield from (_table(definitions[name]) for name in names)
    yield "<h2>Types</h2>"
    for name in sorted(definitions.keys() - named):
        yield f"<h3 id='{escape(name)}'>{escape(name)}</h3>"
        yield f"<p>{escape(definitions[name].get('description', ''))}</p>"
        yield _table(definitions[name])


def _name(reference: Schema) -> str:
    return str(reference["$ref"]).rpartition("/")[2]


def _table(schema: Mapping[str, Any]) -> str:
    lines = "".join(
        f"<tr><td><code>{escape(row.name)}</code>{' (required)' if row.required else ''}</td>"
        f"<td>{escape(row.about)}</td><td><code>{escape(row.value)}</code></td></tr>"
        for row in rows(schema)
    )
    return f"<table><tr><th>field<th>meaning<th>value</tr>{lines}</table>" if lines else ""
