"""`mineproof influence`: the cells that each deduction of a game rests on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.cli.options import CELL, FILE, json_option, read_game
from mineproof.errors import InvalidInput
from mineproof.formats.output_files import write_text
from mineproof.printable import printable

if TYPE_CHECKING:
    from mineproof.games.record import Record
    from mineproof.reasoning.influence import Influence
    from mineproof.world.geometry import Cell


@click.command("influence")
@click.argument("record")
@click.option("--svg", type=FILE, help="Write a picture to this file as SVG.")
@click.option("--cell", type=CELL, help="Show what one cell rests on, step by step.")
@click.option(
    "--smallest",
    is_flag=True,
    help="Use each cell's smallest proof: the fewest clues and known cells that prove it.",
)
@click.option("--clues", is_flag=True, help="With --svg: also show the clues.")
@click.option("--graphml", type=FILE, help="Write the graph to this file as GraphML.")
@json_option
def command(
    record: str,
    svg: Path | None,
    cell: Cell | None,
    smallest: bool,
    clues: bool,
    graphml: Path | None,
    as_json: bool,
) -> None:
    """Show which cells each deduction in a game rests on.

    RECORD is a file with a game, as for `mineproof review`, or - to read it from a pipe.

    JSON: {"view", "longest": cells, "width", "choices": cells, "nodes": [{"cell", "kind":
    "choice", "told", "flood", "safe" or "mine", "rule", "parents": cells, "clues": the number of
    parents that are clues (they come first), "count_used", "depth", "reach"}]}; with --cell,
    {"cell", "depth", "chain": cells, "ancestors": cells, "steps": phrases, "words": lines}.
    """
    from mineproof.reasoning.influence_text import cell_svg

    if clues and svg is None:
        raise InvalidInput("--clues needs --svg: name the file of the picture")
    game = read_game(record, None)
    influence = game.smallest_influence if smallest else game.influence
    if svg is not None:
        drawn = influence.to_svg(clues=clues) if cell is None else cell_svg(influence, cell)
        write_text(svg, drawn)
    if graphml is not None:
        write_text(graphml, influence.to_graphml())
    if cell is not None:
        _show_cell(influence, cell, as_json)
    elif as_json:
        click.echo(json.dumps(influence.to_json()))
    else:
        _show(game, influence)


def _show_cell(influence: Influence, cell: Cell, as_json: bool) -> None:
    from mineproof.protocol.serializers import influence_json

    data = influence_json(influence, cell)
    click.echo(json.dumps(data) if as_json else "\n".join(data["words"]))


def _show(game: Record, influence: Influence) -> None:
    from rich.console import Console

    from mineproof.cli.position_text import say

    console = Console(highlight=False)
    say(console, f"{printable(game.agent)} on {game.conditions}: {game.outcome}")
    for line in influence.words():
        say(console, line)
