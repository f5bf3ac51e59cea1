"""What a player came to know in a game, as lines of its play-by-play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice

from mineproof.agents.recipes import RecipePlayer
from mineproof.errors import counted
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.describing import sum_text
from mineproof.reasoning.knowledge import Knowledge
from mineproof.world.geometry import name_cells
from mineproof.world.move import Move
from mineproof.world.view import COVERED, HIDDEN, Event

_NAMED = 12
"""Queued cells that are named."""


class Mind:
    """What a player knows, and what of it was written already."""

    def __init__(self, knowledge: Knowledge, player: object, *, in_game: bool = True) -> None:
        """`in_game`: moves are played before they are logged, and what is known already is not
        news; without it the player is asked about a position.
        """
        self.knowledge = knowledge
        self._in_game = in_game
        self._player = player if isinstance(player, RecipePlayer) else None
        self.remembers = self._player is not None and self._player.recipe.remembers
        self._written = len(knowledge.deductions) if in_game else 0
        self._news = 0
        self._moved = False
        self._beyond: set[int] = set()
        self._reached: dict[int, bool] = {}
        self._queue: dict[bool, dict[int, None]] = {True: {}, False: {}}
        for deduction in knowledge.deductions:
            self._place(knowledge.grid.index(deduction.cell))

    def follows(self) -> Iterator[str]:
        """What was settled since the last time."""
        found = self.knowledge.deductions[self._written :]
        self._written += len(found)
        # What the rules promise is an event, and not found.
        yield from self._found([one for one in found if one.rule != "opening"])

    def findings(self, move: Move) -> Iterator[str]:
        """What going through the knowledge again found, and what waits to be played."""
        yield from self.follows()
        beyond = {} if self._player is None else self._player.beyond
        old, settled = self._beyond, self.knowledge.settled
        self._beyond = set(beyond)
        for index in old - self._beyond:
            self._place(index)
        self._reached |= {index: one.mine for index, one in beyond.items()}
        new = [index for index in sorted(beyond) if index not in old and index not in settled]
        yield from self._found([beyond[index] for index in new])
        if not self._news and self._moved:
            again = "" if self.remembers else "going through the knowledge again: "
            yield f"{again}nothing new follows"
        self._news, self._moved = 0, True
        here = self.knowledge.grid.index(move.cell)
        for index, one in beyond.items():
            if index == here or self._waits(index, mine=one.mine):
                self._queue[one.mine].setdefault(index)
        yield f"queued: {self._queued()}"

    def update(self, events: Iterable[Event]) -> None:
        """Take what was played off the queue."""
        for event in events:
            self._place(self.knowledge.grid.index(event.cell))

    def deduced(self) -> dict[int, bool]:
        """Cells that are deduced and wait to be played, by index: whether each is a mine."""
        return {index: mine for mine, queue in self._queue.items() for index in queue}

    def verdict(self, index: int) -> bool | None:
        """Whether a covered cell is known to be mined; None if it is not known.

        The knowledge itself keeps only what depends on nothing but the view; what was found
        beyond it is found again there each time, and told here from the first time on.
        """
        settled = self.knowledge.settled.get(index)
        return self._reached.get(index) if settled is None else settled.mine

    def equations(self) -> Iterator[str]:
        """All equations over cells whose truth is not known."""
        knowledge, grid = self.knowledge, self.knowledge.grid
        yield "equations:"
        for clue, equation in sorted(knowledge.equations.items()):
            cells = equation.cells - self._reached.keys()
            mined = sum(self._reached.get(index, False) for index in equation.cells)
            if cells:
                least, most = equation.least - mined, equation.most - mined
                yield f"  {grid.name(clue)}: {sum_text(cells, least, most, grid)}"
        if knowledge.mines_left is not None:
            beyond = [i for i in self._reached if knowledge.is_open(i)]
            left = knowledge.mines_left - sum(self._reached[index] for index in beyond)
            hidden = knowledge.covered - len(knowledge.settled) - len(beyond)
            yield f"  the count: {counted(left, 'mine')} in {counted(hidden, 'cell')}"

    def _found(self, found: list[Deduction]) -> Iterator[str]:
        """Deductions that share their reason on one line; all of them are queued."""
        self._news += len(found)
        for (rule, mine, why), group in groupby(found, lambda one: (one.rule, one.mine, one.why)):
            cells = [one.cell for one in group]
            places: Iterable[int] = map(self.knowledge.grid.index, cells)
            if not self._in_game:  # nothing is played: a cell that is flagged already is done
                places = (place for place in places if self._waits(place, mine=mine))
            self._queue[mine].update(dict.fromkeys(places))
            verdict = "mined" if mine else "safe"
            yield f"it follows by {rule}: {name_cells(cells)} {verdict}, since {why}"

    def _queued(self) -> str:
        """The first that wait, and how many more do."""
        parts = []
        for what, queue in (("flag", self._queue[True]), ("open", self._queue[False])):
            cells = self.knowledge.grid.cells(islice(queue, _NAMED))
            more = f" and {len(queue) - _NAMED} more" if len(queue) > _NAMED else ""
            if cells:
                parts.append(f"to {what} {name_cells(sorted(cells))}{more}")
        return "; ".join(parts) or "nothing"

    def _place(self, index: int) -> None:
        """Queue a cell if it is settled and still to be played, else take it off."""
        settled = self.knowledge.settled.get(index)
        for mine, queue in self._queue.items():
            if settled is not None and settled.mine == mine and self._waits(index, mine=mine):
                queue.setdefault(index)
            else:
                queue.pop(index, None)

    def _waits(self, index: int, *, mine: bool) -> bool:
        state = self.knowledge.states[index]
        return state == HIDDEN if mine else state in COVERED
