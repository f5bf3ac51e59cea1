"""One game: an agent and the referee."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from time import perf_counter
from typing import Any, NamedTuple

from mineproof.agents import Player, as_agent
from mineproof.errors import AgentFault, IllegalMove, InvalidInput, share
from mineproof.games.record import Record
from mineproof.printable import printable
from mineproof.world import chance
from mineproof.world.board import Board, Deal
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.game import Game
from mineproof.world.geometry import Cell, Grid
from mineproof.world.move import Move, most_moves
from mineproof.world.rules import Rules
from mineproof.world.view import Event, View


class Turn(NamedTuple):
    """A move, and what it changed."""

    move: Move
    events: list[Event]


class Match:
    """A game in progress. Iterate to play it move by move; `record()` when it is over."""

    def __init__(
        self,
        board: Board | Deal,
        agent: Any,
        *,
        rules: Rules = Rules(),
        clues: ClueModel = Exact(),
        start: Cell | None = None,
        seed: int = 0,
        player_seed: int | None = None,
    ) -> None:
        """`player_seed` is what players are given; without one it follows from the seed."""
        self.agent = as_agent(agent)
        self.moves: list[Move] = []
        self.seconds = 0.0
        begun = perf_counter()
        self._game = Game(board, rules, clues, start=start, seed=seed)
        if player_seed is None:
            player_seed = chance.player_seed(self._game.seed)
        # Copies: what an agent does to its rules must not change those that are played by.
        self.player: Player = self.agent.begin(
            self._game.view,
            rules=copy(self._game.rules),
            clues=copy(self._game.clues),
            seed=chance.check_seed(player_seed),
        )
        self.seconds += perf_counter() - begun

    def __iter__(self) -> Iterator[Turn]:
        game = self._game
        limit = most_moves(game.grid)
        while not game.over:
            begun = perf_counter()
            turn = self._turn()
            self.seconds += perf_counter() - begun
            yield turn
            if len(self.moves) > limit and not game.over:
                raise AgentFault(f"agent {self.agent.name!r} made {limit} moves and gets nowhere")

    @property
    def view(self) -> View:
        """What the player sees now."""
        return self._game.view

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._game.over

    @property
    def truth(self) -> Board | None:
        """The board as soon as it is dealt: for those who watch, never for the player."""
        return self._game.dealt

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._game.rules

    @property
    def clues(self) -> ClueModel:
        """How cells report."""
        return self._game.clues

    @property
    def seed(self) -> int:
        """What names the game."""
        return self._game.seed

    @property
    def start(self) -> Cell | None:
        """The first cell, where it was given."""
        return self._game.start

    def record(self) -> Record:
        """The finished game."""
        game = self._game
        return Record(
            agent=self.agent.name,
            board=game.board,
            rules=game.rules,
            clues=game.clues,
            seed=game.seed,
            start=game.start,
            moves=tuple(self.moves),
            won=game.won,
            score=game.score,
            right=game.right,
            wrong=game.wrong,
            exploded=game.exploded,
            seconds=self.seconds,
        )

    def _turn(self) -> Turn:
        game = self._game
        decision = ask_first(game, self._decide(), self.moves[-1] if self.moves else None)
        try:
            move = _own(decision, game.grid)
            events = game.play(move.cell, move.action)
        except (IllegalMove, InvalidInput) as error:
            raise type(error)(f"agent {self.agent.name!r}: {error}") from None
        self.player.observe(list(events))
        self.moves.append(move)
        return Turn(move, events)

    def _decide(self) -> Move:
        game = self._game
        if not self.moves and game.start is not None:
            certain = game.rules.opening != "any"
            risk = 0.0 if certain else None
            return Move(game.start, "open", risk, certain, "the start that was given")
        decision = self.player.decide()
        if not isinstance(decision, Move):
            raise AgentFault(f"agent {self.agent.name!r} gives no Decision but {decision!r}")
        return decision


def _own(decision: Move, grid: Grid) -> Move:
    """The move as it is made and recorded: each part of the decision read once, and checked."""
    return Move(
        grid.cell(grid.index(decision.cell)),
        decision.action,
        None if decision.risk is None else share(decision.risk, "a risk"),
        bool(decision.certain),
        printable(str(decision.reason), lines=True),
        printable(str(decision.rule)),
        bool(decision.estimated),
    )


def ask_first(game: Game, decision: Move, latest: Move | None) -> Move:
    """The decision; but before a guess, cells without a clue are asked again.

    They are asked once before each guess, whatever they answered.
    """
    just_asked = latest is not None and latest.action == "ask"
    if decision.certain or just_asked or not game.unanswered:
        return decision
    why = "nothing is certain: ask the cells without a clue again"
    return Move(decision.cell, "ask", None, True, why)


def play(
    board: Board | Deal,
    agent: Any,
    *,
    rules: Rules = Rules(),
    clues: ClueModel = Exact(),
    start: Cell | None = None,
    seed: int = 0,
) -> Record:
    """Let an agent play one game on a board, or on one dealt at its first move.

    `agent` is a name, an agent, or anything with a `decide`. `seed` names the
    deal, the noise of the clues and the shared order of guesses.
    """
    match = Match(board, agent, rules=rules, clues=clues, start=start, seed=seed)
    for _ in match:
        pass
    return match.record()
