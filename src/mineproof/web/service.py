"""Answers requests of all transports: quick ones at the desk, slow ones by engine processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, asynccontextmanager
from functools import partial
from typing import Any

from mineproof.errors import InvalidInput
from mineproof.phrases import say
from mineproof.protocol import VERBS as SOLVER_VERBS
from mineproof.protocol import Field, Session, read_fields, read_line, read_verb
from mineproof.web import history, limits
from mineproof.web.connections import room
from mineproof.web.costs import lane_of
from mineproof.web.desk import Desk
from mineproof.web.engines import Engines
from mineproof.web.jobs import is_remembered, offered
from mineproof.web.slow import Slow
from mineproof.web.store import Store
from mineproof.web.studies import Studies
from mineproof.web.talks import Memory, Talk
from mineproof.web.turns import Lane, Share, Turns
from mineproof.web.verbs import OF_A_GAME, VERBS, fields_of

Answer = dict[str, Any]


class Service:
    """Answers requests. One thread owns the games and their store; the event loop never waits."""

    def __init__(self, store: Store, engines: Engines, studies: Studies) -> None:
        self.desk = Desk(store)
        self.engines = engines
        self.memory = Memory()
        self.sockets = Share(room() // limits.SOCKETS_SHARE, room(), "WebSockets are open")
        self.bodies = Share(
            limits.BODIES // 2, limits.BODIES, "large requests are being transferred"
        )
        self._heavy = Turns(limits.HEAVY_AT_ONCE)
        self._reading = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, "desk")
        self._slow = Slow(self.desk, engines, studies, self.at_desk)
        desk = self.desk
        self._quick: dict[str, Callable[[Answer, str], Answer]] = {
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

    async def answers(self, message: Any, talk: Talk) -> AsyncGenerator[Answer, None]:
        """Yield the responses to a request; errors are raised."""
        verb = read_verb(message, (*SOLVER_VERBS, *VERBS))
        given = read_fields(*_read_here(message, fields_of(verb)))
        if verb in self._quick:
            yield await self.at_desk(self._quick[verb], given, talk.player)
        elif verb in VERBS:
            async with aclosing(self._slow.answers(verb, given, talk.player)) as answers:
                async for answer in answers:
                    yield answer
        elif verb in {"hello", "stop", "quit"}:
            usual, *_ = self.engines.agents
            taken = {verb: [*fields_of(verb)] for verb in (*SOLVER_VERBS, *VERBS)}
            session = Session(offered(self.engines.agents), agent=usual, verbs=taken)
            yield _unaddressed(session.answer(message))
        else:
            yield await self._solve(message, given, talk)

    async def _solve(self, message: Answer, given: Answer, talk: Talk) -> Answer:
        """Answer a method about a position: of a game, of the request, or the one set last."""
        message = {name: value for name, value in message.items() if name != "id"}
        if "game" in given:
            for name in ("game", "at"):
                message.pop(name, None)
            about = await self.at_desk(self.desk.position, given, fields_of(message["do"]))
            for name in about:
                if name in message:
                    raise InvalidInput(say("refusal.fixed", name=repr(name)))
            return await self._ask(message | about)
        if not _needs_memory(message):
            return await self._ask(message)
        if not talk.key:
            raise InvalidInput("HTTP requests do not share a position: give a 'view' or a 'game'")
        async with talk.turn:
            return await self._solve_in(message, talk)

    async def _solve_in(self, message: Answer, talk: Talk) -> Answer:
        if message["do"] == "tell":
            message = message | {"shows": _named(message.get("shows"), talk.named)}
        talk.check(message)
        lane = max(self._lane(message), talk.lane if talk.before(message) else Lane.SMALL)
        job = {"job": "solve", "message": message, "key": talk.key, "told": talk.before(message)}
        answer = _unaddressed(await self.engines.one(job, key=talk.key, lane=lane))
        talk.note(message, answer, lane)
        return answer

    async def _ask(self, message: Answer) -> Answer:
        job = {"job": "solve", "message": message}
        return _unaddressed(await self.engines.one(job, lane=self._lane(message)))

    def _lane(self, message: Answer) -> Lane:
        return lane_of(message, self.engines.agents[0])

    async def close(self) -> None:
        """Close the store and end the engines."""
        await self.engines.close()
        await self.at_desk(self.desk.store.close)
        self._thread.shutdown()


def _read_here(message: Answer, fields: Mapping[str, Field]) -> tuple[Answer, Mapping[str, Field]]:
    """Return the part of a message that this process reads, with its fields.

    Engines read the rest, because parsing a large position here would delay other requests.
    """
    if message["do"] in VERBS:
        return message, fields
    left = fields.keys() - OF_A_GAME.keys()
    rest = {name: value for name, value in message.items() if name not in left}
    return rest, {name: field._replace(needed=False) for name, field in fields.items()}


def _needs_memory(message: Answer) -> bool:
    """Whether a message depends on earlier messages or changes the position of later ones."""
    fields = SOLVER_VERBS[message["do"]].fields
    return is_remembered(message) or ("view" in fields and message.get("view") is None)


def _named(shows: Any, named: Any) -> Any:
    """Fill in the cell that was named last where `shows` has none; engines check the rest."""
    if not isinstance(shows, list):
        return shows
    return [
        [named, *one[1:]] if isinstance(one, list) and one and one[0] is None else one
        for one in shows
    ]


def _unaddressed(answer: Answer) -> Answer:
    return {name: value for name, value in answer.items() if name not in {"do", "id"}}
