"""Turn agents, objects with `decide` and functions into agents."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import replace
from typing import Any

from mineproof.agents.base import Agent
from mineproof.errors import InvalidInput
from mineproof.world.clues import ClueModel
from mineproof.world.move import Move
from mineproof.world.rules import Rules
from mineproof.world.view import Event, View


class _Deciding:
    """An agent made of a function that decides from the view alone."""

    def __init__(self, name: str, decide: Callable[..., Move]) -> None:
        self.name = name
        self._decide = decide

    def begin(self, view: View, *, rules: Rules, clues: ClueModel, seed: int) -> _DecidingPlayer:
        return _DecidingPlayer(self, view, {"rules": rules, "clues": clues, "seed": seed})

    def decide(self, view: View, **setting: Any) -> Move:
        return self._decide(view, **setting)


class _DecidingPlayer:
    """Keeps the view up to date for the function."""

    def __init__(self, agent: _Deciding, view: View, setting: dict[str, Any]) -> None:
        self._agent = agent
        self._setting = setting
        self._view = view

    def observe(self, events: Iterable[Event]) -> None:
        self._view = self._view.after(events)

    def decide(self) -> Move:
        # All arguments are copies: what the function changes in them does not last.
        view = replace(self._view, grid=copy(self._view.grid))
        return self._agent.decide(view, **{name: copy(it) for name, it in self._setting.items()})


def adapt(agent: Any) -> Agent:
    """Return an agent made of an agent, an object with `decide`, or a function that decides."""
    if isinstance(agent, Agent):
        return agent
    decide = getattr(agent, "decide", agent)
    if not callable(decide):
        raise InvalidInput(
            f"expected an agent: an object with 'begin' or 'decide', or a function, got {agent!r}"
        )
    name = getattr(agent, "name", None) or getattr(agent, "__name__", type(agent).__name__)
    return _Deciding(str(name), decide)
