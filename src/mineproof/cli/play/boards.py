"""The board to play, out of a file with one or with many, in any way `generate` writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import click

from mineproof.errors import FormatError, InvalidInput
from mineproof.formats import corpus
from mineproof.formats.reading import read_text
from mineproof.world.board import Board

if TYPE_CHECKING:
    from mineproof.world.geometry import Cell

_SHAPE = re.compile(r"^(?=[ \t]*\d+[xX]\d+)", re.MULTILINE)
_CORPUS = re.compile(r"\d+( \d+){4}\s*$", re.MULTILINE)


class Given(NamedTuple):
    """A board that was given, and the start that its file names, if it does."""

    board: Board
    start: Cell | None


def choose(path: str, nth: int | None) -> Given:
    """The board of a file, the first unless another is asked for; then it says so."""
    if nth is not None and nth < 1:
        raise InvalidInput(f"--nth counts boards from 1, got {nth}")
    text = read_text(path)
    start, boards = _boards(text, path)
    chosen, count = None, 0
    for count, board in enumerate(boards, start=1):
        if count == (nth or 1):
            chosen = board
    if chosen is None:
        raise InvalidInput(f"{path} has {count} board{'s' * (count != 1)}, got --nth {nth}")
    if nth is None and count > 1:
        click.echo(f"board 1 of {count}; --nth takes another", err=True)
    return Given(chosen, start)


def _boards(text: str, path: str) -> tuple[Cell | None, Iterable[Board]]:
    if _CORPUS.match(text):
        header, boards = corpus.parse(text, path)
        return header.start, boards
    if text.lstrip().startswith("{"):
        return None, map(Board.from_text, _listed(text, path))
    parts = [part for part in _SHAPE.split(text) if part.strip()]
    if len(parts) < 2:
        return None, [Board.from_text(text)]
    return None, _numbered(parts, path)


def _numbered(parts: Iterable[str], path: str) -> Iterator[Board]:
    for number, part in enumerate(parts, start=1):
        try:
            yield Board.from_text(part)
        except FormatError as error:
            raise FormatError(f"{path}: board {number}: {error}") from None


def _listed(text: str, path: str) -> list[str]:
    """The texts in what `generate --json` writes."""
    try:
        return [str(one["board"]) for one in json.loads(text)["boards"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise FormatError(
            f'{path}: expected {{"boards": [{{"board": ...}}]}}, as generate --json writes it'
        ) from None
