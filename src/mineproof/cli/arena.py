"""`mineproof arena`: compare agents on the same boards."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mineproof.cli.options import (
    AGENTS,
    DEFAULT_AGENT,
    FILE,
    SEED,
    WHOLE,
    board_options,
    json_option,
    refuse_shape,
    rule_options,
    seconds_option,
    take_deal,
    take_rules,
)
from mineproof.errors import InvalidInput, plural

if TYPE_CHECKING:
    from mineproof.formats.board_files import BoardWithStart
    from mineproof.series.arena import Arena
    from mineproof.series.game_table import GameTable
    from mineproof.series.parallel import Progress
    from mineproof.series.standings import Standings
    from mineproof.world.board import Board
    from mineproof.world.geometry import Cell
    from mineproof.world.rules import Rules

_BOUND = 1_000_000
"""The default of `--games` with `--precision`."""

Write = Callable[[list["GameTable"]], None]


@click.command("arena")
@click.option(
    "--agents",
    type=AGENTS,
    default=f"baseline,{DEFAULT_AGENT}",
    show_default=True,
    help="Agents to compare, separated by commas.",
)
@board_options
@click.option("--boards", type=click.Path(dir_okay=False), help="Play the boards in this file.")
@click.option("--games", type=WHOLE, help="Number of boards. [default: 1000, or the whole file]")
@click.option(
    "--precision",
    type=float,
    metavar="POINTS",
    help="Stop when all differences are known to within this many percentage points, or after "
    "--games boards (1000000 unless given).",
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="Random seed for the boards.")
@click.option(
    "--sealed",
    is_flag=True,
    help="Add a secret to the seed, so that agents cannot reconstruct the boards from it.",
)
@click.option("--salt", help="Repeat a sealed arena, given the salt that it printed.")
@rule_options
@click.option("--workers", type=WHOLE, help="Number of processes. [default: one per core]")
@seconds_option
@click.option(
    "--per-game",
    type=FILE,
    help="Write one CSV line per game to this file.",
)
@json_option
def command(
    agents: list[str],
    boards: str | None,
    games: int | None,
    precision: float | None,
    seed: int,
    sealed: bool,
    salt: str | None,
    seconds: float | None,
    workers: int | None,
    per_game: Path | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Compare agents on the same boards.

    Win rates have 95 % Wilson intervals, mean scores Student's t intervals. Differences are paired,
    board by board. --precision uses anytime-valid confidence sequences, so looking early is fine.
    Ctrl-C stops early and shows the results so far. `mineproof agents` describes all agents.

    JSON: {"agents": [{"name", "games", "wins", "win_rate", "score", "cpu_seconds", ...}],
    "paired": [{"first", "second", "of", "difference", "standard_error", ...}],
    "board", "rules", "clues", "start", "seed", "salt", "until", "known", "interrupted"}.
    """
    from mineproof.cli.progress import watch
    from mineproof.series.arena import Arena

    if games is not None and games < 1:
        raise InvalidInput(f"--games must be at least 1, got {games}")
    source, start, rules = _ground(boards, options)
    if boards is None:
        games = games or (1000 if precision is None else _BOUND)
    arena = Arena(
        agents,
        source,
        games=games,
        rules=rules,
        clues=options["clues"],
        start=start,
        seed=seed,
        workers=workers,
        sealed=sealed,
        salt=salt,
        seconds=seconds,
        until=precision,
    )
    with _writer(per_game, arena) as write:
        # Sealed games are written at the end: agents that are still playing could read them.
        interrupted = watch(arena.work() if sealed else _written(arena, write))
        write(arena.blocks)
    return _show_standings(arena, seed, games, interrupted=interrupted, as_json=as_json)


def _ground(boards: str | None, options: dict[str, Any]) -> tuple[Any, Any, Rules]:
    """Return the boards (or how to deal them), the first cell and the rules."""
    start = options.pop("start")
    if boards is None:
        deal = take_deal(options)
        return deal, start, take_rules(options, deal)
    from mineproof.formats.board_files import stream

    refuse_shape(options, "--boards")
    listed = stream(boards)
    first = next(listed)  # there is one, or an error
    begin = start or first.start
    rules = take_rules(options, None, "any" if begin is None else "safe")
    return _alike(chain([first], listed), first.start, start, boards), begin, rules


def _alike(
    listed: Iterable[BoardWithStart], begin: Cell | None, start: Cell | None, name: str
) -> Iterator[Board]:
    """Yield boards; raise InvalidInput if they start at different cells and no --start is given."""
    for number, one in enumerate(listed, start=1):
        if start is None and one.start != begin:
            raise InvalidInput(
                f"{name}: board {number} and board 1 start at different cells; give --start"
            )
        yield one.board


