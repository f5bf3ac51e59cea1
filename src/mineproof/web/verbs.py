"""The verbs of the server besides those of a solver, each with its fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from mineproof.errors import InvalidInput, quoted
from mineproof.games.record import Record
from mineproof.games.sitting import ACTS
from mineproof.protocol import VERBS as SOLVER_VERBS
from mineproof.protocol import Field
from mineproof.protocol import fields as read
from mineproof.web import limits
from mineproof.world.board import LEVELS


class Verb(NamedTuple):
    """What it does, the fields it takes, and whether it has many answers."""

    about: str
    fields: Mapping[str, Field]
    many: bool = False


def name(value: Any, field: str) -> str:
    """The ID of a game, or another short name."""
    return read.text(value, field, 64)


def names(value: Any, field: str) -> list[str]:
    """Who plays: some agents."""
    found = [read.text(one, field) for one in read.listed(value, field, limits.ARENA_AGENTS)]
    if not found:
        raise InvalidInput(f"{field!r} names at least one, got {quoted(value)}")
    return found


def moment(value: Any, field: str) -> float:
    """Seconds since 1970."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1e12:
        raise InvalidInput(f"{field!r} is a time in seconds, got {quoted(value)}")
    return float(value)


def record(value: Any, field: str) -> Record:
    """A finished game as JSON."""
    return Record.from_json(read.keyed(value, field))


def content(value: Any, field: str) -> str:
    """What a file has."""
    return read.text(value, field, limits.MESSAGE)


_GAME = Field(name, "the ID of the game", True)
_NUMBER = read.number(0, 10**6)
_BOARD = {
    "deal": Field(read.deal, "the board's kind; a beginner's without"),
    "rules": Field(read.rules, "the rules that differ from the usual ones"),
    "clues": Field(read.clues, "the clue model; exact without"),
    "seed": Field(read.seed, "names the board; a new one without"),
    "start": Field(read.cell, "the first cell, where it is given"),
}
NEW = {
    **_BOARD,
    "no_guess": Field(read.truth, "a board that needs no guess"),
    "reasoning": Field(read.reasoning, "no guess, by this reasoning"),
    "needs": Field(read.reasoning, "no guess, and exactly this reasoning"),
    "board": Field(read.board, "this board"),
    "view": Field(read.view, "go on from this position, on a board that fits it"),
    "again": Field(name, "the board of this game, or of this link, once more"),
}

VERBS: dict[str, Verb] = {
    "game.new": Verb("begin a game", NEW),
    "game.state": Verb(
        "how a game stands: all that is seen",
        {
            "game": _GAME,
            "at": Field(_NUMBER, "as it was after so many moves"),
            "moves": Field(read.truth, "how it came about, too"),
        },
    ),
    "game.move": Verb(
        "do something in a game; the answer has only what changed",
        {
            "game": _GAME,
            "action": Field(read.one_of(ACTS), "what to do", True),
            "cell": Field(read.cell, "where"),
            "n": Field(_NUMBER, "the moves so far: then a repeat does nothing twice"),
        },
    ),
    "game.watch": Verb(
        "an agent plays on in a game, or in a new one; an answer a move",
        {
            **NEW,
            "game": Field(name, "the game; else a new one begins"),
            "agent": Field(read.text, "who plays"),
            "steps": Field(read.number(1, 10**6), "so many moves; else to the end"),
            "teacher": Field(read.truth, "tell the truth beside what is known"),
            "thoughts": Field(read.truth, "tell what each move came from: equations, matrices"),
        },
        many=True,
    ),
    "game.review": Verb(
        "a finished game, looked at move by move; an answer a move",
        {
            "game": Field(name, "the ID of the game"),
            "record": Field(record, "or a game from elsewhere"),
            "win": Field(read.truth, "the chance to win before each guess, too; true without"),
        },
        many=True,
    ),
    "game.list": Verb(
        "your games in which something was done, the latest first, and your win rates",
        {
            "level": Field(read.one_of((*LEVELS, "other")), "only of this level"),
            "limit": Field(read.number(1, limits.LISTED), "so many; 50 without"),
            "before": Field(moment, "those begun before this time (`next`)"),
        },
    ),
    "game.delete": Verb(
        "forget a game, or all of them",
        {"game": Field(name, "this game"), "all": Field(read.truth, "all of yours")},
    ),
    "game.record": Verb("a finished game as a record", {"game": _GAME}),
    "game.import": Verb(
        "keep a game from elsewhere; all of them where a text has many, and the first is told",
        {
            "record": Field(record, "as JSON"),
            "text": Field(content, "or what a file has: JSON, a line a game, or a RawVF video"),
        },
    ),
    "arena.run": Verb(
        "let agents play the same boards; answers as the games grow",
        {
            "agents": Field(names, "who plays", True),
            "deal": _BOARD["deal"],
            "rules": _BOARD["rules"],
            "clues": _BOARD["clues"],
            "games": Field(read.number(1, limits.ARENA_GAMES), "how many boards; 200 without"),
            "seed": Field(read.seed, "names the series of boards"),
        },
        many=True,
    ),
    "study.list": Verb("the studies whose reports can be opened", {}),
    "study.page": Verb("a study's report", {"study": Field(name, "its name", True)}),
}

OF_A_GAME = {
    "game": Field(name, "the position of this game"),
    "at": Field(_NUMBER, "as it was after so many moves"),
}
"""What verbs about a position take here besides."""


def fields_of(verb: str) -> Mapping[str, Field]:
    """All fields that a verb takes here."""
    if verb in VERBS:
        return VERBS[verb].fields
    fields = dict(SOLVER_VERBS[verb].fields)
    if "record" in fields:
        fields["record"] = fields["record"]._replace(needed=False)
    about_one = fields.keys() & {"view", "record"} and verb != "position"
    return fields | OF_A_GAME if about_one else fields
