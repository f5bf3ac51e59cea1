"""What `mineproof analyse` prints and draws."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.formats.writing import write_bytes, write_text

if TYPE_CHECKING:
    from rich.console import Console

    from mineproof.errors import Contradiction
    from mineproof.games.analysis import Chance, Opinion
    from mineproof.reasoning.posterior import Posterior
    from mineproof.world.move import Move
    from mineproof.world.view import View


def show(
    odds: Posterior, moves: list[Move], heading: str, assumed: str | None, trust_flags: bool
) -> Console:
    """The board with its odds, what is certain, and the best moves."""
    from rich.console import Console

    from mineproof.cli.screen import say, show_odds
    from mineproof.world.view import FLAGGED

    console = Console(highlight=False)
    say(console, heading, style="bold")
    show_odds(console, odds, moves, moves[0].cell if moves else None)
    if assumed is not None:
        say(console, f"assumed: {assumed}")
    if FLAGGED in odds.view.states and not trust_flags:
        say(console, "flags are marks, not evidence; --trust-flags takes them for mines")
    if moves or odds.mined:
        say(console, _how(odds))
    return console


def _how(odds: Posterior) -> str:
    if odds.exact:
        return "exact: all arrangements of mines that fit were weighed"
    return f"an estimate: too many cases to count; standard errors up to {100 * odds.error:.2g} %"


def show_chance(console: Console, chance: Chance) -> None:
    """The chance to win, exact or with its interval."""
    from mineproof.cli.screen import say

    if chance.error == 0:
        say(console, f"chance to win by best play: {chance.chance:.2%} (exact)")
        return
    low, high = chance.interval
    say(console, f"chance to win: {chance.chance:.1%} (95 %: {low:.1%} to {high:.1%}; played out)")


def show_opinion(console: Console, opinion: Opinion) -> None:
    """The agent's move, why, and what else it considered."""
    from mineproof.agents.champion import CONFIDENT
    from mineproof.cli.screen import say
    from mineproof.world.geometry import name_cell

    move = opinion.move
    first = f"flag {len(opinion.flags)} mined, then " if opinion.flags else ""
    what = f"{opinion.agent.name}: {first}{move.action} {name_cell(move.cell)}"
    say(console, f"{what}: {move.reason}", style="bold")
    if opinion.advice is None or len(opinion.advice.candidates) < 2:
        return
    say(console, "  cell      risk    score   wins, 95 %")
    for one in opinion.advice.candidates[:8]:
        score = "     -" if one.score is None else f"{one.score:6.3f}"
        wins = "-" if one.win is None else f"{one.win:.1%}"
        if one.error:
            wins += f" +- {CONFIDENT * one.error:.1%}"
        say(console, f"  {name_cell(one.cell):8} {one.risk:6.1%}  {score}   {wins}")


def show_clash(view: View, clash: Contradiction, as_json: bool) -> None:
    """The board with the clues that clash marked; the error itself is told by the caller."""
    if as_json:
        found = {"clues": clash.clues, "count_used": clash.count_used}
        if not clash.irreducible:
            found["irreducible"] = False
        click.echo(json.dumps({"contradiction": found}))
        return
    from rich.console import Console

    from mineproof.cli import screen

    screen.show_clash(Console(highlight=False), view, clash)


def draw(
    odds: Posterior, moves: list[Move], assumed: str | None, svg: Path | None, png: Path | None
) -> None:
    """The pictures that are wanted."""
    if svg is None and png is None:
        return
    from mineproof.render import odds_png, odds_svg

    if png is not None:
        write_bytes(png, odds_png(odds))
    if svg is not None:
        marked = moves[0].cell if moves else None
        caption = "; ".join(_caption(odds, moves, assumed))
        write_text(svg, odds_svg(odds, marked=marked, caption=caption))


def _caption(odds: Posterior, moves: list[Move], assumed: str | None) -> Iterator[str]:
    from mineproof.cli.screen import name_risk
    from mineproof.world.geometry import name_cell

    if moves:
        best = moves[0]
        name = name_risk(best.risk, best.certain)
        yield f"best move {name_cell(best.cell)}: {name if best.certain else f'risk {name}'}"
    if not odds.exact:
        yield _how(odds)
    if assumed is not None:
        yield "no mine count given: every total taken to be as likely as any other"
