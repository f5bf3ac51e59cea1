"""`mineproof play`: an agent plays a game, shown live."""

from __future__ import annotations

import json
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mineproof.cli.options import (
    AGENT,
    SEED,
    WHOLE,
    board_options,
    is_example,
    json_option,
    override_rules,
    refuse_shape,
    rule_options,
    seconds_option,
    take_deal,
    take_rules,
)
from mineproof.errors import InvalidInput

if TYPE_CHECKING:
    from mineproof.games.match import Match, Turn
    from mineproof.games.playbyplay import LogLevel

_UNCERTAIN = 9, 9, 6
"""Rows, columns and mines where clues are uncertain: larger or denser, there is little to tell."""


@click.command("play")
@click.option(
    "--agent",
    type=AGENT,
    help="Who plays. [default: baseline; with uncertain clues exact; on a report's board its own]",
)
@board_options
@click.option(
    "--board",
    type=click.Path(),
    help="Play this board: a text file, - for stdin, or a name (see mineproof examples).",
)
@click.option("--nth", type=WHOLE, help="With --board: which board of the file. [default: 1]")
@click.option("--seed", type=SEED, help="Names the game; else it is a new one.")
@rule_options
@seconds_option
@click.option("--delay", type=float, default=0.04, show_default=True, help="Seconds a move.")
@click.option("--plain", is_flag=True, help="No live board, as when piped.")
@click.option("--truth", is_flag=True, help="Show the truth next to what the agent knows.")
@click.option("--step", is_flag=True, help="A key a move: space on, b back, o odds, w why, q quit.")
@click.option(
    "--svg",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write pictures to this folder: the end, and the whole game as a moving one.",
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the game to this file: .jsonl (a line more), .rawvf, else JSON.",
)
@click.option("--every", type=WHOLE, help="With --svg: a picture every so many moves, too.")
@click.option(
    "--log", type=click.Path(), help="Write the play-by-play to this file, or - for stdout."
)
@click.option(
    "--log-level",
    type=click.Choice(["moves", "reasons", "boards", "all"]),
    help="A line a move; with reasons; with boards, too; or all that is thought. [default: all]",
)
@json_option
def command(
    agent: str | None,
    board: str | None,
    nth: int | None,
    seed: int | None,
    delay: float,
    plain: bool,
    truth: bool,
    step: bool,
    svg: Path | None,
    save: Path | None,
    every: int | None,
    log: str | None,
    log_level: LogLevel | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Watch an agent play one game and explain its moves.

    Unless told otherwise it is an expert board, and 9x9 with 6 mines where clues are
    uncertain: on more, every game is over soon. The last line says `won` or `lost`;
    with --on-mine continue, the score. JSON is the record: board, rules, moves with
    their reasons, outcome.

    A board of the reports (--board report004-7x7) plays as in the report: its agent, its rules,
    and its choices where nothing is certain. Options override each of these.
    """
    from mineproof.cli.play import ending, live, stepping, svg_files
    from mineproof.cli.play.again import Again
    from mineproof.games import replays
    from mineproof.world.chance import fresh_seed
    from mineproof.world.clues import Exact

    if not 0 <= delay <= 60:
        raise InvalidInput(f"--delay is from 0 to 60 seconds, got {delay}")
    if every is not None and (every < 1 or svg is None):
        raise InvalidInput("--every is at least 1 and goes with --svg")
    if log_level is not None and log is None:
        raise InvalidInput("--log-level goes with --log")
    if log == "-" and as_json:
        raise InvalidInput("--log - and --json both write to standard output: give --log a file")
    if truth and (step or as_json or log == "-"):
        raise InvalidInput("--truth shows boards: not with --step, --json or --log -")
    if step and (plain or as_json or log == "-"):
        raise InvalidInput("--step draws boards: not with --plain, --json or --log -")
    if step:
        stepping.check_terminal()
    printed = board is not None and is_example(board)
    if seed is None:
        seed = 0 if printed else fresh_seed()
    context = click.get_current_context()
    if board is not None and printed:
        match = _begin_printed(agent, board, nth, seed, options)
    else:
        agent = agent or ("baseline" if isinstance(options["clues"], Exact) else "exact")
        match = _begin(agent, board, nth, seed, options)
    again = Again.of(context, match, logged=log is not None)
    with _logged(match, log, log_level or "all") as turns:
        code = None
        if as_json or log == "-":
            for _ in turns:
                pass
        elif step:
            code = stepping.show(match, turns)
        else:
            code = live.show(match, turns, delay=delay, plain=plain, truth=truth)
        if code is not None:
            return code
    record = match.record()
    if svg is not None:
        svg_files.write(record, svg, every)
    if save is not None:
        replays.write(save, [record])
    if as_json:
        click.echo(json.dumps(record.to_json(), indent=2))
    else:
        ending.show_end(record, again)
    return 0


def _begin_printed(
    agent: str | None, board: str, nth: int | None, seed: int, options: dict[str, Any]
) -> Match:
    """The game of a report on its board, with what the command line changes."""
    from mineproof.games.match import Match
    from mineproof.games.printed import printed_game

    refuse_shape(options, "--board")
    if nth not in (None, 1):
        raise InvalidInput(f"{board} is one board, got --nth {nth}")
    game = printed_game(board)
    return Match(
        game.board,
        agent or game.agent,
        rules=override_rules(game.rules, options),
        clues=options["clues"],
        start=options["start"],
        seed=seed,
        seconds=options["seconds"],
        forfeits=True,
    )


def _begin(
    agent: str, board: str | None, nth: int | None, seed: int, options: dict[str, Any]
) -> Match:
    """The match that the options describe, on a board of a file or on one that is dealt."""
    from mineproof.cli.play import boards
    from mineproof.games.match import Match
    from mineproof.world.clues import Exact

    start, clues = options["start"], options["clues"]
    ground: Any
    if board is not None:
        refuse_shape(options, "--board")
        ground, named = boards.choose(board, nth)
        start = start or named
        rules = take_rules(options, None, "any" if start is None else "safe")
    else:
        if nth is not None:
            raise InvalidInput("--nth goes with --board")
        if not isinstance(clues, Exact) and not (options["level"] or options["rows"]):
            options["rows"], options["cols"], mines = _UNCERTAIN
            if options["mines"] is None and options["density"] is None:
                options["mines"] = mines
        ground = take_deal(options, "expert")
        rules = take_rules(options, ground)
    return Match(
        ground,
        agent,
        rules=rules,
        clues=clues,
        start=start,
        seed=seed,
        seconds=options["seconds"],
        forfeits=True,
    )


@contextmanager
def _logged(match: Match, path: str | None, level: LogLevel) -> Iterator[Iterable[Turn]]:
    """The turns of a match, written to a file as they come, if one was given."""
    from mineproof.games.playbyplay import PlayByPlay

    if path is None or (path == "-" and sys.stdout is None):
        yield match
        return
    if path == "-":
        out = sys.stdout
    else:
        out = Path(path).open("w", encoding="utf-8", errors="backslashreplace")  # noqa: SIM115
    turns = _written(PlayByPlay(match, out, level), path)
    try:
        yield turns
    finally:
        turns.close()  # where the game was stopped, the log says so
        if out is not sys.stdout:
            with suppress(OSError):  # what could not be written was said before
                out.close()


def _written(turns: Iterable[Turn], path: str) -> Generator[Turn, None, None]:
    """The same turns; an error in writing them names the file."""
    try:
        yield from turns
    except OSError as error:
        if path == "-":
            raise
        raise InvalidInput(f"cannot write {path!r}: {error.strerror}") from None
