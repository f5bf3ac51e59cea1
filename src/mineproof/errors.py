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


class WrongType(InvalidInput, TypeError):
    """Something given is of another type than what is taken there."""


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


class NotFound(MineproofError):
    """No board of the kind that was asked for was found within the tries that were allowed.

    `tries` is how many were made, `best` the largest share of the safe cells that one opened.
    """

    def __init__(self, message: str, tries: int = 0, best: float = 0.0) -> None:
        super().__init__(message)
        self.tries = tries
        self.best = best

    def __reduce__(self) -> tuple[type[NotFound], tuple[object, ...]]:
        return NotFound, (*self.args, self.tries, self.best)


class AgentFault(MineproofError):
    """An agent breaks its contract; the message says how and where."""


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UnknownName:
    """The error for a name that is not among the known ones."""
    names = list(known)
    near = nearest(name, names)
    hint = f"did you mean {near!r}?" if near else f"there are: {', '.join(names)}"
    return UnknownName(f"unknown {kind} {shorten(name)!r}: {hint}")


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like this one; None if none is near."""
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return near[0] if near else None


def whole(
    value: object, what: str, least: int | None = None, most: int | None = None, verb: str = "is"
) -> int:
    """A whole number, also one of numpy's, within these bounds; anything else is refused.

    What comes back is Python's own number, which no sum or product overflows.
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise WrongType(f"{what} must be a whole number, got {quoted(value)}") from None
    if least is not None and number < least and most is None:
        raise InvalidInput(f"{what} {verb} at least {least}, got {quoted(number)}")
    if (least is not None and number < least) or (most is not None and number > most):
        bounds = f"at most {most}" if least is None else f"from {least} to {_round(most)}"
        raise InvalidInput(f"{what} {verb} {bounds}, got {quoted(number)}")
    return number


def _round(number: int | None) -> str:
    """A large bound as people write it: `2**64 - 1`, `10**12`."""
    text = str(number)
    if number is not None and number + 1 == 1 << number.bit_length() and number > 10**9:
        return f"2**{number.bit_length()} - 1"
    zeros = len(text) - len(text.rstrip("0"))
    return f"10**{zeros}" if zeros > 6 and text == f"1{'0' * zeros}" else text


def share(value: object, what: str) -> float:
    """A number from 0 to 1; anything else is refused."""
    try:
        if isinstance(value, (bool, str)):
            raise TypeError
        number = float(value)  # type: ignore[arg-type]
    except (OverflowError, TypeError, ValueError):
        raise InvalidInput(f"{what} is a number, got {quoted(value)}") from None
    if not 0 <= number <= 1:
        raise InvalidInput(f"{what} is from 0 to 1, got {number}")
    return number


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """`1 mine`, `2 mines`; `2 guesses` where the plural is given."""
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"


def do_not_fit(mines: int) -> str:
    """`1 mine does not fit`, `2 mines do not fit`."""
    return "1 mine does not fit" if mines == 1 else f"{quoted(mines)} mines do not fit"


def quoted(value: object) -> str:
    """A value as it stands in a message: on one line, shortened, whatever it is."""
    if isinstance(value, int) and value.bit_length() > 128:
        return f"a number of {value.bit_length()} bits"  # too long to be worth its digits
    try:
        text = repr(value)
    except Exception:
        text = f"something of type {type(value).__name__}"
    return shorten(" ".join(text.split()))


def shorten(text: str, limit: int = 60) -> str:
    """The text itself, or its beginning and end, for use in a message."""
    if len(text) <= limit:
        return text
    head = limit * 2 // 3
    return f"{text[:head]}...{text[head + 3 - limit :]}"
