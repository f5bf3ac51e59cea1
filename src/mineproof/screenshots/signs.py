"""The signs on cells: digits and symbols in several typefaces, scaled to the same size."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from mineproof.world.view import FLAGGED, KNOWN_SAFE, NO_CLUE

ROWS, COLS = 10, 8
"""The size to which signs are scaled before they are compared."""
NOUGHT, DISC = "nought", "disc"

Ink = NDArray[np.float64]
"""The amount of ink at each point, from 0 to 1."""

# Three typefaces: thin as on terminals, round as in print, square as on other boards.
_HANDS: dict[int | str, tuple[str, ...]] = {
    1: (
        "00100 01100 00100 00100 00100 00100 01110",
        "001100 011100 111100 001100 001100 001100 001100 001100 111111 111111",
        "0011 0111 1111 1011 0011 0011 0011 0011 0011 0011",
    ),
    2: (
        "01110 10001 00001 00110 01000 10000 11111",
        "011110 111111 110011 000011 000110 001100 011000 110000 111111 111111",
        "11111111 11111111 11000011 00000111 00111110 11111000 11000000 11111111 11111111",
    ),
    3: (
        "11110 00001 00001 01110 00001 00001 11110",
        "011110 111111 100011 000011 011110 011110 000011 100011 111111 011110",
        "11111111 11111111 00000011 00000011 00111110 00111110 00000011 11111111 11111111",
    ),
    4: (
        "00010 00110 01010 10010 11111 00010 00010",
        "000110 001110 011110 010110 110110 100110 111111 111111 000110 000110",
        "00110110 00110110 01100110 01100110 11111111 11111111 00000110 00000110 00000110",
    ),
    5: (
        "11111 10000 11110 00001 00001 10001 01110",
        "111111 111111 110000 111110 111111 000011 000011 100011 111111 011110",
        "11111111 11111111 11000000 11111111 11111111 00000011 00000011 11111111 11111111",
    ),
    6: (
        "00110 01000 10000 11110 10001 10001 01110",
        "001110 011111 110001 110000 111110 111111 110011 110011 111111 011110",
        "11111111 11111110 11000000 11111111 11111111 11000011 11000011 11111111 11111111",
    ),
    7: (
        "11111 00001 00010 00100 01000 01000 01000",
        "111111 111111 000011 000110 000110 001100 001100 011000 011000 110000",
        "11111111 11111111 00000011 00000111 00001110 00011100 00011100 00111000 00111000",
    ),
    8: (
        "01110 10001 10001 01110 10001 10001 01110",
        "011110 111111 110011 110011 011110 111111 110011 110011 111111 011110",
        "11111111 11000011 11000011 01111110 01111110 11000011 11000011 11111111",
    ),
    NOUGHT: (
        "01110 10001 10011 10101 11001 10001 01110",
        "011110 111111 110011 110011 110011 110011 110011 110011 111111 011110",
    ),
    DISC: (
        "001100 011110 111111 111111 011110 001100",
        "00011000 01011010 00111100 11111111 11111111 00111100 01011010 00011000",
    ),
    FLAGGED: (
        "01100 01111 01111 01100 01000 01000 11110",
        "0110000 0111100 0111111 0111100 0110000 0100000 0100000 0100000 1111100",
        "000110 011110 111110 011110 000110 000010 000010 001111 111111 111111",
        "0001100 0111100 1111100 1111100 0111100 0000100 0011110 1111111 1111111",
    ),
    KNOWN_SAFE: ("00001 00010 10100 01000", "0000011 0000110 1101100 0111000 0010000"),
    NO_CLUE: ("1", "11111 11111"),
}


def fits(ink: Ink) -> dict[int | str, float]:
    """Return the similarity of ink to each sign: 1 is identical, 0 or below is unrelated."""
    brought = standard(ink)
    return {sign: float((known @ brought).max()) for sign, known in _known().items()}


def standard(ink: Ink) -> Ink:
    """Return ink cropped, scaled, with its mean subtracted, as a vector of length 1."""
    rows = np.flatnonzero(ink.max(axis=1) > 0.4)
    cols = np.flatnonzero(ink.max(axis=0) > 0.4)
    if not len(rows):
        return np.zeros(ROWS * COLS + 1)
    frame = ink[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
    brought = _resized(_resized(frame, ROWS).T, COLS).T.ravel()
    spread = brought - brought.mean()
    # The width counts as much as several points: a one is narrow, a dash is wide.
    width = 3.0 * np.log(frame.shape[1] / frame.shape[0] / 0.75)
    found = np.append(spread, np.clip(width, -3.0, 3.0) * 0.5)
    return np.asarray(found / max(float(np.linalg.norm(found)), 1e-9))


def _resized(ink: Ink, count: int) -> Ink:
    """Return the rows averaged into `count` rows."""
    total = np.concatenate([np.zeros((1, ink.shape[1])), ink.cumsum(axis=0)])
    at = np.linspace(0, len(ink), count + 1)
    low = np.minimum(at.astype(int), len(ink) - 1)
    between = total[low] + (at - low)[:, None] * (total[low + 1] - total[low])
    return np.asarray(np.diff(between, axis=0) * count / len(ink))


@cache
def _known() -> dict[int | str, Ink]:
    """Return the scaled forms of every sign in all typefaces."""
    return {
        sign: np.stack([standard(points(one)) for one in all_]) for sign, all_ in _HANDS.items()
    }


def points(hand: str) -> Ink:
    """Return ink from rows of 0 and 1."""
    return np.array([[float(point) for point in row] for row in hand.split()])
