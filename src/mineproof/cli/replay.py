"""`mineproof replay`: play back a finished game."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mineproof.cli.options import (
    FILE,
    FOLDER,
    WHOLE,
    index_option,
    json_option,
    read_game,
    save_option,
)
from mineproof.errors import InvalidInput

if TYPE_CHECKING:
    from mineproof.games.record import Record


@click.command("replay")
@click.argument("file")
@index_option
@click.option("--delay", type=float, help="Play it back live, with this many seconds per move.")
@click.option("--plain", is_flag=True, help="Print lines instead of a live board.")
@click.option(
    "--at",
    type=WHOLE,
    help="With --png: show the position after N moves. [default: the end]",
    metavar="N",
)
@click.option(
    "--svg",
    type=FOLDER,
    help="Write pictures to this folder: the final position, and an animation.",
)
@click.option(
    "--png",
    type=FILE,
    help="Write the final position (or that of --at) to this file as PNG.",
)
@save_option
@json_option
def command(
    file: str,
    index: int | None,
    delay: float | None,
    plain: bool,
    at: int | None,
    svg: Path | None,
    png: Path | None,
    save: Path | None,
    as_json: bool,
) -> int:
    """Play back a finished game, move by move.

    FILE is a game saved by `play --json`, `play --save` or `assist --save`, a file with one game
    per line (.jsonl), or a RawVF video (.rawvf) from another program; - reads standard input.

    Keys: space = next, b = back, o = mine probabilities, w = why, q = quit. Without a terminal, the
    guesses are printed, one per line. The last line is `won`, `lost` or the score.

    JSON: {"agent", "board", "outcome", "seconds", "clicks", "moves": [{"n", "cell", "action", "at":
    seconds or null, "risk", "certain", "reason", "shown": [[cell, what]], "view"}]}.
    """
    if delay is not None and not 0 <= delay <= 60:
        raise InvalidInput(f"--delay must be from 0 to 60 seconds, got {delay}")
    if at is not None and png is None:
        raise InvalidInput("--at needs --png")
    record = read_game(file, index)
    if svg is not None:
        from mineproof.cli.play import svg_files

        svg_files.write(record, svg, None)
    if png is not None:
        _paint(record, at, png)
    if save is not None:
        from mineproof.games import replays

        replays.write(save, [record])
    if as_json:
        click.echo(json.dumps(_data(record)))
        return 0
    return _show(record, delay, plain)


def _show(record: Record, delay: float | None, plain: bool) -> int:
    from mineproof.cli.play import live, stepping
    from mineproof.games.replayed_match import ReplayedMatch

    replayed = ReplayedMatch(record)
    typed = all(one is not None and one.isatty() for one in (sys.stdin, sys.stdout))
    if typed and delay is None and not plain:
        code = stepping.show(replayed, replayed)
    else:
        code = live.show(replayed, replayed, delay=0.04 if delay is None else delay, plain=plain)
    if code is not None:
        return code
    from mineproof.cli.play.game_summary import show_record

    show_record(record)
    return 0


def _paint(record: Record, at: int | None, path: Path) -> None:
    from mineproof.formats.output_files import write_bytes
    from mineproof.render import view_png

    last = len(record.turns)
    if at is not None and not 0 <= at <= last:
        raise InvalidInput(f"--at must be from 0 to {last} for this game, got {at}")
    at = last if at is None else at
    write_bytes(path, view_png(record.view_at(at), truth=record.board if at == last else None))


def _data(record: Record) -> dict[str, Any]:
    from mineproof.world.view import write_state

    moves = []
    for number, (before, turn) in enumerate(record.positions()):
        moves.append(
            {
                "n": number,
                "cell": turn.cell,
                "action": turn.action,
                "at": turn.seconds,
                "risk": turn.asked.risk,
                "certain": turn.asked.certain,
                "reason": turn.reason,
                "shown": [[event.cell, write_state(event.state)] for event in turn.events],
                "view": before.after(turn.events).to_text(),
            }
        )
    return {
        "agent": record.agent,
        "board": record.board.to_text(),
        "outcome": record.outcome,
        "seconds": record.time,
        "clicks": record.clicks,
        "moves": moves,
    }
