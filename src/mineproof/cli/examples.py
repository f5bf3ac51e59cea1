"""`mineproof examples`: the games and positions printed in the reports."""

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
    """List the games and positions printed in the reports.

    With NAME, show one of them.

    Commands that read a position (`analyse`, `explain`, `reasoners`) accept an example's name. If
    the example has a board, so do `play --board` and `grade`. A file of the same name takes
    precedence. `play --board NAME` replays the report's game with its agent, rules and choices.

    JSON: {"examples": [{"name", "about", "says", "agent", "position", "board", "rules", "picks",
    "ending", "unread", "commands"}]}, with null for missing values.
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
    """Return the commands that reproduce an example, and what each shows."""
    mines = " --mines 5" if one.name == "report002-corner" else ""
    found = [
        (f"mineproof analyse {one.name}{mines}", "mine probabilities and certain cells"),
        (
            f"mineproof analyse {one.name}{mines} --agent {one.agent} --log -",
            f"the complete reasoning of {one.agent}",
        ),
        (f"mineproof reasoners {one.name}{mines}", "what each reasoner deduces"),
    ]
    if one.board is not None:
        found = [
            (f"mineproof play --board {one.name}", "replay the report's game"),
            (
                f"mineproof play --board {one.name} --log -",
                "replay it with every step of the reasoning",
            ),
            *found,
        ]
    return found


def _show(found: list[Example]) -> None:
    from rich.console import Console

    from mineproof.cli.position_text import say
    from mineproof.cli.terminal_tables import TableColumn, show_table

    console = Console(highlight=False)
    columns = [
        TableColumn("example", 0),
        TableColumn("board", 1),
        TableColumn("what it shows", 2, prose=True),
    ]
    rows = [[one.name, "yes" if one.board else "-", one.about] for one in found]
    show_table(columns, rows, console=console, fold=True)
    say(console, "Try next: mineproof examples NAME, analyse NAME, play --board NAME")


def _show_one(one: Example) -> None:
    from rich.console import Console

    from mineproof.cli.position_text import aligned, say
    from mineproof.formats import examples
    from mineproof.render import plain, side_by_side
    from mineproof.world.board import Board
    from mineproof.world.view import View

    console = Console(highlight=False)
    say(console, f"{one.name}: {one.about}", style="bold")
    view = View.from_text(examples.position_text(one.name))
    click.echo(plain(view) if one.board is None else side_by_side(Board.from_text(one.board), view))
    say(console, f"The report: {one.says}")
    if one.ending is not None:
        say(console, f"Agent: {one.agent}; end of the game: {one.ending}")
    if one.unread is not None:
        say(console, f"Illegible in the report: {one.unread}")
    say(console, "")
    for line in aligned(commands(one)):
        say(console, line)
