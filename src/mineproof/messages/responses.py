"""The responses of a solver: for each method the types that they can have."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, UnsetType

from mineproof.messages.proofs import (
    BoardGrade,
    CellInfluence,
    CertainCells,
    InfluenceGraph,
    ProofData,
    ReasonerResults,
    UndecidedCell,
)
from mineproof.messages.results import (
    BoardFigures,
    CandidateData,
    Cells,
    MoveFields,
    RankedCell,
    Response,
    ResponsePart,
    SeedGiven,
    Sentence,
    WinProbabilityData,
)
from mineproof.messages.values import Cell, Id, about


class ResponseHead(Response, kw_only=True):
    """The first fields of every response."""

    id: Annotated[Id | UnsetType, about("the id of the request, if it has one")] = UNSET
    method: Annotated[str | None, about("the method of the request; null if it has none")]


ErrorKind = Literal[
    "invalid", "unknown", "illegal", "contradiction", "not-found", "engine", "agent", "failed",
    "memory", "stopped", "fault", "large", "busy", "forbidden", "store", "server",
]  # fmt: skip
"""The kinds of errors; `large` to `store` only come from a server, `server` from the web app."""


class Error(ResponsePart):
    """What is wrong."""

    kind: Annotated[ErrorKind, about("the kind of error, for programs")]
    message: Annotated[str, about("one line for people")]
    what: Annotated[
        str | UnsetType, about("the message without the position with which it ends")
    ] = UNSET
    why: Annotated[Sentence | UnsetType, about("the same as data, if it is known")] = UNSET
    cells: Annotated[
        Cells | UnsetType, about("the conflicting clues of a contradiction")
    ] = UNSET  # fmt: skip
    count_used: Annotated[
        bool | UnsetType, about("whether the mine count is needed for the contradiction")
    ] = UNSET
    irreducible: Annotated[
        bool | UnsetType, about("false if some of these clues may conflict without the others")
    ] = UNSET


class ErrorResponse(Response):
    """An error, which any request may have as its response."""

    error: Annotated[Error, about("what is wrong")]


class LevelSize(ResponsePart):
    """The size of a level."""

    rows: Annotated[int, about("the number of rows")]
    cols: Annotated[int, about("the number of columns")]
    mines: Annotated[int, about("the number of mines")]


class Capabilities(Response):
    """What the program on the other side can do."""

    protocol: Annotated[int, about("the version of the protocol")]
    name: Annotated[str, about("the name of the program")]
    version: Annotated[str, about("the version of the program")]
    engine: Annotated[str, about("the engine: native, python or wasm")]
    methods: Annotated[list[str], about("the methods")]
    fields: Annotated[dict[str, list[str]], about("the fields of the requests of each method")]
    agents: Annotated[list[str], about("the names of the agents")]
    clues: Annotated[list[str], about("the clue models")]
    levels: Annotated[dict[str, LevelSize], about("the levels by name")]


class PositionSet(Response):
    """The position is set."""

    view: Annotated[str, about("the position")]


class NextMove(MoveFields, kw_only=True):
    """The very next move of an agent."""


class AdvisedMove(NextMove, kw_only=True):
    """The move of an agent after its flags, and what the champion considered."""

    flags: Annotated[Cells, about("the cells that the agent would flag first")]
    win: Annotated[float | None, about("the win probability after the move, if it is known")]
    candidates: Annotated[
        list[CandidateData], about("what the champion considered, the best first")
    ]


class MineOdds(Response):
    """Mine probabilities, certain cells and best moves."""

    risk: Annotated[
        list[list[float | None]], about("by row: the mine probabilities; null for open cells")
    ]
    safe: Annotated[Cells, about("the cells that are certainly safe")]
    mined: Annotated[Cells, about("the cells that are certainly mines")]
    best: Annotated[list[RankedCell], about("the best cells to open, the best first")]
    exact: Annotated[bool, about("whether the probabilities are exact")]
    error: Annotated[float | None, about("the standard error of the probabilities; 0 if exact")]
    log_weight: Annotated[
        float | None, about("the logarithm of the total weight of all configurations")
    ]
    win: Annotated[
        WinProbabilityData | None, about("the win probability, on request and if available")
    ]
    zeros: Annotated[
        list[list[float | None]] | UnsetType,
        about("by row, on request: the probabilities that cells show 0; null for open cells"),
    ] = UNSET


class GeneratedBoard(BoardFigures):
    """A board and its origin."""

    board: Annotated[str, about("the board")]
    start: Annotated[Cell | None, about("the first cell")]
    seed: SeedGiven
    tries: Annotated[int, about("the number of deals that it took")]
    repaired: Annotated[bool, about("whether mines of the last deal were moved")]


class GeneratedBoards(Response):
    """Random boards."""

    seed: SeedGiven
    boards: Annotated[list[GeneratedBoard], about("the boards")]


class GameEndData(ResponsePart):
    """How a game in another program ended."""

    outcome: Annotated[Literal["won", "lost", "stopped"], about("the outcome")]
    reason: Annotated[str, about("the outcome in words")]
    hit: Annotated[int, about("the number of mines that were hit")]
    score: Annotated[float | None, about("the score, if play continues after a mine")]


class DeducedPosition(Response):
    """What is known about a board in another program."""

    view: Annotated[str, about("the position")]
    safe: Annotated[Cells, about("the cells that are certainly safe")]
    mined: Annotated[Cells, about("the cells that are certainly mines")]
    over: Annotated[GameEndData | None, about("how the game ended; null during the game")]


class StopResult(Response):
    """Whether a request was stopped."""

    stopped: Annotated[bool, about("whether any such request was running")]


class SessionEnd(Response):
    """The session ends."""


Responses = dict[str, tuple[type[Response], ...]]

SOLVER_RESPONSES: Responses = {
    "hello": (Capabilities,),
    "new": (PositionSet,),
    "position": (PositionSet,),
    "go": (AdvisedMove, NextMove),
    "odds": (MineOdds,),
    "explain": (CertainCells, ProofData, UndecidedCell),
    "reasoners": (ReasonerResults,),
    "influence": (InfluenceGraph, CellInfluence),
    "generate": (GeneratedBoards,),
    "grade": (BoardGrade,),
    "show": (DeducedPosition,),
    "undo": (DeducedPosition,),
    "stop": (StopResult,),
    "quit": (SessionEnd,),
}
"""The methods of a solver, with the types of their responses. Any response can be an error."""
