"""Methods that take longer: an engine process computes, and the desk stores the result."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any

from mineproof.errors import IllegalMove, InvalidInput
from mineproof.games.turn_data import read_turn
from mineproof.phrases import say
from mineproof.web import limits, telling
from mineproof.web.desk import Desk
from mineproof.web.engines import Engines
from mineproof.web.ground import Ground
from mineproof.web.jobs import check_agent
from mineproof.web.open_game import Open
from mineproof.web.store import Ending, Taken
from mineproof.web.studies import Studies
from mineproof.web.turns import Lane
from mineproof.web.verbs import NEW
from mineproof.world.board import Board, Deal
from mineproof.world.chance import fresh_seed
from mineproof.world.turn import Turn

Answer = dict[str, Any]
Answers = AsyncGenerator[Answer, None]
AtDesk = Callable[..., Awaitable[Any]]
_SEARCHED = ("no_guess", "reasoning", "needs")


class Slow:
    """Answers requests that need an engine process."""

    def __init__(self, desk: Desk, engines: Engines, studies: Studies, at_desk: AtDesk) -> None:
        self._desk, self._engines, self._studies = desk, engines, studies
        self._at_desk = at_desk
        self._verbs: dict[str, Callable[[Answer, str], Answers]] = {
            "game.new": self._new,
            "game.watch": self._watch,
            "game.review": self._review,
            "game.import": self._import,
            "arena.run": self._arena,
            "study.list": self._list_studies,
            "study.page": self._open_study,
        }

    def answers(self, verb: str, given: Answer, player: str) -> Answers:
        """Yield the responses of a method."""
        return self._verbs[verb](given, player)

    async def _new(self, given: Answer, player: str) -> Answers:
        game = await self._begin(given, player)
        yield await self._at_desk(telling.state, game)

    async def _begin(
        self, given: Answer, player: str, kind: str | None = None, agent: str = ""
    ) -> Open:
        """Start a new game on the requested ground."""
        if "again" in given:
            again: Open = await self._at_desk(self._desk.again, given, player, kind, agent)
            return again
        turns: list[Turn] = []
        if "view" in given:
            ground, turns = await self._from_position(given)
        elif any(given.get(name) for name in _SEARCHED):
            ground = await self._search(given)
        else:
            ground = await self._at_desk(Ground.asked, given)
        known = "board" in given or "view" in given or "seed" in given
        kind = kind or ("practice" if known else "own")
        game: Open = await self._at_desk(self._desk.begin, ground, player, "", kind, agent, turns)
        return game

    async def _search(self, given: Answer) -> Ground:
        """Search for a no-guess board, and return the ground with it."""
        for name in ("board", "view"):
            if name in given:
                raise InvalidInput(say("refusal.no-board", name=repr(name)))
        kind = Ground.asked({name: given[name] for name in given if name not in {*_SEARCHED}})
        assert isinstance(kind.board, Deal)
        wanted = {name: given[name] for name in _SEARCHED if given.get(name)}
        opening = "safe" if kind.rules.opening == "any" else kind.rules.opening
        job = {
            "job": "hunt",
            "deal": vars(kind.board),
            "start": kind.start,
            "opening": opening,
            "seed": kind.seed,
            **wanted,
        }
        found = await self._engines.one(job)
        fields = {"board": Board.from_text(found["board"]), "start": tuple(found["start"])}
        rules = {**given.get("rules", {}), "opening": opening}
        return Ground.asked({**_only(given, "clues"), **fields, "rules": rules, "seed": kind.seed})

    async def _from_position(self, given: Answer) -> tuple[Ground, list[Turn]]:
        """Return a random board consistent with a position, and the turns that lead to it."""
        others = set(given) - {"view", "rules"}
        if others:
            raise InvalidInput(say("refusal.view-only", name=repr(min(others))))
        found = await self._engines.one({"job": "fit", "view": given["view"].to_text()})
        rules = {**given.get("rules", {}), "opening": "any"}
        board = Board.from_text(found["board"])
        ground = Ground.asked({"board": board, "rules": rules, "seed": fresh_seed()})
        return ground, [read_turn(one, board.grid) for one in found["turns"]]

    async def _watch(self, given: Answer, player: str) -> Answers:
        agent, teacher = given.get("agent", self._engines.agents[0]), given.get("teacher", False)
        await self._at_desk(check_agent, agent, self._engines.agents)
        if "game" in given:
            for name in NEW:
                if name in given:
                    raise InvalidInput(say("refusal.fixed", name=repr(name)))
            game = await self._at_desk(self._desk.take_over, given["game"], agent, teacher)
        else:
            kind = "teacher" if teacher else "agents"
            game = await self._begin(_only(given, *NEW), player, kind, agent)
        yield {**await self._at_desk(telling.state, game), "more": True}
        number = len(game.turns)
        if not game.sitting.game.over:
            job = {
                "job": "watch",
                "ground": game.row.ground,
                "deeds": list(game.sitting.deeds),
                "agent": agent,
                "steps": given.get("steps"),
                "thoughts": given.get("thoughts", False),
            }
            async with aclosing(self._engines.work(job, lane=Lane.LONG)) as answers:
                async for answer in answers:
                    turn, thought = (
                        read_turn(answer["turn"], game.ground.grid),
                        answer.get("thought"),
                    )
                    told = await self._at_desk(self._step, game, number, turn)
                    if thought is not None:
                        told["move"]["thought"] = thought
                    yield {**told, "more": True}
                    number += 1
        yield await self._at_desk(telling.news, game, len(game.turns))

    def _step(self, game: Open, number: int, turn: Turn) -> Answer:
        """Store and return a move of an agent, unless another client moved in the meantime."""
        try:
            if len(game.turns) != number:
                raise Taken
            told = self._desk.play(game, turn)
        except Taken:
            raise IllegalMove(say("refusal.moved")) from None
        return {**told, "move": telling.move(game, len(game.turns) - 1)}

    async def _review(self, given: Answer, player: str) -> Answers:
        if ("game" in given) == ("record" in given):
            raise InvalidInput("'game.review' needs either 'game' or 'record'")
        if "game" in given:
            record = (await self._at_desk(self._desk.record, given, player))["record"]
        else:
            record = given["record"].to_json()
        job = {"job": "judge", "record": record, "win": given.get("win", True)}
        async with aclosing(self._engines.work(job, lane=Lane.LONG)) as answers:
            async for answer in answers:
                yield answer if "luck" in answer else {**answer, "more": True}

    async def _import(self, given: Answer, player: str) -> Answers:
        if ("record" in given) == ("text" in given):
            raise InvalidInput("'game.import' needs either 'record' or 'text'")
        text = given["text"] if "text" in given else json.dumps(given["record"].to_json())
        kept: list[Open] = []
        job = {"job": "read", "text": text}
        async with aclosing(self._engines.work(job, lane=Lane.LONG)) as answers:
            async for found in answers:
                ground = await self._at_desk(Ground.from_text, found["ground"])
                turns = [read_turn(one, ground.grid) for one in found["turns"]]
                ending = Ending(*found["ending"])
                keep = self._desk.keep, ground, player, found["agent"], turns, ending
                kept.append(await self._at_desk(*keep))
        yield {**await self._at_desk(telling.state, kept[0]), "kept": len(kept)}

    async def _arena(self, given: Answer, _: str) -> Answers:
        ground = await self._at_desk(Ground.asked, _only(given, "deal", "rules", "clues", "seed"))
        if "seed" not in given:
            ground = await self._at_desk(Ground.asked, {**given, "seed": fresh_seed() >> 11})
        games = given.get("games", 200)
        if games * len(given["agents"]) > limits.ARENA_PLAYED:
            raise InvalidInput(
                f"all agents together may play at most {limits.ARENA_PLAYED} games, "
                f"got {games} games each for {len(given['agents'])} agents: ask for fewer"
            )
        job = {
            "job": "compare",
            "players": given["agents"],
            "ground": ground.to_text(),
            "games": games,
        }
        async with aclosing(self._engines.work(job, lane=Lane.LONG)) as answers:
            async for answer in answers:
                more = {"more": True} if answer["games"] < games else {}
                yield {**answer, "seed": str(ground.seed), **more}

    async def _list_studies(self, _: Answer, __: str) -> Answers:
        yield {"studies": await self._at_desk(self._studies.listed)}

    async def _open_study(self, given: Answer, _: str) -> Answers:
        folder = await self._at_desk(self._studies.folder, given["study"])
        if not self._studies.is_written(folder):
            await self._engines.one({"job": "report", "folder": str(folder)}, lane=Lane.LONG)
        yield {"study": given["study"], "page": f"/studies/{folder.name}/"}


def _only(given: Answer, *names: str) -> Answer:
    return {name: given[name] for name in names if name in given}
