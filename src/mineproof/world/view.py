"""Views: what a player sees of a board."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Literal, NamedTuple

from mineproof.arguments import each, of_type, one_of
from mineproof.errors import (
    FormatError,
    InvalidInput,
    check_integer,
    do_not_fit,
    in_position,
    plural,
    quote,
    shorten,
)
from mineproof.phrases import say
from mineproof.world import notation
from mineproof.world.geometry import MAX_SIDE, Cell, Grid, read_array

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

LARGEST_CLUE = 8


class State(IntEnum):
    """What a cell shows if not a clue (0 to 8); the same numbers as in native/.../cells.hpp."""

    HIDDEN = 9
    SAFE = 10
    """Hidden, and known to be safe by the opening rule."""
    NO_CLUE = 11
    """Opened, without a clue."""
    EXPLODED = 12
    FLAGGED = 13


# The same as plain numbers, as views have them.
HIDDEN, KNOWN_SAFE, NO_CLUE, EXPLODED, FLAGGED = map(int, State)

COVERED = frozenset({HIDDEN, KNOWN_SAFE, FLAGGED})
"""Hidden, known safe or flagged: neither opened nor exploded."""
UNTOUCHED = frozenset({HIDDEN, KNOWN_SAFE})
"""Hidden and not flagged: cells that may be opened."""
UNKNOWN = frozenset({HIDDEN, FLAGGED})
"""Hidden or flagged cells that may be mines: a flag is a mark, not evidence."""


def is_clue(state: int) -> bool:
    """Return whether a cell was opened and shows a number."""
    return state <= LARGEST_CLUE


def is_opened(state: int) -> bool:
    """Return whether a cell was opened, with or without a clue."""
    return state <= LARGEST_CLUE or state == NO_CLUE


def count_covered(states: Iterable[int]) -> int:
    """Return the number of cells that were neither opened nor exploded."""
    return sum(state in COVERED for state in states)


_SYMBOLS = "012345678?s-*F"
_ALPHABET = _SYMBOLS + "."
_STATES = bytes.maketrans(_ALPHABET.encode(), bytes([*range(14), HIDDEN]))
_CHARACTERS = bytes.maketrans(bytes(range(14)), _SYMBOLS.encode())


_HARMLESS = bytes([0, 1, 2, 3, *range(9, 14)])
"""States that any cell may have if the board has at least two rows and two columns."""


Dots = Literal["hidden", "safe"]


def _check_dots(found: notation.GridText, mines: int | None) -> None:
    """Raise an error if a text could be a view or a board."""
    said = found.mines if mines is None else mines
    mined = found.characters.count("*")
    if set(found.characters) - set(".*") or "." not in found.characters or found.marks:
        return
    if said is None or said == mined:
        position = repr(shorten(notation.write(found)))
        raise FormatError(say("refusal.dots", position=position, options=True))


def _as_states(states: object) -> bytes:
    """Return the states as bytes. A number is refused: `bytes(9)` would be nine zeros."""
    try:
        if isinstance(states, (int, str)):
            raise TypeError
        return bytes(states)  # type: ignore[call-overload, no-any-return]
    except (TypeError, ValueError):
        raise InvalidInput(
            f"states must be one byte per cell, from 0 to {FLAGGED}, got {quote(states)}"
        ) from None


def read_state(symbol: str) -> int:
    """Return the state for a symbol of a view's text."""
    if len(symbol) != 1 or symbol not in _ALPHABET:
        raise InvalidInput(
            f"the symbol of a cell must be one of {_SYMBOLS}, got {shorten(symbol)!r}"
        )
    return _STATES[ord(symbol)]


def write_state(state: int) -> str:
    """Return the symbol for a state; `read_state` is the inverse."""
    return _SYMBOLS[state]


class Event(NamedTuple):
    """A change of one cell, as the referee reports it to a player."""

    cell: Cell
    state: int
    """The new state: a clue 0-8 or a value of `State` (HIDDEN if a flag was removed)."""
    bound: int | None = None
    """The limit of the clue's range when it was drawn (see `clues.Optimistic`), if any."""

    def to_json(self) -> list[int | str]:
        """Return the row, the column, the symbol of the state, and the bound if there is one."""
        return [*self.cell, write_state(self.state), *([] if self.bound is None else [self.bound])]


