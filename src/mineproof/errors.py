"""All errors that mineproof raises on purpose.

A message says what was given, what is allowed, and where; long values are shortened.
"""

from __future__ import annotations

import difflib
import operator
from collections.abc import Iterable

from mineproof.phrases import Phrase, say


class MineproofError(Exception):
    """The base class of all mineproof errors."""

    @property
    def what(self) -> str:
        """The message without the position in which it happened, if it ends with that."""
        said = self.args[0] if self.args else ""
        return str(said.values["what"] if isinstance(said, Phrase) else said)

    @property
    def why(self) -> Phrase | None:
        """The same as data, if it is known as data."""
        said = self.args[0] if self.args else ""
        what = said.values["what"] if isinstance(said, Phrase) else said
        return what if isinstance(what, Phrase) else None


class InvalidInput(MineproofError, ValueError):
    """An argument has an invalid value: a size, a count, an option."""


class WrongType(InvalidInput, TypeError):
    """An argument has the wrong type; also a `TypeError`."""


class FormatError(InvalidInput):
    """A text or a file cannot be read; the message names the place."""


class UnknownName(InvalidInput):
    """A name is unknown; the message suggests a similar one or lists the known ones."""


class IllegalMove(MineproofError, ValueError):
    """A move is not allowed in the current state of the game."""


class EngineError(MineproofError):
    """The requested engine is not available."""


class Contradiction(MineproofError, ValueError):
    """No configuration of mines is consistent with the view.

    `clues` is an irreducible set of cells whose clues contradict each other: without any one of
    them, the others are consistent. `count_used` is True if the mine count is part of the
    contradiction. `irreducible` is False if the budget ran out first: then fewer clues may be
    enough, or, if `clues` is empty, the contradicting clues are unknown.
    """

    def __init__(
        self,
        message: str | Phrase,
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
    """No board with the requested properties was found within the allowed number of tries.

    `tries` is the number of tries, `best` the largest fraction of safe cells opened in any of them.
    """

    def __init__(self, message: str, tries: int = 0, best: float = 0.0) -> None:
        super().__init__(message)
        self.tries = tries
        self.best = best

    def __reduce__(self) -> tuple[type[NotFound], tuple[object, ...]]:
        return NotFound, (*self.args, self.tries, self.best)


class AgentFault(MineproofError):
    """An agent broke its contract; the message says how and where.

    `fault` is the message without the name of the agent.
    """

    def __init__(self, fault: str, agent: str | None = None, between: str = " ") -> None:
        super().__init__(fault if agent is None else f"agent {agent!r}{between}{fault}")
        self.fault = fault


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UnknownName:
    """Return the error for a name that is not one of the known names."""
    names = list(known)
    near = nearest(name, names)
    return UnknownName(
        say(
            "refusal.unknown",
            kind=kind,
            name=repr(shorten(name)),
            near="none" if near is None else repr(near),
            known=len(names),
            names=", ".join(names),
        )
    )


def in_position(what: str | Phrase, position: str) -> Phrase:
    """Return the message of an error about a position, given the text of the position."""
    return Phrase("refusal.in", {"what": what, "position": repr(shorten(position))})


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is most similar to this one, or None if none is similar."""
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return near[0] if near else None


def check_integer(
    value: object, what: str, least: int | None = None, most: int | None = None
) -> int:
    """Return a whole number within these bounds as an `int`, or raise an error.

    Integers of numpy are accepted and converted, so that sums and products cannot overflow.
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise WrongType(say("refusal.whole", name=what, value=quote(value))) from None
    if least is not None and number < least and most is None:
        raise InvalidInput(f"{what} must be at least {least}, got {quote(number)}")
    if (least is not None and number < least) or (most is not None and number > most):
        if least is None:
            raise InvalidInput(f"{what} must be at most {most}, got {quote(number)}")
        bounds = {"least": least, "most": _round(most)}
        raise InvalidInput(say("refusal.range", name=what, value=quote(number), **bounds))
    return number


def _round(number: int | None) -> str:
    """Return a large bound in readable form: `2**64 - 1`, `10**12`."""
    text = str(number)
    if number is not None and number + 1 == 1 << number.bit_length() and number > 10**9:
        return f"2**{number.bit_length()} - 1"
    zeros = len(text) - len(text.rstrip("0"))
    return f"10**{zeros}" if zeros > 6 and text == f"1{'0' * zeros}" else text


def check_probability(value: object, what: str) -> float:
    """Return a number from 0 to 1 as a `float`, or raise an error."""
    try:
        if isinstance(value, (bool, str)):
            raise TypeError
        number = float(value)  # type: ignore[arg-type]
    except (OverflowError, TypeError, ValueError):
        raise InvalidInput(say("refusal.number", name=what, value=quote(value))) from None
    if not 0 <= number <= 1:
        raise InvalidInput(say("refusal.range", name=what, least=0, most=1, value=number))
    return number


def plural(number: int, noun: str, plural: str | None = None) -> str:
    """Return `1 mine`, `2 mines`; pass the plural if it does not end in s."""
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"


def do_not_fit(mines: int) -> str:
    """Return `1 mine does not fit`, `2 mines do not fit`."""
    return say("refusal.do-not-fit", mines=quote(mines), one=mines == 1)


def quote(value: object) -> str:
    """Return any value as text for a message: on one line, shortened."""
    if isinstance(value, int) and value.bit_length() > 128:
        return f"a number of {value.bit_length()} bits"  # too long to be worth its digits
    try:
        text = repr(value)
    except Exception:
        text = f"an object of type {type(value).__name__}"
    return shorten(" ".join(text.split()))


def shorten(text: str, limit: int = 60) -> str:
    """Return the text, or its beginning and end if it is too long for a message."""
    if len(text) <= limit:
        return text
    head = limit * 2 // 3
    return f"{text[:head]}...{text[head + 3 - limit :]}"
