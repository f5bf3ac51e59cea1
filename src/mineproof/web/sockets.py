"""/ws: messages over a WebSocket, some of them at once."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from mineproof.errors import InvalidInput
from mineproof.protocol import read_line
from mineproof.web import answering, faults, limits, players
from mineproof.web.faults import Refused
from mineproof.web.service import Service, Talk


async def talk(socket: WebSocket) -> None:
    """Answer messages until the client goes; then all that it asked for is stopped."""
    await socket.accept()
    conversation = _Conversation(socket)
    try:
        while True:
            received = await socket.receive()
            if received["type"] == "websocket.disconnect":
                return
            await conversation.take(received.get("text") or received.get("bytes") or "")
    except WebSocketDisconnect:
        return
    finally:
        await conversation.end()


class _Conversation:
    """One client: its requests that are not answered yet."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._service: Service = socket.app.state.service
        self._talk = Talk(players.of(socket), remembers=True)
        self._running: dict[asyncio.Task[None], Any] = {}
        self._stopped: set[asyncio.Task[None]] = set()

    async def take(self, text: str | bytes) -> None:
        """Begin to answer a message; the next one need not wait for it."""
        message: Any = None
        try:
            message = _read(text)
            if message.get("do") == "stop" and "of" in message:
                await self._send(message, {"stopped": self._stop(message)})
                return
            if len(self._running) >= limits.IN_FLIGHT:
                raise Refused("busy", f"{limits.IN_FLIGHT} requests are running: wait, or stop one")
        except (Refused, InvalidInput) as error:
            await self._send(message, faults.as_error(error))
            return
        task = asyncio.create_task(self._answer(message))
        self._running[task] = message.get("id")
        task.add_done_callback(self._done)

    async def end(self) -> None:
        """Stop all that runs."""
        tasks = list(self._running)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _stop(self, message: dict[str, Any]) -> bool:
        """Stop what runs under an id; whether anything did."""
        for name in message:
            if name not in {"do", "id", "of"}:
                raise InvalidInput(f"'stop' takes 'of' and no {name[:40]!r}")
        found = [task for task, name in self._running.items() if name == message["of"]]
        for task in found:
            self._stopped.add(task)
            task.cancel()
        return bool(found)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.pop(task, None)
        self._stopped.discard(task)

    async def _answer(self, message: Any) -> None:
        try:
            async with aclosing(self._service.answers(message, self._talk)) as answers:
                async for answer in answers:
                    await self._send(message, answer)
        except asyncio.CancelledError:
            if asyncio.current_task() not in self._stopped:
                raise
            await self._send(message, faults.error("stopped", "stopped, as you asked"))
        except WebSocketDisconnect:
            return
        except Exception as error:
            await self._send(message, faults.as_error(error))

    async def _send(self, message: Any, answer: dict[str, Any]) -> None:
        # Whoever has gone needs no answer; that it has, `receive` tells.
        with suppress(WebSocketDisconnect, RuntimeError):
            await self._socket.send_text(answering.text(answering.head(message) | answer))


def _read(text: str | bytes) -> dict[str, Any]:
    if len(text) > limits.MESSAGE:
        raise Refused("large", f"a message has at most {limits.MESSAGE} bytes")
    return read_line(text)
