"""What a conversation is about: the position that was set last, and who plays it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mineproof import agents
from mineproof.agents import Agent, Player, table
from mineproof.errors import InvalidInput, unknown_name
from mineproof.games.dialogue import Dialogue
from mineproof.games.guarding import sit_down
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.geometry import MAX_SIDE
from mineproof.world.rules import Rules
from mineproof.world.view import Event, View


class Position(NamedTuple):
    """What is looked at: a view under rules and a clue model, and who shall play it."""

    view: View
    rules: Rules
    clues: ClueModel
    agent: str
    seed: int = 0

    @property
    def density(self) -> float | None:
        """The chance of a mine in a cell, where the count is not known."""
        return self.rules.density if self.view.mines is None else None


class Conversation:
    """The position that was set last, and who plays it.

    Messages choose among the agents of the table and those given here by name; nothing that a
    message says loads code or opens a file. `most_cells` bounds boards, `most_generated` the
    cells of all boards of one answer, `most_dealt` the cells that a search for boards may deal;
    `verbs` are those that the transport knows, each with its fields (what is not among ours it
    answers itself).
    """

    def __init__(
        self,
        named: Mapping[str, Agent] | None = None,
        *,
        agent: str = "exact",
        most_cells: int = MAX_SIDE**2,
        most_generated: int | None = None,
        most_dealt: int | None = None,
        verbs: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.named: Mapping[str, Agent] = {} if named is None else named
        self.usual = agent
        if agent not in self.named and agent.partition(":")[0] not in agents.RECIPES:
            self.named = {**self.named, agent: agents.get(agent)}  # who begins this may name any
        self.transport = {verb: [*fields] for verb, fields in (verbs or {}).items()}
        self._most_cells = most_cells
        self._most_generated, self._most_dealt = most_generated, most_dealt
        self._position: Position | None = None
        self._dialogue: Dialogue | None = None
        self._player: Player | None = None

    # What is looked at.

    @property
    def position(self) -> Position:
        """The position that was set last; an error without one."""
        if self._position is None:
            raise InvalidInput("which position? give a view, or set one by 'new' or 'position'")
        if self._dialogue is not None:
            return self._position._replace(view=self._dialogue.view)
        return self._position

    def asked(self, given: dict[str, Any]) -> Position:
        """The position that a request asks about: its own view, or the one that was set."""
        if "view" in given:
            return self.read(given)
        position = self.position
        for name in ("clues", "density", "rules"):
            if name in given:
                raise InvalidInput(f"{name!r} goes with a view")
        return position._replace(agent=given.get("agent", position.agent))

    def read(self, given: dict[str, Any], opening: str = "any") -> Position:
        """A position from its fields; what they do not say follows from the view."""
        view: View = self.bounded(given["view"])
        rules = dict(given.get("rules", {}))
        if "density" in given:
            if rules.get("density", given["density"]) != given["density"]:
                raise InvalidInput("'density' and that of 'rules' differ")
            rules["density"] = given["density"]
        known = rules.setdefault("count_known", view.mines is not None)
        if known != (view.mines is not None):
            told = "no number of mines" if known else "the number of mines"
            raise InvalidInput(f"the rules say count_known {str(known).lower()}, the view {told}")
        rules.setdefault("opening", opening)
        agent = given.get("agent", self.usual)
        self.agent(agent)
        clues = given.get("clues", Exact())
        return Position(view, Rules(**rules), clues, agent, given.get("seed", 0))

    def bounded(self, ground: Any) -> Any:
        """A view, a board or a deal, unless it is larger than boards may be here."""
        size = ground.grid.size
        if size > self._most_cells:
            raise InvalidInput(f"a board has at most {self._most_cells} cells here, got {size}")
        return ground

    def check_search(self, cells: int, count: int, tries: int) -> None:
        """Refuse to generate this many boards by this many tries, if that is too much here."""
        if self._most_generated is not None and cells * count > self._most_generated:
            raise InvalidInput(
                f"all boards of one answer have at most {self._most_generated} cells here, "
                f"got {count} of {cells} cells: ask for fewer"
            )
        if self._most_dealt is not None and cells * count * tries > self._most_dealt:
            raise InvalidInput(
                f"a search deals at most {self._most_dealt} cells here, got {count} boards x "
                f"{tries} tries x {cells} cells: ask for fewer boards or tries"
            )

    @property
    def cells(self) -> int:
        """Of the board that is looked at; 0 without one."""
        return 0 if self._position is None else self._position.view.grid.size

    def look_at(self, view: View, rules: Rules, clues: ClueModel) -> None:
        """Look at this position from now on, with the usual agent."""
        self.set(Position(self.bounded(view), rules, clues, self.usual))

    def set(self, position: Position) -> None:
        """Look at this position from now on."""
        self._position, self._dialogue, self._player = position, None, None

    def observe(self, events: Sequence[Event]) -> None:
        """What changed since: the player that sits here learns it as in a game."""
        position = self.position
        self._position = position._replace(view=position.view.after(events))
        self._dialogue = None
        if self._player is not None:
            self._player.observe(events)

    def recover(self) -> None:
        """After a request was stopped: who was thinking begins anew."""
        self._player = None
        if self._dialogue is not None:
            self._dialogue.begin_anew()

    def agent(self, text: str) -> Agent:
        """An agent that a message may name."""
        name = text.partition(":")[0]
        if text in self.named:
            return self.named[text]
        if name not in agents.RECIPES:
            raise unknown_name("agent", name, (*self.named, *agents.RECIPES))
        return table.get(text)  # which loads nothing, whatever the text

    @property
    def player(self) -> Player:
        """Who plays the position that was set, with all that it was told since."""
        if self._player is None:
            view, rules, clues, agent, seed = self.position
            self._player = sit_down(self.agent(agent), view, rules=rules, clues=clues, seed=seed)
        return self._player

    @property
    def dialogue(self) -> Dialogue:
        """The game on somebody else's board that the position is of."""
        if self._dialogue is None:
            position = self.position
            agent = self.agent(position.agent)
            rules, clues = position.rules, position.clues
            self._dialogue = Dialogue(position.view, agent, rules=rules, clues=clues)
            self._player = None
        return self._dialogue

    @property
    def is_told(self) -> bool:
        """Whether answers were told: a dialogue is going on."""
        return self._dialogue is not None
