"""`mineproof examples`: the worked examples of the reports."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from mineproof.cli.options import json_option

if TYPE_CHECKING:
    from mineproof.formats.examples import Example


@click.command("examples")
@click.argument("name", required=False)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """List the games and positions that the reports print.

    With NAME it shows one of them.

    Their names are understood wherever a file with a position is (analyse, explain, reasoners), and
    those that have a board wherever a file with one is (play --board, grade). A file of the same
    name comes first. `play --board NAME` plays the report's own game: its agent, rules and choices.

    JSON: {"examples": [{"name", "about", "says", "agent", "position", "board", "rules", "picks",
    "ending", "unread", "commands"}]}, null for what is not there.
    """
    from mineproof.formats import examples

    found = [examples.get(one) for one in ([name] if name else examples.names())]
    if as_json:
        click.echo(json.dumps({"examples": [_data(one) for one in found]}, indent=2))
    elif name is not None:
        _show_one(found[0])
    else:
        _show(found)


def _data(one: Example) -> dict[str, Any]:
    return {**one._asdict(), "commands": [command for command, _ in commands(one)]}


def commands(one: Example) -> list[tuple[str, str]]:
    """What reproduces an example, and what each command shows."""
    mines = " --mines 5" if one.name == "report002-corner" else ""
    found = [
        (f"mineproof analyse {one.name}{mines}", "mine probabilities and certain cells"),
        (
            f"mineproof analyse {one.name}{mines} --agent {one.agent} --log -",
            f"the whole reasoning of {one.agent}",
        ),
        (f"mineproof reasoners {one.name}{mines}", "what each reasoner deduces"),
    ]
    if one.board is not None:
        found = [
            (f"mineproof play --board {one.name}", "the report's game again"),
            (f"mineproof play --board {one.name} --log -", "with every step of its reasoning"),
            *found,
        ]
    return found


def _show(found: list[Example]) -> None:
    from rich.console import Console

    from mineproof.cli.screen import say
    from mineproof.cli.tables import Column, show_table

    console = Console(highlight=False)
    columns = [Column("example", 0), Column("board", 1), Column("what it shows", 2, prose=True)]
    rows = [[one.name, "yes" if one.board else "-", one.about] for one in found]
    show_table(columns, rows, console=console, fold=True)
    say(console, "try: mineproof examples NAME, analyse NAME, play --board NAME")


def _show_one(one: Example) -> None:
    from rich.console import Console

    from mineproof.cli.screen import aligned, say
    from mineproof.formats import examples
    from mineproof.render import beside, plain
    from mineproof.world.board import Board
    from mineproof.world.view import View

    console = Console(highlight=False)
    say(console, f"{one.name}: {one.about}", style="bold")
    view = View.from_text(examples.position_text(one.name))
    click.echo(plain(view) if one.board is None else beside(Board.from_text(one.board), view))
    say(console, f"the report: {one.says}")
    if one.ending is not None:
        say(console, f"its agent: {one.agent}; the game ends with: {one.ending}")
    if one.unread is not None:
        say(console, f"not readable in the report: {one.unread}")
    say(console, "")
    for line in aligned(commands(one)):
        say(console, line)
