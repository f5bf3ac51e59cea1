"""`mineproof generate`: make boards."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TextIO

import click

from mineproof.cli.options import (
    CELL,
    FILE,
    OPENINGS,
    SEED,
    WHOLE,
    NamedType,
    board_options,
    json_option,
    take_deal,
)
from mineproof.errors import InvalidInput
from mineproof.formats.output_files import naming, opened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mineproof.boards.generation import Generated
    from mineproof.world.geometry import Cell

_FORMATS = ("lines", "line", "corpus", "id", "plain-id", "link", "mbf", "json", "svg", "png")
_SINGLE = {"mbf": "a .mbf file", "svg": "a picture", "png": "a picture"}
"""Formats with one board per file."""
_BYTES = frozenset(("mbf", "png"))


def _levels() -> list[str]:
    from mineproof.boards.deduction_play import REASONING

    return list(REASONING)


def _level(text: str) -> str:
    from mineproof.boards.deduction_play import check_reasoning

    return check_reasoning(text)


REASONING = NamedType("reasoning", _level, _levels)


@click.command("generate")
@board_options
@click.option("--count", type=WHOLE, default=1, show_default=True, help="Number of boards.")
@click.option("--seed", type=SEED, help="Random seed. [default: a new one]")
@click.option(
    "--opening",
    type=click.Choice(OPENINGS),
    default="safe",
    show_default=True,
    help="Guarantee for the --start cell: none, no mine, or a zero.",
)
@click.option("--start", type=CELL, default="0,0", show_default=True, help="First cell.")
@click.option("--no-guess", is_flag=True, help="Make only boards that need no guess.")
@click.option(
    "--reasoning",
    type=REASONING,
    help="No-guess boards that this level of reasoning solves: local, pairs, subset, gauss or "
    "exact; each includes those before it. [default: exact]",
)
@click.option("--needs", type=REASONING, help="No-guess boards that need exactly this level.")
@click.option(
    "--chain",
    type=int,
    metavar="N",
    help="No-guess boards with a chain of influence of at least N cells.",
)
@click.option("--tries", type=int, help="Number of deals per board before mines are moved.")
@click.option("--no-repair", is_flag=True, help="Fail instead of moving mines.")
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    default="lines",
    show_default=True,
    help="Output: boards on several lines or one line each, a corpus of hex bitmaps, game IDs of "
    "Simon Tatham's Mines (masked or plain), links ?b=..&m=.., a .mbf file, JSON, or a picture.",
)
@click.option("--out", type=FILE, help="Write to this file.")
@click.option("--workers", type=int, help="Number of threads. [default: one per core]")
@json_option
def command(
    count: int, seed: int | None, form: str, out: Path | None, as_json: bool, **options: Any
) -> None:
    """Make random, no-guess or graded boards.

    Boards are drawn uniformly from those that satisfy the opening rule. With --no-guess (or
    --reasoning, --needs or --chain), they are drawn uniformly from those that can be solved from
    --start without guessing: boards are dealt until one qualifies. If --tries deals are not enough,
    mines are moved until the board can be solved, and a line on standard error says so.

    The same seed gives the same boards in every format and with any number of workers.
    `*` is a mine, `.` a safe cell.

    JSON: {"seed", "boards": [{"board", "start", "seed": of its deal, "tries", "repaired", "bbbv":
    its 3BV, "openings", "islands"}]}.
    """
    from mineproof.boards.generation import TRIES, generate
    from mineproof.world.chance import fresh_seed

    form = "json" if as_json else form
    deal = take_deal(options)
    if count < 1:
        raise InvalidInput(f"--count must be at least 1, got {count}")
    if form == "corpus" and deal.independent:
        raise InvalidInput(
            "all boards of a corpus must have the same number of mines: leave out --independent"
        )
    if form in _SINGLE and count > 1:
        raise InvalidInput(f"{_SINGLE[form]} holds only one board: leave out --count {count}")
    if form in _BYTES and out is None and sys.stdout is not None and sys.stdout.isatty():
        raise InvalidInput(f"--format {form} is binary: write it to a file with --out FILE")
    seed = fresh_seed() if seed is None else seed
    start = options["start"]
    tries, repair = options.pop("tries"), not options.pop("no_repair")
    boards = generate(
        deal,
        count=count,
        seed=seed,
        tries=TRIES if tries is None else tries,
        repair=repair,
        on_progress=_progress(count),
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
    """Return a function that prints the progress every two seconds."""
    latest = monotonic()

    def report(found: int, tries: int) -> None:
        nonlocal latest
        if monotonic() - latest >= 2:
            latest = monotonic()
            click.echo(f"{found} of {count} boards found after {tries} tries", err=True)

    return report


def _noted(boards: Iterable[Generated]) -> Iterable[Generated]:
    """Yield boards, and report on stderr those that were repaired."""
    for number, board in enumerate(boards, start=1):
        if board.repaired:
            click.echo(f"board {number}: repaired by moving mines", err=True)
        yield board


def _write_bytes(board: Generated, form: str, out: Path | None) -> None:
    from mineproof.formats import mbf
    from mineproof.formats.output_files import write_bytes
    from mineproof.render import board_png

    content = mbf.write(board) if form == "mbf" else board_png(board)
    if out is not None:
        write_bytes(out, content)
    elif sys.stdout is not None:
        sys.stdout.buffer.write(content)


def _write(file: TextIO, boards: Iterable[Generated], form: str, start: Cell, seed: int) -> None:
    from mineproof.formats import board_links, corpus, game_ids
    from mineproof.protocol.serializers import generated_json
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
