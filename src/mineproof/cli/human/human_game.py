"""A game played by a person: moves with their times, chords, undo. Independent of any screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import monotonic

from mineproof.cli.play.game_setup import GameSetup
from mineproof.errors import IllegalMove
from mineproof.games.manual import ManualGame
from mineproof.games.record import Record
from mineproof.phrases import say
from mineproof.world.board import Board
from mineproof.world.geometry import Cell
from mineproof.world.move import Act
from mineproof.world.turn import by_hand
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
"""The player's name in records."""


class HumanGame:
    """A game with a clock that starts at the first move, and with undo in practice."""

    def __init__(
        self, setup: GameSetup, *, practice: bool = False, clock: Callable[[], float] = monotonic
    ) -> None:
        self.practice = practice
        self.undone = 0
        self.setup = setup
        self.no_guess = setup.no_guess
        if setup.no_guess and setup.start is not None:
            self.setup = setup.without_guess(setup.start)
        self._clock = clock
        self._manual = ManualGame(self.setup.begin())
        self._first = self._last = 0.0

    @property
    def view(self) -> View:
        """What the player sees."""
        return self._manual.game.view

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._manual.game.over

    @property
    def won(self) -> bool:
        """Whether the game was won."""
        return self._manual.game.won

    @property
    def truth(self) -> Board | None:
        """The board with its mines, once the game is over."""
        return self._manual.game.board if self.over else None

    @property
    def begun(self) -> bool:
        """Whether any cell was opened."""
        view = self.view
        return count_covered(view.states) < view.grid.size

    @property
    def can_ask(self) -> bool:
        """Whether cells that showed no clue can be asked again."""
        return self._manual.game.unanswered

    @property
    def started(self) -> bool:
        """Whether the player has done anything, even set a flag."""
        return bool(self._manual.turns)

    @property
    def seconds(self) -> float:
        """Seconds since the first move; of a finished game, until the last move."""
        if not self.started:
            return 0.0
        return (self._last if self.over else self._clock()) - self._first

    def open(self, cell: Cell) -> Sequence[Event]:
        """Open a hidden cell; on a clue, chord."""
        state = self.view.state(cell)
        if is_clue(state) and not self.over:
            return self.chord(cell)
        if state == FLAGGED and not self.over:
            raise IllegalMove(say("refusal.flagged", cell=cell))
        if self.setup.no_guess and not self.started:
            self.setup = self.setup.without_guess(cell)
            self._manual = ManualGame(self.setup.begin())
        return self._play(cell, "open")

    def flag(self, cell: Cell) -> Sequence[Event]:
        """Set or remove a flag."""
        state = self.view.state(cell)
        if state not in COVERED and not self.over:
            what = "exploded" if state == EXPLODED else "open"
            raise IllegalMove(say("refusal.flag", cell=cell, state=what))
        return self._play(cell, "unflag" if state == FLAGGED else "flag")

    def chord(self, cell: Cell) -> Sequence[Event]:
        """Open all unflagged neighbours of a clue whose mines are all flagged."""
        return self._play(cell, "chord")

    def ask(self, cell: Cell) -> Sequence[Event]:
        """Ask all cells that showed no clue again."""
        return self._play(cell, "ask")

    def stop(self, cell: Cell) -> None:
        """End the game here."""
        self._play(cell, "stop")

    def undo(self) -> None:
        """Undo the last move, even one that ended the game."""
        if not self.practice:
            raise IllegalMove("only practice games have undo: start with --practice")
        if not self.started:
            raise IllegalMove("there is no move to undo")
        if self.over:
            self._first += self._clock() - self._last
        turns = self._manual.turns[:-1]
        self._manual = ManualGame(self.setup.begin())
        for turn in turns:
            self._manual.play(turn)
        self.undone += 1

    def record(self) -> Record:
        """The record of the finished game."""
        record = self._manual.record(NAME, self.seconds)
        return replace(record, undone=self.undone if self.practice else None)

    def _play(self, cell: Cell, action: Act) -> Sequence[Event]:
        now = self._clock()
        first = self._first if self.started else now
        turn = self._manual.play(by_hand(cell, action, round(now - first, 3)))
        self._first, self._last = first, now
        return turn.events
