"""What a study is: agents x boards x rules x clues, in a few lines of TOML or Python."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from mineproof.errors import FormatError, InvalidInput, shorten
from mineproof.world import clues
from mineproof.world.board import LEVELS, Deal, Opening
from mineproof.world.clues import ClueModel
from mineproof.world.geometry import Cell
from mineproof.world.rules import OnMine, Rules

_BOARD = re.compile(r"(\d+)x(\d+)/(\d+|\d*\.\d+|\d+\.\d*)")


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


TEXTS = ("title", "question", "source", "about")
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
    opening: tuple[Opening, ...] = ("any",)
    count_known: tuple[bool, ...] = (True,)
    flood: tuple[bool, ...] = (True,)
    clues: tuple[str, ...] = ("exact",)
    start: Cell | None = None
    games: int | None = None

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


@dataclass(frozen=True)
class Study:
    """A grid of games with a name, what it asks, and how it is plotted.

    Made by `from_toml` or `from_dict`, which check it; `to_json` gives what
    `from_dict` takes.
    """

    name: str
    blocks: tuple[Block, ...]
    title: str = ""
    question: str = ""
    source: str = "mineproof"
    about: str = ""
    games: int = 100
    seed: int = 0
    plots: tuple[Plot, ...] = ()

    @classmethod
    def from_toml(cls, path: str | Path) -> Study:
        """Read a study from its file, whose name is the study's."""
        path = Path(path)
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise FormatError(f"cannot read {str(path)!r}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise FormatError(f"cannot read {str(path)!r}: it is not text") from None
        return cls.from_text(path.stem, text)

    @classmethod
    def from_text(cls, name: str, text: str) -> Study:
        """Read a study from TOML."""
        try:
            found = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise FormatError(f"study {shorten(name)!r} is not TOML: {error}") from None
        return cls.from_dict(name, found)

    @classmethod
    def from_dict(cls, name: str, data: Mapping[str, Any]) -> Study:
        """Make a study from the keys of a TOML file; all of it is checked."""
        from mineproof.studies.reading import read_study

        return read_study(name, data)

    def to_json(self) -> dict[str, Any]:
        """The study as data, every default spelled out."""
        return {
            **{key: getattr(self, key) for key in TEXTS},
            "games": self.games,
            "seed": self.seed,
            "block": [_listed(asdict(block)) for block in self.blocks],
            "plot": [_listed(asdict(plot)) for plot in self.plots],
        }

    def points(self) -> tuple[Point, ...]:
        """Every agent in every setting, in a fixed order."""
        every = (point for block in self.blocks for point in block.points(self.games))
        return tuple(point._replace(index=index) for index, point in enumerate(every))

    def with_games(self, games: int) -> Study:
        """The same with so many games at every point."""
        from mineproof.studies.reading import check_games

        blocks = tuple(replace(block, games=None) for block in self.blocks)
        return replace(self, games=check_games(games), blocks=blocks)

    def quick(self, most: int = 4) -> Study:
        """The same with a few games a point, for a look."""
        blocks = tuple(
            replace(block, games=block.games and min(block.games, most)) for block in self.blocks
        )
        return replace(self, games=min(self.games, most), blocks=blocks)


def read_board(text: str, *, independent: bool = False) -> Deal:
    """A way to make boards from `10x10/15` (mines), `10x10/0.15` (density) or a level."""
    if text in LEVELS:
        return Deal(*LEVELS[text], independent=independent)
    found = _BOARD.fullmatch(text)
    if not found:
        raise InvalidInput(
            f"a board is ROWSxCOLS/MINES, ROWSxCOLS/DENSITY (with a dot) or one of "
            f"{', '.join(LEVELS)}, got {shorten(text)!r}"
        )
    rows, cols, mines = found.groups()
    if "." in mines:
        return Deal(int(rows), int(cols), density=float(mines), independent=independent)
    return Deal(int(rows), int(cols), int(mines), independent=independent)


@lru_cache(maxsize=256)
def _clue_model(text: str) -> ClueModel:
    return clues.parse(text)


def _listed(fields: dict[str, Any]) -> dict[str, Any]:
    """Tuples as lists, for JSON; keys without a value are left out."""
    return {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in fields.items()
        if value is not None
    }
