"""`mineproof analyse`: the odds of every hidden cell."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from mineproof.cli.options import CLUES, json_option, read_text
from mineproof.errors import Contradiction, InvalidInput

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from mineproof.clues import ClueModel
    from mineproof.geometry import Cell
    from mineproof.reasoning.posterior import Posterior
    from mineproof.view import View

_LISTED = 12
"""Certain cells that are named; all of them are marked on the board."""


class _Move(NamedTuple):
    cell: Cell
    risk: float
    proved: bool


@click.command("analyse")
@click.argument("file", required=False)
@click.option("--mines", type=int, help="How many mines, where the view does not say.")
@click.option(
    "--clues",
    type=CLUES,
    default="exact",
    show_default=True,
    help="exact, sometimes:P, optimistic, cautious, table:FILE.",
)
@click.option("--density", type=float, help="Without a count: the chance of a mine in a cell.")
@click.option("--trust-flags", is_flag=True, help="Take flags for mines; else they are marks.")
@click.option("--best", type=int, default=5, show_default=True, help="How many moves to name.")
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the odds as a picture to this file.",
)
@json_option
def command(
    file: str | None,
    mines: int | None,
    clues: ClueModel,
    density: float | None,
    trust_flags: bool,
    best: int,
    svg: Path | None,
    as_json: bool,
) -> None:
    """Tell the odds of every hidden cell, what is certain, and the best moves.

    FILE holds a view, on one line or many, as `2x3/2 ???/121`: the shape and the
    mines (both may be missing), then `?` or `.` hidden, `s` told safe, `0`-`8` clue,
    `-` opened without a clue, `*` exploded, `F` flagged. `-`, or a pipe, is read too.

    JSON: {"risk": rows of numbers or null, "safe": cells, "mined": cells, "best":
    [{"cell", "risk"}], "exact", "error", "log_weight", "assumed"}. Where no
    arrangement of mines fits: {"contradiction": {"clues": cells, "count_used"}}, and
    the exit code is 2.
    """
    from mineproof.reasoning.posterior import posterior
    from mineproof.view import View

    if best < 1:
        raise InvalidInput(f"at least 1 move is needed, got --best {best}")
    view = View.from_text(_read(file), mines)
    try:
        odds = posterior(view, clues, density=density, trust_flags=trust_flags)
    except Contradiction as clash:
        _show_clash(view, clash, as_json)
        raise
    moves = _best(odds, best)
    assumed = None
    if view.mines is None and density is None:
        assumed = (
            "no mine count given: every total is taken to be as likely as any other; "
            "give --mines or --density"
        )
    if svg is not None:
        _draw(odds, moves, assumed, svg)
    if as_json:
        click.echo(json.dumps(_to_json(odds, moves, assumed), allow_nan=False))
        return
    prior = "mine count unknown" if density is None else f"mine density {density:g}"
    prior = prior if view.mines is None else f"{view.mines} mines"
    _show(odds, moves, f"{view.rows}x{view.cols}, {prior}, clues {clues}", assumed, trust_flags)


def _read(file: str | None) -> str:
    piped = sys.stdin is not None and not sys.stdin.isatty()
    if file is None and not piped:
        raise InvalidInput("which view? give a FILE, or pipe one in (see 'mineproof analyse -h')")
    if file == "-" and sys.stdin is None:
        raise InvalidInput("cannot read '-': standard input is closed")
    return read_text(file or "-")


def _best(odds: Posterior, count: int) -> list[_Move]:
    """The cells to open, least risk first; ties by fewest covered neighbours, then by index.

    What is proved comes before what merely has a risk that looks like none.
    """
    from mineproof.render.looks import COVERED

    grid, states = odds.view.grid, odds.view.states
    safe = set(map(grid.index, odds.safe))
    mined = set(map(grid.index, odds.mined))
    risks = odds.risk.ravel().tolist()
    # As in play, risks within 1e-10 are alike.
    ranks = {
        index: -1 if index in safe else round(1e10 * risks[index])
        for index, state in enumerate(states)
        if state in COVERED and index not in mined
    }
    last = sorted(ranks.values())[:count][-1:]
    near = {
        index: sum(states[other] in COVERED for other in grid.around(index))
        for index, rank in ranks.items()
        if rank <= last[0]
    }
    order = sorted(near, key=lambda index: (ranks[index], near[index], index))
    return [
        _Move(grid.cell(index), 0.0 if index in safe else risks[index], index in safe)
        for index in order[:count]
    ]


def _to_json(odds: Posterior, moves: list[_Move], assumed: str | None) -> dict[str, Any]:
    return {
        "risk": [[_number(risk) for risk in row] for row in odds.risk.tolist()],
        "safe": odds.safe,
        "mined": odds.mined,
        "best": [{"cell": move.cell, "risk": move.risk} for move in moves],
        "exact": odds.exact,
        "error": _number(odds.error),
        "log_weight": _number(odds.log_weight),
        "assumed": assumed,
    }


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _show(
    odds: Posterior, moves: list[_Move], heading: str, assumed: str | None, trust_flags: bool
) -> None:
    from rich.console import Console

    from mineproof.render import draw_odds, is_poor, odds_legend
    from mineproof.view import FLAGGED

    console = Console(highlight=False)
    marked = moves[0].cell if moves else None
    plainly = not console.is_terminal or is_poor(console)
    board = draw_odds(odds, marked=marked, ascii_only=plainly, room=_room(console))
    flags = FLAGGED in odds.view.states
    _say(console, heading, style="bold")
    _say(console, board)
    if moves or odds.mined:
        legend = odds_legend(flags=flags, marked=bool(moves), ascii_only=plainly)
        _say(console, legend)
    _say(console, "")
    for line in _certain(odds, moves):
        _say(console, line)
    if moves:
        _say(console, "best moves:", style="bold")
    width = max((len(_cell(move.cell)) for move in moves), default=0)
    for move in moves:
        _say(console, f"  {_cell(move.cell):<{width}}  {_risk(move)}")
    if assumed is not None:
        _say(console, f"assumed: {assumed}")
    if flags and not trust_flags:
        _say(console, "flags are marks, not evidence; --trust-flags takes them for mines")
    if moves or odds.mined:
        _say(console, _how(odds))


def _certain(odds: Posterior, moves: list[_Move]) -> list[str]:
    """What is proved, in words."""
    lines = [
        f"certainly {name} ({len(cells)}): {_some(cells)}"
        for name, cells in (("safe", odds.safe), ("mined", odds.mined))
        if cells
    ]
    if not moves and not odds.mined:
        return ["no cell is hidden: there is nothing left to ask"]
    if not moves:
        return [*lines, "every hidden cell is mined: there is nothing left to open"]
    return lines or ["nothing is certain"]


def _some(cells: list[Cell]) -> str:
    if len(cells) <= _LISTED:
        return " ".join(map(_cell, cells))
    # Never `and 1 more`: that one is as short.
    named = cells[: _LISTED - 1]
    return f"{' '.join(map(_cell, named))} and {len(cells) - len(named)} more"


def _cell(cell: Cell) -> str:
    return f"({cell[0]},{cell[1]})"


def _risk(move: _Move) -> str:
    if move.proved:
        return "safe"
    digits = ".2f" if move.risk >= 0.0001 else ".1e"
    return f"{100 * move.risk:{digits}} %"


def _how(odds: Posterior) -> str:
    if odds.exact:
        return "exact: all arrangements of mines that fit were weighed"
    return f"an estimate: too many cases to count; standard errors up to {100 * odds.error:.2g} %"


def _show_clash(view: View, clash: Contradiction, as_json: bool) -> None:
    """The board with the clues that clash marked; the error itself is told by the caller."""
    if as_json:
        found = {"clues": clash.clues, "count_used": clash.count_used}
        click.echo(json.dumps({"contradiction": found}))
        return
    from rich.console import Console

    from mineproof.render import draw_clash, is_poor

    console = Console(highlight=False)
    plainly = not console.is_terminal or is_poor(console)
    _say(console, draw_clash(view, clash.clues, ascii_only=plainly, room=_room(console)))
    if clash.clues:
        what = "this clue cannot hold" if len(clash.clues) == 1 else "these clues clash"
        count = f" with {view.mines} mines" if clash.count_used else ""
        _say(console, f"[ ] {what}{count}")


def _room(console: Console) -> tuple[int, int] | None:
    """Lines and columns for a board; what is said below it may push its head away."""
    return (console.height - 1, console.width) if console.is_terminal else None


def _say(console: Console, what: Text | str, *, style: str | None = None) -> None:
    """Print: in colour and wrapped on a terminal; elsewhere as it is, whatever its width."""
    if console.is_terminal:
        console.print(what, style=style, markup=False)
    else:
        lines = str(what).split("\n")
        click.echo("\n".join(line.rstrip() for line in lines))


def _draw(odds: Posterior, moves: list[_Move], assumed: str | None, path: Path) -> None:
    from mineproof.render import odds_svg

    marked, words = None, []
    if moves:
        marked = moves[0].cell
        risk = "safe" if moves[0].proved else f"risk {_risk(moves[0])}"
        words.append(f"best move {_cell(marked)}: {risk}")
    if not odds.exact:
        words.append(_how(odds))
    if assumed is not None:
        words.append("no mine count given: every total taken to be as likely as any other")
    picture = odds_svg(odds, marked=marked, caption="; ".join(words))
    path.write_text(picture, encoding="utf-8")
