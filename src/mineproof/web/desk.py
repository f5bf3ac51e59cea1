"""The games of a server: requests that are quick, answered one after the other.

Games in memory are only a cache of the store: other processes may play in the same game.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Sequence
from time import time
from typing import Any

from mineproof.errors import IllegalMove, InvalidInput, UnknownName, quote
from mineproof.messages.game_requests import GameRecordRequest, GameStateRequest, MakeMoveRequest
from mineproof.phrases import say
from mineproof.web import game_json, limits
from mineproof.web.ground import Ground
from mineproof.web.open_game import Open
from mineproof.web.store import Ending, Store, StoredGame, Taken
from mineproof.world.turn import Turn, by_hand
from mineproof.world.view import UNTOUCHED

_TRIES = 50
"""Attempts at a move while others move in the same game; each failure is a move of theirs."""


class NoSuchGame(UnknownName):
    """There is no game with this ID."""


class Desk:
    """Answers requests about games one after the other; players are identified by name."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._at_hand: OrderedDict[str, Open] = OrderedDict()
        self._weights: dict[str, int] = {}
        self._weight = 0

    def begin(
        self,
        ground: Ground,
        player: str,
        share: str = "",
        kind: str = "own",
        agent: str = "",
        turns: Sequence[Turn] = (),
    ) -> Open:
        """Start a new game on this ground and play these turns where they change anything."""
        name, share = secrets.token_urlsafe(12), share or secrets.token_urlsafe(9)
        row = StoredGame(name, share, player, kind, agent, ground.to_text(), ground.level, time())
        game = Open(row)
        for turn in turns:
            if game.referee.view.state(turn.cell) in UNTOUCHED:  # else a zero opened it
                game.play(turn._replace(seconds=row.begun))
        self.store.add(row, game.turns)
        return self._keep(game)

    def keep(
        self, ground: Ground, player: str, agent: str, turns: Sequence[Turn], ending: Ending
    ) -> Open:
        """Store a finished game from another program."""
        name, share, now = secrets.token_urlsafe(12), secrets.token_urlsafe(9), time()
        text, level = ground.to_text(), ground.level
        row = StoredGame(name, share, player, "record", agent, text, level, now, now, *ending)
        self.store.add(row, [turn._replace(seconds=now) for turn in turns])
        return self.find(name)

    def find(self, name: str) -> Open:
        """Return the game with this ID, in the state of the store."""
        row = self.store.game(name)
        if row is None:
            self._forget(name)
            raise NoSuchGame(say("refusal.no-game", name=quote(name)))
        found = self._at_hand.get(name)
        if found is None:
            found = Open(row)
        found.row = row
        for turn in self.store.turns(name, found.ground.grid, len(found.turns)):
            found.play(turn)
        return self._keep(found)

    def again(self, link: str, player: str, kind: str | None, agent: str) -> Open:
        """Start a new game on the board of another one, given by its ID or a link."""
        row = self.store.game(link) or self.store.first_of(link)
        if row is None:
            raise NoSuchGame(say("refusal.no-link", name=quote(link)))
        if kind is None:
            # A player who has seen the board, or sees it here while the other game goes on, does
            # not guess: neither game counts in win rates.
            kind = "own" if row.player != player and row.kind == "own" else "practice"
        if row.ended is None and row.kind == "own" and row.player == player:
            self.store.mark(row.id, "practice", row.agent)
        return self.begin(Ground.from_text(row.ground), player, row.share, kind, agent)

    def take_over(self, name: str, agent: str, teacher: bool) -> Open:
        """Return a game in which an agent is to move; it no longer counts as the player's own."""
        game = self.find(name)
        kind = game.row.kind
        if teacher and kind not in {"agents", "teacher"} and not game.referee.over:
            raise IllegalMove(say("refusal.teacher"))
        if not game.referee.over:
            self.store.mark(name, "teacher" if teacher else kind, agent)
        return self.find(name)

    def record(self, request: GameRecordRequest, _: str) -> dict[str, Any]:
        """Answer `game.record`."""
        game = self.find(request.game)
        record = game.manual.record(game.row.agent or "you", game.seconds)
        return {"game": game.row.id, "record": record.to_json()}

    def position(self, name: str, at: int | None) -> dict[str, Any]:
        """Return the position of a game, now or after a number of moves, as fields for a solver."""
        game = self.find(name)
        referee = game.referee
        view = referee.view if at is None else game.manual.view_at(at)
        rules = {name: rule for name, rule in referee.rules.to_json().items() if rule is not None}
        return {"view": view.to_text(), "rules": rules, "clues": str(referee.clues)}

    def state(self, request: GameStateRequest, _: str) -> dict[str, Any]:
        """Answer `game.state`."""
        game = self.find(request.game)
        return game_json.state(game, at=request.at, moves=bool(request.moves))

    def move(self, request: MakeMoveRequest, _player: str) -> dict[str, Any]:
        """Answer `game.move`."""
        game = self.find(request.game)
        if request.cell is None and request.action not in {"ask", "stop"}:
            raise InvalidInput(say("refusal.needs-cell", action=request.action))
        turn = by_hand(request.cell or (0, 0), request.action)
        game.ground.grid.index(turn.cell)
        for _ in range(_TRIES):
            number = len(game.turns) if request.n is None else request.n
            if number < len(game.turns):
                return self._repeated(game, number, turn)
            if number > len(game.turns):
                made = len(game.turns)
                raise IllegalMove(say("refusal.number-of-move", moves=made, number=number))
            try:
                return self.play(game, turn)
            except Taken:  # another process was quicker
                game = self.find(request.game)
        raise IllegalMove(say("refusal.moved-often"))

    def play(self, game: Open, turn: Turn) -> dict[str, Any]:
        """Play a turn and store it before it is answered."""
        number, turn = len(game.turns), turn._replace(seconds=time())
        if number >= limits.MOVES and turn.action != "stop":
            raise IllegalMove(say("refusal.most-moves", most=limits.MOVES))
        if game.row.kind in {"agents", "teacher"} and not turn.by:
            raise IllegalMove(say("refusal.agents-only"))
        try:
            game.play(turn)
            self.store.append(game.row.id, number, turn, game.ending)
        except IllegalMove:
            raise
        except BaseException:
            self._forget(game.row.id)  # it is not as it is stored
            raise
        self._keep(game)
        return game_json.state(game, since=number)

    def _repeated(self, game: Open, number: int, turn: Turn) -> dict[str, Any]:
        """Return the response to a move that was already made."""
        if game.turns[number][:2] != turn[:2]:
            raise IllegalMove(say("refusal.other-move", number=number))
        return game_json.state(game, since=number)

    def _keep(self, game: Open) -> Open:
        """Keep a game in memory unless it is over: finished games are rarely read again."""
        self._forget(game.row.id)
        if not game.referee.over:
            self._at_hand[game.row.id] = game
            self._weights[game.row.id] = game.weight
            self._weight += game.weight
        while len(self._at_hand) > limits.GAMES_IN_MEMORY or self._weight > limits.EVENTS_IN_MEMORY:
            self._forget(next(iter(self._at_hand)))
        return game

    def _forget(self, name: str) -> None:
        if self._at_hand.pop(name, None) is not None:
            self._weight -= self._weights.pop(name)
