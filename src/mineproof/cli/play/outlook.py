"""The chance to win as a game goes, for those who watch it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

from mineproof.agents.champion import Champion
from mineproof.games.analysis import Chance, win_chance
from mineproof.world.view import COVERED

if TYPE_CHECKING:
    from mineproof.games.match import Match, Turn
    from mineproof.games.rerun import Rerun

    Watched = Match | Rerun

_GAMES = 200
"""Played out for an estimate: some hundredths of a second on an expert board, +- 2 % or 3 %."""
_LEAST_BAR, _MOST_BAR = 4, 20
"""Columns of the bar: as many as there is room for, or it is left out."""


class Outlook(NamedTuple):
    """What chance the champion has from here, and whether it is the one who plays."""

    chance: Chance
    own: bool

    def words(self, columns: int, *, ascii_only: bool) -> Text:
        """A bar and the figure; an estimate has its standard error."""
        share, error = 100 * self.chance.chance, 100 * self.chance.error
        whose = "chance to win now" if self.own else "champion would win"
        figure = f"{share:.1f} % exact" if error == 0 else f"{share:.0f} +- {error:.0f} %"
        length = min(columns - len(whose) - len(figure) - 2, _MOST_BAR)
        if length < _LEAST_BAR:
            return Text(f"{whose} {figure}")
        full = round(length * self.chance.chance)
        done, rest = ("#", ".") if ascii_only else ("█", "░")
        bar = Text(done * full, style="green").append(rest * (length - full), style="dim")
        return Text(f"{whose} ").append_text(bar).append(f" {figure}")


def look(match: Watched, turn: Turn, before: Outlook | None) -> Outlook | None:
    """The outlook after a turn, where there is one; `before` as long as nothing is opened.

    There is none for a score, with uncertain clues, without a count, on large boards, and when
    the game is over: that is told otherwise.
    """
    if match.over or match.rules.on_mine != "end":
        return None
    if all(event.state in COVERED for event in turn.events):
        return before
    chance = win_chance(match.view, match.clues, games=_GAMES)
    if chance is None:
        return None
    return Outlook(chance, isinstance(getattr(match.agent, "guess", None), Champion))
