"""`mineproof solve`: the optimal winning chance of a small board, or its best score."""

from __future__ import annotations

import json
from time import monotonic
from typing import TYPE_CHECKING

import click

from mineproof.cli.options import WHOLE, clues_option, json_option, opening_option
from mineproof.errors import InvalidInput, counted

if TYPE_CHECKING:
    from mineproof.boards.optimal_score import BestScore
    from mineproof.boards.optimum import Optimum
    from mineproof.world.clues import ClueModel


@click.command("solve")
@click.argument("rows", type=WHOLE)
@click.argument("cols", type=WHOLE)
@click.argument("mines", type=WHOLE)
@opening_option("What the first cell is promised.")
@click.option(
    "--score", "for_score", is_flag=True, help="The best score, where a mine does not end the game."
)
@clues_option
@click.option("--memory", type=WHOLE, default=2000, show_default=True, help="Megabytes, about.")
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

    It is an exact fraction, and comes with a best first cell. Every state of knowledge is searched,
    so the cost grows exponentially: 4x4 boards take a moment, 5x5 with 4 mines seconds. What does
    not fit into the memory is refused. With --score a mine does not end the game, and right flags
    less wrong ones count, a mine.
    """
    from mineproof.boards.optimal_score import solve_score
    from mineproof.boards.optimum import solve
    from mineproof.world.geometry import name_cell

    if not for_score and not clues.is_exact:
        raise InvalidInput(f"uncertain clues are played for a score: --score --clues {clues}")

    begun = told = monotonic()

    def tell(states: int) -> None:
        nonlocal told
        if monotonic() - told >= 2:
            told = monotonic()
            click.echo(f"{states} states, {told - begun:.0f} s", err=True)

    given = {"rows": rows, "cols": cols, "mines": mines, "opening": opening}
    found: Optimum | BestScore
    if for_score:
        found = solve_score(**given, clues=clues, memory=memory, told=tell)  # type: ignore[arg-type]
        best = f"best score: {found.score} = {float(found.score):.5f}"
        given["clues"] = str(clues)
    else:
        found = solve(**given, memory=memory, told=tell)  # type: ignore[arg-type]
        best = f"best chance to win: {found.wins}/{found.boards} = {float(found.chance):.5f}"
    if as_json:
        click.echo(json.dumps({**given, **found.to_json()}))
        return
    told_clues = "" if clues.is_exact else f", clues {clues}"
    click.echo(f"{rows}x{cols} with {counted(mines, 'mine')}, opening {opening}{told_clues}")
    click.echo(best)
    first = "open no cell" if found.first is None else f"begin at {name_cell(found.first)}"
    click.echo(f"{first}; {found.states} states searched, up to symmetry")
