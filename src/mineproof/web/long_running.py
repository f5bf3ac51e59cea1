"""Methods that take longer: a solver process computes, and the desk stores the result."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any

from msgspec import structs, to_builtins

from mineproof.errors import IllegalMove, InvalidInput
from mineproof.games.turn_data import read_turn, turn_json
from mineproof.messages.game_requests import (
    GameRecordRequest,
    ImportRequest,
    ListStudiesRequest,
    NewGameRequest,
    ReviewRequest,
    RunArenaRequest,
    StudyPageRequest,
    WatchRequest,
)
from mineproof.messages.requests import Request
from mineproof.messages.values import SomeRules
from mineproof.phrases import say
from mineproof.web import game_json, limits
from mineproof.web.desk import Desk
from mineproof.web.ground import Ground
from mineproof.web.jobs import check_agent
from mineproof.web.open_game import Open
from mineproof.web.scheduling import Lane
from mineproof.web.solver_pool import SolverPool
from mineproof.web.store import Ending, Taken
from mineproof.web.study_pages import Studies
from mineproof.world.board import Deal
from mineproof.world.chance import fresh_seed
from mineproof.world.turn import Turn

Answer = dict[str, Any]
Answers = AsyncGenerator[Answer, None]
AtDesk = Callable[..., Awaitable[Any]]
_SEARCHED = ("no_guess", "reasoning", "needs")


class LongRunning:
    """Answers requests that need a solver process."""

    def __init__(self, desk: Desk, solvers: SolverPool, studies: Studies, at_desk: AtDesk) -> None:
        self._desk, self._solvers, self._studies = desk, solvers, studies
        self._at_desk = at_desk
        self._methods: dict[str, Callable[[Any, str], Answers]] = {
            "game.new": self._new,
            "game.watch": self._watch,
            "game.review": self._review,
            "game.import": self._import,
            "arena.run": self._arena,
            "study.list": self._list_studies,
            "study.page": self._open_study,
        }

    def answers(self, method: str, request: Request, player: str) -> Answers:
        """Yield the responses of a method."""
        return self._methods[method](request, player)

    async def _new(self, request: NewGameRequest, player: str) -> Answers:
        game = await self._begin(request, player)
        yield await self._at_desk(game_json.state, game)

    async def _begin(
        self, request: NewGameRequest, player: str, kind: str | None = None, agent: str = ""
    ) -> Open:
        """Start a new game on the requested ground."""
        if request.again is not None:
            _check_alone(request, "again")
            again = self._desk.again, request.again, player, kind, agent
            same: Open = await self._at_desk(*again)
            return same
        turns: list[Turn] = []
        if request.view is not None:
            ground, turns = await self._from_position(request, request.view)
        elif any(getattr(request, name) for name in _SEARCHED):
            ground = await self._search(request)
        else:
            ground = await self._at_desk(Ground.asked, request)
        known = any(one is not None for one in (request.board, request.view, request.seed))
        kind = kind or ("practice" if known else "own")
        game: Open = await self._at_desk(self._desk.begin, ground, player, "", kind, agent, turns)
        return game

    async def _search(self, request: NewGameRequest) -> Ground:
        """Search for a no-guess board, and return the ground with it."""
        if request.board is not None:
            raise InvalidInput(say("refusal.no-board", name=repr("board")))
        kind = Ground.asked(request)
        assert isinstance(kind.board, Deal)
        wanted = {name: given for name in _SEARCHED if (given := getattr(request, name))}
        opening = "safe" if kind.rules.opening == "any" else kind.rules.opening
        job = {
            "job": "hunt",
            "deal": vars(kind.board),
            "start": kind.start,
            "opening": opening,
            "seed": kind.seed,
            **wanted,
        }
        found = await self._solvers.one(job)
        board, start = found["board"], tuple(found["start"])
        rules = structs.replace(request.rules or SomeRules(), opening=opening)
        fixed = NewGameRequest(
            board=board, start=start, rules=rules, clues=request.clues, seed=kind.seed
        )
        return Ground.asked(fixed)

    async def _from_position(self, request: NewGameRequest, view: str) -> tuple[Ground, list[Turn]]:
        """Return a random board consistent with a position, and the turns that lead to it."""
        _check_alone(request, "view", "rules")
        found = await self._solvers.one({"job": "fit", "view": view})
        rules = structs.replace(request.rules or SomeRules(), opening="any")
        ground = Ground.asked(NewGameRequest(board=found["board"], rules=rules))
        return ground, [read_turn(one, ground.grid) for one in found["turns"]]

    async def _watch(self, request: WatchRequest, player: str) -> Answers:
        agent, teacher = request.agent, bool(request.teacher)
        agent = self._solvers.agents[0] if agent is None else agent
        await self._at_desk(check_agent, agent, self._solvers.agents)
        if request.game is not None:
            if given := _given(request):
                raise InvalidInput(say("refusal.fixed", name=repr(given[0])))
            game = await self._at_desk(self._desk.take_over, request.game, agent, teacher)
        else:
            kind = "teacher" if teacher else "agents"
            game = await self._begin(request, player, kind, agent)
        yield {**await self._at_desk(game_json.state, game), "more": True}
        number = len(game.turns)
        if not game.referee.over:
            job = {
                "job": "watch",
                "ground": game.row.ground,
                "turns": [turn_json(turn._replace(seconds=None)) for turn in game.turns],
                "agent": agent,
                "steps": request.steps,
                "thoughts": bool(request.thoughts),
            }
            async with aclosing(self._solvers.work(job, lane=Lane.LONG)) as answers:
                async for answer in answers:
                    turn = read_turn(answer["turn"], game.ground.grid)
                    thought = answer.get("thought")
                    response = await self._at_desk(self._step, game, number, turn)
                    if thought is not None:
                        response["move"]["thought"] = thought
                    yield {**response, "more": True}
                    number += 1
        yield await self._at_desk(game_json.news, game, len(game.turns))

    def _step(self, game: Open, number: int, turn: Turn) -> Answer:
        """Store and return a move of an agent, unless another client moved in the meantime."""
        try:
            if len(game.turns) != number:
                raise Taken
            response = self._desk.play(game, turn)
        except Taken:
            raise IllegalMove(say("refusal.moved")) from None
        return {**response, "move": game_json.move(game, len(game.turns) - 1)}

    async def _review(self, request: ReviewRequest, player: str) -> Answers:
        if (request.game is None) == (request.record is None):
            raise InvalidInput(_one_of_two("game.review", "game", "record"))
        record = to_builtins(request.record)
        if request.game is not None:
            kept = self._desk.record, GameRecordRequest(game=request.game), player
            record = (await self._at_desk(*kept))["record"]
        job = {"job": "judge", "record": record, "win": request.win is not False}
        async with aclosing(self._solvers.work(job, lane=Lane.LONG)) as answers:
            async for answer in answers:
                yield answer if "luck" in answer else {**answer, "more": True}

    async def _import(self, request: ImportRequest, player: str) -> Answers:
        if (request.record is None) == (request.text is None):
            raise InvalidInput(_one_of_two("game.import", "record", "text"))
        text = json.dumps(to_builtins(request.record)) if request.text is None else request.text
        kept: list[Open] = []
        job = {"job": "read", "text": text}
        async with aclosing(self._solvers.work(job, lane=Lane.LONG)) as answers:
            async for found in answers:
                ground = await self._at_desk(Ground.from_text, found["ground"])
                turns = [read_turn(one, ground.grid) for one in found["turns"]]
                ending = Ending(*found["ending"])
                keep = self._desk.keep, ground, player, found["agent"], turns, ending
                kept.append(await self._at_desk(*keep))
        yield {**await self._at_desk(game_json.state, kept[0]), "kept": len(kept)}

    async def _arena(self, request: RunArenaRequest, _: str) -> Answers:
        seed = fresh_seed() >> 11 if request.seed is None else request.seed
        on = NewGameRequest(deal=request.deal, rules=request.rules, clues=request.clues, seed=seed)
        ground = await self._at_desk(Ground.asked, on)
        games, players = request.games or 200, request.agents
        if games * len(players) > limits.ARENA_PLAYED:
            most = limits.ARENA_PLAYED
            raise InvalidInput(
                say("refusal.arena-games", most=most, games=games, agents=len(players))
            )
        job = {
            "job": "compare",
            "players": players,
            "ground": ground.to_text(),
            "games": games,
        }
        async with aclosing(self._solvers.work(job, lane=Lane.LONG)) as answers:
            async for answer in answers:
                more = {"more": True} if answer["games"] < games else {}
                yield {**answer, "seed": str(ground.seed), **more}

    async def _list_studies(self, _: ListStudiesRequest, __: str) -> Answers:
        yield {"studies": await self._at_desk(self._studies.listed)}

    async def _open_study(self, request: StudyPageRequest, _: str) -> Answers:
        folder = await self._at_desk(self._studies.folder, request.study)
        if not self._studies.is_written(folder):
            await self._solvers.one({"job": "report", "folder": str(folder)}, lane=Lane.LONG)
        yield {"study": request.study, "page": f"/studies/{folder.name}/"}


def _one_of_two(method: str, one: str, other: str) -> str:
    return say("refusal.one-of-two", method=repr(method), one=repr(one), other=repr(other))


def _given(request: NewGameRequest) -> list[str]:
    """Return the fields that a request gives of those that describe a new game."""
    names = NewGameRequest.__struct_fields__
    return [name for name in names if getattr(request, name) is not None]


def _check_alone(request: NewGameRequest, field: str, *allowed: str) -> None:
    """Raise an error if a field is combined with others than those allowed."""
    others = set(_given(request)) - {field, *allowed}
    if others:
        key = "refusal.again" if field == "again" else "refusal.view-only"
        raise InvalidInput(say(key, name=repr(min(others))))
