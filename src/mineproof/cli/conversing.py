"""Messages on standard input, answers on standard output: a line each, in the order they came.

One thread reads, so that `stop` is heard while something runs; the main thread works and is the
only one that writes. What runs is stopped as Ctrl-C would stop it, by the signal that compiled
calls listen to; but it comes from ourselves, and ends that request only.
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
    read_line,
    write_line,
)

_WAITING = 10_000
"""Messages that may wait; who sends more has to wait, too."""


class Stopped(KeyboardInterrupt):
    """Somebody asked to stop this request."""


class _Request:
    """A message that waits or is worked on, or what was wrong with a line."""

    def __init__(self, message: dict[str, Any], error: MineproofError | None = None) -> None:
        self.message = message
        self.error = error
        self.stopped = False
        """Whether somebody asked to stop it."""
        self.stops = False
        """Of a `stop`: whether there was anything to stop."""

    @property
    def id(self) -> Any:
        return head(self.message).get("id")

    @property
    def verb(self) -> Any:
        return self.message.get("do")


class _Inbox:
    """What came in and has no answer yet. The thread that reads holds this and nothing else.

    So at the end, when that thread still waits for a line, nothing of the library is in its hands.
    """

    def __init__(self) -> None:
        self.queue: Queue[_Request | None] = Queue(_WAITING)
        self.open: list[_Request] = []
        """Requests without an answer yet."""
        self.running: _Request | None = None
        self.wanted: _Request | None = None
        """The request that a signal on its way shall stop."""

    def read(self) -> None:
        """Take lines in until there are no more."""
        for line in _lines():
            try:
                request = _Request(read_line(line))
            except MineproofError as error:
                request = _Request({}, error)
            if request.verb == "stop":
                request.stops = self._stop(request.message.get("of"))
            self.open.append(request)
            self.queue.put(request)
        self.queue.put(None)

    def _stop(self, of: Any) -> bool:
        """Stop the requests with this id, or all; whether there were any."""
        meant = [one for one in self.open if of is None or one.id == of]
        meant = [one for one in meant if one.verb not in {"stop", "quit"} and not one.stopped]
        for request in meant:
            # In this order: the main thread looks the other way round.
            request.stopped = True
            if self.running is request:
                self.wanted = request
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        return bool(meant)

    def on_signal(self, number: int, frame: FrameType | None) -> None:
        """Ours ends the request that it is for, if that still runs; any other is Ctrl-C."""
        wanted, self.wanted = self.wanted, None
        if wanted is None:
            interrupts.on_interrupt(number, frame)
            return
        if self.running is wanted:
            self.running = None  # so that nothing is raised a second time
            raise Stopped


class Conversing:
    """Answers what comes in until `quit` or the end of input."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._inbox = _Inbox()

    def run(self) -> None:
        """Talk. An error that no message caused (the reader is gone, Ctrl-C) ends it."""
        threading.Thread(target=self._inbox.read, daemon=True).start()
        with self._handling():
            while (request := self._inbox.queue.get()) is not None:
                sys.stdout.write(write_line(self._answer(request)))
                sys.stdout.flush()
                if request.verb == "quit":
                    return

    def _answer(self, request: _Request) -> dict[str, Any]:
        inbox = self._inbox
        try:
            inbox.running = request
            answer = self._work(request)
            inbox.running = None
        except Stopped as stop:  # `on_signal` has cleared `running`
            self._session.recover()
            answer = error_answer(request.message, stop)
        inbox.open.remove(request)
        return answer

    def _work(self, request: _Request) -> dict[str, Any]:
        if request.error is not None:
            return error_answer(request.message, request.error)
        if request.stopped:
            return error_answer(request.message, Stopped())
        answer = self._session.answer(request.message)
        if request.verb == "stop" and "error" not in answer:
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
    """Lines as they come, without their ends; one that is too long is cut, and refused later.

    Read from the system itself: at the end of the program nobody may hold Python's own lock on
    standard input.
    """
    kept = b""
    while block := os.read(0, 1 << 16):
        *whole, kept = (kept + block).split(b"\n") if b"\n" in block else (kept + block,)
        yield from (line for line in whole if line.strip())
        kept = kept[: MOST_CHARACTERS + 1]
    if kept.strip():
        yield kept
