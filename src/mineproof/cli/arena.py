"""`mineproof arena`: agents on the same boards."""

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
from mineproof.errors import InvalidInput

if TYPE_CHECKING:
    from mineproof.formats.boards import Given
    from mineproof.series.arena import Arena
    from mineproof.series.executing import Progress
    from mineproof.series.games import Games
    from mineproof.series.standings import Standings
    from mineproof.world.board import Board
    from mineproof.world.geometry import Cell
    from mineproof.world.rules import Rules

_BOUND = 1_000_000
"""Boards, where somebody wants to know a difference and says nothing of games."""

Write = Callable[[list["Games"]], None]


@click.command("arena")
@click.option(
    "--agents",
    type=AGENTS,
    default=f"baseline,{DEFAULT_AGENT}",
    show_default=True,
    help="Who plays, separated by commas.",
)
@board_options
@click.option("--boards", type=click.Path(dir_okay=False), help="Play the boards of this file.")
@click.option("--games", type=WHOLE, help="How many boards. [default: 1000, or the whole file]")
@click.option(
    "--until",
    type=float,
    help="Go on until all differences are known to so many points, for at most --games boards. "
    "[then by default: 1000000]",
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="Names the series of boards.")
@click.option(
    "--sealed",
    is_flag=True,
    help="Draw boards, noise and order from a secret too: agents cannot find them by trying seeds.",
)
@click.option("--salt", help="Play the games of a sealed arena again: the salt that it told.")
@rule_options
@click.option("--workers", type=WHOLE, help="Processes. [default: one for each core]")
@seconds_option
@click.option(
    "--per-game",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a CSV line for every game.",
)
@json_option
def command(
    agents: list[str],
    boards: str | None,
    games: int | None,
    until: float | None,
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

    Rates have 95 % Wilson intervals, means Student's; differences are paired,
    board by board. With --until those are of a kind that may be looked at any time, as is done
    there to see when it is enough. Ctrl-C ends early with the games played so far. JSON:
    {"agents": [{"name", "games", "wins", "win_rate", "score", "cpu_seconds", ...}],
    "paired": [{"first", "second", "of", "difference", "standard_error", ...}],
    "board", "rules", "clues", "start", "seed", "salt", "until", "known", "interrupted"}.
    """
    from mineproof.cli.watching import watch
    from mineproof.series.arena import Arena

    if games is not None and games < 1:
        raise InvalidInput(f"at least 1 game is needed, got --games {games}")
    source, start, rules = _ground(boards, options)
    if boards is None:
        games = games or (1000 if until is None else _BOUND)
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
        until=until,
    )
    with _writer(per_game, arena) as write:
        # Whatever is written of sealed games helps whoever has still to play them.
        interrupted = watch(arena.work() if sealed else _written(arena, write))
        write(arena.blocks)
    return _tell(arena, seed, games, interrupted=interrupted, as_json=as_json)


def _ground(boards: str | None, options: dict[str, Any]) -> tuple[Any, Any, Rules]:
    """What is played on: boards from their start, or a kind of board; and the rules."""
    start = options.pop("start")
    if boards is None:
        deal = take_deal(options)
        return deal, start, take_rules(options, deal)
    from mineproof.formats.boards import stream

    refuse_shape(options, "--boards")
    given = stream(boards)
    first = next(given)  # there is one, or an error
    begin = start or first.start
    rules = take_rules(options, None, "any" if begin is None else "safe")
    return _alike(chain([first], given), first.start, start, boards), begin, rules


def _alike(
    given: Iterable[Given], begin: Cell | None, start: Cell | None, name: str
) -> Iterator[Board]:
    """Boards that all begin at the same cell, unless that was said to be another."""
    for number, one in enumerate(given, start=1):
        if start is None and one.start != begin:
            raise InvalidInput(
                f"{name}: board {number} begins at another cell than board 1: give --start"
            )
        yield one.board


def _written(arena: Arena, write: Write) -> Generator[Progress, None, None]:
    """The work of an arena; games are written as they are finished."""
    with closing(arena.work()) as work:
        for progress in work:
            write(arena.blocks)
            yield progress


def _tell(arena: Arena, seed: int, wanted: int | None, *, interrupted: bool, as_json: bool) -> int:
    """Print the standings over the boards that all agents finished."""
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
            click.echo(f"sealed: --seed {seed} --salt {arena.salt} plays the same games again")
        if standings.until is not None:
            click.echo(_how_well(standings, boards))
        if interrupted:
            click.echo(f"interrupted: these are the first {boards} boards")
    return 130 if interrupted else 0


def _how_well(standings: Standings, boards: int) -> str:
    points = f"{standings.until:g} points"
    if standings.known:
        return f"known to {points} after {boards} boards"
    return f"not known to {points} after {boards} boards: that takes more"


@contextmanager
def _writer(path: Path | None, arena: Arena) -> Iterator[Write]:
    """A function that writes those of these tables that it was not given before, as CSV.

    The file of a sealed arena is private until it is whole.
    """
    if path is None:
        yield lambda _: None
        return
    if str(path) == "-":
        raise InvalidInput("--per-game needs a file: standard output has the standings")
    from mineproof.formats.writing import naming, opened
    from mineproof.series.export import csv_head, csv_lines

    salt = arena.salt
    with opened(path, newline="", private=arena.sealed) as file:
        lines = csv.writer(file)
        with naming(path):
            lines.writerow(csv_head(salt))
        written = 0

        def write(blocks: list[Games]) -> None:
            nonlocal written
            with naming(path):
                for block in blocks[written:]:  # whoever kills us has what was played
                    lines.writerows(csv_lines(block, salt))
            written = len(blocks)

        yield write


def _show(standings: Standings) -> None:
    from rich.console import Console

    from mineproof.cli.screen import say
    from mineproof.cli.tables import Column, show_table
    from mineproof.series.standings import fault_lines, mean_cells, paired_table

    scored = any(one.score is not None for one in standings.agents)
    columns = [Column("agent", 0), Column("games", 6)]
    columns += [Column("won %", 3 if scored else 1), Column("95 %", 4 if scored else 2)]
    columns += [Column("score", 1), Column("95 %", 2)] if scored else []
    columns += [Column("guesses", 7), Column("mines hit", 5), Column("games / CPU-s", 8)]
    rows = []
    for one in standings.agents:
        low, high = one.win_interval
        row = [one.name, f"{one.games}", f"{100 * one.win_rate:.2f}"]
        row.append(f"{100 * low:.2f} - {100 * high:.2f}")
        if scored:
            row += ["-", "-"] if one.score is None else mean_cells(one.score, ".4f", "-")
        row += [f"{one.guesses:.2f}", f"{one.exploded:.2f}", f"{one.games_per_cpu_second:.0f}"]
        rows.append(row)
    console = Console(highlight=False)
    say(console, str(standings.conditions))
    show_table(columns, rows, console=console)
    for line in fault_lines(standings.agents):
        say(console, line)
    for one in standings.agents:
        if one.deductions:
            proved = ", ".join(f"{number:.1f} {rule}" for rule, number in one.deductions.items())
            say(console, f"{one.name} proved a game: {proved}")
        if one.estimates:
            share = one.estimates / one.moves
            say(console, f"{one.name} estimated {share:.1%} of its moves: too much to count")
    heads, *differences = paired_table(standings.paired, anytime=standings.until is not None)
    if differences:
        say(console, "")
        about = [Column(head, 0, number=place > 0) for place, head in enumerate(heads)]
        show_table(about, differences, console=console)
