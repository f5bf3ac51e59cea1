"""Find regular patterns in a picture, horizontal and vertical, such as the cells of a board.

Edges are summed in bands; the autocorrelation of the bands gives likely cell sizes. For each
size, the place is found where lines at that distance, across and down, stand out most. From
there, lines are followed in all directions, because some programs draw a few cells one pixel
wider than others.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mineproof.screenshots.picture_files import Pixels
from mineproof.screenshots.tiling import Lattice

SMALLEST, LARGEST = 11, 110
"""The smallest and largest width of a cell in pixels."""
_FULL = 80
"""The largest colour change (of 256 levels) that counts; larger ones are capped."""
_BAND = 40
_SPAN = 3
"""The size in cells of the place where lines stand out most."""
_TRIED = 9
_DRIFT = 0.08
"""How much wider or narrower than others a cell may be drawn, as a fraction."""

Map = NDArray[np.float32]


def places(pixels: Pixels) -> list[tuple[Lattice, int, int]]:
    """Return lattices over the whole picture, the likeliest first, each with a cell of it."""
    across, down = _edges(pixels), _edges(pixels.swapaxes(0, 1))
    found = []
    for side in _sides(across, down):
        seed = _stands_out(across, down, side)
        if seed is not None:
            strength, x, y = seed
            found.append((strength, _followed(across, down, x, y, side)))
    found.sort(key=lambda one: -one[0])
    return [one for _, one in found]


def _edges(pixels: Pixels) -> Map:
    """Return the colour change before each pixel of a line except the first."""
    change = np.abs(np.diff(pixels.astype(np.int16), axis=1)).max(axis=2)
    edges = np.minimum(change, _FULL).astype(np.float32)
    return np.asarray(np.maximum(edges - np.median(edges), 0))  # noise is everywhere


def _sides(across: Map, down: Map) -> list[float]:
    """Return likely cell sizes: distances at which edges repeat both across and down."""
    fit = _repeats(across) * _repeats(down)
    lags = range(SMALLEST, min(LARGEST, len(fit) - 2) + 1)
    peaks = [lag for lag in lags if fit[lag] > 0 and fit[lag] == fit[lag - 2 : lag + 3].max()]
    peaks.sort(key=lambda lag: -fit[lag])
    return [lag + _top(fit[lag - 1 : lag + 2]) for lag in peaks[:_TRIED]]


def _repeats(edges: Map) -> Map:
    """Return the autocorrelation of the bands of a picture at 0, 1, 2, ... pixels."""
    height, width = edges.shape
    bands = [edges[at : at + _BAND].mean(axis=0) for at in range(0, height, _BAND)]
    total = np.zeros(LARGEST + 3, np.float32)
    for band in bands:
        spectrum = np.fft.rfft(band - band.mean(), 2 * width)
        fit = np.fft.irfft(spectrum * spectrum.conj())[: len(total)].astype(np.float32)
        if fit[0] > 0:
            total[: len(fit)] += fit / np.sqrt(fit[0])
    return np.asarray(np.maximum(total, 0))


def _top(three: Map) -> float:
    """Return the maximum of a parabola through three values, relative to the middle one."""
    left, middle, right = map(float, three)
    bend = left - 2 * middle + right
    return 0.0 if bend >= 0 else min(max((left - right) / (2 * bend), -0.5), 0.5)


def _stands_out(across: Map, down: Map, side: float) -> tuple[float, int, int] | None:
    """Return where lines at this distance stand out most, and how much: strength, x, y."""
    upright = _comb(across, side)
    level = _comb(down, side).T
    height, width = (min(a, b) for a, b in zip(upright.shape, level.shape, strict=True))
    if height < 1 or width < 1:
        return None
    both = np.minimum(upright[:height, :width], level[:height, :width])
    y, x = np.unravel_index(int(both.argmax()), both.shape)
    return float(both[y, x]), int(x), int(y)


def _comb(edges: Map, side: float) -> Map:
    """For each pixel, compare the edges there and at multiples of a side with those between."""
    height, width = edges.shape
    long = round(_SPAN * side)
    thick = edges.copy()  # a line may be off by one pixel
    thick[:, 1:] = np.maximum(thick[:, 1:], edges[:, :-1])
    thick[:, :-1] = np.maximum(thick[:, :-1], edges[:, 1:])
    total = np.concatenate([np.zeros((1, width), np.float32), thick.cumsum(axis=0)])
    if height < long or width <= long:
        return np.zeros((0, 0), np.float32)
    lines = (total[long:] - total[:-long]) / long
    room = width - long
    on = np.sum([lines[:, o : o + room] for o in _offsets(side, range(_SPAN + 1))], axis=0)
    halves = _offsets(side, [number + 0.5 for number in range(_SPAN)])
    off = np.sum([lines[:, o : o + room] for o in halves], axis=0)
    return np.asarray(on / (_SPAN + 1) - off / _SPAN)


def _offsets(side: float, numbers: range | list[float]) -> list[int]:
    return [round(number * side) for number in numbers]


def _followed(across: Map, down: Map, x: int, y: int, side: float) -> tuple[Lattice, int, int]:
    """Return the lattice through a place, and the row and column of the cell there."""
    span = round(_SPAN * side)
    xs, col = _lines(across[y : y + span].mean(axis=0), x, side)
    ys, row = _lines(down[x : x + span].mean(axis=0), y, side)
    widths = [b - a for line in (xs, ys) for a, b in pairwise(line)]
    return Lattice(xs, ys, float(np.median(widths)) if widths else side), row, col


def _lines(profile: Map, first: int, side: float) -> tuple[NDArray[np.float64], int]:
    """Return where cells start along a profile, and the number of the first of these cells."""
    around = round(side / 2)
    padded = np.pad(profile, 2 * around + 4)
    starts = first + side * np.arange(_SPAN + 1)
    model = np.mean([_around(padded, at, around) for at in starts], axis=0)
    found = {0: float(first)}
    for step in (1, -1):
        at, number = float(first), 0
        while -side * 1.001 < at + step * side < len(profile) + 1:
            number += step
            at = _nearest(padded, at + step * side, around, model, _DRIFT * side)
            found[number] = at
    numbers = sorted(found)
    starts = np.array([found[number] for number in numbers]) + 1.0  # an edge is before a pixel
    return starts, numbers.index(0)


def _around(padded: Map, at: float, around: int) -> Map:
    middle = round(at) + 2 * around + 4
    return padded[max(middle - around, 0) : max(middle - around, 0) + 2 * around + 1]


def _nearest(padded: Map, at: float, around: int, model: Map, drift: float) -> float:
    """Return where near a place the profile is most similar to that around other lines."""
    moves = range(-round(drift), round(drift) + 1)
    best, most = 0, 0.0
    for move in sorted(moves, key=abs):
        seen = _around(padded, at + move, around)
        fit = float(seen @ model[: len(seen)]) if len(seen) else 0.0
        if fit > most * 1.02 + 1e-6:
            best, most = move, fit
    return at + best
