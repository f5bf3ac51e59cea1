"""What keys and the mouse do: the cursor, notes, hints, and one game after another.

Independent of any terminal: keys arrive by name, and `screen` draws the state kept here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic

from mineproof.cli.human.adviser import Adviser, Note
from mineproof.cli.human.human_game import HumanGame
from mineproof.cli.human.result_text import ending
from mineproof.cli.play.game_setup import GameSetup
from mineproof.cli.position_text import name_risk
from mineproof.errors import IllegalMove, MineproofError
from mineproof.games.record import Record
from mineproof.phrases import capital, say
from mineproof.reasoning.posterior import Posterior
from mineproof.world.board import LEVELS
from mineproof.world.geometry import Cell
from mineproof.world.view import COVERED, EXPLODED, View

Save = Callable[[Record], str]
"""Saves a finished game and returns a message for the player."""

_STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
_KEYS = {
    **{name: name for name in (*_STEPS, "home", "end")},
    "j": "down",
    "k": "up",
    "l": "right",
    **dict.fromkeys((" ", "enter"), "open"),
    "f": "flag",
    "c": "chord",
    "a": "ask",
    "u": "undo",
    "s": "stop",
    **dict.fromkeys(("h", "H"), "hint"),
    "o": "odds",
    "w": "why",
    "v": "vi",
    "?": "keys",
    "escape": "clear",
    "n": "new",
    "r": "again",
    **{str(n): one for n, one in enumerate(LEVELS, start=1)},
    **dict.fromkeys(("\t", "page down"), "next-page"),
    "page up": "last-page",
    **dict.fromkeys(("q", "\x04"), "quit"),
    "\x1a": "suspend",
}
"""The command of each key; with vi keys, `h` moves left."""
_FINAL = frozenset(("new", "again", "stop", *LEVELS))
"""Commands that end a game in progress, so the key must be pressed twice."""
_BUTTONS = {"left": "open", "right": "flag", "middle": "chord"}


class InteractiveSession:
    """An interactive session: the game, the cursor, and what is shown."""

    def __init__(
        self,
        setup: GameSetup,
        *,
        practice: bool = False,
        vi: bool = False,
        save: Save | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.practice, self.vi = practice, vi
        self._save, self._clock = save, clock
        self.records: list[Record] = []
        """Finished games that the player has left."""
        self.error: MineproofError | None = None
        """Why the latest game could not be saved."""
        self._kind = setup
        """The settings of new games."""
        self._begin(setup)

    def _begin(self, setup: GameSetup) -> None:
        self.game = HumanGame(setup, practice=self.practice, clock=self._clock)
        grid = self.game.view.grid
        self.cursor: Cell = self.game.setup.start or (grid.rows // 2, grid.cols // 2)
        self.adviser = Adviser(self.game.setup.rules, self.game.setup.clues)
        self.shows_odds = self.shows_keys = False
        self.page = 0
        self._hints: Iterator[Note] | None = None
        self._asked_for = ""
        self._kept, self._save_note = False, ""
        self._odds: tuple[View, Posterior] | None = None
        self.note = Note("Press ? for all keys.")
        if self.game.over:  # every cell is a mine
            self._end()

    # What is shown.

    @property
    def view(self) -> View:
        """What the player sees."""
        return self.game.view

    @property
    def odds(self) -> Posterior | None:
        """The mine probabilities, if they are switched on and available."""
        if not self.shows_odds or self.game.over:
            return None
        view = self.view
        if self._odds is None or self._odds[0] != view:
            try:
                self._odds = view, self.adviser.odds(view)
            except MineproofError as error:  # there is too much to count
                self.shows_odds = False
                self._say(Note(capital(say("odds.none", error=error))))
                return None
        return self._odds[1]

    @property
    def here(self) -> str:
        """The mine probability at the cursor, while probabilities are shown."""
        odds = self.odds
        if odds is None:
            return ""
        if self.view.state(self.cursor) not in COVERED:
            return ""
        risk, cell = name_risk(float(odds.risk[self.cursor]), False), self.cursor
        verdict = "safe" if cell in odds.safe else "mine" if cell in odds.mined else "none"
        return say("odds.here", cell=cell, verdict=verdict, estimated=not odds.exact, risk=risk)

    # What is done.

    def press(self, key: str) -> str:
        """Do what a key asks for; return `quit` or `suspend` if the caller must act."""
        asked = _KEYS.get(key) or _KEYS.get(key.lower(), "")
        if self.vi and key == "h":
            asked = "left"
        if asked in {"quit", "suspend"}:
            return asked
        if self.shows_keys and asked not in {"next-page", "last-page"}:
            self.shows_keys, self.page = False, 0
            return ""
        self._do(asked)
        return ""

    def click(self, button: str, cell: Cell) -> None:
        """Do what a mouse button asks for at a cell."""
        if self.shows_keys:
            self.shows_keys = False
            return
        self.cursor = cell
        self._do(_BUTTONS.get(button, ""))

    def close(self) -> None:
        """Leave the game: stop it if it is in progress, and save it if a cell was opened."""
        if not self.game.over and self.game.begun:
            self.game.stop(self.cursor)
        self._keep()
        if self.game.over and self.game.begun:
            self.records.append(self.game.record())

    def _do(self, asked: str) -> None:
        twice, self._asked_for = self._asked_for == asked, asked
        if asked in _FINAL and self.game.begun and not self.game.over and not twice:
            self._say(Note(say("play.sure", what=self._question(asked), key=_key_of(asked))))
            return
        try:
            self._obey(asked)
        except MineproofError as error:
            self._say(Note(_sentence(str(error))))

    def _question(self, asked: str) -> str:
        """The command to confirm; a stop without a score is giving up."""
        lost = asked == "stop" and self.game.setup.rules.on_mine == "end"
        return "lost" if lost else asked

    def _obey(self, asked: str) -> None:
        match asked:
            case "up" | "down" | "left" | "right":
                self._move(*_STEPS[asked])
            case "home" | "end":
                self.cursor = self.cursor[0], 0 if asked == "home" else self.view.cols - 1
            case "open" | "flag" | "chord" | "ask" | "stop" | "undo":
                self._play(asked)
            case "hint":
                self._hint()
            case "odds":
                self._toggle_odds()
            case "why":
                self._say(self.adviser.why(self.view, self.cursor))
            case "keys":
                self.shows_keys, self.page = True, 0
            case "vi":
                self.vi = not self.vi
                keys = "h j k l move, H gives a hint" if self.vi else "h gives a hint"
                self._say(Note(f"vi keys {'on' if self.vi else 'off'}: {keys}."))
            case "clear":
                self._say(Note(""))
            case "next-page" | "last-page":
                self.page = max(self.page + (1 if asked == "next-page" else -1), 0)
            case "new" | "again" | "beginner" | "intermediate" | "expert":
                self._restart(asked)

    def _move(self, down: int, right: int) -> None:
        """Move the cursor one step, at most to the edge of the board."""
        grid, (row, col) = self.view.grid, self.cursor
        self.cursor = (
            min(max(row + down, 0), grid.rows - 1),
            min(max(col + right, 0), grid.cols - 1),
        )

    def _play(self, asked: str) -> None:
        if self.game.over and asked != "undo":
            raise IllegalMove(say("play.over"))
        self._hints = None
        if asked == "undo":
            self.game.undo()
            self._say(Note(say("play.undone", moves=self.game.undone)))
            return
        events = getattr(self.game, asked)(self.cursor) or []
        hit = [event.cell for event in events if event.state == EXPLODED]
        words = say("play.hit") if hit else ""
        if asked == "ask":
            words = say("play.asked", clues=len(events))
        self._say(Note(words))
        if self.game.over:
            self._end()

    def _end(self) -> None:
        if not self.practice:
            self._keep()
        self._say(ending(self.game.record(), practice=self.practice, kept=self._save_note))

    def _keep(self) -> None:
        """Save a finished game once; in practice only when it is left, since undo may resume it."""
        if self._kept or self._save is None or not (self.game.over and self.game.begun):
            return
        self._kept, self.error = True, None
        try:
            self._save_note = self._save(self.game.record())
        except MineproofError as error:
            self.error, self._save_note = error, f"Not saved: {error}"

    def _hint(self) -> None:
        if self.game.over:
            raise IllegalMove(say("play.over"))
        if self._hints is None:
            self._hints = self.adviser.hint(self.view)
        note = next(self._hints, None)
        if note is None:
            self._say(Note(say("hint.no-more"), self.note.cell))
            return
        if note.cell is not None:
            self.cursor = note.cell
        self._say(note)

    def _toggle_odds(self) -> None:
        self.shows_odds = not self.shows_odds
        if self.odds is not None:
            promise = self.adviser.promise(self.view)
            self._say(Note(f"{say('odds.shown')} {promise}".rstrip()))
        elif not self.shows_odds:
            self._say(Note(""))

    def _restart(self, asked: str) -> None:
        odds, game = self.shows_odds, self.game
        self.close()
        if asked == "again":
            setup = _same_board(game)
        else:
            self._kind = setup = self._kind.dealt_again(None if asked == "new" else asked)
        self._begin(setup)
        self.shows_odds = odds
        self._asked_for = ""

    def _say(self, note: Note) -> None:
        self.note, self.page = note, 0


def _key_of(asked: str) -> str:
    return next(key for key, name in _KEYS.items() if name == asked)


def _same_board(game: HumanGame) -> GameSetup:
    """The settings for the same board again; for a game that never began, its own settings."""
    if not game.over or not game.begun:
        return game.setup
    record = game.record()
    first = next(move.cell for move in record.moves if move.action == "open")
    return game.setup.again(record.board, first)


def _sentence(text: str) -> str:
    return f"{capital(text)}."
