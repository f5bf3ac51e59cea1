"""`mineproof agents`: what there is."""

from __future__ import annotations

import json

import click

from mineproof.cli.options import json_option


@click.command("agents")
@json_option
def command(as_json: bool) -> None:
    """List the agents, with their recipes and where they come from."""
    from mineproof.agents import RECIPES

    if as_json:
        rows = [
            {
                "name": recipe.name,
                "reasoners": recipe.reasons_by,
                "guess": recipe.guesses_by,
                "sound": recipe.sound,
                "origin": recipe.origin,
                "about": recipe.about,
            }
            for recipe in RECIPES.values()
        ]
        click.echo(json.dumps({"agents": rows}, indent=2))
        return
    from rich.console import Console
    from rich.table import Column, Table

    name = Column("agent", no_wrap=True)
    table = Table(name, "what it does", "reasons by", "else guesses", "from", box=None)
    for recipe in RECIPES.values():
        table.add_row(
            f"[bold]{recipe.name}[/]",
            recipe.about,
            recipe.reasons_by,
            recipe.guesses_by,
            recipe.origin,
        )
    console = Console()
    if not console.is_terminal:
        console = Console(width=200)  # a pipe has no width: nothing is folded or cut
    console.print(table)
    console.print(
        "\nAll are sound: with exact clues nothing they call certain is wrong. Options follow a "
        "colon:\n[bold]baseline:naive=true[/] takes clues literally, [bold]brute:cap=40[/] lists "
        "larger components,\n[bold]one-two:raw=true[/] is the pattern as in the report, unsound."
    )
