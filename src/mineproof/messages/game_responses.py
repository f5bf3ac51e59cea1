"""The responses that only a server gives: games that it keeps, arenas and studies."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, UnsetType

from mineproof.messages.records import WrittenRecord
from mineproof.messages.requests import Change
from mineproof.messages.responses import SOLVER_RESPONSES, Responses
from mineproof.messages.results import (
    Interval,
    MoveFields,
    Response,
    ResponsePart,
    RulesData,
    SeedGiven,
)
from mineproof.messages.reviews import JudgedMoveData, ReviewEnd
from mineproof.messages.values import Cell, LevelName, about

Kind = Literal["own", "practice", "agents", "teacher", "record"]
"""Who plays a game and whether it counts in win rates; an agent plays for a `teacher`."""

_Kind = Annotated[Kind, about("own, practice, agents, teacher or record")]
_Agent = Annotated[str | None, about("the agent that plays or played in the game, if any")]
_Game = Annotated[str, about("the ID of the game")]
_More = Annotated[bool | UnsetType, about("true if more responses follow")]
_LevelOf = LevelName | None
_ClueModel = Annotated[str, about("the clue model")]
_Mines = Annotated[int | None, about("the number of mines, if it is known")]
_Over = Annotated[bool, about("whether the game is over")]
_Won = Annotated[bool | None, about("whether the game was won; null during the game")]
_Score = Annotated[float | None, about("the final score, if play continues after a mine")]


class LogEntry(ResponsePart):
    """A line of the log of an agent's reasoning: a phrase with its values, or a formula."""

    kind: Annotated[
        Literal["scope", "step", "columns", "deduced", "idle"], about("the kind of line")
    ]
    phrase: Annotated[str | UnsetType, about("the key of the phrase in the catalogue")] = UNSET
    values: Annotated[dict[str, Any] | UnsetType, about("the values in the phrase")] = UNSET
    text: Annotated[str | UnsetType, about("the formula")] = UNSET


class ThoughtData(ResponsePart):
    """The reasoning behind a move."""

    equations: Annotated[list[LogEntry], about("the equations known before the move")]
    steps: Annotated[list[LogEntry], about("what reasoners did with them")]


class GameMove(MoveFields, kw_only=True):
    """A move of a game, its reason and its changes."""

    n: Annotated[int, about("the number of the move, from 0")]
    by: Annotated[str | None, about("the agent that made it; null for a person")]
    events: Annotated[list[Change], about("what changed: [row, col, state], perhaps a bound")]
    seconds: Annotated[float, about("the time of the move, from the first one")]
    thought: Annotated[ThoughtData | UnsetType, about("on request: the reasoning behind it")] = (
        UNSET
    )


class GameState(Response, kw_only=True):
    """The visible state of a game; after a move `events` contains only what changed."""

    game: _Game
    n: Annotated[int, about("the number of moves so far")]
    rows: Annotated[int, about("the number of rows")]
    cols: Annotated[int, about("the number of columns")]
    mines: _Mines
    level: Annotated[_LevelOf, about("the level, if the game is played at one")]
    rules: Annotated[RulesData, about("the rules")]
    clues: _ClueModel
    start: Annotated[Cell | None, about("the first cell, if it is fixed")]
    kind: _Kind
    agent: _Agent
    events: Annotated[list[Change], about("what cells show: [row, col, state], perhaps a bound")]
    over: _Over
    won: _Won
    score: _Score
    hit: Annotated[int, about("the number of mines that were hit")]
    mines_left: Annotated[int | None, about("the mine count minus flags and mines hit")]
    seconds: Annotated[float, about("the time from the first move to the last one, or to now")]
    link: Annotated[str, about("the address at which others can play the board")]
    at: Annotated[int | UnsetType, about("on request: the number of moves of this state")] = UNSET
    moves: Annotated[list[GameMove] | UnsetType, about("on request: the moves")] = UNSET
    board: Annotated[str | UnsetType, about("the board, once it may be seen")] = UNSET
    bbbv: Annotated[int | UnsetType, about("the 3BV of the board, once it may be seen")] = UNSET
    seed: Annotated[
        SeedGiven | UnsetType, about("the seed of the board, once it may be seen")
    ] = UNSET  # fmt: skip


class WatchedGameState(GameState, kw_only=True):
    """The state of a game in which an agent plays, and the move that led to it."""

    move: Annotated[GameMove | UnsetType, about("the move")] = UNSET
    more: _More = UNSET


class ImportedGameState(GameState, kw_only=True):
    """The state of the first game that was imported."""

    kept: Annotated[int, about("how many games were imported")]


class RecordedGame(Response):
    """A finished game."""

    game: _Game
    record: Annotated[WrittenRecord, about("the record, as `play --json` prints it")]


