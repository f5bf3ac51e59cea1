"""Clue models: how the number on an opened cell relates to the true number of mines around it.

A model does two things: it *draws* what a cell shows, given the true count, and it
computes the *likelihood* of what is shown for every true count, which is all that
inference needs. The likelihood of an exact clue is 1 for one count and 0 for all others;
a missing clue is equally likely for every count.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar

from mineproof.arguments import of_type
from mineproof.errors import (
    InvalidInput,
    WrongType,
    check_probability,
    quote,
    shorten,
    unknown_name,
)
from mineproof.phrases import say
from mineproof.world.chance import Stream
from mineproof.world.geometry import Grid
from mineproof.world.naming import read_options, write_options
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, KNOWN_SAFE, NO_CLUE, View, is_opened

Shown = int | None
"""A clue 0-8, or None if the cell opens without one."""

Likelihood = tuple[float, ...]
"""The probability of what a cell shows, for every true count from 0 to its number of neighbours."""


class ClueModel(ABC):
    """The base class of clue models. Immutable; `parse(str(model))` returns an equal model."""

    name: ClassVar[str]
    redraw: bool = False
    """Whether cells without a clue are asked again before each guess."""
    known: bool = False
    """Whether a clue also depends on what was known around its cell when it was opened."""
    is_exact: ClassVar[bool] = False
    """Whether every clue is the true count."""
    drawn: ClassVar[str | None] = None
    """How the compiled engine draws the same clues; None if it cannot."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if {"draw", "likelihood", "bound"} & vars(cls).keys() and "drawn" not in vars(cls):
            cls.drawn = None  # the compiled engine does not know how it draws

    @abstractmethod
    def draw(self, count: int, degree: int, stream: Stream, bound: int | None = None) -> Shown:
        """Return what a cell with `degree` neighbours and `count` mines among them shows."""

    @abstractmethod
    def likelihood(self, shown: Shown, degree: int, bound: int | None = None) -> Likelihood:
        """Return the probability of showing this for every true count from 0 to `degree`."""

    @property
    def can_be_missing(self) -> bool:
        """Whether a cell may open without a clue."""
        return False

    def check(self, grid: Grid) -> None:  # noqa: B027
        """Raise an error if the model leaves a cell of such a board nothing to show."""

    def bound(self, known: int, covered: int) -> int | None:  # noqa: ARG002
        """Return the limit of a clue's range, given its known mines and covered neighbours."""
        return None

    def bound_among(self, near: Sequence[int], *, flags: bool = True) -> int | None:
        """Return the bound of a clue whose neighbours are in these states.

        With `flags=False`, flags are the player's private notes and do not affect the clue.
        """
        known = near.count(EXPLODED) + (near.count(FLAGGED) if flags else 0)
        covered = near.count(HIDDEN) + near.count(KNOWN_SAFE)
        return self.bound(known, covered if flags else covered + near.count(FLAGGED))

    def likelihoods(self, view: View) -> dict[int, Likelihood]:
        """Return the likelihood of what each opened cell of a view shows, by index."""
        found, own = {}, self.overrides(view)
        usual: dict[tuple[int, int], Likelihood] = {}
        for index, state in enumerate(view.states):
            if is_opened(state):
                key = state, view.grid.neighbour_count(index)
                if key not in usual:
                    usual[key] = self.likelihood(None if state == NO_CLUE else state, key[1])
                found[index] = own.get(index, usual[key])
        return found

    def overrides(self, view: View) -> dict[int, Likelihood]:
        """Return the likelihoods, by index, of clues for which clue and degree are not enough."""
        if self.is_exact:
            return {}
        return {
            index: self.likelihood(view.states[index], view.grid.neighbour_count(index), bound)
            for index, bound in view.bounds
        }

    def outcomes(self, near: Sequence[int]) -> dict[Shown, Likelihood]:
        """Return the likelihood of all that a cell with neighbours in these states may show."""
        degree, bound = len(near), self.bound_among(near)
        # To exact clues a missing clue is no evidence, but it never happens.
        values = [*range(degree + 1), *([] if self.is_exact else [None])]
        found = {value: self.likelihood(value, degree, bound) for value in values}
        return {value: likelihood for value, likelihood in found.items() if any(likelihood)}

    def opens_around(self, shown: Shown, degree: int, bound: int | None = None) -> bool:
        """Return whether the clue proves that no neighbour is a mine, so that a flood may go on."""
        return shown is not None and not any(self.likelihood(shown, degree, bound)[1:])

    def __str__(self) -> str:
        options = write_options(
            {
                field.name: getattr(self, field.name)
                for field in fields(self)  # type: ignore[arg-type]
                if getattr(self, field.name) is not False
            }
        )
        return f"{self.name}:{options}" if options else self.name


