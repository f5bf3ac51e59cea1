"""The cost of a client is bounded in time, bytes and number, and ends when it disconnects."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from functools import partial
from time import monotonic, sleep
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from mineproof.web import limits
from tests.processes import children, cpu_seconds, resident_bytes
from tools.chaos.server_attacks import request

from .serving import PATIENCE, Server, kind_of, serving

SEARCH: dict[str, Any] = {
    "deal": {"rows": 200, "cols": 200, "mines": 10_000},
    "tries": 20_000,
    "needs": "exact",
}
"""A search that finds nothing within the time limit of a request."""
SHORT: dict[str, float] = {
    "HEADERS": 1, "BODY": 1, "IDLE": 1, "UNREAD": 1, "CONNECTIONS": 16,
}  # fmt: skip


@pytest.fixture(scope="module")
def short() -> Iterator[Server]:
    """A server with short timeouts and small limits."""
    with serving("none", limits=SHORT) as found:
        yield found


def opened(server: Server, said: bytes = b"") -> socket.socket:
    one = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
    one.sendall(said)
    return one


def all_of(one: socket.socket) -> bytes:
    """Everything received until the other side closes the connection."""
    found = b""
    with one:
        while part := one.recv(2**16):
            found += part
    return found


def rests(server: Server) -> bool:
    """Whether the engines become idle within some seconds."""
    until = monotonic() + 8
    while monotonic() < until:
        before = sum(map(cpu_seconds, children(server.process.pid)))
        sleep(0.3)
        if sum(map(cpu_seconds, children(server.process.pid))) - before < 0.05:
            return True
    return False


def test_work_for_a_closed_connection_ends(server: Server) -> None:
    asked = [opened(server, request("generate", **SEARCH)) for _ in range(20)]
    until = monotonic() + PATIENCE
    busy = 0.0
    while busy < 0.1 and monotonic() < until:
        before = sum(map(cpu_seconds, children(server.process.pid)))
        sleep(0.3)
        busy = sum(map(cpu_seconds, children(server.process.pid))) - before
    assert busy >= 0.1  # the engines are working
    for one in asked:
        one.close()
    assert rests(server)


def test_odds_are_answered_while_searches_wait(server: Server) -> None:
    asked = [opened(server, request("generate", **SEARCH)) for _ in range(20)]
    sleep(0.5)
    begun = monotonic()
    assert server.post("odds", view="2x3/2 ???/121")["safe"] == [[0, 1]]
    assert monotonic() - begun < 10
    for one in asked:
        one.close()


@pytest.mark.parametrize(
    "more",
    [
        {"count": 1000, "tries": 1_000_000, "no_guess": True},
        {"count": 3, "needs": "exact", "tries": 10_000},
        {"count": 101},
    ],
)
def test_the_product_of_counts_and_tries_is_bounded(server: Server, more: dict[str, Any]) -> None:
    deal = {"rows": 200, "cols": 200, "mines": 8_000}
    error = server.request("POST", "/api/generate", json={"deal": deal, **more}).json()["error"]
    assert error["kind"] == "invalid"
    assert "fewer" in error["message"]
    games = {"agents": ["exact", "csp", "gauss", "baseline"], "games": 100_000}
    error = server.request("POST", "/api/arena.run", json=games).json()["error"]
    assert "300000 games" in error["message"]


def test_the_memory_of_a_conversation_is_bounded(server: Server) -> None:
    events = json.dumps([[0, 0, "1"]] * 130_000)
    with server.talk() as client:
        client.ask("new", deal={"level": "beginner"})
        before = resident_bytes(server.process.pid)
        for _ in range(20):
            client.socket.send(f'{{"do": "position", "events": {events}}}')
            answer = client.hear()
            assert kind_of(answer) == "large", answer
        grown = resident_bytes(server.process.pid) - before
        assert grown < 150 * 2**20
        assert max(map(resident_bytes, children(server.process.pid))) < 300 * 2**20
        assert kind_of(client.ask("odds")) is None  # the conversation continues
        shows = [[[0, 0], 1]]
        assert kind_of(client.ask("tell", shows=shows)) is None
        assert kind_of(client.ask("position", view="2x3/2 ???/121")) is None


def test_a_conversation_is_replayed_to_another_engine(server: Server) -> None:
    import os
    import signal

    with server.talk() as client:
        client.ask("new", deal={"rows": 3, "cols": 4, "mines": 2})
        shown = client.ask("tell", shows=[[[0, 0], 0], [[0, 1], 1], [[1, 0], 0], [[1, 1], 1]])
        for engine in children(server.process.pid):
            os.kill(engine, signal.SIGKILL)
        sleep(0.5)
        assert client.ask("undo")["view"] == "3x4/2 ????/????/????"
        assert client.ask("tell", shows=[[[0, 0], 0]])["view"] != shown["view"]


@pytest.mark.parametrize("shows", [7, None, [7], [[]], [[[0], 1]], {"a": 1}])
def test_invalid_answers_about_another_programs_board_are_refused(
    server: Server, shows: Any
) -> None:
    with server.talk() as client:
        client.ask("new", deal={"level": "beginner"})
        assert kind_of(client.ask("tell", shows=shows)) in {"invalid", "illegal"}
        assert kind_of(client.ask("odds")) is None


@pytest.mark.parametrize("said", [b"", b"POST /api/odds HTTP/1.1\r\nHost: localhost\r\n"])
def test_a_connection_without_a_request_is_closed(short: Server, said: bytes) -> None:
    begun = monotonic()
    found = all_of(opened(short, said))
    assert 0.5 < monotonic() - begun < 20
    assert found.startswith(b"HTTP/1.1 408 ")
    assert b"the request did not arrive within 1 s" in found


def test_a_head_that_arrives_too_slowly_is_cut_off(short: Server) -> None:
    whole = request("odds", view="2x3/2 ???/121")
    with opened(short, whole) as one:  # also if it is not the first request
        assert one.recv(2**16).startswith(b"HTTP/1.1 200 ")
        begun = monotonic()
        with pytest.raises(OSError):
            trickle(one, 15)
        assert monotonic() - begun < 15


def trickle(one: socket.socket, seconds: float) -> None:
    until = monotonic() + seconds
    while monotonic() < until:
        one.sendall(b"X")
        sleep(0.2)


def test_a_missing_body_is_refused(short: Server) -> None:
    found = all_of(opened(short, request("odds", view="2x3/2 ???/121")[:-5]))
    assert found.startswith(b"HTTP/1.1 408 ")
    assert b"the body of the request did not arrive within 1 s" in found


def test_a_client_that_does_not_read_is_disconnected(short: Server) -> None:
    deal = {"rows": 200, "cols": 200, "mines": 8_000}
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.connect(("127.0.0.1", short.port))
    with one:
        one.sendall(request("generate", deal=deal, count=100))
        one.recv(1)
        sleep(5)
        found = sum(map(len, iter(partial(one.recv, 2**16), b"")))
        assert found < 3_500_000 < 100 * 200 * 200


def test_an_idle_socket_is_closed(short: Server) -> None:
    with short.talk() as client:
        client.ask("hello")
        with pytest.raises(ConnectionClosed, match="no request for 1 s"):
            client.hear()


def test_idle_clients_are_disconnected_in_favour_of_new_ones(short: Server) -> None:
    silent = [opened(short) for _ in range(30)]
    for _ in range(3):
        with opened(short, request("odds", view="2x3/2 ???/121")) as one:
            assert one.recv(2**16).startswith(b"HTTP/1.1 200 ")
    assert b"too many connections" in all_of(silent[0])
    for one in silent:
        one.close()


def test_the_number_of_sockets_per_address_is_bounded(short: Server) -> None:
    sleep(2)  # sockets of other tests are closed
    with short.talk(), short.talk(), short.talk(), short.talk():
        with pytest.raises(InvalidStatus) as refused, short.talk():
            pass
        assert refused.value.response.status_code == 429
        assert b"4 WebSockets are open already" in (refused.value.response.body or b"")
        assert short.post("odds", view="2x3/2 ???/121")["safe"] == [[0, 1]]


def test_limits_are_consistent() -> None:
    assert limits.CONVERSATION <= limits.MESSAGE
    assert limits.HEAVY < limits.MESSAGE
    assert limits.SMALL_SECONDS < limits.SECONDS
