"""The grid of a study: blocks of agents x boards x rules x clues, and their points."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from mineproof import agents
from mineproof.errors import InvalidInput, shorten
from mineproof.messages.study_files import Block
from mineproof.series.agent_series import AgentSeries
from mineproof.world import clues
from mineproof.world.board import LEVELS, Deal, Opening
from mineproof.world.clues import ClueModel
from mineproof.world.geometry import Cell
from mineproof.world.rules import Luck, OnMine, Rules

_BOARD = re.compile(r"(\d{1,9})x(\d{1,9})/(\d{1,9}|\d{0,9}\.\d{1,18}|\d{1,9}\.)", re.ASCII)


class Point(NamedTuple):
    """A point of the grid: one agent in one setting."""

    index: int  # type: ignore[assignment]  # hides the method of tuples, which is not used here
    task: str
    agent: str
    board: str
    rows: int
    cols: int
    mines: int | None
    """The number of mines; None if each cell is a mine independently."""
    density: float
    independent: bool
    on_mine: OnMine
    opening: Opening
    count_known: bool
    """Whether the mine count is known (with independent mines: the density)."""
    flood: bool
    luck: Luck
    clues: str
    start: Cell | None
    games: int

    @property
    def size(self) -> str:
        """The size as text, such as `16x30`."""
        return f"{self.rows}x{self.cols}"

    @property
    def cells(self) -> int:
        """The number of cells of a board."""
        return self.rows * self.cols

    @property
    def deal(self) -> Deal:
        """How its boards are dealt."""
        if self.independent:
            return Deal(self.rows, self.cols, density=self.density, independent=True)
        return Deal(self.rows, self.cols, self.mines)

    @property
    def rules(self) -> Rules:
        """The rules of its games."""
        density_known = self.count_known and self.independent
        return Rules(
            on_mine=self.on_mine,
            opening=self.opening,
            count_known=self.count_known and not self.independent,
            density=self.density if density_known else None,
            flood=self.flood,
            luck=self.luck,
        )

    @property
    def clue_model(self) -> ClueModel:
        """The clue model of its games."""
        return _clue_model(self.clues)

    def series(self, seed: int) -> AgentSeries:
        """Return the games of this point in a study with this seed."""
        agent = agents.get(self.agent)
        return AgentSeries(agent, self.deal, self.rules, self.clue_model, self.start, seed)


def points(block: Block, games: int) -> Iterator[Point]:
    """Yield the points of a block by board, then rules, clues and agents; their index is still 0.

    `games` is the number of games per point unless the block has its own.
    """
    rules = product(block.on_mine, block.opening, block.count_known, block.flood, block.luck)
    for board, (on_mine, opening, count_known, flood, luck), model, agent in product(
        block.boards, rules, block.clues, block.agents
    ):
        deal = read_board(board, independent=block.independent)
        given = deal.density
        cells = deal.rows * deal.cols
        yield Point(
            index=0,
            task=block.task,
            agent=agent,
            board=board,
            rows=deal.rows,
            cols=deal.cols,
            mines=deal.mine_count,
            density=(deal.mine_count or 0) / cells if given is None else given,
            independent=block.independent,
            on_mine=on_mine,
            opening=opening,
            count_known=count_known,
            flood=flood,
            luck=luck,
            clues=model,
            start=block.start,
            games=block.games or games,
        )


def read_board(text: str, *, independent: bool = False) -> Deal:
    """Return how to deal boards given as `10x10/15` (mines), `10x10/0.15` (density) or a level.

    If each cell is a mine independently, the number of mines is the expected one.
    """
    if text in LEVELS:
        return _deal(*LEVELS[text], independent)
    found = _BOARD.fullmatch(text)
    if not found:
        raise InvalidInput(
            f"expected a board as ROWSxCOLS/MINES, ROWSxCOLS/DENSITY (with a dot) or one of "
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