def _written(arena: Arena, write: Write) -> Generator[Progress, None, None]:
    """Run an arena, and write games as they finish."""
    with closing(arena.work()) as work:
        for progress in work:
            write(arena.blocks)
            yield progress


def _show_standings(
    arena: Arena, seed: int, wanted: int | None, *, interrupted: bool, as_json: bool
) -> int:
    """Print the standings on the boards that all agents finished; return the exit code."""
    from mineproof.series.standings import summarise
    from mineproof.world.chance import seed_to_json

    games = arena.games()
    boards = len(games) // len(games.agents)
    if boards == 0:
        click.echo("interrupted before the first board was finished", err=True)
        return 130
    standings = summarise(games, arena.conditions, arena.salt, arena.until)
    if wanted is not None and boards < wanted and not interrupted and not standings.known:
        click.echo(f"the file ended after {boards} of {wanted} boards", err=True)
    if as_json:
        setting = {"seed": seed_to_json(seed), "interrupted": interrupted}
        click.echo(json.dumps(standings.to_json() | setting, indent=2))
    else:
        _show(standings)
        if arena.salt is not None:
            click.echo(f"sealed: repeat these games with --seed {seed} --salt {arena.salt}")
        if standings.until is not None:
            click.echo(_how_well(standings, boards))
        if interrupted:
            click.echo(f"interrupted: results of the first {plural(boards, 'board')}")
    return 130 if interrupted else 0


def _how_well(standings: Standings, boards: int) -> str:
    within = f"within {standings.until:g} point{'s' * (standings.until != 1)}"
    after = f"{within} after {boards:,} boards"
    what = "all differences" if len(standings.paired) > 1 else "difference"
    return f"{what} known to {after}" if standings.known else f"not known to {after}: play more"


@contextmanager
def _writer(path: Path | None, arena: Arena) -> Iterator[Write]:
    """Return a function that writes, as CSV, those of the given tables that are new.

    The file of a sealed arena is private until it is complete.
    """
    if path is None:
        yield lambda _: None
        return
    if str(path) == "-":
        raise InvalidInput("--per-game needs a file name: standard output is for the standings")
    from mineproof.formats.output_files import naming, opened
    from mineproof.series.export import csv_head, csv_lines

    salt = arena.salt
    with opened(path, newline="", private=arena.sealed) as file:
        lines = csv.writer(file)
        with naming(path):
            lines.writerow(csv_head(salt))
        written = 0

        def write(blocks: list[GameTable]) -> None:
            nonlocal written
            with naming(path):
                for block in blocks[written:]:  # so that a killed run keeps its games
                    lines.writerows(csv_lines(block, salt))
            written = len(blocks)

        yield write


def _show(standings: Standings) -> None:
    from rich.console import Console

    from mineproof.agents.builtin import proves
    from mineproof.cli.position_text import say
    from mineproof.cli.terminal_tables import TableColumn, show_table
    from mineproof.series.standings import paired_table, standing_cells

    on, scored = standings.conditions, any(one.score is not None for one in standings.agents)
    columns = [TableColumn("agent", 0), TableColumn("games", 6)]
    columns += [
        TableColumn("won %", 3 if scored else 1),
        TableColumn("95 % CI", 4 if scored else 2),
    ]
    columns += [TableColumn("score", 1), TableColumn("95 % CI", 2)] if scored else []
    columns += [
        TableColumn("guesses", 7),
        TableColumn("mines hit", 5),
        TableColumn("games / CPU-s", 8),
    ]
    rows = []
    for one in standings.agents:
        row = standing_cells(one, scored=scored)
        rows.append([*row, f"{one.exploded:.2f}", f"{one.games_per_cpu_second:.0f}"])
    console = Console(highlight=False)
    say(console, str(on))
    show_table(columns, rows, console=console)
    for line in standings.notes:
        say(console, line)
    for one in standings.agents:
        if one.deductions:
            proved = ", ".join(f"{rule} {number:.1f}" for rule, number in one.deductions.items())
            sound = on is None or proves(one.name, on.clues)
            what = "deductions" if sound else "claims"
            say(console, f"{what} per game of {one.name}, by rule: {proved}")
        if one.estimates:
            share = one.estimates / one.moves
            say(console, f"moves based on estimates ({one.name}): {100 * share:.1f} %")
    heads, *differences = paired_table(standings.paired, anytime=standings.until is not None)
    if differences:
        say(console, "")
        about = [TableColumn(head, 0, number=place > 0) for place, head in enumerate(heads)]
        show_table(about, differences, console=console)