class ListedGame(ResponsePart):
    """A game in the list."""

    game: _Game
    level: Annotated[_LevelOf, about("the level, if the game was played at one")]
    rows: Annotated[int, about("the number of rows")]
    cols: Annotated[int, about("the number of columns")]
    mines: _Mines
    clues: _ClueModel
    on_mine: Annotated[Literal["end", "continue"], about("whether hitting a mine ends the game")]
    kind: _Kind
    agent: _Agent
    begun: Annotated[float, about("when the game started, in seconds since 1970")]
    n: Annotated[int, about("the number of moves")]
    over: _Over
    won: _Won
    score: _Score
    seconds: Annotated[float | None, about("the time that the game took; null during the game")]
    bbbv: Annotated[int | None, about("the 3BV of the board; null during the game")]


class WinRate(ResponsePart):
    """The win rate at a level."""

    level: Annotated[LevelName | Literal["other"], about("the level")]
    games: Annotated[int, about("the number of games")]
    wins: Annotated[int, about("the number of wins")]
    rate: Annotated[float, about("wins per game")]
    interval: Interval
    score: Annotated[float | None, about("the mean score, if games have scores")]
    best_seconds: Annotated[float | None, about("the time of the fastest win")]


class GameList(Response):
    """Your games and win rates."""

    games: Annotated[list[ListedGame], about("the games, the latest first")]
    next: Annotated[float | None, about("the value of `before` that continues the list")]
    rates: Annotated[list[WinRate], about("your win rates by level")]


class Deleted(Response):
    """Games were deleted."""

    deleted: Annotated[int, about("how many")]


class StandingData(ResponsePart):
    """The results of an agent in an arena, with averages per game."""

    name: Annotated[str, about("the agent")]
    games: Annotated[int, about("the number of games")]
    wins: Annotated[int, about("the number of wins")]
    win_rate: Annotated[float, about("wins per game")]
    win_interval: Interval
    score: Annotated[float | None, about("the mean score, if play continues after a mine")]
    score_interval: Annotated[Interval | None, about("its 95 % confidence interval")]
    right: Annotated[float, about("correct flags at the end")]
    wrong: Annotated[float, about("wrong flags at the end")]
    exploded: Annotated[float, about("mines opened")]
    guesses: Annotated[float, about("cells opened that were not certain to be safe")]
    moves: Annotated[float, about("moves of all kinds")]
    estimates: Annotated[float, about("moves that rest on an estimate")]
    faults: Annotated[int, about("the number of games that the agent forfeited")]
    deductions: Annotated[dict[str, float], about("by rule: the moves that it deduced")]
    cpu_seconds: Annotated[float, about("the CPU time of all games")]
    games_per_cpu_second: Annotated[float, about("games per second of CPU time")]


class DifferenceData(ResponsePart):
    """The paired difference of two agents: the first minus the second."""

    first: Annotated[str, about("the first agent")]
    second: Annotated[str, about("the second agent")]
    of: Annotated[str, about("what is compared: wins or the score")]
    difference: Annotated[float, about("the mean difference")]
    standard_error: Annotated[float | None, about("its standard error; null after one game")]
    interval: Annotated[Interval | None, about("its 95 % confidence interval")]


class StandingsData(Response):
    """The results of an arena so far."""

    games: Annotated[int, about("the number of boards that were played")]
    of: Annotated[int, about("the number of boards to play")]
    conditions: Annotated[str, about("board, rules and clue model in words")]
    agents: Annotated[list[StandingData], about("the results of each agent")]
    paired: Annotated[list[DifferenceData], about("the differences between agents")]
    salt: Annotated[str | None, about("the salt of a sealed arena")]
    until: Annotated[float | None, about("the requested precision in percentage points")]
    known: Annotated[bool | None, about("whether the precision is reached, if one was requested")]
    board: Annotated[str, about("the size of the boards and their mines")]
    rules: Annotated[RulesData, about("the rules")]
    clues: _ClueModel
    start: Annotated[Cell | None, about("the first cell, if it is fixed")]
    seed: SeedGiven
    more: _More = UNSET


class ListedStudy(ResponsePart):
    """A study in the list."""

    study: Annotated[str, about("the name of the study")]
    ready: Annotated[bool, about("whether its report is up to date")]


class StudyList(Response):
    """The studies whose reports can be opened."""

    studies: Annotated[list[ListedStudy], about("the studies")]


class StudyAddress(Response):
    """The address of the report of a study."""

    study: Annotated[str, about("the name of the study")]
    page: Annotated[str, about("the address of the report")]


SERVER_RESPONSES: Responses = SOLVER_RESPONSES | {
    "game.new": (GameState,),
    "game.state": (GameState,),
    "game.move": (GameState,),
    "game.watch": (WatchedGameState,),
    "game.review": (JudgedMoveData, ReviewEnd),
    "game.list": (GameList,),
    "game.delete": (Deleted,),
    "game.record": (RecordedGame,),
    "game.import": (ImportedGameState,),
    "arena.run": (StandingsData,),
    "study.list": (StudyList,),
    "study.page": (StudyAddress,),
}
"""The methods of a server, with the types of their responses."""
