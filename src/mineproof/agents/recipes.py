"""Recipes: agents made of reasoners and a guesser."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import NamedTuple

from mineproof._engine import Twin, twin_of
from mineproof.agents.champion import (
    MOST_TREE_CELLS,
    Advice,
    Candidate,
    Champion,
    check_engine,
)
from mineproof.agents.guessers import Guesser, LeastShare, SharedOrder, can_be_opened
from mineproof.agents.guessers.by_configurations import CAP
from mineproof.errors import InvalidInput
from mineproof.phrases import Phrase
from mineproof.reasoning.closure import (
    ByComponent,
    DeductionFinder,
    Everything,
    Reasoner,
    UntilAllAreFound,
    WithCount,
    close,
)
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.gauss import gauss, gauss_with_slack
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.linear_programme import largest_sum, linear_programme, solver_package
from mineproof.reasoning.local import apply, count, local
from mineproof.reasoning.posterior import BUDGET, MOVE_BUDGET, posterior
from mineproof.reasoning.subset import subset
from mineproof.world.clues import ClueModel, Exact, as_clues
from mineproof.world.geometry import Cell
from mineproof.world.move import Action, Move
from mineproof.world.rules import Rules, RulesLike, as_rules
from mineproof.world.view import COVERED, EXPLODED, FLAGGED, HIDDEN, Event, View


class AdvancedRule(NamedTuple):
    """Reasoning beyond the local rules, with its name; a finder is made for each game.

    `twin`: its name in the compiled engine, if it exists there.
    """

    name: str
    make: Callable[[], DeductionFinder]
    twin: str | None = None


@dataclass(frozen=True)
class Recipe:
    """An agent made of reasoners, further reasoning beyond them, and a guesser.

    `reasoners` keep its knowledge up to date, to the fixpoint. If they find nothing to play,
    `beyond` is used; if that finds nothing either, `guess`.
    `title`: its name for people, shown before `about`.
    `start`: the cell it opens first, if the game does not prescribe one.
    `remembers`: it applies its rules to each clue once, when the clue appears, so its decisions
    depend on the order of play and not on the view alone.
    `sound`: with exact clues, its certain moves are never wrong.
    `naive`: it reads every clue as exact, whatever the clue model.
    `imputes`: it replaces a missing clue by the expected number.
    `lazy`: it plays everything it deduced before it reasons about the whole position again; until
    then it looks only at the clue of the cell just opened.
    `stops`: it ends the game as soon as its flags and the mines it hit add up to the mine count.
    `costly`: its games take seconds, those of other agents milliseconds.
    `options`: the options that may follow its name, besides those of all agents (see `table`).
    """

    name: str
    title: str
    reasoners: tuple[Reasoner, ...]
    beyond: AdvancedRule | None
    guess: Guesser
    origin: str
    about: str
    start: Cell | None = None
    remembers: bool = False
    sound: bool = True
    naive: bool = False
    imputes: bool = False
    lazy: bool = False
    stops: bool = False
    costly: bool = False
    options: tuple[str, ...] = ()

    @property
    def reasons_by(self) -> str:
        """Return the names of its reasoners, in the order in which they are used."""
        names = [reasoner.__name__ for reasoner in self.reasoners]
        return ", ".join([*names, *([self.beyond.name] if self.beyond else [])]) or "-"

    @property
    def guesses_by(self) -> str:
        """Return the name of its guesser."""
        return getattr(self.guess, "__name__", None) or str(self.guess)

    @property
    def twin(self) -> Twin | None:
        """Return its counterpart in the compiled engine, if that has all its parts."""
        reasoners = [twin_of(reasoner) for reasoner in self.reasoners]
        beyond = "none" if self.beyond is None else self.beyond.twin
        guesser = twin_of(self.guess)
        in_this_order = reasoners == ["local", "pairs"][: len(reasoners)]
        by_history = self.remembers or self.lazy
        if not in_this_order or beyond is None or guesser is None or by_history or self.stops:
            return None
        searches = isinstance(self.guess, Champion)
        shares = None
        if isinstance(self.guess, LeastShare):
            if not 1 <= self.guess.cap <= CAP:  # no cap, or larger components than it can count
                return None
            shares = (self.guess.count, self.guess.cap)
        return Twin(
            "local" in reasoners,
            "pairs" in reasoners,
            beyond,
            guesser,
            self.start,
            self.guess.budget._asdict() if isinstance(self.guess, Champion) else None,
            self.naive,
            MOST_TREE_CELLS if searches else 0,
            shares,
        )

    def proves(self, clues: ClueModel) -> bool:
        """Return whether its certain moves are proved with these clues, and not only claimed."""
        return self.sound and (isinstance(clues, Exact) or not self.naive)

    def check(self) -> None:
        """Raise an error if a part that it needs is not installed."""
        if isinstance(self.guess, Champion):
            check_engine()
        if self.beyond is not None:
            self.beyond.make()

    def begin(
        self,
        view: View,
        *,
        rules: RulesLike = Rules(),
        clues: ClueModel | str = Exact(),
        seed: int = 0,
    ) -> RecipePlayer:
        """Start a game with this view, and return the player for it."""
        return RecipePlayer(self, view, rules, clues, seed)

    def advise(
        self, view: View, rules: RulesLike = Rules(), clues: ClueModel | str = Exact()
    ) -> Advice:
        """Return the cells that the champion considers in a position, the best first.

        If cells are certainly safe, they are the candidates, with the method `certain`. Other
        agents do not compare cells: they raise `InvalidInput`; `decide` returns their move.
        """
        if not isinstance(self.guess, Champion):
            raise InvalidInput(
                f"agent {self.name!r} does not compare cells: use decide(view) for its move and "
                "reason, or the agent 'champion'"
            )
        rules, clues = as_rules(rules, dealt=False), as_clues(clues)
        density = rules.density if view.mines is None else None
        # With uncertain clues, estimates replace counts over the budget, and they prove nothing.
        budget = BUDGET if isinstance(clues, Exact) else MOVE_BUDGET
        if safe := posterior(view, clues, density=density, budget=budget).safe:
            return Advice("certain", tuple(Candidate(cell, 0.0, None, None, None) for cell in safe))
        return self.guess.advise(view, rules, clues)

    def decide(
        self,
        view: View,
        *,
        rules: RulesLike = Rules(),
        clues: ClueModel | str = Exact(),
        seed: int = 0,
    ) -> Move:
        """Return the move in a position, using all the agent's reasoning about every clue."""
        return self.begin(view, rules=rules, clues=clues, seed=seed).decide()


