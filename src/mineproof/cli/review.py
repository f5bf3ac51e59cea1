"""`mineproof review`: a finished game looked at again, move by move."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mineproof.cli.options import json_option, nth_option, read_game
from mineproof.errors import InvalidInput, counted
from mineproof.printable import printable
from mineproof.world.geometry import name_cell

if TYPE_CHECKING:
    from mineproof.games.analysis import Chance
    from mineproof.games.pace import Pace
    from mineproof.games.record import Record
    from mineproof.games.review import Judged, Luck
    from mineproof.render.curve import Point
    from mineproof.world.view import View


@click.command("review")
@click.argument("file")
@nth_option
@click.option("--no-win", is_flag=True, help="Leave out the chances to win, which take longest.")
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the chance to win over the game to this file.",
)
@json_option
def command(file: str, nth: int | None, no_win: bool, svg: Path | None, as_json: bool) -> None:
    """Judge a finished game: what was risked, what it cost, and what could have been known.

    FILE is a game as `play --json`, `play --save` or `assist --save` writes it, a line a game
    (.jsonl), or a RawVF video (.rawvf) of a player's program; - reads it from a pipe. Every
    opening at a risk is told: its risk beside the least there was, the chance to win before it,
    what was given away against the champion's move, and a cell that was certainly safe, with its
    proof, where there was one. Then the chance to win as the game went, and the luck that it
    needed beside what the champion needs on this board from the same first cell.

    JSON: {"moves": [{"n", "cell", "action", "risk", "least", "missed": cells, "hit", "exact",
    "win", "after", "cost"}], "luck": {"openings", "guesses", "needless", "excess",
    "expected_hits", "hits", "survival", "luck"}, "champion": {"won", ...: its luck} or null,
    "course": [{"at": moves, "chance", "error", "exact", "interval"}], "pace": {"bbbv", "solved",
    "clicks", "seconds", "bbbv_per_second", "efficiency"}, "bbbv", "clicks"}.
    """
    from mineproof.games.pace import pace_of
    from mineproof.games.review import champions_luck, luck_of, review

    if svg is not None and no_win:
        raise InvalidInput("--svg draws the chances to win: not with --no-win")
    game = read_game(file, nth)
    judged: list[Judged] = []
    if not as_json:
        grid, mines = game.board.grid, counted(game.board.mine_count, "mine")
        click.echo(f"{grid.rows}x{grid.cols}, {mines}, {printable(game.agent)}: {game.outcome}")
    for one, view in zip(review(game, win=not no_win), _views(game), strict=True):
        judged.append(one)
        if not as_json and one.move.action == "open" and one.risk:
            click.echo("\n".join(_told(game, one, view)))
    luck, pace = luck_of(judged), pace_of(game)
    champion = None if no_win else champions_luck(game)
    if svg is not None:
        _draw(game, judged, svg)
    if as_json:
        click.echo(json.dumps(_data(judged, luck, champion, pace)))
        return
    _show_course(judged)
    click.echo("\n".join((*_luck(luck, champion), *_pace(pace))))


def _data(
    judged: list[Judged], luck: Luck, champion: tuple[bool, Luck] | None, pace: Pace
) -> dict[str, Any]:
    from mineproof.games.review import course

    return {
        "moves": [one.to_json() for one in judged],
        "luck": luck.to_json(),
        "champion": None if champion is None else {"won": champion[0], **champion[1].to_json()},
        "course": [{"at": at, **chance.to_json()} for at, chance, _ in course(judged)],
        "pace": pace.to_json(),
        "bbbv": pace.bbbv,
        "clicks": pace.clicks,
    }


def _points(judged: list[Judged], times: tuple[float, ...] = ()) -> list[Point]:
    """The chances along the game, by moves or by seconds."""
    from mineproof.games.review import course
    from mineproof.render.curve import Point

    places = (0.0, *times) if times else tuple(map(float, range(len(judged) + 1)))
    return [
        Point(places[at], chance.chance, chance.reach, risky)
        for at, chance, risky in course(judged)
    ]


def _show_course(judged: list[Judged]) -> None:
    from rich.console import Console

    from mineproof.cli.screen import is_plain, say
    from mineproof.render.curve import draw_curve

    points, console = _points(judged), Console(highlight=False)
    if len(points) < 2:
        return
    say(console, "")
    columns = console.width if console.is_terminal else 80
    say(console, draw_curve(points, columns=columns, ascii_only=is_plain(console)))
    say(console, f"      chance to win, from move {points[0].at:.0f} to move {points[-1].at:.0f}")
    say(console, "")


def _draw(game: Record, judged: list[Judged], path: Path) -> None:
    from mineproof.formats.writing import write_text
    from mineproof.render.curve import curve_svg

    points = _points(judged, game.times)
    if not points:
        raise InvalidInput("there is no chance to win to draw: it cannot be told of this game")
    shape = f"{game.board.rows}x{game.board.cols}, {counted(game.board.mine_count, 'mine')}"
    caption = f"The chance to win: {printable(game.agent)} on {shape}, {game.outcome}"
    unit = "seconds" if game.times else "moves"
    write_text(path, curve_svg(points, caption=caption, unit=unit))


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
        line += f"; chance to win before it {_chance(one.win)}"
    yield line + (": a mine" if one.hit else "")
    if one.cost is not None:
        yield f"  {_paid(one.cost)}"
    if one.missed:
        yield from (f"  {part}" for part in _missed(game, one, view))


def _missed(game: Record, one: Judged, view: View) -> Iterator[str]:
    from mineproof.reasoning.proofs import explain

    more = "" if len(one.missed) == 1 else f" and {len(one.missed) - 1} more"
    yield f"{name_cell(one.missed[0])}{more} could have been opened without a risk:"
    density = game.rules.density if view.mines is None else None
    yield from str(explain(view, one.missed[0], game.clues, density=density)).splitlines()


def _chance(chance: Chance) -> str:
    low, high = chance.interval
    return f"{chance.chance:.1%}" + (f" (95 %: {low:.1%} to {high:.1%})" if chance.error else "")


def _cost(cost: Chance) -> str:
    """A difference of chances: it may turn out to be below 0."""
    return f"{cost.chance:.1%}" + (f" +- {cost.reach:.1%} (95 %)" if cost.error else "")


def _paid(cost: Chance) -> str:
    """What a guess gave away, in words; an estimate whose interval has nothing in it is nothing."""
    if cost.chance == 0 and cost.error == 0:
        return "the champion's move, too"
    if cost.chance < max(cost.reach, 5e-4):
        return f"hardly worse than the champion's move: {_cost(cost)} given away"
    return f"{_cost(cost)} of winning given away against the champion's move"


def _luck(luck: Luck, champion: tuple[bool, Luck] | None) -> Iterator[str]:
    yield (
        f"{counted(luck.openings, 'cell')} opened: {counted(luck.guesses, 'guess', 'guesses')} "
        f"that nothing could spare, {luck.needless} at a risk that was needless"
    )
    if luck.guesses + luck.needless:
        beyond = f", {luck.excess:.1%} of it beyond the least there was" if luck.excess else ""
        yield f"risk taken: {luck.expected_hits:.1%} summed up{beyond}"
    yield f"luck needed: the chance to live through all of it is {luck.survival:.1%}"
    if champion is not None:
        won, its = champion
        guesses = counted(its.guesses, "guess", "guesses")
        end = "won" if won else "lost"
        yield (
            f"the champion on this board, from the same first cell: {its.survival:.1%}, "
            f"by {guesses}; it {end}"
        )
    if luck.guesses + luck.needless:
        hits = counted(luck.hits, "mine")
        yield f"{hits} hit where {luck.expected_hits:.2f} were to be expected: " + (
            "lucky" if luck.luck > 0 else "unlucky" if luck.luck < 0 else "as expected"
        )


def _pace(pace: Pace) -> Iterator[str]:
    done = f"{pace.bbbv}" if pace.solved == pace.bbbv else f"{pace.solved} of {pace.bbbv}"
    line = f"3BV {done} in {counted(pace.clicks, 'click')}"
    line += "" if pace.efficiency is None else f": efficiency {pace.efficiency:.0%}"
    if pace.bbbv_per_second is not None:
        line += f"; {pace.seconds:.3f} seconds: 3BV/s {pace.bbbv_per_second:.2f}"
    yield line
