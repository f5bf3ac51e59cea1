"""Finished games in files: JSON, a line a game, or the RawVF videos of players.

Which one a file is, its content tells; where one is written, its name does (`.jsonl`, `.rawvf`,
else JSON).
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from mineproof.errors import FormatError, IllegalMove, InvalidInput
from mineproof.formats import rawvf
from mineproof.formats.rawvf import Mouse, Video
from mineproof.formats.reading import read_text
from mineproof.formats.writing import append_lines, write_text
from mineproof.games.record import Record
from mineproof.given import each, file_path, of_type
from mineproof.printable import printable
from mineproof.world.clues import Exact
from mineproof.world.game import Game
from mineproof.world.geometry import Cell
from mineproof.world.move import Action, Move
from mineproof.world.view import FLAGGED, UNTOUCHED, is_clue

_log = logging.getLogger(__name__)

PROGRAM = "mineproof"
_REFUSED = {"elmar": "Elmar", "nono": "Nono", "superflag": "SuperFlag"}
"""Settings of some programs under which a click does more than we know."""


def read(path: str | Path) -> list[Record]:
    """The games of a file, or of what is piped in for `-`.

    A line that was cut off, by a full disk or a kill, is skipped, and a warning names it.
    """
    return list(parse(read_text(path), str(path)))


def parse(text: str, name: str) -> Iterator[Record]:
    """The games of a text; errors call it by a name."""
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
                _log.warning("%s: game %d was cut off and is skipped", printable(name), number)
                continue
            raise FormatError(f"{printable(name)}: game {number}: {error}") from None


def write(path: str | Path, records: Iterable[Record], **more: Any) -> None:
    """Write games to a file: `.jsonl` gets a line more for each, others have one game.

    `more` goes into the JSON of each.
    """
    suffix = file_path(path).suffix.lower()
    games = each(records, Record, "records")
    if suffix == ".jsonl":
        for game in games:
            append_lines(path, f"{json.dumps(game.to_json() | more)}\n")
        return
    if len(games) != 1:
        raise InvalidInput(f"{str(path)!r} takes one game, got {len(games)}: .jsonl takes many")
    if suffix == ".rawvf":
        write_text(path, rawvf.write(to_video(games[0])))
    else:
        write_text(path, f"{json.dumps(games[0].to_json() | more)}\n")


def _is_game(line: str) -> bool:
    """Whether a line is JSON of its own, and no part of a text that has several lines."""
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _is_torn(line: str) -> bool:
    """Whether a line is the beginning of a game, and no more; damage elsewhere is none of it."""
    try:
        json.loads(line)
    except json.JSONDecodeError as error:
        ends = not line.rstrip().endswith("}") or error.pos >= len(line.rstrip())
        return line.lstrip().startswith("{") and ends
    except (ValueError, RecursionError):
        pass
    return False


def to_video(record: Record) -> Video:
    """A game as a video: every opening is a click of the left button, every flag of the right.

    Without times all events are at 0.
    """
    of_type(record, Record, "record")
    rules = record.rules
    if not isinstance(record.clues, Exact) or rules.on_mine != "end" or not rules.flood:
        raise InvalidInput(
            "a RawVF video is of a usual game: exact clues, a mine ends it, zeros open around"
        )
    times = record.times or (0.0,) * len(record.moves)
    buttons = {"open": "l", "flag": "r", "unflag": "r"}
    events = [
        Mouse(seconds, f"{buttons[move.action]}{act}", move.cell)
        for seconds, move in zip(times, record.moves, strict=True)
        if move.action in buttons
        for act in "cr"
    ]
    header = {"program": PROGRAM, "player": record.agent, "marks": "Off", "mode": "Classic"}
    header |= {"time": f"{times[-1]:.3f}"} if record.times else {}
    header |= {"status": "Won" if record.won else "Lost"} if record.exploded or record.won else {}
    return Video(header, record.board, tuple(events))


def from_video(video: Video, name: str) -> Record:
    """The game of a video, played again by the mouse; one that is not over ends there.

    The first cell is taken to be promised, unless it was a mine: so it is in players' programs.
    """
    of_type(video, Video, "video")
    for key, shown in _REFUSED.items():
        if video.is_on(key):
            raise FormatError(f"{printable(name)}: {shown} is on: what clicks do then is not known")
    hand = _Hand(video)
    for event in video.events:
        if hand.game.over:
            break
        hand.feel(event)
    opened = [move.cell for move in hand.moves if move.action == "open"]
    if not opened:
        raise FormatError(f"{printable(name)}: no cell is opened in this video")
    if not hand.game.over:
        hand.play(opened[-1], "stop", hand.times[-1])
    player = video.header.get("player") or video.header.get("program") or "somebody"
    record = Record.of(hand.game, player, hand.moves, 0.0)
    timed = any(hand.times)
    return replace(
        record,
        rules=replace(record.rules, opening="any" if video.board.is_mine(opened[0]) else "safe"),
        seconds=hand.times[-1],
        times=tuple(hand.times) if timed else (),
        clicks=hand.clicks,
    )


class _Hand:
    """What a mouse does to a game, button by button."""

    def __init__(self, video: Video) -> None:
        self.game = Game(video.board)
        self.moves: list[Move] = []
        self.times: list[float] = []
        self.clicks = 0
        self._marks = video.is_on("Marks")
        self._any_chord = video.is_on("SuperClick")
        self._questioned: set[Cell] = set()
        self._left = self._right = self._middle = self._shift = False
        self._chorded = False
        """A chord was let go with one button: the other one's release does nothing."""
        self._marked = False
        """The right button's press was a click of its own."""

    def feel(self, event: Mouse) -> None:
        """Take in what a button did."""
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

    def play(self, cell: Cell, action: Action, seconds: float) -> None:
        """Make a move that is legal."""
        self.game.play(cell, action)
        self._note(cell, action, seconds)

    def _note(self, cell: Cell, action: Action, seconds: float) -> None:
        self.moves.append(Move(cell, action, None, False, ""))
        self.times.append(seconds)

    def _release_left(self, event: Mouse) -> None:
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

    def _press_right(self, event: Mouse) -> None:
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

    def _release_right(self, event: Mouse) -> None:
        if event.cell is None:
            self._chorded = self._left
        elif self._left:
            self._chord(event)
            self._chorded = True
        else:
            self.clicks += not self._marked and not self._chorded
            self._chorded = False
        self._marked = False

    def _chord(self, event: Mouse) -> None:
        """Open around a clue; where that may not be, it is a click all the same."""
        if event.cell is None:
            return
        self.clicks += 1
        with suppress(IllegalMove):
            for cell in self.game.chord(event.cell):
                self._note(cell, "open", event.seconds)

    def _is_open(self, cell: Cell) -> bool:
        return is_clue(self.game.view.state(cell))
