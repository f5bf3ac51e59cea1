"""Requests on standard input, responses on standard output: one line each, in order of arrival.

One thread reads, so that `stop` works while a request runs; the main thread works and is the only
one that writes. A running request is stopped like by Ctrl-C, with the signal that compiled calls
check; but this signal comes from this process, and ends that request only.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Queue
from types import FrameType
from typing import Any

from mineproof import interrupts
from mineproof.errors import MineproofError
from mineproof.protocol import (
    MOST_CHARACTERS,
    Session,
    error_answer,
    head,
    method_of,
    read_line,
    write_line,
)

_WAITING = 10_000
"""Requests that may wait in the queue; further ones wait in the pipe."""


class RequestStopped(KeyboardInterrupt):
    """Raised in a request that a `stop` request ends."""


class _Request:
    """A request that waits or runs, or the error of a line that is not one."""

    def __init__(self, message: dict[str, Any], error: MineproofError | None = None) -> None:
        self.message = message
        self.error = error
        self.stopped = False
        """Whether a `stop` request arrived for it."""
        self.stops = False
        """For a `stop` request: whether there was anything to stop."""

    @property
    def id(self) -> Any:
        return head(self.message).get("id")

    @property
    def method(self) -> Any:
        """The name of the method; None if it is not a name."""
        method = method_of(self.message)
        return method if isinstance(method, str) else None


class _Inbox:
    """Requests without a response yet. The reading thread uses this object and nothing else.

    So at exit, when that thread may still wait for a line, it does not use the library.
    """

    def __init__(self) -> None:
        self.queue: Queue[_Request | None] = Queue(_WAITING)
        self.open: list[_Request] = []
        """Requests without a response yet."""
        self.running: _Request | None = None
        self.wanted: _Request | None = None
        """The request that the next signal is meant to stop."""

    def read(self) -> None:
        """Read lines until the end of input."""
        for line in _lines():
            try:
                request = _Request(read_line(line))
            except MineproofError as error:
                request = _Request({}, error)
            if request.method == "stop":
                request.stops = self._stop(request.message.get("of"))
            self.open.append(request)
            self.queue.put(request)
        self.queue.put(None)

    def _stop(self, of: Any) -> bool:
        """Stop the requests with this id, or all; return whether there were any."""
        meant = [one for one in self.open if of is None or one.id == of]
        meant = [one for one in meant if one.method not in {"stop", "quit"} and not one.stopped]
        for request in meant:
            # In this order: the main thread looks the other way round.
            request.stopped = True
            if self.running is request:
                self.wanted = request
                _signal_main_thread()
        return bool(meant)

    def on_signal(self, number: int, frame: FrameType | None) -> None:
        """Stop the wanted request if it is still running; treat any other signal as Ctrl-C."""
        wanted, self.wanted = self.wanted, None
        if wanted is None:
            interrupts.on_interrupt(number, frame)
            return
        if self.running is not wanted:
            return
        if interrupts.is_importing(frame):
            self.wanted = wanted
            interrupts.soon(lambda: self._again(wanted))
            return
        self.running = None  # so that nothing is raised a second time
        raise RequestStopped

    def _again(self, wanted: _Request) -> None:
        """Repeat a signal that came during an import, unless the request has ended."""
        if self.running is wanted and self.wanted is wanted:
            _signal_main_thread()


def _signal_main_thread() -> None:
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


class PipeSession:
    """Answers requests until `quit` or the end of input."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._inbox = _Inbox()

    def run(self) -> None:
        """Answer requests. Ctrl-C and errors of the pipe end it."""
        threading.Thread(target=self._inbox.read, daemon=True).start()
        with self._handling():
            while (request := self._inbox.queue.get()) is not None:
                sys.stdout.write(write_line(self._answer(request)))
                sys.stdout.flush()
                if request.method == "quit":
                    return

    def _answer(self, request: _Request) -> dict[str, Any]:
        inbox = self._inbox
        try:
            inbox.running = request
            answer = self._work(request)
            inbox.running = None
        except RequestStopped as stop:  # `on_signal` has cleared `running`
            self._session.recover()
            answer = error_answer(request.message, stop)
        inbox.open.remove(request)
        return answer

    def _work(self, request: _Request) -> dict[str, Any]:
        if request.error is not None:
            return error_answer(request.message, request.error)
        if request.stopped:
            return error_answer(request.message, RequestStopped())
        answer = self._session.answer(request.message)
        if request.method == "stop" and "error" not in answer:
            answer["stopped"] = request.stops
        return answer

    @contextmanager
    def _handling(self) -> Iterator[None]:
        before = signal.signal(signal.SIGINT, self._inbox.on_signal)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


def _lines() -> Iterator[bytes]:
    """Yield lines without their ends; a line that is too long is cut, and later refused.

    It reads from the system directly: at exit, no thread may hold Python's lock on standard input.
    """
    kept = b""
    while block := os.read(0, 1 << 16):
        *whole, kept = (kept + block).split(b"\n") if b"\n" in block else (kept + block,)
        yield from (line for line in whole if line.strip())
        kept = kept[: MOST_CHARACTERS + 1]
    if kept.strip():
        yield kept
