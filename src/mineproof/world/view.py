"""What a player sees."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Literal, NamedTuple

from mineproof.errors import (
    FormatError,
    InvalidInput,
    counted,
    do_not_fit,
    quoted,
    shorten,
    whole,
)
from mineproof.given import each, of_type, one_of
from mineproof.world import notation
from mineproof.world.geometry import MAX_SIDE, Cell, Grid, read_array

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

LARGEST_CLUE = 8


class State(IntEnum):
    """What a cell shows where it is not a clue, 0 to 8; the numbers of native/.../cells.hpp."""

    HIDDEN = 9
    SAFE = 10
    """Hidden, and safe by the opening rule."""
    NO_CLUE = 11
    """Opened, without a clue."""
    EXPLODED = 12
    FLAGGED = 13


# The same as plain numbers, as views have them.
HIDDEN, TOLD_SAFE, NO_CLUE, EXPLODED, FLAGGED = map(int, State)

COVERED = frozenset({HIDDEN, TOLD_SAFE, FLAGGED})
"""Neither opened nor exploded."""
UNTOUCHED = frozenset({HIDDEN, TOLD_SAFE})
"""Covered and not flagged: what may be opened."""
UNKNOWN = frozenset({HIDDEN, FLAGGED})
"""Covered, and nothing seen tells what is there: a flag is a mark, not evidence."""


def is_clue(state: int) -> bool:
    """Whether a cell was opened and shows a number."""
    return state <= LARGEST_CLUE


def is_opened(state: int) -> bool:
    """Whether a cell was opened, with a clue or without."""
    return state <= LARGEST_CLUE or state == NO_CLUE


def count_covered(states: Iterable[int]) -> int:
    """How many cells were neither opened nor exploded."""
    return sum(state in COVERED for state in states)


_SYMBOLS = "012345678?s-*F"
_ALPHABET = _SYMBOLS + "."
_STATES = bytes.maketrans(_ALPHABET.encode(), bytes([*range(14), HIDDEN]))
_CHARACTERS = bytes.maketrans(bytes(range(14)), _SYMBOLS.encode())


_HARMLESS = bytes([0, 1, 2, 3, *range(9, 14)])
"""States that every cell of a board with two rows and columns may have."""


Dots = Literal["hidden", "safe"]


def _check_dots(found: notation.GridText, mines: int | None) -> None:
    """Refuse a text that could be a view or a board."""
    said = found.mines if mines is None else mines
    mined = found.characters.count("*")
    if set(found.characters) - set(".*") or "." not in found.characters or found.marks:
        return
    if said is None or said == mined:
        shown = shorten(notation.write(found))
        raise FormatError(
            f"{shown!r} could be a view, its . hidden, or a board, its . safe: "
            "write ? for hidden, or choose by --dots hidden or --dots safe (in Python, dots=)"
        )


def _as_states(states: object) -> bytes:
    """The states as bytes; a number alone would be as many zeros."""
    try:
        if isinstance(states, (int, str)):
            raise TypeError
        return bytes(states)  # type: ignore[call-overload, no-any-return]
    except (TypeError, ValueError):
        raise InvalidInput(
            f"states are a byte for each cell, from 0 to {FLAGGED}, got {shorten(repr(states))}"
        ) from None


def read_state(symbol: str) -> int:
    """What a cell shows, by its symbol in a view's text."""
    if len(symbol) != 1 or symbol not in _ALPHABET:
        raise InvalidInput(f"a cell shows one of {_SYMBOLS}, got {shorten(symbol)!r}")
    return _STATES[ord(symbol)]


def write_state(state: int) -> str:
    """The symbol that `read_state` takes back."""
    return _SYMBOLS[state]


class Event(NamedTuple):
    """A cell came to show something else: what the referee tells a player."""

    cell: Cell
    state: int
    """A clue 0-8, or a value of `State` (HIDDEN where a flag was taken back)."""
    bound: int | None = None
    """What the clue's range depended on when it was drawn (see `clues.Optimistic`)."""


