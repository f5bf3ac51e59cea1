"""The requests that only a server answers: games that it keeps, arenas and studies."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, cast

from msgspec import Meta, defstruct

from mineproof.messages.records import SomeRecord
from mineproof.messages.requests import (
    SOLVER,
    AboutPosition,
    InfluenceRequest,
    Request,
    SetPositionRequest,
    Size,
)
from mineproof.messages.values import (
    MOST_TEXT,
    AgentName,
    BoardText,
    Cell,
    CluesText,
    LevelName,
    Million,
    Reasoning,
    Seed,
    SomeRules,
    ViewText,
    about,
)
from mineproof.world.move import Act

MOST_FILE = 2 * 1024 * 1024
MOST_AGENTS = 12
MOST_GAMES = 100_000
MOST_LISTED = 200

Name = Annotated[str, Meta(max_length=64)]
Number = Annotated[int, Meta(ge=0, le=10**6)]
Link = Annotated[str, Meta(max_length=MOST_TEXT)]
"""The ID of a game, or the end of a link; without a server, a link contains the board."""
_Game = Annotated[Name, about("the ID of the game")]
_At = Annotated[Number | None, about("the state after this many moves (default: now)")]
_Deal = Annotated[Size | None, about("the size of the board and its mines (default: beginner)")]
_Rules = Annotated[SomeRules | None, about("the rules that differ from the defaults")]
_Clues = Annotated[CluesText | None, about("the clue model (default: exact)")]
_Boards = Annotated[Seed | None, about("the random seed of the board (default: a new one)")]
_Record = Annotated[SomeRecord | None, about("a finished game, as `play --json` prints it")]


class NewGameRequest(Request):
    """Start a game."""

    deal: _Deal = None
    rules: _Rules = None
    clues: _Clues = None
    seed: _Boards = None
    start: Annotated[Cell | None, about("the first cell, if it is fixed")] = None
    no_guess: Annotated[
        bool | None, about("a board that can be solved without guessing")
    ] = None  # fmt: skip
    reasoning: Annotated[
        Reasoning | None, about("a no-guess board that this reasoning solves")
    ] = None  # fmt: skip
    needs: Annotated[
        Reasoning | None, about("a no-guess board that needs exactly this reasoning")
    ] = None
    board: Annotated[BoardText | None, about("this board")] = None
    view: Annotated[
        ViewText | None, about("play on from this position, on a random board consistent with it")
    ] = None
    again: Annotated[Link | None, about("play the board of this game or link again")] = None


class GameStateRequest(Request):
    """Return the visible state of a game."""

    game: _Game
    at: _At = None
    moves: Annotated[bool | None, about("also return the moves")] = None


class MakeMoveRequest(Request):
    """Make a move; the response contains only what changed."""

    game: _Game
    action: Annotated[Act, about("the action")]
    cell: Annotated[Cell | None, about("the cell of the action")] = None
    n: Annotated[
        Number | None, about("the number of moves so far; makes a repeated request harmless")
    ] = None


class WatchRequest(NewGameRequest):
    """Let an agent play in a game or in a new one; one response per move."""

    streams: ClassVar[bool] = True

    game: Annotated[Name | None, about("the game (default: a new one)")] = None
    agent: Annotated[AgentName | None, about("the agent that plays")] = None
    steps: Annotated[
        Million | None, about("the number of moves (default: until the game is over)")
    ] = None
    teacher: Annotated[bool | None, about("show the mines during the game")] = None
    thoughts: Annotated[
        bool | None, about("return the equations and matrices behind each move")
    ] = None


class ReviewRequest(Request):
    """Review a finished game; one response per move."""

    streams: ClassVar[bool] = True

    game: Annotated[Name | None, about("the ID of the game")] = None
    record: _Record = None
    win: Annotated[
        bool | None,
        about("also return the win probability before each guess (default: true)"),
    ] = None


class ListGamesRequest(Request):
    """Return your games with at least one move, the latest first, and your win rates."""

    level: Annotated[Literal[LevelName, "other"] | None, about("only games of this level")] = None
    limit: Annotated[
        Annotated[int, Meta(ge=1, le=MOST_LISTED)] | None,
        about("the maximum number of games (default: 50)"),
    ] = None
    before: Annotated[
        Annotated[float, Meta(ge=0, le=10**12)] | None,
        about("only games that started before this time (`next` of the last response)"),
    ] = None


class DeleteGamesRequest(Request):
    """Delete one of your games, or all of them."""

    game: Annotated[Name | None, about("the ID of the game")] = None
    all: Annotated[bool | None, about("delete all your games")] = None


class GameRecordRequest(Request):
    """Return a finished game as a record."""

    game: _Game


class ImportRequest(Request):
    """Import games and return the first one."""

    record: _Record = None
    text: Annotated[
        Annotated[str, Meta(max_length=MOST_FILE)] | None,
        about("the content of a file, instead of `record`: JSON, JSON lines, or a RawVF video"),
    ] = None


class RunArenaRequest(Request):
    """Let agents play the same boards; several responses with growing numbers of games."""

    streams: ClassVar[bool] = True

    agents: Annotated[
        list[AgentName],
        Meta(min_length=1, max_length=MOST_AGENTS, description="the agents that play"),
    ]
    deal: _Deal = None
    rules: _Rules = None
    clues: _Clues = None
    games: Annotated[
        Annotated[int, Meta(ge=1, le=MOST_GAMES)] | None,
        about("the number of boards (default: 200)"),
    ] = None
    seed: _Boards = None


class ListStudiesRequest(Request):
    """Return the studies whose reports can be opened."""


class StudyPageRequest(Request):
    """Return the address of the report of a study."""

    study: Annotated[Name, about("the name of the study")]


class OfGame(Request):
    """The fields by which a request about a position is about a game of the server."""

    game: Annotated[Name | None, about("server only: use the position of this game")] = None
    at: _At = None


def _of_game(kind: type[Request]) -> type[Request]:
    """Return the type of a solver's request with the fields of `OfGame`, if it can have them."""
    if kind is SetPositionRequest or not issubclass(kind, (AboutPosition, InfluenceRequest)):
        return kind
    fields: list[Any] = [
        (name, OfGame.__annotations__[name], None) for name in OfGame.__struct_fields__
    ]
    if kind is InfluenceRequest:
        fields.append(("record", _Record, None))
    more = {"__doc__": kind.__doc__, "__module__": __name__}
    made = defstruct(kind.__name__, fields, bases=(kind,), kw_only=True, namespace=more)
    return cast("type[Request]", made)


SERVER: dict[str, type[Request]] = {
    **{method: _of_game(kind) for method, kind in SOLVER.items()},
    "game.new": NewGameRequest,
    "game.state": GameStateRequest,
    "game.move": MakeMoveRequest,
    "game.watch": WatchRequest,
    "game.review": ReviewRequest,
    "game.list": ListGamesRequest,
    "game.delete": DeleteGamesRequest,
    "game.record": GameRecordRequest,
    "game.import": ImportRequest,
    "arena.run": RunArenaRequest,
    "study.list": ListStudiesRequest,
    "study.page": StudyPageRequest,
}
"""The methods of a server, with the types of their requests."""
