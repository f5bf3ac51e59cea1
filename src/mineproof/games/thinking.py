"""A game with what each move came from: the equations at hand, and what was made of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mineproof.games._mind import Mind
from mineproof.games.match import Match, Turn
from mineproof.reasoning.knowledge import Knowledge

_LINES = 400
"""Of each part: a large board has thousands of equations, and nobody reads them."""


class Thought(NamedTuple):
    """What led to a move, in lines as the play-by-play has them; nothing of the truth is in it."""

    equations: list[str]
    """Those that were known before it."""
    steps: list[str]
    """What reasoners did with them (rows, matrix, reduced matrix), what follows, what waits."""


class Thinking:
    """A match, iterated move by move with the thoughts behind it.

    They are told of players that keep `Knowledge`; of others there are none.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        knowledge = getattr(match.player, "knowledge", None)
        self._mind = Mind(knowledge, match.player) if isinstance(knowledge, Knowledge) else None
        self._steps: list[str] = []

    def __iter__(self) -> Iterator[tuple[Turn, Thought]]:
        """Play on."""
        mind = self._mind
        if mind is None:
            yield from ((turn, Thought([], [])) for turn in self.match)
            return
        mind.knowledge.tell = self._tell
        try:
            equations = _equations(mind)
            for turn in self.match:
                self._steps += mind.findings(turn.move)
                yield turn, Thought(_shortened(equations), _shortened(self._steps))
                self._steps.clear()
                mind.update(turn.events)
                equations = _equations(mind)
        finally:
            mind.knowledge.tell = None

    def _tell(self, text: str) -> None:
        """What a reasoner does, as it does it; before that, what was found until then."""
        assert self._mind is not None
        self._steps += (*self._mind.follows(), *text.splitlines())


def _equations(mind: Mind) -> list[str]:
    _, *lines = mind.equations()
    return [line.strip() for line in lines]


def _shortened(lines: Sequence[str]) -> list[str]:
    left = len(lines) - _LINES
    return [*lines[:_LINES], *([f"... and {left} lines more"] if left > 0 else [])]
