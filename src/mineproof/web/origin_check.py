"""Access control: pages and programs of this computer, and the hosts that are named.

A page of another site can send requests to any address that its visitor can reach; their
`Origin` header shows where they come from. A site whose name points to this server (DNS
rebinding) has the same origin, but its `Host` header is not one of the server's names.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mineproof.web import json_responses

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self' {sockets}; font-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
_NAME = re.compile(r"[a-z0-9_.-]+|[0-9a-f:.]+", re.ASCII)
"""Host names (names outside ASCII arrive as `xn--`) and addresses."""
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class OriginCheck:
    """Refuses requests from other sites, and adds security headers to responses."""

    def __init__(self, app: ASGIApp, *, names: Iterable[str] = (), any_address: bool) -> None:
        """`names` are accepted in addition to localhost; with `any_address`, also IP addresses.

        DNS rebinding needs a name, so IP addresses are safe to accept without a list.
        """
        self._app = app
        self._names = {"localhost", *(name.lower() for name in names)}
        self._any_address = any_address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it with 403 (a WebSocket is not opened)."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        given, origin = headers.get("host", ""), headers.get("origin")
        host = _host_of(f"//{given}")
        if host is None or not self._is_ours(host):
            why = f"host {given[:80]!r} is not a name of this server: add it with --name"
        elif origin is not None and _host_of(origin) != host:
            why = f"pages from {origin[:80]!r} may not use this server"
        else:
            await self._app(scope, receive, _with_headers(send, host.netloc))
            return
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": why[:120]})
        else:
            await json_responses.refused(403, "forbidden", why)(scope, receive, send)

    def _is_ours(self, host: _Host) -> bool:
        if host.name in self._names:
            return True
        try:
            address = ipaddress.ip_address(host.name)
        except ValueError:
            return False
        return self._any_address or address.is_loopback


class _Host(NamedTuple):
    """A host name or an address, and the port if one is given; safe to use in headers."""

    name: str
    port: int | None

    @property
    def netloc(self) -> str:
        name = f"[{self.name}]" if ":" in self.name else self.name
        return name if self.port is None else f"{name}:{self.port}"


def _host_of(url: str) -> _Host | None:
    """Return the host of a URL that contains nothing else, or None."""
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
            # In some browsers 'self' does not include WebSockets of the same host.
            sockets = f"ws://{host} wss://{host}"
            headers.setdefault("Content-Security-Policy", POLICY.format(sockets=sockets))
        await send(message)

    return sending
