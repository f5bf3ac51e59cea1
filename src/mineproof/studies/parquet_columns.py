"""Columns of points and games as files store them, with null for unknown values."""

from __future__ import annotations

from typing import Any

import numpy as np

from mineproof.series.columns import Array
from mineproof.studies.grid import Point


def stored_column(column: Array) -> Any:
    """Return a column as files store it: 64-bit integers, null for unknown values."""
    if column.dtype.kind == "i":
        return column.astype(np.int64)
    unknown = np.isnan(column) if column.dtype.kind == "f" else None
    return column if unknown is None or not unknown.any() else np.ma.masked_array(column, unknown)


def point_columns(points: tuple[Point, ...]) -> dict[str, Any]:
    """Return the points of a study as columns; a start is text such as `0,0`."""
    found: dict[str, Any] = {"point": np.array([point.index for point in points])}
    for name in Point._fields[1:]:
        values = [getattr(point, name) for point in points]
        if name == "start":
            values = [None if cell is None else "{},{}".format(*cell) for cell in values]
        found[name] = _nullable(values, str if name == "start" else float)
    return found


def _nullable(values: list[Any], kind: type) -> Any:
    """Convert values to an array with None masked; `kind` is the type if all are None."""
    kind = next((type(value) for value in values if value is not None), kind)
    filled = [kind() if value is None else value for value in values]
    unknown = [value is None for value in values]
    array: Array = np.array(filled, object if kind is str else kind)
    return np.ma.masked_array(array, unknown) if any(unknown) else array
