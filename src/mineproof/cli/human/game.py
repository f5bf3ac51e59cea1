"""A game that a person plays: what they do and when, and what comes of it. Knows no screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import monotonic

from mineproof.cli.play.setup import Setup
from mineproof.errors import IllegalMove
from mineproof.games.record import Record
from mineproof.games.sitting import Act, Deed, Sitting
from mineproof.world.board import Board
from mineproof.world.geometry import Cell, name_cell
from mineproof.world.view import (
    COVERED,
    EXPLODED,
    FLAGGED,
    Event,
    View,
    count_covered,
    is_clue,
)

NAME = "you"
"""Who plays, in the record."""


class HumanGame:
    """The referee's game, a clock that starts with the first move, and undo in practice."""

    def __init__(
        self, setup: Setup, *, practice: bool = False, clock: Callable[[], float] = monotonic
    ) -> None:
        self.practice = practice
        self.undone = 0
        self.setup = setup
        self.no_guess = setup.no_guess
        if setup.no_guess and setup.start is not None:
            self.setup = setup.without_guess(setup.start)
        self._clock = clock
        self._sitting = Sitting(self.setup.begin())
        self._times: list[float] = []
        """When each move was made; a chord is several moves."""
        self._first = self._last = 0.0

    @property
    def view(self) -> View:
        """What the player sees."""
        return self._sitting.game.view

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._sitting.game.over

    @property
    def won(self) -> bool:
        """Whether it was won."""
        return self._sitting.game.won

    @property
    def truth(self) -> Board | None:
        """The mines, once the game is over."""
        return self._sitting.game.board if self.over else None

    @property
    def begun(self) -> bool:
        """Whether a cell was opened."""
        view = self.view
        return count_covered(view.states) < view.grid.size

    @property
    def can_ask(self) -> bool:
        """Whether cells without a clue may be asked again."""
        return self._sitting.game.unanswered

    @property
    def started(self) -> bool:
        """Whether anything was done."""
        return bool(self._sitting.deeds)

    @property
    def seconds(self) -> float:
        """From the first move until now, or until the last one."""
        if not self.started:
            return 0.0
        return (self._last if self.over else self._clock()) - self._first

    def open(self, cell: Cell) -> list[Event]:
        """Open a covered cell; around a clue, all that is left (a chord)."""
        state = self.view.state(cell)
        if is_clue(state) and not self.over:
            return self.chord(cell)
        if state == FLAGGED and not self.over:
            raise IllegalMove(f"{name_cell(cell)} is flagged: take the flag off first")
        if self.setup.no_guess and not self.started:
            self.setup = self.setup.without_guess(cell)
            self._sitting = Sitting(self.setup.begin())
        return self._play(cell, "open")

    def flag(self, cell: Cell) -> list[Event]:
        """Set a flag, or take it off."""
        state = self.view.state(cell)
        if state not in COVERED and not self.over:
            what = "an exploded mine" if state == EXPLODED else "open"
            raise IllegalMove(f"cannot flag {name_cell(cell)}: it is {what}")
        return self._play(cell, "unflag" if state == FLAGGED else "flag")

    def chord(self, cell: Cell) -> list[Event]:
        """Open all that is left around a clue whose mines are all flagged."""
        return self._play(cell, "chord")

    def ask(self, cell: Cell) -> list[Event]:
        """Ask all cells without a clue once more."""
        return self._play(cell, "ask")

    def stop(self, cell: Cell) -> None:
        """End the game here."""
        self._play(cell, "stop")

    def undo(self) -> None:
        """Take the last move back, also the one that ended the game."""
        if not self.practice:
            raise IllegalMove("undo is for practice: start with --practice")
        if not self.started:
            raise IllegalMove("there is no move to take back")
        if self.over:
            self._first += self._clock() - self._last
        deeds = self._sitting.deeds[:-1]
        self._sitting = Sitting(self.setup.begin())
        for deed in deeds:
            self._sitting.play(deed)
        del self._times[len(self._sitting.moves) :]
        self.undone += 1

    def record(self) -> Record:
        """The finished game."""
        record = self._sitting.record(NAME, self.seconds)
        undone = self.undone if self.practice else None
        return replace(record, times=tuple(self._times), undone=undone)

    def _play(self, cell: Cell, action: Act) -> list[Event]:
        now = self._clock()
        events = self._sitting.play(Deed(cell, action))
        if len(self._sitting.deeds) == 1:
            self._first = now
        self._last = now
        new = len(self._sitting.moves) - len(self._times)
        self._times += [round(now - self._first, 3)] * new
        return events
