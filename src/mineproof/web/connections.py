"""Limits on the number and the duration of connections.

uvicorn has no time limit for the head of a request and no limit on the connections of a client.
Both are added to its protocol here; idle connections make room for new ones.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections import Counter, OrderedDict
from functools import cache
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from mineproof.web import json_responses, limits
from mineproof.web.request_errors import error

_ACCEPTED = 32
"""Connections that are accepted in a row before requests are handled again."""
_FILES = 8_192
"""The number of file descriptors to ask the system for."""
_RESERVED = 64 + 3 * _ACCEPTED
"""File descriptors for the store, engines, files, and connections that open or close."""
_PHRASES = {408: "Request Timeout", 503: "Service Unavailable"}


if sys.platform == "win32":  # Windows has no such limit

    def raise_file_limit() -> None:
        """Do nothing: the number of open files is not limited."""

    def room() -> int:
        """Return the maximum number of connections of this process."""
        return limits.CONNECTIONS

else:
    import resource

    def raise_file_limit() -> None:
        """Raise the limit on file descriptors as far as necessary and allowed."""
        few, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _FILES if most == resource.RLIM_INFINITY else min(_FILES, most)
        if few != resource.RLIM_INFINITY and few < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))

    @cache
    def room() -> int:
        """Return the maximum number of connections, limited by the file descriptors."""
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if files == resource.RLIM_INFINITY:
            return limits.CONNECTIONS
        return max(8, min(limits.CONNECTIONS, files - _RESERVED))


class Listener(socket.socket):
    """Accepts a few connections at a time.

    asyncio accepts all waiting connections before it handles any, and logs an error for each one
    without a file descriptor; here idle connections are closed in between.
    """

    _taken = 0

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept the next connection; now and then report that there is none."""
        if self._taken >= _ACCEPTED:
            self._taken = 0
            raise BlockingIOError
        try:
            found = super().accept()
        except OSError:
            self._taken = 0
            raise
        self._taken += 1
        return found


class ConnectionCounts:
    """The connections of a process by client address."""

    def __init__(self) -> None:
        self._all: Counter[str] = Counter()
        self._silent: dict[str, OrderedDict[Connection, None]] = {}
        self._resting: dict[str, OrderedDict[Connection, None]] = {}

    def enter(self, address: str) -> None:
        """Count a new connection."""
        self._all[address] += 1

    def leave(self, address: str) -> None:
        """Count a closed connection."""
        self._all[address] -= 1
        if not self._all[address]:
            del self._all[address]

    def note(self, one: Connection) -> None:
        """Record whether a connection is idle, and whether it has sent a request before."""
        for kind, belongs in (
            (self._silent, one.is_idle and one.cycle is None),
            (self._resting, one.is_idle and one.cycle is not None),
        ):
            there = kind.setdefault(one.address, OrderedDict())
            if not belongs:
                there.pop(one, None)
            elif one not in there:
                there[one] = None
            if not there:
                del kind[one.address]

    def in_the_way(self, address: str) -> str | None:
        """Return the address that has too many connections after a new one, if any."""
        if self._all[address] > room() // 2:
            return address
        if self._all.total() > room():
            return self._all.most_common(1)[0][0]
        return None

    def idle(self, address: str, besides: Connection) -> Connection | None:
        """Return an idle connection to close: first those without requests, then the oldest."""
        for kind in (self._silent, self._resting):
            for one in kind.get(address, ()):
                if one is not besides:
                    return one
        return None


_BOOK = ConnectionCounts()


class Socket(WebSocketsSansIOProtocol):
    """A WebSocket that counts as a connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count a new connection."""
        super().connection_made(transport)
        self._address = _address(self.client)
        _BOOK.enter(self._address)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count a closed connection."""
        _BOOK.leave(self._address)
        super().connection_lost(exc)


class Connection(H11Protocol):
    """An HTTP connection that is closed after a time limit or to make room for others."""

    address = ""
    _is_open = False
    _deadline: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the head of a request, unless too many connections do."""
        super().connection_made(transport)
        self.address, self._is_open = _address(self.client), True
        _BOOK.enter(self.address)
        self._note()
        if (crowd := _BOOK.in_the_way(self.address)) is not None:
            (_BOOK.idle(crowd, besides=self) or self)._give_way()

    def data_received(self, data: bytes) -> None:
        """Handle a part of a request."""
        super().data_received(data)
        self._note()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection over to the WebSocket protocol."""
        self._leave()
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        """Mark the connection as idle."""
        super().on_response_complete()
        self._note()

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle the end of the connection."""
        self._leave()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Start the time limit for a client that does not read the response."""
        super().pause_writing()
        self._unread = self.loop.call_later(limits.UNREAD, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop this time limit: the client reads again."""
        super().resume_writing()
        self._stop_timers(unread=True)

    @property
    def is_idle(self) -> bool:
        """Whether no complete request of this connection waits for its response."""
        if not self._is_open:
            return False
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def _note(self) -> None:
        """Record whether the connection is idle, and set the time limit for the next head."""
        _BOOK.note(self)
        if not (self.is_idle and (self.cycle is None or self.cycle.response_complete)):
            self._stop_timers(head=True)
        elif self._deadline is None:
            self._deadline = self.loop.call_later(limits.HEADERS, self._miss_head)

    def _leave(self) -> None:
        if self._is_open:
            self._is_open = False
            _BOOK.leave(self.address)
            _BOOK.note(self)
        self._stop_timers(head=True, unread=True)

    def _stop_timers(self, *, head: bool = False, unread: bool = False) -> None:
        if head and self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if unread and self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _give_way(self) -> None:
        if self.cycle is None:
            self._refuse(503, "busy", "too many connections: try again later")
        else:  # the client would take an unexpected response for that of its next request
            self._leave()
            self.transport.close()

    def _miss_head(self) -> None:
        self._deadline = None
        why = f"the request did not arrive within {limits.HEADERS:g} s"
        self._refuse(408, "stopped", why)

    def _refuse(self, status: int, kind: str, why: str) -> None:
        """Send an error and close the connection."""
        self._leave()
        body = json_responses.text({"method": None, **error(kind, why)})
        head = (
            f"HTTP/1.1 {status} {_PHRASES[status]}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        self.transport.write((head + body).encode())
        self.transport.close()


def _address(client: tuple[str, int] | None) -> str:
    """Return the address of a client."""
    return client[0] if client else ""
