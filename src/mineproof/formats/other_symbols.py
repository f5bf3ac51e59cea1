"""Positions in the symbols of other programs: `#` hidden, a blank for zero, `P` a flag.

Many symbols mean one thing here and another there: `_` is a hidden cell or a zero, `x` a hidden
cell, a flag or an exploded mine. So every meaning of every symbol is tried, in every layout of
the rows, and a text is read only if exactly one reading can be a game: a zero lies beside no
hidden cell, and no clue is above the number of covered cells around it. A program writes one
thing with one symbol, so what a plain symbol means, no ambiguous one does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from mineproof.errors import FormatError, shorten
from mineproof.world.geometry import MAX_SIDE, Grid, name_cell
from mineproof.world.view import COVERED, EXPLODED, FLAGGED, HIDDEN, NO_CLUE, TOLD_SAFE, View

ZERO = 0
WRONG = -1
"""A wrong flag, as programs show it when a game is over: no state of ours."""

_PLAIN = {
    **{str(clue): clue for clue in range(9)},
    **dict.fromkeys("#■█▓▒▇◼⬛🟦", HIDDEN),
    **dict.fromkeys("FfPp!⚑⚐🚩", FLAGGED),
    **dict.fromkeys("B💣💥", EXPLODED),
    " ": ZERO,
    "s": TOLD_SAFE,
    "?": HIDDEN,
}
"""What means the same wherever it is written; a question mark lies on a covered cell."""
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
"""What makes an emoji of a digit or a sign."""

Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class _Lines:
    """A text taken apart: its rows as written, and what is known of their shape."""

    shown: str
    rows: list[str]
    shape: tuple[int, int] | None
    mines: int | None
    framed: bool


def read(text: str, mines: int | None = None) -> View:
    """The one position that a text can be; an error names symbols that leave it open."""
    lines = _taken_apart(text)
    if mines is not None and lines.mines not in {None, mines}:
        raise FormatError(f"the text says {lines.mines} mines, not {mines}, in {lines.shown!r}")
    count = lines.mines if mines is None else mines
    layouts = [layout for layout in dict.fromkeys(_layouts(lines)) if _is_board(layout, lines)]
    if not layouts:
        raise FormatError(
            f"no rows of one length are found in {lines.shown!r}: "
            "give the shape first, as 9x9, and every cell a symbol"
        )
    _refuse_unknown(layouts, lines.shown)
    found = [(layout, meaning) for layout in layouts for meaning in _meanings(layout, count)]
    shapes = {(len(layout), len(layout[0])) for layout, _ in found}
    bounded = lines.shape is not None or lines.framed
    guessed = not bounded and any(" " in row for layout, _ in found for row in layout)
    if len(shapes) > 1 or guessed:
        raise FormatError(
            f"blanks in {lines.shown!r} may be zeros or stand between cells: "
            "give the shape first, as 9x9, or write 0 for zero"
        )
    _refuse_several([meaning for _, meaning in found], layouts[0], lines.shown)
    layout, meaning = found[0]
    return View(Grid(*shapes.pop()), _states(layout, meaning), count)


def _taken_apart(text: str) -> _Lines:
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
    return _Lines(shown, rows, shape, mines, framed)


def _is_frame(line: str) -> bool:
    """Whether a line is a rule between rows or around the board."""
    signs = set(line) - set(" -|│┃║")
    return bool(signs) and signs <= _FRAME


def _layouts(lines: _Lines) -> Iterator[Rows]:
    """The ways in which rows may be cut into cells."""
    rows = lines.rows
    if lines.framed:
        parts = [_BARS.split(row.strip())[1:-1] for row in rows if row.strip()]
        if any(len(part) != 1 for part in parts):
            yield tuple(tuple(cell.strip() or " " for cell in part) for part in parts)
            return
        rows = [part[0] for part in parts]
    if lines.shape is not None and any(" " in row.rstrip() for row in rows):
        rows = [row.ljust(lines.shape[1]) for row in rows]  # editors take blanks off the end
    yield tuple(tuple(row) for row in rows)
    if all(not row[1::2].strip() for row in rows):
        yield tuple(tuple(row[::2]) for row in rows)
    yield tuple(tuple("".join(row.split())) for row in rows if row.strip())


def _is_board(layout: Rows, lines: _Lines) -> bool:
    """Whether rows are of one length, and of the shape that is given."""
    if not layout or len({len(row) for row in layout}) != 1 or not layout[0]:
        return False
    shape = len(layout), len(layout[0])
    return shape == lines.shape if lines.shape is not None else max(shape) <= MAX_SIDE


def _refuse_unknown(layouts: list[Rows], shown: str) -> None:
    """Name the first symbol that nothing is known about."""
    for number, row in enumerate(layouts[-1]):
        for col, cell in enumerate(row):
            if cell not in _PLAIN and cell not in _AMBIGUOUS:
                raise FormatError(
                    f"unknown character {cell!r} at {name_cell((number, col))} in {shown!r}: "
                    "a cell is one of ? s 0-8 - * F (? hidden, s safe, - without a clue, * "
                    "exploded, F flag); # _ ■ P x and a blank are read where only one "
                    "meaning fits"
                )


def _meanings(layout: Rows, mines: int | None) -> Iterator[dict[str, int]]:
    """What the ambiguous symbols of a text may mean together."""
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
    """Whether a reading can be a game of a program in which zeros open their surroundings."""
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
        near = [states[one] for one in grid.around(index)]
        hit = near.count(EXPLODED)
        if not hit <= state <= hit + sum(one in COVERED for one in near):
            return False
        if state == ZERO and HIDDEN in near:
            return False
    return True


def _refuse_several(found: list[dict[str, int]], layout: Rows, shown: str) -> None:
    """Name the symbols that leave a text open, or that no meaning fits."""
    if not found:
        used = {cell for row in layout for cell in row} & set(_AMBIGUOUS)
        which = ", ".join(map(repr, sorted(used))) or "other programs' symbols"
        raise FormatError(
            f"no meaning of {which} fits the clues in {shown!r}: "
            "write ? for hidden, 0 for zero, F for a flag"
        )
    if len(found) == 1 and WRONG not in found[0].values():
        return
    open_ = []
    for symbol in found[0]:
        meanings = {one[symbol]: None for one in found}
        if len(meanings) > 1 or WRONG in meanings:
            open_.append(f"{symbol!r} may be {' or '.join(_NAMES[one] for one in meanings)}")
    raise FormatError(f"{'; '.join(open_)} in {shown!r}: write the symbol in brackets")


def _states(layout: Rows, meaning: dict[str, int]) -> bytes:
    known = {**_PLAIN, **meaning}
    return bytes(known[cell] for row in layout for cell in row)


def has_others(text: str) -> bool:
    """Whether there is a symbol among the cells that our own notation does not know."""
    return bool(set("".join(_taken_apart(text).rows)) - set("012345678?s-*F., \t:"))