@dataclass(frozen=True)
class Exact(ClueModel):
    """Every opened cell shows its true count."""

    name = "exact"
    is_exact = True
    drawn = "count"

    def draw(self, count: int, degree: int, stream: Stream, bound: int | None = None) -> Shown:  # noqa: ARG002
        """Return the true count."""
        return count

    def likelihood(self, shown: Shown, degree: int, bound: int | None = None) -> Likelihood:  # noqa: ARG002
        """Return 1 for the count shown and 0 for all others; no clue is no evidence."""
        if shown is None:
            return (1.0,) * (degree + 1)
        return tuple(float(count == shown) for count in range(degree + 1))

    def opens_around(self, shown: Shown, degree: int, bound: int | None = None) -> bool:  # noqa: ARG002
        """Return whether the clue is a zero."""
        return shown == 0


@dataclass(frozen=True)
class Sometimes(ClueModel):
    """The clue is the true count, but it is shown only with probability `p`.

    With `redraw`, every opened cell without a clue is asked again before each guess.
    """

    p: float
    redraw: bool = False
    name = "sometimes"
    drawn = "likelihood"

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", check_probability(self.p, "sometimes:p"))

    @property
    def can_be_missing(self) -> bool:
        """Whether a cell may open without a clue: always, unless `p` is 1."""
        return self.p < 1

    def draw(self, count: int, degree: int, stream: Stream, bound: int | None = None) -> Shown:  # noqa: ARG002
        """Return the true count with probability `p`; otherwise None."""
        return count if stream.uniform() < self.p else None

    def likelihood(self, shown: Shown, degree: int, bound: int | None = None) -> Likelihood:  # noqa: ARG002
        """Return `p` for the count shown; a missing clue is equally likely for every count."""
        if shown is None:
            return (1.0 - self.p,) * (degree + 1)
        return tuple(self.p * (count == shown) for count in range(degree + 1))


@dataclass(frozen=True)
class Optimistic(ClueModel):
    """The clue is never too high: uniform from 0 to the true count.

    With `known`, it is uniform from the number of neighbouring mines that were known (hit or
    flagged) when the cell was opened. If wrong flags make that range empty, the clue is the count.
    """

    known: bool = False
    name = "optimistic"
    drawn = "at_most"

    def bound(self, known: int, covered: int) -> int | None:  # noqa: ARG002
        """Return the lowest clue that can be drawn."""
        return known if self.known else None

    def draw(self, count: int, degree: int, stream: Stream, bound: int | None = None) -> Shown:  # noqa: ARG002
        """Return a uniform number from the bound to the count."""
        low = min(bound or 0, count)
        return low + stream.below(count - low + 1)

    def likelihood(self, shown: Shown, degree: int, bound: int | None = None) -> Likelihood:
        """Return 1 / (count - low + 1) for every count that is not below the clue."""
        if shown is None:
            return (0.0,) * (degree + 1)
        lows = (min(bound or 0, count) for count in range(degree + 1))
        return tuple(
            1.0 / (count - low + 1) if low <= shown <= count else 0.0
            for count, low in enumerate(lows)
        )


@dataclass(frozen=True)
class Cautious(ClueModel):
    """The clue is never too low: uniform from the true count to the number of neighbours.

    With `known`, it is uniform up to the number of neighbours that were known mines or still
    covered when the cell was opened. If wrong flags make that range empty, the clue is the count.
    """

    known: bool = False
    name = "cautious"
    drawn = "at_least"

    def bound(self, known: int, covered: int) -> int | None:
        """Return the highest clue that can be drawn."""
        return known + covered if self.known else None

    def draw(self, count: int, degree: int, stream: Stream, bound: int | None = None) -> Shown:
        """Return a uniform number from the count to the bound."""
        high = max(degree if bound is None else bound, count)
        return count + stream.below(high - count + 1)

    def likelihood(self, shown: Shown, degree: int, bound: int | None = None) -> Likelihood:
        """Return 1 / (high - count + 1) for every count that is not above the clue."""
        if shown is None:
            return (0.0,) * (degree + 1)
        highs = (max(degree if bound is None else bound, count) for count in range(degree + 1))
        return tuple(
            1.0 / (high - count + 1) if count <= shown <= high else 0.0
            for count, high in enumerate(highs)
        )


