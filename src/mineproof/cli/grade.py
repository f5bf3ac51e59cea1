"""`mineproof grade`: how difficult a board is."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.cli.options import CELL, FILE, json_option, opening_option, read_boards
from mineproof.errors import FormatError, InvalidInput, MineproofError

if TYPE_CHECKING:
    from mineproof.boards.grading import Grade
    from mineproof.formats.board_files import BoardWithStart
    from mineproof.world.board import Opening
    from mineproof.world.geometry import Cell

_COLUMNS = "board  needs   steps  clues  chain  guesses  survival"


@click.command("grade")
@click.argument("file")
@click.option(
    "--start",
    type=CELL,
    help="First cell. [default: as the file says, otherwise 0,0]",
)
@opening_option("Guarantee for the first cell: none, no mine, or a zero.")
@click.option(
    "--svg",
    type=FILE,
    help="Write a picture of the first board's largest proof to this file as SVG.",
)
@json_option
def command(
    file: str, start: Cell | None, opening: Opening, svg: Path | None, as_json: bool
) -> None:
    """Grade a board by the reasoning and guesses it needs.

    FILE has boards in any format of `generate`, including game IDs of Simon Tatham's Mines; - reads
    from a pipe; the name of an example also works (see `mineproof examples`).

    At each step the grader uses the easiest reasoning that proves a cell safe (local, pairs,
    subset, gauss, exact, each with all easier ones). If none does, it opens the cell with the
    lowest exact mine probability, and continues even if that is a mine. The largest proof cannot be
    avoided: every order of play needs one at least as large, and some order needs none larger. The
    chain of influence is taken from a game played by `exact`, using smallest proofs. Several
    boards get one line each.

    JSON: {"grades": [{"board", "start", "opening", "no_guess", "reasoning", "steps": how many
    positions need it, "times": the same by level, "proof": {"cell", "clues", "size",
    "count_used", "least", "ease", "view"} or null, "chain", "guesses", "risks", "chance",
    "openings", "islands", "bbbv"}]}.
    """
    from mineproof.boards.grading import describe
    from mineproof.formats import board_files

    boards = list(board_files.read(read_boards(file), file))
    grades = (_grade(one, start, opening, number) for number, one in enumerate(boards, start=1))
    first = next(grades)
    if svg is not None:
        _draw(first, svg)
    if as_json:
        click.echo(json.dumps({"grades": [one.to_json() for one in (first, *grades)]}))
    elif len(boards) == 1:
        click.echo("\n".join(describe(first)))
    else:
        click.echo(_COLUMNS)
        for number, one in enumerate(chain([first], grades), start=1):
            click.echo(_row(number, one))


def _grade(found: BoardWithStart, start: Cell | None, opening: Opening, number: int) -> Grade:
    from mineproof.boards.grading import grade

    try:
        return grade(found.board, start or found.start or (0, 0), opening=opening)
    except MineproofError as error:
        raise FormatError(f"board {number}: {error}") from None


def _draw(found: Grade, path: Path) -> None:
    from mineproof.render import proof_svg

    proof = found.proof
    if proof is None:
        raise InvalidInput("zeros open the whole board: there is no proof to draw")
    steps = [dict(step.settled) for step in proof.steps]
    words = str(proof).split("\n")
    drawn = proof_svg(proof.view, proof.cell, proof.clues, steps, words)
    path.write_text(drawn, encoding="utf-8")


def _row(number: int, found: Grade) -> str:
    proof = found.proof
    clues = f"{found.clues}{'' if proof is None or proof.least else '?'}"
    clues += "+" if proof is not None and proof.count_used else ""
    return (
        f"{number:5}  {found.reasoning:6}  {found.steps:5}  {clues:>5}  {found.chain:5}  "
        f"{found.guesses:7}  {100 * found.chance:7.1f}%"
    )
