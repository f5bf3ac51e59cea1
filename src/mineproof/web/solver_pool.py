"""The solver processes of a server: each runs one job at a time and can be stopped."""

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
from mineproof.web.request_errors import RequestRefused
from mineproof.web.scheduling import Lane, Scheduler

_LINE = 64 << 20
"""The maximum size of a response in bytes: all proofs of a large position."""
_GRACE = 1.0
"""Seconds until a solver that does not stop is killed and replaced."""


class ProcessDied(RequestRefused):
    """A solver process ended in the middle of a job."""

    def __init__(self) -> None:
        super().__init__(
            "failed",
            "the engine process ended while working on this request, "
            "probably because it ran out of memory",
        )


class SolverProcess:
    """A process that solves positions and carries out other jobs."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._resting = True
        self.keys: deque[str] = deque(maxlen=limits.SESSIONS)
        """The conversations that this solver may remember."""

    @classmethod
    async def start(cls, agents: Sequence[str]) -> SolverProcess:
        """Start a process and wait until it is ready."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "mineproof.web.solver_process",
            *agents,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_LINE,
            # Ctrl-C in a terminal is for the server. In a separate session, a solver would get
            # as large a share of the processor as the server, despite its priority (autogroups).
            process_group=0,
        )
        solver = cls(process)
        try:
            await solver._line()
        except BaseException:
            await solver.end()
            raise
        return solver

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.returncode is None

    async def ask(self, job: dict[str, Any]) -> AsyncGenerator[dict[str, Any], None]:
        """Yield the responses to a job."""
        self._resting = False
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(job, separators=(",", ":")).encode() + b"\n")
        with suppress(ConnectionError):
            await self._process.stdin.drain()
        while "end" not in (line := await self._line()):
            if "error" in line:
                raise RequestRefused.from_json(line["error"])
            yield line["answer"]
        self._resting = True

    async def finish(self) -> None:
        """Stop a running job; kill the process if it does not react."""
        if self._resting or not self.alive:
            return
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGINT)
        try:
            async with asyncio.timeout(_GRACE):
                while "end" not in await self._line():
                    pass
            self._resting = True
        except (TimeoutError, ProcessDied):
            await self.end()

    async def end(self) -> None:
        """Kill the process."""
        with suppress(ProcessLookupError):
            self._process.kill()
        # Waiting includes its pipes, which other processes may hold open.
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                await self._process.wait()

    async def _line(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        try:
            line = await self._process.stdout.readline()
        except ValueError:  # longer than any response
            line = b""
        if not line.endswith(b"\n"):
            raise ProcessDied
        return dict(json.loads(line))


class ResponseTimeout(RequestRefused):
    """A response exceeded the time limit."""

    def __init__(self, seconds: float) -> None:
        super().__init__("stopped", f"the request exceeded the time limit of {seconds:g} s")


class SolverPool:
    """At most `size` solvers. Requests wait for their turn; one solver is kept ready."""

    def __init__(
        self, size: int, agents: Sequence[str] = ("exact",), seconds: float = limits.SECONDS
    ) -> None:
        self.agents = tuple(agents)
        self._size = size
        self._seconds = seconds
        self._turns = Scheduler(size)
        self._free: list[SolverProcess] = []
        self._all: set[SolverProcess] = set()
        self._starting: asyncio.Task[None] | None = None
        self._stopping: set[asyncio.Task[None]] = set()

    async def warm(self) -> None:
        """Start one solver before the first request."""
        await self._start()

    async def work(
        self, job: dict[str, Any], *, key: str = "", lane: Lane = Lane.LARGE
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Yield the responses to a job; an error response is raised as an exception.

        Closing the iterator or cancelling the task stops the job.
        """
        await self._turns.take(lane)
        try:
            solver = await self._take(key, lane)
        except BaseException:
            self._turns.leave(lane)
            raise
        if key and key not in solver.keys:
            solver.keys.append(key)
        try:
            async for answer in _in_time(solver, job, self._seconds, lane):
                yield answer
        finally:
            task = asyncio.create_task(self._release(solver, lane))
            self._stopping.add(task)
            task.add_done_callback(self._stopping.discard)

    async def one(
        self, job: dict[str, Any], *, key: str = "", lane: Lane = Lane.LARGE
    ) -> dict[str, Any]:
        """Return the response to a job that has exactly one."""
        if lane is Lane.SMALL:
            try:
                return await self._only(job, key, lane)
            except ResponseTimeout:
                lane = Lane.LARGE  # it starts again in a lane where it delays no small requests
        return await self._only(job, key, lane)

    async def _only(self, job: dict[str, Any], key: str, lane: Lane) -> dict[str, Any]:
        async with aclosing(self.work(job, key=key, lane=lane)) as answers:
            (answer,) = [answer async for answer in answers]
            return answer

    async def _take(self, key: str, lane: Lane) -> SolverProcess:
        """Return a free solver, or wait for the next one that is ready."""
        while (solver := self._pick(key, lane)) is None:
            await self._start()
        self._keep_ready()
        return solver

    def _pick(self, key: str, lane: Lane) -> SolverProcess | None:
        """Return a free solver, preferably one that remembers the conversation.

        The last one that is ready is kept for small requests while another can be started.
        """
        self._free = [solver for solver in self._free if solver.alive]
        if lane is not Lane.SMALL and len(self._free) < 2 and self._may_start:
            return None
        knowing = [solver for solver in self._free if key and key in solver.keys]
        for chosen in (*knowing, *self._free[-1:]):
            self._free.remove(chosen)
            return chosen
        return None

    def _keep_ready(self) -> None:
        """Start a solver in advance if none is free: a start takes longer than a small request."""
        if not self._free and self._may_start:
            self._begin_start()

    @property
    def _may_start(self) -> bool:
        self._all = {solver for solver in self._all if solver.alive}
        return len(self._all) < self._size

    def _begin_start(self) -> asyncio.Task[None]:
        if self._starting is None or self._starting.done():
            self._starting = asyncio.create_task(self._start_one())
            # A waiting task receives the exception; without one, the next request tries again.
            self._starting.add_done_callback(lambda task: task.cancelled() or task.exception())
        return self._starting

    async def _start(self) -> None:
        """Wait until the next solver has started; the first task that asks gets it."""
        await asyncio.shield(self._begin_start())

    async def _start_one(self) -> None:
        solver = await SolverProcess.start(self.agents)
        self._all.add(solver)
        self._free.append(solver)

    async def _release(self, solver: SolverProcess, lane: Lane) -> None:
        """Stop the job of a solver, then release the solver."""
        try:
            await solver.finish()
            if solver.alive:
                self._free.append(solver)
            else:
                self._keep_ready()
        finally:
            self._turns.leave(lane)

    async def close(self) -> None:
        """End all solvers."""
        tasks = [*self._stopping, *([self._starting] if self._starting else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(solver.end() for solver in self._all))


async def _in_time(
    solver: SolverProcess, job: dict[str, Any], seconds: float, lane: Lane
) -> AsyncGenerator[dict[str, Any], None]:
    """Yield the responses of a solver within the time limits per response and in total."""
    clock = asyncio.get_running_loop().time
    if lane is Lane.SMALL:
        seconds = min(seconds, limits.SMALL_SECONDS)
    last = clock() + (limits.LONG * seconds if lane is Lane.LONG else seconds)
    answers = aiter(solver.ask(job))
    while True:
        until = min(last, clock() + seconds)
        try:
            async with asyncio.timeout_at(until):
                answer = await anext(answers, None)
        except TimeoutError:
            raise ResponseTimeout(seconds) from None
        if answer is None:
            return
        yield answer
