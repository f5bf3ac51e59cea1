"""Read the games in a study's folder from its chunks, and check that each is there once.

Seals show that files are unchanged, but anyone can write a file with its seal. So the rows are
checked here: each must be a game of the study, and none may occur twice.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

import numpy as np

from mineproof.errors import FormatError, plural, shorten
from mineproof.series.columns import Array

if TYPE_CHECKING:
    from mineproof.studies.grid import Point
    from mineproof.studies.study_folder import StudyResults


class StoredGames:
    """All games of a folder: one array per column, by point and number; masked means unknown."""

    def __init__(self, folder: StudyResults) -> None:
        self._where = str(folder.path)
        chunks = [str(path) for path in folder.checked_chunks()]
        self._columns = self._read(chunks) if chunks else {}
        self._check_columns()
        self._points = np.asarray(self._columns.pop("point", np.zeros(0, np.int64)))
        self._check_points(folder)
        for point in folder.points:
            self._check_games(point, whole=folder.finished)

    def of(self, point: Point) -> dict[str, Any]:
        """Return the columns of the games of a point."""
        mine = slice(*np.searchsorted(self._points, [point.index, point.index + 1]))
        return {name: array[mine] for name, array in self._columns.items()}

    def numbers(self, point: Point) -> Array:
        """Return the numbers of the games of a point."""
        return np.asarray(self.of(point).get("game", np.zeros(0, np.int64)))

    def _read(self, chunks: list[str]) -> dict[str, Any]:
        import duckdb

        query = "FROM read_parquet(?, union_by_name = true) ORDER BY point, game"
        try:
            with closing(duckdb.connect(config={"threads": 1})) as base:
                columns: dict[str, Any] = base.execute(query, [chunks]).fetchnumpy()
        except duckdb.Error as error:
            why = shorten(" ".join(str(error).split()), 160)
            raise FormatError(
                f"the chunks of {self._where!r} cannot be read as games: {why}"
            ) from None
        return columns

    def _check_columns(self) -> None:
        """Check that columns are numbers or booleans, and that each game has a point and number."""
        for name, array in self._columns.items():
            kinds = "iu" if name in {"point", "game"} else "biuf"
            if array.dtype.kind not in kinds:
                self._refuse(f"column {shorten(name)!r} has type {array.dtype}")
            if kinds == "iu" and np.ma.is_masked(array):
                self._refuse(f"column {name!r} has missing values")

    def _check_points(self, folder: StudyResults) -> None:
        known = [point.index for point in folder.points]
        strange = self._points[~np.isin(self._points, known)]
        if len(strange):
            self._refuse(f"point {strange[0]} does not exist")

    def _check_games(self, point: Point, *, whole: bool) -> None:
        games = self.numbers(point)
        beyond = games[(games < 0) | (games >= point.games)]
        if len(beyond):
            self._refuse(f"point {point.index} has no game {beyond[0]}")
        twice: Array = games[1:][games[1:] == games[:-1]]
        if len(twice):
            self._refuse(f"point {point.index} has game {twice[0]} twice")
        if whole and len(games) < point.games:
            raise FormatError(
                f"chunks of {self._where!r} are missing: point {point.index} has {len(games)} of "
                f"{plural(point.games, 'game')}, but according to the manifest the study is "
                "finished. Run it again to replace them"
            )

    def _refuse(self, what: str) -> None:
        raise FormatError(f"the chunks of {self._where!r} were not written by a run: {what}")
