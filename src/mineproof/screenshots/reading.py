"""What the cells of a picture show, and how sure that is.

Boards of programs whose looks were learnt are found wherever they are (`recognising.py`). Others
are read where the picture is cut to the board. There a cell is measured: its ground, its ink, the
shape of its ink, whether it is raised. Each look of a skin says what these should be; the
likelihood of a look falls with the square of each deviation, and one more, of something that no
look is, stands beside them. The share of the likeliest is how sure a cell is. Whoever wants a
view gets one only if every cell is sure enough.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mineproof.errors import FormatError, counted
from mineproof.screenshots.files import Pixels, decode
from mineproof.screenshots.lattice import Cut, given, likely
from mineproof.screenshots.measuring import Floats, Seen, measured
from mineproof.screenshots.recognising import Board, recognise
from mineproof.screenshots.skins import MINE, SKINS, Look, Skin
from mineproof.world.geometry import Grid, name_cells
from mineproof.world.view import COVERED, EXPLODED, View, is_clue

LEAST = 0.9
"""How sure the reading of every cell must be, from 0 to 1."""
_STRANGE = np.exp(-7.0)
"""The likelihood of something that no look is."""
# How far from a look a cell usually is: in levels of a colour, of 256, and in shares.
_GROUND, _INK, _RAISED, _SHAPE, _ROUGH = 8.0, 28.0, 0.25, 0.2, 0.05
_NEVER = 36.0
_LINE = 12.0
"""How much the edge of a cell differs from its ground at least."""
_NAMED = 8
_LEAST_SIDE = 4
"""Rows and columns of a board that is found in a larger picture."""


@dataclass(frozen=True)
class Reading:
    """A board in a picture: what its cells show and how sure that is."""

    grid: Grid
    skin: str
    states: bytes
    confidence: Floats
    """By row and column, from 0 (a guess) to 1."""
    doubt: str | None = None
    """Why this may not be the whole board."""

    @property
    def known(self) -> int:
        """How many cells are sure enough; none where most are not."""
        count = int((self.confidence >= LEAST).sum())
        return count if 2 * count > self.grid.size else 0

    @property
    def is_sure(self) -> bool:
        """Whether every cell is sure enough, and all cells of the board are there."""
        return self.doubt is None and float(self.confidence.min()) >= LEAST

    def view(self, mines: int | None = None) -> View:
        """What is seen; an error that names the cells where it is not sure enough."""
        grid = self.grid
        flat = self.confidence.ravel()
        unsure = [index for index in np.argsort(flat).tolist() if flat[index] < LEAST]
        if unsure:
            named = name_cells(grid.cells(unsure[:_NAMED]))
            more = " and others" if len(unsure) > _NAMED else ""
            raise FormatError(
                f"a picture of {grid.rows}x{grid.cols} cells (as {self.skin}) is not read: "
                f"{counted(len(unsure), 'cell')} cannot be told for sure: {named}{more}"
            )
        if self.doubt is not None:
            raise FormatError(
                f"a picture of {grid.rows}x{grid.cols} cells (as {self.skin}) is not read: "
                f"{self.doubt}"
            )
        if MINE in self.states:
            where = name_cells(grid.cells(i for i, one in enumerate(self.states) if one == MINE))
            raise FormatError(f"the game in the picture is over: mines are shown at {where}")
        return View(grid, self.states, mines)

    @property
    def words(self) -> str:
        """How it was read, and which cell is the least sure."""
        flat = self.confidence.ravel()
        least = int(flat.argmin())
        where = self.grid.name(least)
        return f"read from a picture ({self.skin}), least sure of {where}: {flat[least]:.3f}"

    def to_json(self) -> dict[str, Any]:
        """As JSON data."""
        rows = self.confidence.round(4).tolist()
        return {"view": self.view().to_text(), "skin": self.skin, "confidence": rows}


def read(content: bytes, grid: Grid | None = None) -> Reading:
    """The board in a picture, by the looks and the shape that fit best."""
    pixels = decode(content)
    found = [_at(pixels, place) for place in (given(pixels, grid) if grid else likely(pixels))]
    if not any(one.is_sure for one in found):
        boards = [_recognised(board) for board in recognise(pixels)]
        found += [one for one in boards if min(one.grid.rows, one.grid.cols) >= _LEAST_SIDE]
    if grid is not None:
        found = [replace(one, doubt=None) for one in found if one.grid == grid]
    best = max(found, key=lambda one: (one.known, one.is_sure), default=None)
    sure = {(one.grid, one.states): one for one in found if one.is_sure}.values()
    if best is not None and len(sure) > 1:
        shapes = " or ".join(f"{one.grid.rows}x{one.grid.cols} ({one.skin})" for one in sure)
        raise FormatError(f"the board in the picture may be {shapes}: give its --shape")
    if best is None:
        what = "no board" if grid is None else f"no board of {grid.rows}x{grid.cols} cells"
        raise FormatError(
            f"{what} is found in the picture: take one in which all of it is seen, unscaled, "
            "or cut the picture to the board, without its frame"
        )
    return best


def _recognised(board: Board) -> Reading:
    """The board of a program whose looks are known."""
    grid = board.place.grid
    confidence = _checked(grid, board.states, board.confidence.ravel())
    return Reading(grid, board.looks, board.states, confidence, board.doubt)


def _at(pixels: Pixels, place: Cut) -> Reading:
    """The board at a place, by the skin that fits best."""
    cells = measured(pixels, place)
    found = (_by(skin, cells, place.grid) for skin in SKINS)
    return max(found, key=lambda one: float(one.confidence.mean()))


def _by(skin: Skin, cells: list[Seen], grid: Grid) -> Reading:
    found = _each(skin, cells)
    states = bytes(state for state, _ in found)
    confidence = np.array([sure for _, sure in found])
    return Reading(grid, skin.name, states, _checked(grid, states, confidence))


def _checked(grid: Grid, states: bytes, confidence: Floats) -> Floats:
    """How sure cells are, by row and column; not at all where neighbours cannot be so."""
    found = confidence.copy()
    for index, state in enumerate(states):
        near = [states[one] for one in grid.around(index)]
        covered = sum(one in COVERED or one in (EXPLODED, MINE) for one in near)
        # A zero opens what surrounds it, and no clue has fewer cells beside it than mines.
        if is_clue(state) and (state > covered or (state == 0 and covered)):
            found[index] = 0.0
    return found.reshape(grid.rows, grid.cols)


def _each(skin: Skin, cells: list[Seen]) -> list[tuple[int, float]]:
    """What each cell is and how sure; those that are alike are judged once."""
    known = {id(cell): cell for cell in cells}
    judged = {name: _likeliest(skin, cell) for name, cell in known.items()}
    return [judged[id(cell)] for cell in cells]


def _likeliest(skin: Skin, cell: Seen) -> tuple[int, float]:
    """What a cell is most likely, and how sure that is."""
    by_state: dict[int, float] = {}
    for look in skin.looks:
        likelihood = float(np.exp(-0.5 * _deviation(look, cell, skin.edge)))
        by_state[look.state] = max(by_state.get(look.state, 0.0), likelihood)
    state, best = max(by_state.items(), key=lambda each: each[1])
    return state, best / (sum(by_state.values()) + _STRANGE)


def _deviation(look: Look, cell: Seen, edge: float) -> float:
    """How far a cell is from a look: the sum of squares."""
    total = float((np.abs(cell.ground - look.ground).max() / _GROUND) ** 2)
    share = min(max(cell.raised / edge, 0.0), 1.0)
    total += ((share - look.raised) / _RAISED) ** 2
    total += (max(0.0, _LINE - cell.lined) / 3) ** 2  # no cell is without an edge
    if look.ink is None and cell.ink is None:
        return total + (cell.rough / _ROUGH) ** 2
    if look.ink is None or cell.ink is None:
        return total + _NEVER
    # Thin lines are mixed with the ground.
    way = look.ink - cell.ground
    share = float((cell.ink - cell.ground) @ way) / max(float(way @ way), 1.0)
    share = min(max(share, 0.7), 1.0)
    total += float((np.abs(cell.ground + share * way - cell.ink).max() / _INK) ** 2)
    return total + (0.0 if look.sign is None else ((1 - cell.shape[look.sign]) / _SHAPE) ** 2)
