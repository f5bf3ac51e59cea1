"""One game after the other by moves that are numbers: what an environment steps through."""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn, cast

import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from mineproof.errors import IllegalMove, InvalidInput, whole
from mineproof.gym.task import Task
from mineproof.world.chance import check_seed, game_seed
from mineproof.world.game import Game
from mineproof.world.view import FLAGGED, HIDDEN, TOLD_SAFE, Event, is_opened

_MOST_TRIES = 1000
"""Games in a row that are over when their start is opened."""


class Step(NamedTuple):
    """What a move did: numbers, or in a vector environment an array of each.

    Rewards are made of this, so one function serves both.
    """

    opened: Any
    """Cells that it opened."""
    exploded: Any
    """Mines that it hit: 0 or 1."""
    right: Any
    """Flags more on mines."""
    wrong: Any
    """Flags more on other cells."""
    won: Any
    """1 where it won the game."""
    over: Any
    """1 where it ended the game."""
    illegal: Any
    """1 where it was illegal, and changed nothing."""
    mines: Any
    """Mines on the board."""
    cells: int
    """Cells of the board."""


class NotBegun(IllegalMove, ResetNeeded):
    """Something is asked of a game before `reset` began the first one."""

    def __init__(self) -> None:
        super().__init__("nothing is played yet: reset begins the first game")


class _Missing:
    """Stands where the game will be: `begin` covers it, so that steps need not ask each time."""

    def __get__(self, play: object, owner: object) -> NoReturn:
        raise NotBegun


class Play:
    """A series of games: number n of a seed is game n of an arena with that seed."""

    game: Game = cast(Game, _Missing())

    def __init__(self, task: Task) -> None:
        self.task = task
        self.seed: int | None = None
        self._next = 0

    def reseed(self, seed: int) -> None:
        """The next game is number 0 of this seed."""
        self.seed, self._next = check_seed(seed), 0

    def begin(self) -> None:
        """The next game. One that is over when its start is opened is passed over."""
        assert self.seed is not None
        for _ in range(_MOST_TRIES):
            game = self.game = self.task.game(game_seed(self.seed, self._next))
            self._next += 1
            if not game.over:
                self._states = np.frombuffer(game.view.states, np.uint8).copy()
                return
        raise InvalidInput("game after game is over when its start is opened")

    @property
    def states(self) -> NDArray[np.uint8]:
        """What the cells show, by row and column; a copy."""
        return self._states.reshape(self.task.grid.rows, self.task.grid.cols).copy()

    @property
    def legal(self) -> NDArray[np.int8]:
        """1 where a move is legal; all 1 when the game is over and any will do."""
        if self.game.over:
            return np.ones(self.task.moves, np.int8)
        hidden = self._states == HIDDEN
        opens: NDArray[np.int8] = (hidden | (self._states == TOLD_SAFE)).astype(np.int8)
        if not self.task.flags:
            return opens
        turns = (hidden | (self._states == FLAGGED)) & (self.game.dealt is not None)
        return np.concatenate([opens, turns.astype(np.int8)])

    def step(self, move: int) -> Step:
        """Make a move. An illegal one changes nothing."""
        game, grid = self.game, self.task.grid
        move = whole(move, "a move", 0, self.task.moves - 1)
        if game.over:
            raise IllegalMove("the game is over: reset begins the next one")
        exploded, right, wrong = game.exploded, game.right, game.wrong
        legal = bool(self.legal[move])
        events = self._play(move) if legal else []
        for event in events:
            self._states[grid.index(event.cell)] = event.state
        return Step(
            opened=sum(is_opened(event.state) for event in events),
            exploded=game.exploded - exploded,
            right=game.right - right,
            wrong=game.wrong - wrong,
            won=int(game.won),
            over=int(game.over),
            illegal=int(not legal),
            mines=self.mines,
            cells=grid.size,
        )

    def _play(self, move: int) -> list[Event]:
        index = move % self.task.grid.size
        cell = self.task.grid.cell(index)
        if move < self.task.grid.size:
            return self.game.open(cell)
        if self._states[index] == FLAGGED:
            return self.game.unflag(cell)
        return self.game.flag(cell)

    @property
    def mines(self) -> int:
        """How many mines there are, whoever may know it."""
        if self.game.dealt is not None:
            return self.game.dealt.mine_count
        assert self.task.deal is not None
        mines = self.task.deal.mine_count
        assert mines is not None
        return mines
