"""The entries of a log about what a player knows: deductions, queue and equations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import Any

from mineproof.agents.recipes import RecipePlayer
from mineproof.phrases import Phrase
from mineproof.reasoning.deductions import Deduction, Entry
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.reason_phrases import sum_text
from mineproof.world.view import HIDDEN, UNTOUCHED, Event

_VERDICTS = {"exact.certain", "arrangements.safe"}
"""Reasons that begin with the verdict: `safe in every configuration`."""
_NAMED = 12
"""The most queued cells that are listed."""


class ReasoningLog:
    """Tracks a player's knowledge and which of it has been logged."""

    def __init__(self, knowledge: Knowledge, player: object, *, in_game: bool = True) -> None:
        """`in_game`: what is known already is not news. Otherwise the log is about one position."""
        self.knowledge = knowledge
        self._player = player if isinstance(player, RecipePlayer) else None
        self.remembers = self._player is not None and self._player.recipe.remembers
        self._written = len(knowledge.deductions) if in_game else 0
        self._news = 0
        self._moved = False
        self._beyond: dict[int, bool] = {}
        self._reached: dict[int, bool] = {}
        self._claims = self._player is not None and not self._player.proves
        self._queue: dict[bool, dict[int, None]] = {True: {}, False: {}}
        for deduction in knowledge.deductions:
            self._place(knowledge.grid.index(deduction.cell))

    def follows(self, events: Iterable[Event] = ()) -> Iterator[Entry]:
        """Yield the deductions since the last call, of cells not played before these events."""
        found = self.knowledge.deductions[self._written :]
        self._written += len(found)
        # What the opening rule guarantees is an event and not a deduction.
        yield from self._found([one for one in found if one.rule != "opening"], events)

    def findings(self, events: Iterable[Event] = ()) -> Iterator[Entry]:
        """Yield the new deductions and what is queued, before the move that had these events."""
        events = list(events)
        yield from self.follows(events)
        beyond = {} if self._player is None else self._player.beyond
        old, settled = self._beyond, self.knowledge.settled
        self._beyond = {index: one.mine for index, one in beyond.items()}
        for index in old.keys() - self._beyond.keys():
            self._place(index)
        self._reached |= self._beyond
        new = [i for i in sorted(beyond) if old.get(i) != beyond[i].mine and i not in settled]
        yield from self._found([beyond[index] for index in new], events)
        if not self._news and self._moved:
            again = Phrase("log.nothing-new", {"again": not self.remembers})
            yield Entry(again, "idle")
        self._news, self._moved = 0, True
        just = {self.knowledge.grid.index(event.cell) for event in events}
        for index, one in beyond.items():
            if index in just or self._waits(index, mine=one.mine):
                self._enqueue(index, mine=one.mine)
        yield Entry(self._queued(), "idle")

    def update(self, events: Iterable[Event]) -> None:
        """Remove what was played from the queue."""
        for event in events:
            self._place(self.knowledge.grid.index(event.cell))

    def deduced(self) -> dict[int, bool]:
        """Return the deduced cells that are queued, by index: whether each is a mine."""
        return {index: mine for mine, queue in self._queue.items() for index in queue}

    def verdict(self, index: int) -> bool | None:
        """Return whether a covered cell is known to be a mine; None if it is unresolved.

        The knowledge keeps only what the reasoners of every move deduce. What a finder deduces
        beyond it is found again at each call, and counts as known here from the first time on.
        """
        settled = self.knowledge.settled.get(index)
        return self._reached.get(index) if settled is None else settled.mine

    def equations(self) -> Iterator[Entry]:
        """Yield all equations over unresolved cells."""
        knowledge, grid = self.knowledge, self.knowledge.grid
        for clue, equation in sorted(knowledge.equations.items()):
            cells = equation.cells - self._reached.keys()
            mines = sum(self._reached.get(index, False) for index in equation.cells)
            if cells:
                least, most = equation.least - mines, equation.most - mines
                values = {"at": grid.cell(clue), "sum": sum_text(cells, least, most, grid)}
                yield Entry(Phrase("log.equation", values), "columns")
        if knowledge.mines_left is not None:
            beyond = [i for i in self._reached if knowledge.is_open(i)]
            left = knowledge.mines_left - sum(self._reached[index] for index in beyond)
            hidden = knowledge.covered - len(knowledge.settled) - len(beyond)
            yield Entry(Phrase("log.mine-count", {"mines": left, "cells": hidden}), "columns")

    def _found(self, found: list[Deduction], events: Iterable[Event]) -> Iterator[Entry]:
        """Yield one entry per reason with all cells that it proves; all of them are queued."""
        index = self.knowledge.grid.index
        just = {index(event.cell) for event in events}
        # A cell that was flagged before is no news.
        found = [d for d in found if (i := index(d.cell)) in just or self._waits(i, mine=d.mine)]
        self._news += len(found)
        for (rule, mine, why), group in groupby(found, lambda d: (d.rule, d.mine, d.phrase)):
            cells = [one.cell for one in group]
            for cell in cells:
                self._enqueue(index(cell), mine=mine)
            values = {"rule": rule, "cells": cells, "mine": mine, "why": why}
            values |= {"claimed": self._claims, "repeats": why.key in _VERDICTS}
            yield Entry(Phrase("log.deduced", values), "deduced")

    def _queued(self) -> Phrase:
        """Return the first cells in the queue, and the number of further ones."""
        values: dict[str, Any] = {"parts": sum(map(bool, self._queue.values()))}
        for what, queue in (("flag", self._queue[True]), ("open", self._queue[False])):
            values[what] = sorted(self.knowledge.grid.cells(islice(queue, _NAMED)))
            values[f"{what}_more"] = max(len(queue) - _NAMED, 0)
        return Phrase("log.queue", values)

    def _place(self, index: int) -> None:
        """Queue a cell if it is deduced and still to be played; otherwise remove it."""
        settled = self.knowledge.settled.get(index)
        if settled is not None and self._waits(index, mine=settled.mine):
            self._enqueue(index, mine=settled.mine)
            return
        for queue in self._queue.values():
            queue.pop(index, None)

    def _enqueue(self, index: int, *, mine: bool) -> None:
        """Queue a cell; what was deduced of it before may have been a wrong claim."""
        self._queue[not mine].pop(index, None)
        self._queue[mine].setdefault(index)

    def _waits(self, index: int, *, mine: bool) -> bool:
        """Return whether a cell is still to be flagged or opened; a flagged cell is neither."""
        state = self.knowledge.states[index]
        return state == HIDDEN if mine else state in UNTOUCHED
