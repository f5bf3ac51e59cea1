"""The file of a finished game: `play --json` writes it, `mp.Record.from_json` reads it."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from mineproof.messages.results import Reason
from mineproof.messages.values import BoardText, Cell, CluesText, Seed, Share, SomeRules, about
from mineproof.world.geometry import MAX_SIDE
from mineproof.world.move import Act

FORMAT = "mineproof-record-2"

Seconds = Annotated[float, Meta(ge=0, le=10**9)]
Number = Annotated[int, Meta(ge=0, le=10**9)]


class TurnData(Struct):
    """A turn: the action requested. Replayed on the board, it gives the same moves and events."""

    cell: Annotated[Cell, about("the cell that was asked for")]
    action: Annotated[Act, about("the action; a chord opens several cells")]
    risk: Annotated[
        Share | None, about("the player's probability that the action is wrong")
    ] = None  # fmt: skip
    certain: Annotated[bool, about("whether the player proved it right")] = False
    reason: Annotated[str, about("the reason as text")] = ""
    rule: Annotated[str, about("the rule that proved it, if any")] = ""
    estimated: Annotated[bool, about("whether the risk is an estimate")] = False
    why: Annotated[Reason | None, about("the reason as data")] = None
    by: Annotated[str, about("the agent that asked; absent for a person")] = ""
    seconds: Annotated[Seconds | None, about("when, in seconds since the first turn")] = None


class DrawnData(Struct):
    """A board that replaced another during a game without luck."""

    move: Annotated[
        Number, about("how many moves were made before; each opening of a chord is a move")
    ]
    board: Annotated[BoardText, about("the new board with its mines")]
    kind: Annotated[
        bool, about("whether there was too much to count, so that the move passed as a guess")
    ] = False  # fmt: skip


class RecordData(Struct, tag_field="format", tag=FORMAT):
    """A finished game. Unknown fields are ignored."""

    agent: Annotated[str, about("the player")]
    board: Annotated[BoardText, about("the board with its mines")]
    rules: Annotated[SomeRules, about("the rules")]
    clues: Annotated[CluesText, about("the clue model")]
    seed: Annotated[Seed, about("the random seed, which determines uncertain clues")]
    won: Annotated[bool, about("whether the game was won")]
    score: Annotated[float | None, about("the score, if play went on after a mine")]
    right: Annotated[Number, about("correct flags")]
    wrong: Annotated[Number, about("wrong flags")]
    exploded: Annotated[Number, about("mines that were opened")]
    seconds: Annotated[Seconds, about("how long the game took")]
    moves: Annotated[
        list[TurnData],
        Meta(max_length=10 * MAX_SIDE**2, description="the turns, in order"),
    ]
    start: Annotated[Cell | None, about("the first cell, if it was given")] = None
    fault: Annotated[str, about("what the agent did wrong, if that lost the game")] = ""
    clicks: Annotated[Number | None, about("mouse clicks, if known")] = None
    undone: Annotated[Number | None, about("turns taken back in a practice game")] = None
    drawn: Annotated[
        list[DrawnData],
        Meta(
            max_length=10 * MAX_SIDE**2,
            description="with luck 'fair', the boards that replaced the one before; absent if none",
        ),
    ] = []


class OldRecordData(RecordData, tag="mineproof-record-1"):
    """A record of version 1: its chords are single openings, and its times are in one list."""

    times: Annotated[list[Seconds], about("when each move was made")] = []


SomeRecord = RecordData | OldRecordData


class WrittenRecord(RecordData, kw_only=True, tag=FORMAT):
    """A record as it is written, with numbers that follow from its turns."""

    guesses: Annotated[int, about("cells opened without being certainly safe")]
    estimates: Annotated[int, about("moves whose risk is an estimate")]
    deductions: Annotated[dict[str, int], about("how many moves each rule proved")]
    wrong_claims: Annotated[
        int | UnsetType, about("certain moves that were wrong; absent if 0 and the agent is sound")
    ] = UNSET
