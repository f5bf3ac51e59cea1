"""Many games at once, in compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mineproof import _engine
from mineproof.errors import EngineError, InvalidInput, check_integer, quote
from mineproof.gym.env_config import EnvConfig

MOST_GAMES = 10**7
_INSTEAD = "use gymnasium.make_vec(..., vectorization_mode='sync'), which plays in Python"

Whole = NDArray[np.int64]


class GameBatch:
    """Many games, as arrays that every call updates in place.

    `states` and `legal` are what players see; `last_states` and `last_legal` are the same for
    games that a step ended and replaced. The others describe the last move, as in `Step`. `cut`
    is 1 if the limit ended the game, `begun` is 1 if a new game has started.

    `reset(places, seeds=None)` starts new games at these indices, in ascending order.
    `step(moves)` makes a move in each game. `seed_of(place)` is the seed of a game,
    `bounds_of(place)` the index and the bound of each clue that has one.
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

    def __init__(self, task: EnvConfig, size: int, renewal: str, limit: int, threads: int) -> None:
        size = check_integer(size, "the number of games", 1, MOST_GAMES)
        limit = check_integer(limit, "the move limit", 0, 2**62)
        _check_engine(task)
        native, grid = _engine.native, task.grid
        deal, start = task.deal, task.start
        games: Any = native.VectorGame(
            grid.rows,
            grid.cols,
            size,
            rules=_engine.rules_of(task.rules),
            clues=_engine.model_of(task.clues),
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
        for name in GameBatch.__annotations__:
            setattr(self, name, getattr(games, name))
        self.reset, self.step = games.reset, games.step
        self.seed_of: Callable[[int], int] = games.seed_of
        self.bounds_of: Callable[[int], list[tuple[int, int]]] = games.bounds_of


def _check_engine(task: EnvConfig) -> None:
    if not _engine.is_native():
        raise EngineError(
            "vector environments need the compiled engine, and this is the Python engine: "
            f"install a C++ compiler and reinstall mineproof, or {_INSTEAD}"
        )
    if task.clues.drawn is None:
        raise InvalidInput(
            f"vector environments cannot draw clues in Python, as {quote(task.clues)} does: "
            f"{_INSTEAD}"
        )
