"""An assistant for a board that only the user sees: it takes answers and suggests cells to open.

Independent of any screen. Every answer is checked against all earlier ones, and rejected if it
contradicts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from mineproof.agents import as_agent
from mineproof.errors import AgentFault, Contradiction, InvalidInput
from mineproof.games.guarded_player import start_player
from mineproof.phrases import say
from mineproof.reasoning.posterior import Posterior, Tracker
from mineproof.reasoning.proofs import explain
from mineproof.world import fair
from mineproof.world.board import promised
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.geometry import Cell, name_cell
from mineproof.world.move import Move, most_moves
from mineproof.world.rules import Rules
from mineproof.world.view import (
    COVERED,
    EXPLODED,
    FLAGGED,
    HIDDEN,
    KNOWN_SAFE,
    NO_CLUE,
    UNTOUCHED,
    Event,
    View,
    count_covered,
    is_clue,
)


class Answer(NamedTuple):
    """What a cell shows, according to the user; no cell means the suggested one."""

    cell: Cell | None
    state: int
    """A clue 0-8, NO_CLUE or EXPLODED, as in a view."""


class GameEnd(NamedTuple):
    """The end of a game, with a score if play goes on after a mine and the game was finished."""

    outcome: Literal["won", "lost", "stopped"]
    reason: str
    hit: int = 0
    score: float | None = None


class InconsistentClue(Contradiction):
    """An answer that contradicts earlier ones; `view` is the view with that answer."""

    def __init__(self, clash: Contradiction, view: View) -> None:
        super().__init__(str(clash), clash.clues, clash.count_used, clash.irreducible)
        self.view = view


class Assistant:
    """Suggests one cell after the other and takes what they show.

    `advise` returns the next move (a cell to open, with its exact risk and the agent's reason) or
    the end of the game; `answer` takes what cells show; `undo` takes back the last answer. The
    agent sees what it would see if it played itself; its flags are not part of the user's board.
    """

    def __init__(
        self,
        view: View,
        agent: Any,
        *,
        rules: Rules = Rules(),
        clues: ClueModel = Exact(),
    ) -> None:
        self.view = view
        self.agent = as_agent(agent)
        self.rules = rules.stated(dealt=False)
        self.clues = clues
        fair.check(self.rules, clues)
        self._tracker = Tracker(clues, rules.density)
        self.odds = self._tracker.posterior(view)
        self._earlier: list[tuple[View, list[Cell]]] = []
        self._advice: Move | GameEnd | None = None
        self._start_player()

    @property
    def shown(self) -> View:
        """The view with a flag on every cell that is proved to be a mine."""
        return self.view.after(Event(cell, FLAGGED) for cell in self.odds.mined)

    @property
    def course(self) -> list[tuple[View, list[Cell]]]:
        """All answers not taken back, in order: the view before each, and the cells it covers."""
        return list(self._earlier)

    @property
    def first(self) -> View:
        """The view at the start."""
        return self._earlier[0][0] if self._earlier else self.view

    @property
    def begun(self) -> bool:
        """Whether any cell was opened; until then the opening rule applies."""
        return count_covered(self.view.states) < self.view.grid.size

    def advise(self) -> Move | GameEnd:
        """Return the next cell to open, or the end; the same result until the next answer."""
        if self._advice is None:
            self._advice = self.end() or self._ask()
        return self._advice

    def answer(self, answers: Sequence[Answer]) -> None:
        """Add answers. If they contradict the view or the rules, raise and change nothing."""
        events = self._events(answers)
        if not events:
            raise InvalidInput(say("assist.already-given"))
        view = self.view.after(events)
        odds = self._judge(view)
        before = self.view, [event.cell for event in events if event.state != KNOWN_SAFE]
        if all(self.view.state(event.cell) in UNTOUCHED for event in events):
            self._player.observe(events)
            self._earlier.append(before)
            self.view, self.odds, self._advice = view, odds, None
        else:
            self._earlier.append(before)
            self._go_to(view, odds)

    def why(self, cell: Cell) -> str:
        """Explain a cell in words: a proof from the fewest clues, or its mine probability."""
        index = self.view.grid.index(cell)
        state, cell = self.view.states[index], self.view.grid.cell(index)
        if state == EXPLODED:
            return say("cell.was-mine", cell=cell)
        if state not in COVERED:
            return say("cell.open", cell=cell, clue=state if is_clue(state) else "none")
        if state == KNOWN_SAFE:
            return say("cell.by-rule", cell=cell)
        density = self.rules.density if self.view.mines is None else None
        return str(explain(self.view, cell, self.clues, density=density))

    def undo(self) -> None:
        """Take back the last answer."""
        if not self._earlier:
            raise InvalidInput(say("assist.no-undo"))
        view, _ = self._earlier.pop()
        self._go_to(view, self._tracker.posterior(view))

    def begin_again(self) -> None:
        """Start the agent again at the current view, after its computation was interrupted."""
        self._advice = None
        self._start_player()

    # What follows from all answers.

    def end(self) -> GameEnd | None:
        """Return the end of the game, or None while there is a cell to open."""
        hit = self.view.cells(EXPLODED)
        ends = self.rules.on_mine == "end"
        if hit and ends:
            return GameEnd("lost", say("cell.was-mine", cell=hit[0]), len(hit))
        covered = count_covered(self.view.states)
        if len(self.odds.mined) < covered:
            return None
        mines = covered + len(hit)
        score = None if ends else (covered / mines if mines else 1.0)
        reason = say("assist.all-open", hit=len(hit))
        return GameEnd("lost" if hit else "won", reason, len(hit), score)

    def _ask(self) -> Move | GameEnd:
        """Return the agent's next cell; keep the flags that it sets first."""
        marks: list[Event] = []
        for _ in range(most_moves(self.view.grid)):
            decision = self._player.decide()
            if decision.action in {"open", "stop"}:
                self.view = self.view.after(marks)
                return self._named(decision)
            marks.append(self._mark(decision))
            self._player.observe(marks[-1:])
        raise AgentFault("keeps setting flags and never opens a cell", self.agent.name)

    def _named(self, decision: Move) -> Move | GameEnd:
        if decision.action == "stop":
            hit = self.view.states.count(EXPLODED)
            why = say("assist.stops", agent=self.agent.name, reason=decision.reason)
            return GameEnd("stopped", why, hit)
        grid = self.view.grid
        cell = grid.cell(grid.index(decision.cell))
        if self.view.state(cell) not in COVERED:
            raise AgentFault(
                f"chose to open {name_cell(cell)}, which is already open", self.agent.name
            )
        first = not self.begun and self.rules.opening != "any"
        certain = first or cell in self.odds.safe
        risk = 0.0 if certain else float(self.odds.risk[cell])
        return Move(cell, "open", risk, certain, decision.why or decision.reason)

    def _mark(self, decision: Move) -> Event:
        match decision.action:
            case "flag":
                return Event(decision.cell, FLAGGED)
            case "unflag":
                return Event(decision.cell, HIDDEN)
        raise AgentFault(
            f"chose {decision.action!r}: the assistant supports only open, flag, unflag and stop",
            self.agent.name,
        )

    def _judge(self, view: View) -> Posterior:
        try:
            return self._tracker.posterior(view)
        except Contradiction as clash:
            raise InconsistentClue(clash, view) from None

    def _go_to(self, view: View, odds: Posterior) -> None:
        """Continue at a view that no sequence of events leads to."""
        self.view, self.odds, self._advice = view, odds, None
        self._start_player()

    def _start_player(self) -> None:
        self._player = start_player(self.agent, self.view, rules=self.rules, clues=self.clues)

    # Reading an answer.

    def _events(self, answers: Sequence[Answer]) -> list[Event]:
        """The new information in these answers, in order, checked against the rules."""
        grid, states = self.view.grid, bytearray(self.view.states)
        events: list[Event] = []
        for index, state in self._resolved(answers).items():
            if not self.begun and not events:
                for safe in promised(grid, grid.cell(index), self.rules.opening):
                    states[safe] = KNOWN_SAFE
                    if safe != index:
                        events.append(Event(grid.cell(safe), KNOWN_SAFE))
            if states[index] == state:
                continue
            self._check(index, states[index], state)
            states[index] = state
            near = [states[other] for other in grid.neighbours(index)]
            # The agent's flags are not on the user's board.
            bound = self.clues.bound_among(near, flags=False) if is_clue(state) else None
            events.append(Event(grid.cell(index), state, bound))
        return events

    def _resolved(self, answers: Sequence[Answer]) -> dict[int, int]:
        """What cells show according to the answers, by index."""
        found: dict[int, int] = {}
        for cell, state in answers:
            index = self.view.grid.index(self._asked() if cell is None else cell)
            if found.setdefault(index, state) != state:
                raise InvalidInput(say("assist.two-values", cell=self.view.grid.cell(index)))
        return found

    def _asked(self) -> Cell:
        advice = self.advise()
        if isinstance(advice, GameEnd):
            raise InvalidInput(say("assist.no-cell"))
        return advice.cell

    def _check(self, index: int, before: int, state: int) -> None:
        cell = self.view.grid.cell(index)
        if state == EXPLODED and before == KNOWN_SAFE:
            opening = repr(self.rules.opening)
            raise InvalidInput(say("assist.promised", cell=cell, opening=opening))
        if state == NO_CLUE and not self._may_be_silent(index):
            raise InvalidInput(say("assist.must-show", cell=cell, clues=self.clues.name))

    def _may_be_silent(self, index: int) -> bool:
        if isinstance(self.clues, Exact):
            return False
        return any(self.clues.likelihood(None, self.view.grid.neighbour_count(index)))
