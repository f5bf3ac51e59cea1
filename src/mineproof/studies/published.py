"""The figures that the reports published, and the points of studies they belong to."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import NamedTuple

from mineproof.studies.grid import Point

WHOLE_RANGE = "1-100"
"""The density of a figure that is an average over all boards of its study."""
BEYOND = 3.0
"""More combined standard errors than this count as a difference (by chance: 1 in 370)."""


FEWEST = 8
"""With fewer games than this, figures are not compared."""


class Figure(NamedTuple):
    """A figure of a report or, without a value, a statement in words.

    `games` is the smallest number of games it may be based on; `note` is our comment.
    """

    study: str
    report: str
    table: str
    rows: int | None
    cols: int | None
    density: str
    agent: str
    clues: str
    measure: str
    value: float | None
    decimals: int
    games: int
    note: str

    @property
    def source(self) -> str:
        """Where it was published."""
        return f"report {self.report}, {self.table}"

    @property
    def is_of_a_point(self) -> bool:
        """Whether it has a value for one kind of board."""
        has_board = self.rows is not None and self.density not in {"", WHOLE_RANGE}
        return self.value is not None and has_board

    @property
    def rounding(self) -> float:
        """The standard error due to its rounding."""
        return float(0.5 * 10**-self.decimals / math.sqrt(3))


@cache
def figures() -> tuple[Figure, ...]:
    """Return all published figures, in the order of the file."""
    text = resources.files("mineproof.studies").joinpath("published.csv").read_text("utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return tuple(_figure(row) for row in csv.DictReader(lines))


def figures_of(study: str, source: str = "") -> list[Figure]:
    """Return the published figures that a study is compared with.

    These are the figures listed for its name, or for a user's own study all figures of the
    reports in its `source`.
    """
    own = [figure for figure in figures() if figure.study == study]
    return own or [figure for figure in figures() if f"report {figure.report}" in source]


def figure_at(found: Iterable[Figure], point: Point, measure: str) -> Figure | None:
    """Return the published figure for a measure of a point, or None."""
    return next((one for one in found if one.measure == measure and _fits(one, point)), None)


def distance(ours: float, spread: float, n: int, figure: Figure) -> float | None:
    """Return our value minus theirs in combined standard errors; None for too few games.

    Combines the error of our mean, of theirs (from the spread of our games and their number of
    games, as they give no errors), and of their rounding. A share above 1 counts as 1.
    """
    assert figure.value is not None
    if n < FEWEST or (spread == 0 and figure.measure != "win"):
        return None
    theirs = min(figure.value, 1.0) if figure.measure == "flag_rate" else figure.value
    if figure.measure == "win":  # also if none or all were won
        rate = (n * ours + 2) / (n + 4)
        spread = math.sqrt(rate * (1 - rate))
    errors = (spread / math.sqrt(n), spread / math.sqrt(figure.games), figure.rounding)
    return (ours - theirs) / math.hypot(*errors)


def _fits(figure: Figure, point: Point) -> bool:
    return (
        figure.is_of_a_point
        and (figure.rows, figure.cols) == (point.rows, point.cols)
        and figure.agent == point.agent
        and figure.clues == point.clues
        and abs(float(figure.density) - point.density) < 0.5 / (point.rows * point.cols)
    )


def _figure(row: dict[str, str]) -> Figure:
    return Figure(
        study=row["study"],
        report=row["report"],
        table=row["table"],
        rows=int(row["rows"]) if row["rows"] else None,
        cols=int(row["cols"]) if row["cols"] else None,
        density=row["density"],
        agent=row["agent"],
        clues=row["clues"],
        measure=row["measure"],
        value=float(row["published"]) if row["published"] else None,
        decimals=len(row["published"].partition(".")[2]),
        games=int(row["games"] or 0),
        note=row["note"],
    )
