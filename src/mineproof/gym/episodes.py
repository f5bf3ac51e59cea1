"""Play one game after another by numbered moves, as an environment does."""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn, cast

import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from mineproof.errors import IllegalMove, InvalidInput, check_integer
from mineproof.gym.env_config import EnvConfig
from mineproof.world.chance import check_seed, game_seed
from mineproof.world.game import Game
from mineproof.world.view import FLAGGED, HIDDEN, KNOWN_SAFE, Event, is_opened

_MOST_TRIES = 1000
"""The most games in a row that may end when their start is opened."""


class Step(NamedTuple):
    """The effects of a move: numbers, or arrays in a vector environment.

    Rewards are computed from it, so one function serves both kinds of environment.
    """

    opened: Any
    """Cells opened."""
    exploded: Any
    """Mines hit: 0 or 1."""
    right: Any
    """The change in the number of correct flags."""
    wrong: Any
    """The change in the number of wrong flags."""
    won: Any
    """1 if it won the game."""
    over: Any
    """1 if it ended the game."""
    illegal: Any
    """1 if it was illegal and changed nothing."""
    mines: Any
    """Mines on the board."""
    cells: int
    """Cells of the board."""


class NotBegun(IllegalMove, ResetNeeded):
    """Raised when a game is used before `reset` started the first one."""

    def __init__(self) -> None:
        super().__init__("no game has started: call reset first")


class _Missing:
    """A placeholder for the game that raises, so that steps need not check each time."""

    def __get__(self, play: object, owner: object) -> NoReturn:
        raise NotBegun


class Episodes:
    """A series of games; game n of a seed is game n of an arena with that seed."""

    game: Game = cast(Game, _Missing())

    def __init__(self, task: EnvConfig) -> None:
        self.task = task
        self.seed: int | None = None
        self._next = 0

    def reseed(self, seed: int) -> None:
        """Continue with game 0 of this seed."""
        self.seed, self._next = check_seed(seed), 0

    def begin(self) -> None:
        """Start the next game, skipping those that end when their start is opened."""
        assert self.seed is not None
        for _ in range(_MOST_TRIES):
            game = self.game = self.task.game(game_seed(self.seed, self._next))
            self._next += 1
            if not game.over:
                self._states = np.frombuffer(game.view.states, np.uint8).copy()
                return
        raise InvalidInput(f"{_MOST_TRIES} games in a row ended when their first cell was opened")

    @property
    def states(self) -> NDArray[np.uint8]:
        """A copy of the cell states, by row and column."""
        return self._states.reshape(self.task.grid.rows, self.task.grid.cols).copy()

    @property
    def legal(self) -> NDArray[np.int8]:
        """1 for each legal move; all 1 when the game is over."""
        if self.game.over:
            return np.ones(self.task.moves, np.int8)
        hidden = self._states == HIDDEN
        opens: NDArray[np.int8] = (hidden | (self._states == KNOWN_SAFE)).astype(np.int8)
        if not self.task.flags:
            return opens
        turns = (hidden | (self._states == FLAGGED)) & (self.game.dealt is not None)
        return np.concatenate([opens, turns.astype(np.int8)])

    def step(self, move: int) -> Step:
        """Make a move. An illegal one changes nothing."""
        game, grid = self.game, self.task.grid
        move = check_integer(move, "a move", 0, self.task.moves - 1)
        if game.over:
            raise IllegalMove("the game is over: call reset to start the next one")
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
        """The number of mines, whether or not the player knows it."""
        if self.game.dealt is not None:
            return self.game.dealt.mine_count
        assert self.task.deal is not None
        mines = self.task.deal.mine_count
        assert mines is not None
        return mines
