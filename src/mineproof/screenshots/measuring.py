"""What is measured of a cell: its ground, its edges, its ink and the shape of its ink."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mineproof.screenshots import signs
from mineproof.screenshots.files import Pixels
from mineproof.screenshots.lattice import Cut

_FROM = 40
"""So far from its ground a pixel is ink, of 256 levels."""
_FLAT = 12
"""No farther it is its ground."""

Floats = NDArray[np.float64]


class Seen(NamedTuple):
    """What is measured of a cell."""

    ground: Floats
    raised: float
    """How much lighter its upper and darker its lower edge is, the lesser of the two."""
    ink: Floats | None
    rough: float
    """The share of its face that is not quite its ground."""
    lined: float
    """How much its edges differ from its ground, across and down, the lesser of the two."""
    shape: dict[int | str, float]
    """How well its ink has the shape of each sign."""


def measured(pixels: Pixels, place: Cut) -> list[Seen]:
    """Every cell; those that are alike are measured once."""
    known: dict[bytes, Seen] = {}
    found = []
    for cell in place.cells(pixels):
        name = cell.tobytes()
        if name not in known:
            known[name] = _seen(cell.astype(np.float64))
        found.append(known[name])
    return found


def _seen(cell: Floats) -> Seen:
    rim = max(2, round(len(cell) * 0.17))
    inner = cell[rim:-rim, rim:-rim]
    ground = _commonest(cell[rim - 1 : 1 - rim, rim - 1 : 1 - rim].reshape(-1, 3))
    light = cell[:, rim:-rim].mean(axis=(1, 2)) - ground.mean()
    beside = cell[rim:-rim].mean(axis=(0, 2)) - ground.mean()
    raised = float(min(light[:rim].max(), -light[-rim:].min()))
    lined = float(min(np.abs(one[[*range(rim), *range(-rim, 0)]]).max() for one in (light, beside)))
    away = np.abs(inner - ground).max(axis=2)
    rough = float((away > _FLAT).mean())
    if (away > _FROM).mean() < 0.03:
        return Seen(ground, raised, None, rough, lined, {})
    strong = inner[away >= 0.75 * away.max()]  # the others are mixed with the ground
    vivid = np.ptp(strong, axis=1)
    pure = vivid >= 0.7 * vivid.max()  # of a flag the cloth, not the pole
    ink = np.median(strong[pure] if pure.mean() > 0.15 else strong, axis=0)
    return Seen(ground, raised, ink, rough, lined, signs.fits(away / away.max()))


def _commonest(colours: Floats) -> Floats:
    """The colour that most pixels have or nearly have."""
    best = np.zeros(0, bool)
    for shift in (0, 8):  # what lies on the border of two steps is in the middle of one
        _, which, counts = np.unique(
            (colours + shift) // 16 @ (1, 32, 1024), return_inverse=True, return_counts=True
        )
        if counts.max() > best.sum():
            best = which == counts.argmax()
    return np.asarray(np.median(colours[best], axis=0))
