"""A match with the reasoning behind each move: its equations, and the steps made with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from mineproof.games.match import Match
from mineproof.games.reasoning_log import ReasoningLog
from mineproof.phrases import Phrase
from mineproof.reasoning.deductions import Entry
from mineproof.reasoning.knowledge import Knowledge
from mineproof.world.turn import Turn

_LINES = 400
"""The most lines of each part: a large board has thousands of equations."""


class MoveReasoning(NamedTuple):
    """The reasoning behind a move, as in the play-by-play, without the true board."""

    equations: list[Entry]
    """The equations known before the move."""
    steps: list[Entry]
    """What reasoners did with them (rows, matrix, reduced matrix), deductions, queued moves."""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {name: [one.to_json() for one in part] for name, part in self._asdict().items()}


class ExplainedMatch:
    """A match, iterated move by move together with the reasoning behind each move.

    Only players that keep `Knowledge` have it; for others it is empty.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        knowledge = getattr(match.player, "knowledge", None)
        self._reasoning = (
            ReasoningLog(knowledge, match.player) if isinstance(knowledge, Knowledge) else None
        )
        self._steps: list[Entry] = []

    def __iter__(self) -> Iterator[tuple[Turn, MoveReasoning]]:
        """Play move by move."""
        reasoning = self._reasoning
        if reasoning is None:
            yield from ((turn, MoveReasoning([], [])) for turn in self.match)
            return
        reasoning.knowledge.report = self._keep_step
        try:
            equations = [*reasoning.equations()]
            for turn in self.match:
                self._steps += reasoning.findings(turn.events)
                yield turn, MoveReasoning(_shortened(equations), _shortened(self._steps))
                self._steps.clear()
                reasoning.update(turn.events)
                equations = [*reasoning.equations()]
        finally:
            reasoning.knowledge.report = None

    def _keep_step(self, entry: Entry) -> None:
        """Keep a step of a reasoner, after the deductions made before it."""
        assert self._reasoning is not None
        self._steps += (*self._reasoning.follows(), entry)


def _shortened(lines: Sequence[Entry]) -> list[Entry]:
    left = len(lines) - _LINES
    more = [Entry(Phrase("log.more-lines", {"more": left}))] if left > 0 else []
    return [*lines[:_LINES], *more]
