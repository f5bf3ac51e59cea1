"""The grid of a study: blocks of agents x boards x rules x clues, and their points."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from mineproof import agents
from mineproof.errors import InvalidInput, shorten
from mineproof.series.playing import Series
from mineproof.world import clues
from mineproof.world.board import LEVELS, Deal, Opening
from mineproof.world.clues import ClueModel
from mineproof.world.geometry import Cell
from mineproof.world.rules import OnMine, Rules

_BOARD = re.compile(r"(\d{1,9})x(\d{1,9})/(\d{1,9}|\d{0,9}\.\d{1,18}|\d{1,9}\.)", re.ASCII)


class Point(NamedTuple):
    """One agent in one setting: what its games have in common."""

    index: int  # type: ignore[assignment]  # of a tuple it is a method, which none needs here
    task: str
    agent: str
    board: str
    rows: int
    cols: int
    mines: int | None
    """On every board; None where each cell is mined by itself."""
    density: float
    independent: bool
    on_mine: OnMine
    opening: Opening
    count_known: bool
    """Where cells are mined independently: whether the density is told instead."""
    flood: bool
    clues: str
    start: Cell | None
    games: int

    @property
    def size(self) -> str:
        """The shape as text."""
        return f"{self.rows}x{self.cols}"

    @property
    def cells(self) -> int:
        """How many cells a board has."""
        return self.rows * self.cols

    @property
    def deal(self) -> Deal:
        """How its boards are made."""
        if self.independent:
            return Deal(self.rows, self.cols, density=self.density, independent=True)
        return Deal(self.rows, self.cols, self.mines)

    @property
    def rules(self) -> Rules:
        """The rules of its games."""
        told = self.count_known and self.independent
        return Rules(
            on_mine=self.on_mine,
            opening=self.opening,
            count_known=self.count_known and not self.independent,
            density=self.density if told else None,
            flood=self.flood,
        )

    @property
    def clue_model(self) -> ClueModel:
        """How cells report."""
        return _clue_model(self.clues)

    def series(self, seed: int) -> Series:
        """Its games, in a study of this seed."""
        agent = agents.get(self.agent)
        return Series(agent, self.deal, self.rules, self.clue_model, self.start, seed)


COLUMNS = (
    *(name for name in Point._fields if name not in {"index", "games"}),
    *("size", "cells", "claimed"),
)
"""What tells points apart: the columns that a plot may use.

`claimed` is for claims of risk alone: the risk that was claimed.
"""


@dataclass(frozen=True)
class Block:
    """Everything in it times everything."""

    agents: tuple[str, ...]
    boards: tuple[str, ...]
    task: str = "games"
    independent: bool = False
    on_mine: tuple[OnMine, ...] = ("end",)
    opening: tuple[Opening, ...] = ("safe",)
    count_known: tuple[bool, ...] = (True,)
    flood: tuple[bool, ...] = (True,)
    clues: tuple[str, ...] = ("exact",)
    start: Cell | None = None
    games: int | None = None
    quick_games: int | None = None
    """Games per point in a quick run, where the study's number does not fit; 0 leaves it out."""

    def points(self, games: int) -> Iterator[Point]:
        """By board, then rules, clues, and agents innermost; all numbered 0."""
        rules = product(self.on_mine, self.opening, self.count_known, self.flood)
        for board, (on_mine, opening, told, flood), model, agent in product(
            self.boards, rules, self.clues, self.agents
        ):
            deal = read_board(board, independent=self.independent)
            given = deal.density
            cells = deal.rows * deal.cols
            yield Point(
                index=0,
                task=self.task,
                agent=agent,
                board=board,
                rows=deal.rows,
                cols=deal.cols,
                mines=deal.mine_count,
                density=(deal.mine_count or 0) / cells if given is None else given,
                independent=self.independent,
                on_mine=on_mine,
                opening=opening,
                count_known=told,
                flood=flood,
                clues=model,
                start=self.start,
                games=self.games or games,
            )


@dataclass(frozen=True)
class Plot:
    """One figure of a report: a measure over a column of the points."""

    y: str
    x: str
    lines: tuple[str, ...] = ("agent",)
    panels: tuple[str, ...] = ()
    title: str = ""


def read_board(text: str, *, independent: bool = False) -> Deal:
    """A way to make boards from `10x10/15` (mines), `10x10/0.15` (density) or a level.

    Where each cell is mined independently, the mines are the expected number.
    """
    if text in LEVELS:
        return _deal(*LEVELS[text], independent)
    found = _BOARD.fullmatch(text)
    if not found:
        raise InvalidInput(
            f"a board is ROWSxCOLS/MINES, ROWSxCOLS/DENSITY (with a dot) or one of "
            f"{', '.join(LEVELS)}, got {shorten(text)!r}"
        )
    rows, cols, mines = found.groups()
    if "." in mines:
        return Deal(int(rows), int(cols), density=float(mines), independent=independent)
    return _deal(int(rows), int(cols), int(mines), independent)


def _deal(rows: int, cols: int, mines: int, independent: bool) -> Deal:
    if not independent:
        return Deal(rows, cols, mines)
    return Deal(rows, cols, density=mines / max(rows * cols, 1), independent=True)


@lru_cache(maxsize=256)
def _clue_model(text: str) -> ClueModel:
    return clues.parse(text)
