"""The text form of boards and views, on one line or on several.

One line: `2x3/2 ???/121` - the shape, the number of mines if it is known, and the rows
separated by slashes. Several lines: one row per line; the shape may be left out.
Views may end in marks `row,col:number`. What the characters mean is up to the caller.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mineproof.errors import FormatError, InvalidInput, do_not_fit, in_position, shorten
from mineproof.phrases import say
from mineproof.world.geometry import MAX_SIDE, Grid

_HEADER = re.compile(r"(\d+)[xX](\d+)(?:/(\d+))?", re.ASCII)
_MARK = re.compile(r"(\d+),(\d+):(\d+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class GridText:
    """The content of a text: a grid, one character per cell, the mine count and the marks."""

    grid: Grid
    characters: str
    mines: int | None
    marks: tuple[tuple[int, int], ...]


def read(text: str, alphabet: str) -> GridText:
    """Read a text of one line or several; errors name the place."""
    if not isinstance(text, str):
        raise FormatError(f"expected a string, got {type(text).__name__}")
    shown = shorten(" ".join(text.split()))
    header, rows, mark_words = _split(text.lstrip("\ufeff"))
    if not rows:
        raise FormatError(in_position(say("refusal.no-rows"), shown))
    grid, mines = _shape(header, rows, shown)
    for number, row in enumerate(rows):
        if len(row) != grid.cols:
            what = say("refusal.row", cells=grid.cols, row=number, got=len(row))
            raise FormatError(in_position(what, shown))
        for col, character in enumerate(row):
            if character not in alphabet:
                raise FormatError(
                    say(
                        "refusal.character",
                        character=repr(character),
                        cell=(number, col),
                        position=repr(shown),
                        alphabet=" ".join(alphabet),
                    )
                )
    marks = tuple(sorted(_mark(word, grid, shown) for word in mark_words))
    if len({index for index, _ in marks}) != len(marks):
        raise FormatError(in_position(say("refusal.marks"), shown))
    return GridText(grid, "".join(rows), mines, marks)


def too_many_mines(mines: int, grid: Grid) -> str:
    """Return the message about more mines than cells."""
    shape = {"rows": grid.rows, "cols": grid.cols, "cells": grid.size}
    return say("refusal.too-many-mines", fit=do_not_fit(mines), **shape)


def write(content: GridText, *, lines: bool = False) -> str:
    """Return the text that `read` reads."""
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
    """Split a text into header, rows and marks."""
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
        # Very long numbers are cut, not converted: they exceed every limit anyway.
        shape = int(match[1][:9]), int(match[2][:9])
        mines = None if match[3] is None else int(match[3][:9])
    try:
        grid = Grid(*shape)
    except InvalidInput as error:
        raise FormatError(in_position(str(error), shown)) from None
    if len(rows) != grid.rows:
        what = say("refusal.rows", rows=grid.rows, got=len(rows))
        raise FormatError(in_position(what, shown))
    if mines is not None and mines > grid.size:
        raise FormatError(in_position(too_many_mines(mines, grid), shown))
    return grid, mines


def _mark(word: str, grid: Grid, shown: str) -> tuple[int, int]:
    match = _MARK.fullmatch(word)
    if match is None or len(word) > 3 * len(str(MAX_SIDE)):
        what = say("refusal.mark", mark=repr(shorten(word)))
        raise FormatError(in_position(what, shown))
    try:
        return grid.index((int(match[1]), int(match[2]))), int(match[3])
    except InvalidInput as error:
        raise FormatError(in_position(str(error), shown)) from None
