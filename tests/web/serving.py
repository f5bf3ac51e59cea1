"""A real server in a process of its own, and a client that speaks to it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

Answer = dict[str, Any]


class Server:
    """`mineproof serve` at a free port."""

    def __init__(self, store: Path | str, *options: str, port: int = 0) -> None:
        command = [sys.executable, "-m", "mineproof", "serve", "--no-browser"]
        command += ["--port", str(port), "--store", str(store), *options]
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "listens at http://" in line, self.process.communicate()
        self.address = line.split("listens at http://")[1].split("/")[0]
        self.port = int(self.address.rpartition(":")[2])
        self._http = httpx.Client(base_url=f"http://{self.address}", timeout=60)
        self._http.get("/openapi.json").raise_for_status()  # waits until it answers

    def post(self, verb: str, **fields: Any) -> Answer:
        response = self._http.post(f"/api/{verb}", json=fields)
        found: Answer = response.json()
        assert (response.status_code == 200) != isinstance(found.get("error"), dict), found
        return found

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        return self._http.request(method, path, **more)

    @contextmanager
    def talk(self, **more: Any) -> Iterator[Client]:
        with connect(f"ws://{self.address}/ws", max_size=None, **more) as socket:
            yield Client(socket)

    def kill(self) -> None:
        """All at once, as the end of a machine would; its engines see to their own end."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()
        self._http.close()

    def end(self) -> tuple[int, str]:
        """Ctrl-C; the exit code, and what it complained of."""
        self._http.close()
        self.process.send_signal(signal.SIGINT)
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors


class Client:
    """A WebSocket; all that was received is kept."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[str] = []

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def hear(self) -> Answer:
        frame = self.socket.recv(timeout=60)
        assert isinstance(frame, str)
        self.frames.append(frame)
        found: Answer = json.loads(frame)
        return found

    def ask(self, do: str, **fields: Any) -> Answer:
        """The only answer to a message."""
        self.send(do=do, **fields)
        return self.hear()

    def ask_on(self, do: str, **fields: Any) -> list[Answer]:
        """All answers to a message."""
        answers = [self.ask(do, **fields)]
        while answers[-1].get("more"):
            answers.append(self.hear())
        return answers


def kind_of(answer: Answer) -> str | None:
    """The kind of an error; None of an answer."""
    error = answer.get("error")
    return error["kind"] if isinstance(error, dict) else None


@contextmanager
def serving(store: Path | str, *options: str, port: int = 0) -> Iterator[Server]:
    """A server that must not complain, and ends with Ctrl-C."""
    server = Server(store, *options, port=port)
    try:
        yield server
    except BaseException:
        server.kill()
        raise
    code, errors = server.end()
    assert code in {0, 130}, errors
    assert "Traceback" not in errors, errors
