"""`mineproof play`: an agent plays a game, shown live."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mineproof.cli.options import (
    AGENT,
    SEED,
    board_options,
    json_option,
    read_text,
    refuse_shape,
    rule_options,
    take_deal,
    take_rules,
)
from mineproof.errors import InvalidInput

if TYPE_CHECKING:
    from mineproof.record import Record


@click.command("play")
@click.option("--agent", type=AGENT, default="baseline", show_default=True, help="Who plays.")
@board_options
@click.option("--board", type=click.Path(), help="Play this board: a text file, or - for stdin.")
@click.option("--seed", type=SEED, help="Names the game; else it is a new one.")
@rule_options
@click.option("--delay", type=float, default=0.04, show_default=True, help="Seconds a move.")
@click.option("--plain", is_flag=True, help="No live board, as when piped.")
@click.option(
    "--svg",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write pictures to this folder: truth beside knowledge.",
)
@click.option("--every", type=int, help="With --svg: a picture every so many moves, too.")
@json_option
def command(
    agent: str,
    board: str | None,
    seed: int | None,
    delay: float,
    plain: bool,
    svg: Path | None,
    every: int | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Let an agent play one game and say why it moves where it does.

    The last line says `won` or `lost`; with --on-mine continue, the score. JSON is
    the record: board, rules, moves with their reasons, outcome.
    """
    from mineproof.board import Board
    from mineproof.chance import fresh_seed
    from mineproof.cli import live
    from mineproof.match import Match

    if not 0 <= delay <= 60:
        raise InvalidInput(f"--delay is from 0 to 60 seconds, got {delay}")
    if every is not None and (every < 1 or svg is None):
        raise InvalidInput("--every is at least 1 and goes with --svg")
    seed = fresh_seed() if seed is None else seed
    ground: Any
    if board is not None:
        refuse_shape(options, "--board")
        ground = Board.from_text(read_text(board))
        rules = take_rules(options, None, "any" if options["start"] is None else "safe")
    else:
        ground = take_deal(options, "expert")
        rules = take_rules(options, ground)
    match = Match(
        ground, agent, rules=rules, clues=options["clues"], start=options["start"], seed=seed
    )
    if as_json:
        for _ in match:
            pass
        finished = True
    else:
        finished = live.show(match, delay=delay, plain=plain)
    if not finished:
        return 130
    record = match.record()
    if svg is not None:
        _draw(record, svg, every)
    if as_json:
        click.echo(json.dumps(record.to_json(), indent=2))
    else:
        live.tell(record)
    return 0


def _draw(record: Record, folder: Path, every: int | None) -> None:
    """One picture of the end, and one every so many moves."""
    from mineproof.render import game_svg

    folder.mkdir(parents=True, exist_ok=True)
    last = len(record.moves)
    caption, marked = "before the first move", None
    for number, (move, _, game) in enumerate(record.replay(), start=1):
        caption = f"move {number}, {move.action} ({move.cell[0]},{move.cell[1]}): {move.reason}"
        marked = move.cell
        if every is not None and number % every == 0 and number != last:
            picture = game_svg(record.board, game.view, marked=marked, caption=caption)
            (folder / f"move-{number:05}.svg").write_text(picture, encoding="utf-8")
    picture = game_svg(record.board, record.view, marked=marked, caption=caption)
    (folder / "final.svg").write_text(picture, encoding="utf-8")
