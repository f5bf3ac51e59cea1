"""Positions in the symbols of other programs: `#` hidden, a blank for zero, `P` a flag.

Many symbols have different meanings in different programs: `_` is a hidden cell or a zero, `x` a
hidden cell, a flag or an exploded mine. So every meaning of every symbol is tried, in every layout
of the rows. A text is read only if exactly one reading can be a game: a zero has no hidden
neighbour, and no clue exceeds its number of covered neighbours. A program uses one symbol per
meaning, so an ambiguous symbol does not mean what a plain symbol of the text means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from mineproof.errors import FormatError, plural, shorten
from mineproof.world.geometry import MAX_SIDE, Grid, name_cell
from mineproof.world.view import COVERED, EXPLODED, FLAGGED, HIDDEN, KNOWN_SAFE, NO_CLUE, View

ZERO = 0
WRONG = -1
"""A wrong flag, as some programs show it after a game; a view has no such state."""

_PLAIN = {
    **{str(clue): clue for clue in range(9)},
    **dict.fromkeys("#■█▓▒▇◼⬛🟦", HIDDEN),
    **dict.fromkeys("FfPp!⚑⚐🚩", FLAGGED),
    **dict.fromkeys("B💣💥", EXPLODED),
    " ": ZERO,
    "s": KNOWN_SAFE,
    "?": HIDDEN,
}
"""Symbols with the same meaning in all programs; a question mark is a hidden cell."""
_AMBIGUOUS = {
    **dict.fromkeys("._·□░▢◻⬜", (HIDDEN, ZERO)),
    "-": (HIDDEN, ZERO, NO_CLUE),
    **dict.fromkeys("xX", (HIDDEN, FLAGGED, EXPLODED, WRONG)),
    "*": (HIDDEN, FLAGGED, EXPLODED),
    "M": (FLAGGED, EXPLODED),
}
_NAMES = {
    HIDDEN: "hidden (?)",
    ZERO: "zero (0)",
    NO_CLUE: "opened without a clue (-)",
    FLAGGED: "a flag (F)",
    EXPLODED: "an exploded mine (*)",
    WRONG: "a wrong flag",
}
_HEADER = re.compile(r"\s*(\d{1,4})[xX](\d{1,4})(?:/(\d+))?(?:[ \t](.*)|\s*)", re.ASCII)
_BARS = re.compile("[|│┃║]")
_FRAME = frozenset("+=─━═┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬")
_JOINED = {0xFE0F: None, 0x20E3: None}
"""Characters that turn a digit or a sign into an emoji."""

Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class _SymbolLines:
    """The parts of a text: its rows as written, and what is known about their shape."""

    shown: str
    rows: list[str]
    shape: tuple[int, int] | None
    mines: int | None
    framed: bool


def read(text: str, mines: int | None = None) -> View:
    """Return the only position that a text can mean; an error names ambiguous symbols."""
    lines = _taken_apart(text)
    if mines is not None and lines.mines is not None and lines.mines != mines:
        raise FormatError(
            f"the text says {plural(lines.mines, 'mine')}, but the given mine count is {mines}, "
            f"in {lines.shown!r}"
        )
    count = lines.mines if mines is None else mines
    layouts = [layout for layout in dict.fromkeys(_layouts(lines)) if _is_board(layout, lines)]
    if not layouts:
        raise FormatError(
            f"the rows of {lines.shown!r} differ in length or do not match its shape: "
            "write the shape first, such as 9x9, then one symbol per cell"
        )
    _refuse_unknown(layouts, lines.shown)
    found = [(layout, meaning) for layout in layouts for meaning in _meanings(layout, count)]
    shapes = {(len(layout), len(layout[0])) for layout, _ in found}
    bounded = lines.shape is not None or lines.framed
    guessed = not bounded and any(" " in row for layout, _ in found for row in layout)
    if len(shapes) > 1 or guessed:
        raise FormatError(
            f"blanks in {lines.shown!r} could be zeros or separators: "
            "write the shape first, such as 9x9, or write 0 for zero"
        )
    _refuse_several([meaning for _, meaning in found], layouts[0], lines.shown)
    layout, meaning = found[0]
    return View(Grid(*shapes.pop()), _states(layout, meaning), count)


def _taken_apart(text: str) -> _SymbolLines:
    shown = shorten(" ".join(text.split()))
    lines = text.lstrip("\ufeff").translate(_JOINED).splitlines()
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    match = _HEADER.fullmatch(lines[first]) if lines else None
    shape = mines = None
    if match is not None:
        shape = int(match[1]), int(match[2])
        mines = None if match[3] is None else int(match[3][:9])
        lines[: first + 1] = [] if not (match[4] or "").strip() else [match[4]]
    rows = [row for line in lines if line and not _is_frame(line) for row in line.split("/")]
    framed = bool(rows) and all(_BARS.search(row) for row in rows if row.strip())
    return _SymbolLines(shown, rows, shape, mines, framed)


def _is_frame(line: str) -> bool:
    """Return whether a line is part of a frame, and not a row of cells."""
    signs = set(line) - set(" -|│┃║")
    return bool(signs) and signs <= _FRAME


def _layouts(lines: _SymbolLines) -> Iterator[Rows]:
    """Yield the ways in which rows may be divided into cells."""
    rows = lines.rows
    if lines.framed:
        parts = [_BARS.split(row.strip())[1:-1] for row in rows if row.strip()]
        if any(len(part) != 1 for part in parts):
            yield tuple(tuple(cell.strip() or " " for cell in part) for part in parts)
            return
        rows = [part[0] for part in parts]
    if lines.shape is not None and any(" " in row.rstrip() for row in rows):
        rows = [row.ljust(lines.shape[1]) for row in rows]  # editors remove trailing blanks
    yield tuple(tuple(row) for row in rows)
    if all(not row[1::2].strip() for row in rows):
        yield tuple(tuple(row[::2]) for row in rows)
    yield tuple(tuple("".join(row.split())) for row in rows if row.strip())


def _is_board(layout: Rows, lines: _SymbolLines) -> bool:
    """Return whether all rows have the same length, and the given shape if there is one."""
    if not layout or len({len(row) for row in layout}) != 1 or not layout[0]:
        return False
    shape = len(layout), len(layout[0])
    return shape == lines.shape if lines.shape is not None else max(shape) <= MAX_SIDE


def _refuse_unknown(layouts: list[Rows], shown: str) -> None:
    """Raise an error for the first unknown symbol."""
    for number, row in enumerate(layouts[-1]):
        for col, cell in enumerate(row):
            if cell not in _PLAIN and cell not in _AMBIGUOUS:
                raise FormatError(
                    f"unknown character {cell!r} at {name_cell((number, col))} in {shown!r}: "
                    "a cell is one of ? s 0-8 - * F (? hidden, s safe, - without a clue, * "
                    "exploded, F flag); # _ ■ P x and blanks are read if only one "
                    "meaning is possible"
                )


def _meanings(layout: Rows, mines: int | None) -> Iterator[dict[str, int]]:
    """Yield the possible combined meanings of the ambiguous symbols of a text."""
    used = {cell for row in layout for cell in row}
    unclear = sorted(used & set(_AMBIGUOUS))
    taken = {_PLAIN[cell] for cell in used - set(unclear) - {"?"} if cell in _PLAIN}
    for choice in product(*(_AMBIGUOUS[symbol] for symbol in unclear)):
        is_over = EXPLODED in taken or EXPLODED in choice
        several = len(set(choice)) < len(choice) or taken & set(choice)
        if several or (WRONG in choice and not is_over):
            continue
        meaning = dict(zip(unclear, choice, strict=True))
        if _can_be(layout, meaning, mines):
            yield meaning


def _can_be(layout: Rows, meaning: dict[str, int], mines: int | None) -> bool:
    """Return whether a reading can be a game in which zeros open their neighbours."""
    grid = Grid(len(layout), len(layout[0]))
    known = {**_PLAIN, **meaning}
    states = [known.get(cell, WRONG) for row in layout for cell in row]
    exploded = states.count(EXPLODED)
    covered = sum(state in COVERED for state in states)
    if mines is not None and not exploded <= mines <= exploded + covered:
        return False
    for index, state in enumerate(states):
        if not 0 <= state <= 8:
            continue
        near = [states[one] for one in grid.neighbours(index)]
        hit = near.count(EXPLODED)
        if not hit <= state <= hit + sum(one in COVERED for one in near):
            return False
        if state == ZERO and HIDDEN in near:
            return False
    return True


def _refuse_several(found: list[dict[str, int]], layout: Rows, shown: str) -> None:
    """Raise an error if the meaning of the symbols is ambiguous, or none is possible."""
    if not found:
        used = {cell for row in layout for cell in row} & set(_AMBIGUOUS)
        which = ", ".join(map(repr, sorted(used))) or "the symbols"
        raise FormatError(
            f"no meaning of {which} is consistent with the clues in {shown!r}: "
            "write ? for hidden, 0 for zero, F for a flag"
        )
    if len(found) == 1 and WRONG not in found[0].values():
        return
    open_ = []
    for symbol in found[0]:
        meanings = {one[symbol]: None for one in found}
        if len(meanings) > 1 or WRONG in meanings:
            open_.append(f"{symbol!r} could be {' or '.join(_NAMES[one] for one in meanings)}")
    raise FormatError(f"{'; '.join(open_)} in {shown!r}: use the symbol in brackets instead")


def _states(layout: Rows, meaning: dict[str, int]) -> bytes:
    known = {**_PLAIN, **meaning}
    return bytes(known[cell] for row in layout for cell in row)


def has_others(text: str) -> bool:
    """Return whether any cell has a symbol that is not part of mineproof's own notation."""
    return bool(set("".join(_taken_apart(text).rows)) - set("012345678?s-*F., \t:"))
