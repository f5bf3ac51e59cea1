"""The responses of a review: each move judged, then the luck of the game."""

from __future__ import annotations

from typing import Annotated, Literal

from mineproof.messages.results import Cells, Response, ResponsePart, WinProbabilityData
from mineproof.messages.values import Cell, about
from mineproof.world.move import Act


class Judgement(ResponsePart):
    """A move of a finished game, judged by what could be known when it was made."""

    n: Annotated[int, about("the number of the move, from 0")]
    cell: Annotated[Cell, about("the cell of the move")]
    action: Annotated[Act, about("the action")]
    risk: Annotated[
        float | None, about("the probability that it opened a mine or flagged a safe cell")
    ]
    least: Annotated[float | None, about("the lowest risk of any cell that could be opened")]
    missed: Annotated[Cells, about("certainly safe cells, if another one was opened")]
    hit: Annotated[bool, about("whether it hit a mine")]
    exact: Annotated[bool, about("whether the risks are exact")]
    win: Annotated[
        WinProbabilityData | None, about("the win probability before a risky move, if available")
    ]
    after: Annotated[WinProbabilityData | None, about("the win probability after it, if available")]
    cost: Annotated[
        WinProbabilityData | None,
        about("the win probability lost compared with the champion's move"),
    ]


class JudgedMoveData(Response):
    """A judged move; more responses follow."""

    move: Annotated[Judgement, about("the move")]
    more: Annotated[bool, about("true: more responses follow")]


class LuckData(ResponsePart):
    """The risks and the luck of a game in numbers."""

    openings: Annotated[int, about("the number of openings")]
    guesses: Annotated[int, about("forced guesses")]
    needless: Annotated[int, about("risky openings while a cell was certainly safe")]
    unnecessary: Annotated[int, about("all unnecessary risks")]
    excess: Annotated[float, about("the sum of all risks minus the lowest ones available")]
    expected_hits: Annotated[float, about("the expected number of mines hit")]
    hits: Annotated[int, about("the number of mines hit")]
    unnecessary_hits: Annotated[int, about("those hit by unnecessary risks")]
    survival: Annotated[float, about("the probability that the openings hit no mine")]
    as_good: Annotated[float, about("the probability of at most as many hits")]
    as_bad: Annotated[float, about("the probability of at least as many hits")]
    luck: Annotated[float, about("the expected number of mines hit minus the actual number")]
    verdict: Annotated[
        Literal["none", "lucky", "expected", "unlucky", "unnecessary"],
        about("how large a part luck played"),
    ]


class ReviewEnd(Response):
    """The end of a review."""

    luck: Annotated[LuckData, about("the luck of the game")]
    won: Annotated[bool, about("whether the game was won")]
    score: Annotated[float | None, about("the score, if play continues after a mine")]
