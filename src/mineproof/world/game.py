"""The referee: a board under rules and a clue model."""

from __future__ import annotations

from collections import deque
from copy import copy

from mineproof.errors import IllegalMove, InvalidInput
from mineproof.given import of_type
from mineproof.world.board import (
    Board,
    BoardLike,
    Deal,
    DealLike,
    as_board,
    promised,
    read_deal,
)
from mineproof.world.chance import Purpose, Stream, check_seed
from mineproof.world.clues import ClueModel, Exact, Shown, as_clues
from mineproof.world.geometry import Cell, name_cell
from mineproof.world.move import Action
from mineproof.world.rules import RulesLike, as_rules
from mineproof.world.view import (
    EXPLODED,
    FLAGGED,
    HIDDEN,
    NO_CLUE,
    TOLD_SAFE,
    UNTOUCHED,
    Event,
    View,
    is_clue,
)


class Game:
    """Takes moves, returns events. It alone sees the board; no agent ever sees a game.

    No move costs more because the board is large.
    """

    def __init__(
        self,
        board: BoardLike,
        rules: RulesLike | None = None,
        clues: ClueModel | str | None = None,
        *,
        start: Cell | None = None,
        seed: int = 0,
    ) -> None:
        """A game on a ready board, or on one dealt at the first move.

        `start` announces the first cell: what the opening rule promises there is
        told from the beginning. `seed` names the deal and the noise of the clues.
        """
        board = as_board(board)
        self.rules = as_rules(rules, dealt=isinstance(board, Deal))
        self.clues = as_clues(clues)
        self.seed = check_seed(seed)
        self.grid = board.grid
        self.start = None if start is None else self.grid.cell(self.grid.index(start))
        self._states = bytearray([HIDDEN]) * self.grid.size
        self._bounds: dict[int, int] = {}
        self._asked: dict[int, int] = {}
        self._promised: frozenset[int] = frozenset()
        self._open = self._flags = self.right = self.exploded = 0
        self._begun = self._ended = False
        self._deal = board if isinstance(board, Deal) else None
        self._board = board if isinstance(board, Board) else self._deal_if_ready(board)
        if self.start is not None:
            self._promise(self.start)
        elif self._board is not None and not self._board.has_start(self.rules.opening):
            raise InvalidInput(
                f"the opening rule {self.rules.opening!r} holds nowhere on this board: "
                "give another board, or another rule"
            )
        self._finish()

    @classmethod
    def deal(
        cls,
        rows: int | DealLike,
        cols: int | None = None,
        mines: int | None = None,
        *,
        density: float | None = None,
        independent: bool = False,
        rules: RulesLike | None = None,
        clues: ClueModel | str | None = None,
        start: Cell | None = None,
        seed: int = 0,
    ) -> Game:
        """A game whose board is dealt at the first move, among those that keep the rules."""
        kind = read_deal(rows, cols, mines, density=density, independent=independent)
        return cls(kind, rules, clues, start=start, seed=seed)

    # What everybody may see.

    @property
    def view(self) -> View:
        """A snapshot of what the player sees; nothing in it is the referee's own."""
        bounds = tuple(sorted(self._bounds.items()))
        return View(copy(self.grid), bytes(self._states), self._count(), bounds)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._ended

    @property
    def wrong(self) -> int:
        """Flags on cells that are not mined."""
        return self._flags - self.right

    @property
    def unanswered(self) -> bool:
        """Whether some opened cell without a clue can be asked again."""
        return self.clues.redraw and bool(self._asked)

    # The outcome; the board is told only once the game is over.

    @property
    def board(self) -> Board:
        """The truth, once the game is over."""
        if not self._ended:
            raise IllegalMove("the board is told when the game is over")
        return self._truth()

    @property
    def dealt(self) -> Board | None:
        """The truth as soon as it is dealt, for those who watch: no player sees a game."""
        return self._board

    @property
    def won(self) -> bool:
        """No mine was hit, none flagged wrongly, and every safe cell is open.

        Where a player stopped, what is left counts as safe: then every mine is flagged.
        """
        if not self._ended or self.exploded or self.wrong:
            return False
        mines = self._truth().mine_count
        if self._open == self.grid.size - mines:
            return True
        return self.rules.on_mine == "continue" and self.right == mines

    @property
    def score(self) -> float | None:
        """(right flags - wrong flags) / mines where play goes on after a mine, else None."""
        if self.rules.on_mine == "end" or not self._ended:
            return None
        mines = self._truth().mine_count
        return (self.right - self.wrong) / mines if mines else 1.0

    # Moves.

    def play(self, cell: Cell, action: Action = "open") -> list[Event]:
        """Make a move; what changed, in order."""
        match of_type(action, str, "action"):
            case "open":
                return self.open(cell)
            case "flag":
                return self.flag(cell)
            case "unflag":
                return self.unflag(cell)
            case "ask":
                return self.ask()
            case "stop":
                return self.stop()
        raise IllegalMove(f"unknown action {action!r}: there are open, flag, unflag, ask, stop")

    def open(self, cell: Cell) -> list[Event]:
        """Open a cell, and its surroundings where a trusted zero shows."""
        index = self._covered(cell)
        told = [] if self._begun else self._begin(index)
        if self._truth().mined[index]:
            self._states[index] = EXPLODED
            self.exploded += 1
            self._ended = self.rules.on_mine == "end"
            events = [Event(self.grid.cell(index), EXPLODED)]
        else:
            events = self._flood(index)
        self._finish()
        return told + events

    def flag(self, cell: Cell) -> list[Event]:
        """Mark a hidden cell as a mine."""
        index = self._covered(cell)
        if self._board is None:
            raise IllegalMove(
                f"open a cell first: it is promised to be {self.rules.opening}, "
                "and nothing is dealt before"
            )
        if self._states[index] == TOLD_SAFE:
            raise IllegalMove(
                f"cannot flag {name_cell(cell)}: the opening rule told that it is safe"
            )
        self._states[index] = FLAGGED
        self._flags += 1
        self.right += self._board.mined[index]
        self._finish()
        return [Event(self.grid.cell(index), FLAGGED)]

    def unflag(self, cell: Cell) -> list[Event]:
        """Take a flag back."""
        index = self.grid.index(cell)
        if self._ended:
            raise IllegalMove("the game is over")
        if self._states[index] != FLAGGED:
            raise IllegalMove(f"cannot unflag {name_cell(cell)}: it is not flagged")
        self._states[index] = TOLD_SAFE if index in self._promised else HIDDEN
        self._flags -= 1
        self.right -= self._truth().mined[index]
        return [Event(self.grid.cell(index), self._states[index])]

    def chord(self, cell: Cell) -> dict[Cell, list[Event]]:
        """Open all that is left around a clue whose mines are all marked, flagged or exploded.

        It is so many openings, by index: each cell that was opened, and what changed. Where one
        of them ends the game, the others stay.
        """
        index = self.grid.index(cell)
        if self._ended:
            raise IllegalMove("the game is over")
        clue, around = self._states[index], self.grid.around(index)
        if not is_clue(clue):
            raise IllegalMove(f"cannot chord {name_cell(cell)}: it shows no clue")
        marked = sum(self._states[near] in {FLAGGED, EXPLODED} for near in around)
        if marked != clue:
            raise IllegalMove(
                f"cannot chord {name_cell(cell)}: it shows {clue}, and {marked} around are marked"
            )
        left = [near for near in around if self._states[near] in UNTOUCHED]
        if not left:
            raise IllegalMove(f"cannot chord {name_cell(cell)}: nothing is left around it")
        opened: dict[Cell, list[Event]] = {}
        for near in left:
            if not self._ended and self._states[near] in UNTOUCHED:
                opened[self.grid.cell(near)] = self.open(self.grid.cell(near))
        return opened

    def stop(self) -> list[Event]:
        """End the game here. What is left counts as safe; where a mine ends the game, give up."""
        if self._ended:
            raise IllegalMove("the game is over")
        if self._board is None:
            assert self._deal is not None
            self._board = self._deal.board(self.seed, start=(0, 0), opening=self.rules.opening)
        self._ended = True
        return []

    def ask(self) -> list[Event]:
        """Ask every opened cell without a clue once more, by index, if the clue model allows."""
        if self._ended:
            raise IllegalMove("the game is over")
        if not self.clues.redraw:
            raise IllegalMove(f"cells without a clue cannot be asked again with {self.clues} clues")
        events: list[Event] = []
        for index in sorted(self._asked):
            event = self._show(index)
            if event.state != NO_CLUE:
                events.append(event)
                if self._trusted(index, event):
                    events += self._flood_from(index)
        self._finish()
        return events

    # Inside.

    def _truth(self) -> Board:
        assert self._board is not None
        return self._board

    def _count(self) -> int | None:
        if not self.rules.count_known:
            return None
        if self._board is not None:
            return self._board.mine_count
        assert self._deal is not None
        return self._deal.mine_count

    def _deal_if_ready(self, deal: Deal) -> Board | None:
        """The board, unless the opening rule waits for the first move."""
        opening = self.rules.opening
        deal.check(opening, self.start)
        if opening == "any" or self.start is not None:
            return deal.board(self.seed, start=self.start, opening=opening)
        if deal.independent and self.rules.count_known:
            raise InvalidInput(
                "cells mined independently have no count to tell before the first move: "
                "give a start, the opening rule 'any', or count_known=False"
            )
        return None

    def _covered(self, cell: Cell) -> int:
        index = self.grid.index(cell)
        if self._ended:
            raise IllegalMove("the game is over")
        state = self._states[index]
        if state in UNTOUCHED:
            return index
        what = {FLAGGED: "flagged", EXPLODED: "an exploded mine"}.get(state, "open")
        raise IllegalMove(f"cannot play {self.grid.name(index)}: it is {what}")

    def _begin(self, index: int) -> list[Event]:
        """The first opening: deal, if that waited for it, and tell what the rule promises."""
        first = self.grid.cell(index)
        if self.start is not None and first != self.start:
            announced = name_cell(self.start)
            raise IllegalMove(
                f"the first move was announced at {announced}, not at {name_cell(first)}"
            )
        if self._board is None:
            assert self._deal is not None
            self._board = self._deal.board(self.seed, start=first, opening=self.rules.opening)
        self._begun = True
        return [event for event in self._promise(first) if event.cell != first]

    def _promise(self, start: Cell) -> list[Event]:
        """Tell what the opening rule promises at the start; refuse a board that breaks it."""
        opening = self.rules.opening
        if not self._truth().keeps(opening, start):
            raise InvalidInput(
                f"the opening rule {opening!r} does not hold on this board "
                f"when {name_cell(start)} is opened first: give another start, or another rule"
            )
        self._promised = frozenset(promised(self.grid, start, opening))
        told = [i for i in sorted(self._promised) if self._states[i] == HIDDEN]
        for index in told:
            self._states[index] = TOLD_SAFE
        return [Event(self.grid.cell(index), TOLD_SAFE) for index in told]

    def _finish(self) -> None:
        if self._board is None:
            return
        covered = self.grid.size - self._open - self.exploded
        if self.rules.on_mine == "end":
            self._ended |= covered == self._board.mine_count
        else:
            self._ended |= covered == self._flags

    def _flood(self, index: int) -> list[Event]:
        self._open += 1
        event = self._show(index)
        return [event, *self._flood_from(index)] if self._trusted(index, event) else [event]

    def _flood_from(self, index: int) -> list[Event]:
        """Open what surrounds a trusted zero, breadth first, by index."""
        events: list[Event] = []
        states = self._states
        pending = deque([index])
        queued = {index}
        while pending:
            for near in self.grid.around(pending.popleft()):
                if states[near] in UNTOUCHED and near not in queued:
                    queued.add(near)
                    self._open += 1
                    event = self._show(near)
                    events.append(event)
                    if self._trusted(near, event):
                        pending.append(near)
        return events

    def _trusted(self, index: int, event: Event) -> bool:
        if not self.rules.flood or not is_clue(event.state):
            return False
        return self.clues.opens_around(event.state, self.grid.degree(index), event.bound)

    def _show(self, index: int) -> Event:
        """Draw what an opened cell shows, and note it."""
        count = self._truth().counts[index]
        cell = divmod(index, self.grid.cols)
        if isinstance(self.clues, Exact):
            self._states[index] = count
            return Event(cell, count)
        shown, bound = self._draw(index, count)
        if shown is None:
            self._states[index] = NO_CLUE
            return Event(cell, NO_CLUE)
        self._states[index] = shown
        self._asked.pop(index, None)
        if bound is not None:
            self._bounds[index] = bound
        return Event(cell, shown, bound)

    def _draw(self, index: int, count: int) -> tuple[Shown, int | None]:
        around = self.grid.around(index)
        near = [self._states[i] for i in around]
        bound = self.clues.bound_among(near)
        # The same noise at the same cell, whoever opens it and when; the n-th
        # time a cell is asked has a stream of its own.
        times = self._asked.get(index, 0)
        self._asked[index] = times + 1
        stream = Stream(self.seed, Purpose.NOISE, times << 32 | index)
        return self.clues.draw(count, len(around), stream, bound), bound
