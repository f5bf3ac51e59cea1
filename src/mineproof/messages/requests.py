"""The requests that a solver answers: one type for each method, without its `method` and `id`."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from mineproof.errors import InvalidInput
from mineproof.messages.records import SomeRecord
from mineproof.messages.values import (
    AgentName,
    BoardText,
    Cell,
    Clue,
    CluesText,
    Fields,
    Id,
    LevelName,
    Million,
    Mines,
    OpeningRule,
    Reasoning,
    Row,
    Seed,
    Share,
    Side,
    SomeRules,
    ViewText,
    about,
    check_id,
)
from mineproof.phrases import say
from mineproof.world.board import LEVELS, Deal
from mineproof.world.geometry import MAX_SIDE
from mineproof.world.view import Event, read_state


class Size(Fields):
    """A level, or a size with a mine count or a density."""

    level: Annotated[LevelName | None, about("in place of a size")] = None
    rows: Annotated[Side | None, about("the number of rows")] = None
    cols: Annotated[Side | None, about("the number of columns")] = None
    mines: Annotated[Mines | None, about("the number of mines")] = None
    density: Annotated[Share | None, about("the fraction of cells that are mines")] = None
    independent: Annotated[
        bool | None, about("each cell is a mine independently, with probability `density`")
    ] = None

    def deal(self, name: str = "deal") -> Deal:
        """Return the deal; `name` is the field's name in errors."""
        given = self.given()
        if self.level is not None:
            if "rows" in given or "cols" in given:
                raise InvalidInput(say("refusal.level-or-size", name=repr(name)))
            rows, cols, mines = LEVELS[given.pop("level")]
            if self.mines is None and self.density is None:
                given["mines"] = mines
            return Deal(rows, cols, **given)
        if self.rows is None or self.cols is None:
            raise InvalidInput(say("refusal.size-missing", name=repr(name)))
        return Deal(**given)


class Change(Struct, array_like=True, forbid_unknown_fields=True):
    """A change of a cell: [row, col, state], with a state as in a view; a bound may follow."""

    row: Row
    col: Row
    state: str
    bound: Clue | None = None

    def event(self) -> Event:
        """Return the event that a player observes."""
        return Event((self.row, self.col), read_state(self.state), self.bound)


Shown = tuple[Cell | None, Clue | Literal["mine"] | None]
"""What a cell shows; null instead of a cell means the one that was named, null no clue."""


_Rules = Annotated[SomeRules | None, about("the rules that differ from the defaults")]
_Clues = Annotated[CluesText | None, about("the clue model (default: exact)")]
_Agent = Annotated[AgentName | None, about("the agent, as on the command line")]
_Guesses = Annotated[Seed | None, about("the random seed of guesses (default: 0)")]
_Corner = Annotated[Cell | None, about("the first cell (default: [0, 0])")]


class Request(Fields):
    """A request. Each type's docstring is the purpose of its method."""

    streams: ClassVar[bool] = False
    """Whether it has several responses."""


class HelloRequest(Request):
    """Return the version, methods, fields, agents, clue models and levels."""


class StartGameRequest(Request):
    """Start a game that the client referees."""

    deal: Annotated[Size, about("the size of the board and its mines")]
    rules: _Rules = None
    clues: _Clues = None
    agent: _Agent = None
    seed: _Guesses = None


class AboutPosition(Request):
    """A request about a position: its own, or the one that was set last."""

    view: Annotated[ViewText | None, about("the position, in any form that `analyse` reads")] = None
    clues: _Clues = None
    density: Annotated[
        Share | None, about("the mine density, if the mine count is unknown")
    ] = None  # fmt: skip
    rules: _Rules = None


class SetPositionRequest(AboutPosition):
    """Set the position for the following requests."""

    agent: _Agent = None
    seed: _Guesses = None
    events: Annotated[
        Annotated[
            list[Annotated[Change, Meta(title="a change [row, col, state]")]],
            Meta(max_length=MAX_SIDE**2),
        ]
        | None,
        about("what changed since the last position"),
    ] = None


