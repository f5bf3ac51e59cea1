"""The order in which requests get a solver: small ones have reserved room, clients take turns."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from enum import IntEnum
from ipaddress import ip_address, ip_network
from typing import NamedTuple

from starlette.requests import HTTPConnection

from mineproof.web import limits
from mineproof.web.request_errors import RequestRefused


class Lane(IntEnum):
    """The expected cost of a request; each lane leaves room for the others."""

    SMALL = 0
    """Probabilities or a hint on an ordinary board."""
    LARGE = 1
    """One response that may take up to the time limit."""
    LONG = 2
    """Several responses: a watched game, an arena."""


class Client(NamedTuple):
    """A client: an address and one of its connections."""

    address: str
    connection: str

    @classmethod
    def of(cls, connection: HTTPConnection) -> Client:
        """Return the client of a connection; an IPv6 network of /64 counts as one address."""
        host, port = connection.client or ("", 0)
        with suppress(ValueError):
            if (address := ip_address(host)).version == 6:
                host = str(ip_network((address, 64), strict=False))
        return cls(host, str(port))


_NO_CLIENT = Client("", "")
CLIENT: ContextVar[Client] = ContextVar("client", default=_NO_CLIENT)
"""The client of the current request; set once when the request arrives."""


class Scheduler:
    """Distributes a number of places among requests; too many waiting requests are refused.

    One place is reserved for small requests and one for all others; long requests leave two
    places to the rest. In each lane addresses take turns, and so do the connections of each
    address: a thousand requests of one client delay another client by one turn.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._busy: Counter[Lane] = Counter()
        self._waiting = {lane: _LaneQueue() for lane in Lane}

    @asynccontextmanager
    async def place(self, lane: Lane) -> AsyncGenerator[None, None]:
        """Wait for a place in a lane, and hold it during the context."""
        await self.take(lane)
        try:
            yield
        finally:
            self.leave(lane)

    async def take(self, lane: Lane) -> None:
        """Wait for a place in a lane."""
        client, queue = CLIENT.get(), self._waiting[lane]
        queue.check(client)
        turn = asyncio.get_running_loop().create_future()
        queue.add(client, turn)
        self._call_next()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                queue.remove(client, turn)
            else:  # it got a place and was cancelled at the same moment
                self.leave(lane)
            raise

    def leave(self, lane: Lane) -> None:
        """Release a place."""
        self._busy[lane] -= 1
        self._call_next()

    def _call_next(self) -> None:
        for lane, queue in self._waiting.items():
            while queue.total and self._has_room(lane):
                turn = queue.pop()
                if not turn.done():  # a request cancelled at this moment is still queued
                    self._busy[lane] += 1
                    turn.set_result(None)

    def _has_room(self, lane: Lane) -> bool:
        small, large, long = (self._busy[one] for one in Lane)
        spared = max(1, self._size - 1)
        if small + large + long >= self._size:
            return False
        if lane is Lane.SMALL:
            return small < spared
        if large + long >= spared:
            return False
        return lane is Lane.LARGE or long < max(1, self._size - 2)


_Turn = asyncio.Future[None]


class _LaneQueue:
    """Waiting requests by address and connection; the last ones served go to the end."""

    def __init__(self) -> None:
        self.total = 0
        self._by: dict[str, dict[str, dict[_Turn, None]]] = {}
        self._of: Counter[str] = Counter()

    def check(self, client: Client) -> None:
        """Raise an error if the client, or all clients together, have too many requests."""
        for waiting, most, whose in (
            (self._of[client.address], limits.WAITING_OF_ONE, "of your requests"),
            (self.total, limits.WAITING, "requests"),
        ):
            if waiting >= most:
                raise RequestRefused("busy", f"{most} {whose} are waiting already: try again later")

    def add(self, client: Client, turn: _Turn) -> None:
        """Wait for a turn."""
        connections = self._by.setdefault(client.address, {})
        connections.setdefault(client.connection, {})[turn] = None
        self._of[client.address] += 1
        self.total += 1

    def pop(self) -> _Turn:
        """Return the next request of a queue that is not empty."""
        address, connections = next(iter(self._by.items()))
        connection, turns = next(iter(connections.items()))
        turn = next(iter(turns))
        self._by[address] = self._by.pop(address)
        connections[connection] = connections.pop(connection)
        self.remove(Client(address, connection), turn)
        return turn

    def remove(self, client: Client, turn: _Turn) -> None:
        """Remove a request if it is still in the queue."""
        connections = self._by.get(client.address, {})
        turns = connections.get(client.connection, {})
        if turn not in turns:
            return
        del turns[turn]
        if not turns:
            del connections[client.connection]
        if not connections:
            del self._by[client.address]
        self.total -= 1
        _take_one(self._of, client.address)


class ClientLimits:
    """Limits what one client, and all clients together, may have at the same time."""

    def __init__(self, of_one: int, of_all: int, what: str) -> None:
        self._most, self._what = (of_one, of_all), what
        self._had: Counter[str] = Counter()

    @contextmanager
    def one(self) -> Iterator[None]:
        """Count one more during the context, or raise an error if there are too many."""
        address = CLIENT.get().address
        for had, most in zip((self._had[address], self._had.total()), self._most, strict=True):
            if had >= most:
                raise RequestRefused("busy", f"{most} {self._what} already: try again later")
        self._had[address] += 1
        try:
            yield
        finally:
            _take_one(self._had, address)


def _take_one(counted: Counter[str], name: str) -> None:
    """Decrease a count, and forget it at zero."""
    counted[name] -= 1
    if not counted[name]:
        del counted[name]
