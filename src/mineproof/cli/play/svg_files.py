"""A finished game as pictures: how it ended, how it stood on the way, and how it went."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.formats.writing import naming, write_text
from mineproof.render import Frame, film_svg, game_svg
from mineproof.world.geometry import name_cell

if TYPE_CHECKING:
    from pathlib import Path

    from mineproof.games.record import Record
    from mineproof.world.move import Move


def write(record: Record, folder: Path, every: int | None) -> None:
    """The end, the whole game as a moving picture, and one picture every so many moves."""
    with naming(folder):
        folder.mkdir(parents=True, exist_ok=True)
    last = len(record.moves)
    caption, marked = "before the first move", None
    frames = []
    for number, (move, events, game) in enumerate(record.replay(), start=1):
        caption, marked = _caption(number, move), move.cell
        frames.append(Frame(marked, caption, events))
        if every is not None and number % every == 0 and number != last:
            picture = game_svg(record.board, game.view, marked=marked, caption=caption)
            write_text(folder / f"move-{number:05}.svg", picture)
    picture = game_svg(record.board, record.view, marked=marked, caption=caption)
    write_text(folder / "final.svg", picture)
    frames.append(Frame(marked, f"{record.outcome}, by {record.agent}"))
    write_text(folder / "game.svg", film_svg(record.board, record.begin().view, frames))


def _caption(number: int, move: Move) -> str:
    return f"move {number}, {move.action} {name_cell(move.cell)}: {move.reason}"
