"""What answers messages, whoever brings them: quick work at the desk, slow work by engines."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from functools import partial
from typing import Any

from mineproof.errors import InvalidInput, quoted, unknown_name
from mineproof.protocol import VERBS as SOLVER_VERBS
from mineproof.protocol import Session, read_fields
from mineproof.web import history, limits
from mineproof.web.desk import Desk
from mineproof.web.engines import Engines
from mineproof.web.jobs import is_remembered, offered
from mineproof.web.slow import Slow
from mineproof.web.store import Store
from mineproof.web.studies import Studies
from mineproof.web.verbs import VERBS, fields_of

Answer = dict[str, Any]


class Talk:
    """Whoever asks: a player, and what a conversation was about so far, if it has a memory."""

    def __init__(self, player: str, *, remembers: bool) -> None:
        self.player = player
        self.key = secrets.token_hex(8) if remembers else ""
        self.told: list[Answer] = []
        """What an engine must hear to know what this conversation is about."""
        self.named: Any = None
        """The cell that `go` named last: an answer may mean it without saying so."""
        self.turn = asyncio.Lock()
        """Messages about what was said before are answered one after the other."""

    def note(self, message: Answer, answer: Answer) -> None:
        """Remember what was said, from where it began."""
        if message["do"] == "go":
            self.named = answer.get("cell")
        if not self.key or not is_remembered(message):
            return
        if message["do"] == "new" or "view" in message:
            self.told.clear()
        self.told.append(message)


class Service:
    """Answers messages. One thread has the games and their store; the event loop never waits."""

    def __init__(self, store: Store, engines: Engines, studies: Studies) -> None:
        self.desk = Desk(store)
        self.engines = engines
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
        """Quick work with the games: one after the other, and never cut short."""
        loop = asyncio.get_running_loop()
        return await asyncio.shield(loop.run_in_executor(self._thread, work, *given))

    async def answers(self, message: Any, talk: Talk) -> AsyncGenerator[Answer, None]:
        """The answers to a message; errors are raised."""
        verb = verb_of(message)
        given = read_fields(message, fields_of(verb))
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
        """A solver's verb: about the position of a game, its own, or the one that was set."""
        message = {name: value for name, value in message.items() if name != "id"}
        if "game" in given:
            for name in ("game", "at"):
                message.pop(name, None)
            about = await self.at_desk(self.desk.position, given, fields_of(message["do"]))
            for name in about:
                if name in message:
                    raise InvalidInput(f"the game has its own {name!r}")
            return await self._ask({"job": "solve", "message": message | about})
        if not _needs_memory(message):
            return await self._ask({"job": "solve", "message": message})
        if not talk.key:
            raise InvalidInput("over HTTP each request stands alone: give a 'view' or a 'game'")
        async with talk.turn:
            return await self._solve_in(message, talk)

    async def _solve_in(self, message: Answer, talk: Talk) -> Answer:
        if message["do"] == "tell":
            shows = [[one[0] or talk.named, *one[1:]] for one in message["shows"]]
            message = message | {"shows": shows}
        if len(talk.told) >= limits.TOLD and message["do"] not in {"new"}:
            raise InvalidInput(f"a conversation has at most {limits.TOLD} answers: begin anew")
        told = [] if message["do"] == "new" or "view" in message else talk.told
        job = {"job": "solve", "message": message, "key": talk.key, "told": told}
        answer = await self._ask(job, talk.key)
        talk.note(message, answer)
        return answer

    async def _ask(self, job: Answer, key: str = "") -> Answer:
        return _unaddressed(await self.engines.one(job, key=key))

    async def close(self) -> None:
        """Leave the store, end the engines."""
        await self.engines.close()
        await self.at_desk(self.desk.store.close)
        self._thread.shutdown()


def verb_of(message: Any) -> str:
    """The verb of a message, if there is one."""
    if not isinstance(message, dict):
        raise InvalidInput(f'a message is an object, {{"do": VERB, ...}}, got {quoted(message)}')
    verb = message.get("do")
    if not isinstance(verb, str):
        raise InvalidInput(f"a message says what to do: 'do' is a text, got {quoted(verb)}")
    if verb not in VERBS and verb not in SOLVER_VERBS:
        raise unknown_name("verb", verb, (*SOLVER_VERBS, *VERBS))
    return verb


def _needs_memory(message: Answer) -> bool:
    """Whether a message is about what was said before, or is to be remembered."""
    fields = SOLVER_VERBS[message["do"]].fields
    return is_remembered(message) or ("view" in fields and message.get("view") is None)


def _unaddressed(answer: Answer) -> Answer:
    return {name: value for name, value in answer.items() if name not in {"do", "id"}}