@dataclass(frozen=True)
class Table(ClueModel):
    """Any clue model, given as a table: `rows[count][clue]` is a probability.

    There are nine rows, for the counts 0 to 8. Each has nine probabilities, for the clues 0 to 8,
    or ten: the last is the probability of no clue. A clue above the number of neighbours is
    never shown: the row is cut off there and rescaled to a sum of 1. `check` refuses boards on
    which nothing is left of a row.
    """

    rows: tuple[tuple[float, ...], ...]
    name = "table"
    drawn = "likelihood"

    def __init__(self, rows: Sequence[Sequence[float]]) -> None:
        try:
            rows = [[float(chance) for chance in row] for row in rows]
        except (OverflowError, TypeError, ValueError):
            raise InvalidInput(say("refusal.table", text=False, value=quote(rows))) from None
        if len(rows) != 9:
            raise InvalidInput(say("refusal.table-rows", got=len(rows)))
        for count, row in enumerate(rows):
            if len(row) not in {9, 10}:
                raise InvalidInput(say("refusal.table-row", row=count, got=len(row)))
            if not all(0 <= chance <= 1 for chance in row) or abs(sum(row) - 1) > 1e-9:
                raise InvalidInput(say("refusal.table-sum", row=count, value=quote(row)))
        padded = tuple((*map(float, row), *([0.0] * (10 - len(row)))) for row in rows)
        object.__setattr__(self, "rows", padded)

    @property
    def can_be_missing(self) -> bool:
        """Whether a cell may open without a clue for at least one count."""
        return any(row[9] for row in self.rows)

    def __str__(self) -> str:
        return f"table:{json.dumps(self.rows, separators=(',', ':'))}"

    def check(self, grid: Grid) -> None:
        """Raise an error if the table leaves a cell of such a board nothing to show."""
        if self._empty_rows:
            for degree, index in grid.neighbour_counts().items():
                if degree in self._empty_rows:
                    row, at = self._empty_rows[degree], grid.cell(index)
                    raise InvalidInput(say("refusal.table-empty", row=row, degree=degree, at=at))

    @cached_property
    def _empty_rows(self) -> dict[int, int]:
        """By number of neighbours, the first row of which nothing is left, if there is one."""
        return {
            degree: count
            for degree in range(9)
            for count in reversed(range(degree + 1))
            if not any(self._row(count, degree))
        }

    def _row(self, count: int, degree: int) -> list[float]:
        row = self.rows[count]
        kept = [*row[: degree + 1], *([0.0] * (8 - degree)), row[9]]
        total = sum(kept)
        return [chance / total for chance in kept] if total else kept

    def draw(self, count: int, degree: int, stream: Stream, bound: int | None = None) -> Shown:  # noqa: ARG002
        """Return a clue drawn from the row of the count, by inversion of a uniform number."""
        point = stream.uniform()
        row = self._row(count, degree)
        possible = [shown for shown, chance in enumerate(row) if chance > 0]
        if not possible:
            about = {"row": count, "degree": degree, "at": "none"}
            raise InvalidInput(say("refusal.table-empty", **about))
        for shown in possible:
            point -= row[shown]
            if point < 0:
                break
        return None if shown == 9 else shown

    def likelihood(self, shown: Shown, degree: int, bound: int | None = None) -> Likelihood:  # noqa: ARG002
        """Return the column of what is shown."""
        column = 9 if shown is None else shown
        return tuple(self._row(count, degree)[column] for count in range(degree + 1))


MODELS: dict[str, type[ClueModel]] = {
    model.name: model for model in (Exact, Sometimes, Optimistic, Cautious, Table)
}
_OPTIONS: dict[str, dict[str, type]] = {
    "exact": {},
    "sometimes": {"p": float, "redraw": bool},
    "optimistic": {"known": bool},
    "cautious": {"known": bool},
}


def as_clues(clues: ClueModel | str | None, grid: Grid | None = None) -> ClueModel:
    """Return a clue model, also from its text; exact clues if none is given.

    Raises an error if the model does not suit boards of the shape `grid`.
    """
    if clues is None:
        return Exact()
    model = parse(clues) if isinstance(clues, str) else clues
    if not isinstance(model, ClueModel):
        raise WrongType(
            f"clues must be a clue model or a string like 'sometimes:0.5', got {quote(clues)}"
        )
    if grid is not None:
        model.check(grid)
    return model


def parse(text: str) -> ClueModel:
    """Read a model: `exact`, `sometimes:0.5`, `optimistic:known=true`, `table:[[...]]`."""
    of_type(text, str, "the text of a clue model")
    name, _, rest = text.strip().partition(":")
    if name not in MODELS:
        raise unknown_name("clue model", name, MODELS)
    if name == "table":
        return _parse_table(rest)
    options = read_options(rest, _OPTIONS[name], name)
    if name == "sometimes" and "p" not in options:
        raise InvalidInput(say("refusal.sometimes"))
    model: Any = MODELS[name]
    found: ClueModel = model(**options)
    return found


def _parse_table(text: str) -> Table:
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        about = {"text": True, "value": repr(shorten(text))}
        raise InvalidInput(say("refusal.table", **about)) from None
    return Table(rows)
