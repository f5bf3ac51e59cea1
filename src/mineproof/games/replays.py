"""Read and write finished games: JSON, JSON Lines with one game per line, or RawVF videos.

When reading, the content decides the format; when writing, the name does (`.jsonl`, `.rawvf`,
otherwise JSON).
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from mineproof.arguments import each, file_path, of_type
from mineproof.errors import FormatError, IllegalMove, InvalidInput
from mineproof.formats import rawvf
from mineproof.formats.input_files import read_text
from mineproof.formats.output_files import append_lines, write_text
from mineproof.formats.rawvf import MouseAction, Video
from mineproof.games.record import Record
from mineproof.printable import printable
from mineproof.world.clues import Exact
from mineproof.world.game import Game
from mineproof.world.geometry import Cell
from mineproof.world.move import Act
from mineproof.world.turn import Turn, by_hand
from mineproof.world.view import FLAGGED, UNTOUCHED, is_clue

_log = logging.getLogger(__name__)

PROGRAM = "mineproof"
_REFUSED = {"elmar": "Elmar", "nono": "Nono", "superflag": "SuperFlag"}
"""Settings of other programs under which the effect of a click is not known."""


def read(path: str | Path) -> list[Record]:
    """Return the games of a file, or of standard input for `-`.

    A truncated line (from a full disk or a killed process) is skipped with a warning.
    """
    return list(parse(read_text(path), str(path)))


def parse(text: str, name: str) -> Iterator[Record]:
    """Yield the games of a text; `name` identifies it in errors."""
    of_type(text, str, "text")
    if rawvf.is_rawvf(text):
        yield from_video(rawvf.read(text, name), name)
        return
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or not any(map(_is_game, lines)):
        yield Record.from_json(text)
        return
    for number, line in enumerate(lines, start=1):
        try:
            yield Record.from_json(line)
        except FormatError as error:
            if _is_torn(line):
                _log.warning("%s: game %d is truncated and was skipped", printable(name), number)
                continue
            raise FormatError(f"{printable(name)}: game {number}: {error}") from None


def write(path: str | Path, records: Iterable[Record], **more: Any) -> None:
    """Write games to a file: one line per game is appended to `.jsonl`; others take one game.

    `more` are extra fields for the JSON of each game.
    """
    suffix = file_path(path).suffix.lower()
    games = each(records, Record, "records")
    if suffix == ".jsonl":
        for game in games:
            append_lines(path, f"{json.dumps(game.to_json() | more)}\n")
        return
    if len(games) != 1:
        raise InvalidInput(
            f"{str(path)!r} can hold only one game, got {len(games)}: use a .jsonl file"
        )
    if suffix == ".rawvf":
        write_text(path, rawvf.write(to_video(games[0])))
    else:
        write_text(path, f"{json.dumps(games[0].to_json() | more)}\n")


def _is_game(line: str) -> bool:
    """Whether a line is a complete JSON object, not a part of a longer text."""
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _is_torn(line: str) -> bool:
    """Whether a line is a truncated game; other damage does not count."""
    try:
        json.loads(line)
    except json.JSONDecodeError as error:
        ends = not line.rstrip().endswith("}") or error.pos >= len(line.rstrip())
        return line.lstrip().startswith("{") and ends
    except (ValueError, RecursionError):
        pass
    return False


def to_video(record: Record) -> Video:
    """Return a game as a video: left clicks open, right clicks flag, middle clicks chord.

    Without times, all events are at 0.
    """
    of_type(record, Record, "record")
    rules = record.rules
    if not isinstance(record.clues, Exact) or rules.on_mine != "end" or not rules.flood:
        raise InvalidInput(
            "RawVF can hold only standard games: exact clues, zeros flood, a mine ends the game"
        )
    buttons = {"open": "l", "flag": "r", "unflag": "r", "chord": "m"}
    events = [
        MouseAction(turn.seconds or 0.0, f"{buttons[turn.action]}{act}", turn.cell)
        for turn in record.turns
        if turn.action in buttons
        for act in "cr"
    ]
    header = {"program": PROGRAM, "player": record.agent, "marks": "Off", "mode": "Classic"}
    header |= {} if record.time is None else {"time": f"{record.time:.3f}"}
    header |= {"status": "Won" if record.won else "Lost"} if record.exploded or record.won else {}
    return Video(header, record.board, tuple(events))


def from_video(video: Video, name: str) -> Record:
    """Return the game of a video, replayed from its mouse events; an unfinished one is stopped.

    Unless the first cell was a mine, the opening rule is taken to be `safe`, as in most programs.
    """
    of_type(video, Video, "video")
    for key, shown in _REFUSED.items():
        if video.is_on(key):
            raise FormatError(
                f"{printable(name)}: a video recorded with the setting {shown} cannot be replayed"
            )
    hand = _Hand(video)
    for event in video.events:
        if hand.game.over:
            break
        hand.feel(event)
    opened = [turn.cell for turn in hand.turns if turn.action == "open"]
    if not opened:
        raise FormatError(f"{printable(name)}: this video opens no cell")
    seconds = hand.turns[-1].seconds or 0.0
    if not hand.game.over:
        hand.play(opened[-1], "stop", seconds)
    player = video.header.get("player") or video.header.get("program") or "unknown player"
    timed = any(turn.seconds for turn in hand.turns)
    turns = hand.turns if timed else [turn._replace(seconds=None) for turn in hand.turns]
    record = Record.of(hand.game, player, turns, seconds)
    rules = replace(record.rules, opening="any" if video.board.is_mine(opened[0]) else "safe")
    return replace(record, rules=rules, clicks=hand.clicks)


class _Hand:
    """Translates mouse events into turns."""

    def __init__(self, video: Video) -> None:
        self.game = Game(video.board)
        self.turns: list[Turn] = []
        self.clicks = 0
        self._marks = video.is_on("Marks")
        self._any_chord = video.is_on("SuperClick")
        self._questioned: set[Cell] = set()
        self._left = self._right = self._middle = self._shift = False
        self._chorded = False
        """Whether releasing one button made a chord, so that releasing the other does nothing."""
        self._marked = False
        """Whether the press of the right button was a click itself."""

    def feel(self, event: MouseAction) -> None:
        """Process a mouse event."""
        match event.what:
            case "lc" | "sc" if not self._middle:
                self._left, self._shift = True, event.what == "sc"
            case "rc" if not self._middle:
                self._press_right(event)
            case "mc":
                self._left = self._right = self._shift = self._marked = self._chorded = False
                self._middle = True
            case "lr" if self._left:
                self._left = False
                self._release_left(event)
            case "rr" if self._right:
                self._right = self._shift = False
                self._release_right(event)
            case "mr" if self._middle:
                self._middle = False
                self._chord(event)
            case "mt":
                self._marks = not self._marks

    def play(self, cell: Cell, action: Act, seconds: float) -> None:
        """Play a legal turn."""
        self.turns.append(self.game.turn(by_hand(cell, action, seconds)))

    def _release_left(self, event: MouseAction) -> None:
        if event.cell is None:
            self._chorded = False
        elif self._right or self._shift or (self._any_chord and self._is_open(event.cell)):
            self._chord(event)
            self._chorded, self._shift = self._right, False
        elif self._chorded:
            self._chorded = False
        else:
            self.clicks += 1
            if self.game.view.state(event.cell) in UNTOUCHED:
                self.play(event.cell, "open", event.seconds)

    def _press_right(self, event: MouseAction) -> None:
        self._right, self._shift = True, False
        if event.cell is None or self._left or self._is_open(event.cell):
            return
        self._marked, self._chorded = True, False
        self.clicks += 1
        if event.cell in self._questioned:
            self._questioned.discard(event.cell)
        elif self.game.view.state(event.cell) == FLAGGED:
            self.play(event.cell, "unflag", event.seconds)
            if self._marks:
                self._questioned.add(event.cell)
        else:
            self.play(event.cell, "flag", event.seconds)

    def _release_right(self, event: MouseAction) -> None:
        if event.cell is None:
            self._chorded = self._left
        elif self._left:
            self._chord(event)
            self._chorded = True
        else:
            self.clicks += not self._marked and not self._chorded
            self._chorded = False
        self._marked = False

    def _chord(self, event: MouseAction) -> None:
        """Chord at a clue; counts as a click even if the chord is not possible."""
        if event.cell is None:
            return
        self.clicks += 1
        with suppress(IllegalMove):
            self.play(event.cell, "chord", event.seconds)

    def _is_open(self, cell: Cell) -> bool:
        return is_clue(self.game.view.state(cell))
