"""/ws: requests over a WebSocket, several at the same time."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, aclosing, suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from mineproof.errors import InvalidInput
from mineproof.messages.game_requests import SERVER
from mineproof.messages.requests import StopRequest
from mineproof.protocol import head, method_of, read_fields, read_method
from mineproof.web import json_responses, limits, players, request_errors
from mineproof.web.client_sessions import ClientSession
from mineproof.web.request_errors import RequestRefused
from mineproof.web.scheduling import CLIENT, Client
from mineproof.web.service import Service


async def serve_socket(socket: WebSocket) -> None:
    """Answer requests until the client disconnects; then stop everything that still runs."""
    CLIENT.set(Client.of(socket))
    service: Service = socket.app.state.service
    try:
        with service.sockets.one():
            await socket.accept()
            await _converse(socket, service)
    except RequestRefused as error:
        response = json_responses.response({"method": None, **request_errors.as_error(error)})
        del response.headers["content-length"]  # uvicorn adds it, some versions even if it is there
        await socket.send_denial_response(response)


async def _converse(socket: WebSocket, service: Service) -> None:
    conversation = _Conversation(socket, service)
    try:
        while True:
            try:
                async with asyncio.timeout(limits.IDLE):
                    received = await socket.receive()
            except TimeoutError:
                if conversation.is_idle:
                    await socket.close(1001, f"no request for {limits.IDLE:g} s")
                    return
                continue
            if received["type"] == "websocket.disconnect":
                return
            await conversation.take(received.get("text") or received.get("bytes") or "")
    except WebSocketDisconnect:
        return
    finally:
        await conversation.end()


class _Conversation:
    """One client and its unanswered requests."""

    def __init__(self, socket: WebSocket, service: Service) -> None:
        self._socket = socket
        self._service = service
        self._session = ClientSession(players.of(socket), service.memory)
        self._running: dict[asyncio.Task[None], Any] = {}
        self._stopped: set[asyncio.Task[None]] = set()

    @property
    def is_idle(self) -> bool:
        """Whether no request is running."""
        return not self._running

    async def take(self, text: str | bytes) -> None:
        """Start to answer a message; the next one does not wait for it."""
        message: Any = None
        async with AsyncExitStack() as held:
            try:
                if len(text) > limits.MESSAGE:
                    raise RequestRefused(
                        "large", f"a request may have at most {limits.MESSAGE} bytes"
                    )
                message = await held.enter_async_context(self._service.read(text))
                if method_of(message) == "stop" and "of" in message:
                    read_method(message, SERVER)
                    of = read_fields(message, StopRequest).given().get("of")
                    await self._send(message, {"stopped": self._stop(of)})
                    return
                if len(self._running) >= limits.IN_FLIGHT:
                    why = f"{limits.IN_FLIGHT} requests are already running: wait, or stop one"
                    raise RequestRefused("busy", why)
            except (RequestRefused, InvalidInput) as error:
                await self._send(message, request_errors.as_error(error))
                return
            task = asyncio.create_task(self._answer(message, held.pop_all()))
        self._running[task] = head(message).get("id")
        task.add_done_callback(self._done)

    async def end(self) -> None:
        """Stop all running requests."""
        tasks = list(self._running)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._session.forget()

    def _stop(self, of: Any) -> bool:
        """Stop the requests with an id; return whether any was running."""
        found = [task for task, name in self._running.items() if name == of]
        for task in found:
            self._stopped.add(task)
            task.cancel()
        return bool(found)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.pop(task, None)
        self._stopped.discard(task)

    async def _answer(self, message: Any, held: AsyncExitStack) -> None:
        try:
            async with held, aclosing(self._service.answers(message, self._session)) as answers:
                async for answer in answers:
                    await self._send(message, answer)
        except asyncio.CancelledError:
            if asyncio.current_task() not in self._stopped:
                raise
            await self._send(message, request_errors.error("stopped", "stopped on request"))
        except WebSocketDisconnect:
            return
        except Exception as error:
            await self._send(message, request_errors.as_error(error))

    async def _send(self, message: Any, answer: dict[str, Any]) -> None:
        # If the client has gone, `receive` notices it.
        with suppress(WebSocketDisconnect, RuntimeError):
            await self._socket.send_text(json_responses.text(head(message) | answer))
