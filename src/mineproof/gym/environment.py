"""The Gymnasium environment: one game at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray

from mineproof.arguments import one_of
from mineproof.errors import WrongType, quote
from mineproof.gym.env_config import env_config_of
from mineproof.gym.episodes import Episodes
from mineproof.gym.pictures import MODES, picture, show, text
from mineproof.gym.rewards import Reward, reward_of
from mineproof.gym.spaces import spaces_of
from mineproof.world.board import Board, Opening
from mineproof.world.chance import fresh_seed
from mineproof.world.clues import ClueModel
from mineproof.world.geometry import Cell
from mineproof.world.rules import RulesLike
from mineproof.world.view import View

States = NDArray[np.uint8]


def base_of(env: Any) -> MinesweeperEnv:
    """Return a Minesweeper environment without its wrappers; raise an error for any other."""
    base = getattr(env, "unwrapped", None)
    if not isinstance(base, MinesweeperEnv):
        raise WrongType(f"expected a mineproof/Minesweeper-v0 environment, got {quote(env)}")
    return base


class MinesweeperEnv(gymnasium.Env[States, Any]):
    """Minesweeper: `gymnasium.make("mineproof/Minesweeper-v0")`; docs/gym.md describes it."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(MODES), "render_fps": 4}  # type: ignore[misc]

    def __init__(
        self,
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
    ) -> None:
        self.task = env_config_of(
            level, rows=rows, cols=cols, mines=mines, density=density, opening=opening,
            rules=rules, clues=clues, start=start, boards=boards, flags=flags,
        )  # fmt: skip
        if render_mode is not None:
            one_of(render_mode, "render mode", MODES)
        self.render_mode = render_mode
        self._reward = reward_of(reward, self.task)
        self._play = Episodes(self.task)
        self.last_action: int | None = None
        """The last move, for evaluation."""
        self.observation_space, self.action_space = spaces_of(self.task)

    @property
    def view(self) -> View:
        """What the player sees, with the mine count if the rules reveal it."""
        return self._play.game.view

    @property
    def game_seed(self) -> int:
        """The seed of the current game: `mp.Game(..., seed=game_seed)` is the same game."""
        return self._play.game.seed

    @property
    def board(self) -> Board:
        """The board, once the game is over."""
        return self._play.game.board

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[States, dict[str, Any]]:
        """Start the next game; with a seed, the first game of its series."""
        if seed is None and self._play.seed is None:
            seed = fresh_seed()
        if seed is not None:
            self._play.reseed(seed)
        super().reset(seed=seed, options=options)
        self._play.begin()
        self.last_action = None
        self._show()
        return self._play.states, self._info()

    def step(self, action: Any) -> tuple[States, float, bool, bool, dict[str, Any]]:
        """Open a cell or toggle its flag; an illegal move changes nothing."""
        done = self._play.step(action)
        self.last_action = int(action)
        self._show()
        reward = float(self._reward(done))
        return self._play.states, reward, bool(done.over), False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which moves are legal, as MaskablePPO expects."""
        return self._play.legal.astype(np.bool_)

    def render(self) -> Any:
        """Render the board: text (`ansi`), pixels (`rgb_array`), or None for `human`."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode: pass one to gymnasium.make")
            return None
        if self.render_mode == "human":
            return None
        game = self._play.game
        draw = text if self.render_mode == "ansi" else picture
        return draw(game.view, game.board if game.over else None)

    def _show(self) -> None:
        if self.render_mode == "human":
            game = self._play.game
            show(game.view, game.board if game.over else None)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._play.legal, "won": self._play.game.won}
