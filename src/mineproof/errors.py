"""Every error that mineproof raises on purpose.

A message says what came, what is allowed, and where; long texts are shortened.
"""

from __future__ import annotations

import difflib
import operator
from collections.abc import Iterable


class MineproofError(Exception):
    """The family of all errors raised here."""


class InvalidInput(MineproofError, ValueError):
    """Something given from outside cannot be used: a size, a count, an option."""


class FormatError(InvalidInput):
    """A text or a file that cannot be read; the message names the place."""


class UnknownName(InvalidInput):
    """A name that nothing here has; the nearest one is suggested."""


class IllegalMove(MineproofError, ValueError):
    """A move that the game does not take."""


class EngineError(MineproofError):
    """The engine that was asked for is not there."""


class Contradiction(MineproofError, ValueError):
    """No arrangement of mines fits what is seen.

    `clues` is an irreducible set of cells whose clues cannot hold together: leave
    any out, and the others can. `count_used` tells whether the mine count takes part.
    `irreducible` is False where the budget ended before that was found: fewer of the clues
    may do, or, where there are none, which they are is not known.
    """

    def __init__(
        self,
        message: str,
        clues: tuple[tuple[int, int], ...] = (),
        count_used: bool = False,
        irreducible: bool = True,
    ) -> None:
        super().__init__(message)
        self.clues = clues
        self.count_used = count_used
        self.irreducible = irreducible

    def __reduce__(self) -> tuple[type[Contradiction], tuple[object, ...]]:
        return Contradiction, (*self.args, self.clues, self.count_used, self.irreducible)


class AgentFault(MineproofError):
    """An agent breaks its contract; the message says how and where."""


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UnknownName:
    """The error for a name that is not among the known ones."""
    names = list(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(names)}"
    return UnknownName(f"unknown {kind} {shorten(name)!r}: {hint}")


def whole(value: object, what: str) -> int:
    """A whole number, also one of numpy's; anything else is refused."""
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise InvalidInput(f"{what} must be a whole number, got {shorten(repr(value))}") from None


def share(value: object, what: str) -> float:
    """A number from 0 to 1; anything else is refused."""
    try:
        if isinstance(value, (bool, str)):
            raise TypeError
        number = float(value)  # type: ignore[arg-type]
    except (OverflowError, TypeError, ValueError):
        raise InvalidInput(f"{what} is a number, got {shorten(repr(value))}") from None
    if not 0 <= number <= 1:
        raise InvalidInput(f"{what} is from 0 to 1, got {value}")
    return number


def counted(number: int, noun: str) -> str:
    """`1 mine`, `2 mines`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def shorten(text: str, limit: int = 60) -> str:
    """The text itself, or its beginning and end, for use in a message."""
    if len(text) <= limit:
        return text
    head = limit * 2 // 3
    return f"{text[:head]}...{text[head + 3 - limit :]}"
