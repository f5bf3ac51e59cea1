"""One game: an agent and the referee."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from time import perf_counter
from typing import Any

from mineproof.agents import Player, Recipe, as_agent
from mineproof.arguments import each
from mineproof.errors import AgentFault, IllegalMove, InvalidInput, check_probability
from mineproof.games.guarded_player import check_seconds, start_player
from mineproof.games.record import Record
from mineproof.phrases import Phrase
from mineproof.printable import printable
from mineproof.world import chance
from mineproof.world.board import Board, BoardLike
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.game import Game
from mineproof.world.geometry import Cell, Grid, cells_of
from mineproof.world.move import Act, Move, MoveReason, most_moves
from mineproof.world.rules import Rules, RulesLike
from mineproof.world.turn import Turn
from mineproof.world.view import View


class Match:
    """A game in progress: iterate to play it move by move; `record()` returns the finished game."""

    def __init__(
        self,
        board: BoardLike,
        agent: Any,
        *,
        rules: RulesLike = Rules(),
        clues: ClueModel | str = Exact(),
        start: Cell | None = None,
        seed: int = 0,
        player_seed: int | None = None,
        seconds: float | None = None,
        forfeits: bool = False,
    ) -> None:
        """`player_seed` is the seed that players receive; by default it is derived from `seed`.

        `seconds` limits how long your own agents may take per move. Errors of an agent are raised;
        if it `forfeits`, it loses the game instead, and `fault` has the reason.
        """
        self.agent = as_agent(agent)
        self.fault = ""
        """Why the agent forfeited the game; empty if it did not."""
        self._forfeits = forfeits
        self.turns: list[Turn] = []
        self.seconds = 0.0
        seconds = check_seconds(seconds)
        begun = perf_counter()
        self._game = Game(board, rules, clues, start=start, seed=seed)
        if player_seed is None:
            player_seed = chance.player_seed(self._game.seed)
        self.player: Player | None = None
        with self._judged():
            self.player = start_player(
                self.agent,
                self._game.view,
                rules=self._game.rules,
                clues=self._game.clues,
                seed=chance.check_seed(player_seed),
                seconds=seconds,
            )
        self.seconds += perf_counter() - begun

    def __iter__(self) -> Iterator[Turn]:
        game = self._game
        limit = most_moves(game.grid)
        while not game.over:
            begun, turn = perf_counter(), None
            with self._judged():
                if len(self.turns) > limit:
                    what = f"made {limit} moves without finishing the game"
                    raise AgentFault(what, self.agent.name)
                turn = self._turn()
            self.seconds += perf_counter() - begun
            if turn is None:
                return
            yield turn

    def follow(self, turns: Iterable[Turn]) -> None:
        """Play what these turns ask for first; the player observes their events."""
        for turn in each(turns, Turn, "turns"):
            played = self._game.turn(turn)
            self.turns.append(played)
            with self._judged():
                if self.player is not None:
                    self.player.observe(list(played.events))

    @property
    def view(self) -> View:
        """Return what the player sees now."""
        return self._game.view

    @property
    def over(self) -> bool:
        """Return whether the game has ended."""
        return self._game.over

    @property
    def truth(self) -> Board | None:
        """Return the true board once it is dealt; only for observers, never for the player."""
        return self._game.dealt

    @property
    def rules(self) -> Rules:
        """Return the rules of the game."""
        return self._game.rules

    @property
    def clues(self) -> ClueModel:
        """Return the clue model of the game."""
        return self._game.clues

    @property
    def seed(self) -> int:
        """Return the seed of the game."""
        return self._game.seed

    @property
    def start(self) -> Cell | None:
        """Return the first cell if it was given, otherwise None."""
        return self._game.start

    def record(self) -> Record:
        """Return the finished game."""
        record = Record.of(self._game, self.agent.name, self.turns, self.seconds)
        if not self.fault:
            return record
        score = None if record.score is None else min(record.score, 0.0)
        return replace(record, won=False, score=score, fault=self.fault)

    @contextmanager
    def _judged(self) -> Iterator[None]:
        """Raise the agent's errors inside this context, or let it forfeit the game."""
        try:
            yield
        except (AgentFault, IllegalMove, InvalidInput) as error:
            if not self._forfeits or isinstance(self.agent, Recipe):
                raise
            self.fault = str(error)
            if not self._game.over:
                self._game.stop()

    def _turn(self) -> Turn:
        game = self._game
        decision = ask_first(game, self._decide(), self.turns[-1].action if self.turns else None)
        try:
            ours = isinstance(self.agent, Recipe)
            move = decision if ours else _own(decision, game.grid)
            events = game.play(move.cell, move.action)
        except (IllegalMove, InvalidInput) as error:
            raise type(error)(f"agent {self.agent.name!r}: {error}") from None
        turn = Turn(move, self.agent.name, moves=(move,), changes=(tuple(events),))
        self.turns.append(turn)
        assert self.player is not None
        self.player.observe(events)
        return turn

    def _decide(self) -> Move:
        game = self._game
        if not self.turns and game.start is not None:
            certain = game.rules.opening != "any"
            risk = 0.0 if certain else None
            return Move(game.start, "open", risk, certain, Phrase("first.given"))
        assert self.player is not None
        decision = self.player.decide()
        if not isinstance(decision, Move):
            raise AgentFault(f"must return a Decision, got {decision!r}", self.agent.name)
        return decision


def _own(decision: Move, grid: Grid) -> Move:
    """Return the move to make and record: each part of a foreign decision, read and checked."""
    return Move(
        grid.cell(grid.index(decision.cell)),
        decision.action,
        None if decision.risk is None else check_probability(decision.risk, "a risk"),
        bool(decision.certain),
        _own_reason(decision, grid),
        printable(str(decision.rule)),
        bool(decision.estimated),
    )


def _own_reason(decision: Move, grid: Grid) -> MoveReason | str:
    """Return the reason of a foreign decision; premises must be cells of the board."""
    if decision.why is None:
        return printable(str(decision.reason), lines=True)
    cells_of(grid, [*decision.why.clues, *decision.why.known], "why")
    return decision.why


def ask_first(game: Game, decision: Move, latest: Act | None) -> Move:
    """Return the decision or, before a guess, a move that asks the cells without a clue again.

    They are asked once before each guess, whether or not they showed a clue then.
    """
    if decision.certain or latest == "ask" or not game.unanswered:
        return decision
    return Move(decision.cell, "ask", None, True, Phrase("guess.ask"))


def play(
    board: BoardLike,
    agent: Any,
    *,
    rules: RulesLike = Rules(),
    clues: ClueModel | str = Exact(),
    start: Cell | None = None,
    seed: int = 0,
) -> Record:
    """Let an agent play one game, and return its record.

    `board` is a `Board`, a `Deal` or the name of a level; `agent` a name, an agent, or anything
    with a `decide` method. `rules` may be a dictionary, `clues` a string. Boards are dealt at the
    first move, which is safe unless `rules` say otherwise; a given board is used as it is.
    `seed` determines the deal, the noise of uncertain clues and the random order of guesses.
    """
    match = Match(board, agent, rules=rules, clues=clues, start=start, seed=seed)
    for _ in match:
        pass
    return match.record()
