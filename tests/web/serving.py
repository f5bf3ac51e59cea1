"""A real server in another process, and a client that speaks to it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Any

import httpx
from websockets.sync.client import ClientConnection, connect

from tests.messages.conformity import check_response

Answer = dict[str, Any]
PATIENCE = 60
"""The time limit in seconds for anything awaited here."""


_WITH_LIMITS = """
import json, sys
from mineproof.web import limits
vars(limits).update(json.loads(sys.argv[1]))
from mineproof.cli import main
sys.exit(main(sys.argv[2:]))
"""


class Server:
    """`mineproof serve` at a free port.

    `files` is its `ulimit -n`; `limits` overrides values of `web/limits.py`.
    """

    def __init__(
        self,
        store: Path | str,
        *options: str,
        port: int = 0,
        files: int | None = None,
        limits: dict[str, float] | None = None,
    ) -> None:
        command = [sys.executable, "-m", "mineproof", "serve", "--no-browser"]
        if limits:
            command[1:3] = ["-c", _WITH_LIMITS, json.dumps(limits)]
        command += ["--port", str(port), "--store", str(store), *options]
        # Files, not pipes: a pipe that is not read fills up, and its writer blocks.
        self._kept = ExitStack()
        self._shown = self._kept.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
        self._complained = self._kept.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
        if files is not None:
            command = ["sh", "-c", 'ulimit -n "$0" && exec "$@"', str(files), *command]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=self._shown,
            stderr=self._complained,
            start_new_session=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        try:
            self.address = self._wait_for("is running at http://").split("/")[0]
            self.port = int(self.address.rpartition(":")[2])
            at = httpx.Client(base_url=f"http://{self.address}", timeout=PATIENCE)
            self._http = self._kept.enter_context(at)
            self._http.get("/openapi.json").raise_for_status()  # wait until it answers
        except BaseException:
            self.kill()
            raise

    def _wait_for(self, words: str) -> str:
        """Wait for this text in the output; return what follows it."""
        wait_until(
            lambda: words in self.output() or self.process.poll() is not None, f"no {words!r}"
        )
        assert words in self.output(), self.complaints()
        return self.output().split(words)[1]

    def output(self) -> str:
        """Everything printed so far."""
        return _content(self._shown)

    def complaints(self) -> str:
        """All complaints (standard error) so far."""
        return _content(self._complained)

    def post(self, method_name: str, **fields: Any) -> Answer:
        response = self._http.post(f"/api/{method_name}", json=fields)
        found: Answer = response.json()
        check_response(found)
        assert (response.status_code == 200) != isinstance(found.get("error"), dict), found
        return found

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        return self._http.request(method, path, **more)

    @contextmanager
    def talk(self, **more: Any) -> Iterator[Client]:
        more = {"ping_interval": None, **more}
        # No pings: the client draws random numbers for them on a thread, which Hypothesis reports.
        options = {"max_size": None, "ping_interval": None} | more
        with connect(f"ws://{self.address}/ws", **options) as socket:
            yield Client(socket)

    def kill(self) -> None:
        """Kill it like a machine that loses power; its engines end by themselves."""
        with self._kept:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(PATIENCE)

    def end(self) -> tuple[int, str]:
        """End it with Ctrl-C; return the exit code and all complaints."""
        self._http.close()
        self.process.send_signal(signal.SIGINT)
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        with self._kept:
            return code, self.complaints()


def _content(file: IO[bytes]) -> str:
    """The content of a file that another process is writing."""
    size = os.fstat(file.fileno()).st_size
    return os.pread(file.fileno(), size, 0).decode(errors="replace")


class Client:
    """A WebSocket that keeps everything it received."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[str] = []

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def hear(self) -> Answer:
        frame = self.socket.recv(timeout=PATIENCE)
        assert isinstance(frame, str)
        self.frames.append(frame)
        found: Answer = json.loads(frame)
        check_response(found)
        return found

    def ask(self, do: str, **fields: Any) -> Answer:
        """The single response to a message."""
        self.send(do=do, **fields)
        return self.hear()

    def ask_on(self, do: str, **fields: Any) -> list[Answer]:
        """All responses to a message."""
        answers = [self.ask(do, **fields)]
        while answers[-1].get("more"):
            answers.append(self.hear())
        return answers


def wait_until(true: Callable[[], bool], why: str) -> None:
    """Wait until a condition holds; otherwise fail with the reason."""
    until = monotonic() + PATIENCE
    while not true():
        assert monotonic() < until, f"{why} after {PATIENCE} s"
        sleep(0.05)


def kind_of(answer: Answer) -> str | None:
    """The kind of an error, or None for any other response."""
    error = answer.get("error")
    return error["kind"] if isinstance(error, dict) else None


@contextmanager
def serving(
    store: Path | str, *options: str, port: int = 0, limits: dict[str, float] | None = None
) -> Iterator[Server]:
    """A server that must print no complaint, and that ends with Ctrl-C."""
    server = Server(store, *options, port=port, limits=limits)
    try:
        yield server
    except BaseException:
        server.kill()
        raise
    code, errors = server.end()
    assert code in {0, 130}, errors
    assert "Traceback" not in errors, errors
