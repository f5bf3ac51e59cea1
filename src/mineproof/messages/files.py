"""The files of boards and of chains of influence."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from mineproof.messages.values import BoardText, Cell, ViewText, about
from mineproof.world.geometry import MAX_SIDE

Kind = Literal["choice", "told", "flood", "safe", "mine"]
"""Opened or flagged by choice, safe by the opening rule, opened by a zero, or proved."""


class ListedBoard(Struct):
    """A board of a list, and its first cell; other fields are ignored."""

    board: Annotated[BoardText, about("the board")]
    start: Cell | None = None


class BoardList(Struct):
    """The output of `generate --json`; other fields are ignored."""

    boards: Annotated[tuple[ListedBoard, ...], Meta(min_length=1, description="the boards")]


class InfluenceEntry(Struct, frozen=True):
    """A known cell and the reason why it is known.

    `parents` are the cells that it rests on: none for a choice; the first cell if the opening rule
    made it safe; the zero that opened it; or, if a `rule` proved it, the clues that were used (the
    first `clues` of the parents) and the known cells around them. `count_used` says whether the
    mine count was used; if so, everything known before is among the parents.
    """

    cell: Annotated[Cell, about("the known cell")]
    kind: Annotated[Kind, about("why it is known")]
    rule: Annotated[str, about("the rule that proved it, if any")] = ""
    parents: Annotated[tuple[Cell, ...], about("the cells that it rests on")] = ()
    clues: Annotated[
        int, Meta(ge=0, le=MAX_SIDE**2, description="how many of the first parents are clues")
    ] = 0
    count_used: Annotated[bool, about("whether the mine count was used")] = False


class InfluenceFile(Struct, tag_field="format", tag="mineproof-influence-1"):
    """A chain of influence; what follows from its nodes, such as depths, is ignored."""

    view: Annotated[ViewText, about("the final view of the player")]
    nodes: Annotated[tuple[InfluenceEntry, ...], about("the known cells, each after its parents")]
    claimed: Annotated[bool, about("whether an agent that is not sound deduced them")] = False
