"""A curriculum from easy to hard boards, in stages by the reasoning that a board needs."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

import gymnasium

from mineproof.arguments import each, listed
from mineproof.boards.generation import Generated, generate
from mineproof.errors import InvalidInput, check_integer, check_probability, plural
from mineproof.world.geometry import Cell


class Stage(NamedTuple):
    """No-guess boards, and the reasoning that the hardest step of each requires."""

    reasoning: str
    boards: tuple[Generated, ...]


def graded_stages(
    rows: int,
    cols: int,
    mines: int,
    *,
    start: Cell = (0, 0),
    reasoning: Sequence[str] = ("local", "pairs", "subset"),
    count: int = 100,
    seed: int = 0,
) -> list[Stage]:
    """Return a stage per kind of reasoning, each with `count` boards that need exactly this kind.

    All boards start at `start`, under the opening rule `clear`.
    """
    return [
        Stage(
            name,
            tuple(
                generate(
                    rows, cols, mines, start=start, opening="clear", needs=name,
                    count=count, seed=seed,
                )
            ),
        )
        for name in listed(reasoning, "reasoning")
    ]  # fmt: skip


class Curriculum(gymnasium.Wrapper[Any, Any, Any, Any]):
    """An environment that moves to the next stage when enough of the last games were won.

    `info["stage"]` is the index of the current stage.
    """

    def __init__(
        self, stages: Sequence[Stage], *, promote: float = 0.8, games: int = 50, **given: Any
    ) -> None:
        """Start the next stage when the share `promote` of the last `games` games was won.

        Other arguments, such as `reward` and `render_mode`, are passed to the environment.
        """
        self.stages = list(each(stages, Stage, "stages"))
        if not self.stages:
            raise InvalidInput("a curriculum needs at least one stage")
        self._promote = check_probability(promote, "promote")
        self._games = games = check_integer(games, "games", 1, 10**6)
        self._given = given
        self.stage = 0
        self._won: deque[bool] = deque(maxlen=games)
        super().__init__(self._environment())

    def _environment(self) -> gymnasium.Env[Any, Any]:
        boards = self.stages[self.stage].boards
        return gymnasium.make(
            "mineproof/Minesweeper-v0", boards=boards, opening="clear", **self._given
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start the next game, on the next stage if enough games were won."""
        if self._is_earned() and self.stage + 1 < len(self.stages):
            self.stage += 1
            self._won.clear()
            before = self.env.unwrapped.np_random_seed
            self.env = self._environment()
            seed = before if seed is None else seed
        states, info = self.env.reset(seed=seed, options=options)
        return states, info | {"stage": self.stage}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Make a move; a finished game counts towards the next stage."""
        states, reward, over, cut, info = self.env.step(action)
        if over or cut:
            self._won.append(bool(info["won"]))
        return states, reward, over, cut, info | {"stage": self.stage}

    def _is_earned(self) -> bool:
        return len(self._won) == self._games and sum(self._won) >= self._promote * self._games

    def __str__(self) -> str:
        stage = self.stages[self.stage]
        return f"<stage {self.stage}, {stage.reasoning}: {plural(len(stage.boards), 'board')}>"
