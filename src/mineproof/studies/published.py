"""What the reports published, as data, and which point of a study each figure belongs to."""

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
"""A difference of more combined standard errors than this is one: chance alone gives 1 in 370."""


FEWEST = 8
"""With fewer games than this nothing is said about a difference."""


class Figure(NamedTuple):
    """One figure of a report, or, without a value, what it says in words.

    `games` is the least number that it may rest on; `note` is ours.
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
        """Where it stands."""
        return f"report {self.report}, {self.table}"

    @property
    def is_of_a_point(self) -> bool:
        """Whether it is about boards of one kind."""
        has_board = self.rows is not None and self.density not in {"", WHOLE_RANGE}
        return self.value is not None and has_board

    @property
    def rounding(self) -> float:
        """The standard error of its rounding."""
        return float(0.5 * 10**-self.decimals / math.sqrt(3))


@cache
def figures() -> tuple[Figure, ...]:
    """All that the reports published, in the order of the file."""
    text = resources.files("mineproof.studies").joinpath("published.csv").read_text("utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return tuple(_figure(row) for row in csv.DictReader(lines))


def figures_of(study: str, source: str = "") -> list[Figure]:
    """The figures that a study is set beside.

    Those with its name; for a study of somebody's own, all of the reports that its
    source names.
    """
    own = [figure for figure in figures() if figure.study == study]
    return own or [figure for figure in figures() if f"report {figure.report}" in source]


def figure_at(found: Iterable[Figure], point: Point, measure: str) -> Figure | None:
    """The figure for a measure of a point, if there is one."""
    return next((one for one in found if one.measure == measure and _fits(one, point)), None)


def distance(ours: float, spread: float, n: int, figure: Figure) -> float | None:
    """Ours less theirs, in combined standard errors; None where too few games tell.

    Of ours, of theirs (they give none: the spread of our games over their number), and of
    their rounding. A share over 1 counts as 1.
    """
    assert figure.value is not None
    if n < FEWEST or (spread == 0 and figure.measure != "win"):
        return None
    theirs = min(figure.value, 1.0) if figure.measure == "flag_rate" else figure.value
    if figure.measure == "win":  # also where none or all were won
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
