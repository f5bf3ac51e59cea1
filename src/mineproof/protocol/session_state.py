"""The state of a session: the position that was set last, and the agent that plays it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mineproof import agents
from mineproof.agents import Agent, Player, builtin
from mineproof.agents.registry import is_own
from mineproof.errors import InvalidInput, unknown_name
from mineproof.games.assistant import Assistant
from mineproof.games.guarded_player import start_player
from mineproof.messages.requests import SOLVER, AboutPosition, Request
from mineproof.phrases import say
from mineproof.world import fair
from mineproof.world.chance import seed_from_json
from mineproof.world.clues import ClueModel, as_clues
from mineproof.world.geometry import MAX_SIDE
from mineproof.world.rules import Rules
from mineproof.world.view import Event, View


class CurrentPosition(NamedTuple):
    """A view with its rules, its clue model, and the agent that is to play it."""

    view: View
    rules: Rules
    clues: ClueModel
    agent: str
    seed: int = 0

    @property
    def density(self) -> float | None:
        """The mine density, if the mine count is unknown."""
        return self.rules.density if self.view.mines is None else None


class SessionState:
    """The position that was set last, and the agent that plays it.

    Requests can choose built-in agents and the agents in `named`; no request loads code or opens
    a file. `most_cells` limits the size of boards, `most_generated` the cells of all boards in
    one response, and `most_dealt` the cells that a search for boards may deal. `methods` are
    those of the transport with the types of their requests, for `hello`.
    """

    def __init__(
        self,
        named: Mapping[str, Agent] | None = None,
        *,
        agent: str = "exact",
        most_cells: int = MAX_SIDE**2,
        most_generated: int | None = None,
        most_dealt: int | None = None,
        methods: Mapping[str, type[Request]] = SOLVER,
    ) -> None:
        self.named: Mapping[str, Agent] = {} if named is None else named
        self.usual = agent
        if agent not in self.named and is_own(agent):
            self.named = {**self.named, agent: agents.get(agent)}  # the caller may name any agent
        self.methods = methods
        self._most_cells = most_cells
        self._most_generated, self._most_dealt = most_generated, most_dealt
        self._position: CurrentPosition | None = None
        self._assistant: Assistant | None = None
        self._player: Player | None = None

    # The position.

    @property
    def position(self) -> CurrentPosition:
        """The position that was set last; raises an error if there is none."""
        if self._position is None:
            raise InvalidInput(say("refusal.no-position-set"))
        if self._assistant is not None:
            return self._position._replace(view=self._assistant.view)
        return self._position

    def asked(
        self, request: AboutPosition, agent: str | None = None, seed: int | str | None = None
    ) -> CurrentPosition:
        """Return the position of a request: its own view, or the position that was set last."""
        if request.view is None:
            position = self.position
            for name in ("clues", "density", "rules"):
                if getattr(request, name) is not None:
                    raise InvalidInput(say("refusal.with-view", name=repr(name)))
            return position if agent is None else position._replace(agent=agent)
        view = self.bounded(View.from_text(request.view))
        rules = {} if request.rules is None else request.rules.given()
        density = request.density
        if density is not None and rules.setdefault("density", density) != density:
            raise InvalidInput(say("refusal.two-densities"))
        known = rules.setdefault("count_known", view.mines is not None)
        if known != (view.mines is not None):
            raise InvalidInput(say("refusal.count-known", known=known))
        rules.setdefault("opening", "any")
        return self.build(view, rules, request.clues, agent, seed)

    def build(
        self,
        view: View,
        rules: dict[str, Any],
        clues: str | None,
        agent: str | None,
        seed: int | str | None,
    ) -> CurrentPosition:
        """Return a position of which a request gives these values; None means the default."""
        agent = self.usual if agent is None else agent
        self.agent(agent)
        model = as_clues(clues, view.grid)
        number = 0 if seed is None else seed_from_json(seed)
        played_by = Rules(**rules)
        fair.check(played_by, model)
        return CurrentPosition(view, played_by, model, agent, number)

    def bounded(self, ground: Any) -> Any:
        """Return a view, board or deal unchanged, or raise an error if it is too large."""
        size = ground.grid.size
        if size > self._most_cells:
            raise InvalidInput(say("refusal.cells-here", most=self._most_cells, cells=size))
        return ground

    def check_search(self, cells: int, count: int, tries: int) -> None:
        """Raise an error if a search for boards would exceed the limits."""
        if self._most_generated is not None and cells * count > self._most_generated:
            most = self._most_generated
            raise InvalidInput(say("refusal.boards-here", most=most, count=count, cells=cells))
        if self._most_dealt is not None and cells * count * tries > self._most_dealt:
            asked = {"count": count, "tries": tries, "cells": cells}
            raise InvalidInput(say("refusal.dealt-here", most=self._most_dealt, **asked))

    @property
    def cells(self) -> int:
        """The number of cells of the position; 0 if there is none."""
        return 0 if self._position is None else self._position.view.grid.size

    def look_at(self, view: View, rules: Rules, clues: ClueModel) -> None:
        """Set the position, with the default agent."""
        self.set(CurrentPosition(self.bounded(view), rules, clues, self.usual))

    def set(self, position: CurrentPosition) -> None:
        """Set the position."""
        self._position, self._assistant, self._player = position, None, None

    def observe(self, events: Sequence[Event]) -> None:
        """Add new events to the position; a player that was started observes them as in a game."""
        position = self.position
        self._position = position._replace(view=position.view.after(events))
        self._assistant = None
        if self._player is not None:
            self._player.observe(events)

    def recover(self) -> None:
        """Start the player again after a request was stopped."""
        self._player = None
        if self._assistant is not None:
            self._assistant.begin_again()

    def agent(self, text: str) -> Agent:
        """Return the agent of this name, if requests may use it."""
        if text in self.named:
            return self.named[text]
        if is_own(text):
            raise unknown_name("agent", text.partition(":")[0], (*self.named, *agents.RECIPES))
        return builtin.get(text)  # loads no code

    @property
    def player(self) -> Player:
        """The player for the position, with everything that it has observed since."""
        if self._player is None:
            view, rules, clues, agent, seed = self.position
            self._player = start_player(
                self.agent(agent), view, rules=rules, clues=clues, seed=seed
            )
        return self._player

    @property
    def assistant(self) -> Assistant:
        """The assistant for a game in another program, which starts at the position."""
        if self._assistant is None:
            position = self.position
            agent = self.agent(position.agent)
            rules, clues = position.rules, position.clues
            self._assistant = Assistant(position.view, agent, rules=rules, clues=clues)
            self._player = None
        return self._assistant

    @property
    def is_assisting(self) -> bool:
        """Whether an assistant is in use: `show` entered what cells show."""
        return self._assistant is not None
