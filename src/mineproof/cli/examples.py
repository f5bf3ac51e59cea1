"""`mineproof examples`: the worked examples of the reports."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from mineproof.cli.options import json_option

if TYPE_CHECKING:
    from mineproof.formats.examples import Example


@click.command("examples")
@click.argument("name", required=False)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """List the boards and positions of the reports; all about one of them with its NAME.

    Their names are understood wherever a file with a position is (analyse, explain, reasoners), and
    those that have a board wherever a file with one is (play --board, grade). A file of the same
    name comes first.

    JSON: {"examples": [{"name", "about", "board", "position", "unread"}]}, null for what is not
    there.
    """
    from mineproof.formats import examples

    found = [examples.get(one) for one in ([name] if name else examples.names())]
    if as_json:
        click.echo(json.dumps({"examples": [one._asdict() for one in found]}, indent=2))
    elif name is not None:
        _show_one(found[0])
    else:
        _show(found)


def _show(found: list[Example]) -> None:
    from rich.console import Console

    from mineproof.cli.screen import say
    from mineproof.cli.tables import Column, show_table

    console = Console(highlight=False)
    columns = [Column("example", 0), Column("board", 1), Column("what it shows", 2, prose=True)]
    rows = [[one.name, "yes" if one.board else "-", one.about] for one in found]
    show_table(columns, rows, console=console, fold=True)
    say(console, "try: mineproof analyse NAME, or play --board NAME; mineproof examples NAME")


def _show_one(one: Example) -> None:
    from rich.console import Console

    from mineproof.cli.screen import say
    from mineproof.formats import examples
    from mineproof.render import beside, plain
    from mineproof.world.board import Board
    from mineproof.world.view import View

    console = Console(highlight=False)
    say(console, f"{one.name}: {one.about}", style="bold")
    view = View.from_text(examples.position_text(one.name))
    click.echo(plain(view) if one.board is None else beside(Board.from_text(one.board), view))
    if one.unread is not None:
        say(console, f"not to be read in the report: {one.unread}")
