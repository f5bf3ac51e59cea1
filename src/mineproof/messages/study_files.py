"""The files of studies: the TOML file that defines one, and the manifest of its folder."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta, Struct, field

from mineproof.errors import FormatError, InvalidInput
from mineproof.messages.values import AgentName, Cell, CluesText, about
from mineproof.world.board import Opening
from mineproof.world.rules import Luck, OnMine

T = TypeVar("T")

QUICK_GAMES = 40
"""Games per point in a quick run, unless a study says otherwise."""
MOST_SECONDS = 1e12

Some = Annotated[tuple[T, ...], Meta(min_length=1)]
Games = Annotated[int, Meta(ge=1, le=10**9)]
Finding = Literal["growth", "hardness"]
"""An optional finding of a study: how time grows with the board (growth), or at which density games
become hard by each report's definition (hardness)."""
Column = Literal[
    "task", "agent", "board", "rows", "cols", "mines", "density", "independent", "on_mine",
    "opening", "count_known", "flood", "luck", "clues", "start", "size", "cells", "claimed",
]  # fmt: skip
"""A column that distinguishes points.

`claimed` exists only for the task `calibration`: the risk that the agent claimed.
"""


class Block(Struct, frozen=True, forbid_unknown_fields=True):
    """A block of the grid: every combination of its values is a point."""

    agents: Annotated[Some[AgentName], about("the agents that play")]
    boards: Annotated[Some[str], about("the boards, such as 9x9/10")]
    task: str = "games"
    independent: bool = False
    on_mine: Some[OnMine] = ("end",)
    opening: Some[Opening] = ("safe",)
    count_known: Some[bool] = (True,)
    flood: Some[bool] = (True,)
    luck: Some[Luck] = ("dealt",)
    clues: Some[CluesText] = ("exact",)
    start: Cell | None = None
    games: Games | None = None
    quick_games: Annotated[int, Meta(ge=0, le=10**9)] | None = None
    """Games per point in a quick run, instead of the study's number; 0 leaves the block out."""


class Plot(Struct, frozen=True, forbid_unknown_fields=True):
    """A plot of a study: a measure (y) by a column of the points (x)."""

    y: Annotated[str, about("a measure")]
    x: Annotated[Column, about("a column of the points")]
    lines: tuple[Column, ...] = ("agent",)
    panels: tuple[Column, ...] = ()
    title: str = ""


LISTS = (
    *("agents", "boards", "on_mine", "opening", "count_known", "flood", "luck", "clues"),
    *("lines", "panels", "findings"),
)
"""The lists of different values in a study's file. A single value stands for a list of it."""


class StudyFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The definition of a study, which is named after its file."""

    blocks: Annotated[Some[Block], about("the games to play")] = field(name="block")
    title: str = ""
    question: str = ""
    source: str = "mineproof"
    about: str = ""
    games: Games = 100
    seed: Annotated[int, Meta(ge=0)] = 0
    plots: tuple[Plot, ...] = field(name="plot", default=())
    findings: tuple[Finding, ...] = ()
    """Additional findings in its report."""
    quick_games: Games = QUICK_GAMES
    """Games per point in a quick run."""

    def __post_init__(self) -> None:
        if all(block.quick_games == 0 for block in self.blocks):
            raise InvalidInput(
                "a quick run needs at least one [[block]] whose 'quick_games' is not 0"
            )


class Manifest(
    Struct, kw_only=True, omit_defaults=True, tag_field="format", tag="mineproof-study-2"
):
    """The manifest of a study's folder: what was run, and how."""

    name: str
    spec: dict[str, Any]
    """The study, as `Study.to_json` returns it.

    It stays JSON data, because the fingerprint is that of the data as they were written, without
    defaults that later versions add. `Study.from_dict` reads it as a `StudyFile`.
    """
    versions: dict[str, str]
    engine: str
    agents: dict[str, str] = {}
    """The checksums of the files of the user's own agents."""
    plan: int
    """A number that depends on how the games are divided into chunks."""
    machine: dict[str, str | int]
    command: str | None
    started: str
    seconds: Annotated[float, Meta(ge=0, le=MOST_SECONDS)]
    finished: bool
    checksums: dict[str, str] = {}
    """The SHA-256 of files without a seal, which earlier versions wrote."""
    fingerprint: str
    """A SHA-256 of everything that determines the results."""

    def __post_init__(self) -> None:
        if "mineproof" not in self.versions:
            raise FormatError("'versions' has no 'mineproof'")
