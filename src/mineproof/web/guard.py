"""Who may ask: this computer's own pages and programs, and those that were named.

A page of another site can send requests to any address that its visitor can reach. Their
`Origin` tells where they come from. A site that lets its own name point here (rebinding) has
the same origin, but not a `Host` that is ours.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mineproof.web import answering

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self' {sockets}; font-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Lets through what comes from here, and tells browsers what pages may do."""

    def __init__(self, app: ASGIApp, *, names: Iterable[str] = (), any_address: bool) -> None:
        """`names` are ours besides localhost; `any_address`: so is whatever is an IP address.

        No name can be made to point to us under a number, so numbers need no list.
        """
        self._app = app
        self._names = {"localhost", *(name.lower() for name in names)}
        self._any_address = any_address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse with 403 (a WebSocket is not opened)."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        why = None
        if not self._is_ours(host):
            why = f"host {host[:80]!r} is not this server's: name it with --name"
        elif origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            why = f"pages of {origin[:80]!r} may not ask this server"
        if why is None:
            await self._app(scope, receive, _with_headers(send, host))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": why[:120]})
        else:
            await answering.refused(403, "forbidden", why)(scope, receive, send)

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in self._names:
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return self._any_address or address.is_loopback


def _with_headers(send: Send, host: str) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            # Some browsers do not count sockets of the same host as 'self'.
            sockets = f"ws://{host} wss://{host}"
            headers.setdefault("Content-Security-Policy", POLICY.format(sockets=sockets))
        await send(message)

    return sending
