"""What the tour shows: the game, the agents of the tournament, and previously measured win rates.

Only the seeds are chosen; games, proofs, guesses and tournaments are computed during the tour.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from mineproof import _engine
from mineproof.games.match import Match
from mineproof.world.board import LEVELS, Deal
from mineproof.world.rules import Rules

LEVEL = "expert"
RULES = Rules(opening="safe")
"""The rules of the game and of the tournament."""


class MeasuredRate(NamedTuple):
    """A previously measured win rate, with its 95 % interval and the command to repeat it."""

    rate: float
    low: float
    high: float
    games: int
    command: str

    def words(self, who: str) -> str:
        """Return the win rate as a sentence without a full stop."""
        interval = f"95 % CI {100 * self.low:.1f} to {100 * self.high:.1f} %; {self.games:,} games"
        return f"{who} wins about {100 * self.rate:.0f} % of expert games ({interval})"


def _measured(agent: str, rate: float, low: float, high: float) -> MeasuredRate:
    command = f"mineproof arena --level expert --games 10000 --seed 1 --agents {agent}"
    return MeasuredRate(rate, low, high, 10_000, command)


EXPERT_WINS = {
    "champion": _measured("champion:budget=fast", 0.4083, 0.3987, 0.4180),
    "exact": _measured("exact", 0.3893, 0.3798, 0.3989),
}
"""Win rates on expert boards with a safe first cell; a test compares them with the README."""


class TournamentPlan(NamedTuple):
    """A tournament: its agents, its level, and the number of boards."""

    agents: tuple[str, ...]
    level: str
    games: int
    seed: int = 1


class Plan(NamedTuple):
    """A tour: the agent, the seed of its game, and whether that game was chosen as a won one."""

    agent: str
    seed: int
    chosen: bool
    field: TournamentPlan

    @property
    def player(self) -> str:
        """The agent's name as it begins a sentence."""
        return "The champion" if self.agent == "champion" else self.agent

    @property
    def wins(self) -> MeasuredRate:
        """The measured win rate of this agent."""
        return EXPERT_WINS[self.agent]

    def begin(self) -> Match:
        """Return the match before its first move."""
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
    TournamentPlan(
        ("random", "simple", "baseline", "csp", "gauss", "exact", "champion:budget=fast"),
        "intermediate",
        500,
    ),
)
_PYTHON = Plan(
    "exact",
    166,
    True,
    TournamentPlan(("random", "simple", "baseline", "csp", "exact"), "beginner", 200),
)
"""Without the compiled engine: no champion, and boards that Python plays in about a second."""


def plan(seed: int | None = None) -> Plan:
    """Return the tour for the engine in use, with the default game or the game with this seed."""
    own = _NATIVE if _engine.is_native() else _PYTHON
    return own if seed is None else own._replace(seed=seed, chosen=False)
