"""What a recipe is, and how it plays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple

from mineproof._engine import Twin, twin_of
from mineproof.agents.champion import Advice, Candidate, Champion, check_engine
from mineproof.agents.guessers import Guesser, SharedOrder, can_be_opened
from mineproof.errors import InvalidInput
from mineproof.reasoning.closure import (
    ByComponent,
    Everything,
    Finder,
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


class Beyond(NamedTuple):
    """Reasoning beyond the local rules, by its name; a finder is made for each game.

    `twin`: its name in the compiled engine, where that has it.
    """

    name: str
    make: Callable[[], Finder]
    twin: str | None = None


@dataclass(frozen=True)
class Recipe:
    """An agent: reasoners, what they find beyond, and a guesser.

    `reasoners` keep its knowledge up to date, to the fixpoint. Where they find nothing to
    play, `beyond` is asked. Where that finds nothing, `guess`.
    `start`: the cell it opens first, where the game leaves it the choice.
    `remembers`: it tries its rules on each clue as it comes and does not go back, so its
    decisions depend on the order of play and not on the view alone.
    `sound`: with exact clues nothing it calls certain is ever wrong.
    `naive`: it takes every clue at its word, whatever the clue model says.
    `imputes`: it takes a missing clue for what it would expect there.
    `lazy`: it plays all that it deduced before it goes through its knowledge again; until then it
    looks only at the clue of the cell just opened.
    `stops`: it ends the game as soon as its flags and the mines it hit are as many as there are.
    `costly`: a game of it takes seconds, where those of others take thousandths.
    `options`: what may follow its name, besides those that all agents take (see `table`).
    """

    name: str
    reasoners: tuple[Reasoner, ...]
    beyond: Beyond | None
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
        """Its reasoners, in the order in which they are asked."""
        names = [reasoner.__name__ for reasoner in self.reasoners]
        return ", ".join([*names, *([self.beyond.name] if self.beyond else [])]) or "-"

    @property
    def guesses_by(self) -> str:
        """Its guesser."""
        return getattr(self.guess, "__name__", None) or str(self.guess)

    @property
    def twin(self) -> Twin | None:
        """What the compiled engine plays in its place, where it has all that this is made of."""
        reasoners = [twin_of(reasoner) for reasoner in self.reasoners]
        beyond = "none" if self.beyond is None else self.beyond.twin
        guesser = twin_of(self.guess)
        in_this_order = reasoners == ["local", "pairs"][: len(reasoners)]
        by_history = self.remembers or self.lazy
        if not in_this_order or beyond is None or guesser is None or by_history or self.stops:
            return None
        budget = self.guess.budget._asdict() if isinstance(self.guess, Champion) else None
        return Twin("local" in reasoners, "pairs" in reasoners, beyond, guesser, self.start, budget)

    def check(self) -> None:
        """Refuse where a part is missing that it plays with."""
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
        """Sit down to a game that shows this view."""
        return RecipePlayer(self, view, rules, clues, seed)

    def advise(
        self, view: View, rules: RulesLike = Rules(), clues: ClueModel | str = Exact()
    ) -> Advice:
        """What the champion considers in a position, the best first.

        Where cells are certainly safe, these, by the method `certain`. The other agents weigh
        nothing: they raise `InvalidInput`; `decide` gives their move.
        """
        if not isinstance(self.guess, Champion):
            raise InvalidInput(
                f"agent {self.name!r} does not weigh cells against each other, only 'champion' "
                f"does; decide(view) gives its move and the reason"
            )
        rules, clues = as_rules(rules, dealt=False), as_clues(clues)
        density = rules.density if view.mines is None else None
        # With uncertain clues what does not fit is estimated, and an estimate proves nothing more.
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
        """The move in a given position, with all the agent's reasoning about every clue on it."""
        return self.begin(view, rules=rules, clues=clues, seed=seed).decide()


