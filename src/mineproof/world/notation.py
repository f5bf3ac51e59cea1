"""The text of a grid of characters, on one line or on many.

One line: `2x3/2 ???/121` - the shape, the number of mines if it is known, the rows
between slashes. Many lines: the same with a row a line; the shape may be left out.
Views may end in marks `row,col:number`. What the characters mean is the reader's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mineproof.errors import FormatError, InvalidInput, counted, do_not_fit, shorten
from mineproof.world.geometry import MAX_SIDE, Grid, name_cell

_HEADER = re.compile(r"(\d+)[xX](\d+)(?:/(\d+))?", re.ASCII)
_MARK = re.compile(r"(\d+),(\d+):(\d+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class GridText:
    """What a text says: a grid, a character for each cell, and what stands around them."""

    grid: Grid
    characters: str
    mines: int | None
    marks: tuple[tuple[int, int], ...]


def read(text: str, alphabet: str) -> GridText:
    """Read one line or many; every error names the place."""
    if not isinstance(text, str):
        raise FormatError(f"expected text, got {type(text).__name__}")
    shown = shorten(" ".join(text.split()))
    header, rows, mark_words = _split(text.lstrip("\ufeff"))
    if not rows:
        raise FormatError(f"expected rows of cells, got none in {shown!r}")
    grid, mines = _shape(header, rows, shown)
    for number, row in enumerate(rows):
        if len(row) != grid.cols:
            raise FormatError(
                f"expected {counted(grid.cols, 'cell')} in row {number}, got {len(row)} "
                f"in {shown!r}"
            )
        for col, character in enumerate(row):
            if character not in alphabet:
                raise FormatError(
                    f"unknown character {character!r} at {name_cell((number, col))} in {shown!r}: "
                    f"a cell is one of {' '.join(alphabet)}"
                )
    marks = tuple(sorted(_mark(word, grid, shown) for word in mark_words))
    if len({index for index, _ in marks}) != len(marks):
        raise FormatError(f"two marks for one cell in {shown!r}")
    return GridText(grid, "".join(rows), mines, marks)


def write(content: GridText, *, lines: bool = False) -> str:
    """The text that `read` takes back."""
    grid = content.grid
    header = f"{grid.rows}x{grid.cols}" + ("" if content.mines is None else f"/{content.mines}")
    rows = [
        content.characters[start : start + grid.cols] for start in range(0, grid.size, grid.cols)
    ]
    marks = ["{},{}:{}".format(*grid.cell(index), number) for index, number in content.marks]
    body = rows if lines else ["/".join(rows)]
    parts = [header, *body, " ".join(marks)] if marks else [header, *body]
    return ("\n" if lines else " ").join(parts)


def _split(text: str) -> tuple[str | None, list[str], list[str]]:
    """The header, the rows and the marks, each as text."""
    words: list[str] = []
    header = None
    rows: list[str] = []
    for line in text.splitlines():
        stripped = line.strip()
        if not stripped:
            continue
        first, _, rest = stripped.partition(" ")
        if header is None and not rows and _HEADER.fullmatch(first):
            header, stripped = first, rest.strip()
        if ":" in stripped:
            cells = [word for word in stripped.split() if ":" not in word]
            words += [word for word in stripped.split() if ":" in word]
            stripped = " ".join(cells)
        if stripped:
            rows += ["".join(row.split()) for row in stripped.split("/")]
    return header, rows, words


def _shape(header: str | None, rows: list[str], shown: str) -> tuple[Grid, int | None]:
    mines = None
    if header is None:
        shape = len(rows), len(rows[0])
    else:
        match = _HEADER.fullmatch(header)
        assert match is not None
        # Far too long numbers are cut, not converted: they are over every limit anyway.
        shape = int(match[1][:9]), int(match[2][:9])
        mines = None if match[3] is None else int(match[3][:9])
    try:
        grid = Grid(*shape)
    except InvalidInput as error:
        raise FormatError(f"{error} in {shown!r}") from None
    if len(rows) != grid.rows:
        raise FormatError(f"expected {counted(grid.rows, 'row')}, got {len(rows)} in {shown!r}")
    if mines is not None and mines > grid.size:
        raise FormatError(
            f"{do_not_fit(mines)}: {grid.rows}x{grid.cols} has {counted(grid.size, 'cell')} "
            f"in {shown!r}"
        )
    return grid, mines


def _mark(word: str, grid: Grid, shown: str) -> tuple[int, int]:
    match = _MARK.fullmatch(word)
    if match is None or len(word) > 3 * len(str(MAX_SIDE)):
        raise FormatError(f"expected a mark row,col:number, got {shorten(word)!r} in {shown!r}")
    try:
        return grid.index((int(match[1]), int(match[2]))), int(match[3])
    except InvalidInput as error:
        raise FormatError(f"{error} in {shown!r}") from None
