"""What an agent is, to the rest of the program."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from mineproof.errors import InvalidInput
from mineproof.world.clues import ClueModel
from mineproof.world.game import Action
from mineproof.world.geometry import Cell
from mineproof.world.rules import Rules
from mineproof.world.view import Event, View


@dataclass(frozen=True, slots=True)
class Decision:
    """A move and its reason.

    `risk` is the chance that the action is wrong, as the agent sees it; None if it
    made no estimate. `certain` means proved.
    """

    cell: Cell
    action: Action
    risk: float | None
    certain: bool
    reason: str
    rule: str = ""
    """The rule that proved it, if one did."""
    estimated: bool = False
    """Whether its risk is an estimate: there was too much to count."""


class Player(Protocol):
    """An agent in one game."""

    def observe(self, events: Iterable[Event]) -> None:
        """Take in what the referee told."""

    def decide(self) -> Decision:
        """The next move."""
        ...


@runtime_checkable
class Agent(Protocol):
    """A way to play. It never touches a board or a game, only what a player sees."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    def begin(self, view: View, *, rules: Rules, clues: ClueModel, seed: int) -> Player:
        """Sit down to a game that shows this view."""
        ...


class _Deciding:
    """An agent made of a function that decides from a view alone."""

    def __init__(self, name: str, decide: Callable[..., Decision]) -> None:
        self.name = name
        self._decide = decide

    def begin(self, view: View, *, rules: Rules, clues: ClueModel, seed: int) -> _DecidingPlayer:
        return _DecidingPlayer(self, view, {"rules": rules, "clues": clues, "seed": seed})

    def decide(self, view: View, **setting: Any) -> Decision:
        return self._decide(view, **setting)


class _DecidingPlayer:
    """Keeps the view up to date for a function that wants one."""

    def __init__(self, agent: _Deciding, view: View, setting: dict[str, Any]) -> None:
        self._agent = agent
        self._setting = setting
        self._grid, self._mines = view.grid, view.mines
        self._states = bytearray(view.states)
        self._bounds = dict(view.bounds)

    def observe(self, events: Iterable[Event]) -> None:
        for event in events:
            index = self._grid.index(event.cell)
            self._states[index] = event.state
            if event.bound is not None:
                self._bounds[index] = event.bound

    def decide(self) -> Decision:
        bounds = tuple(sorted(self._bounds.items()))
        view = View(self._grid, bytes(self._states), self._mines, bounds)
        return self._agent.decide(view, **self._setting)


def as_agent(agent: Any) -> Agent:
    """An agent from a name, an agent, an object with `decide`, or a function that decides."""
    if isinstance(agent, str):
        from mineproof.agents.recipes import get

        return get(agent)
    if isinstance(agent, Agent):
        return agent
    decide = getattr(agent, "decide", agent)
    if not callable(decide):
        raise InvalidInput(f"an agent has 'begin' or 'decide', got {agent!r}")
    name = getattr(agent, "name", None) or getattr(agent, "__name__", type(agent).__name__)
    return _Deciding(str(name), decide)