@dataclass(frozen=True, repr=False)
class View:
    """What a player sees: the state of every cell, and the mine count if it is known.

    Immutable. Its text form uses `?` or `.` for hidden, `s` for known safe (by the opening
    rule), `0`-`8` for a clue, `-` for opened without a clue, `*` for exploded, `F` for flagged.
    """

    grid: Grid
    states: bytes
    """One byte per cell, by index: a clue 0-8, or a value of `State`."""
    mines: int | None = None
    bounds: tuple[tuple[int, int], ...] = ()
    """Pairs (index, bound), for clue models whose range depends on what was known."""

    def __post_init__(self) -> None:
        grid = self.grid
        of_type(grid, Grid, "the grid of a view")
        object.__setattr__(self, "states", _as_states(self.states))
        if len(self.states) != grid.size:
            raise InvalidInput(
                f"a view of {grid.rows}x{grid.cols} has {plural(grid.size, 'cell')}, "
                f"got {len(self.states)}"
            )
        if max(self.states) > FLAGGED:
            raise InvalidInput(f"a state must be from 0 to {FLAGGED}, got {max(self.states)}")
        self._check_clues()
        if not isinstance(self.bounds, tuple) or self.bounds:
            self._check_bounds()
        if self.mines is None:
            return
        object.__setattr__(self, "mines", check_integer(self.mines, "mines", 0, MAX_SIDE**2))
        hit = self.states.count(EXPLODED)
        room = hit + self.states.count(HIDDEN) + self.states.count(FLAGGED)
        if not hit <= self.mines <= room:
            about = {"fit": do_not_fit(self.mines), "position": repr(shorten(self.to_text()))}
            if self.mines < hit:
                raise InvalidInput(say("refusal.too-few-mines", mines=hit, **about))
            raise InvalidInput(say("refusal.mines-without-room", cells=room, **about))

    def _check_clues(self) -> None:
        """Raise an error if a clue exceeds its number of neighbours (possible on the border)."""
        cols = self.grid.cols
        rim = self.states[:cols] + self.states[-cols:] + self.states[::cols]
        rim += self.states[cols - 1 :: cols]
        if not rim.strip(_HARMLESS) and min(self.grid.rows, cols) > 1:
            return
        for index in self.grid.border():
            clue, degree = self.states[index], self.grid.neighbour_count(index)
            if is_clue(clue) and clue > degree:
                about = {"clue": clue, "cell": self.grid.cell(index), "degree": degree}
                what = say("refusal.clue-too-high", **about)
                raise InvalidInput(in_position(what, self.to_text()))

    def _check_bounds(self) -> None:
        """Raise an error unless every bound is possible and belongs to its own clue."""
        try:
            pairs = [
                (check_integer(i, "a cell"), check_integer(b, "a bound")) for i, b in self.bounds
            ]
        except (TypeError, ValueError):
            raise InvalidInput(
                f"bounds must be pairs (index, bound), got {quote(self.bounds)}"
            ) from None
        object.__setattr__(self, "bounds", tuple(sorted(pairs)))
        for index, bound in pairs:
            if not 0 <= index < self.grid.size or not is_clue(self.states[index]):
                raise InvalidInput(
                    f"a bound must belong to a cell with a clue, got {(index, bound)}"
                )
            if not 0 <= bound <= self.grid.neighbour_count(index):
                where, degree = self.grid.name(index), self.grid.neighbour_count(index)
                raise InvalidInput(f"a bound at {where} must be from 0 to {degree}, got {bound}")
        if len(dict(pairs)) < len(pairs):
            raise InvalidInput("a clue can have only one bound, got several for the same cell")

    @classmethod
    def hidden(cls, rows: int, cols: int, mines: int | None = None) -> View:
        """Return the view before the first move: every cell is hidden."""
        grid = Grid(rows, cols)
        return cls(grid, bytes([HIDDEN]) * grid.size, mines)

    @classmethod
    def from_array(cls, states: ArrayLike, mines: int | None = None) -> View:
        """Return the view with these rows of states: clues 0-8 and values of `State`."""
        grid, flat = read_array(states, "states", FLAGGED)
        return cls(grid, flat, mines)

    @classmethod
    def from_text(cls, text: str, mines: int | None = None, *, dots: Dots | None = None) -> View:
        """Read a text such as `2x3/2 ???/121`, on one line or several; the header is optional.

        Hidden cells are `?`. A `.` is read as hidden, too, or as known safe with `dots="safe"`.
        If the text could also be a board, in which `.` means safe, `dots` is required.
        """
        found = notation.read(text, _ALPHABET)
        mines = None if mines is None else check_integer(mines, "mines", 0, MAX_SIDE**2)
        if dots is None:
            _check_dots(found, mines)
        elif one_of(dots, "meaning of dots", ("hidden", "safe")) == "safe":
            found = replace(found, characters=found.characters.replace(".", "s"))
        grid = found.grid
        shown = shorten(" ".join(text.split()))
        if mines is not None and found.mines is not None and mines != found.mines:
            raise FormatError(
                f"the text says {plural(found.mines, 'mine')}, "
                f"but the given mine count is {quote(mines)}, in {shown!r}"
            )
        states = found.characters.encode().translate(_STATES)
        for index, bound in found.marks:
            if not is_clue(states[index]) or bound > grid.neighbour_count(index):
                about = {"bound": bound, "at": grid.cell(index), "position": repr(shown)}
                raise FormatError(say("refusal.bound", **about))
        return cls(grid, states, found.mines if mines is None else mines, found.marks)

    def to_text(self, *, lines: bool = False) -> str:
        """Return the view as text that `from_text` reads, on one line or one line per row."""
        characters = self.states.translate(_CHARACTERS).decode()
        text = notation.GridText(self.grid, characters, self.mines, self.bounds)
        return notation.write(text, lines=lines)

    def __str__(self) -> str:
        """Return the text that `from_text` reads, one line per row."""
        return self.to_text(lines=True)

    def __repr__(self) -> str:
        return f"View({self.to_text()!r})"

    def _repr_svg_(self) -> str | None:
        """Return the picture for notebooks, or None if the board is too large for one."""
        from mineproof import _pictures

        picture: str | None = _pictures().view_picture(self)
        return picture

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.grid.rows

    @property
    def cols(self) -> int:
        """The number of columns."""
        return self.grid.cols

    @property
    def array(self) -> NDArray[np.uint8]:
        """An array of the states by row and column: clues 0-8 and values of `State`. Read-only."""
        import numpy as np

        return np.frombuffer(self.states, np.uint8).reshape(self.rows, self.cols)

    def state(self, cell: Cell) -> int:
        """Return the state of a cell: a clue 0-8 or a value of `State`."""
        return self.states[self.grid.index(cell)]

    @property
    def events(self) -> list[Event]:
        """The events that lead from hidden cells to this view, in index order."""
        bounds, cell = dict(self.bounds), self.grid.cell
        return [
            Event(cell(index), state, bounds.get(index))
            for index, state in enumerate(self.states)
            if state != HIDDEN
        ]

    def unflagged(self) -> View:
        """Return the view without flags, which are marks, not evidence."""
        if FLAGGED not in self.states:
            return self
        return replace(self, states=self.states.replace(bytes([FLAGGED]), bytes([HIDDEN])))

    def after(self, events: Iterable[Event]) -> View:
        """Return the view after these events."""
        states, bounds = bytearray(self.states), dict(self.bounds)
        for event in each(events, Event, "events"):
            index = self.grid.index(event.cell)
            states[index] = check_integer(event.state, "a state", 0, FLAGGED)
            bounds.pop(index, None)
            if event.bound is not None:
                bounds[index] = event.bound
        return View(self.grid, bytes(states), self.mines, tuple(bounds.items()))

    def cells(self, *states: int) -> list[Cell]:
        """Return the cells in one of these states, in index order."""
        wanted = bytes(states)
        return self.grid.cells(i for i, state in enumerate(self.states) if state in wanted)
