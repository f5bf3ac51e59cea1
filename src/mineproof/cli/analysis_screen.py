"""The output of `mineproof analyse`: text and pictures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.formats.output_files import write_bytes, write_text

if TYPE_CHECKING:
    from rich.console import Console

    from mineproof.errors import Contradiction
    from mineproof.games.analysis import Opinion, WinProbability
    from mineproof.reasoning.posterior import Posterior
    from mineproof.world.move import Move
    from mineproof.world.view import View


def show(
    odds: Posterior, moves: list[Move], heading: str, assumed: str | None, trust_flags: bool
) -> Console:
    """Print the board with mine probabilities, the certain cells and the best moves."""
    from rich.console import Console

    from mineproof.cli.position_text import say, show_odds
    from mineproof.world.view import FLAGGED

    console = Console(highlight=False)
    say(console, heading, style="bold")
    show_odds(console, odds, moves, moves[0].cell if moves else None)
    if assumed is not None:
        say(console, f"assumed: {assumed}")
    if FLAGGED in odds.view.states and not trust_flags:
        say(console, "flags are marks, not evidence; use --trust-flags to treat them as mines")
    if moves or odds.mined:
        say(console, _how(odds))
    return console


def _how(odds: Posterior) -> str:
    if odds.exact:
        return "exact probabilities: every configuration was counted"
    error = f"{100 * odds.error:.2g} %"
    return f"estimated probabilities: too many cases to count; standard errors up to {error}"


def show_chance(console: Console, chance: WinProbability) -> None:
    """Print the win probability, exact or with its confidence interval."""
    from mineproof.cli.position_text import say

    if chance.error == 0:
        say(console, f"win probability with best play {100 * chance.chance:.2f} % (exact)")
    else:
        say(console, f"win probability {_estimated(chance)}")


def _estimated(chance: WinProbability) -> str:
    """`41.2 % (95 % CI 38.0 to 44.4 %)`."""
    mean, low, high = (100 * share for share in (chance.chance, *chance.interval))
    return f"{mean:.1f} % (95 % CI {low:.1f} to {high:.1f} %)"


def show_opinion(console: Console, opinion: Opinion) -> None:
    """Print the agent's move, its reason, and the other candidates."""
    from mineproof.cli.position_text import say
    from mineproof.errors import plural
    from mineproof.games.analysis import WinProbability
    from mineproof.world.geometry import name_cell

    move = opinion.move
    first = f"flag {plural(len(opinion.flags), 'mine')}, then " if opinion.flags else ""
    what = f"{opinion.agent.name}: {first}{move.action} {name_cell(move.cell)}"
    say(console, f"{what}: {move.reason}", style="bold")
    if opinion.advice is None or len(opinion.advice.candidates) < 2:
        return
    say(console, "  cell         risk   score   win probability")
    for one in opinion.advice.candidates[:8]:
        score = "     -" if one.score is None else f"{one.score:6.3f}"
        wins = "-" if one.win is None else f"{100 * one.win:.1f} %"
        if one.win is not None and one.error:
            wins = _estimated(WinProbability(one.win, one.error))
        say(console, f"  {name_cell(one.cell):8} {100 * one.risk:6.1f} %  {score}   {wins}")


def show_clash(view: View, clash: Contradiction, as_json: bool) -> None:
    """Print the board with the contradicting clues marked; the caller prints the error."""
    if as_json:
        found = {"clues": clash.clues, "count_used": clash.count_used}
        if not clash.irreducible:
            found["irreducible"] = False
        click.echo(json.dumps({"contradiction": found}))
        return
    from rich.console import Console

    from mineproof.cli import position_text

    position_text.show_clash(Console(highlight=False), view, clash)


def draw(
    odds: Posterior, moves: list[Move], assumed: str | None, svg: Path | None, png: Path | None
) -> None:
    """Write the requested pictures."""
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
    from mineproof.cli.position_text import name_risk
    from mineproof.world.geometry import name_cell

    if moves:
        best = moves[0]
        name = name_risk(best.risk, best.certain)
        yield f"best move {name_cell(best.cell)}: {name if best.certain else f'risk {name}'}"
    if not odds.exact:
        yield _how(odds)
    if assumed is not None:
        yield "no mine count given: every mine count is equally likely"
