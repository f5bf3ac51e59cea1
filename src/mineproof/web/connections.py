"""Connections in number and time: what uvicorn leaves to whoever stands before it.

uvicorn has no time for the head of a request, nor a number of connections for a client. Both are
added here to its protocol; what is idle gives way to who comes.
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

from mineproof.web import answering, limits
from mineproof.web.faults import error

_ACCEPTED = 32
"""Connections that are taken at once; then others are answered."""
_FILES = 8_192
"""File descriptors that are enough."""
_RESERVED = 64 + 3 * _ACCEPTED
"""For the store, engines, files of the page, and connections on their way in and out."""
_PHRASES = {408: "Request Timeout", 503: "Service Unavailable"}


if sys.platform == "win32":  # it has no such limit

    def raise_file_limit() -> None:
        """Nothing limits how many files are open."""

    def room() -> int:
        """Connections of this process."""
        return limits.CONNECTIONS

else:
    import resource

    def raise_file_limit() -> None:
        """Have as many file descriptors as are enough, where the system lets us."""
        few, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _FILES if most == resource.RLIM_INFINITY else min(_FILES, most)
        if few != resource.RLIM_INFINITY and few < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))

    @cache
    def room() -> int:
        """Connections of this process: as many as there may be and as file descriptors suffice."""
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if files == resource.RLIM_INFINITY:
            return limits.CONNECTIONS
        return max(8, min(limits.CONNECTIONS, files - _RESERVED))


class Listener(socket.socket):
    """Takes some connections at a time.

    asyncio takes all that wait before any of them is looked at, and complains of each for which
    there is no file descriptor; here those that are idle give way in between.
    """

    _taken = 0

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection; now and then none, though there may be."""
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


class Book:
    """The connections of a process, by the address at their other end."""

    def __init__(self) -> None:
        self._all: Counter[str] = Counter()
        self._silent: dict[str, OrderedDict[Connection, None]] = {}
        self._resting: dict[str, OrderedDict[Connection, None]] = {}

    def enter(self, address: str) -> None:
        """One more connection."""
        self._all[address] += 1

    def leave(self, address: str) -> None:
        """One fewer."""
        self._all[address] -= 1
        if not self._all[address]:
            del self._all[address]

    def note(self, one: Connection) -> None:
        """Whether a connection has asked for anything, and whether anything is done for it."""
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
        """The address that has too many connections since one more came, if any has."""
        if self._all[address] > room() // 2:
            return address
        if self._all.total() > room():
            return self._all.most_common(1)[0][0]
        return None

    def idle(self, address: str, besides: Connection) -> Connection | None:
        """Who gives way: who never asked anything, then who did so the longest ago."""
        for kind in (self._silent, self._resting):
            for one in kind.get(address, ()):
                if one is not besides:
                    return one
        return None


_BOOK = Book()


class Socket(WebSocketsSansIOProtocol):
    """A WebSocket that is in the book."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """One more."""
        super().connection_made(transport)
        self._address = _address(self.client)
        _BOOK.enter(self._address)

    def connection_lost(self, exc: Exception | None) -> None:
        """One fewer."""
        _BOOK.leave(self._address)
        super().connection_lost(exc)


class Connection(H11Protocol):
    """A connection over HTTP that ends when it is idle for too long, or in the way."""

    address = ""
    _is_open = False
    _deadline: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the head of a request, unless there are too many who do."""
        super().connection_made(transport)
        self.address, self._is_open = _address(self.client), True
        _BOOK.enter(self.address)
        self._note()
        if (crowd := _BOOK.in_the_way(self.address)) is not None:
            (_BOOK.idle(crowd, besides=self) or self)._give_way()

    def data_received(self, data: bytes) -> None:
        """Part of a request."""
        super().data_received(data)
        self._note()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """From here on it is another protocol's."""
        self._leave()
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        """Idle again."""
        super().on_response_complete()
        self._note()

    def connection_lost(self, exc: Exception | None) -> None:
        """The end of it."""
        self._leave()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The client leaves unread what was sent."""
        super().pause_writing()
        self._unread = self.loop.call_later(limits.UNREAD, self.transport.abort)

    def resume_writing(self) -> None:
        """It reads again."""
        super().resume_writing()
        self._stop_timers(unread=True)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is done for it: no request of it is whole, or all are answered."""
        if not self._is_open:
            return False
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def _note(self) -> None:
        """Have the book know whether it is idle, and a time in which the head must come."""
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
        else:  # an answer that was not asked for would be taken for the next one's
            self._leave()
            self.transport.close()

    def _miss_head(self) -> None:
        self._deadline = None
        why = f"the request did not come within {limits.HEADERS:g} s"
        self._refuse(408, "stopped", why)

    def _refuse(self, status: int, kind: str, why: str) -> None:
        """Say why, and close."""
        self._leave()
        body = answering.text({"do": None, **error(kind, why)})
        head = (
            f"HTTP/1.1 {status} {_PHRASES[status]}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        self.transport.write((head + body).encode())
        self.transport.close()


def _address(client: tuple[str, int] | None) -> str:
    """Of a connection's other end."""
    return client[0] if client else ""
