"""`mineproof engine` responds to every line, stops on request, and survives every error."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any

import pytest

import mineproof as mp
from tests.processes import cpu_seconds

from .test_cli import MINEPROOF
from .test_interrupt import POSITIONS, seen

GUESS = "4x4/4 01?1/12?1/??32/????"


class Engine:
    """A command in a separate process, driven by JSON messages."""

    def __init__(self, *command: str) -> None:
        self.process = subprocess.Popen(
            [*MINEPROOF, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def write(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def send(self, **message: Any) -> None:
        self.write(json.dumps(message))

    def hear(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.stderr and self.process.stderr.read()
        found: dict[str, Any] = json.loads(line)
        return found

    def ask(self, **message: Any) -> dict[str, Any]:
        self.send(**message)
        return self.hear()

    def end(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(timeout=30)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()


@pytest.fixture
def engine() -> Iterator[Engine]:
    running = Engine("engine")
    yield running
    running.kill()


def test_responses_come_in_the_order_of_the_requests(engine: Engine) -> None:
    for number in range(20):
        engine.send(
            do="odds" if number % 2 else "hello", view=GUESS if number % 2 else None, id=number
        )
    assert [engine.hear()["id"] for _ in range(20)] == list(range(20))
    engine.send(do="quit", id="last")
    assert engine.hear() == {"id": "last", "do": "quit"}
    assert engine.process.wait(timeout=30) == 0


def test_version_2_responses_name_the_method(engine: Engine) -> None:
    assert engine.ask(method="hello", id=1)["methods"][-1] == "quit"
    engine.send(method="go", view=STUCK.to_text(), agent="champion:playouts=100000000", id=2)
    engine.send(method="stop", of=2)
    stopped, stop = engine.hear(), engine.hear()
    assert (stopped["method"], stopped["error"]["kind"]) == ("go", "stopped")
    assert stop == {"method": "stop", "stopped": True}
    engine.send(method="quit")
    assert engine.hear() == {"method": "quit"}
    assert engine.process.wait(timeout=30) == 0


def test_all_piped_requests_are_answered_before_the_end() -> None:
    lines = b'{"do": "odds", "view": "2x3/2 ???/121"}\r\n\n{"do": "hello"}'
    done = subprocess.run([*MINEPROOF, "engine"], input=lines, capture_output=True, check=True)
    assert [json.loads(line)["do"] for line in done.stdout.splitlines()] == ["odds", "hello"]
    assert done.stderr == b""


def test_the_command_line_may_name_any_agent_but_requests_only_that_one() -> None:
    own = Path(__file__).parents[2] / "examples" / "own_agent.py"
    engine = Engine("engine", "--agent", f"{own}:Careful")
    try:
        assert engine.ask(do="go", view="2x3/1 1??/11?")["reason"] == "risk 0.0%"
        assert engine.ask(do="hello")["agents"][0] == f"{own}:Careful"
        refused = engine.ask(do="go", view="2x3/1 1??/11?", agent=f"{own}:Other")
        assert refused["error"]["kind"] == "unknown"
    finally:
        engine.kill()


def test_quit_leaves_nothing_on_standard_error(engine: Engine) -> None:
    engine.ask(do="new", deal={"level": "beginner"})
    engine.ask(do="tell", shows=[[[0, 0], 1]])
    engine.ask(do="go")
    engine.ask(do="quit")
    assert engine.process.wait(timeout=30) == 0
    assert engine.process.stderr is not None
    assert engine.process.stderr.read() == ""


def test_no_invalid_line_ends_it(engine: Engine) -> None:
    for line in ("nonsense", "[]", "3", "\xff", "{" * 5000, '{"do": 3}', '{"do": "go"}', "NaN"):
        engine.write(line)
        assert engine.hear()["error"]["kind"] == "invalid"
    engine.write('{"do": []}\n{"method": {}}\n{"method": "stop"}')
    for _ in range(2):  # `stop` may arrive before these responses
        assert engine.hear()["error"]["kind"] in {"invalid", "stopped"}
    assert "error" not in engine.hear()
    engine.write(f'{{"do": "odds", "view": "{"?" * 9_000_000}"}}')
    assert "at most" in engine.hear()["error"]["message"]
    assert engine.ask(do="odds", view="2x3/2 ???/141")["error"]["kind"] == "contradiction"
    assert engine.ask(do="odds", view=GUESS)["exact"] is True
    assert engine.end() == 0


def stuck() -> mp.View:
    """An expert position without a certain cell, where the champion runs playouts."""
    rules = mp.Rules(opening="safe")
    record = mp.play(mp.Deal(16, 30, 99), "exact", rules=rules, seed=5)
    found = None
    for view, turn in record.positions():
        if turn.action == "open" and not turn.asked.certain:
            found = view
    assert found is not None
    return found


STUCK = stuck()
LATTICE = seen(150, lambda row, col: (2 * row + col) % 5 == 0, 0.35)
"""Computing its odds takes seconds if clues are uncertain."""
LONG: list[dict[str, Any]] = [
    {"do": "go", "view": STUCK.to_text(), "agent": "champion:playouts=100000000"},
    {"do": "odds", "view": LATTICE, "clues": "optimistic"},
    {"do": "explain", "view": POSITIONS["chequered"], "all": True, "budget": 10**8},
    {"do": "reasoners", "view": POSITIONS["chequered"]},
    {"do": "generate", "deal": {"level": "expert"}, "needs": "exact", "count": 1000, "seed": 1},
    {"do": "odds", "view": mp.View.hidden(150, 150, 4000).to_text(), "zeros": True},
]


@pytest.mark.parametrize("request_", LONG, ids=lambda one: str(one["do"]))
def test_stop_ends_the_running_request_and_no_other(
    engine: Engine, request_: dict[str, Any]
) -> None:
    """Within 50 ms on an idle machine; the test allows 0.5 CPU seconds."""
    pid = engine.process.pid
    engine.ask(do="hello")
    for wait in (0.0, 0.05, 0.3):
        engine.send(id="long", **request_)
        engine.send(id="after", do="odds", view=GUESS)
        sleep(wait)
        before = cpu_seconds(pid)
        engine.send(id="stop", do="stop", of="long")
        stopped = engine.hear()
        assert cpu_seconds(pid) - before < 0.5
        assert (stopped["id"], stopped["error"]["kind"]) == ("long", "stopped")
        assert engine.hear()["exact"] is True
        assert engine.hear() == {"id": "stop", "do": "stop", "stopped": True}
    assert engine.ask(do="stop") == {"do": "stop", "stopped": False}
    assert engine.end() == 0


def test_a_game_continues_after_a_move_was_stopped(engine: Engine) -> None:
    engine.ask(do="position", view=STUCK.to_text(), agent="champion:playouts=100000000")
    engine.send(do="go", step=True, id=1)
    sleep(0.3)
    engine.send(do="stop")
    assert engine.hear()["error"]["kind"] == "stopped"
    assert engine.hear()["stopped"] is True
    assert engine.ask(do="go", agent="exact")["action"] == "open"
    assert engine.ask(do="position", events=[])["view"] == STUCK.to_text()


def test_ctrl_c_ends_it_like_any_command(engine: Engine) -> None:
    engine.ask(do="hello")
    engine.process.send_signal(signal.SIGINT)
    assert engine.process.wait(timeout=30) == 130
    assert engine.process.stderr is not None
    assert engine.process.stderr.read().strip() == ""


ODD = ['{"do": "hello", "id": 1e999}', '{"do": "hello", "id": -1e999}', '{"do": "\\ud800"}']
ODD += [
    '{"do": "hello", "id": "\\ud800"}',
    '{"do": "odds", "view": "\\udc00"}',
    '{"do": "stop", "of": 1e999}',
]
ODD += [
    f'{{"do": "hello", "id": "{"x" * 1_900_000}"}}',
    f'{{"do": "stop", "of": {"[" * 900}{"]" * 900}}}',
]
ODD += ['{"do": "hello", "id": [1]}', '{"do": "hello", "id": 1' + "0" * 5000 + "}"]


def test_an_id_that_cannot_be_echoed_is_refused_and_the_next_request_answered(
    engine: Engine,
) -> None:
    for line in ODD:
        engine.write(line)
        answer = engine.hear()
        assert answer["error"]["kind"] == "invalid", line[:80]
        assert len(json.dumps(answer)) < 400
    assert engine.ask(do="quit", id="last") == {"id": "last", "do": "quit"}
    assert engine.end() == 0


def test_a_stop_waits_for_the_end_of_an_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An import that is interrupted can fail with any error, or leave half a module."""
    (tmp_path / "highspy.py").write_text(
        "import time\n"
        "try:\n"
        "    time.sleep(1.5)\n"
        "except BaseException:\n"
        "    raise ImportError('initialization failed')\n"
        "def Highs():\n"
        "    time.sleep(30)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    engine = Engine("engine")
    engine.ask(do="hello")
    engine.send(id="long", do="reasoners", view=GUESS)
    sleep(0.7)
    engine.send(id="stop", do="stop", of="long")
    stopped = engine.hear()
    assert (stopped["id"], stopped["error"]["kind"]) == ("long", "stopped")
    assert engine.hear() == {"id": "stop", "do": "stop", "stopped": True}
    assert engine.ask(do="odds", view=GUESS)["exact"]
    engine.kill()
