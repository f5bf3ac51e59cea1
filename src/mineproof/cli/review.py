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
@click.option("--no-win", is_flag=True, help="Leave out win probabilities, which take longest.")
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the win probability over the game as a chart to this file.",
)
@json_option
def command(file: str, nth: int | None, no_win: bool, svg: Path | None, as_json: bool) -> None:
    """Show what each risk in a finished game cost.

    FILE is a game as `play --json`, `play --save` or `assist --save` writes it, one game per line
    (.jsonl), or a RawVF video (.rawvf) of a player's program; - reads it from a pipe. For every
    opening at a risk it prints the risk next to the lowest available, the win probability before
    it, what was lost compared with the champion's move, and a cell that was certainly safe, with
    its proof, where there was one. Then the win probability as the game went, and how the outcome
    compares with the risks taken and with the champion's on this board from the same first cell.
    A risk is unnecessary where a safe cell existed, or one less than half as risky, unless the
    champion's move wins hardly more often.

    JSON: {"moves": [{"n", "cell", "action", "risk", "least", "missed": cells, "hit", "exact",
    "win", "after", "cost"}], "luck": {"openings", "guesses", "needless", "unnecessary", "excess",
    "expected_hits", "hits", "unnecessary_hits", "survival", "as_good", "as_bad", "luck",
    "verdict": "none", "lucky", "expected", "unlucky" or "unnecessary"}, "champion": {"won", ...:
    its luck} or null, "course": [{"at": moves, "chance", "error", "exact", "interval"}], empty
    without a guess, "pace": {"bbbv", "solved", "clicks", "seconds", "bbbv_per_second",
    "efficiency"}, "bbbv", "clicks"}.
    """
    from mineproof.games.pace import pace_of
    from mineproof.games.review import champions_luck, luck_of, review

    if svg is not None and no_win:
        raise InvalidInput(
            "--svg draws win probabilities: not with --no-win, which leaves them out"
        )
    game = read_game(file, nth)
    judged: list[Judged] = []
    if not as_json:
        click.echo(f"{printable(game.agent)} on {game.conditions}: {game.outcome}")
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
    say(console, f"      win probability, from move {points[0].at:.0f} to move {points[-1].at:.0f}")
    say(console, "")


def _draw(game: Record, judged: list[Judged], path: Path) -> None:
    from mineproof.formats.writing import write_text
    from mineproof.render.curve import curve_svg

    points = _points(judged, game.times)
    if not points:
        click.echo(f"no chart in {printable(str(path))}: {_no_chart(judged)}", err=True)
        return
    shape = f"{game.board.rows}x{game.board.cols}, {counted(game.board.mine_count, 'mine')}"
    caption = f"Win probability: {printable(game.agent)} on {shape}, {game.outcome}"
    unit = "seconds" if game.times else "moves"
    write_text(path, curve_svg(points, caption=caption, unit=unit))


def _no_chart(judged: list[Judged]) -> str:
    """Why there is no win probability to draw."""
    if any(one.risk for one in judged if one.move.action == "open"):
        return "the win probability is not available for this game"
    return "no guess was made in this game"


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
    line = f"move {one.number + 1}: open {name_cell(one.move.cell)}, {about}{_percent(risk)} risk"
    if not one.unnecessary and risk - least >= 5e-4:
        line += f" (lowest available {_percent(least)})"
    if one.win is not None:
        line += f"; win probability before it {_chance(one.win)}"
    yield line + (": a mine" if one.hit else "")
    if one.missed:
        yield from (f"  {part}" for part in _missed(game, one, view))
    elif one.unnecessary:
        yield f"  unnecessary risk: {_percent(least)} was available"
    if one.cost is not None:
        yield f"  {_paid(one.cost)}"


def _missed(game: Record, one: Judged, view: View) -> Iterator[str]:
    from mineproof.reasoning.proofs import explain

    more = "" if len(one.missed) == 1 else f" and {len(one.missed) - 1} more"
    were = "was" if len(one.missed) == 1 else "were"
    yield f"unnecessary risk: {name_cell(one.missed[0])}{more} {were} proved safe:"
    density = game.rules.density if view.mines is None else None
    yield from str(explain(view, one.missed[0], game.clues, density=density)).splitlines()


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _chance(chance: Chance) -> str:
    low, high = map(_percent, chance.interval)
    return _percent(chance.chance) + (f" (95 % CI {low} to {high})" if chance.error else "")


def _paid(cost: Chance) -> str:
    """What a guess lost, in words; an estimate whose interval has nothing in it is nothing."""
    from mineproof.games.worth import is_nothing

    if cost.chance == 0 and cost.error == 0:
        return "the champion's move, too"
    points = f"{100 * cost.chance:.1f}"
    points += f" +- {100 * cost.reach:.1f} (95 % CI)" if cost.error else ""
    if is_nothing(cost):
        return f"hardly worse than the champion's move: {points} points of win probability lost"
    return f"{points} points of win probability lost compared with the champion's move"


def _luck(luck: Luck, champion: tuple[bool, Luck] | None) -> Iterator[str]:
    guesses = counted(luck.guesses, "guess", "guesses")
    missed = counted(luck.needless, "missed deduction")
    line = f"{counted(luck.openings, 'cell')} opened: {guesses}, {missed}"
    yield line + (f"; unnecessary risks: {luck.unnecessary}" if luck.unnecessary else "")
    if luck.verdict != "none":
        lowest = luck.expected_hits - luck.excess
        yield (
            f"mines hit: {luck.hits}, {luck.expected_hits:.2f} expected at the risks taken, "
            f"{lowest:.2f} at the lowest available"
        )
        yield f"chance to survive these risks: {_percent(luck.survival)}"
    if champion is not None:
        yield _champions(*champion)
    yield f"luck: {_verdict(luck)}"


def _champions(won: bool, luck: Luck) -> str:
    end = "won" if won else "lost"
    line = "the champion from the same first cell: "
    if luck.verdict == "none":
        return f"{line}no guess; it {end}"
    guesses = counted(luck.guesses, "guess", "guesses")
    return f"{line}{guesses}, chance to survive {_percent(luck.survival)}; it {end}"


def _verdict(luck: Luck) -> str:
    """What part luck had, in words."""
    match luck.verdict:
        case "none":
            return "none needed, nothing was risked"
        case "unnecessary" if luck.hits == 1:
            return "not to blame; the mine was hit at an unnecessary risk"
        case "unnecessary":
            return f"not to blame; {luck.unnecessary_hits} mines were hit at unnecessary risks"
        case "lucky":
            return f"good; these risks end this well with {_percent(luck.as_good)}"
        case "unlucky":
            return f"bad; these risks end this badly with {_percent(luck.as_bad)}"
    return "neither good nor bad, as the risks taken go"


def _pace(pace: Pace) -> Iterator[str]:
    done = f"{pace.bbbv}" if pace.solved == pace.bbbv else f"{pace.solved} of {pace.bbbv}"
    line = f"3BV {done} in {counted(pace.clicks, 'click')}"
    line += "" if pace.efficiency is None else f": efficiency {pace.efficiency:.0%}"
    if pace.bbbv_per_second is not None:
        line += f"; {pace.seconds:.3f} seconds: 3BV/s {pace.bbbv_per_second:.2f}"
    yield line
