"""Malicious clients: each attacks a server at 127.0.0.1 until its time is up."""

from __future__ import annotations

import json
import resource
import selectors
import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import count, cycle
from threading import Thread
from time import monotonic, sleep
from typing import Any, NamedTuple

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

HOST = "127.0.0.1"
_VOLLEY = 66
_LARGE = 16
"""Requests without pause that are open at the same time."""
_HARD = "200x200 " + "/".join(("2?2?" * 50, "????" * 50) * 100)
_MOST: dict[str, Any] = {
    "deal": {"rows": 200, "cols": 200, "mines": 10_000},
    "count": 1000,
    "tries": 1_000_000,
    "no_guess": True,
    "needs": "exact",
}
_PERMITTED = _MOST | {"count": 1, "tries": 25_000}
"""The same, as much as the server allows."""
_MESSAGE = 1_900_000


class Came(NamedTuple):
    """What a client experienced: requests or sockets it started, and those refused or closed."""

    begun: int
    refused: int


def request(method: str, **fields: Any) -> bytes:
    """The bytes of a complete POST request."""
    body = json.dumps(fields).encode()
    head = f"POST /api/{method} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def fired_and_closed(port: int, until: float) -> Came:
    """Once per second, start 66 of the largest searches for boards and close them at once."""
    asked = cycle([request("generate", **_MOST), request("generate", **_PERMITTED)])
    begun, failed = 0, 0
    while monotonic() < until:
        opened = []
        for _ in range(_VOLLEY):
            begun += 1
            try:
                opened.append(socket.create_connection((HOST, port), 0.5))
                opened[-1].sendall(next(asked))
            except OSError:
                failed += 1
        for one in opened:
            one.close()
        sleep(1.0)
    return Came(begun, failed)


def long_conversation(port: int, until: float) -> Came:
    """A conversation of 40 messages of 1.9 MB, then another one."""
    event = '[0,0,"1"],'
    events = (event * (_MESSAGE // len(event)))[:-1]
    begun, refused = 0, 0
    while monotonic() < until:
        with (
            suppress(OSError, TimeoutError, ConnectionClosed, InvalidHandshake),
            connect(f"ws://{HOST}:{port}/ws", max_size=None) as talk,
        ):
            talk.send(json.dumps({"do": "new", "deal": {"rows": 9, "cols": 9, "mines": 10}}))
            talk.recv(5)
            for _ in range(40):
                begun += 1
                talk.send(f'{{"do":"position","events":[{events}]}}')
                refused += '"error"' in str(talk.recv(max(0.1, until - monotonic())))[:200]
    return Came(begun, refused)


def half_open(port: int, until: float, sockets: int = 2_050) -> Came:
    """Connections with an unfinished request; those that the server closes are opened again."""
    return _hold(port, until, sockets, b"POST /api/odds HTTP/1.1\r\nHost: localhost\r\n")


def silent(port: int, until: float, sockets: int = 600) -> Came:
    """Connections that send nothing; those that the server closes are opened again."""
    return _hold(port, until, sockets, b"")


def _hold(port: int, until: float, sockets: int, said: bytes) -> Came:
    """Keep this many sockets open: each second, reopen those that were closed."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    held, begun, cut = selectors.DefaultSelector(), 0, 0
    while monotonic() < until:
        again = monotonic() + 1.0
        for _ in range(min(sockets, most - 100) - len(held.get_map())):
            begun += 1
            try:
                one = socket.create_connection((HOST, port), 0.2)
                one.sendall(said)
            except OSError:
                cut += 1
            else:
                held.register(one, selectors.EVENT_READ)
        while monotonic() < min(again, until):
            for key, _ in held.select(0.1):
                cut += 1
                held.unregister(key.fileobj)
                key.fileobj.close()  # type: ignore[union-attr]
    for key in list(held.get_map().values()):
        key.fileobj.close()  # type: ignore[union-attr]
    return Came(begun, cut)


def without_pause(port: int, until: float) -> Came:
    """Large requests of all kinds, 16 at a time, waiting at most 0.2 s for each response."""
    events = [[0, 0, "1"]] * (_MESSAGE // 14)
    agents = ["champion:budget=max", "exact", "csp", "gauss", "baseline"]
    kinds = [
        request("generate", **_MOST),
        request("generate", **_PERMITTED),
        request("explain", view=_HARD, density=0.2, all=True, budget=10**9),
        request("odds", view=_HARD, density=0.2, win=True, agent="champion:budget=max"),
        request("position", view=_HARD, events=events),
        request("arena.run", agents=agents, deal={"level": "expert"}, games=100_000),
    ]
    came: list[Came] = []
    order = cycle(kinds)

    def fire() -> None:
        begun, refused = count(), 0
        while monotonic() < until:
            next(begun)
            refused += _refused(port, next(order))
        came.append(Came(next(begun), refused))

    _together(fire for _ in range(_LARGE))
    return Came(sum(one.begun for one in came), sum(one.refused for one in came))


def _refused(port: int, asked: bytes) -> bool:
    """Whether a request is refused at once; a request being processed is left alone."""
    try:
        with socket.create_connection((HOST, port), 0.2) as one:
            one.sendall(asked)
            return b" 200 " not in one.recv(100)
    except TimeoutError:
        return False
    except OSError:
        return True


def _together(works: Iterable[Callable[[], None]]) -> None:
    threads = [Thread(target=work, daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
