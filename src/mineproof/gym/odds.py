"""Exact odds for learners: as a channel of what they see, and as an expert's moves."""

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
from mineproof.errors import WrongType, quoted, whole
from mineproof.gym.environment import MinesweeperEnv, base_of
from mineproof.gym.task import Task
from mineproof.gym.vector import MinesweeperVectorEnv
from mineproof.reasoning.posterior import MOST_THREADS, Posterior, posteriors
from mineproof.world.move import Move, most_moves
from mineproof.world.view import COVERED, FLAGGED, HIDDEN, TOLD_SAFE, UNTOUCHED, Event, View

OPENED = -1.0
"""In the channel of odds: a cell that is open, of which there are none."""

Channels = NDArray[np.float32]


class OddsWrapper(gymnasium.ObservationWrapper[Channels, Any, NDArray[np.uint8]]):
    """Observations with two channels: what cells show, and the exact chance of a mine.

    The shape is (2, rows, cols); the chance is -1 where a cell is open.
    """

    def __init__(self, env: gymnasium.Env[NDArray[np.uint8], Any]) -> None:
        base = base_of(env)
        super().__init__(env)
        self._base = base
        self.observation_space = _space(self._base.task)

    def observation(self, observation: NDArray[np.uint8]) -> Channels:
        """The states, and the odds of what they show."""
        states = np.asarray(observation)[None]
        found: Channels = _channels(self._base.task, states, [self._base.view], 1)[0]
        return found


class VectorOddsWrapper(VectorObservationWrapper):
    """The same for the vector environment, on as many threads as are given.

    Last observations of games that made place for others stay as they are.
    """

    def __init__(self, env: VectorEnv[Any, Any, Any], threads: int = 1) -> None:
        base = _vector_base(env)
        super().__init__(env)
        self._base, self._threads = base, whole(threads, "threads", 1, MOST_THREADS, "are")
        self.single_observation_space = _space(self._base.task)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    def observations(self, observations: NDArray[np.uint8]) -> Channels:
        """The states, and the odds of what they show, of every game."""
        views = [self._base.view(place) for place in range(self.num_envs)]
        return _channels(self._base.task, observations, views, self._threads)


def expert_actions(env: Any, agent: Any = None, *, threads: int = 1) -> Any:
    """What an expert would do now: an action, or an array of them for a vector environment.

    Without an agent: to open a cell of the least risk, the first of them. With one, its move;
    flags are put where the environment has them, else passed over.
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
        raise WrongType(
            f"this is for the vector form of mineproof/Minesweeper-v0, got {quoted(env)}"
        )
    return base


def odds_of(task: Task, views: Sequence[View], threads: int = 1) -> list[Posterior]:
    """The posteriors of views by a task's rules and clues."""
    density = None if task.rules.count_known else task.rules.density
    return posteriors(views, task.clues, density=density, threads=threads)


def _space(task: Task) -> Any:
    return spaces.Box(OPENED, FLAGGED, (2, task.grid.rows, task.grid.cols), np.float32)


def _channels(
    task: Task, states: NDArray[np.uint8], views: Sequence[View], threads: int
) -> Channels:
    shape = (len(views), task.grid.rows, task.grid.cols)
    if not isinstance(states, np.ndarray) or states.shape != shape:
        raise WrongType(f"states are an array of the shape {shape}, got {quoted(states)}")
    risks = np.stack([found.risk for found in odds_of(task, views, threads)])
    return np.stack([states, np.nan_to_num(risks, nan=OPENED)], axis=1, dtype=np.float32)


def _experts(task: Task, views: Sequence[View], agent: Any, threads: int) -> NDArray[np.int64]:
    if agent is not None:
        plays = as_agent(agent)
        return np.array([_move(task, plays, view) for view in views], np.int64)
    odds = odds_of(task, views, threads)
    return np.array([_least(*each) for each in zip(views, odds, strict=True)], np.int64)


def _least(view: View, found: Posterior) -> int:
    """The first cell of the least risk that can be opened; any where none is."""
    risk = found.risk.ravel().copy()
    states = np.frombuffer(view.states, np.uint8)
    risk[(states != HIDDEN) & (states != TOLD_SAFE)] = np.inf
    for index in map(view.grid.index, found.safe):
        if states[index] != FLAGGED:
            return index
    return int(np.argmin(risk))


def _move(task: Task, agent: Agent, view: View) -> int:
    """The number of an agent's move; its flags count as made where there are none."""
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
            case _:  # it knows no more to do: what is left counts as safe
                break
    left = (i for i, state in enumerate(view.states) if state in COVERED and state != FLAGGED)
    return next(left)
