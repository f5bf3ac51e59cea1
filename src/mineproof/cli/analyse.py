"""`mineproof analyse`: the mine probability of every hidden cell."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.cli.analysis_screen import draw, show, show_chance, show_clash, show_opinion
from mineproof.cli.options import (
    AGENT,
    CELL,
    FILE,
    WHOLE,
    is_example,
    json_option,
    position_options,
    read_position,
)
from mineproof.errors import Contradiction, InvalidInput
from mineproof.formats.output_files import write_text

if TYPE_CHECKING:
    from mineproof.games.analysis import Opinion, WinProbability
    from mineproof.games.cell_analysis import CellAnalysis
    from mineproof.reasoning.posterior import Posterior
    from mineproof.world.clues import ClueModel
    from mineproof.world.geometry import Cell, Grid
    from mineproof.world.rules import OnMine, Rules
    from mineproof.world.view import Dots, View


@click.command("analyse")
@position_options
@click.option("--trust-flags", is_flag=True, help="Treat flags as mines. [default: as mere marks]")
@click.option("--agent", type=AGENT, help="Also show this agent's move and its reason.")
@click.option(
    "--log",
    type=click.Path(),
    help="With --agent: write its full reasoning to a file (- for stdout).",
)
@click.option(
    "--budget",
    type=WHOLE,
    help="Playouts for win probabilities. [default: about one second's worth]",
)
@click.option("--cell", type=CELL, help="Also evaluate opening this hidden cell.")
@click.option(
    "--on-mine",
    type=click.Choice(["end", "continue"]),
    help="With --cell: end the game at a mine, or continue. [default: end]",
)
@click.option("--top", type=WHOLE, default=5, show_default=True, help="Number of moves to list.")
@click.option(
    "--svg",
    type=FILE,
    help="Write the mine probabilities to this file as SVG.",
)
@click.option(
    "--png",
    type=FILE,
    help="Write the mine probabilities to this file as PNG, without text.",
)
@json_option
def command(
    position: str | None,
    mines: int | None,
    dots: Dots | None,
    shape: Grid | None,
    clues: ClueModel,
    density: float | None,
    trust_flags: bool,
    agent: str | None,
    log: str | None,
    budget: int | None,
    cell: Cell | None,
    on_mine: OnMine | None,
    top: int,
    svg: Path | None,
    png: Path | None,
    as_json: bool,
) -> None:
    """Show mine probabilities, best moves and win probability.

    POSITION is a view such as `2x3/2 ???/121`, on one line or several; a game ID of Simon Tatham's
    Mines (its first cell is then open); a board link (all cells are hidden); a file with any of
    these; a screenshot, if every cell can be read with certainty; `-` (or no argument) for a
    pipe; or a name from `mineproof examples`. A view is the shape and the mine count (both
    optional), followed by one symbol per cell: `?` (or `.`) hidden, `s` known safe, `0`-`8` clue,
    `-` opened without a clue, `*` exploded, `F` flagged. Symbols of other programs (`#`, `_`, `P`,
    a blank for zero) are accepted if they are unambiguous.

    With --cell it shows one hidden cell in full: its mine probability, the clues that it may show,
    and the win probability if you open it, compared with the best move; with --on-mine continue,
    the expected score instead.

    With --agent A and `--log -`, it prints only that agent's full reasoning, as a game log does:
    equations, matrices, components with their configurations, and the choice.

    JSON: {"risk": rows of numbers or null, "safe": cells, "mined": cells, "best":
    [{"cell", "risk"}], "exact", "error", "log_weight", "assumed", "win": {"chance",
    "error", "exact", "interval"} or null}; with --agent, "agent": its move, and for the champion
    "candidates": [{"cell", "risk", "score", "win", "error", "loss"}]; for a screenshot, "view",
    "skin" and "confidence", rows of numbers from 0 to 1; with --cell, "cell": {"cell", "risk",
    "certain", "shown": [{"clue", "chance"}], "exact", "error", "win" and "score" or null,
    "missing": why both are null, "best": {"cell", "action", "risk", "win", "score"}}. If no
    configuration is possible, the exit code is 2 and the output is {"contradiction": {"clues":
    cells, "count_used"}}. If the budget ran out, "irreducible": false is added: fewer clues may be
    enough, and if none are listed, none were found in time.
    """
    from mineproof.cli.position_text import assumption, name_prior, say
    from mineproof.games import analysis
    from mineproof.games.cell_analysis import analyse_cell
    from mineproof.reasoning.posterior import posterior

    _check(top, cell, on_mine, agent, log)
    if log == "-" and as_json:
        raise InvalidInput(
            "--log - and --json both write to standard output: write the log to a file"
        )
    view, picture = read_position(position, "analyse", mines, dots, shape)
    if agent is not None and log is not None:
        known = position is None or mines is not None or density is not None
        _write_log(agent, view, clues, log, None if known else position, density)
        if log == "-":
            return
    try:
        odds = posterior(view, clues, density=density, trust_flags=trust_flags)
    except Contradiction as clash:
        show_clash(view, clash, as_json)
        raise
    asked: CellAnalysis | None = None
    opinion: Opinion | None = None
    if cell is not None:
        rules = replace(analysis.rules_for(view, density), on_mine=on_mine or "end")
        asked = analyse_cell(view, cell, clues, rules=rules, trust_flags=trust_flags, games=budget)
        chance, move = asked.best and asked.best.win, asked.best_move
    else:
        opinion, chance = _judge(odds, clues, density, trust_flags, agent, budget)
        move = opinion.move if opinion is not None and opinion.chance is not None else None
    moves = analysis.best_moves(odds, top)
    if move is not None:
        moves = analysis.begin_with(move, moves)
    assumed = assumption(view, density)
    draw(odds, moves, assumed, svg, png)
    if as_json:
        data = {**analysis.odds_json(odds, moves), "assumed": assumed}
        data["win"] = chance and chance.to_json()
        data |= {} if asked is None else {"cell": asked.to_json()}
        for more in (opinion, picture):
            data |= {} if more is None else more.to_json()
        click.echo(json.dumps(data, allow_nan=False))
        return
    words = "" if picture is None else f"; {picture.words}"
    heading = f"{view.rows}x{view.cols}, {name_prior(view, density)}, {clues} clues{words}"
    console = show(odds, moves, heading, assumed, trust_flags)
    if asked is not None:
        say(console, str(asked))
    elif chance is not None and moves:
        show_chance(console, chance)
    if opinion is not None:
        show_opinion(console, opinion)


def _check(
    top: int, cell: Cell | None, on_mine: str | None, agent: str | None, log: str | None
) -> None:
    """Raise an error for options that cannot be combined."""
    if top < 1:
        raise InvalidInput(f"--top must be at least 1, got {top}")
    if cell is not None and agent is not None:
        raise InvalidInput("--cell compares the cell with the champion's move: leave out --agent")
    if on_mine is not None and cell is None:
        raise InvalidInput("--on-mine needs --cell: name the cell to evaluate")
    if log is not None and agent is None:
        raise InvalidInput("--log needs --agent: name the agent whose reasoning to write")


def _printed_rules(position: str) -> Rules | None:
    """The rules of the game in the report, if the position is an example that has them."""
    from mineproof.formats import examples
    from mineproof.world.rules import Rules

    if not is_example(position):
        return None
    rules = examples.get(position).rules
    return Rules(**rules) if rules else None


def _write_log(
    agent: str, view: View, clues: ClueModel, path: str, name: str | None, density: float | None
) -> None:
    """Write the reasoning of an agent; if `name` is an example, under the rules of that example."""
    from mineproof.agents import get
    from mineproof.games.analysis import rules_for
    from mineproof.games.position_log import position_log
    from mineproof.printable import printable

    rules = None if name is None else _printed_rules(name)
    rules = rules or rules_for(view, density)
    if not rules.count_known:
        view = replace(view, mines=None)
    lines = position_log(get(agent), view, rules=rules, clues=clues)
    if path == "-":
        for line in lines:
            click.echo(printable(line))
    else:
        write_text(Path(path), "".join(f"{printable(line)}\n" for line in lines))


def _judge(
    odds: Posterior,
    clues: ClueModel,
    density: float | None,
    trust_flags: bool,
    agent: str | None,
    budget: int | None,
) -> tuple[Opinion | None, WinProbability | None]:
    """The agent's opinion, if there is an agent, and the win probability of the position."""
    from mineproof.agents import get
    from mineproof.games import analysis

    recipe = None if agent is None else get(agent)
    opinion = None
    if recipe is not None:
        opinion = analysis.opinion(recipe, odds.view, clues, density, games=budget)
    chance = None if opinion is None else opinion.chance
    if chance is None and not trust_flags:
        games = budget or analysis.GAMES
        chance = analysis.win_chance(odds.view, clues, recipe, games=games, odds=odds)
    return opinion, chance
