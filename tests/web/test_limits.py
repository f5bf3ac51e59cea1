"""Invalid messages get a clear error and the connection survives; no client blocks the others."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from time import sleep
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mineproof.messages.game_requests import SERVER
from mineproof.web import limits
from mineproof.web.request_errors import RequestRefused
from mineproof.web.solver_pool import SolverPool
from tests.processes import children, cpu_seconds

from .serving import Client, Server, kind_of

LONG = {"agents": ["champion:budget=max"], "deal": {"level": "expert"}, "games": 10_000}
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20)
    | st.sampled_from(["2x3/2 ???/121", "exact", "open", "optimistic", "1x2/1 *."]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


@st.composite
def messages(draw: st.DrawFn) -> Any:
    """Any JSON, or a method with its own fields, which have any value."""
    method = draw(st.sampled_from([*SERVER]) | st.text(max_size=8))
    known = list(SERVER[method].__struct_fields__) if method in SERVER else ["x"]
    fields = draw(st.dictionaries(st.sampled_from(known or ["x"]), JSON, max_size=4))
    fields.pop("all", None)  # a valid one deletes games of other tests
    key = draw(st.sampled_from(["do", "method"]))
    return draw(st.just({key: method, **fields}) | JSON)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(message=messages())
def test_any_message_is_answered_and_the_connection_survives(client: Client, message: Any) -> None:
    client.socket.send(json.dumps(message))
    while (answer := client.hear()).get("more"):
        pass
    assert kind_of(answer) not in {"fault", "store", "memory"}, (message, answer)
    if isinstance(answer.get("error"), dict):
        text = answer["error"]["message"]
        assert text
        assert "\n" not in text
        assert len(text) <= 500
    assert client.ask("hello", id=1)["id"] == 1


ODD_HEADS = [
    *('{"do": "hello", "id": 1e999}', '{"do": "hello", "id": "\\ud800"}', '{"do": "\\ud800"}'),
    *('{"do": "hello", "id": [1]}', '{"do": "hello", "id": true}', '{"do": "stop", "of": 1e999}'),
    *('{"do": "odds", "view": "\\udfff"}', '{"do": "hello", "\\udfff": 1}'),
    f'{{"do": "hello", "id": "{"x" * 1_900_000}"}}',
]


@pytest.mark.parametrize("text", ODD_HEADS, ids=lambda text: text[:40])
def test_values_that_cannot_be_echoed_are_refused_with_the_reason(
    server: Server, client: Client, text: str
) -> None:
    client.socket.send(text)
    heard = client.hear()
    method_name = json.loads(text)["do"]
    path = "/api/hello" if method_name == "\ud800" else f"/api/{method_name}"
    body = text if method_name != "\ud800" else '{"id": "\\ud800"}'
    posted = server.request(
        "POST", path, content=body, headers={"Content-Type": "application/json"}
    )
    assert posted.status_code == 400
    for answer in (heard, posted.json()):
        assert kind_of(answer) == "invalid"
        assert "id" not in answer
        assert len(json.dumps(answer)) < 400


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"do": NaN}', "[" * 100_000, '{"do": "hello"', "\ud800"[:0]]
)
def test_text_that_is_not_a_message_is_refused(client: Client, text: str) -> None:
    client.socket.send(text)
    assert kind_of(client.hear()) == "invalid"
    client.socket.send(b"\xff\xfe")
    assert kind_of(client.hear()) == "invalid"
    assert client.ask("hello")["protocol"] == 1


def test_unknown_fields_are_refused_by_name(client: Client) -> None:
    error = client.ask("game.move", game="x", action="open", cel=[0, 0])["error"]
    assert "'cel': did you mean 'cell'?" in error["message"]


def test_messages_that_are_too_large_are_refused(server: Server, client: Client) -> None:
    client.socket.send(json.dumps({"do": "hello", "x": "y" * limits.MESSAGE}))
    assert kind_of(client.hear()) == "large"
    assert (
        server.request(
            "POST",
            "/api/hello",
            content=b" " * (limits.MESSAGE + 1),
            headers={"Content-Type": "application/json"},
        ).status_code
        == 413
    )
    for deal in ({"rows": 201, "cols": 200, "mines": 5}, {"rows": 1000, "cols": 1000, "mines": 5}):
        for method_name in ("game.new", "new", "generate", "game.watch"):
            error = client.ask(method_name, deal=deal)["error"]
            assert "40000 cells" in error["message"]
    assert client.ask("hello")["protocol"] == 1


def test_the_number_of_running_requests_per_client_is_bounded(client: Client) -> None:
    for number in range(limits.IN_FLIGHT + 1):
        client.send(do="arena.run", id=number, **LONG)
    while kind_of(answer := client.hear()) != "busy":
        pass
    assert answer["id"] == limits.IN_FLIGHT
    assert stop_all(client, range(limits.IN_FLIGHT)) == {"stopped"}


def stop_all(client: Client, numbers: range) -> set[str | None]:
    """Stop requests; return how each of them ends."""
    for number in numbers:
        client.send(do="stop", of=number)
    ends: dict[int, str | None] = {}
    while len(ends) < len(numbers):
        answer = client.hear()
        if answer["do"] != "stop" and not answer.get("more"):
            ends[answer["id"]] = kind_of(answer)
    return set(ends.values())


def test_a_request_can_be_stopped_while_others_continue(client: Client) -> None:
    client.send(do="arena.run", id="long", **LONG)
    client.send(do="odds", view="2x3/2 ???/121", id="short")
    while (heard := client.hear())["id"] != "short":  # the long request may report its progress
        assert heard["more"]
    client.send(do="stop", of="long", id="stop")
    by_id: dict[str, dict[str, Any]] = {}
    while not {"long", "stop"} <= set(by_id):
        answer = client.hear()
        if not answer.get("more"):
            by_id[answer["id"]] = answer
    assert by_id["stop"]["stopped"]
    assert kind_of(by_id["long"]) == "stopped"
    assert client.ask("stop", of="nothing")["stopped"] is False
    assert kind_of(client.ask("odds", view="2x3/2 ???/121")) is None


def test_moves_are_answered_while_engines_are_busy(server: Server, client: Client) -> None:
    with server.talk() as other:
        for number in range(4):
            other.send(do="arena.run", id=number, **LONG)
        game = client.ask("game.new", deal={"level": "expert"})["game"]
        for column in range(5):
            client.ask("game.move", game=game, cell=[0, column], action="open")
        assert client.ask("odds", view="2x3/2 ???/121")["safe"] == [[0, 1]]


@pytest.mark.parametrize("over", ["websocket", "http"])
def test_a_client_that_vanishes_costs_nothing(server: Server, over: str) -> None:
    if over == "websocket":
        with server.talk() as client:
            client.send(do="arena.run", **LONG)
            client.hear()
            client.socket.socket.close()  # without a closing handshake
    else:
        path = f"http://{server.address}/api/arena.run"
        with server._http.stream("POST", path, json=LONG) as answer:
            next(answer.iter_lines())
    engines = children(server.process.pid)
    assert engines
    for _ in range(50):
        before = sum(map(cpu_seconds, engines))
        sleep(0.3)
        if sum(map(cpu_seconds, engines)) - before < 0.1:
            return
    pytest.fail("somebody still works")


def run(job: dict[str, Any], seconds: float) -> list[dict[str, Any]]:
    async def asked() -> list[dict[str, Any]]:
        engines = SolverPool(1, seconds=seconds)
        try:
            async with aclosing(engines.work(job)) as answers:
                return [answer async for answer in answers]
        finally:
            await engines.close()

    return asyncio.run(asked())


def test_the_time_of_a_request_is_bounded() -> None:
    ground = '{"board":{"rows":16,"cols":30,"mines":99},"rules":{},"clues":"exact","seed":"1",'
    job = {"job": "compare", "players": ["champion:budget=max"], "games": 10_000}
    with pytest.raises(RequestRefused, match=r"exceeded the time limit of 0.5 s") as refused:
        run(job | {"ground": f'{ground}"start":null}}'}, 0.5)
    assert refused.value.kind == "stopped"


def test_an_engine_that_dies_is_reported_and_replaced(server: Server, client: Client) -> None:
    import os
    import signal

    assert kind_of(client.ask("odds", view="2x3/2 ???/121")) is None
    for engine in children(server.process.pid):
        os.kill(engine, signal.SIGKILL)
    sleep(0.5)
    assert kind_of(client.ask("odds", view="2x3/2 ???/121")) is None
