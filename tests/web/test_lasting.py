"""A game survives a dropped connection, a restart, a kill, and several server processes."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import mineproof as mp
from tests.processes import children, is_running

from .serving import Server, kind_of, serving, wait_until

LARGE = {"rows": 20, "cols": 20, "mines": 20}


def test_a_dropped_connection_loses_nothing(server: Server) -> None:
    with server.talk() as client:
        game = client.ask("game.new", deal=LARGE)["game"]
        client.send(do="game.move", game=game, cell=[5, 5], action="open", n=0)
    with server.talk() as client:  # was it made? sent again, it is not made twice
        answer = client.ask("game.move", game=game, cell=[5, 5], action="open", n=0)
        assert answer["n"] == 1
        assert client.ask("game.state", game=game)["events"]


def test_a_restart_loses_nothing(place: Path | str) -> None:
    with serving(place) as server:
        game = server.post("game.new", deal=LARGE)["game"]
        before = server.post("game.move", game=game, cell=[5, 5], action="open")
    with serving(place, port=server.port) as server:
        after = server.post("game.state", game=game)
        assert sorted(after["events"]) == sorted(before["events"])
        assert server.post("game.move", game=game, action="stop")["over"]
    if isinstance(place, Path):
        assert place.stat().st_mode & 0o077 == 0


def test_a_kill_loses_nothing_that_was_acknowledged(place: Path | str) -> None:
    server = Server(place)
    with server.talk() as client:
        game = client.ask("game.new", deal=LARGE, rules={"flood": False, "opening": "any"})["game"]
        board = None
        for column in range(20):
            answer = client.ask("game.move", game=game, cell=[0, column], action="flag")
            assert answer["n"] == column + 1
        engines = children(server.process.pid)
        server.kill()
    with serving(place) as server:
        state = server.post("game.state", game=game)
        assert [event[2] for event in state["events"]] == ["F"] * 20
        end = server.post("game.move", game=game, action="stop", n=20)
        board = mp.Board.from_text(end["board"])
    assert board.mine_count == 20
    wait_until(lambda: not any(map(is_running, engines)), "engines are left")


def test_several_processes_share_a_game(place: Path | str) -> None:
    with serving(place, "--workers", "2") as server:
        game = server.post("game.new", deal=LARGE, rules={"opening": "any"})["game"]
        talks = [server.talk() for _ in range(6)]
        clients = [talk.__enter__() for talk in talks]
        for number in range(18):
            client = clients[number % len(clients)]
            answer = client.ask("game.move", game=game, cell=[0, number], action="flag", n=number)
            assert answer["n"] == number + 1
        states = [client.ask("game.state", game=game)["events"] for client in clients]
        assert all(state == states[0] for state in states)
        # The same move by all at the same time: one makes it, the others see that it was made.
        for client in clients:
            client.send(do="game.move", game=game, cell=[0, 18], action="flag", n=18)
        assert {client.hear()["n"] for client in clients} == {19}
        # Unnumbered moves at the same time: all are made, one after the other.
        for row, client in enumerate(clients, start=1):
            client.send(do="game.move", game=game, cell=[row, 0], action="flag")
        assert sorted(client.hear()["n"] for client in clients) == list(range(20, 26))
        for talk in talks:
            talk.__exit__(None, None, None)
        assert server.post("game.state", game=game)["n"] == 25


def workers_of(server: Server) -> list[int]:
    """Its processes that have engines."""
    return [pid for pid in children(server.process.pid) if children(pid)]


def test_a_dead_process_is_replaced(tmp_path: Path) -> None:
    with serving(tmp_path / "games.sqlite", "--workers", "2") as server:
        game = server.post("game.new", deal=LARGE)["game"]
        server.post("game.move", game=game, cell=[5, 5], action="open")
        wait_until(lambda: len(workers_of(server)) == 2, "no second process")
        os.kill(workers_of(server)[0], signal.SIGKILL)
        for number in range(4):
            with server.talk() as client:
                state = client.ask("game.state", game=game)
                assert state["n"] == 1, number


def test_without_a_store_games_last_as_long_as_the_server() -> None:
    with serving("none") as server:
        game = server.post("game.new")["game"]
        assert server.post("game.move", game=game, cell=[4, 4], action="open")["n"] == 1
    with serving("none") as server:
        answer = server.request("POST", "/api/game.state", json={"game": game})
        assert answer.status_code == 404
        assert kind_of(answer.json()) == "unknown"


def test_an_agent_resumes_after_a_restart(tmp_path: Path) -> None:
    """Even one with a memory: it receives all events again."""
    deal, seed, store = {"level": "beginner"}, 3, tmp_path / "games.sqlite"
    whole = mp.play(mp.Deal(9, 9, 10), "simple", rules=mp.Rules(opening="safe"), seed=seed)
    with serving(store) as server, server.talk() as client:
        answers = client.ask_on("game.watch", deal=deal, seed=seed, agent="simple", steps=3)
        game = answers[0]["game"]
    with serving(store) as server, server.talk() as client:
        client.ask_on("game.watch", game=game, agent="simple")
        record = mp.Record.from_json(client.ask("game.record", game=game)["record"])
    assert record.moves == whole.moves
