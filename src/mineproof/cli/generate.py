"""`mineproof generate`: boards."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TextIO

import click

from mineproof.cli.options import (
    CELL,
    OPENINGS,
    SEED,
    WHOLE,
    Named,
    board_options,
    json_option,
    take_deal,
)
from mineproof.errors import InvalidInput
from mineproof.formats.writing import naming, opened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mineproof.boards.generation import Generated
    from mineproof.world.geometry import Cell

_FORMATS = ("lines", "line", "corpus", "id", "plain-id", "link", "mbf", "json", "svg", "png")
_SINGLE = {"mbf": "a .mbf file", "svg": "a picture", "png": "a picture"}
"""What has one board a file."""
_BYTES = frozenset(("mbf", "png"))


def _levels() -> list[str]:
    from mineproof.boards.deducing import REASONING

    return list(REASONING)


def _level(text: str) -> str:
    from mineproof.boards.deducing import check_reasoning

    return check_reasoning(text)


REASONING = Named("reasoning", _level, _levels)


@click.command("generate")
@board_options
@click.option("--count", type=WHOLE, default=1, show_default=True, help="How many boards.")
@click.option("--seed", type=SEED, help="Names the boards; else they are new ones.")
@click.option(
    "--opening",
    type=click.Choice(OPENINGS),
    default="safe",
    show_default=True,
    help="What holds at --start; any: boards as they come.",
)
@click.option("--start", type=CELL, default="0,0", show_default=True, help="Where play will begin.")
@click.option("--no-guess", is_flag=True, help="Boards that can be played without a guess.")
@click.option(
    "--reasoning",
    type=REASONING,
    help="By this: local, pairs, subset, gauss or exact, each with all before it. [default: exact]",
)
@click.option("--needs", type=REASONING, help="Boards that need exactly this reasoning.")
@click.option("--chain", type=int, help="Boards with a chain of influence of so many cells.")
@click.option("--tries", type=int, help="Deals for a board, before any is repaired.")
@click.option("--no-repair", is_flag=True, help="Rather fail than move a mine.")
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    default="lines",
    show_default=True,
    help="A board on many lines or on one, a corpus of hex bitmaps, game IDs of Simon Tatham's "
    "Mines (masked or plain), links ?b=..&m=.., a .mbf file, JSON, or a picture of the board.",
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write to a file.")
@click.option("--workers", type=int, help="Threads; else all cores.")
@json_option
def command(
    count: int, seed: int | None, form: str, out: Path | None, as_json: bool, **options: Any
) -> None:
    """Make random, no-guess or graded boards.

    Boards are uniform among those that keep the opening rule. With --no-guess (or any of the
    options after it), uniform among those that certainty alone solves from --start: deals are
    thrown away until one is. Where --tries deals are not enough, mines are moved until one is
    solved, and a line on standard error says so.

    The same seed makes the same boards in every format, on any number of workers.
    `*` is a mine, `.` a safe cell. JSON has a list `boards`, each with its text, `start`, `seed`
    (of its deal), `tries`, `repaired`, and the figures players use: 3BV (`bbbv`), openings,
    islands.
    """
    from mineproof.boards.generation import TRIES, generate
    from mineproof.world.chance import fresh_seed

    form = "json" if as_json else form
    deal = take_deal(options)
    if count < 1:
        raise InvalidInput(f"at least 1 board is needed, got --count {count}")
    if form == "corpus" and deal.independent:
        raise InvalidInput("a corpus has boards with one number of mines: not --independent")
    if form in _SINGLE and count > 1:
        raise InvalidInput(f"{_SINGLE[form]} has one board: not with --count {count}")
    if form in _BYTES and out is None and sys.stdout is not None and sys.stdout.isatty():
        raise InvalidInput(f"--format {form} is no text for a terminal: give --out FILE")
    seed = fresh_seed() if seed is None else seed
    start = options["start"]
    tries, repair = options.pop("tries"), not options.pop("no_repair")
    boards = generate(
        deal,
        count=count,
        seed=seed,
        tries=TRIES if tries is None else tries,
        repair=repair,
        told=_progress(count),
        **options,
    )
    noted = _noted(boards)
    if form in _BYTES:
        _write_bytes(next(iter(noted)), form, out)
        return
    if out is None:
        _write(sys.stdout, noted, form, start, seed)
        return
    with opened(out) as file, naming(out):
        _write(file, noted, form, start, seed)


def _progress(count: int) -> Any:
    """Tells how far it is, every two seconds."""
    latest = monotonic()

    def tell(found: int, tries: int) -> None:
        nonlocal latest
        if monotonic() - latest >= 2:
            latest = monotonic()
            click.echo(f"{found} of {count} boards found, {tries} tries", err=True)

    return tell


def _noted(boards: Iterable[Generated]) -> Iterable[Generated]:
    """Says of each board that was repaired that it was."""
    for number, board in enumerate(boards, start=1):
        if board.repaired:
            click.echo(f"board {number}: repaired, mines were moved", err=True)
        yield board


def _write_bytes(board: Generated, form: str, out: Path | None) -> None:
    from mineproof.formats import mbf
    from mineproof.formats.writing import write_bytes
    from mineproof.render import board_png

    content = mbf.write(board) if form == "mbf" else board_png(board)
    if out is not None:
        write_bytes(out, content)
    elif sys.stdout is not None:
        sys.stdout.buffer.write(content)


def _write(file: TextIO, boards: Iterable[Generated], form: str, start: Cell, seed: int) -> None:
    from mineproof.formats import board_links, corpus, game_ids
    from mineproof.protocol.telling import generated_json
    from mineproof.world.chance import seed_to_json

    if form == "corpus":
        corpus.write(file, boards, start)
    elif form == "json":
        rows = [generated_json(board) for board in boards]
        file.write(json.dumps({"seed": seed_to_json(seed), "boards": rows}, indent=2) + "\n")
    elif form in {"id", "plain-id"}:
        for board in boards:
            file.write(f"{game_ids.write(board, start, masked=form == 'id')}\n")
    elif form == "link":
        file.writelines(f"{board_links.write(board)}\n" for board in boards)
    elif form == "svg":
        from mineproof.render import board_svg

        file.writelines(board_svg(board) for board in boards)
    else:
        for number, board in enumerate(boards):
            gap = "\n" if number and form == "lines" else ""
            file.write(f"{gap}{board.to_text(lines=form == 'lines')}\n")
