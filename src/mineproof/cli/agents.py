"""`mineproof agents`: list all agents or describe one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from mineproof.cli.options import AGENT, json_option
from mineproof.errors import InvalidInput

if TYPE_CHECKING:
    from mineproof.agents import Recipe


@click.command("agents")
@click.argument("name", required=False, type=AGENT)
@click.option("--long", is_flag=True, help="Also show each agent's reasoners, guesser and origin.")
@json_option
def command(name: str | None, long: bool, as_json: bool) -> None:
    """List all agents, or describe one.

    With NAME, describe that agent and its options.

    JSON: {"agents": [{"name", "title", "reasoners", "guess", "sound", "origin", "about", "options":
    [{"name", "kind", "about", "origin"}]}]}.
    """
    from mineproof.agents import RECIPES, Recipe, get, names

    if name is not None and not isinstance(get(name), Recipe):
        raise InvalidInput(f"{name!r} is your own agent: try 'mineproof check-agent'")
    recipes = list(RECIPES.values()) if name is None else [get(name)]
    if as_json:
        click.echo(json.dumps({"agents": [_described(one) for one in recipes]}, indent=2))
    elif name is not None:
        _show_one(recipes[0])
    else:
        _show(recipes, [one for one in names() if one not in RECIPES], long=long)


def _described(recipe: Recipe) -> dict[str, Any]:
    from mineproof.agents.builtin import options_of

    return {
        "name": recipe.name,
        "title": recipe.title,
        "reasoners": recipe.reasons_by,
        "guess": recipe.guesses_by,
        "sound": recipe.sound,
        "origin": recipe.origin,
        "about": recipe.about,
        "options": [
            {"name": name, "kind": how.kind.__name__, "about": how.about, "origin": how.origin}
            for name, how in options_of(recipe).items()
        ],
    }


def _show(recipes: list[Recipe], others: list[str], *, long: bool) -> None:
    from rich.console import Console

    from mineproof.cli.position_text import say
    from mineproof.cli.terminal_tables import TableColumn, show_table

    console = Console(highlight=False)
    columns = [TableColumn("agent", 0), TableColumn("title", 2, prose=True)]
    columns += [TableColumn("what it does", 1, prose=True)]
    rows = [[one.name, one.title, one.about] for one in recipes]
    if long:
        heads = ("reasoners", "guesser", "from")
        columns += [TableColumn(head, rank, prose=True) for rank, head in enumerate(heads, 3)]
        details = ([one.reasons_by, one.guesses_by, _origin(one)] for one in recipes)
        rows = [row + more for row, more in zip(rows, details, strict=True)]
    show_table(columns, rows, console=console, fold=long)
    if others:
        say(console, f"from installed packages: {', '.join(others)}")
    say(console, "Try next: mineproof agents NAME (or --long)")


def _origin(recipe: Recipe) -> str:
    """Where an agent comes from, in words."""
    return "this project" if recipe.origin == "beyond" else recipe.origin


def _show_one(recipe: Recipe) -> None:
    """Describe an agent and its options."""
    from rich.console import Console

    from mineproof.agents.builtin import options_of
    from mineproof.cli.position_text import say

    sound = "yes: with exact clues, what it calls certain is never wrong"
    console = Console(highlight=False)
    say(console, f"{recipe.name} ({recipe.title}): {recipe.about}", style="bold")
    for head, text in (
        ("reasoners", recipe.reasons_by),
        ("guesser", recipe.guesses_by),
        ("from", _origin(recipe)),
        ("sound", sound if recipe.sound else "no: what it calls certain may be wrong"),
    ):
        say(console, f"  {head:<14}{text}")
    say(console, "Options follow the name and a colon, for example baseline:naive=true.")
    for name, how in options_of(recipe).items():
        origin = "" if how.origin == "beyond" else f" ({how.origin})"
        say(console, f"  {name:<14}{how.about.removesuffix('.')}{origin}")
