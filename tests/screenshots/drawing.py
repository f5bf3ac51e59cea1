"""Boards as other programs draw them, drawn by our own code: raised cells, coloured digits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import mineproof as mp
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN

MINE = 14

# Bold digits of 8 by 10 pixels, in another font than those of the training pictures.
DIGITS = {
    1: "00011000 00111000 01111000 00011000 00011000 00011000 00011000 00011000 01111110 01111110",
    2: "01111110 11111111 11000011 00000011 00001110 00111100 01110000 11000000 11111111 11111111",
    3: "11111110 11111111 00000011 00000011 00111110 00111110 00000011 00000011 11111111 11111110",
    4: "00001110 00011110 00110110 01100110 11000110 11111111 11111111 00000110 00000110 00000110",
    5: "11111111 11111111 11000000 11000000 11111110 11111111 00000011 00000011 11111111 11111110",
    6: "01111110 11111110 11000000 11000000 11111110 11111111 11000011 11000011 11111111 01111110",
    7: "11111111 11111111 00000011 00000011 00000110 00000110 00001100 00001100 00011000 00011000",
    8: "01111110 11111111 11000011 11000011 01111110 01111110 11000011 11000011 11111111 01111110",
}
FLAG = "00000110 00011110 00111110 00011110 00000110 00000010 00000010 00011110 01111111 01111111"
BURST = "00011000 01011010 00111100 01111110 11111111 11111111 01111110 00111100 01011010 00011000"

Pixels = NDArray[np.uint8]


class Skin(NamedTuple):
    """The colours of a program."""

    opened: str
    line: str
    covered: str
    shine: str
    shade: str
    inks: str
    cloth: str
    pole: str


SKINS = {
    "classic": Skin(
        "c0c0c0", "808080", "c0c0c0", "ffffff", "808080",
        "0000ff 008000 ff0000 000080 800000 008080 000000 808080", "ff0000", "000000",
    ),
    "light": Skin(
        "c6c6c6", "808080", "c6c6c6", "ffffff", "808080",
        "0000f7 007700 ec0000 000080 800000 008080 000000 707070", "ff2f2f", "000000",
    ),
    "dark": Skin(
        "384048", "1e262e", "4c545c", "707880", "222a32",
        "7cc7ff 66c266 ff7788 ee88ff ddaa22 66cccc 999999 d0d8e0", "f76060", "d8e0e8",
    ),
}  # fmt: skip


def points(sign: str) -> NDArray[np.bool_]:
    return np.array([[point == "1" for point in row] for row in sign.split()])


def colour(code: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(code))


def tile(state: int, name: str) -> Pixels:
    """A cell of 16 by 16 pixels."""
    skin = SKINS[name]
    cell = np.empty((16, 16, 3), np.uint8)
    if state in {HIDDEN, FLAGGED}:
        cell[:] = colour(skin.covered)
        for depth in (0, 1):
            cell[depth, : 16 - depth] = cell[: 16 - depth, depth] = colour(skin.shine)
            cell[15 - depth, depth + 1 :] = cell[depth + 1 :, 15 - depth] = colour(skin.shade)
    else:
        cell[:] = colour(skin.opened)
        cell[0] = cell[:, 0] = colour(skin.line)
    sign = cell[3:13, 4:12]
    if state == EXPLODED:
        cell[1:, 1:] = (255, 0, 0)
    if state in {EXPLODED, MINE}:
        sign[points(BURST)] = 0
    elif state == FLAGGED:
        sign[points(FLAG)] = colour(skin.pole)
        sign[:5][points(FLAG)[:5]] = colour(skin.cloth)
    elif state in DIGITS:
        sign[points(DIGITS[state])] = colour(skin.inks.split()[state - 1])
    return cell


def board(view: mp.View, skin: str, scale: int = 1) -> Pixels:
    """A board without its frame."""
    cells = np.stack([tile(state, skin) for state in view.states])
    rows = cells.reshape(view.rows, view.cols, 16, 16, 3).swapaxes(1, 2)
    drawn = rows.reshape(view.rows * 16, view.cols * 16, 3)
    return np.ascontiguousarray(drawn.repeat(scale, 0).repeat(scale, 1))
