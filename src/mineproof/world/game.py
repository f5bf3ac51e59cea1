"""The referee: a board under rules and a clue model."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

from mineproof.arguments import of_type
from mineproof.errors import IllegalMove, InvalidInput
from mineproof.phrases import say
from mineproof.world import fair
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
from mineproof.world.fair import DrawnBoard, Judge
from mineproof.world.geometry import Cell
from mineproof.world.move import Act
from mineproof.world.rules import RulesLike, as_rules
from mineproof.world.turn import Turn
from mineproof.world.view import (
    EXPLODED,
    FLAGGED,
    HIDDEN,
    KNOWN_SAFE,
    NO_CLUE,
    UNTOUCHED,
    Event,
    View,
    is_clue,
)


class Game:
    """The referee of one game: it takes moves and returns events.

    Only the game knows the board; agents never see the game. The cost of a move does not depend
    on the size of the board, unless openings are judged (`luck="fair"`).
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
        """Create a game on a given board, or on a board that is dealt at the first move.

        `start` announces the first cell, so that the view shows from the beginning which cells
        are safe by the opening rule. `seed` determines the deal and the noise of the clues.
        """
        board = as_board(board)
        self.rules = as_rules(rules, dealt=isinstance(board, Deal))
        self.clues = as_clues(clues, board.grid)
        fair.check(self.rules, self.clues)
        self.seed = check_seed(seed)
        self._judge = Judge(self.rules, self.seed) if self.rules.luck == "fair" else None
        self.drawn: tuple[DrawnBoard, ...] = ()
        """The boards that replaced the one before, with the rule `luck="fair"`."""
        self.grid = board.grid
        self.start = None if start is None else self.grid.cell(self.grid.index(start))
        self._states = bytearray([HIDDEN]) * self.grid.size
        self._bounds: dict[int, int] = {}
        self._asked: dict[int, int] = {}
        self._promised: frozenset[int] = frozenset()
        self._moves = self._open = self._flags = self.right = self.exploded = 0
        self._begun = self._ended = False
        self._deal = board if isinstance(board, Deal) else None
        self._board = board if isinstance(board, Board) else self._deal_if_ready(board)
        if self.start is not None:
            self._promise(self.start)
        elif self._board is not None and not self._board.has_start(self.rules.opening):
            raise InvalidInput(say("refusal.no-first", opening=repr(self.rules.opening)))
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
        """Create a game whose board is dealt at the first move, by the opening rule."""
        kind = read_deal(rows, cols, mines, density=density, independent=independent)
        return cls(kind, rules, clues, start=start, seed=seed)

    # What everyone may see.

    @property
    def view(self) -> View:
        """A snapshot of what the player sees; it shares no data with the game."""
        bounds = tuple(self._bounds.items())
        return View(copy(self.grid), bytes(self._states), self._count(), bounds)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._ended

    @property
    def wrong(self) -> int:
        """The number of flags on safe cells."""
        return self._flags - self.right

    @property
    def unanswered(self) -> bool:
        """Whether any opened cell without a clue can be asked again."""
        return self.clues.redraw and bool(self._asked)

    # The outcome; the board is revealed only when the game is over.

    @property
    def board(self) -> Board:
        """The board; an error before the game is over."""
        if not self._ended:
            raise IllegalMove(say("refusal.hidden-board"))
        return self._truth()

    @property
    def dealt(self) -> Board | None:
        """The board as soon as it is dealt (for spectators: players have no access to the game)."""
        return self._board

    @property
    def won(self) -> bool:
        """Whether the game is won: no mine was hit, no flag is wrong, every safe cell is open.

        If play continues after mines, flagging every mine is enough: the rest counts as safe.
        """
        if not self._ended or self.exploded or self.wrong:
            return False
        mines = self._truth().mine_count
        if self._open == self.grid.size - mines:
            return True
        return self.rules.on_mine == "continue" and self.right == mines

    @property
    def score(self) -> float | None:
        """(Correct flags - wrong flags) / mines if play continues after a mine; otherwise None."""
        if self.rules.on_mine == "end" or not self._ended:
            return None
        mines = self._truth().mine_count
        return (self.right - self.wrong) / mines if mines else 1.0

    # Moves.

    def turn(self, turn: Turn) -> Turn:
        """Play what a turn asks for; return it with its moves and what each of them changed."""
        asked = of_type(turn, Turn, "turn").asked
        if asked.action != "chord":
            events = self.play(asked.cell, asked.action)
            return turn._replace(moves=(asked,), changes=(tuple(events),))
        opened = self.chord(asked.cell)
        why = asked.why or asked.reason
        moves = tuple(replace(asked, cell=cell, action="open", reason=why) for cell in opened)
        return turn._replace(moves=moves, changes=tuple(map(tuple, opened.values())))

    def play(self, cell: Cell, action: Act = "open") -> list[Event]:
        """Make a move; return the events in order. A chord is not a move but several."""
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
        raise IllegalMove(say("refusal.action", action=repr(action)))

    def open(self, cell: Cell) -> list[Event]:
        """Open a cell, and its neighbours if it shows a certain zero; return the events."""
        index = self._covered(cell)
        promised_events = [] if self._begun else self._begin(index)
        self._draw_again(index)
        self._moves += 1
        if self._truth().mined[index]:
            self._states[index] = EXPLODED
            self.exploded += 1
            self._ended = self.rules.on_mine == "end"
            events = [Event(self.grid.cell(index), EXPLODED)]
        else:
            events = self._flood(index)
        self._finish()
        return promised_events + events

    def flag(self, cell: Cell) -> list[Event]:
        """Flag a hidden cell as a mine; return the events."""
        index = self._covered(cell)
        if self._board is None:
            raise IllegalMove(say("refusal.flag-before", opening=repr(self.rules.opening)))
        if self._states[index] == KNOWN_SAFE:
            raise IllegalMove(say("refusal.flag-safe", cell=self.grid.cell(index)))
        self._states[index] = FLAGGED
        self._moves += 1
        self._flags += 1
        self.right += self._board.mined[index]
        self._finish()
        return [Event(self.grid.cell(index), FLAGGED)]

    def unflag(self, cell: Cell) -> list[Event]:
        """Remove a flag; return the events."""
        index = self.grid.index(cell)
        if self._ended:
            raise IllegalMove(say("refusal.over"))
        if self._states[index] != FLAGGED:
            raise IllegalMove(say("refusal.unflag", cell=self.grid.cell(index)))
        self._states[index] = KNOWN_SAFE if index in self._promised else HIDDEN
        self._moves += 1
        self._flags -= 1
        self.right -= self._truth().mined[index]
        return [Event(self.grid.cell(index), self._states[index])]

    def chord(self, cell: Cell) -> dict[Cell, list[Event]]:
        """Open all remaining neighbours of a clue whose mines are all flagged or exploded.

        The cells are opened one by one, in index order, until the game is over. Return the
        events for each opened cell.
        """
        index = self.grid.index(cell)
        if self._ended:
            raise IllegalMove(say("refusal.over"))
        clue, around, cell = self._states[index], self.grid.neighbours(index), self.grid.cell(index)
        if not is_clue(clue):
            raise IllegalMove(say("refusal.chord-no-clue", cell=cell))
        marked = sum(self._states[near] in {FLAGGED, EXPLODED} for near in around)
        if marked != clue:
            raise IllegalMove(say("refusal.chord-marks", cell=cell, clue=clue, marked=marked))
        left = [near for near in around if self._states[near] in UNTOUCHED]
        if not left:
            raise IllegalMove(say("refusal.chord-nothing", cell=cell))
        opened: dict[Cell, list[Event]] = {}
        for near in left:
            if not self._ended and self._states[near] in UNTOUCHED:
                opened[self.grid.cell(near)] = self.open(self.grid.cell(near))
        return opened

    def stop(self) -> list[Event]:
        """End the game now: the rest counts as safe; if mines end the game, the player resigns."""
        if self._ended:
            raise IllegalMove(say("refusal.over"))
        if self._board is None:
            assert self._deal is not None
            self._board = self._deal.board(self.seed, start=(0, 0), opening=self.rules.opening)
        self._ended = True
        return []

    def ask(self) -> list[Event]:
        """Ask every opened cell without a clue again, in index order; return the events.

        An error if the clue model does not allow it.
        """
        if self._ended:
            raise IllegalMove(say("refusal.over"))
        if not self.clues.redraw:
            raise IllegalMove(say("refusal.ask", clues=self.clues))
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
        """Return the board, or None if the opening rule depends on the first move."""
        opening = self.rules.opening
        deal.check(opening, self.start)
        if opening == "any" or self.start is not None:
            return deal.board(self.seed, start=self.start, opening=opening)
        if deal.independent and self.rules.count_known:
            raise InvalidInput(say("refusal.count-before"))
        return None

    def _covered(self, cell: Cell) -> int:
        index = self.grid.index(cell)
        if self._ended:
            raise IllegalMove(say("refusal.over"))
        state = self._states[index]
        if state in UNTOUCHED:
            return index
        shown = {FLAGGED: "flagged", EXPLODED: "exploded"}.get(state, "open")
        raise IllegalMove(say("refusal.play", cell=self.grid.cell(index), state=shown))

    def _begin(self, index: int) -> list[Event]:
        """Handle the first opening: deal if necessary; return events for cells known to be safe."""
        first = self.grid.cell(index)
        if self.start is not None and first != self.start:
            raise IllegalMove(say("refusal.start", start=self.start, cell=first))
        if self._board is None:
            assert self._deal is not None
            self._board = self._deal.board(self.seed, start=first, opening=self.rules.opening)
        self._begun = True
        return [event for event in self._promise(first) if event.cell != first]

    def _promise(self, start: Cell) -> list[Event]:
        """Mark cells that are safe by the opening rule; raise an error if the board breaks it."""
        opening = self.rules.opening
        if not self._truth().keeps(opening, start):
            raise InvalidInput(say("refusal.opening", opening=repr(opening), cell=start))
        self._promised = frozenset(promised(self.grid, start, opening))
        hidden = [i for i in sorted(self._promised) if self._states[i] == HIDDEN]
        for index in hidden:
            self._states[index] = KNOWN_SAFE
        return [Event(self.grid.cell(index), KNOWN_SAFE) for index in hidden]

    def _draw_again(self, index: int) -> None:
        """Replace the board before an opening if the rules ask for it."""
        if self._judge is None or self._states[index] == KNOWN_SAFE:
            return
        drawn = self._judge.judge(self.view, index, self._truth(), self._moves)
        if drawn is None:
            return
        self.drawn += (drawn,)
        self._board = drawn.board
        self.right = sum(
            mined and state == FLAGGED
            for mined, state in zip(drawn.board.mined, self._states, strict=True)
        )

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
        """Open the neighbours of a certain zero, breadth first, in index order."""
        events: list[Event] = []

        def opens(near: int) -> bool:
            if self._states[near] not in UNTOUCHED:
                return False
            self._open += 1
            events.append(event := self._show(near))
            return self._trusted(near, event)

        self.grid.flood(index, opens)
        return events

    def _trusted(self, index: int, event: Event) -> bool:
        if not self.rules.flood or not is_clue(event.state):
            return False
        return self.clues.opens_around(event.state, self.grid.neighbour_count(index), event.bound)

    def _show(self, index: int) -> Event:
        """Draw what an opened cell shows, and store it."""
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
        around = self.grid.neighbours(index)
        near = [self._states[i] for i in around]
        bound = self.clues.bound_among(near)
        # The noise depends only on the cell and on how often it was asked, not on the player or
        # the order of moves.
        times = self._asked.get(index, 0)
        self._asked[index] = times + 1
        stream = Stream(self.seed, Purpose.NOISE, times << 32 | index)
        return self.clues.draw(count, len(around), stream, bound), bound