@dataclass(frozen=True, repr=False)
class View:
    """What a player sees: every cell's state, and the mine count if it is known.

    Immutable, with one text form: `?` or `.` hidden, `s` told safe (by the opening
    rule), `0`-`8` clue, `-` opened without a clue, `*` exploded, `F` flagged.
    """

    grid: Grid
    states: bytes
    """One byte per cell, by index: a clue 0-8, or a value of `State`."""
    mines: int | None = None
    bounds: tuple[tuple[int, int], ...] = ()
    """Pairs (index, bound), for clue models whose range depended on what was known."""

    def __post_init__(self) -> None:
        grid = self.grid
        of_type(grid, Grid, "the grid of a view")
        object.__setattr__(self, "states", _as_states(self.states))
        if len(self.states) != grid.size:
            raise InvalidInput(f"expected {counted(grid.size, 'cell')}, got {len(self.states)}")
        if max(self.states) > FLAGGED:
            raise InvalidInput(f"a state is from 0 to {FLAGGED}, got {max(self.states)}")
        self._check_clues()
        if not isinstance(self.bounds, tuple) or self.bounds:
            self._check_bounds()
        if self.mines is None:
            return
        object.__setattr__(self, "mines", whole(self.mines, "mines", 0, MAX_SIDE**2, "are"))
        hit = self.states.count(EXPLODED)
        room = hit + self.states.count(HIDDEN) + self.states.count(FLAGGED)
        if not hit <= self.mines <= room:
            limit = f"at least {hit} exploded" if self.mines < hit else f"at most {room} can be"
            raise InvalidInput(f"{do_not_fit(self.mines)} {shorten(self.to_text())!r}: {limit}")

    def _check_clues(self) -> None:
        """No clue is above the number of neighbours, which only cells of the rim can break."""
        cols = self.grid.cols
        rim = self.states[:cols] + self.states[-cols:] + self.states[::cols]
        rim += self.states[cols - 1 :: cols]
        if not rim.strip(_HARMLESS) and min(self.grid.rows, cols) > 1:
            return
        for index in self.grid.rim():
            clue, degree = self.states[index], self.grid.degree(index)
            if is_clue(clue) and clue > degree:
                where = self.grid.name(index)
                raise InvalidInput(
                    f"clue {clue} at {where} is too high: "
                    f"the cell has {counted(degree, 'neighbour')} in {shorten(self.to_text())!r}"
                )

    def _check_bounds(self) -> None:
        """A bound belongs to a clue, once, and is a number of mines that can be around it."""
        try:
            pairs = [(whole(i, "a cell"), whole(b, "a bound")) for i, b in self.bounds]
        except (TypeError, ValueError):
            raise InvalidInput(
                f"bounds are pairs (index, bound), got {shorten(repr(self.bounds))}"
            ) from None
        object.__setattr__(self, "bounds", tuple(sorted(pairs)))
        for index, bound in pairs:
            if not 0 <= index < self.grid.size or not is_clue(self.states[index]):
                raise InvalidInput(f"a bound belongs to a cell with a clue, got {(index, bound)}")
            if not 0 <= bound <= self.grid.degree(index):
                where, degree = self.grid.name(index), self.grid.degree(index)
                raise InvalidInput(f"a bound at {where} is from 0 to {degree}, got {bound}")
        if len(dict(pairs)) < len(pairs):
            raise InvalidInput("a clue has one bound, got several for one cell")

    @classmethod
    def hidden(cls, rows: int, cols: int, mines: int | None = None) -> View:
        """The view before the first move."""
        grid = Grid(rows, cols)
        return cls(grid, bytes([HIDDEN]) * grid.size, mines)

    @classmethod
    def from_array(cls, states: ArrayLike, mines: int | None = None) -> View:
        """The view whose cells show these: rows of clues 0-8 and values of `State`."""
        grid, flat = read_array(states, "states", FLAGGED)
        return cls(grid, flat, mines)

    @classmethod
    def from_text(cls, text: str, mines: int | None = None, *, dots: Dots | None = None) -> View:
        """Read `2x3/2 ???/121`, or the same on many lines, with or without its header.

        Hidden is `?`; `.` is read so, too, unless `dots` says that it means safe. Where the
        text could as well be a board, whose `.` are safe, `dots` must say which it is.
        """
        found = notation.read(text, _ALPHABET)
        mines = None if mines is None else whole(mines, "mines", 0, MAX_SIDE**2, "are")
        if dots is None:
            _check_dots(found, mines)
        elif one_of(dots, "meaning of dots", ("hidden", "safe")) == "safe":
            found = replace(found, characters=found.characters.replace(".", "s"))
        grid = found.grid
        shown = shorten(" ".join(text.split()))
        if mines is not None and found.mines is not None and mines != found.mines:
            raise FormatError(
                f"the text says {counted(found.mines, 'mine')}, not {quoted(mines)}, in {shown!r}"
            )
        states = found.characters.encode().translate(_STATES)
        for index, bound in found.marks:
            if not is_clue(states[index]) or bound > grid.degree(index):
                where = grid.name(index)
                raise FormatError(f"no bound {bound} is possible at {where} in {shown!r}")
        return cls(grid, states, found.mines if mines is None else mines, found.marks)

    def to_text(self, *, lines: bool = False) -> str:
        """The text that `from_text` takes back; on one line, or a line a row."""
        characters = self.states.translate(_CHARACTERS).decode()
        text = notation.GridText(self.grid, characters, self.mines, self.bounds)
        return notation.write(text, lines=lines)

    def __str__(self) -> str:
        """A line a row; `from_text` takes it back."""
        return self.to_text(lines=True)

    def __repr__(self) -> str:
        return f"View({self.to_text()!r})"

    def _repr_svg_(self) -> str | None:
        """What a notebook shows; None where the board is too large for a picture."""
        from mineproof import _pictures

        picture: str | None = _pictures().view_picture(self)
        return picture

    @property
    def rows(self) -> int:
        """How many rows."""
        return self.grid.rows

    @property
    def cols(self) -> int:
        """How many columns."""
        return self.grid.cols

    @property
    def array(self) -> NDArray[np.uint8]:
        """What the cells show, by row and column: clues 0-8 and values of `State`. Read-only."""
        import numpy as np

        return np.frombuffer(self.states, np.uint8).reshape(self.rows, self.cols)

    def state(self, cell: Cell) -> int:
        """What a cell shows: a clue 0-8, or a value of `State`."""
        return self.states[self.grid.index(cell)]

    def after(self, events: Iterable[Event]) -> View:
        """The view that these events make of this one."""
        states, bounds = bytearray(self.states), dict(self.bounds)
        for event in each(events, Event, "events"):
            index = self.grid.index(event.cell)
            states[index] = whole(event.state, "a state", 0, FLAGGED)
            bounds.pop(index, None)
            if event.bound is not None:
                bounds[index] = event.bound
        return View(self.grid, bytes(states), self.mines, tuple(sorted(bounds.items())))

    def cells(self, *states: int) -> list[Cell]:
        """The cells that show one of these, by index."""
        wanted = bytes(states)
        return self.grid.cells(i for i, state in enumerate(self.states) if state in wanted)
