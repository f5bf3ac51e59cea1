"""`mineproof review`: what each risk in a finished game cost."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mineproof.cli.options import FILE, index_option, json_option, read_game
from mineproof.errors import InvalidInput, plural
from mineproof.phrases import say
from mineproof.printable import printable

if TYPE_CHECKING:
    from mineproof.games.analysis import WinProbability
    from mineproof.games.record import Record
    from mineproof.games.review import GameLuck, JudgedMove
    from mineproof.games.speed import Speed
    from mineproof.render.win_curve import CurvePoint


@click.command("review")
@click.argument("file")
@index_option
@click.option("--no-win", is_flag=True, help="Skip win probabilities, which take longest.")
@click.option(
    "--svg",
    type=FILE,
    help="Write a chart of the win probability to this file.",
)
@json_option
def command(file: str, index: int | None, no_win: bool, svg: Path | None, as_json: bool) -> None:
    """Show what each risk in a finished game cost.

    FILE is a game saved by `play --json`, `play --save` or `assist --save`, a file with one game
    per line (.jsonl), or a RawVF video (.rawvf) from another program; - reads standard input. For
    every cell opened at a risk, review prints the risk and the lowest one available, the win
    probability before the move, what was lost compared with the champion's move, and a proof if a
    safe cell was missed. Then it charts the win probability and compares the outcome with the
    risks taken, and with the champion's game on the same board from the same first cell.
    A risk is unnecessary if a safe cell existed. It is also unnecessary if another cell had less
    than half the risk, unless the move was hardly worse than the champion's.

    JSON: {"moves": [{"n", "cell", "action", "risk", "least", "missed": cells, "hit", "exact",
    "win", "after", "cost"}], "luck": {"openings", "guesses", "needless", "unnecessary", "excess",
    "expected_hits", "hits", "unnecessary_hits", "survival", "as_good", "as_bad", "luck",
    "verdict": "none", "lucky", "expected", "unlucky" or "unnecessary"}, "champion": {"won"
    and the fields of "luck"} or null, "course": [{"at": moves, "chance", "error", "exact",
    "interval"}], empty without a guess, "pace": {"bbbv", "solved", "clicks", "seconds",
    "bbbv_per_second", "efficiency"}, "bbbv", "clicks"}.
    """
    from mineproof.games.review import champions_luck, luck_of, review
    from mineproof.games.speed import speed_of

    if svg is not None and no_win:
        raise InvalidInput(
            "--svg draws the win probabilities that --no-win skips: use only one of them"
        )
    game = read_game(file, index)
    judged: list[JudgedMove] = []
    if not as_json:
        click.echo(f"{printable(game.agent)} on {game.conditions}: {game.outcome}")
    for one in review(game, win=not no_win):
        judged.append(one)
        if not as_json and one.move.action == "open" and one.risk:
            click.echo("\n".join(_guess_lines(game, one)))
    luck, pace = luck_of(judged), speed_of(game)
    champion = None if no_win else champions_luck(game)
    if svg is not None:
        _draw(game, judged, svg)
    if as_json:
        click.echo(json.dumps(_data(judged, luck, champion, pace)))
        return
    _show_course(judged)
    click.echo("\n".join((*_luck(luck, champion), *_pace(pace))))


def _data(
    judged: list[JudgedMove], luck: GameLuck, champion: tuple[bool, GameLuck] | None, pace: Speed
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


def _points(judged: list[JudgedMove], times: Sequence[float] = ()) -> list[CurvePoint]:
    """The win probabilities during the game, by moves or by seconds."""
    from mineproof.games.review import course
    from mineproof.render.win_curve import CurvePoint

    places = (
        (0.0, *times) if times else tuple(map(float, range(judged[-1].number + 2 if judged else 1)))
    )
    return [
        CurvePoint(places[at], chance.chance, chance.reach, risky)
        for at, chance, risky in course(judged)
    ]


def _show_course(judged: list[JudgedMove]) -> None:
    from rich.console import Console

    from mineproof.cli.position_text import is_plain
    from mineproof.cli.position_text import say as show
    from mineproof.render.win_curve import draw_curve

    points, console = _points(judged), Console(highlight=False)
    if len(points) < 2:
        return
    show(console, "")
    columns = console.width if console.is_terminal else 80
    show(console, draw_curve(points, columns=columns, ascii_only=is_plain(console)))
    first, last = points[0].at, points[-1].at
    show(console, f"      win probability, from move {first:.0f} to move {last:.0f}")
    show(console, "")


def _draw(game: Record, judged: list[JudgedMove], path: Path) -> None:
    from mineproof.formats.output_files import write_text
    from mineproof.render.win_curve import curve_svg

    timed = game.time is not None
    points = _points(judged, [turn.seconds or 0.0 for turn in game.turns] if timed else [])
    if not points:
        click.echo(f"{printable(str(path))} was not written: {_no_chart(judged)}", err=True)
        return
    shape = f"{game.board.rows}x{game.board.cols}, {plural(game.board.mine_count, 'mine')}"
    caption = f"Win probability: {printable(game.agent)} on {shape}, {game.outcome}"
    unit = "seconds" if timed else "moves"
    write_text(path, curve_svg(points, caption=caption, unit=unit))


def _no_chart(judged: list[JudgedMove]) -> str:
    """Why there is no win probability to draw."""
    if any(one.risk for one in judged if one.move.action == "open"):
        return "the win probability is not available for this game"
    return "no guess was made in this game"


def _guess_lines(game: Record, one: JudgedMove) -> Iterator[str]:
    """Lines about a cell opened at a risk: what it cost, and what was missed."""
    risk, least = one.risk or 0.0, one.least or 0.0
    safer = not one.unnecessary and risk - least >= 5e-4
    yield say(
        "review.opened",
        number=one.number + 1,
        cell=one.move.cell,
        estimated=not one.exact,
        risk=risk,
        lowest=_percent(least) if safer else "none",
        win="none" if one.win is None else _chance(one.win),
        hit=one.hit,
    )
    if one.missed:
        yield from (f"  {part}" for part in _missed(game, one))
    elif one.unnecessary:
        yield f"  {say('review.lower', least=_percent(least))}"
    if one.cost is not None:
        yield f"  {_paid(one.cost)}"


def _missed(game: Record, one: JudgedMove) -> Iterator[str]:
    from mineproof.reasoning.proofs import explain

    first, *more = one.missed
    yield say("review.missed", cells=[first], more=len(more), missed=one.missed) + ":"
    view = one.before
    density = game.rules.density if view.mines is None else None
    yield from str(explain(view, first, game.clues, density=density)).splitlines()


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _chance(chance: WinProbability) -> str:
    low, high = (100 * end for end in chance.interval)
    interval = f" (95 % CI {low:.1f} to {high:.1f} %)" if chance.error else ""
    return f"{_percent(chance.chance)}{interval}"


def _paid(cost: WinProbability) -> str:
    """What a guess lost, as text; a loss whose interval contains 0 counts as none."""
    from mineproof.games.move_cost import is_nothing

    same = cost.chance == 0 and cost.error == 0
    loss = "none" if same else "small" if is_nothing(cost) else "some"
    points, low, high = (100 * (cost.chance + side * cost.reach) for side in (0, -1, 1))
    about = {"estimated": cost.error > 0, "low": low, "high": high}
    return say("review.cost", loss=loss, points=points, **about)


def _luck(luck: GameLuck, champion: tuple[bool, GameLuck] | None) -> Iterator[str]:
    risks = {"openings": luck.openings, "missed": luck.needless, "unnecessary": luck.unnecessary}
    yield say("review.figures", guesses=luck.guesses, **risks)
    if luck.verdict != "none":
        expected = {"expected": luck.expected_hits, "lowest": luck.expected_hits - luck.excess}
        yield say("review.hits", hits=luck.hits, **expected)
        yield say("review.survival", survival=luck.survival)
    if champion is not None:
        won, its = champion
        about = {"guesses": its.guesses, "survival": its.survival}
        yield say("review.champion", won=won, risky=its.verdict != "none", **about)
    chances = {"as_good": luck.as_good, "as_bad": luck.as_bad}
    hits = {"hits": luck.hits, "unnecessary_hits": luck.unnecessary_hits}
    yield f"luck: {say('review.luck', verdict=luck.verdict, **hits, **chances)}"


def _pace(pace: Speed) -> Iterator[str]:
    done = f"{pace.bbbv}" if pace.solved == pace.bbbv else f"{pace.solved} of {pace.bbbv}"
    line = f"3BV {done} in {plural(pace.clicks, 'click')}"
    line += "" if pace.efficiency is None else f": efficiency {100 * pace.efficiency:.0f} %"
    if pace.bbbv_per_second is not None:
        line += f"; {pace.seconds:.3f} s, 3BV/s {pace.bbbv_per_second:.2f}"
    yield line
