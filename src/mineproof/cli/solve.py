"""`mineproof solve`: the best possible win probability or score on a small board."""

from __future__ import annotations

import json
from time import monotonic
from typing import TYPE_CHECKING

import click

from mineproof.cli.options import WHOLE, clues_option, json_option, opening_option
from mineproof.errors import InvalidInput, plural

if TYPE_CHECKING:
    from mineproof.boards.optimal_score import BestScore
    from mineproof.boards.optimum import Optimum
    from mineproof.world.clues import ClueModel


@click.command("solve")
@click.argument("rows", type=WHOLE)
@click.argument("cols", type=WHOLE)
@click.argument("mines", type=WHOLE)
@opening_option("Guarantee for the first cell: none, no mine, or a zero.")
@click.option(
    "--score",
    "for_score",
    is_flag=True,
    help="Compute the best score: mines do not end the game.",
)
@clues_option
@click.option(
    "--memory", type=WHOLE, default=2000, show_default=True, help="Memory limit in megabytes."
)
@json_option
def command(
    rows: int,
    cols: int,
    mines: int,
    opening: str,
    for_score: bool,
    clues: ClueModel,
    memory: int,
    as_json: bool,
) -> None:
    """Compute the best possible win probability on a small board.

    The result is an exact fraction, with a best first cell. All reachable positions are searched,
    so the cost grows exponentially: 4x4 boards take a moment, 5x5 with 4 mines a few seconds;
    larger searches stop at the memory limit. With --score, a mine does not end the game, and the
    score is (correct flags - wrong flags) / mines.
    """
    from mineproof.boards.optimal_score import solve_score
    from mineproof.boards.optimum import solve
    from mineproof.world.geometry import name_cell

    if not for_score and not clues.is_exact:
        raise InvalidInput(f"uncertain clues need --score, as in '--score --clues {clues}'")

    begun = printed = monotonic()

    def report(states: int) -> None:
        nonlocal printed
        if monotonic() - printed >= 2:
            printed = monotonic()
            click.echo(f"{states} states searched after {printed - begun:.0f} s", err=True)

    given = {"rows": rows, "cols": cols, "mines": mines, "opening": opening}
    found: Optimum | BestScore
    if for_score:
        found = solve_score(**given, clues=clues, memory=memory, on_progress=report)  # type: ignore[arg-type]
        best = f"best score: {found.score} = {float(found.score):.5f}"
        given["clues"] = str(clues)
    else:
        found = solve(**given, memory=memory, on_progress=report)  # type: ignore[arg-type]
        best = f"best win probability: {found.wins}/{found.boards} = {float(found.chance):.5f}"
    if as_json:
        click.echo(json.dumps({**given, **found.to_json()}))
        return
    clue_text = "" if clues.is_exact else f", clues {clues}"
    click.echo(f"{rows}x{cols} with {plural(mines, 'mine')}, opening {opening}{clue_text}")
    click.echo(best)
    first = "none" if found.first is None else name_cell(found.first)
    click.echo(f"best first cell: {first}; {found.states} states searched, up to symmetry")
