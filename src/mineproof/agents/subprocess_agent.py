"""Use a program in any language as an agent: it answers requests, one line of JSON each.

`engine:./my-solver --fast` is started once in every process and thread that needs it and plays
one game after the other. It must answer `go`. If the response to `hello` lists `position` too, it
receives changes instead of the whole view. docs/protocol.md has the messages.
"""

from __future__ import annotations

import json
import os
import select
import shlex
import shutil
import subprocess
import threading
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, get_args

from mineproof.errors import AgentFault, InvalidInput, quote, shorten
from mineproof.world.chance import seed_to_json
from mineproof.world.clues import ClueModel
from mineproof.world.geometry import as_cell
from mineproof.world.move import Action, Move
from mineproof.world.rules import Rules
from mineproof.world.view import Event, View

PREFIX = "engine"
_SLICE = 0.2
"""Seconds per wait, so that a time limit set by the caller can interrupt it."""
_FAREWELL = 1.0
"""Seconds that a program has to end by itself."""
_LONGEST = 1_000_000
"""The most bytes of a response."""


class SubprocessAgent:
    """An agent that is a program. A copy in another process starts the program again."""

    costly = True

    def __init__(self, command: str) -> None:
        self.name = f"{PREFIX}:{command}"
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise InvalidInput(f"cannot read the command {shorten(command)!r}: {error}") from None
        if not self._words:
            raise InvalidInput(f"{PREFIX}: needs a command, as in '{PREFIX}:./my-solver --fast'")
        if shutil.which(self._words[0]) is None:
            raise InvalidInput(
                f"no program {shorten(self._words[0])!r} found: give its path, or the name of an "
                "executable on the PATH"
            )
        self._seats = _PlayerSlots()

    def __reduce__(self) -> tuple[type[SubprocessAgent], tuple[str]]:
        return SubprocessAgent, (self.name.partition(":")[2],)

    def begin(self, view: View, *, rules: Rules, clues: ClueModel, seed: int) -> SubprocessPlayer:
        """Start a game with this view; the program is started if it is not running."""
        _ = self.channel
        return SubprocessPlayer(self, view, rules, clues, seed)

    @property
    def channel(self) -> _Channel:
        """Return the running program of this thread: started again after a failure or a fork."""
        seat = self._seats
        if seat.channel is None or seat.home != os.getpid() or not seat.channel.is_open:
            seat.channel, seat.home = _Channel(self.name, self._words), os.getpid()
        return seat.channel

    def close(self) -> None:
        """End the program."""
        seat = self._seats
        if seat.channel is not None and seat.home == os.getpid():
            seat.channel.close()
        seat.channel = None


class _PlayerSlots(threading.local):
    """The running program of each thread (workers of a cluster are threads), and its process."""

    channel: _Channel | None = None
    home: int = 0


class SubprocessPlayer:
    """A program in one game. Several games may take turns: the program learns which one is next."""

    def __init__(
        self, agent: SubprocessAgent, view: View, rules: Rules, clues: ClueModel, seed: int
    ) -> None:
        self._agent = agent
        self._view = view
        self._setting = {"rules": rules.to_json(), "clues": str(clues), "seed": seed_to_json(seed)}
        self._news: list[Event] = []

    def observe(self, events: Iterable[Event]) -> None:
        """Receive the events of the game; the program gets them before its next move."""
        news = list(events)
        self._news += news
        self._view = self._view.after(news)

    def decide(self) -> Move:
        """Return the program's next move."""
        channel = self._agent.channel
        whole = {"view": self._view.to_text(), **self._setting}
        if not channel.follows:
            return self._move(channel.ask("go", {"step": True, **whole}))
        if channel.player is not self:
            channel.ask("position", whole)
            channel.player = self
        elif self._news:
            channel.ask("position", {"events": [event.to_json() for event in self._news]})
        self._news.clear()
        return self._move(channel.ask("go", {"step": True}))

    def _move(self, answer: dict[str, Any]) -> Move:
        action, risk = answer.get("action", "open"), answer.get("risk")
        if action not in get_args(Action):
            actions = ", ".join(map(repr, get_args(Action)))
            raise AgentFault(f"its action must be one of {actions}, got {quote(action)}")
        try:
            cell = as_cell(answer.get("cell", (0, 0) if action in {"stop", "ask"} else None))
        except InvalidInput as error:
            raise AgentFault(f"cannot read its move {quote(answer)}: {error}") from None
        return Move(
            cell,
            action,
            risk,
            answer.get("certain") is True,
            str(answer.get("reason") or "no reason given"),
            str(answer.get("rule") or ""),
            answer.get("estimated") is True,
        )


class _Channel:
    """A running program, with its input and output. Its stderr is passed through."""

    def __init__(self, name: str, words: list[str]) -> None:
        self._count = 0
        self._read = b""
        self.player: SubprocessPlayer | None = None
        """The player whose game the program is playing now."""
        try:
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
            )
        except OSError as error:
            raise AgentFault(f"{name!r} cannot be started: {error.strerror}") from None
        self.is_open = True
        known = self.ask("hello", {}, may_refuse=True).get("verbs")
        self.follows = isinstance(known, list) and "position" in known
        """Whether it accepts changes instead of the whole view."""

    def ask(
        self, method: str, fields: dict[str, Any], *, may_refuse: bool = False
    ) -> dict[str, Any]:
        """Return the response to a request. Any exception while waiting ends the program."""
        self._count += 1
        line = json.dumps({"do": method, "id": self._count, **fields}) + "\n"
        try:
            self._send(line.encode())
            answer = self._hear()
        except BaseException:  # a late response would be taken for that of the next request
            self.close(at_once=True)
            raise
        error = answer.get("error")
        if error is not None and not may_refuse:
            words = error.get("message") if isinstance(error, dict) else error
            raise AgentFault(f"it answered {method!r} with an error: {shorten(str(words), 200)}")
        return answer

    def _send(self, data: bytes) -> None:
        assert self._process.stdin is not None
        try:
            while data:
                data = data[self._process.stdin.write(data) or 0 :]
        except OSError:
            raise self._ended() from None

    def _hear(self) -> dict[str, Any]:
        """Return the next response that does not belong to an earlier request."""
        while True:
            try:
                answer = json.loads(line := self._line())
            except (ValueError, RecursionError):
                shown = shorten(line.decode(errors="replace").strip())
                raise AgentFault(f"expected a line of JSON, got {shown!r}") from None
            if not isinstance(answer, dict):
                raise AgentFault(f"expected a JSON object, got {quote(answer)}")
            if answer.get("id", self._count) == self._count:
                return answer

    def _line(self) -> bytes:
        assert self._process.stdout is not None
        handle = self._process.stdout.fileno()
        while b"\n" not in self._read:
            if not select.select([handle], [], [], _SLICE)[0]:
                continue
            block = os.read(handle, 1 << 16)
            if not block:
                raise self._ended()
            self._read += block
            if len(self._read) > _LONGEST:
                raise AgentFault(f"its response has more than {_LONGEST:,} bytes without a newline")
        line, _, self._read = self._read.partition(b"\n")
        return line

    def _ended(self) -> AgentFault:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_FAREWELL)
        return AgentFault(f"its program ended with exit code {self._process.returncode}")

    def close(self, *, at_once: bool = False) -> None:
        """Close the program's input, and end it if it does not end by itself."""
        self.is_open = False
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        if not at_once:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_FAREWELL)
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def __del__(self) -> None:
        if getattr(self, "is_open", False):
            self.close()
