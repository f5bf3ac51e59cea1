"""Play and show one game of an agent, for `play --agent` and `watch`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mineproof.cli.error_exit import FORFEITED
from mineproof.cli.options import FOLDER, WHOLE, json_option, seconds_option
from mineproof.errors import InvalidInput, shorten
from mineproof.printable import printable

if TYPE_CHECKING:
    from mineproof.cli.play.game_setup import GameSetup
    from mineproof.games.match import Match
    from mineproof.games.playbyplay import LogLevel
    from mineproof.games.record import Record
    from mineproof.world.turn import Turn


def agent_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that show and log an agent's game."""
    for option in (
        json_option,
        click.option(
            "--log-level",
            type=click.Choice(["moves", "reasons", "boards", "all"]),
            help="How much to log: moves, reasons, boards or everything. [default: all]",
        ),
        click.option(
            "--log", type=click.Path(), help="Write the play-by-play to this file, or - for stdout."
        ),
        click.option(
            "--svg-every",
            type=WHOLE,
            metavar="N",
            help="With --svg: also write a picture every N moves.",
        ),
        click.option(
            "--svg",
            type=FOLDER,
            help="Write pictures to this folder: the final position, and an animation.",
        ),
        click.option("--step", is_flag=True, help="Step through the game: space = next, b = back."),
        click.option("--truth", is_flag=True, help="Show the true board next to what is known."),
        click.option("--plain", is_flag=True, help="Print lines instead of a live board."),
        click.option(
            "--delay", type=float, default=0.04, show_default=True, help="Seconds per move."
        ),
        seconds_option,
    ):
        function = option(function)
    return function


@dataclass(frozen=True)
class DisplayOptions:
    """The values of the options in `agent_options`."""

    seconds: float | None
    delay: float
    plain: bool
    truth: bool
    step: bool
    svg: Path | None
    svg_every: int | None
    log: str | None
    log_level: LogLevel | None
    as_json: bool

    @classmethod
    def take(cls, options: dict[str, Any]) -> DisplayOptions:
        """Remove them from all options and return them."""
        return cls(**{field.name: options.pop(field.name) for field in fields(cls)})

    def check(self) -> None:
        """Refuse values and combinations that are not allowed."""
        if not 0 <= self.delay <= 60:
            raise InvalidInput(f"--delay must be from 0 to 60 seconds, got {self.delay}")
        if self.svg_every is not None and (self.svg_every < 1 or self.svg is None):
            raise InvalidInput("--svg-every must be at least 1 and needs --svg")
        if self.log_level is not None and self.log is None:
            raise InvalidInput("--log-level needs --log")
        silent = self.as_json or self.log == "-"
        if self.log == "-" and self.as_json:
            raise InvalidInput(
                "--log - and --json both write to standard output: write the log to a file"
            )
        if self.truth and (self.step or silent):
            raise InvalidInput("--truth cannot be combined with --step, --json or --log -")
        if self.step and (self.plain or silent):
            raise InvalidInput("--step cannot be combined with --plain, --json or --log -")


GIVEN = {
    "seconds": "--move-timeout",
    "delay": "--delay",
    "plain": "--plain",
    "truth": "--truth",
    "step": "--step",
    "svg": "--svg",
    "svg_every": "--svg-every",
    "log": "--log",
    "log_level": "--log-level",
    "as_json": "--json",
}
"""The flags of these options."""


def run(setup: GameSetup, agent: Any, showing: DisplayOptions, save: Path | None) -> int:
    """Let an agent play the game; return the exit code."""
    from mineproof.cli.play import game_summary, live, stepping, svg_files
    from mineproof.cli.play.repeat_command import RepeatCommand
    from mineproof.games import replays

    if showing.step:
        stepping.check_terminal()
    match = setup.match(agent, showing.seconds)
    context, logged = click.get_current_context(), showing.log is not None
    again = RepeatCommand.of(context, match, own=agent is None, logged=logged)
    with _logged(match, showing.log, showing.log_level or "all") as turns:
        code = None
        if showing.as_json or showing.log == "-":
            for _ in turns:
                pass
        elif showing.step:
            code = stepping.show(match, turns)
        else:
            code = live.show(
                match, turns, delay=showing.delay, plain=showing.plain, truth=showing.truth
            )
        if code is not None:
            return code
    record = match.record()
    if showing.svg is not None:
        svg_files.write(record, showing.svg, showing.svg_every)
    if save is not None:
        replays.write(save, [record])
    if showing.as_json:
        click.echo(json.dumps(record.to_json(), indent=2))
    else:
        game_summary.show_end(record, again)
    return _code(record, silent=showing.as_json)


def _code(record: Record, *, silent: bool) -> int:
    """Return the exit code; if the agent forfeited and nothing else shows it, print a line."""
    if not record.fault:
        return 0
    if silent:
        why = shorten(printable(" ".join(record.fault.split())), 300)
        click.echo(f"mineproof: the agent forfeited: {why}", err=True)
    return FORFEITED


@contextmanager
def _logged(match: Match, path: str | None, level: LogLevel) -> Iterator[Iterable[Turn]]:
    """Yield the turns of a match; if a file is given, they are logged as they come."""
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
        turns.close()  # if the game was stopped, the log says so
        if out is not sys.stdout:
            with suppress(OSError):  # write errors were reported before
                out.close()


def _written(turns: Iterable[Turn], path: str) -> Generator[Turn, None, None]:
    """Yield the same turns; an error while writing names the file."""
    try:
        yield from turns
    except OSError as error:
        if path == "-":
            raise
        raise InvalidInput(f"cannot write {path!r}: {error.strerror}") from None