class RecipePlayer:
    """A recipe in one game.

    It reasons to the fixpoint, then plays what it deduced: flags before openings, by index (an
    agent that remembers: in the order of deduction). So the decision depends on the view alone,
    unless the recipe says otherwise.
    """

    def __init__(
        self, recipe: Recipe, view: View, rules: RulesLike, clues: ClueModel | str, seed: int
    ) -> None:
        if isinstance(recipe.guess, Champion):
            check_engine()
        self.recipe = recipe
        self.proves = recipe.proves(as_clues(clues))
        self.knowledge = Knowledge(view, rules, clues, naive=recipe.naive, imputes=recipe.imputes)
        self._deeper = recipe.beyond.make() if recipe.beyond is not None else None
        self.beyond: Mapping[int, Deduction] = {}
        """The latest deductions beyond the local rules, by index."""
        self._order = SharedOrder(view.grid.size, seed)
        self._taken = 0
        self._flags: list[tuple[int, int]] = []
        self._opens: list[tuple[int, int]] = []
        if recipe.remembers:
            self._process_position()

    def _process_position(self) -> None:
        """Treat every clue of the position as if its cell had just been opened.

        The order of play is unknown, so this is repeated until nothing new follows: in no order
        would the agent have deduced more.
        """
        knowledge, before = self.knowledge, -1
        while len(knowledge.deductions) > before:
            before = len(knowledge.deductions)
            for equation in list(knowledge.equations.values()):
                knowledge.latest = equation
                self._reason()
        knowledge.latest = None

    def observe(self, events: Iterable[Event]) -> None:
        """Receive the events of the game since the last call."""
        if self.recipe.remembers:
            for event in events:
                self.knowledge.observe((event,))
                self._reason()
        elif self.recipe.lazy:
            for event in events:
                self.knowledge.observe((event,))
                self._look_at_latest()
        else:
            self.knowledge.observe(events)

    def decide(self) -> Move:
        """Return the next move: a certain one if there is one, otherwise the guesser's."""
        move = self._certain() if self.recipe.lazy else None
        if move is None:
            if not self.recipe.remembers:
                self._reason()
            move = self._stop() or self._certain() or self._beyond() or self._guess()
        return move if self.proves else _claim(move)

    def _stop(self) -> Move | None:
        """Return the move that ends the game, if the recipe stops once all mines are found."""
        mines, states = self.knowledge.mines, self.knowledge.states
        if not self.recipe.stops or mines is None:
            return None
        if states.count(FLAGGED) + states.count(EXPLODED) != mines:
            return None
        why = Phrase("stop.all-found", {"mines": mines})
        return Move((0, 0), "stop", None, False, why)

    def _reason(self) -> None:
        for _ in close(self.knowledge, self.recipe.reasoners):
            pass

    def _look_at_latest(self) -> None:
        """Apply the local rules to the latest clue only."""
        knowledge = self.knowledge
        if knowledge.latest is not None:
            for deduction in list(apply(knowledge, knowledge.latest)):
                if knowledge.is_open(knowledge.grid.index(deduction.cell)):
                    knowledge.deduce(deduction)

    def _certain(self) -> Move | None:
        """Return a move that plays a deduction, if one is still to be played."""
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
                return self._deduced(index, mine=True)
            heappop(self._flags)
        while self._opens:
            _, index = self._opens[0]
            if states[index] in COVERED:
                return self._deduced(index, mine=False)
            heappop(self._opens)
        return None

    def _deduced(self, index: int, *, mine: bool) -> Move:
        deduction = self.knowledge.settled[index]
        return self._play(index, deduction, mine=mine)

    def _beyond(self) -> Move | None:
        """Return a move that plays a deduction beyond the local rules, if there is one."""
        if self._deeper is None or self._knows_nothing():
            return None
        self.beyond = found = self._deeper(self.knowledge)
        states = self.knowledge.states
        flags = (i for i, d in found.items() if d.mine and states[i] == HIDDEN)
        index = min(flags, default=None)
        if index is None:
            opens = (i for i, d in found.items() if not d.mine and states[i] in COVERED)
            index = min(opens, default=None)
        return None if index is None else self._play(index, found[index], mine=found[index].mine)

    def _play(self, index: int, deduction: Deduction, *, mine: bool) -> Move:
        action: Action = "open"
        if mine:
            action = "flag"
        elif self.knowledge.states[index] == FLAGGED:
            action = "unflag"
        return Move(deduction.cell, action, 0.0, True, deduction.reason, deduction.rule)

    def _first(self) -> Move | None:
        """Return the recipe's own first move, if it has one."""
        start = self.recipe.start
        if start is None or not self._is_first():
            return None
        free = can_be_opened(self.knowledge, self.knowledge.grid.index(start))
        return Move(start, "open", None, False, Phrase("first.usual")) if free else None

    def _is_first(self) -> bool:
        """Return whether no cell is open yet."""
        return self.knowledge.covered == self.knowledge.grid.size

    def _knows_nothing(self) -> bool:
        """Return whether nothing is certain yet: no cell is open, and some cell is not a mine."""
        return self._is_first() and self.knowledge.mines != self.knowledge.grid.size

    def _guess(self) -> Move:
        knowledge = self.knowledge
        guess = self._first() or self.recipe.guess(knowledge, self._order)
        if guess is None:
            return Move((0, 0), "stop", None, False, Phrase("stop.nothing-left"))
        opening = knowledge.rules.opening
        if opening != "any" and self._is_first():
            why = Phrase("first.guaranteed", {"opening": opening})
            return Move(guess.cell, "open", 0.0, True, why)
        return guess


