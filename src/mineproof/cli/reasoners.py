"""`mineproof reasoners`: one position, every reasoner side by side."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from mineproof.cli.options import json_option, position_options, seen_position

if TYPE_CHECKING:
    from rich.console import Console

    from mineproof.reasoning.ladder import Rung
    from mineproof.world.clues import ClueModel
    from mineproof.world.geometry import Grid
    from mineproof.world.view import Dots, View

_MOST = 6
"""Cells that a reasoner is the first to see and that are told with their reason."""


@click.command("reasoners")
@position_options
@json_option
def command(
    position: str | None,
    mines: int | None,
    dots: Dots | None,
    shape: Grid | None,
    clues: ClueModel,
    density: float | None,
    as_json: bool,
) -> None:
    """Compare what each reasoner deduces in one position.

    POSITION is a view, as `3x5/3 ?????/?12??/?????`, a file that holds one, a picture of a screen,
    a game ID, a board link, one of `mineproof examples`, or - for a pipe (see 'mineproof analyse
    -h' for what it may hold).

    JSON: [{"name", "about", "settled": [{"cell", "mine", "rule", "clues", "why"}], "first": cells
    that none before it settles, "missed": cells that are certain and that it does not see,
    "whole": false where there are too many open cells to ask it within the budget}].
    """
    from mineproof.protocol.telling import rung_json
    from mineproof.reasoning.ladder import compare

    view = seen_position(position, "reasoners", mines, dots, shape)
    rungs = compare(view, clues, density=density)
    if as_json:
        click.echo(json.dumps([rung_json(rung) for rung in rungs]))
    else:
        _show(view, rungs, clues, density)


def _show(view: View, rungs: list[Rung], clues: ClueModel, density: float | None) -> None:
    from rich.console import Console

    from mineproof.cli.screen import say
    from mineproof.cli.tables import Column, show_table
    from mineproof.reasoning.proofs import explain
    from mineproof.world.geometry import name_cell

    console = Console(highlight=False)
    columns = [Column("reasoner", 0), Column("safe", 1), Column("mined", 2), Column("new", 3)]
    columns += [Column("missed", 4), Column("by", 5, prose=True)]
    rows = []
    for rung in rungs:
        mined = sum(one.mine for one in rung.settled.values())
        counts = len(rung.settled) - mined, mined, len(rung.first), len(rung.missed)
        cut = "" if rung.whole else "; not asked: too many open cells for the budget"
        rows.append([rung.name, *map(str, counts), rung.about + cut])
    show_table(columns, rows, console=console, fold=True)
    _show_patterns(view, clues, console)
    for rung in rungs[1:]:
        if not rung.first:
            continue
        say(console, f"\nfirst seen by {rung.name}:")
        for cell in rung.first[:_MOST]:
            one = rung.settled[cell]
            if one.rule == "exact":  # which is no reason: a smallest proof is
                told = explain(view, cell, clues, density=density).headline
            else:
                told = f"{name_cell(cell)} is {'a mine' if one.mine else 'safe'}: {one.why}"
            say(console, f"  {told}")
        if len(rung.first) > _MOST:
            say(console, f"  and {len(rung.first) - _MOST} more")


def _show_patterns(view: View, clues: ClueModel, console: Console) -> None:
    """What has a name among players, where single clues see no more."""
    from mineproof.cli.screen import say
    from mineproof.reasoning.closure import close
    from mineproof.reasoning.knowledge import Knowledge
    from mineproof.reasoning.local import local
    from mineproof.reasoning.patterns import find, reduced, words

    knowledge = Knowledge(view, clues=clues)
    for _ in close(knowledge, (local,)):
        pass
    left = reduced(knowledge)
    found = [words(view, left, one) for one in find(view.grid, left)]
    if found:
        say(console, "\npatterns with a name, after single clues:")
    for text in found[:_MOST]:
        say(console, f"  {text}")
    if len(found) > _MOST:
        say(console, f"  and {len(found) - _MOST} more")
