"""Many games at once: compiled, or in Python with the same arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mineproof import _engine
from mineproof.errors import InvalidInput, check_integer
from mineproof.gym.env_config import EnvConfig
from mineproof.gym.episodes import Episodes, Step
from mineproof.world.view import HIDDEN

MOST_GAMES = 10**7
_COLUMNS = ("opened", "exploded", "right", "wrong", "mines")
_MARKS = ("won", "over", "cut", "illegal", "begun")

Whole = NDArray[np.int64]


class GameBatch(Protocol):
    """Many games, as arrays that every call updates in place.

    `states` and `legal` are what players see; `last_states` and `last_legal` are the same for
    games that a step ended and replaced. The others describe the last move, as in `Step`. `cut`
    is 1 if the limit ended the game, `begun` is 1 if a new game has started.
    """

    states: NDArray[np.uint8]
    legal: NDArray[np.int8]
    last_states: NDArray[np.uint8]
    last_legal: NDArray[np.int8]
    opened: NDArray[np.int32]
    exploded: NDArray[np.int32]
    right: NDArray[np.int32]
    wrong: NDArray[np.int32]
    mines: NDArray[np.int32]
    won: NDArray[np.uint8]
    over: NDArray[np.uint8]
    cut: NDArray[np.uint8]
    illegal: NDArray[np.uint8]
    begun: NDArray[np.uint8]

    def reset(self, places: Whole, seeds: NDArray[np.uint64] | None = None) -> None:
        """Start new games at these indices, in ascending order."""

    def step(self, moves: Whole) -> None:
        """Make a move in each game."""

    def seed_of(self, place: int) -> int:
        """The seed of the current game at this index."""
        ...


def games_of(task: EnvConfig, size: int, renewal: str, limit: int, threads: int) -> GameBatch:
    """Create the games of a task: in C++ if the engine is native and the clues are exact."""
    size = check_integer(size, "the number of games", 1, MOST_GAMES)
    limit = check_integer(limit, "the move limit", 0, 2**62)
    if not (_engine.is_native() and task.clues.is_exact and task.rules.luck == "dealt"):
        return PythonGameBatch(task, size, renewal, limit)
    native, grid = _engine.native, task.grid
    deal, start = task.deal, task.start
    games: Any = native.VectorGame(
        grid.rows,
        grid.cols,
        size,
        rules=_engine.rules_of(task.rules),
        mines=(deal.mine_count or 0) if deal else 0,
        start=-1 if start is None else grid.index(start),
        boards=[
            (board.mined, -1 if first is None else grid.index(first))
            for board, first in task.boards
        ],
        flags=task.flags,
        limit=limit,
        renewal=native.Autoreset[renewal],
        threads=threads,
    )
    return _Seen(games)


class _Seen:
    """The compiled games, with each array looked up once."""

    def __init__(self, games: Any) -> None:
        for name in ("states", "legal", "last_states", "last_legal", *_COLUMNS, *_MARKS):
            setattr(self, name, getattr(games, name))
        self.reset, self.step, self.seed_of = games.reset, games.step, games.seed_of

    def __getattr__(self, name: str) -> Any:  # for type checkers: all attributes are set above
        raise AttributeError(name)


class PythonGameBatch:
    """The reference implementation in Python."""

    def __init__(self, task: EnvConfig, size: int, renewal: str, limit: int) -> None:
        self._plays = [Episodes(task) for _ in range(size)]
        self._renewal, self._limit = renewal, limit
        self._steps = [0] * size
        self._ended = [True] * size
        grid, kept = task.grid, size if renewal == "same_step" else 0
        self.states = np.full((size, grid.rows, grid.cols), HIDDEN, np.uint8)
        self.legal = np.ones((size, task.moves), np.int8)
        self.last_states = np.full((kept, grid.rows, grid.cols), HIDDEN, np.uint8)
        self.last_legal = np.ones((kept, task.moves), np.int8)
        self.opened, self.exploded, self.right, self.wrong, self.mines = (
            np.zeros(size, np.int32) for _ in _COLUMNS
        )
        self.won, self.over, self.cut, self.illegal, self.begun = (
            np.zeros(size, np.uint8) for _ in _MARKS
        )

    def reset(self, places: Whole, seeds: NDArray[np.uint64] | None = None) -> None:
        """Start new games at these indices, in ascending order."""
        for number, place in enumerate(places.tolist()):
            if seeds is not None:
                self._plays[place].reseed(int(seeds[number]))
            self._begin(place)

    def seed_of(self, place: int) -> int:
        """The seed of the current game at this index."""
        return self._plays[place].game.seed

    def step(self, moves: Whole) -> None:
        """Make a move in each game; if any of them is invalid, make none."""
        limit = self.legal.shape[1]
        if len(moves) != len(self._plays):
            raise InvalidInput(f"expected {len(self._plays)} moves, one per game, got {len(moves)}")
        for move in moves.tolist():
            check_integer(move, "a move", 0, limit - 1)
        for place, move in enumerate(moves.tolist()):
            self._step(place, move)

    def _begin(self, place: int) -> None:
        play = self._plays[place]
        play.begin()
        self._steps[place], self._ended[place] = 0, False
        self._see(place)
        for column in self._columns():
            column[place] = 0
        self.mines[place], self.begun[place] = play.mines, 1

    def _step(self, place: int, move: int) -> None:
        if self._ended[place] and self._renewal == "next_step":
            return self._begin(place)
        self.begun[place] = 0
        if self._ended[place]:
            return None
        done = self._plays[place].step(move)
        self._steps[place] += 1
        cut = not done.over and self._steps[place] == self._limit
        self._ended[place] = bool(done.over or cut)
        self._see(place)
        if cut:
            self.legal[place] = 1
        if self._ended[place] and self._renewal == "same_step":
            self.last_states[place], self.last_legal[place] = self.states[place], self.legal[place]
            self._begin(place)
        return self._note(place, done, cut)

    def _see(self, place: int) -> None:
        self.states[place] = self._plays[place].states
        self.legal[place] = self._plays[place].legal

    def _note(self, place: int, done: Step, cut: bool) -> None:
        for name, value in done._asdict().items():
            if name != "cells":
                getattr(self, name)[place] = value
        self.cut[place] = cut

    def _columns(self) -> Iterator[NDArray[Any]]:
        return (getattr(self, name) for name in (*_COLUMNS, *_MARKS))
