"""The engines of a server: processes with one job each, any of which can be stopped."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from typing import Any

from mineproof.web import limits
from mineproof.web.faults import Refused

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
        self.keys: set[str] = set()
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
            start_new_session=True,  # Ctrl-C in a terminal is for the server
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


class Engines:
    """So many engines at most. Who asks waits for a free one, unless too many wait already."""

    def __init__(
        self, size: int, agents: Sequence[str] = ("exact",), seconds: float = limits.SECONDS
    ) -> None:
        self.agents = tuple(agents)
        self._seconds = seconds
        self._free: list[Engine] = []
        self._places = asyncio.Semaphore(size)
        # Short questions are answered while games are watched and arenas run.
        self._long_places = asyncio.Semaphore(max(1, size - 1))
        self._waiting = 0
        self._settling: set[asyncio.Task[None]] = set()
        self._all: set[Engine] = set()

    async def warm(self) -> None:
        """Have one ready before anybody asks."""
        self._free.append(await self._start())

    async def work(
        self, job: dict[str, Any], *, key: str = "", many: bool = False
    ) -> AsyncGenerator[dict[str, Any], None]:
        """The answers to a job; an error that one tells is raised.

        Whoever stops listening (closes the iterator, is cancelled) stops the job.
        """
        if self._waiting >= limits.WAITING:
            raise Refused("busy", f"{limits.WAITING} requests wait already: try again later")
        places = [self._long_places, self._places] if many else [self._places]
        held: list[asyncio.Semaphore] = []
        self._waiting += 1
        try:
            for place in places:
                await place.acquire()
                held.append(place)
            engine = self._pick(key) or await self._start()
        except BaseException:
            for place in held:
                place.release()
            raise
        finally:
            self._waiting -= 1
        if key:
            engine.keys.add(key)
        try:
            async for answer in _in_time(engine, job, self._seconds, many):
                yield answer
        finally:
            task = asyncio.create_task(self._settle(engine, held))
            self._settling.add(task)
            task.add_done_callback(self._settling.discard)

    async def one(
        self, job: dict[str, Any], *, key: str = "", many: bool = False
    ) -> dict[str, Any]:
        """The answer to a job that has one; `many` if it may take as long as those with many."""
        async with aclosing(self.work(job, key=key, many=many)) as answers:
            (answer,) = [answer async for answer in answers]
            return answer

    def _pick(self, key: str) -> Engine | None:
        """A free one, best one that remembers the conversation."""
        self._free = [engine for engine in self._free if engine.alive]
        knowing = [engine for engine in self._free if key and key in engine.keys]
        for chosen in (*knowing, *self._free[-1:]):
            self._free.remove(chosen)
            return chosen
        return None

    async def _start(self) -> Engine:
        self._all = {engine for engine in self._all if engine.alive}
        engine = await Engine.start(self.agents)
        self._all.add(engine)
        return engine

    async def _settle(self, engine: Engine, held: list[asyncio.Semaphore]) -> None:
        """Let an engine come to rest, then let others have it."""
        try:
            await engine.settle()
            if engine.alive:
                self._free.append(engine)
        finally:
            for place in held:
                place.release()

    async def close(self) -> None:
        """The end of all of them."""
        for task in list(self._settling):
            task.cancel()
        await asyncio.gather(*(engine.end() for engine in self._all))


async def _in_time(
    engine: Engine, job: dict[str, Any], seconds: float, many: bool
) -> AsyncGenerator[dict[str, Any], None]:
    """Its answers, unless one of them, or all together, take too long."""
    clock = asyncio.get_running_loop().time
    last = clock() + (limits.LONG * seconds if many else seconds)
    answers = aiter(engine.ask(job))
    while True:
        until = min(last, clock() + seconds)
        try:
            async with asyncio.timeout_at(until):
                answer = await anext(answers, None)
        except TimeoutError:
            raise Refused(
                "stopped", f"this took longer than a request may ({seconds:g} s)"
            ) from None
        if answer is None:
            return
        yield answer
