"""Answers requests of all transports: quick ones at the desk, slow ones by solver processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, asynccontextmanager
from functools import partial
from typing import Any

from mineproof.errors import InvalidInput, unknown_name
from mineproof.messages.decoding import decode
from mineproof.messages.game_requests import SERVER, GameRecordRequest, OfGame
from mineproof.messages.requests import SOLVER
from mineproof.phrases import say
from mineproof.protocol import (
    Session,
    fields_of,
    method_of,
    read_fields,
    read_line,
    read_method,
)
from mineproof.web import history, limits
from mineproof.web.client_sessions import ClientSession, SessionMemory
from mineproof.web.connections import room
from mineproof.web.costs import lane_of
from mineproof.web.desk import Desk
from mineproof.web.jobs import is_remembered, offered
from mineproof.web.long_running import LongRunning
from mineproof.web.scheduling import ClientLimits, Lane, Scheduler
from mineproof.web.solver_pool import SolverPool
from mineproof.web.store import Store
from mineproof.web.study_pages import Studies

Answer = dict[str, Any]


class Service:
    """Answers requests. One thread owns the games and their store; the event loop never waits."""

    def __init__(self, store: Store, solvers: SolverPool, studies: Studies) -> None:
        self.desk = Desk(store)
        self.solvers = solvers
        self.memory = SessionMemory()
        self.sockets = ClientLimits(room() // limits.SOCKETS_SHARE, room(), "WebSockets are open")
        self.bodies = ClientLimits(
            limits.BODIES // 2, limits.BODIES, "large requests are being transferred"
        )
        self._heavy = Scheduler(limits.HEAVY_AT_ONCE)
        self._reading = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, "desk")
        self._slow = LongRunning(self.desk, solvers, studies, self.at_desk)
        desk = self.desk
        self._quick: dict[str, Callable[[Any, str], Answer]] = {
            "game.state": desk.state,
            "game.move": desk.move,
            "game.record": desk.record,
            "game.list": partial(history.games, store),
            "game.delete": partial(history.delete, store),
        }

    async def at_desk(self, work: Callable[..., Any], *given: Any) -> Any:
        """Run quick work on the games: one after the other, never cancelled half-way."""
        loop = asyncio.get_running_loop()
        return await asyncio.shield(loop.run_in_executor(self._thread, work, *given))

    @asynccontextmanager
    async def read(self, text: str | bytes) -> AsyncGenerator[Answer, None]:
        """Read a message and count it as in progress until the end of the context.

        Only a few heavy messages are in progress at a time. Parsing one blocks the event loop, so
        a pause of twice its duration follows for other requests.
        """
        if len(text) <= limits.HEAVY:
            yield read_line(text)
            return
        async with self._heavy.place(Lane.LARGE):
            clock = asyncio.get_running_loop().time
            async with self._reading:
                begun = clock()
                try:
                    message = read_line(text)
                finally:
                    await asyncio.sleep(2 * (clock() - begun))
            yield message

    async def answers(self, message: Any, session: ClientSession) -> AsyncGenerator[Answer, None]:
        """Yield the responses to a request; errors are raised."""
        method = read_method(message, SERVER)
        if method in self._quick:
            request = read_fields(message, SERVER[method])
            yield await self.at_desk(self._quick[method], request, session.player)
        elif method not in SOLVER:
            request = read_fields(message, SERVER[method])
            async with aclosing(self._slow.answers(method, request, session.player)) as answers:
                async for answer in answers:
                    yield answer
        elif method in {"hello", "stop", "quit"}:
            usual, *_ = self.solvers.agents
            about = Session(offered(self.solvers.agents), agent=usual, methods=SERVER)
            yield fields_of(about.answer(message))
        else:
            yield await self._solve(message, session)

    async def _solve(self, message: Answer, session: ClientSession) -> Answer:
        """Answer a method about a position: of a game, of the request, or the one set last."""
        of_game, message = _read_here(message)
        if of_game.game is not None:
            about = await self._position(of_game.game, of_game.at, method_of(message))
            for name in about:
                if message.get(name) is not None:
                    raise InvalidInput(say("refusal.fixed", name=repr(name)))
            return await self._ask(message | about)
        if of_game.at is not None:
            raise InvalidInput(say("refusal.at-without-game"))
        if not _needs_memory(message):
            return await self._ask(message)
        if not session.key:
            raise InvalidInput(say("refusal.own-position"))
        async with session.turn:
            return await self._solve_in(message, session)

    async def _position(self, game: str, at: int | None, method: str) -> Answer:
        """Return the position of a game as fields for a method, or the record that it needs."""
        if method == "influence":
            record: Answer = await self.at_desk(self.desk.record, GameRecordRequest(game=game), "")
            return {"record": record["record"]}
        position: Answer = await self.at_desk(self.desk.position, game, at)
        return position

    async def _solve_in(self, message: Answer, session: ClientSession) -> Answer:
        if method_of(message) == "show":
            message = message | {"shows": _named(message.get("shows"), session.named)}
        session.check(message)
        earlier = session.before(message)
        lane = max(self._lane(message), session.lane if earlier else Lane.SMALL)
        job = {"job": "solve", "message": message, "key": session.key, "earlier": earlier}
        answer = fields_of(await self.solvers.one(job, key=session.key, lane=lane))
        session.note(message, answer, lane)
        return answer

    async def _ask(self, message: Answer) -> Answer:
        job = {"job": "solve", "message": message}
        return fields_of(await self.solvers.one(job, lane=self._lane(message)))

    def _lane(self, message: Answer) -> Lane:
        return lane_of(message, self.solvers.agents[0])

    async def close(self) -> None:
        """Close the store and end the solvers."""
        await self.solvers.close()
        await self.at_desk(self.desk.store.close)
        self._thread.shutdown()


def _read_here(message: Answer) -> tuple[OfGame, Answer]:
    """Return the part of a message to a solver that this process reads, and the rest.

    Engines check the fields of the rest, because that would delay other requests here.
    """
    fields = SERVER[method_of(message)].__struct_fields__
    for name in fields_of(message):
        if name not in fields:
            called = repr(message.get("method", message.get("do")))
            raise unknown_name(f"field of {called}", name, fields)
    here = {name for name in OfGame.__struct_fields__ if name in fields and name in message}
    of_game = decode(OfGame, {name: message[name] for name in here}, "a request")
    rest = {name: one for name, one in message.items() if name != "id" and name not in here}
    return of_game, rest


def _needs_memory(message: Answer) -> bool:
    """Whether a message depends on earlier messages or changes the position of later ones."""
    fields = SOLVER[method_of(message)].__struct_fields__
    return is_remembered(message) or ("view" in fields and message.get("view") is None)


def _named(shows: Any, named: Any) -> Any:
    """Fill in the cell that was named last where `shows` has none; solvers check the rest."""
    if not isinstance(shows, list):
        return shows
    return [
        [named, *one[1:]] if isinstance(one, list) and one and one[0] is None else one
        for one in shows
    ]
