"""The agents, one line each, and how a recipe plays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from heapq import heappop, heappush

from mineproof.agents.contract import Decision
from mineproof.agents.guessers import Guess, SharedOrder, in_order
from mineproof.clues import ClueModel, Exact
from mineproof.errors import unknown_name
from mineproof.game import Action
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.local import local
from mineproof.reasoning.once import once
from mineproof.rules import Rules
from mineproof.specs import read_options
from mineproof.view import FLAGGED, HIDDEN, TOLD_SAFE, Event, View

Reasoner = Callable[[Knowledge], Iterator[Deduction]]
Guesser = Callable[[Knowledge, SharedOrder], Guess | None]


@dataclass(frozen=True)
class Recipe:
    """An agent: reasoners, tried in order until nothing new follows, then a guesser.

    `remembers`: the agent tries its rules on each clue as it comes and does not go
    back, so its decisions depend on the order of play and not on the view alone.
    `naive`: it takes every clue at its word, whatever the clue model says.
    """

    name: str
    reasoners: tuple[Reasoner, ...]
    guess: Guesser
    origin: str
    about: str
    remembers: bool = False
    naive: bool = False

    def begin(
        self,
        view: View,
        *,
        rules: Rules = Rules(),
        clues: ClueModel = Exact(),
        seed: int = 0,
    ) -> RecipePlayer:
        """Sit down to a game that shows this view."""
        return RecipePlayer(self, view, rules, Exact() if self.naive else clues, seed)

    def decide(
        self,
        view: View,
        *,
        rules: Rules = Rules(),
        clues: ClueModel = Exact(),
        seed: int = 0,
    ) -> Decision:
        """The move in a position out of the blue."""
        return self.begin(view, rules=rules, clues=clues, seed=seed).decide()


class RecipePlayer:
    """A recipe in one game.

    Reasons to the fixpoint, then plays what is settled: flags before openings, by
    index (an agent that remembers: in the order it found them). So the decision
    depends on the view alone, unless the recipe says otherwise.
    """

    def __init__(
        self, recipe: Recipe, view: View, rules: Rules, clues: ClueModel, seed: int
    ) -> None:
        self.recipe = recipe
        self.knowledge = Knowledge(view, rules, clues)
        self._order = SharedOrder(view.grid.size, seed)
        self._taken = 0
        self._flags: list[tuple[int, int]] = []
        self._opens: list[tuple[int, int]] = []

    def observe(self, events: Iterable[Event]) -> None:
        """Take in what the referee told."""
        if self.recipe.remembers:
            for event in events:
                self.knowledge.observe((event,))
                self._reason()
        else:
            self.knowledge.observe(events)

    def decide(self) -> Decision:
        """The next move: what is certain first, else the guesser's."""
        if not self.recipe.remembers:
            self._reason()
        return self._certain() or self._guess()

    def _reason(self) -> None:
        knowledge = self.knowledge
        progress = True
        while progress:
            progress = False
            for reasoner in self.recipe.reasoners:
                for deduction in reasoner(knowledge):
                    knowledge.settle(deduction)
                    progress = True
                if progress:
                    break

    def _certain(self) -> Decision | None:
        """What is settled and still to be played."""
        knowledge = self.knowledge
        found = knowledge.deductions
        for place in range(self._taken, len(found)):
            index = knowledge.grid.index(found[place].cell)
            queue = self._flags if found[place].mine else self._opens
            heappush(queue, (place if self.recipe.remembers else index, index))
        self._taken = len(found)
        states = knowledge.states
        while self._flags:
            _, index = self._flags[0]
            if states[index] == HIDDEN:
                return self._settled(index, mine=True)
            heappop(self._flags)
        while self._opens:
            _, index = self._opens[0]
            if states[index] in {HIDDEN, TOLD_SAFE, FLAGGED}:
                return self._settled(index, mine=False)
            heappop(self._opens)
        return None

    def _settled(self, index: int, *, mine: bool) -> Decision:
        deduction = self.knowledge.settled[index]
        if mine:
            return Decision(deduction.cell, "flag", 0.0, True, deduction.why)
        action: Action = "unflag" if self.knowledge.states[index] == FLAGGED else "open"
        return Decision(deduction.cell, action, 0.0, True, deduction.why)

    def _guess(self) -> Decision:
        knowledge = self.knowledge
        guess = self.recipe.guess(knowledge, self._order)
        if guess is None:
            return Decision((0, 0), "stop", None, False, "no cell is left to open")
        opening = knowledge.rules.opening
        if opening != "any" and knowledge.covered == knowledge.grid.size:
            return Decision(
                guess.cell, "open", 0.0, True, f"the first cell is promised to be {opening}"
            )
        return Decision(guess.cell, "open", guess.risk, False, guess.reason)


# fmt: off
_TABLE = (
    # name, reasoners, when nothing is certain, origin, what it does
    Recipe("random", (), in_order, "-", "opens cells in a random order, and learns nothing"),
    Recipe("simple", (once,), in_order, "report 003", "the local rules, tried once on the cell just opened", remembers=True),  # noqa: E501
    Recipe("baseline", (local,), in_order, "reports 000, 004", "the local rules on all that is known, until nothing follows"),  # noqa: E501
)
# fmt: on
RECIPES: dict[str, Recipe] = {recipe.name: recipe for recipe in _TABLE}
OPTIONS: dict[str, type] = {"naive": bool}


def names() -> list[str]:
    """The agents there are."""
    return list(RECIPES)


def get(text: str) -> Recipe:
    """The agent of this name; options may follow a colon."""
    name, _, rest = text.strip().partition(":")
    if name not in RECIPES:
        raise unknown_name("agent", name, RECIPES)
    options = read_options(rest, OPTIONS, name)
    return replace(RECIPES[name], name=text.strip(), **options) if options else RECIPES[name]
