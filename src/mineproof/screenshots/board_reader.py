"""Read what the cells of a picture show, with a confidence for each cell.

Boards of known programs are found anywhere in a picture (`recognising.py`). Other boards are
read only if the picture is cropped to the board. Then every cell is measured: its background, its
ink, the shape of its ink, whether it is raised. Each look of a skin defines what these should be.
The likelihood of a look falls with the square of each deviation; an extra likelihood stands for
anything that matches no look. The confidence in a cell is the likeliest look's fraction of the
total. `ReadBoard.view` returns a view only if the confidence in every cell is high enough.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mineproof.errors import FormatError, plural
from mineproof.screenshots.lattice import Cut, given, likely
from mineproof.screenshots.measuring import CellMeasurements, Floats, measured
from mineproof.screenshots.picture_files import Pixels, decode
from mineproof.screenshots.recognising import FoundBoard, recognise
from mineproof.screenshots.skins import MINE, SKINS, Look, Skin
from mineproof.world.geometry import Grid, name_cells
from mineproof.world.view import COVERED, EXPLODED, View, is_clue

LEAST = 0.9
"""The lowest confidence in a cell, from 0 to 1, with which a picture is accepted."""
_STRANGE = np.exp(-7.0)
"""The likelihood of anything that matches no look."""
# Usual deviations of a cell from a look: in colour levels (of 256), and as fractions.
_GROUND, _INK, _RAISED, _SHAPE, _ROUGH = 8.0, 28.0, 0.25, 0.2, 0.05
_NEVER = 36.0
_LINE = 12.0
"""The least difference between the edge of a cell and its background."""
_NAMED = 8
_LEAST_SIDE = 4
"""The fewest rows and columns of a board inside a larger picture."""


@dataclass(frozen=True)
class ReadBoard:
    """A board read from a picture: what its cells show, and the confidence in each."""

    grid: Grid
    skin: str
    states: bytes
    confidence: Floats
    """By row and column, from 0 (a guess) to 1 (certain)."""
    doubt: str | None = None
    """Why this may not be the whole board, or None."""

    @property
    def known(self) -> int:
        """The number of cells with enough confidence; 0 if most have less."""
        count = int((self.confidence >= LEAST).sum())
        return count if 2 * count > self.grid.size else 0

    @property
    def is_sure(self) -> bool:
        """Whether every cell has enough confidence and the board is complete."""
        return self.doubt is None and float(self.confidence.min()) >= LEAST

    def view(self, mines: int | None = None) -> View:
        """Return the view; raise an error that names the cells with too little confidence."""
        grid = self.grid
        flat = self.confidence.ravel()
        unsure = [index for index in np.argsort(flat).tolist() if flat[index] < LEAST]
        if unsure:
            named = name_cells(grid.cells(unsure[:_NAMED]))
            more = " and others" if len(unsure) > _NAMED else ""
            raise FormatError(
                f"cannot read the picture of {grid.rows}x{grid.cols} cells ({self.skin}): "
                f"{plural(len(unsure), 'uncertain cell')}: {named}{more}"
            )
        if self.doubt is not None:
            raise FormatError(
                f"cannot read the picture of {grid.rows}x{grid.cols} cells ({self.skin}): "
                f"{self.doubt}"
            )
        if MINE in self.states:
            where = name_cells(grid.cells(i for i, one in enumerate(self.states) if one == MINE))
            raise FormatError(f"the game in the picture is over: it shows mines at {where}")
        return View(grid, self.states, mines)

    @property
    def words(self) -> str:
        """A sentence about the skin and the least certain cell."""
        flat = self.confidence.ravel()
        least = int(flat.argmin())
        where = self.grid.name(least)
        return f"read from a picture ({self.skin}); least certain cell: {where}, {flat[least]:.3f}"

    def to_json(self) -> dict[str, Any]:
        """Return the reading as JSON data."""
        rows = self.confidence.round(4).tolist()
        return {"view": self.view().to_text(), "skin": self.skin, "confidence": rows}


def read(content: bytes, grid: Grid | None = None) -> ReadBoard:
    """Read the board in a picture, with the looks and the shape that fit best."""
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
        raise FormatError(
            f"the board in the picture could be {shapes}: give its shape with --shape"
        )
    if best is None:
        what = "no board" if grid is None else f"no board of {grid.rows}x{grid.cols} cells"
        raise FormatError(
            f"{what} was found in the picture: take an unscaled screenshot of the whole board, "
            "or crop the picture to the board, without its frame"
        )
    return best


def _recognised(board: FoundBoard) -> ReadBoard:
    """Return the reading of a board of a known program."""
    grid = board.place.grid
    confidence = _checked(grid, board.states, board.confidence.ravel())
    return ReadBoard(grid, board.looks, board.states, confidence, board.doubt)


def _at(pixels: Pixels, place: Cut) -> ReadBoard:
    """Read the board at a place with the skin that fits best."""
    cells = measured(pixels, place)
    found = (_by(skin, cells, place.grid) for skin in SKINS)
    return max(found, key=lambda one: float(one.confidence.mean()))


def _by(skin: Skin, cells: list[CellMeasurements], grid: Grid) -> ReadBoard:
    found = _each(skin, cells)
    states = bytes(state for state, _ in found)
    confidence = np.array([sure for _, sure in found])
    return ReadBoard(grid, skin.name, states, _checked(grid, states, confidence))


def _checked(grid: Grid, states: bytes, confidence: Floats) -> Floats:
    """Return the confidence by row and column: 0 for clues that their neighbours rule out."""
    found = confidence.copy()
    for index, state in enumerate(states):
        near = [states[one] for one in grid.neighbours(index)]
        covered = sum(one in COVERED or one in (EXPLODED, MINE) for one in near)
        # A zero has no covered neighbours, and no clue exceeds its number of covered neighbours.
        if is_clue(state) and (state > covered or (state == 0 and covered)):
            found[index] = 0.0
    return found.reshape(grid.rows, grid.cols)


def _each(skin: Skin, cells: list[CellMeasurements]) -> list[tuple[int, float]]:
    """Return the state of each cell and the confidence; identical cells are judged once."""
    known = {id(cell): cell for cell in cells}
    judged = {name: _likeliest(skin, cell) for name, cell in known.items()}
    return [judged[id(cell)] for cell in cells]


def _likeliest(skin: Skin, cell: CellMeasurements) -> tuple[int, float]:
    """Return the likeliest state of a cell, and the confidence in it."""
    by_state: dict[int, float] = {}
    for look in skin.looks:
        likelihood = float(np.exp(-0.5 * _deviation(look, cell, skin.edge)))
        by_state[look.state] = max(by_state.get(look.state, 0.0), likelihood)
    state, best = max(by_state.items(), key=lambda each: each[1])
    return state, best / (sum(by_state.values()) + _STRANGE)


def _deviation(look: Look, cell: CellMeasurements, edge: float) -> float:
    """Return the deviation of a cell from a look, as a sum of squares."""
    total = float((np.abs(cell.ground - look.ground).max() / _GROUND) ** 2)
    share = min(max(cell.raised / edge, 0.0), 1.0)
    total += ((share - look.raised) / _RAISED) ** 2
    total += (max(0.0, _LINE - cell.lined) / 3) ** 2  # every cell has an edge
    if look.ink is None and cell.ink is None:
        return total + (cell.rough / _ROUGH) ** 2
    if look.ink is None or cell.ink is None:
        return total + _NEVER
    # Thin lines are blended with the background.
    way = look.ink - cell.ground
    share = float((cell.ink - cell.ground) @ way) / max(float(way @ way), 1.0)
    share = min(max(share, 0.7), 1.0)
    total += float((np.abs(cell.ground + share * way - cell.ink).max() / _INK) ** 2)
    return total + (0.0 if look.sign is None else ((1 - cell.shape[look.sign]) / _SHAPE) ** 2)
