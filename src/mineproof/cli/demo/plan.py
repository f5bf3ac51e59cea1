"""What the tour shows: which game, which agents meet, and the figures that were measured before.

Only the seeds are chosen; games, proofs, guesses and tournaments are computed when they are shown.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from mineproof import _engine
from mineproof.games.match import Match
from mineproof.world.board import LEVELS, Deal
from mineproof.world.rules import Rules

LEVEL = "expert"
RULES = Rules(opening="safe")
"""Of the game and of the tournament."""


class Measured(NamedTuple):
    """A win rate that was measured before, with its 95 % interval and the command."""

    rate: float
    low: float
    high: float
    games: int
    command: str

    def words(self, who: str) -> str:
        """As a sentence without its end."""
        interval = f"95 %: {100 * self.low:.1f} to {100 * self.high:.1f}; n = {self.games:,}"
        return f"{who} wins about {100 * self.rate:.0f} % of expert games ({interval})"


def _measured(agent: str, rate: float, low: float, high: float) -> Measured:
    command = f"mineproof arena --level expert --games 10000 --seed 1 --agents {agent}"
    return Measured(rate, low, high, 10_000, command)


EXPERT_WINS = {
    "champion": _measured("champion:budget=fast", 0.4083, 0.3987, 0.4180),
    "exact": _measured("exact", 0.3893, 0.3798, 0.3989),
}
"""Games won on expert with a safe first cell: README's table of agents, a test compares."""


class Field(NamedTuple):
    """A tournament: who meets on how many boards of which level."""

    agents: tuple[str, ...]
    level: str
    games: int
    seed: int = 1


class Plan(NamedTuple):
    """A tour: who plays the game, its seed, and whether that was chosen to be won."""

    agent: str
    seed: int
    chosen: bool
    field: Field

    @property
    def player(self) -> str:
        """The agent as a sentence begins with it; agents have small names."""
        return "The champion" if self.agent == "champion" else self.agent

    @property
    def wins(self) -> Measured:
        """How often this agent wins."""
        return EXPERT_WINS[self.agent]

    def begin(self) -> Match:
        """The game, before its first move."""
        return Match(Deal(*LEVELS[LEVEL]), self.agent, rules=RULES, seed=self.seed)

    def to_json(self) -> dict[str, Any]:
        """As JSON data."""
        return {
            "engine": _engine.name(),
            "agent": self.agent,
            "chosen": self.chosen,
            "expert_wins": self.wins._asdict(),
        }


_NATIVE = Plan(
    "champion",
    576,
    True,
    Field(
        ("random", "simple", "baseline", "csp", "gauss", "exact", "champion:budget=fast"),
        "intermediate",
        500,
    ),
)
_PYTHON = Plan(
    "exact",
    166,
    True,
    Field(("random", "simple", "baseline", "csp", "exact"), "beginner", 200),
)
"""Without the compiled engine: no champion, and boards that Python plays in a second or two."""


def plan(seed: int | None = None) -> Plan:
    """The tour that the engine in use can give, of its own game or of the game of a seed."""
    own = _NATIVE if _engine.is_native() else _PYTHON
    return own if seed is None else own._replace(seed=seed, chosen=False)
