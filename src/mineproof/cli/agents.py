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
                "reasoners": [reasoner.__name__ for reasoner in recipe.reasoners],
                "guess": recipe.guess.__name__,
                "origin": recipe.origin,
                "about": recipe.about,
            }
            for recipe in RECIPES.values()
        ]
        click.echo(json.dumps({"agents": rows}, indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("agent", "what it does", "reasons by", "else guesses", "from", box=None)
    for recipe in RECIPES.values():
        reasoners = ", ".join(reasoner.__name__ for reasoner in recipe.reasoners) or "-"
        guess = recipe.guess.__name__
        table.add_row(f"[bold]{recipe.name}[/]", recipe.about, reasoners, guess, recipe.origin)
    console = Console()
    console.print(table)
    console.print("\nOptions follow a colon: [bold]baseline:naive=true[/] takes clues literally.")
