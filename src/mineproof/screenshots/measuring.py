"""Measure a cell: its background, its edges, its ink (drawn sign) and the shape of its ink."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mineproof.screenshots import signs
from mineproof.screenshots.lattice import Cut
from mineproof.screenshots.picture_files import Pixels

_FROM = 40
"""A pixel this far from the background (of 256 levels) is ink."""
_FLAT = 12
"""A pixel no further from the background than this belongs to it."""

Floats = NDArray[np.float64]


class CellMeasurements(NamedTuple):
    """The measurements of a cell."""

    ground: Floats
    raised: float
    """How much lighter its upper and how much darker its lower edge is: the smaller value."""
    ink: Floats | None
    rough: float
    """The fraction of its inner pixels that differ from the background."""
    lined: float
    """How much its edges differ from the background, across and down: the smaller value."""
    shape: dict[int | str, float]
    """How similar its ink is to each sign."""


def measured(pixels: Pixels, place: Cut) -> list[CellMeasurements]:
    """Return the measurements of every cell; identical cells are measured only once."""
    known: dict[bytes, CellMeasurements] = {}
    found = []
    for cell in place.cells(pixels):
        name = cell.tobytes()
        if name not in known:
            known[name] = _seen(cell.astype(np.float64))
        found.append(known[name])
    return found


def _seen(cell: Floats) -> CellMeasurements:
    rim = max(2, round(len(cell) * 0.17))
    inner = cell[rim:-rim, rim:-rim]
    ground = _commonest(cell[rim - 1 : 1 - rim, rim - 1 : 1 - rim].reshape(-1, 3))
    light = cell[:, rim:-rim].mean(axis=(1, 2)) - ground.mean()
    across = cell[rim:-rim].mean(axis=(0, 2)) - ground.mean()
    raised = float(min(light[:rim].max(), -light[-rim:].min()))
    lined = float(min(np.abs(one[[*range(rim), *range(-rim, 0)]]).max() for one in (light, across)))
    away = np.abs(inner - ground).max(axis=2)
    rough = float((away > _FLAT).mean())
    if (away > _FROM).mean() < 0.03:
        return CellMeasurements(ground, raised, None, rough, lined, {})
    strong = inner[away >= 0.75 * away.max()]  # the others are blended with the background
    vivid = np.ptp(strong, axis=1)
    pure = vivid >= 0.7 * vivid.max()  # of a flag the cloth, not the pole
    ink = np.median(strong[pure] if pure.mean() > 0.15 else strong, axis=0)
    return CellMeasurements(ground, raised, ink, rough, lined, signs.fits(away / away.max()))


def _commonest(colours: Floats) -> Floats:
    """Return the colour that most pixels have, exactly or nearly."""
    best = np.zeros(0, bool)
    for shift in (0, 8):  # a colour between two bins is inside one after the shift
        _, which, counts = np.unique(
            (colours + shift) // 16 @ (1, 32, 1024), return_inverse=True, return_counts=True
        )
        if counts.max() > best.sum():
            best = which == counts.argmax()
    return np.asarray(np.median(colours[best], axis=0))
