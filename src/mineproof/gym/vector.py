"""The Gymnasium vector environment: thousands of games per call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from mineproof.arguments import mapping, one_of
from mineproof.errors import IllegalMove, InvalidInput, check_integer, quote
from mineproof.gym.batch import GameBatch
from mineproof.gym.env_config import env_config_of
from mineproof.gym.episodes import NotBegun, Step
from mineproof.gym.pictures import MODES, picture, show, text
from mineproof.gym.rewards import Reward, reward_of
from mineproof.gym.spaces import spaces_of
from mineproof.series.workers import check_workers
from mineproof.world.board import Board, Opening
from mineproof.world.chance import check_seed, fresh_seed
from mineproof.world.clues import ClueModel
from mineproof.world.geometry import Cell
from mineproof.world.rules import RulesLike
from mineproof.world.view import View

RENEWALS = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "never",
}

Array = NDArray[Any]


class MinesweeperVectorEnv(VectorEnv[Array, Array, Array]):
    """Many games at once: `gymnasium.make_vec("mineproof/Minesweeper-v0", num_envs=4096)`.

    Each game is what the single environment plays with the same arguments and seed. It needs the
    compiled engine and runs on `threads` threads (default: all cores).
    """

    def __init__(
        self,
        num_envs: int = 1,
        level: str | None = None,
        *,
        rows: int | None = None,
        cols: int | None = None,
        mines: int | None = None,
        density: float | None = None,
        opening: Opening | None = None,
        rules: RulesLike | None = None,
        clues: ClueModel | str | None = None,
        start: Cell | None = None,
        boards: Sequence[Board] | None = None,
        flags: bool | None = None,
        reward: str | Reward = "win",
        render_mode: str | None = None,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        threads: int | None = None,
    ) -> None:
        """Create the games. `copy`: whether each call returns new arrays.

        Otherwise observations and masks are the same read-only arrays, updated in place by
        every call.
        """
        self.task = env_config_of(
            level, rows=rows, cols=cols, mines=mines, density=density, opening=opening,
            rules=rules, clues=clues, start=start, boards=boards, flags=flags,
        )  # fmt: skip
        if render_mode is not None:
            one_of(render_mode, "render mode", MODES)
        self.render_mode, self.copy = render_mode, copy
        self.autoreset_mode = _autoreset(autoreset_mode)
        self.metadata = {
            "render_modes": list(MODES),
            "render_fps": 4,
            "autoreset_mode": self.autoreset_mode,
        }
        self._reward = reward_of(reward, self.task)
        limit = 0 if max_episode_steps is None else max_episode_steps
        if isinstance(limit, int) and limit == -1:  # Gymnasium's value for no limit
            limit = 0
        renewal = RENEWALS[self.autoreset_mode]
        self._games = GameBatch(self.task, num_envs, renewal, limit, check_workers(threads))
        self.num_envs = len(self._games.won)
        self.single_observation_space, self.single_action_space = spaces_of(self.task)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._seeds: list[int | None] = [None] * self.num_envs
        self._ended = np.zeros(self.num_envs, np.bool_)
        self._all = np.ones(self.num_envs, np.bool_)
        self._step = self._what_moves_did()

    @property
    def np_random_seed(self) -> Any:
        """The seed of each game's series."""
        return tuple(self._seeds)

    def game_seed(self, place: int) -> int:
        """Return the seed of the current game at this index."""
        return self._games.seed_of(self._place(place))

    def view(self, place: int) -> View:
        """Return what the player of one game sees, with the mine count if the rules reveal it."""
        place = self._place(place)
        mines = int(self._games.mines[place]) if self.task.rules.count_known else None
        bounds = tuple(self._games.bounds_of(place)) if self.task.clues.known else ()
        return View(self.task.grid, self._games.states[place].tobytes(), mines, bounds)

    def _place(self, place: int) -> int:
        if self._seeds[0] is None:
            raise NotBegun
        return check_integer(place, "the index of a game", 0, self.num_envs - 1)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Array, dict[str, Any]]:
        """Start new games everywhere, or where `options["reset_mask"]` is True.

        A seed is that of the first game; the others get seed + 1, seed + 2, ... A list has one
        seed per game; None continues its series.
        """
        which = self._which(options)
        places = np.flatnonzero(which)
        wanted = self._wanted(seed)
        fresh = [place for place in places.tolist() if wanted[place] is not None]
        for place in fresh:
            self._seeds[place] = wanted[place]
        seeds = np.array([wanted[place] for place in fresh], np.uint64)
        going_on = places[[wanted[place] is None for place in places.tolist()]]
        self._games.reset(np.array(fresh, np.int64), seeds)
        self._games.reset(going_on)
        self._ended[places] = False
        return self._given(self._games.states), self._info(which)

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Make a move in each game; the autoreset mode decides what happens in finished ones."""
        moves = self._moves(actions)
        games = self._games
        if self._seeds[0] is None:
            raise NotBegun
        if self.autoreset_mode is AutoresetMode.DISABLED and self._ended.any():
            place = int(self._ended.argmax())
            raise IllegalMove(f"game {place} is over: reset it with options['reset_mask']")
        games.step(moves)
        rewards = np.array(self._reward(self._step), np.float64)
        if self.autoreset_mode is AutoresetMode.NEXT_STEP:
            rewards[games.begun != 0] = 0.0
        over, cut = games.over.astype(np.bool_), games.cut.astype(np.bool_)
        self._ended = over | cut
        info = self._info(self._all)
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._ended.any():
            self._add_last(info)
        return self._given(games.states), rewards, over, cut, info

    def render(self) -> Any:
        """Render the board of each game, or print them for `human`."""
        if self.render_mode is None:
            return None
        views = map(self.view, range(self.num_envs))
        if self.render_mode == "human":
            for view in views:
                show(view, None)
            return None
        draw = text if self.render_mode == "ansi" else picture
        return tuple(draw(view, None) for view in views)

    def _what_moves_did(self) -> Step:
        """Read-only arrays that every step updates."""
        names = (name for name in Step._fields if name != "cells")
        columns: Any = {name: _sealed(getattr(self._games, name)) for name in names}
        return Step(**columns, cells=self.task.grid.size)

    def _moves(self, actions: Any) -> NDArray[np.int64]:
        found = np.asarray(actions)
        if found.shape != (self.num_envs,) or found.dtype.kind not in "iu":
            raise InvalidInput(f"expected {self.num_envs} integer actions, got {quote(actions)}")
        return np.ascontiguousarray(found, np.int64)

    def _wanted(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        """The seed of each new series, or None if a series continues."""
        if seed is None:
            seed = [None] * self.num_envs
        elif not isinstance(seed, Sequence) or isinstance(seed, (str, bytes)):
            first = check_seed(seed)  # type: ignore[arg-type]
            seed = [first + place for place in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise InvalidInput(f"expected {self.num_envs} seeds, one per game, got {len(seed)}")
        given = [None if one is None else check_seed(one) for one in seed]
        return [
            fresh_seed() if one is None and before is None else one
            for one, before in zip(given, self._seeds, strict=True)
        ]

    def _which(self, options: Mapping[str, Any] | None) -> NDArray[np.bool_]:
        if options is None or "reset_mask" not in mapping(options, "options"):
            return self._all
        which = options["reset_mask"]
        fits = isinstance(which, np.ndarray) and which.shape == (self.num_envs,)
        if not fits or which.dtype != np.bool_ or not which.any():
            raise InvalidInput(
                f"reset_mask must be an array of {self.num_envs} booleans, not all False"
            )
        return np.array(which)

    def _info(self, known: NDArray[np.bool_]) -> dict[str, Any]:
        return {
            "action_mask": self._given(self._games.legal),
            "_action_mask": known.copy(),
            "won": self._now_won(),
            "_won": known.copy(),
        }

    def _now_won(self) -> NDArray[np.bool_]:
        """Whether the current games are won; a game that has just been replaced is not."""
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            return np.zeros(self.num_envs, np.bool_)
        return self._games.won.astype(np.bool_)

    def _add_last(self, info: dict[str, Any]) -> None:
        """Add the final observations and infos of the games that were replaced."""
        games, ended = self._games, self._ended
        last = np.full(self.num_envs, None, object)
        for place in np.flatnonzero(ended).tolist():
            last[place] = games.last_states[place].copy()
        mask = np.where(ended[:, None], games.last_legal, 0).astype(np.int8)
        final = {"action_mask": mask, "won": games.won.astype(np.bool_) & ended}
        info["final_obs"], info["_final_obs"] = last, ended.copy()
        info["final_info"] = final | {f"_{name}": ended.copy() for name in final}
        info["_final_info"] = ended.copy()

    def _given(self, array: Array) -> Array:
        return array.copy() if self.copy else _sealed(array)


def _autoreset(mode: AutoresetMode | str) -> AutoresetMode:
    """Convert the name of an autoreset mode."""
    known = {one.value: one for one in AutoresetMode}
    if isinstance(mode, AutoresetMode):
        return mode
    return known[one_of(mode, "autoreset mode", known)]


def _sealed(array: Array) -> Array:
    """Return a read-only view of an array."""
    seen = array.view()
    seen.flags.writeable = False
    return seen
