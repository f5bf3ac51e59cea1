"""Where the board is in each screenshot, for labelling and for learning tiles."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from mineproof.screenshots.tiling import Lattice

NAME = "boxes.json"


def note_box(folder: Path, name: str, place: Lattice) -> None:
    """Record where the board is in a picture."""
    path = folder / NAME
    known = json.loads(path.read_text()) if path.exists() else {}
    known[name] = {"xs": place.xs.tolist(), "ys": place.ys.tolist(), "side": place.side}
    lines = (f"{json.dumps(one)}: {json.dumps(known[one])}" for one in sorted(known))
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def boxes(folder: Path) -> dict[str, Lattice]:
    """Where the board is in each picture, by file name."""
    known = json.loads((folder / NAME).read_text())
    return {
        name: Lattice(np.array(one["xs"]), np.array(one["ys"]), one["side"])
        for name, one in known.items()
    }
