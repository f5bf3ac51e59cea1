"""The screen of `mineproof play`: status, board, text next to it or below it, keys."""

from __future__ import annotations

import textwrap
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

from mineproof.cli.human.interactive_session import InteractiveSession
from mineproof.errors import plural
from mineproof.render.window import Marks, Window, draw_window
from mineproof.world.geometry import Cell
from mineproof.world.view import EXPLODED, FLAGGED

_SIDE, _GAP = 30, 3
"""The least columns for text next to the board, and the columns between the two."""
_LONGEST = 72
"""The most columns of a line of text: longer lines are hard to read."""
_BELOW = 4
"""Lines of text below the board on a small screen."""
_STATUS, _DIM = Style(bold=True), Style(dim=True)
_WON, _LOST = Style(bold=True, color="green"), Style(bold=True, color="red")

HELP = (
    ("arrows, j k l", "move (v: vi keys, then h moves left)"),
    ("home, end", "first and last column"),
    ("space, enter", "open; on a number, chord"),
    ("f", "flag, or remove the flag"),
    ("c", "chord: open around a satisfied number"),
    ("h, H", "hint, step by step: where, which cell, why"),
    ("o", "mine probabilities on or off"),
    ("w", "why is this cell safe or a mine?"),
    ("u", "undo (only with --practice)"),
    ("s", "finish for the score, or give up"),
    ("a", "ask again for missing clues"),
    ("n, r", "new game, same board again"),
    ("1, 2, 3", "new beginner, intermediate, expert game"),
    ("mouse", "left opens or chords, right flags"),
    ("tab, page up", "next or previous page of a long text"),
    ("escape", "clear the text"),
    ("q, Ctrl-C", "quit"),
)
"""All keys, as `?` shows them."""


class ScreenFrame(NamedTuple):
    """A drawn screen: its lines, and where the board is on it."""

    lines: list[Text]
    window: Window
    top: int

    def cell_at(self, line: int, column: int) -> Cell | None:
        """The cell at this place on the screen; None outside the board."""
        return self.window.cell_at(line - self.top, column)


