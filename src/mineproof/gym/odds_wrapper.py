"""Exact mine probabilities for RL: as an observation channel, and as expert actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import VectorEnv, VectorObservationWrapper
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from mineproof.agents import Agent, as_agent
from mineproof.errors import WrongType, check_integer, quote
from mineproof.gym.env_config import EnvConfig
from mineproof.gym.environment import MinesweeperEnv, base_of
from mineproof.gym.vector import MinesweeperVectorEnv
from mineproof.reasoning.posterior import MOST_THREADS, Posterior, posteriors
from mineproof.world.move import Move, most_moves
from mineproof.world.view import COVERED, FLAGGED, HIDDEN, KNOWN_SAFE, UNTOUCHED, Event, View

OPENED = -1.0
"""The value of open cells in the probability channel."""

Channels = NDArray[np.float32]


class OddsWrapper(gymnasium.ObservationWrapper[Channels, Any, NDArray[np.uint8]]):
    """Observations with two channels: the cells, and their exact mine probabilities.

    The shape is (2, rows, cols); the probability of an open cell is -1.
    """

    def __init__(self, env: gymnasium.Env[NDArray[np.uint8], Any]) -> None:
        base = base_of(env)
        super().__init__(env)
        self._base = base
        self.observation_space = _space(self._base.task)

    def observation(self, observation: NDArray[np.uint8]) -> Channels:
        """Return the observation with its mine probabilities."""
        states = np.asarray(observation)[None]
        found: Channels = _channels(self._base.task, states, [self._base.view], 1)[0]
        return found


class VectorOddsWrapper(VectorObservationWrapper):
    """The same for the vector environment, on this number of threads.

    The final observations of replaced games (`final_obs`) are left unchanged.
    """

    def __init__(self, env: VectorEnv[Any, Any, Any], threads: int = 1) -> None:
        base = _vector_base(env)
        super().__init__(env)
        self._base, self._threads = base, check_integer(threads, "threads", 1, MOST_THREADS)
        self.single_observation_space = _space(self._base.task)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    def observations(self, observations: NDArray[np.uint8]) -> Channels:
        """Return the observations of all games with their mine probabilities."""
        views = [self._base.view(place) for place in range(self.num_envs)]
        return _channels(self._base.task, observations, views, self._threads)


def expert_actions(env: Any, agent: Any = None, *, threads: int = 1) -> Any:
    """Return an expert's action, or an array of actions for a vector environment.

    By default, the expert opens the first cell of the lowest risk. With an agent, it is the
    agent's move; if the environment has no flags, the agent's flags are skipped.
    """
    if isinstance(getattr(env, "unwrapped", None), MinesweeperEnv):
        base = base_of(env)
        return int(_experts(base.task, [base.view], agent, threads)[0])
    vector = _vector_base(env)
    views = [vector.view(place) for place in range(vector.num_envs)]
    return _experts(vector.task, views, agent, threads)


def _vector_base(env: Any) -> MinesweeperVectorEnv:
    base = getattr(env, "unwrapped", None)
    if not isinstance(base, MinesweeperVectorEnv):
        raise WrongType(f"expected a mineproof/Minesweeper-v0 vector environment, got {quote(env)}")
    return base


def odds_of(task: EnvConfig, views: Sequence[View], threads: int = 1) -> list[Posterior]:
    """Return the posteriors of views under a task's rules and clues."""
    density = None if task.rules.count_known else task.rules.density
    return posteriors(views, task.clues, density=density, threads=threads)


def _space(task: EnvConfig) -> Any:
    return spaces.Box(OPENED, FLAGGED, (2, task.grid.rows, task.grid.cols), np.float32)


def _channels(
    task: EnvConfig, states: NDArray[np.uint8], views: Sequence[View], threads: int
) -> Channels:
    shape = (len(views), task.grid.rows, task.grid.cols)
    if not isinstance(states, np.ndarray) or states.shape != shape:
        raise WrongType(f"expected an array of states of shape {shape}, got {quote(states)}")
    risks = np.stack([found.risk for found in odds_of(task, views, threads)])
    return np.stack([states, np.nan_to_num(risks, nan=OPENED)], axis=1, dtype=np.float32)


def _experts(task: EnvConfig, views: Sequence[View], agent: Any, threads: int) -> NDArray[np.int64]:
    if agent is not None:
        plays = as_agent(agent)
        return np.array([_move(task, plays, view) for view in views], np.int64)
    odds = odds_of(task, views, threads)
    return np.array([_least(*each) for each in zip(views, odds, strict=True)], np.int64)


def _least(view: View, found: Posterior) -> int:
    """The first cell of the lowest risk that can be opened, or any if there is none."""
    risk = found.risk.ravel().copy()
    states = np.frombuffer(view.states, np.uint8)
    risk[(states != HIDDEN) & (states != KNOWN_SAFE)] = np.inf
    for index in map(view.grid.index, found.safe):
        if states[index] != FLAGGED:
            return index
    return int(np.argmin(risk))


def _move(task: EnvConfig, agent: Agent, view: View) -> int:
    """The number of an agent's move; without flags in the task, its flags are only simulated."""
    if not any(state in UNTOUCHED for state in view.states):
        return 0
    player = agent.begin(view, rules=task.rules, clues=task.clues, seed=0)
    for _ in range(most_moves(task.grid)):
        move: Move = player.decide()
        index = task.grid.index(move.cell)
        match move.action:
            case "open":
                return index
            case "flag" | "unflag" if task.flags:
                return task.grid.size + index
            case "flag" | "unflag":
                state = FLAGGED if move.action == "flag" else HIDDEN
                player.observe([Event(move.cell, state)])
            case _:  # it has no move left: all other cells count as safe
                break
    left = (i for i, state in enumerate(view.states) if state in COVERED and state != FLAGGED)
    return next(left)
