"""Screenshots as people have them: scaled, cropped, noisy, saved as JPEG."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image

import mineproof as mp
from mineproof import screenshots
from mineproof.errors import FormatError
from mineproof.screenshots.tiling import Lattice
from tests.screenshots.boxes import boxes
from tests.screenshots.learn import LEARNT

SHOTS = Path(__file__).parent / "shots"
KINDS = ("scale", "jpeg", "crop", "noise", "all")


class Shot(NamedTuple):
    """A real screenshot, the position that it shows, and where its board is."""

    name: str
    picture: Image.Image
    view: mp.View
    place: Lattice

    @property
    def program(self) -> str:
        """The program that drew it."""
        return self.name.partition("-")[0]


def unlearnt() -> list[Shot]:
    """The labelled screenshots that were not used for training."""
    learnt = {name for names in LEARNT.values() for name in names}
    places = boxes(SHOTS)
    found = []
    for path in sorted(SHOTS.glob("*.txt")):
        text = path.read_text()
        if path.stem not in learnt and not text.startswith("over"):
            picture = Image.open(path.with_suffix(".png")).convert("RGB")
            view = mp.View.from_text(text, dots="hidden")
            found.append(Shot(path.stem, picture, view, places[path.stem]))
    return found


def distorted(shot: Shot, kind: str, rng: np.random.Generator) -> bytes:
    """A distorted screenshot that still shows the whole board."""
    picture = shot.picture
    if kind in {"crop", "all"}:
        picture = picture.crop(_around(shot, rng))
    if kind in {"scale", "all"}:
        least = max(0.6, 15 / shot.place.side)  # people can still read cells of 15 pixels
        share = rng.uniform(min(least, 1.0), 2.0 if shot.place.side < 40 else 1.5)
        how = rng.choice([Image.Resampling.BILINEAR, Image.Resampling.BICUBIC])
        size = round(picture.width * share), round(picture.height * share)
        picture = picture.resize(size, Image.Resampling(int(how)))
    if kind in {"noise", "all"}:
        values = np.asarray(picture).astype(float)
        values += rng.normal(0, rng.uniform(1, 14), values.shape)
        picture = Image.fromarray(values.clip(0, 255).astype(np.uint8))
    file = BytesIO()
    if kind in {"jpeg", "all"}:
        picture.save(file, "JPEG", quality=int(rng.integers(40, 96)))
    else:
        picture.save(file, "PNG", compress_level=1)
    return file.getvalue()


def cut_through(shot: Shot, rng: np.random.Generator) -> bytes:
    """A screenshot in which part of the board is cut off, at any pixel."""
    left, top, right, bottom = _around(shot, rng)
    side, place = shot.place.side, shot.place
    at = int(rng.integers(4))
    if at % 2:
        where = rng.uniform(place.ys[0] + side, place.ys[-1])
        top, bottom = (round(where), bottom) if at == 1 else (top, round(where))
    else:
        where = rng.uniform(place.xs[0] + side, place.xs[-1])
        left, right = (round(where), right) if at == 0 else (left, round(where))
    file = BytesIO()
    shot.picture.crop((left, top, right, bottom)).save(file, "PNG", compress_level=1)
    return file.getvalue()


def _around(shot: Shot, rng: np.random.Generator) -> tuple[int, int, int, int]:
    """A crop that contains the board and some of its surroundings."""
    place, side = shot.place, shot.place.side
    low, high = 0.3 * side, 4 * side
    left, right = place.xs[0] - rng.uniform(low, high), place.xs[-1] + side + rng.uniform(low, high)
    top, bottom = place.ys[0] - rng.uniform(low, high), place.ys[-1] + side + rng.uniform(low, high)
    return (
        max(0, round(left)),
        max(0, round(top)),
        min(shot.picture.width, round(right)),
        min(shot.picture.height, round(bottom)),
    )


def verdict(content: bytes, view: mp.View) -> str:
    """`right`, `refused` or `wrong`."""
    try:
        seen = screenshots.read(content).view()
    except FormatError:
        return "refused"
    return "right" if seen == view else "wrong"
