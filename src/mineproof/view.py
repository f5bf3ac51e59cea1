"""What a player sees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from mineproof import notation
from mineproof.errors import FormatError, InvalidInput, shorten
from mineproof.geometry import Cell, Grid

# What a cell shows. 0 to 8 is a clue.
HIDDEN = 9
TOLD_SAFE = 10
NO_CLUE = 11
EXPLODED = 12
FLAGGED = 13

_SYMBOLS = "012345678?s-*F"
_ALPHABET = _SYMBOLS + "."
_STATES = bytes.maketrans(_ALPHABET.encode(), bytes([*range(14), HIDDEN]))
_CHARACTERS = bytes.maketrans(bytes(range(14)), _SYMBOLS.encode())


class Event(NamedTuple):
    """A cell came to show something else: what the referee tells a player."""

    cell: Cell
    state: int
    """A clue 0-8, HIDDEN (a flag taken back), TOLD_SAFE, NO_CLUE, EXPLODED or FLAGGED."""
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
    """One byte a cell, by index: a clue 0-8, or one of this module's constants."""
    mines: int | None = None
    bounds: tuple[tuple[int, int], ...] = ()
    """Pairs (index, bound), for clue models whose range depended on what was known."""

    def __post_init__(self) -> None:
        grid = self.grid
        if len(self.states) != grid.size:
            raise InvalidInput(f"expected {grid.size} cells, got {len(self.states)}")
        if self.mines is None:
            return
        hit = self.states.count(EXPLODED)
        room = hit + self.states.count(HIDDEN) + self.states.count(FLAGGED)
        if not hit <= self.mines <= room:
            limit = f"at least {hit} exploded" if self.mines < hit else f"at most {room} can be"
            raise InvalidInput(f"{self.mines} mines do not fit {shorten(self._text())!r}: {limit}")

    @classmethod
    def hidden(cls, rows: int, cols: int, mines: int | None = None) -> View:
        """The view before the first move."""
        grid = Grid(rows, cols)
        return cls(grid, bytes([HIDDEN]) * grid.size, mines)

    @classmethod
    def from_text(cls, text: str, mines: int | None = None) -> View:
        """Read `2x3/2 ???/121`, or the same on many lines, with or without its header."""
        found = notation.read(text, _ALPHABET)
        grid = found.grid
        shown = shorten(" ".join(text.split()))
        if mines is not None and found.mines is not None and mines != found.mines:
            raise FormatError(f"the text says {found.mines} mines, not {mines}, in {shown!r}")
        states = found.characters.encode().translate(_STATES)
        for index in grid.rim():
            clue, degree = states[index], grid.degree(index)
            if degree < clue <= 8:
                row, col = grid.cell(index)
                raise FormatError(
                    f"clue {clue} at ({row},{col}) is too high: "
                    f"the cell has {degree} neighbours in {shown!r}"
                )
        for index, bound in found.marks:
            if states[index] > 8 or bound > grid.degree(index):
                row, col = grid.cell(index)
                raise FormatError(f"no bound {bound} is possible at ({row},{col}) in {shown!r}")
        return cls(grid, states, found.mines if mines is None else mines, found.marks)

    def to_text(self, *, lines: bool = False) -> str:
        """The text that `from_text` takes back; on one line, or a line a row."""
        return self._text(lines=lines)

    def _text(self, *, lines: bool = False) -> str:
        characters = self.states.translate(_CHARACTERS).decode()
        text = notation.GridText(self.grid, characters, self.mines, self.bounds)
        return notation.write(text, lines=lines)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"View({self.to_text()!r})"

    @property
    def rows(self) -> int:
        """How many rows."""
        return self.grid.rows

    @property
    def cols(self) -> int:
        """How many columns."""
        return self.grid.cols

    def state(self, cell: Cell) -> int:
        """What a cell shows: a clue 0-8, or one of this module's constants."""
        return self.states[self.grid.index(cell)]

    def cells(self, *states: int) -> list[Cell]:
        """The cells that show one of these, by index."""
        wanted = bytes(states)
        return self.grid.cells(i for i, state in enumerate(self.states) if state in wanted)

    @property
    def untouched(self) -> bool:
        """Whether no cell has been opened yet."""
        covered = sum(self.states.count(state) for state in (HIDDEN, TOLD_SAFE, FLAGGED))
        return covered == self.grid.size
