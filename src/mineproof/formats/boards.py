"""Boards out of a text, in any way they are written here; which one it is, its content tells.

Texts of boards (one or many), a corpus, what `generate --json` writes, game IDs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from mineproof.errors import FormatError
from mineproof.formats import corpus, game_ids
from mineproof.world.board import Board
from mineproof.world.geometry import Cell

_SHAPE = re.compile(r"^(?=[ \t]*\d+[xX]\d+)", re.MULTILINE)
_CORPUS = re.compile(r"\d+( \d+){4}\s*$", re.MULTILINE)


class Given(NamedTuple):
    """A board, and where its text says that play begins, if it does."""

    board: Board
    start: Cell | None


def read(text: str, name: str) -> Iterator[Given]:
    """The boards of a text, one by one; errors call it by a name and count boards from 1."""
    text = text.lstrip("\ufeff")
    if _CORPUS.match(text):
        header, boards = corpus.parse(text, name)
        return (Given(board, header.start) for board in boards)
    if text.lstrip().startswith("{"):
        return iter(_listed(text, name))
    if game_ids.is_id(text):
        return _numbered((line for line in text.splitlines() if line.strip()), name)
    parts = [part for part in _SHAPE.split(text) if part.strip()]
    if len(parts) < 2:
        return iter([Given(Board.from_text(text), None)])
    return _numbered(parts, name)


def _numbered(parts: Iterable[str], name: str) -> Iterator[Given]:
    for number, part in enumerate(parts, start=1):
        try:
            yield Given(*game_ids.read(part)) if game_ids.is_id(part) else _plain(part)
        except FormatError as error:
            raise FormatError(f"{name}: board {number}: {error}") from None


def _plain(text: str) -> Given:
    return Given(Board.from_text(text), None)


def _listed(text: str, name: str) -> list[Given]:
    """What `generate --json` writes."""
    try:
        return [_from_json(one) for one in json.loads(text)["boards"]]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(
            f'{name}: expected {{"boards": [{{"board": ...}}]}}, as generate --json writes it'
        ) from None


def _from_json(one: dict[str, Any]) -> Given:
    board, start = Board.from_text(str(one["board"])), one.get("start")
    return Given(board, None if start is None else board.grid.cell(board.grid.index(start)))
