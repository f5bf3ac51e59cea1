"""Choose the board to play from a file in any format that `generate` writes."""

from __future__ import annotations

import click

from mineproof.cli.options import read_boards
from mineproof.errors import InvalidInput, plural
from mineproof.formats import board_files
from mineproof.formats.board_files import BoardWithStart


def choose(path: str, index: int | None) -> BoardWithStart:
    """Return a board of the file; without `index` the first, with a note if there are more."""
    if index is not None and index < 1:
        raise InvalidInput(f"--index must be at least 1, got {index}")
    chosen, count = None, 0
    for count, given in enumerate(board_files.read(read_boards(path), path), start=1):
        if count == (index or 1):
            chosen = given
    if chosen is None:
        raise InvalidInput(f"there is no board {index} in {path}: it has {plural(count, 'board')}")
    if index is None and count > 1:
        click.echo(f"board 1 of {count} (choose another with --index)", err=True)
    return chosen
