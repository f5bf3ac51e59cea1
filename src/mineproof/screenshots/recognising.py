"""Find the board in a whole screenshot of a known program.

Where the picture has a regular pattern, a few cells are compared with the tiles of every program
and moved to where the best program fits best. From there, the board grows in all directions as
long as there are known cells. It must end before the picture does, or fill it; otherwise cells
may be missing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from mineproof.screenshots.finding import places
from mineproof.screenshots.looks import FRAMED, Looks, known, nearest, within_frame
from mineproof.screenshots.picture_files import Pixels
from mineproof.screenshots.tiling import SIZE, Floats, Lattice, tiles

FARTHEST = 36.0
"""The most colour levels (of 256) by which a cell may differ from its tile on average."""
_ALIKE = 0.8
"""How much nearer the best tile must be than a tile of another state."""
_APART = 19.0
"""How much more than the others any cell of the board may differ from its tile."""
_MOSTLY, _HARDLY = 0.5, 0.15
"""The fraction of a row that looks like cells: at least inside, at most outside the board."""
_FITS = 24.0
"""The largest distance of the first cells from their tiles with which the search goes on."""
_BLOCK = 3
_FINE = 2
_PLAIN, _MANY = 0.9, 60
"""A board with this confidence in every cell and this many cells ends the search."""
_EDGES = ("left", "right", "upper", "lower")
_DRIFT = 0.06
"""How much wider or narrower than others a cell may be drawn, as a fraction."""
_TOUCHES = 0.2
"""The fraction of a cell that is too small to see whether the board continues."""
_BEYOND = 0.12
"""The fraction of a cell that may be cut off at the edge of the picture."""


class FoundBoard(NamedTuple):
    """A board found in a picture."""

    place: Lattice
    looks: str
    states: bytes
    confidence: Floats
    """By row and column, from 0 to 1; at 0.9, a cell is as far from its tile as is allowed."""
    doubt: str | None
    """Why this may not be the whole board, or None."""


def recognise(pixels: Pixels) -> list[FoundBoard]:
    """Return the boards that may be in a picture; only one if it is beyond doubt."""
    found = []
    for place, row, col in places(pixels):
        fitted = _fitted(pixels, place, row, col)
        if fitted is None:
            continue
        board = _grown(pixels, *fitted)
        if board.doubt is None and board.confidence.min() > _PLAIN and len(board.states) >= _MANY:
            return [board]
        found.append(board)
    return found


def _fitted(pixels: Pixels, place: Lattice, row: int, col: int) -> tuple[Lattice, Looks] | None:
    """Return the looks that fit a few cells best, and the exact place of these cells."""
    side, fine = place.side, _FINE * SIZE
    half = side * (np.arange(_FINE * (_BLOCK + 1)) / _FINE - 0.5)
    around = Lattice(place.xs[col] + half, place.ys[row] + half, side / _FINE)
    count = _FINE * (_BLOCK + 1) * SIZE
    points = tiles(pixels, around).swapaxes(1, 2).reshape(count, count, 3)
    moves = [(y, x) for y in range(fine) for x in range(fine)]
    shape = (_BLOCK, SIZE, _FINE, _BLOCK, SIZE, _FINE, 3)
    reach = _BLOCK * fine
    blocks = [
        points[y : y + reach, x : x + reach].reshape(shape).mean(axis=(2, 5)) for y, x in moves
    ]
    cells = np.stack(blocks).swapaxes(2, 3)
    fits = np.median(nearest(cells).reshape(len(moves), _BLOCK**2, -1), axis=1)
    move, which = np.unravel_index(int(fits.argmin()), fits.shape)
    if fits[move, which] > _FITS:
        return None
    (y, x), steps = moves[move], side * np.arange(_BLOCK)
    block = Lattice(
        place.xs[col] + (x / fine - 0.5) * side + steps,
        place.ys[row] + (y / fine - 0.5) * side + steps,
        side,
    )
    return block, known()[which]


def _grown(pixels: Pixels, block: Lattice, looks: Looks) -> FoundBoard:
    """Return the board around some cells."""
    part = _trimmed(pixels, _adjusted(pixels, block, looks), looks)
    cap, grows = _cap(_nearest(pixels, part, looks)), True
    while grows:
        grows = False
        for edge in _EDGES:
            wider = _extended(pixels, part, looks, edge, cap)
            if wider is not None:
                part, grows = wider, True
    part = _adjusted(pixels, _evened(part), looks)
    away = looks.away(tiles(pixels, part)).reshape(len(part.ys), len(part.xs), -1)
    if looks.name in FRAMED:
        away = _unframed(pixels, part, looks, away)
    ranked = np.sort(away, axis=2)
    best, second = ranked[..., 0], ranked[..., 1]
    cap = _cap(best)
    confidence = np.exp(np.log(0.9) * ((best / cap) ** 4 + (best / second / _ALIKE) ** 8))
    states = away.argmin(axis=2).astype(np.uint8).tobytes()
    return FoundBoard(part, looks.name, states, confidence, _doubt(pixels, part, looks, cap))


def _evened(part: Lattice) -> Lattice:
    """Set the width of cells to their distance; the first estimate came from a few cells."""
    apart = np.concatenate([np.diff(part.xs), np.diff(part.ys)])
    if not len(apart):
        return part
    side = float(np.median(apart))
    return replace(part.moved((part.side - side) / 2, (part.side - side) / 2), side=side)


def _unframed(pixels: Pixels, part: Lattice, looks: Looks, away: Floats) -> Floats:
    """Compare the worst cell again without its border, where a frame may be drawn."""
    row, col = np.unravel_index(int(away.min(axis=2).argmax()), away.shape[:2])
    cell = tiles(pixels, part.part(slice(row, row + 1), slice(col, col + 1)))
    found = away.copy()
    found[row, col] = np.minimum(found[row, col], looks.away(cell, within_frame())[0])
    return found


def _cap(best: Floats) -> float:
    """Return the largest allowed distance from a tile, given the distances on the board."""
    noise = float(np.median(best))
    return min(FARTHEST, float(np.hypot(noise, _APART + 0.25 * noise)))


def _nearest(pixels: Pixels, part: Lattice, looks: Looks) -> Floats:
    """Return the distance of each cell from the nearest tile, by row and column."""
    return looks.nearest(tiles(pixels, part)).reshape(len(part.ys), len(part.xs))


def _trimmed(pixels: Pixels, part: Lattice, looks: Looks) -> Lattice:
    """Remove rows and columns outside the board: the first cells may be at its border."""
    away = _nearest(pixels, part, looks)
    cap = _cap(away)
    rows = np.flatnonzero(np.median(away, axis=1) < cap)
    cols = np.flatnonzero(np.median(away, axis=0) < cap)
    if not len(rows) or not len(cols):
        return part
    return part.part(slice(rows[0], rows[-1] + 1), slice(cols[0], cols[-1] + 1))


def _extended(pixels: Pixels, part: Lattice, looks: Looks, edge: str, cap: float) -> Lattice | None:
    """Return the part with one more row or column, or None if no cells are there."""
    level, before = edge in {"upper", "lower"}, edge in {"left", "upper"}
    starts, length = (part.ys, len(pixels)) if level else (part.xs, len(pixels[0]))
    side = float(np.median(np.diff(starts))) if len(starts) > 1 else part.side
    at = starts[0] - side if before else starts[-1] + side
    best = None
    for move in sorted(np.linspace(-_DRIFT, _DRIFT, 7) * side, key=abs):
        place = np.array([at + move])
        if place[0] < -_BEYOND * side or place[0] + side > length + _BEYOND * side:
            continue
        strip = replace(part, ys=place) if level else replace(part, xs=place)
        away = float(np.median(_nearest(pixels, strip, looks)))
        if best is None or away < best[0] - 0.05:
            best = away, place, strip
        if away < cap / 3:
            break
    if best is None or _like_cells(pixels, best[2], looks, cap) < _MOSTLY:
        return None
    joined = np.concatenate([best[1], starts] if before else [starts, best[1]])
    return replace(part, ys=joined) if level else replace(part, xs=joined)


def _like_cells(
    pixels: Pixels, strip: Lattice, looks: Looks, cap: float, seen: Floats | None = None
) -> float:
    """Return the fraction of cells more similar to a tile than to a board's surroundings."""
    cells = tiles(pixels, strip)
    away = looks.away(cells, seen).min(axis=1)
    return float(((away < cap) & (away < looks.beyond(cells, seen))).mean())


