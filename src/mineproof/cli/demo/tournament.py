"""The last part of the tour: agents play the same boards, and bars show their win rates."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from time import monotonic, sleep
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from mineproof.cli.demo.tour_plan import RULES, TournamentPlan
from mineproof.cli.position_text import is_plain, say
from mineproof.series.arena import Arena
from mineproof.series.game_table import GameTable
from mineproof.series.intervals import wilson
from mineproof.series.standings import Standings, summarise
from mineproof.world.board import LEVELS, Deal

if TYPE_CHECKING:
    from mineproof.series.standings import PairedDifference

_LEAST_BAR, _MOST_BAR = 8, 40
"""Columns of a bar."""
_FIGURES = len(" 100.0 % (99.5 - 100.0)")
"""Columns of the figures after a bar."""
_FRAMES = 50
"""Frames drawn while the bars grow."""


def setting(field: TournamentPlan) -> str:
    """Return a sentence about the boards and the rules."""
    rows, cols, mines = LEVELS[field.level]
    return (
        f"{field.games} {field.level} boards ({rows}x{cols}, {mines} mines), the same for all; "
        "the first cell is safe, clues are exact, a mine ends the game."
    )


def command(field: TournamentPlan) -> str:
    """Return the command that plays the same tournament."""
    return (
        f"arena --level {field.level} --games {field.games} --seed {field.seed} "
        f"--agents {','.join(field.agents)}"
    )


def play(field: TournamentPlan) -> Standings:
    """Play the whole tournament and return the standings."""
    *_, games = _played(field)
    return summarise(games)


def show(console: Console, field: TournamentPlan, *, seconds: float) -> Standings:
    """Play the tournament; on a terminal its bars grow for about `seconds`."""
    say(console, setting(field))
    if console.is_terminal:
        games = _grow(console, field, seconds)
    else:
        *_, games = _played(field)
    standings = summarise(games)
    for bar in bars(console, games):
        say(console, bar)
    full, within, _ = _marks(console)
    say(console, f"{full} games won   {within} and ( ) 95 % CI", style="dim")
    for line in _difference(standings.paired):
        say(console, line)
    return standings


def _played(field: TournamentPlan) -> Generator[GameTable, None, None]:
    """Yield the games on all boards that every agent has finished, after each block."""
    arena = Arena(
        field.agents,
        Deal(*LEVELS[field.level]),
        games=field.games,
        rules=RULES,
        seed=field.seed,
    )
    with closing(arena.work()) as work:
        for _ in work:
            if arena.blocks:
                yield arena.games()


def _grow(console: Console, field: TournamentPlan, seconds: float) -> GameTable:
    """Draw growing bars, no faster than the boards are played; return all games."""
    agents, begun = len(field.agents), monotonic()
    with closing(_played(field)) as work:
        # Start the workers before taking over the screen.
        games = next(work)
        with Live(console=console, auto_refresh=False, transient=True) as screen:
            for frame in range(1, _FRAMES + 1):
                boards = -(-field.games * frame // _FRAMES)
                while len(games) < boards * agents:
                    games = next(work)
                shown = bars(console, games.part(0, boards * agents))
                count = Text(f"board {boards} of {field.games}", style="dim")
                screen.update(Group(*shown, count), refresh=True)
                sleep(max(begun + seconds * frame / _FRAMES - monotonic(), 0))
        return [games, *work][-1]


def bars(console: Console, games: GameTable) -> list[Text]:
    """Return one bar per agent: solid up to the interval, shaded within it."""
    width = max(map(len, games.agents))
    room = console.width if console.is_terminal else 80
    length = min(room - width - 1 - _FIGURES, _MOST_BAR)
    return [_bar(console, games.of(name), f"{name:<{width}}", length) for name in games.agents]


def _bar(console: Console, games: GameTable, name: str, length: int) -> Text:
    n, wins = len(games), int(games["won"].sum())
    low, high = wilson(wins, n)
    full, within, rest = _marks(console)
    line = Text(no_wrap=True, overflow="crop").append(name, "bold")
    if length >= _LEAST_BAR:
        first, last = round(length * low), max(round(length * high), round(length * low) + 1)
        line.append(" ")
        line.append(full * first, "green").append(within * (last - first), "yellow")
        line.append(rest * (length - last), "dim")
    rate = 100 * wins / n
    line.append(f" {rate:5.1f} %")
    return line.append(f" ({100 * low:.1f} - {100 * high:.1f})", "dim")


def _marks(console: Console) -> tuple[str, str, str]:
    """The characters for the solid, the shaded and the empty part of a bar."""
    return ("#", "=", ".") if is_plain(console) else ("█", "▒", "░")


def _difference(paired: tuple[PairedDifference, ...]) -> list[str]:
    """Compare the last two agents, which are the closest and the strongest."""
    if not paired:
        return []
    last = paired[-1]
    low, high = (100 * bound for bound in last.difference.interval)
    points = f"{-100 * last.difference.mean:+.1f} points"
    clear = "" if low > 0 or high < 0 else ": no significant difference"
    return [
        f"{last.second} minus {last.first}, on the same boards: {points} "
        f"(95 % CI {-high:+.1f} to {-low:+.1f}){clear}"
    ]