class GameScreen:
    """Draws a session; remembers which part of the board was shown last."""

    def __init__(self, *, ascii_only: bool = False) -> None:
        self._ascii = ascii_only
        self._window: Window | None = None

    def draw(self, session: InteractiveSession, lines: int, columns: int) -> ScreenFrame:
        """Draw the screen with at most this many lines and columns."""
        grid = session.view.grid
        if self._window is None or self._window.grid != grid:
            self._window = Window.whole(grid)
        head = [Text(one, style) for one, style in _head(session, self._dot)]
        head = head[: 2 if lines >= 10 else 1]
        foot = [_keys(session, columns, self._arrows)] if lines >= 7 else []
        free = max(lines - len(head) - len(foot), 2)
        wide = session.odds is not None
        aside = columns >= Window.whole(grid).columns + _GAP + _SIDE and free > grid.rows
        room = free if aside else max(free - min(_BELOW, free // 3), 2)
        self._window = window = self._window.fitted(session.cursor, room, columns, wide=wide)
        board = self._board(session, window)
        width = min(columns - window.columns - _GAP if aside else columns, _LONGEST)
        most = free - 1 if aside else free - len(board)
        if session.shows_keys:
            body = self._help(session, columns, free)
        elif aside:
            words = self._words(session, max(width, 10), max(most, 1))
            body = _side_by_side(board, [Text(), *words], window.columns + _GAP)
        else:
            gap = [Text()] if most > _BELOW else []
            body = [*board, *gap, *self._words(session, max(width, 10), max(most - len(gap), 1))]
        body += [Text()] * (free - len(body))
        drawn = [*head, *body[:free], *foot]
        for line in drawn:
            line.truncate(columns, overflow="crop" if self._ascii else "ellipsis")
        return ScreenFrame(drawn, window, len(head))

    @property
    def _dot(self) -> str:
        return " | " if self._ascii else " · "

    @property
    def _arrows(self) -> str:
        return "arrows" if self._ascii else "←↑↓→"

    def _board(self, session: InteractiveSession, window: Window) -> list[Text]:
        note = session.note
        marks = Marks(note.clues, note.settled, note.cell)
        drawn = draw_window(
            session.view,
            window,
            session.cursor,
            marks,
            odds=session.odds,
            truth=session.game.truth,
            ascii_only=self._ascii,
        )
        return list(drawn.split("\n"))

    def _words(self, session: InteractiveSession, width: int, most: int) -> list[Text]:
        """The note, or the page of it that fits."""
        note = session.note
        style = Style() if note.good is None else _WON if note.good else _LOST
        lines = [
            Text(piece, style if number == 0 else Style())
            for number, line in enumerate(note.text.split("\n"))
            for piece in textwrap.wrap(line, width)
        ]
        if session.here:
            lines.insert(0, Text(session.here, _STATUS))
        return _paged(session, lines, most)

    @staticmethod
    def _help(session: InteractiveSession, columns: int, most: int) -> list[Text]:
        """All keys, in two columns if one is too long."""
        key = max(len(keys) for keys, _ in HELP) + 2
        lines = [Text(f"{keys:<{key}}", _STATUS).append(words, Style()) for keys, words in HELP]
        width = max(line.cell_len for line in lines) + _GAP
        if len(lines) >= most and columns >= 2 * width - _GAP:
            half = -(-len(lines) // 2)
            lines = _side_by_side(lines[:half], lines[half:], width)
        return [*_paged(session, lines, max(most - 1, 1)), Text("any key: back to the board", _DIM)]


def _paged(session: InteractiveSession, lines: list[Text], most: int) -> list[Text]:
    """The lines, or one page of them if there are too many; tab turns the page."""
    if len(lines) <= most:
        return lines
    size = max(most - 1, 1)
    pages = -(-len(lines) // size)
    session.page = min(session.page, pages - 1)
    shown = lines[session.page * size : (session.page + 1) * size]
    if most <= 1:
        return shown
    return [*shown, Text(f"page {session.page + 1} of {pages}: tab for more", _DIM)]


def _side_by_side(left: list[Text], right: list[Text], column: int) -> list[Text]:
    """Two blocks of lines side by side, the right one starting at `column`."""
    lines = []
    for number in range(max(len(left), len(right))):
        line = left[number].copy() if number < len(left) else Text()
        if number < len(right):
            line.append(" " * (column - line.cell_len)).append_text(right[number])
        lines.append(line)
    return lines


def _head(session: InteractiveSession, dot: str) -> list[tuple[str, Style]]:
    """The status line and the line with the rules."""
    game, view = session.game, session.view
    setup = game.setup
    shape = f"{view.rows}x{view.cols}"
    name = f"{setup.level.capitalize()} {shape}" if setup.level else shape
    flags, hit = view.states.count(FLAGGED), view.states.count(EXPLODED)
    if view.mines is None:
        mines = f"{plural(flags, 'flag')}, mine count unknown"
    else:
        mines = f"{view.mines - flags - hit} of {plural(view.mines, 'mine')} left"
    parts = [name, mines, clock(game.seconds)]
    if hit and setup.rules.on_mine == "continue":
        parts.append(f"{hit} hit")
    if game.practice:
        parts.append(f"practice, {game.undone} undone" if game.undone else "practice")
    rules = setup.rules
    opening = {"any": "first cell may be a mine", "safe": "first cell safe"}
    conditions = [opening.get(rules.opening, "first cell opens an area"), f"{setup.clues} clues"]
    conditions.append("ends on a mine" if rules.on_mine == "end" else "play on after a mine")
    if rules.luck == "fair":
        conditions.append("no luck")
    if game.no_guess:
        conditions.append("no-guess board")
    return [(dot.join(parts), _STATUS), (dot.join(conditions), _DIM)]


def clock(seconds: float) -> str:
    """Format seconds as minutes and seconds: `1:05`."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}"


def _keys(session: InteractiveSession, columns: int, arrows: str) -> Text:
    """The keys that matter now; on a narrow screen only the most important ones."""
    last = ["? keys", "q quit"]
    if session.game.over:
        keys = ["n new game", "r same board", "1 2 3 level"]
        keys += ["u undo"] if session.practice else []
        dropped = keys[::-1]
    else:
        hint, move = "H hint" if session.vi else "h hint", f"{arrows} move"
        keys = [move, "space open", "f flag", "c chord", hint, "o odds", "w why"]
        keys += ["u undo"] if session.practice else []
        keys += ["s finish"] if session.game.setup.rules.on_mine == "continue" else []
        keys += ["a ask again"] if session.game.can_ask else []
        dropped = [move, "c chord", "o odds", "w why", "u undo", "a ask again", *keys]
    for key in dropped:
        if len("  ".join(keys + last)) <= columns:
            break
        if key in keys:
            keys.remove(key)
    return Text("  ".join(keys + last), _DIM)
