"""Parts that several responses share: reasons, moves, probabilities and the numbers of a board."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType

from mineproof.messages.values import Cell, about
from mineproof.world.board import Opening
from mineproof.world.move import Act
from mineproof.world.rules import Luck, OnMine

Cells = list[Cell]
SeedGiven = Annotated[int | str, about("the seed; a string of digits if it is large")]
Interval = Annotated[tuple[float, float], about("a 95 % confidence interval")]


class ResponsePart(Struct, kw_only=True):
    """Data in a response. A field that is not always there has the default UNSET."""


class Sentence(ResponsePart):
    """A sentence as data: a phrase and the values in it."""

    phrase: Annotated[str, about("the key of the phrase in the catalogue")]
    values: Annotated[dict[str, Any], about("the values in the phrase; some are phrases again")]


class Reason(Sentence):
    """A reason as data: its phrase, the values in it, and the premises of a deduction."""

    clues: Annotated[Cells, about("the cells whose clues were used")]
    known: Annotated[Cells, about("the known cells that were used")]
    count_used: Annotated[bool, about("whether the mine count was used")]
    every_clue: Annotated[
        bool | UnsetType, about("true: these are all clues, perhaps more than are needed")
    ] = UNSET
    claimed: Annotated[
        bool | UnsetType, about("true: the agent is not sound, so the premises may prove nothing")
    ] = UNSET


class WinProbabilityData(ResponsePart):
    """A win probability."""

    chance: Annotated[float, about("the probability")]
    error: Annotated[float, about("its standard error; 0 if it is exact")]
    exact: Annotated[bool, about("whether it is exact")]
    interval: Interval


class RankedCell(ResponsePart):
    """A cell to open."""

    cell: Annotated[Cell, about("the cell")]
    risk: Annotated[float, about("its mine probability")]


class CandidateData(ResponsePart):
    """A cell that the champion considered."""

    cell: Annotated[Cell, about("the cell")]
    risk: Annotated[float, about("its mine probability")]
    score: Annotated[float | None, about("its value in the look-ahead; higher is better")]
    win: Annotated[float | None, about("the win probability after opening it")]
    error: Annotated[float | None, about("the standard error of `win`; 0 if it is exact")]
    loss: Annotated[
        float | None,
        about("if play continues after a mine: the expected number of missing and wrong flags"),
    ]


class BoardFigures(ResponsePart):
    """Measures of a board."""

    openings: Annotated[int, about("the number of openings")]
    islands: Annotated[int, about("the number of islands")]
    bbbv: Annotated[int, about("the 3BV")]


class RulesData(ResponsePart):
    """The rules of a game."""

    on_mine: Annotated[OnMine, about("whether hitting a mine ends the game")]
    opening: Annotated[Opening, about("what is guaranteed about the first cell")]
    count_known: Annotated[bool, about("whether the player knows the mine count")]
    density: Annotated[float | None, about("the mine density that the player knows instead")]
    flood: Annotated[bool, about("whether opening a 0 opens its neighbours")]
    luck: Annotated[
        Luck | UnsetType, about("fair if every loss is a mistake; absent if the board is fixed")
    ] = UNSET


class Response(ResponsePart):
    """A response. Each begins with the `id` and the `method` of its request."""


class MoveFields(Response, kw_only=True):
    """A move and its reason."""

    cell: Annotated[Cell, about("the cell of the move")]
    action: Annotated[Act, about("the action")]
    risk: Annotated[float | None, about("the probability that the move is wrong, if known")]
    certain: Annotated[bool, about("whether the move is proved right")]
    reason: Annotated[str, about("the reason in words")]
    rule: Annotated[str, about("the rule that proved the move, or an empty string")]
    estimated: Annotated[bool, about("whether the risk is an estimate")]
    why: Annotated[Reason | UnsetType, about("the reason as data")] = UNSET
