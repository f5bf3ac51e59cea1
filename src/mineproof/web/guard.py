"""Who may ask: this computer's own pages and programs, and those that were named.

A page of another site can send requests to any address that its visitor can reach. Their
`Origin` tells where they come from. A site that lets its own name point here (rebinding) has
the same origin, but not a `Host` that is ours.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mineproof.web import answering

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self' {sockets}; font-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
_NAME = re.compile(r"[a-z0-9_.-]+|[0-9a-f:.]+", re.ASCII)
"""Names of hosts (others than ASCII travel as `xn--`) and addresses."""
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
        given, origin = headers.get("host", ""), headers.get("origin")
        host = _host_of(f"//{given}")
        if host is None or not self._is_ours(host):
            why = f"host {given[:80]!r} is not this server's: name it with --name"
        elif origin is not None and _host_of(origin) != host:
            why = f"pages of {origin[:80]!r} may not ask this server"
        else:
            await self._app(scope, receive, _with_headers(send, host.netloc))
            return
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": why[:120]})
        else:
            await answering.refused(403, "forbidden", why)(scope, receive, send)

    def _is_ours(self, host: _Host) -> bool:
        if host.name in self._names:
            return True
        try:
            address = ipaddress.ip_address(host.name)
        except ValueError:
            return False
        return self._any_address or address.is_loopback


class _Host(NamedTuple):
    """A name or an address, and the port if one was given; nothing that a header could obey."""

    name: str
    port: int | None

    @property
    def netloc(self) -> str:
        name = f"[{self.name}]" if ":" in self.name else self.name
        return name if self.port is None else f"{name}:{self.port}"


def _host_of(url: str) -> _Host | None:
    """The host that a URL names, with nothing besides; what cannot be one names none."""
    try:
        parts = urlsplit(url)
        name, port = (parts.hostname or "").lower(), parts.port
    except ValueError:  # "http://[", a port of letters
        return None
    host = _Host(name, port)
    whole = url.lower().partition("//")[2]
    return host if _NAME.fullmatch(name) and host.netloc == whole else None


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