class GoRequest(AboutPosition):
    """Return the move of an agent."""

    agent: _Agent = None
    seed: _Guesses = None
    budget: Annotated[
        Literal["fast", "default", "max"] | None, about("the champion's budget per move")
    ] = None
    step: Annotated[bool | None, about("return the agent's next move, even if it is a flag")] = None


class OddsRequest(AboutPosition):
    """Return mine probabilities, certain cells and best moves."""

    agent: _Agent = None
    best: Annotated[Million | None, about("how many best moves to return (default: 5)")] = None
    zeros: Annotated[
        bool | None, about("also return the probability that each cell shows 0")
    ] = None  # fmt: skip
    win: Annotated[bool | None, about("also return the win probability")] = None


class ExplainRequest(AboutPosition):
    """Return the certain cells, with proofs."""

    cell: Annotated[
        Cell | None, about("explain this cell: a proof, or that it is undecided")
    ] = None  # fmt: skip
    all: Annotated[bool | None, about("return a proof of every certain cell")] = None
    budget: Annotated[
        Annotated[int, Meta(ge=1, le=10**9)] | None,
        about("the maximum number of consistency checks per proof"),
    ] = None


class ReasonersRequest(AboutPosition):
    """Return what each reasoner deduces."""


class InfluenceRequest(Request):
    """Return the chain of influence of a finished game."""

    record: Annotated[SomeRecord, about("a finished game, as `play --json` prints it")]
    cell: Annotated[Cell | None, about("explain this cell, step by step")] = None
    smallest: Annotated[bool | None, about("use the smallest proof of each cell")] = None


class GenerateRequest(Request):
    """Generate random boards."""

    deal: Annotated[Size, about("the size of the boards and their mines")]
    count: Annotated[
        Annotated[int, Meta(ge=1, le=1000)] | None, about("how many boards (default: 1)")
    ] = None
    seed: Annotated[Seed | None, about("the random seed of the boards (default: a new one)")] = None
    start: _Corner = None
    opening: OpeningRule = None
    no_guess: Annotated[
        bool | None, about("only boards that can be solved without guessing")
    ] = None  # fmt: skip
    reasoning: Annotated[
        Reasoning | None, about("only boards that this reasoning solves without guessing")
    ] = None
    needs: Annotated[Reasoning | None, about("only boards that need exactly this reasoning")] = None
    chain: Annotated[
        Million | None, about("only boards with a chain of influence of at least this many cells")
    ] = None
    tries: Annotated[Million | None, about("the maximum number of deals per board")] = None
    repair: Annotated[
        bool | None,
        about("whether to repair a board by moving mines if all deals fail (default: true)"),
    ] = None


class GradeRequest(Request):
    """Return how difficult a board is."""

    board: Annotated[BoardText, about("the board")]
    start: _Corner = None
    opening: OpeningRule = None


class ShowRequest(Request):
    """Enter what cells show in another program."""

    shows: Annotated[
        list[Shown],
        Meta(
            max_length=MAX_SIDE**2,
            description="what cells show: [cell, value] in the order of opening",
        ),
    ]


class UndoRequest(Request):
    """Take back the last `show`."""


class StopRequest(Request):
    """Stop a request."""

    of: Annotated[Id | None, about("the id of the request (default: all)")] = None

    def __post_init__(self) -> None:
        if self.of is not None:
            check_id(self.of, "of")


class QuitRequest(Request):
    """End the session."""


SOLVER: dict[str, type[Request]] = {
    "hello": HelloRequest,
    "new": StartGameRequest,
    "position": SetPositionRequest,
    "go": GoRequest,
    "odds": OddsRequest,
    "explain": ExplainRequest,
    "reasoners": ReasonersRequest,
    "influence": InfluenceRequest,
    "generate": GenerateRequest,
    "grade": GradeRequest,
    "show": ShowRequest,
    "undo": UndoRequest,
    "stop": StopRequest,
    "quit": QuitRequest,
}
"""The methods of a solver, with the types of their requests."""
OLD_NAMES = {"tell": "show"}
"""Names of methods in version 1 of the protocol, which are still accepted."""
