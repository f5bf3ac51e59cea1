"""The win probability during a game, for those who watch it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

from mineproof.agents.champion import Champion
from mineproof.games.analysis import WinProbability, win_chance
from mineproof.world.view import COVERED

if TYPE_CHECKING:
    from mineproof.games.match import Match
    from mineproof.games.replayed_match import ReplayedMatch
    from mineproof.world.view import Event

    Watched = Match | ReplayedMatch

_GAMES = 200
"""The playouts per estimate: some hundredths of a second on an expert board. The 95 % interval is
about ten points wide."""
_LEAST_BAR, _MOST_BAR = 4, 20
"""The fewest and most columns of the bar; without room for the fewest it is left out."""


class Outlook(NamedTuple):
    """The champion's win probability from here, and whether it is the agent that plays."""

    chance: WinProbability
    own: bool

    def words(self, columns: int, *, ascii_only: bool) -> Text:
        """Return a bar and the figure; an estimate has its 95 % interval if there is room."""
        share, (low, high) = 100 * self.chance.chance, self.chance.interval
        whose = "win probability" if self.own else "champion would win"
        figure = f"{share:.1f} % exact"
        if self.chance.error:
            figure = f"{share:.0f} % (95 % CI {100 * low:.0f} to {100 * high:.0f} %)"
        length = min(columns - len(whose) - len(figure) - 2, _MOST_BAR)
        if length < _LEAST_BAR:
            full_text = f"{whose} {figure}"
            return Text(full_text if len(full_text) <= columns else f"{whose} {share:.0f} %")
        full = round(length * self.chance.chance)
        done, rest = ("#", ".") if ascii_only else ("█", "░")
        bar = Text(done * full, style="green").append(rest * (length - full), style="dim")
        return Text(f"{whose} ").append_text(bar).append(f" {figure}")


def look(match: Watched, events: Iterable[Event], before: Outlook | None) -> Outlook | None:
    """Return the outlook after these events, or `before` if they opened nothing.

    There is none in games for a score, with uncertain clues, without a mine count, on large boards,
    and after the end of the game.
    """
    if match.over or match.rules.on_mine != "end":
        return None
    if all(event.state in COVERED for event in events):
        return before
    chance = win_chance(match.view, match.clues, games=_GAMES)
    if chance is None:
        return None
    return Outlook(chance, isinstance(getattr(match.agent, "guess", None), Champion))
