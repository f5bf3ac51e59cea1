"""A move: what a player does, and why. Guessers, games and records all use this type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from mineproof.phrases import Phrase
from mineproof.world.geometry import Cell, Grid

Action = Literal["open", "flag", "unflag", "ask", "stop"]
Act = Literal[Action, "chord"]
"""What a person can ask for: a chord opens several cells."""


class MoveReason(NamedTuple):
    """The reason of a move as data: its phrase and, if it was deduced, the premises.

    `clues` to `every_clue` are as in a `Deduction`. A move that is only `claimed` to be certain
    comes from an agent that is not sound: its premises need not prove it.
    """

    phrase: Phrase
    clues: tuple[Cell, ...] = ()
    known: tuple[Cell, ...] = ()
    count_used: bool = False
    every_clue: bool = False
    claimed: bool = False

    def __str__(self) -> str:
        return str(self.phrase)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return self.phrase.to_json() | {
            "clues": list(self.clues),
            "known": list(self.known),
            "count_used": self.count_used,
            **({"every_clue": True} if self.every_clue else {}),
            **({"claimed": True} if self.claimed else {}),
        }


class _Reason:
    """The field `Move.reason`: given as data or as text, read as text."""

    def __get__(self, move: Move | None, owner: type | None = None) -> str:
        if move is None:
            raise AttributeError("a move has no default reason")
        given: Any = move.__dict__["given"]
        return str(given) if isinstance(given, tuple) else given

    def __set__(self, move: Move, given: MoveReason | Phrase | str) -> None:
        move.__dict__["given"] = given


@dataclass(frozen=True)
class Move:
    """A move of a player and its reason.

    `risk` is the player's probability that the action is wrong, or None if the player gives
    none. `certain` is True if the move is proved right.
    """

    cell: Cell
    action: Act
    risk: float | None
    certain: bool
    reason: _Reason = _Reason()
    rule: str = ""
    """The rule that proved the move, if any."""
    estimated: bool = False
    """Whether the risk is an estimate, because there was too much to count exactly."""

    @property
    def why(self) -> MoveReason | None:
        """The reason as data; None if it was given as text."""
        given = self.__dict__["given"]
        if isinstance(given, Phrase):
            return MoveReason(given)
        return given if isinstance(given, MoveReason) else None

    @property
    def claimed(self) -> bool:
        """Whether the move is called certain by an agent that is not sound."""
        return self.certain and self.why is not None and self.why.claimed

    def to_json(self) -> dict[str, Any]:
        """Return the move as JSON data."""
        return {
            "cell": self.cell,
            "action": self.action,
            "risk": self.risk,
            "certain": self.certain,
            "reason": self.reason,
            "rule": self.rule,
            "estimated": self.estimated,
            **({} if self.why is None else {"why": self.why.to_json()}),
        }


def most_moves(grid: Grid) -> int:
    """Return the limit of moves per game; only a player that makes no progress reaches it."""
    return 4 * grid.size + 16
