"""The chance to win as a game goes, for those who watch it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

from mineproof.agents.champion import Champion
from mineproof.games.analysis import Chance, win_chance
from mineproof.world.view import COVERED

if TYPE_CHECKING:
    from mineproof.games.match import Match, Turn

_GAMES = 200
"""Played out for an estimate: some hundredths of a second on an expert board, +- 2 % or 3 %."""
_BAR = 20
"""Columns of the bar."""


class Outlook(NamedTuple):
    """What chance the champion has from here, and whether it is the one who plays."""

    chance: Chance
    own: bool

    def words(self, ascii_only: bool) -> Text:
        """A bar and the figure; an estimate has its standard error."""
        share, error = 100 * self.chance.chance, 100 * self.chance.error
        full = min(round(share * _BAR / 100), _BAR)
        done, rest = ("#", ".") if ascii_only else ("█", "░")
        whose = "chance to win now" if self.own else "the champion would win"
        figure = f"{share:.1f} %, exactly" if error == 0 else f"{share:.0f} +- {error:.0f} %"
        bar = Text(done * full, style="green").append(rest * (_BAR - full), style="dim")
        return Text(f"{whose} ").append_text(bar).append(f" {figure}")


def look(match: Match, turn: Turn, before: Outlook | None) -> Outlook | None:
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
