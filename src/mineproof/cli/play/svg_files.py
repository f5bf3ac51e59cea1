"""Write a finished game as pictures: the end, positions on the way, and a film."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.formats.writing import naming, write_text
from mineproof.render import film_svg, game_svg

if TYPE_CHECKING:
    from pathlib import Path

    from mineproof.games.record import Record


def write(record: Record, folder: Path, every: int | None) -> None:
    """Write the end, the whole game as a film, and, with `every`, a picture every N moves."""
    with naming(folder):
        folder.mkdir(parents=True, exist_ok=True)
    frames = list(record.frames())
    last = len(record.moves)
    for number, (_, _, game) in enumerate(record.replay(), start=1):
        if every is not None and number % every == 0 and number != last:
            marked, caption, _ = frames[number - 1]
            picture = game_svg(record.board, game.view, marked=marked, caption=caption)
            write_text(folder / f"move-{number:05}.svg", picture)
    write_text(folder / "final.svg", record.to_svg())
    write_text(folder / "game.svg", film_svg(record.board, record.begin().view, frames))
