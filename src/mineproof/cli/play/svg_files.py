"""Write a finished game as pictures: the end, positions on the way, and a film."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.formats.output_files import naming, write_text
from mineproof.render import game_svg
from mineproof.render.animation import caption

if TYPE_CHECKING:
    from pathlib import Path

    from mineproof.games.record import Record


def write(record: Record, folder: Path, every: int | None) -> None:
    """Write the end, the whole game as a film, and, with `every`, a picture every N moves."""
    with naming(folder):
        folder.mkdir(parents=True, exist_ok=True)
    last = len(record.turns)
    for number in range(every, last, every) if every else ():
        turn = record.turns[number - 1]
        view, words = record.view_at(number), caption(number, turn)
        picture = game_svg(record.board, view, marked=turn.cell, caption=words)
        write_text(folder / f"move-{number:05}.svg", picture)
    write_text(folder / "final.svg", record.to_svg())
    write_text(folder / "game.svg", record.to_film())
