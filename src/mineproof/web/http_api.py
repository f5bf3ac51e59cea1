"""POST /api/VERB: a message over HTTP."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from mineproof.protocol import read_line
from mineproof.web import answering, faults, limits, players
from mineproof.web.faults import Refused
from mineproof.web.service import Service, Talk
from mineproof.web.verbs import VERBS


async def post(request: Request) -> Response:
    """Answer one message; the verb is in the path. Where there are many answers, a line each."""
    service: Service = request.app.state.service
    message: Any = {"do": request.path_params["verb"]}
    talk = Talk(players.of(request), remembers=False)
    try:
        message = await _body(request) | message
        answers = service.answers(message, talk)
        first = await anext(answers)
    except Exception as error:
        return answering.response(answering.head(message) | faults.as_error(error))
    verb = VERBS.get(message["do"])
    if verb is not None and verb.many:
        lines = _lines(message, first, answers)
        response: Response = StreamingResponse(lines, media_type="application/x-ndjson")
    else:
        await answers.aclose()
        response = answering.response(answering.head(message) | first)
    players.remember(request, talk.player, response)
    return response


async def _lines(
    message: Any, first: dict[str, Any], answers: AsyncGenerator[dict[str, Any], None]
) -> AsyncGenerator[str, None]:
    """Answers as they come. A client that goes away ends the work."""
    head = answering.head(message)
    async with aclosing(answers):
        yield answering.text(head | first) + "\n"
        try:
            async for answer in answers:
                yield answering.text(head | answer) + "\n"
        except Exception as error:
            yield answering.text(head | faults.as_error(error)) + "\n"


async def _body(request: Request) -> dict[str, Any]:
    """The fields of a message."""
    # A page of another site can send a form, but not JSON, without being asked about.
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Refused("invalid", "send JSON, and Content-Type: application/json")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > limits.MESSAGE:
            raise Refused("large", f"a message has at most {limits.MESSAGE} bytes")
    return read_line(bytes(body)) if body else {}
