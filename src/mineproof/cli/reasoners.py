"""`mineproof reasoners`: compare all reasoners on one position."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from mineproof.cli.options import json_option, position_options, seen_position

if TYPE_CHECKING:
    from rich.console import Console

    from mineproof.reasoning.reasoner_comparison import ReasonerResult
    from mineproof.world.clues import ClueModel
    from mineproof.world.geometry import Grid
    from mineproof.world.view import Dots, View

_MOST = 6
"""The most cells per reasoner that are shown with their reason."""


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

    POSITION is a view such as `3x5/3 ?????/?12??/?????`, a file with one, a screenshot, a game ID,
    a board link, a name from `mineproof examples`, or - to read from a pipe (`mineproof analyse -h`
    describes all of them).

    JSON: [{"name", "title", "about", "settled": its deductions [{"cell", "mine", "rule", "clues",
    "why"}], "first": cells that no reasoner before it deduces, "missed": certain cells that it does
    not deduce, "whole": false if the position has too many unresolved cells for it}].
    """
    from mineproof.protocol.serializers import reasoner_result_json
    from mineproof.reasoning.reasoner_comparison import compare

    view = seen_position(position, "reasoners", mines, dots, shape)
    results = compare(view, clues, density=density)
    if as_json:
        click.echo(json.dumps([reasoner_result_json(result) for result in results]))
    else:
        _show(view, results, clues, density)


def _show(
    view: View, results: list[ReasonerResult], clues: ClueModel, density: float | None
) -> None:
    from rich.console import Console

    from mineproof.cli.position_text import say
    from mineproof.cli.terminal_tables import TableColumn, show_table
    from mineproof.reasoning.proofs import explain
    from mineproof.world.geometry import name_cell

    console = Console(highlight=False)
    columns = [
        TableColumn("reasoner", 0),
        TableColumn("safe", 1),
        TableColumn("mines", 2),
        TableColumn("new", 3),
    ]
    columns += [TableColumn("missed", 4), TableColumn("method", 5, prose=True)]
    rows = []
    for result in results:
        mines = sum(one.mine for one in result.settled.values())
        counts = len(result.settled) - mines, mines, len(result.first), len(result.missed)
        cut = "" if result.whole else "; skipped: too many unresolved cells"
        rows.append([result.name, *map(str, counts), f"{result.title}: {result.about}{cut}"])
    show_table(columns, rows, console=console, fold=True)
    _show_patterns(view, clues, console)
    for result in results[1:]:
        if not result.first:
            continue
        say(console, f"\nnew with {result.name}:")
        for cell in result.first[:_MOST]:
            one = result.settled[cell]
            if one.rule == "exact":  # a smallest proof says more than its reason
                shown = explain(view, cell, clues, density=density).headline
            else:
                shown = f"{name_cell(cell)} is {'a mine' if one.mine else 'safe'}: {one.why}"
            say(console, f"  {shown}")
        if len(result.first) > _MOST:
            say(console, f"  and {len(result.first) - _MOST} more")


def _show_patterns(view: View, clues: ClueModel, console: Console) -> None:
    """Show the patterns that have a name, after single clues deduce nothing more."""
    from mineproof.cli.position_text import say
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
        say(console, "\nnamed patterns, after the local rules:")
    for text in found[:_MOST]:
        say(console, f"  {text}")
    if len(found) > _MOST:
        say(console, f"  and {len(found) - _MOST} more")
