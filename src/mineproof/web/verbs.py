"""The server's own methods, which it has in addition to those of a solver."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from mineproof.errors import InvalidInput, quoted
from mineproof.games.record import Record
from mineproof.protocol import VERBS as SOLVER_VERBS
from mineproof.protocol import Field
from mineproof.protocol import fields as read
from mineproof.web import limits
from mineproof.world.board import LEVELS
from mineproof.world.move import ACTS


class Verb(NamedTuple):
    """A method: what it does, its fields, and whether it sends several responses."""

    about: str
    fields: Mapping[str, Field]
    many: bool = False


def name(value: Any, field: str) -> str:
    """Read the ID of a game, or another short name."""
    return read.text(value, field, 64)


def names(value: Any, field: str) -> list[str]:
    """Read a list of agents."""
    found = [read.text(one, field) for one in read.listed(value, field, limits.ARENA_AGENTS)]
    if not found:
        raise InvalidInput(f"{field!r} must name at least one agent, got {quoted(value)}")
    return found


def moment(value: Any, field: str) -> float:
    """Read a time in seconds since 1970."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1e12:
        raise InvalidInput(f"{field!r} must be a time in seconds since 1970, got {quoted(value)}")
    return float(value)


def record(value: Any, field: str) -> Record:
    """Read a finished game as JSON."""
    return Record.from_json(read.keyed(value, field))


def content(value: Any, field: str) -> str:
    """Read the content of a file."""
    return read.text(value, field, limits.MESSAGE)


_GAME = Field(name, "the ID of the game", True)
_NUMBER = read.number(0, 10**6)
_BOARD = {
    "deal": Field(read.deal, "the size of the board and its mines (default: beginner)"),
    "rules": Field(read.rules, "the rules that differ from the defaults"),
    "clues": Field(read.clues, "the clue model (default: exact)"),
    "seed": Field(read.seed, "the random seed of the board (default: a new one)"),
    "start": Field(read.cell, "the first cell, if it is fixed"),
}
NEW = {
    **_BOARD,
    "no_guess": Field(read.truth, "a board that can be solved without guessing"),
    "reasoning": Field(read.reasoning, "a no-guess board that this reasoning solves"),
    "needs": Field(read.reasoning, "a no-guess board that needs exactly this reasoning"),
    "board": Field(read.board, "this board"),
    "view": Field(read.view, "play on from this position, on a random board consistent with it"),
    "again": Field(name, "play the board of this game or link again"),
}

VERBS: dict[str, Verb] = {
    "game.new": Verb("start a game", NEW),
    "game.state": Verb(
        "the visible state of a game",
        {
            "game": _GAME,
            "at": Field(_NUMBER, "the state after this many moves (default: now)"),
            "moves": Field(read.truth, "also return the moves"),
        },
    ),
    "game.move": Verb(
        "make a move; the response contains only what changed",
        {
            "game": _GAME,
            "action": Field(read.one_of(ACTS), "the action", True),
            "cell": Field(read.cell, "the cell of the action"),
            "n": Field(_NUMBER, "the number of moves so far; makes a repeated request harmless"),
        },
    ),
    "game.watch": Verb(
        "let an agent play in a game or in a new one; one response per move",
        {
            **NEW,
            "game": Field(name, "the game (default: a new one)"),
            "agent": Field(read.text, "the agent that plays"),
            "steps": Field(
                read.number(1, 10**6), "the number of moves (default: until the game is over)"
            ),
            "teacher": Field(read.truth, "show the mines during the game"),
            "thoughts": Field(read.truth, "return the equations and matrices behind each move"),
        },
        many=True,
    ),
    "game.review": Verb(
        "review a finished game; one response per move",
        {
            "game": Field(name, "the ID of the game"),
            "record": Field(record, "a finished game as JSON, instead of `game`"),
            "win": Field(
                read.truth, "also return the win probability before each guess (default: true)"
            ),
        },
        many=True,
    ),
    "game.list": Verb(
        "your games with at least one move, the latest first, and your win rates",
        {
            "level": Field(read.one_of((*LEVELS, "other")), "only games of this level"),
            "limit": Field(
                read.number(1, limits.LISTED), "the maximum number of games (default: 50)"
            ),
            "before": Field(
                moment, "only games that started before this time (`next` of the last response)"
            ),
        },
    ),
    "game.delete": Verb(
        "delete one of your games, or all of them",
        {
            "game": Field(name, "the ID of the game"),
            "all": Field(read.truth, "delete all your games"),
        },
    ),
    "game.record": Verb("a finished game as a record", {"game": _GAME}),
    "game.import": Verb(
        "import games and return the first one",
        {
            "record": Field(record, "a finished game as JSON"),
            "text": Field(
                content,
                "the content of a file, instead of `record`: JSON, JSON lines, or a RawVF video",
            ),
        },
    ),
    "arena.run": Verb(
        "let agents play the same boards; several responses with growing numbers of games",
        {
            "agents": Field(names, "the agents that play", True),
            "deal": _BOARD["deal"],
            "rules": _BOARD["rules"],
            "clues": _BOARD["clues"],
            "games": Field(
                read.number(1, limits.ARENA_GAMES), "the number of boards (default: 200)"
            ),
            "seed": Field(read.seed, "the random seed of the boards (default: a new one)"),
        },
        many=True,
    ),
    "study.list": Verb("the studies whose reports can be opened", {}),
    "study.page": Verb(
        "the report of a study", {"study": Field(name, "the name of the study", True)}
    ),
}

OF_A_GAME = {
    "game": Field(name, "use the position of this game"),
    "at": Field(_NUMBER, "the state after this many moves (default: now)"),
}
"""The additional fields of methods that are about a position."""


def fields_of(verb: str) -> Mapping[str, Field]:
    """Return all fields that a method takes here."""
    if verb in VERBS:
        return VERBS[verb].fields
    fields = dict(SOLVER_VERBS[verb].fields)
    if "record" in fields:
        fields["record"] = fields["record"]._replace(needed=False)
    about_one = fields.keys() & {"view", "record"} and verb != "position"
    return fields | OF_A_GAME if about_one else fields