def _adjusted(pixels: Pixels, part: Lattice, looks: Looks) -> Lattice:
    """Move each column and each row to where it fits best."""
    moves = np.arange(-3, 4)
    for step in (part.side / 36, part.side / 72):
        for axis in (0, 1):
            costs = []
            for move in moves * step:
                moved = part.moved(move, 0.0) if axis else part.moved(0.0, move)
                costs.append(_nearest(pixels, moved, looks).mean(axis=1 - axis))
            best = moves[np.argmin(np.array(costs) + 1e-3 * np.abs(moves)[:, None], axis=0)] * step
            part = part.moved(best, 0.0) if axis else part.moved(0.0, best)
    return part


def _doubt(pixels: Pixels, part: Lattice, looks: Looks, cap: float) -> str | None:
    """Return why the board may continue beyond what was found, or None."""
    height, width = pixels.shape[:2]
    side = part.side
    margins = {
        "left": part.xs[0],
        "right": width - part.xs[-1] - side,
        "upper": part.ys[0],
        "lower": height - part.ys[-1] - side,
    }
    touching = [name for name, margin in margins.items() if margin < _TOUCHES * side]
    if touching and len(touching) < len(margins):
        return f"the board touches the {touching[0]} edge of the picture and may continue beyond it"
    for name, margin in margins.items():
        if margin >= _TOUCHES * side and _goes_on(pixels, part, looks, name, margin, cap):
            return f"there seem to be more cells beyond the {name} edge of the board"
    return None


def _goes_on(
    pixels: Pixels, part: Lattice, looks: Looks, name: str, margin: float, cap: float
) -> bool:
    """Return whether the strip next to a board, perhaps only part of a cell, looks like cells."""
    seen = np.ones((SIZE, SIZE))
    hidden = round(SIZE * max(0.0, 1.0 - margin / part.side))
    if name in {"left", "right"}:
        at = part.xs[0] - part.side if name == "left" else part.xs[-1] + part.side
        strip = Lattice(np.array([at]), part.ys, part.side)
        seen[:, slice(0, hidden) if name == "left" else slice(SIZE - hidden, SIZE)] = 0.0
    else:
        at = part.ys[0] - part.side if name == "upper" else part.ys[-1] + part.side
        strip = Lattice(part.xs, np.array([at]), part.side)
        seen[slice(0, hidden) if name == "upper" else slice(SIZE - hidden, SIZE)] = 0.0
    return _like_cells(pixels, strip, looks, cap, seen) > _HARDLY
