"""Turns as JSON data, as records, the server's store and its engine processes keep them."""

from __future__ import annotations

from typing import Any

from mineproof.errors import FormatError, quote, shorten
from mineproof.messages.decoding import decode
from mineproof.messages.records import TurnData
from mineproof.messages.results import Reason
from mineproof.phrases import Phrase
from mineproof.world.geometry import Grid, cells_of
from mineproof.world.move import Move, MoveReason
from mineproof.world.turn import Turn


def turn_json(turn: Turn) -> dict[str, Any]:
    """Return what a turn asked for; its moves and events follow from it."""
    by = {"by": turn.by} if turn.by else {}
    return turn.asked.to_json() | by | ({} if turn.seconds is None else {"seconds": turn.seconds})


def read_turn(data: Any, grid: Grid) -> Turn:
    """Return the turn of JSON data, before it is played."""
    return as_turn(decode(TurnData, data, "a turn"), grid)


def as_turn(data: TurnData, grid: Grid) -> Turn:
    """Return the turn of checked data, before it is played; its cells must be on the grid."""
    move = Move(
        grid.cell(grid.index(data.cell)),
        data.action,
        data.risk,
        data.certain,
        data.reason if data.why is None else _why(data.why, grid),
        data.rule,
        data.estimated,
    )
    return Turn(move, data.by, data.seconds)


def read_why(data: Any) -> MoveReason:
    """Return the reason of JSON data."""
    return _as_why(decode(Reason, data, "a reason"))


def _why(data: Reason, grid: Grid) -> MoveReason:
    try:
        why = _as_why(data)
        cells_of(grid, [*why.clues, *why.known], "why")
    except ValueError as error:
        raise FormatError(f"'why' cannot be {quote(data.phrase)}: {shorten(str(error))}") from None
    return why


def _as_why(data: Reason) -> MoveReason:
    return MoveReason(
        Phrase.from_json({"phrase": data.phrase, "values": data.values}),
        tuple(data.clues),
        tuple(data.known),
        data.count_used,
        data.every_clue is True,
        data.claimed is True,
    )
