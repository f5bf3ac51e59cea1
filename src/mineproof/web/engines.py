"""The engines of a server: processes with one job each, any of which can be stopped."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from typing import Any

from mineproof.web import limits
from mineproof.web.faults import Refused
from mineproof.web.turns import Lane, Turns

_LINE = 64 << 20
"""Bytes of an answer: all proofs of a large position."""
_GRACE = 1.0
"""Seconds that an engine has to stop; then it is killed, and another one begins."""


class Broken(Refused):
    """An engine ended in the middle of a job."""

    def __init__(self) -> None:
        super().__init__("failed", "the engine that worked on this ended: there was too much to do")


class Engine:
    """A process that thinks."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._resting = True
        self.keys: deque[str] = deque(maxlen=limits.SESSIONS)
        """Conversations that it may remember."""

    @classmethod
    async def start(cls, agents: Sequence[str]) -> Engine:
        """A new process that is ready for its first job."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "mineproof.web.engine_process",
            *agents,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_LINE,
            # Ctrl-C in a terminal is for the server. In a session of its own an engine would have
            # a share of the processor like the server's, however low its priority (autogroups).
            process_group=0,
        )
        engine = cls(process)
        try:
            await engine._line()
        except BaseException:
            await engine.end()
            raise
        return engine

    @property
    def alive(self) -> bool:
        """Whether it can take another job."""
        return self._process.returncode is None

    async def ask(self, job: dict[str, Any]) -> AsyncGenerator[dict[str, Any], None]:
        """The answers to a job."""
        self._resting = False
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(job, separators=(",", ":")).encode() + b"\n")
        with suppress(ConnectionError):
            await self._process.stdin.drain()
        while "end" not in (line := await self._line()):
            if "error" in line:
                raise Refused.as_told(line["error"])
            yield line["answer"]
        self._resting = True

    async def settle(self) -> None:
        """Stop what still runs; kill it if it does not hear."""
        if self._resting or not self.alive:
            return
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGINT)
        try:
            async with asyncio.timeout(_GRACE):
                while "end" not in await self._line():
                    pass
            self._resting = True
        except (TimeoutError, Broken):
            await self.end()

    async def end(self) -> None:
        """The end of it."""
        with suppress(ProcessLookupError):
            self._process.kill()
        # It is waited for until its pipes are closed, too, and those others may hold.
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                await self._process.wait()

    async def _line(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        try:
            line = await self._process.stdout.readline()
        except ValueError:  # longer than any answer may be
            line = b""
        if not line.endswith(b"\n"):
            raise Broken
        return dict(json.loads(line))


class Slow(Refused):
    """An answer did not come in time."""

    def __init__(self, seconds: float) -> None:
        super().__init__("stopped", f"this took longer than a request may ({seconds:g} s)")


class Engines:
    """At most `size` engines. Who asks waits for a turn; one engine is kept ready for the next."""

    def __init__(
        self, size: int, agents: Sequence[str] = ("exact",), seconds: float = limits.SECONDS
    ) -> None:
        self.agents = tuple(agents)
        self._size = size
        self._seconds = seconds
        self._turns = Turns(size)
        self._free: list[Engine] = []
        self._all: set[Engine] = set()
        self._starting: asyncio.Task[None] | None = None
        self._settling: set[asyncio.Task[None]] = set()

    async def warm(self) -> None:
        """Have one ready before anybody asks."""
        await self._start()

    async def work(
        self, job: dict[str, Any], *, key: str = "", lane: Lane = Lane.LARGE
    ) -> AsyncGenerator[dict[str, Any], None]:
        """The answers to a job; an error that one tells is raised.

        Whoever stops listening (closes the iterator, is cancelled) stops the job.
        """
        await self._turns.take(lane)
        try:
            engine = await self._engine(key, lane)
        except BaseException:
            self._turns.leave(lane)
            raise
        if key and key not in engine.keys:
            engine.keys.append(key)
        try:
            async for answer in _in_time(engine, job, self._seconds, lane):
                yield answer
        finally:
            task = asyncio.create_task(self._settle(engine, lane))
            self._settling.add(task)
            task.add_done_callback(self._settling.discard)

    async def one(
        self, job: dict[str, Any], *, key: str = "", lane: Lane = Lane.LARGE
    ) -> dict[str, Any]:
        """The answer to a job that has one."""
        if lane is Lane.SMALL:
            try:
                return await self._only(job, key, lane)
            except Slow:
                lane = Lane.LARGE  # it is not small: it begins again where it keeps nobody waiting
        return await self._only(job, key, lane)

    async def _only(self, job: dict[str, Any], key: str, lane: Lane) -> dict[str, Any]:
        async with aclosing(self.work(job, key=key, lane=lane)) as answers:
            (answer,) = [answer async for answer in answers]
            return answer

    async def _engine(self, key: str, lane: Lane) -> Engine:
        """A free one; where there is none, the next that is ready."""
        while (engine := self._pick(key, lane)) is None:
            await self._start()
        self._keep_ready()
        return engine

    def _pick(self, key: str, lane: Lane) -> Engine | None:
        """A free one, best one that remembers the conversation.

        The only one that is ready is left to small requests while there can be another.
        """
        self._free = [engine for engine in self._free if engine.alive]
        if lane is not Lane.SMALL and len(self._free) < 2 and self._may_start:
            return None
        knowing = [engine for engine in self._free if key and key in engine.keys]
        for chosen in (*knowing, *self._free[-1:]):
            self._free.remove(chosen)
            return chosen
        return None

    def _keep_ready(self) -> None:
        """Begin to start one if none is free: to start takes longer than a small request."""
        if not self._free and self._may_start:
            self._begin_start()

    @property
    def _may_start(self) -> bool:
        self._all = {engine for engine in self._all if engine.alive}
        return len(self._all) < self._size

    def _begin_start(self) -> asyncio.Task[None]:
        if self._starting is None or self._starting.done():
            self._starting = asyncio.create_task(self._start_one())
            # Who waits for it hears what went wrong; where nobody does, the next one tries again.
            self._starting.add_done_callback(lambda task: task.cancelled() or task.exception())
        return self._starting

    async def _start(self) -> None:
        """Start one, or wait for the one that starts; it is for whoever comes first."""
        await asyncio.shield(self._begin_start())

    async def _start_one(self) -> None:
        engine = await Engine.start(self.agents)
        self._all.add(engine)
        self._free.append(engine)

    async def _settle(self, engine: Engine, lane: Lane) -> None:
        """Let an engine come to rest, then let others have it."""
        try:
            await engine.settle()
            if engine.alive:
                self._free.append(engine)
            else:
                self._keep_ready()
        finally:
            self._turns.leave(lane)

    async def close(self) -> None:
        """The end of all of them."""
        tasks = [*self._settling, *([self._starting] if self._starting else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(engine.end() for engine in self._all))


async def _in_time(
    engine: Engine, job: dict[str, Any], seconds: float, lane: Lane
) -> AsyncGenerator[dict[str, Any], None]:
    """Its answers, unless one of them, or all together, take too long."""
    clock = asyncio.get_running_loop().time
    if lane is Lane.SMALL:
        seconds = min(seconds, limits.SMALL_SECONDS)
    last = clock() + (limits.LONG * seconds if lane is Lane.LONG else seconds)
    answers = aiter(engine.ask(job))
    while True:
        until = min(last, clock() + seconds)
        try:
            async with asyncio.timeout_at(until):
                answer = await anext(answers, None)
        except TimeoutError:
            raise Slow(seconds) from None
        if answer is None:
            return
        yield answer
