"""Types of values that several messages share.

Optional fields of messages are None by default, so null in JSON means that a field is absent.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from mineproof.errors import InvalidInput, quote
from mineproof.phrases import say
from mineproof.world.board import Opening
from mineproof.world.geometry import MAX_SIDE
from mineproof.world.rules import Luck, OnMine
from mineproof.world.view import LARGEST_CLUE

MOST_TEXT = 3 * MAX_SIDE * MAX_SIDE
"""The maximum length of a board or a view: the largest board, with bounds and line ends."""
MOST_NAME = 10_000
"""The maximum length of the text of an agent or a clue model; a table can be long."""

MOST_ID = 64
"""The maximum length of an id, and of a method name that is repeated in responses."""


def about(text: str) -> Meta:
    """Return the description of a field."""
    return Meta(description=text)


LevelName = Literal["beginner", "intermediate", "expert"]
Reasoning = Literal["local", "pairs", "subset", "gauss", "exact"]

Row = Annotated[int, Meta(ge=0, le=MAX_SIDE - 1)]
Cell = Annotated[tuple[Row, Row], Meta(title="a cell [row, col]")]
Side = Annotated[int, Meta(ge=1, le=MAX_SIDE)]
Mines = Annotated[int, Meta(ge=0, le=MAX_SIDE**2)]
Clue = Annotated[int, Meta(ge=0, le=LARGEST_CLUE)]
Share = Annotated[float, Meta(ge=0, le=1)]
Million = Annotated[int, Meta(ge=1, le=10**6)]
Id = Annotated[str, Meta(max_length=MOST_ID)] | int | float
AgentName = Annotated[str, Meta(max_length=MOST_NAME)]
CluesText = Annotated[str, Meta(max_length=MOST_NAME, examples=["exact", "sometimes:0.5"])]
ViewText = Annotated[str, Meta(max_length=MOST_TEXT, examples=["2x3/2 ???/121"])]
BoardText = Annotated[str, Meta(max_length=MOST_TEXT, examples=["2x3/1 *../..."])]
Seed = (
    Annotated[int, Meta(ge=0)]
    | Annotated[str, Meta(pattern="^[0-9]{1,20}$", title="a string of digits", examples=["17"])]
)
"""A seed, or its digits: many JSON readers round large numbers. `seed_from_json` reads it."""
OpeningRule = Annotated[Opening | None, about("what is guaranteed about the first cell")]


class Fields(Struct, kw_only=True, forbid_unknown_fields=True):
    """Named values; None means absent."""

    def given(self) -> dict[str, Any]:
        """Return the values that are not absent."""
        values = ((name, getattr(self, name)) for name in self.__struct_fields__)
        return {name: value for name, value in values if value is not None}


class SomeRules(Fields):
    """The rules that differ from the defaults."""

    on_mine: Annotated[OnMine | None, about("whether hitting a mine ends the game")] = None
    opening: OpeningRule = None
    count_known: Annotated[bool | None, about("whether the player knows the mine count")] = None
    density: Annotated[
        Share | None, about("the mine density that the player knows instead of the count")
    ] = None
    flood: Annotated[bool | None, about("whether opening a 0 opens its neighbours")] = None
    luck: Annotated[
        Luck | None, about("whether the board is fixed (dealt), or every loss is a mistake (fair)")
    ] = None


def check_id(value: Any, field: str) -> Any:
    """Return the id of a request, or raise an error if it is not valid."""
    if not is_id(value):
        values = {"name": repr(field), "most": MOST_ID, "value": quote(value)}
        raise InvalidInput(say("refusal.id", **values))
    return value


def is_id(value: Any) -> bool:
    """Whether a value can be the id of a request: a short string or a finite number."""
    if isinstance(value, str):
        return len(value) <= MOST_ID and is_unicode(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    if isinstance(value, float):
        return math.isfinite(value)
    return value.bit_length() < 4 * MOST_ID and len(str(value)) <= MOST_ID


def is_unicode(text: str) -> bool:
    r"""Whether UTF-8 can encode a string; JSON may contain lone surrogates such as `"\ud800"`."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
