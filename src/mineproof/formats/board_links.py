"""Board links of the speed-running community: `?b=0916&m=...`, a board in the query of a URL.

`b` is width and height, each in the same number of digits, or 1, 2, 3 for the levels. `m` has the
mines: five cells per base-32 digit (`0-9a-v`), row by row, the most significant bit first. A board
without mines may leave it out. The rest of the URL and other fields of its query are ignored.
"""

from __future__ import annotations

import re

from mineproof.arguments import of_type
from mineproof.errors import FormatError, InvalidInput, shorten
from mineproof.world.board import LEVELS, Board
from mineproof.world.geometry import Grid

_DIGITS = "0123456789abcdefghijklmnopqrstuv"
_VALUE = {digit: format(value, "05b") for value, digit in enumerate(_DIGITS)}
_LIKELY = re.compile(r"(?:\S*[?&])?b=\S*")
_SHAPES = {
    str(number): Grid(rows, cols) for number, (rows, cols, _) in enumerate(LEVELS.values(), start=1)
}


def is_link(text: str) -> bool:
    """Return whether a text starts like a board link (and like no other format)."""
    of_type(text, str, "text")
    return _LIKELY.match(text.lstrip()) is not None


def read(text: str) -> Board:
    """Return the board of a link or of its query."""
    of_type(text, str, "text")
    link = text.strip()
    fields = dict(part.partition("=")[::2] for part in link.rpartition("?")[2].split("&"))
    shown = shorten(link)
    if "b" not in fields:
        raise FormatError(f"expected a board link ?b=WIDTHHEIGHT&m=DIGITS, got {shown!r}")
    grid = _grid(fields["b"], shown)
    return Board(grid, _mined(fields.get("m", ""), grid, shown))


def write(board: Board) -> str:
    """Return a board as the query of a link: `?b=...&m=...`."""
    of_type(board, Board, "board")
    size = board.grid.size
    bits = "".join(map(str, board.mined)) + "0" * (-size % 5)
    digits = "".join(_DIGITS[int(bits[at : at + 5], 2)] for at in range(0, size, 5))
    return f"?b={_name(board.grid)}&m={digits}"


def _name(grid: Grid) -> str:
    for number, level in _SHAPES.items():
        if level == grid:
            return number
    width = len(str(max(grid.rows, grid.cols)))
    return f"{grid.cols:0{width}}{grid.rows:0{width}}"


def _grid(text: str, shown: str) -> Grid:
    if text in _SHAPES:
        return _SHAPES[text]
    half = len(text) // 2
    if not re.fullmatch(r"(?:[0-9]{2})+", text) or half > 4:
        raise FormatError(
            f"b must be 1, 2 or 3 for a level, or width and height with the same number of "
            f"digits, such as 0916; got {shorten(text)!r} in {shown!r}"
        )
    try:
        return Grid(int(text[half:]), int(text[:half]))
    except InvalidInput as error:
        raise FormatError(f"{error} in {shown!r}") from None


def _mined(digits: str, grid: Grid, shown: str) -> bytes:
    expected = -(-grid.size // 5)
    if not digits:
        return bytes(grid.size)
    if len(digits) != expected:
        raise FormatError(
            f"m must have {expected} digits for {grid.rows} rows of {grid.cols} cells, "
            f"got {len(digits)} in {shown!r}"
        )
    unknown = [digit for digit in digits.lower() if digit not in _VALUE]
    if unknown:
        raise FormatError(f"the digits of m must be 0-9 or a-v, got {unknown[0]!r} in {shown!r}")
    bits = "".join(_VALUE[digit] for digit in digits.lower())
    if "1" in bits[grid.size :]:
        raise FormatError(f"the last {len(bits) - grid.size} bits of m must be zero in {shown!r}")
    return bytes(map(int, bits[: grid.size]))
