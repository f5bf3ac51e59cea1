"""`mineproof review`: a finished game looked at again, move by move."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from mineproof.cli.options import json_option
from mineproof.errors import counted
from mineproof.formats.reading import read_text
from mineproof.printable import printable
from mineproof.world.geometry import name_cell

if TYPE_CHECKING:
    from mineproof.games.record import Record
    from mineproof.games.review import Judged, Luck
    from mineproof.world.view import View


@click.command("review")
@click.argument("record")
@click.option("--no-win", is_flag=True, help="Leave out the chances to win, which take longest.")
@json_option
def command(record: str, no_win: bool, as_json: bool) -> None:
    """Judge a finished game: what was risked, and what could have been known.

    RECORD is a game as `mineproof play --json` or `assist --save` writes it, or - to read
    it from a pipe. Every opening at a risk is told: its risk beside the least there was, the
    chance to win before it, and a cell that was certainly safe, with its proof, where there
    was one. The end says how lucky the player was.

    JSON: {"moves": [{"n", "cell", "action", "risk", "least", "missed": cells, "hit", "exact",
    "win"}], "luck": {"openings", "guesses", "needless", "excess", "expected_hits", "hits",
    "survival", "luck"}, "bbbv", "clicks"}.
    """
    from mineproof.games.record import Record
    from mineproof.games.review import luck_of, review

    game = Record.from_json(read_text(record))
    judged: list[Judged] = []
    if not as_json:
        grid, mines = game.board.grid, counted(game.board.mine_count, "mine")
        click.echo(f"{grid.rows}x{grid.cols}, {mines}, {printable(game.agent)}: {game.outcome}")
    for one, view in zip(review(game, win=not no_win), _views(game), strict=True):
        judged.append(one)
        if not as_json and one.move.action == "open" and one.risk:
            click.echo("\n".join(_told(game, one, view)))
    luck, bbbv = luck_of(judged), game.board.figures.bbbv
    clicks = sum(one.move.action == "open" for one in judged)
    if as_json:
        moves = [one.to_json() for one in judged]
        data = {"moves": moves, "luck": luck.to_json(), "bbbv": bbbv, "clicks": clicks}
        click.echo(json.dumps(data))
    else:
        click.echo("\n".join(_summary(game, luck, clicks, bbbv)))


def _views(game: Record) -> Iterator[View]:
    """What was seen before each move."""
    played = game.begin()
    for move in game.moves:
        yield played.view
        played.play(move.cell, move.action)


def _told(game: Record, one: Judged, view: View) -> Iterator[str]:
    """An opening at a risk: what it cost, and what was missed."""
    risk, least = one.risk or 0.0, one.least or 0.0
    about = "" if one.exact else "about "
    line = f"move {one.number + 1}: open {name_cell(one.move.cell)}, {about}{risk:.1%} risk"
    line += "" if one.missed or risk - least < 5e-4 else f" where {least:.1%} was the least"
    if one.win is not None:
        spread = f" +- {one.win.error:.1%}" if one.win.error else ""
        line += f"; chance to win before it {one.win.chance:.1%}{spread}"
    yield line + (": a mine" if one.hit else "")
    if one.missed:
        yield from (f"  {part}" for part in _missed(game, one, view))


def _missed(game: Record, one: Judged, view: View) -> Iterator[str]:
    from mineproof.reasoning.proofs import explain

    more = "" if len(one.missed) == 1 else f" and {len(one.missed) - 1} more"
    yield f"{name_cell(one.missed[0])}{more} could have been opened without a risk:"
    density = game.rules.density if view.mines is None else None
    yield from str(explain(view, one.missed[0], game.clues, density=density)).splitlines()


def _summary(game: Record, luck: Luck, clicks: int, bbbv: int) -> Iterator[str]:
    yield (
        f"{counted(luck.openings, 'cell')} opened: {counted(luck.guesses, 'guess', 'guesses')} "
        f"that nothing could spare, {luck.needless} at a risk that was needless"
    )
    if luck.guesses + luck.needless:
        beyond = f", {luck.excess:.1%} of it beyond the least there was" if luck.excess else ""
        yield f"risk taken: {luck.expected_hits:.1%} summed up{beyond}"
        yield f"the chance to live through all of it: {luck.survival:.1%}"
        hits = counted(luck.hits, "mine")
        yield f"{hits} hit where {luck.expected_hits:.2f} were to be expected: " + (
            "lucky" if luck.luck > 0 else "unlucky" if luck.luck < 0 else "as expected"
        )
    if game.won:
        yield f"3BV {bbbv} in {counted(clicks, 'click')}: efficiency {bbbv / clicks:.0%}"
