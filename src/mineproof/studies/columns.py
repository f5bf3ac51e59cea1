"""Rows made into columns, each of one type, with what is unknown masked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mineproof.errors import MineproofError
from mineproof.studies.spec import Point
from mineproof.studies.tasks import Row

_TYPES: dict[type, Any] = {bool: np.bool_, int: np.int64, float: np.float64, str: np.object_}


def columns(rows: Sequence[Row], numbers: range) -> dict[str, Any]:
    """What a task gave for these games; `game` comes first."""
    names = list(rows[0]) if rows else []
    if any(list(row) != names for row in rows):
        raise MineproofError("a task gives the same columns in every row")
    if [row.get("game") for row in rows] != list(numbers):
        raise MineproofError(f"a task gives a row for each of the games {numbers}, in order")
    names.sort(key=lambda name: name != "game")
    return {name: column(name, [row[name] for row in rows]) for name in names}


def point_columns(points: Sequence[Point]) -> dict[str, Any]:
    """The points of a study; a start is text, as in `0,0`."""
    found: dict[str, Any] = {"point": column("point", [point.index for point in points])}
    for name in Point._fields[1:]:
        values = [getattr(point, name) for point in points]
        if name == "start":
            values = [None if cell is None else "{},{}".format(*cell) for cell in values]
        found[name] = column(name, values, str if name == "start" else float)
    return found


def column(name: str, values: Sequence[Any], kind: type = float) -> Any:
    """Values as an array, None masked; without any value it is of this kind."""
    plain = [value.item() if isinstance(value, np.generic) else value for value in values]
    kinds = {type(value) for value in plain if value is not None} or {kind}
    if kinds == {int, float}:
        kinds = {float}
    if len(kinds) > 1 or not kinds <= set(_TYPES):
        found = ", ".join(sorted(one.__name__ for one in kinds))
        raise MineproofError(f"column {name!r} is of truth values or of numbers, not of {found}")
    (kind,) = kinds
    filled = np.array([kind() if value is None else value for value in plain], _TYPES[kind])
    unknown = [value is None for value in plain]
    return np.ma.masked_array(filled, unknown) if any(unknown) else filled
