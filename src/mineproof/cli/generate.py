"""`mineproof generate`: boards."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any, TextIO

import click

from mineproof.cli.options import CELL, OPENINGS, SEED, board_options, json_option, take_deal
from mineproof.errors import InvalidInput


@click.command("generate")
@board_options
@click.option("--count", type=int, default=1, show_default=True, help="How many boards.")
@click.option("--seed", type=SEED, help="Names the boards; else they are new ones.")
@click.option(
    "--opening",
    type=click.Choice(OPENINGS),
    default="safe",
    show_default=True,
    help="What holds at --start; any: boards as they come.",
)
@click.option("--start", type=CELL, default="0,0", show_default=True, help="Where play will begin.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["lines", "line", "corpus", "json"]),
    default="lines",
    show_default=True,
    help="A board on many lines or on one, a corpus of hex bitmaps, or JSON.",
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write to a file.")
@json_option
def command(
    count: int, seed: int | None, form: str, out: Path | None, as_json: bool, **options: Any
) -> None:
    """Make random boards, uniform among those that keep the opening rule.

    The same seed makes the same boards in every format.
    `*` is a mine, `.` a safe cell. JSON has a list `boards`, each with its text
    and the figures players use: 3BV (`bbbv`), openings, islands.
    """
    from mineproof.boards.generation import generate
    from mineproof.world.chance import fresh_seed

    start, opening = options.pop("start"), options.pop("opening")
    form = "json" if as_json else form
    deal = take_deal(options, "beginner")
    if count < 1:
        raise InvalidInput(f"at least 1 board is needed, got --count {count}")
    if form == "corpus" and deal.independent:
        raise InvalidInput("a corpus has boards with one number of mines: not --independent")
    seed = fresh_seed() if seed is None else seed
    boards = generate(
        deal.rows,
        deal.cols,
        deal.mines,
        density=deal.density,
        independent=deal.independent,
        count=count,
        seed=seed,
        start=start,
        opening=opening,
    )
    file = nullcontext(sys.stdout) if out is None else out.open("w", encoding="utf-8")
    with file as stream:
        _write(stream, boards, form, start, seed)


def _write(file: TextIO, boards: Any, form: str, start: Any, seed: int) -> None:
    from mineproof.formats import corpus
    from mineproof.world.chance import seed_to_json

    if form == "corpus":
        corpus.write(file, boards, start)
    elif form == "json":
        rows = [{"board": board.to_text(), **board.figures._asdict()} for board in boards]
        file.write(json.dumps({"seed": seed_to_json(seed), "boards": rows}, indent=2) + "\n")
    else:
        for number, board in enumerate(boards):
            gap = "\n" if number and form == "lines" else ""
            file.write(f"{gap}{board.to_text(lines=form == 'lines')}\n")