class RecipePlayer:
    """A recipe in one game.

    Reasons to the fixpoint, then plays what is settled: flags before openings, by
    index (an agent that remembers: in the order it found them). So the decision
    depends on the view alone, unless the recipe says otherwise.
    """

    def __init__(
        self, recipe: Recipe, view: View, rules: RulesLike, clues: ClueModel | str, seed: int
    ) -> None:
        if isinstance(recipe.guess, Champion):
            check_engine()
        self.recipe = recipe
        self.knowledge = Knowledge(view, rules, clues, naive=recipe.naive, imputes=recipe.imputes)
        self._deeper = recipe.beyond.make() if recipe.beyond is not None else None
        self.beyond: Mapping[int, Deduction] = {}
        """What was found beyond when it was last asked for, by index."""
        self._order = SharedOrder(view.grid.size, seed)
        self._taken = 0
        self._flags: list[tuple[int, int]] = []
        self._opens: list[tuple[int, int]] = []
        if recipe.remembers:
            self._process_position()

    def _process_position(self) -> None:
        """Treat every clue of the position as if its cell had just been opened.

        The order of play is not known, so this is repeated until nothing new follows: whatever
        order it was, the agent deduced no more on the way here.
        """
        knowledge, before = self.knowledge, -1
        while len(knowledge.deductions) > before:
            before = len(knowledge.deductions)
            for equation in list(knowledge.equations.values()):
                knowledge.latest = equation
                self._reason()
        knowledge.latest = None

    def observe(self, events: Iterable[Event]) -> None:
        """Take in what the referee told."""
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
        """The next move: what is certain first, otherwise the guesser's."""
        if self.recipe.lazy and (move := self._certain()):
            return move
        if not self.recipe.remembers:
            self._reason()
        return self._stop() or self._certain() or self._beyond() or self._guess()

    def _stop(self) -> Move | None:
        """The end, where the recipe knows it: no mine is left to be found."""
        mines, states = self.knowledge.mines, self.knowledge.states
        if not self.recipe.stops or mines is None:
            return None
        if states.count(FLAGGED) + states.count(EXPLODED) != mines:
            return None
        return Move((0, 0), "stop", None, False, f"all {mines} mines are flagged or exploded")

    def _reason(self) -> None:
        for _ in close(self.knowledge, self.recipe.reasoners):
            pass

    def _look_at_latest(self) -> None:
        """Try the local rules on the clue that came last, and on no other."""
        knowledge = self.knowledge
        if knowledge.latest is not None:
            for deduction in list(apply(knowledge, knowledge.latest)):
                if knowledge.is_open(knowledge.grid.index(deduction.cell)):
                    knowledge.settle(deduction)

    def _certain(self) -> Move | None:
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
            if states[index] in COVERED:
                return self._settled(index, mine=False)
            heappop(self._opens)
        return None

    def _settled(self, index: int, *, mine: bool) -> Move:
        deduction = self.knowledge.settled[index]
        return self._play(index, deduction, mine=mine)

    def _beyond(self) -> Move | None:
        """What is found beyond and still to be played."""
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
        return Move(deduction.cell, action, 0.0, True, deduction.why, deduction.rule)

    def _first(self) -> Move | None:
        """The cell that the recipe begins with, if it names one."""
        start = self.recipe.start
        if start is None or not self._is_first():
            return None
        free = can_be_opened(self.knowledge, self.knowledge.grid.index(start))
        return Move(start, "open", None, False, "it begins there") if free else None

    def _is_first(self) -> bool:
        """Whether nothing is opened yet."""
        return self.knowledge.covered == self.knowledge.grid.size

    def _knows_nothing(self) -> bool:
        """Before the first cell is opened nothing is certain, unless every cell is a mine."""
        return self._is_first() and self.knowledge.mines != self.knowledge.grid.size

    def _guess(self) -> Move:
        knowledge = self.knowledge
        guess = self._first() or self.recipe.guess(knowledge, self._order)
        if guess is None:
            return Move((0, 0), "stop", None, False, "no cell is left to open")
        opening = knowledge.rules.opening
        if opening != "any" and self._is_first():
            why = f"the first cell is promised to be {opening}"
            return Move(guess.cell, "open", 0.0, True, why)
        return guess


def _subsets() -> Finder:
    return ByComponent(local, subset)


def _subsets_until_all_are_found() -> Finder:
    return UntilAllAreFound(ByComponent(local, subset))


def _rows() -> Finder:
    return ByComponent(local, gauss)


def _rows_with_slack() -> Finder:
    return ByComponent(local, gauss_with_slack)


def _rows_with_count() -> Finder:
    return WithCount(local, count, gauss)


def _programmes_with_count() -> Finder:
    solver_package()  # so that who sits down without it is told before the game
    return WithCount(local, count, linear_programme)


def _largest_sum() -> Finder:
    solver_package()
    return WithCount(local, largest_sum)


SUBSETS = Beyond("subset", _subsets, "subset")
SUBSETS_UNTIL_FOUND = Beyond(
    "subset, then count", _subsets_until_all_are_found, "subset_until_found"
)
ROWS = Beyond("gauss", _rows, "gauss")
ROWS_WITH_SLACK = Beyond("gauss with slack", _rows_with_slack)
ROWS_WITH_COUNT = Beyond("gauss with count", _rows_with_count, "gauss_count")
PROGRAMMES = Beyond("linear_programme with count", _programmes_with_count)
LARGEST_SUM = Beyond("largest_sum with count", _largest_sum)
EXACT = Beyond("exact", Everything, "exact")
