"""RawVF, the text format of players' videos: a board, and what the mouse did, with times.

Lines `Key: value`, then `Board:` and one line per row (`*` is a mine), then `Events:` and one line
per event: seconds, event, column and row from 1, and the position in pixels in brackets. A cell is
`SquareSize` pixels wide (default 16). `lc`, `rc`, `mc` press a button, `lr`, `rr`, `mr` release it,
`sc` is a left click with shift, `mv` a movement, `mt` switches question marks. The other content
(cells that opened, statistics) follows from these events and is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mineproof.errors import FormatError, InvalidInput, shorten
from mineproof.printable import printable
from mineproof.world.board import LEVELS, Board
from mineproof.world.geometry import MAX_SIDE, Cell, Grid

_BUTTONS = frozenset(("lc", "lr", "rc", "rr", "mc", "mr", "sc", "mt"))
_PASSED_OVER = frozenset(("mv", "st", "start", "sx", "sy", "won", "boom", "blast", "nonstandard"))
_PIXELS = 16
_LATEST = 10.0**6
_EVENT = re.compile(
    r"(?P<time>-?[0-9]{1,9}(?:\.[0-9]{1,9})?)\s+(?P<what>[a-z]+)"
    r"(?:\s+(?P<col>-?[0-9]{1,9})\s+(?P<row>-?[0-9]{1,9}))?"
    r"(?:\s*\(\s*(?P<x>-?[0-9]{1,9})\s+(?P<y>-?[0-9]{1,9})\s*\))?.*",
    re.ASCII | re.IGNORECASE,
)
_TITLE = re.compile(r"\s*RawVF_Version\s*:", re.IGNORECASE)


class MouseAction(NamedTuple):
    """A mouse event: when, what, and over which cell (None if outside the board)."""

    seconds: float
    what: str
    cell: Cell | None


class Video(NamedTuple):
    """A recorded game. The keys of its header are in lower case."""

    header: dict[str, str]
    board: Board
    events: tuple[MouseAction, ...]

    def is_on(self, key: str) -> bool:
        """Return whether a setting is switched on."""
        return self.header.get(key.lower(), "").strip().lower() == "on"


def is_rawvf(text: str) -> bool:
    """Return whether a text starts like a RawVF video."""
    return _TITLE.match(text) is not None


def read(text: str, name: str) -> Video:
    """Return the video of a text; errors name the file and the line."""
    lines = _VideoLines(text, printable(name))
    header = _header(lines)
    if header.get("level", "").strip().lower() == "marathon":
        raise lines.error("marathon videos have several boards and are not supported")
    board = _board(lines, header)
    pixels = _number(header, "squaresize", lines, _PIXELS)
    if pixels < 1:
        raise lines.error(f"SquareSize must be at least 1, got {pixels}")
    return Video(header, board, tuple(_events(lines, board.grid, pixels)))


def write(video: Video) -> str:
    """Return the text of a video; `read` reads it."""
    board = video.board
    shape = {"level": _level(board), "width": board.cols, "height": board.rows}
    facts = {"rawvf_version": "Rev6", **video.header, **shape, "mines": board.mine_count}
    head = [f"{_KEYS.get(key, key.title())}: {_plain(value)}" for key, value in facts.items()]
    rows = board.to_text().partition(" ")[2].replace(".", "0").split("/")
    return "\n".join([*head, "Board:", *rows, "Events:", *map(_event_line, video.events), ""])


_KEYS = {"rawvf_version": "RawVF_Version", "squaresize": "SquareSize", "bbbv": "BBBV"}


def _plain(value: object) -> str:
    return printable(" ".join(str(value).split()))


def _event_line(event: MouseAction) -> str:
    row, col = event.cell or (-1, -1)
    x, y = (_PIXELS * side + _PIXELS // 2 for side in (col, row))
    return f"{event.seconds:.3f} {event.what} {col + 1} {row + 1} ({x} {y})"


def _level(board: Board) -> str:
    for name, level in LEVELS.items():
        if (board.rows, board.cols, board.mine_count) == level:
            return name.title()
    return "Custom"


class _VideoLines:
    """The lines of a text, with the number of the line that was read last."""

    def __init__(self, text: str, name: str) -> None:
        self._lines = iter(text.splitlines())
        self._name = name
        self._number = 0

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self._number += 1
            yield line.strip()

    def error(self, message: str) -> FormatError:
        """Return an error at the current line."""
        return FormatError(f"{self._name}: line {self._number}: {message}")


def _header(lines: _VideoLines) -> dict[str, str]:
    header: dict[str, str] = {}
    for line in lines:
        key, colon, value = line.partition(":")
        if colon and key.strip().lower() == "board":
            return header
        if colon:
            header.setdefault(key.strip().lower(), value.strip())
    raise lines.error("expected a line 'Board:', got the end of the file")


def _board(lines: _VideoLines, header: dict[str, str]) -> Board:
    rows: list[str] = []
    for line in lines:
        if line.lower().startswith("events"):
            break
        if line and len(rows) > MAX_SIDE:
            raise lines.error(f"a board has at most {MAX_SIDE} rows")
        if line:
            rows.append(_row(line, rows, lines))
    else:
        raise lines.error("expected a line 'Events:' after the board, got the end of the file")
    if not rows:
        raise lines.error("expected the rows of the board, got none")
    try:
        grid = Grid(len(rows), len(rows[0]))
    except InvalidInput as error:
        raise lines.error(str(error)) from None
    board = Board(grid, bytes(sign == "*" for row in rows for sign in row))
    facts = {"width": board.cols, "height": board.rows, "mines": board.mine_count}
    for key, value in facts.items():
        if _number(header, key, lines, value) != value:
            raise lines.error(f"{key.title()} is {header[key]}, but the board has {value}")
    return board


def _row(line: str, rows: Iterable[str], lines: _VideoLines) -> str:
    first = next(iter(rows), line)
    if len(line) != len(first):
        raise lines.error(f"expected {len(first)} cells in every row of the board, got {len(line)}")
    for sign in line:
        if sign not in "*.012345678":
            raise lines.error(f"a cell of the board must be * or 0, got {sign!r}")
    return line


def _number(header: dict[str, str], key: str, lines: _VideoLines, default: int) -> int:
    text = header.get(key, str(default))
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise lines.error(f"{key.title()} must be a whole number, got {shorten(text)!r}")
    return int(text)


def _events(lines: _VideoLines, grid: Grid, pixels: int) -> Iterator[MouseAction]:
    latest = 0.0
    for line in lines:
        if not line or not (line[0].isdigit() or line[0] == "-"):
            continue  # a result of the preceding event, in words
        match = _EVENT.fullmatch(line)
        if match is None:
            raise lines.error(f"expected SECONDS EVENT COLUMN ROW (X Y), got {shorten(line)!r}")
        what = match["what"].lower()
        if what in _PASSED_OVER:
            continue
        if what not in _BUTTONS:
            known = ", ".join(sorted(_BUTTONS))
            raise lines.error(f"unknown event {what!r}: expected one of mv, {known}")
        latest = max(latest, float(match["time"]))
        if latest > _LATEST:
            raise lines.error(
                f"the time of an event must be at most {_LATEST:.0f} seconds, got {match['time']}"
            )
        yield MouseAction(latest, what, _cell(match, grid, pixels, lines))


def _cell(match: re.Match[str], grid: Grid, pixels: int, lines: _VideoLines) -> Cell | None:
    """Return the cell of an event, from its pixels if given: columns may start at 0 or at 1."""
    if match["x"] is not None:
        row, col = int(match["y"]) // pixels, int(match["x"]) // pixels
    elif match["col"] is not None:
        row, col = int(match["row"]) - 1, int(match["col"]) - 1
    elif match["what"].lower() == "mt":
        return None
    else:
        raise lines.error("expected the position of the mouse, as COLUMN ROW (X Y)")
    inside = 0 <= row < grid.rows and 0 <= col < grid.cols
    return (row, col) if inside else None