def _claim(move: Move) -> Move:
    """Return a move of an agent that is not sound, with its deductions as claims."""
    if not move.certain or move.rule in {"", "opening"} or move.why is None:
        return move
    return replace(move, reason=move.why._replace(claimed=True))


def _subsets() -> DeductionFinder:
    return ByComponent(local, subset)


def _subsets_until_all_are_found() -> DeductionFinder:
    return UntilAllAreFound(ByComponent(local, subset))


def _rows() -> DeductionFinder:
    return ByComponent(local, gauss)


def _rows_with_slack() -> DeductionFinder:
    return ByComponent(local, gauss_with_slack)


def _rows_with_count() -> DeductionFinder:
    return WithCount(local, count, gauss)


def _programmes_with_count() -> DeductionFinder:
    solver_package()  # if it is missing, the error comes before the game
    return WithCount(local, count, linear_programme)


def _largest_sum() -> DeductionFinder:
    solver_package()
    return WithCount(local, largest_sum)


SUBSETS = AdvancedRule("subset", _subsets, "subset")
SUBSETS_UNTIL_FOUND = AdvancedRule(
    "subset, then count", _subsets_until_all_are_found, "subset_until_found"
)
ROWS = AdvancedRule("gauss", _rows, "gauss")
ROWS_WITH_SLACK = AdvancedRule("gauss with slack", _rows_with_slack)
ROWS_WITH_COUNT = AdvancedRule("gauss with count", _rows_with_count, "gauss_count")
PROGRAMMES = AdvancedRule("linear_programme with count", _programmes_with_count)
LARGEST_SUM = AdvancedRule("largest_sum with count", _largest_sum)
EXACT = AdvancedRule("exact", Everything, "exact")
