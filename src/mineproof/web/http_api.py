"""POST /api/METHOD: a request over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import ExitStack, aclosing
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse

from mineproof.messages.game_requests import SERVER
from mineproof.protocol import head, method_of
from mineproof.web import json_responses, limits, players, request_errors
from mineproof.web.client_sessions import ClientSession
from mineproof.web.request_errors import RequestRefused
from mineproof.web.scheduling import CLIENT, Client
from mineproof.web.service import Service

Answer = dict[str, Any]
Answers = AsyncGenerator[Answer, None]
T = TypeVar("T")


async def post(request: Request) -> Response:
    """Answer a request whose method is in the path; several responses are sent as lines."""
    CLIENT.set(Client.of(request))
    service: Service = request.app.state.service
    message: Any = {"method": request.path_params["method"]}
    session = ClientSession(players.of(request))
    try:
        body = await _body(request, service)
        message, first, answers = await _while_there(
            request, _begin(body, message, service, session)
        )
    except ClientDisconnect:
        return Response(status_code=408)  # the client has gone
    except Exception as error:
        return json_responses.response(head(message) | request_errors.as_error(error))
    if SERVER[method_of(message)].streams:
        lines = _lines(message, first, answers)
        response: Response = StreamingResponse(lines, media_type="application/x-ndjson")
    else:
        await answers.aclose()
        response = json_responses.response(head(message) | first)
    players.remember(request, session.player, response)
    return response


async def _begin(
    body: bytes, message: Answer, service: Service, session: ClientSession
) -> tuple[Answer, Answer, Answers]:
    """Return a message, its first response, and the iterator of the others."""
    async with service.read(body or b"{}") as fields:
        version = "do" if "do" in fields else "method"
        given = {name: fields[name] for name in fields.keys() - {"do", "method"}}
        message = {**given, version: message["method"]}
        answers = service.answers(message, session)
        return message, await anext(answers), answers


async def _while_there(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Do work for a client until the client disconnects."""
    working = asyncio.create_task(work)
    leaving = asyncio.create_task(_leaving(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _leaving(request: Request) -> None:
    """Wait until the client disconnects, after its request was read to the end."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _lines(message: Any, first: Answer, answers: Answers) -> AsyncGenerator[str, None]:
    """Yield responses as lines; the work ends if the client disconnects."""
    begin = head(message)
    async with aclosing(answers):
        yield json_responses.text(begin | first) + "\n"
        try:
            async for answer in answers:
                yield json_responses.text(begin | answer) + "\n"
        except Exception as error:
            yield json_responses.text(begin | request_errors.as_error(error)) + "\n"


async def _body(request: Request, service: Service) -> bytes:
    """Return the body of a request, as JSON text."""
    # A page of another site can send a form, but not JSON, without a preflight request.
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise RequestRefused(
            "invalid", "expected JSON with the header Content-Type: application/json"
        )
    body = bytearray()
    with ExitStack() as held:
        try:
            async with asyncio.timeout(limits.BODY):
                async for part in request.stream():
                    if len(body) <= limits.HEAVY < len(body) + len(part):
                        held.enter_context(service.bodies.one())
                    body += part
                    if len(body) > limits.MESSAGE:
                        raise RequestRefused(
                            "large", f"a request may have at most {limits.MESSAGE} bytes"
                        )
        except TimeoutError:
            why = f"the body of the request did not arrive within {limits.BODY:g} s"
            raise RequestRefused("stopped", why) from None
    return bytes(body)
