"""`mineproof solve`: the optimal winning chance of a small board."""

from __future__ import annotations

import json
from time import monotonic

import click

from mineproof.cli.options import WHOLE, json_option, opening_option
from mineproof.errors import counted


@click.command("solve")
@click.argument("rows", type=WHOLE)
@click.argument("cols", type=WHOLE)
@click.argument("mines", type=WHOLE)
@opening_option("What the first cell is promised.")
@click.option("--memory", type=WHOLE, default=2000, show_default=True, help="Megabytes, about.")
@json_option
def command(rows: int, cols: int, mines: int, opening: str, memory: int, as_json: bool) -> None:
    """The best chance to win a small board, as an exact fraction, and a best first cell.

    Every state of knowledge is searched, so the cost grows exponentially: 4x4 boards
    take a moment, 5x5 with 4 mines seconds. What does not fit into the memory is refused.
    """
    from mineproof.boards.optimum import solve
    from mineproof.world.geometry import name_cell

    begun = told = monotonic()

    def tell(states: int) -> None:
        nonlocal told
        if monotonic() - told >= 2:
            told = monotonic()
            click.echo(f"{states} states, {told - begun:.0f} s", err=True)

    found = solve(rows, cols, mines, opening=opening, memory=memory, told=tell)  # type: ignore[arg-type]
    if as_json:
        given = {"rows": rows, "cols": cols, "mines": mines, "opening": opening}
        click.echo(json.dumps({**given, **found.to_json()}))
        return
    click.echo(f"{rows}x{cols} with {counted(mines, 'mine')}, opening {opening}")
    click.echo(f"best chance to win: {found.wins}/{found.boards} = {float(found.chance):.5f}")
    click.echo(f"begin at {name_cell(found.first)}; {found.states} states searched, up to symmetry")
