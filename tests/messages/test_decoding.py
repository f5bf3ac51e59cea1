"""Messages are decoded by their types, and an error names the field and what it may be."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, Struct

from mineproof.errors import InvalidInput
from mineproof.messages.decoding import decode, problem

Row = Annotated[int, Meta(ge=0, le=9)]
Cell = Annotated[tuple[Row, Row], Meta(title="a cell [row, col]")]


class Size(Struct, forbid_unknown_fields=True):
    rows: Row | None = None
    level: Literal["beginner", "expert"] | None = None


class Change(Struct, array_like=True, forbid_unknown_fields=True):
    row: Row
    state: str
    bound: Row | None = None

    def __post_init__(self) -> None:
        if self.state == "?":
            raise InvalidInput("a question mark is no state")


class Example(Struct, forbid_unknown_fields=True):
    cell: Annotated[Cell, Meta(description="the cell to open")]
    size: Size | None = None
    risk: Annotated[float, Meta(ge=0, le=1)] | None = None
    seed: Annotated[int, Meta(ge=0)] | Annotated[str, Meta(pattern="^[0-9]+$")] = 0
    shows: Annotated[
        list[tuple[Cell | None, Row | Literal["mine"] | None]], Meta(max_length=2)
    ] = []
    names: dict[str, Annotated[str, Meta(max_length=3)]] = {}
    changes: list[Annotated[Change, Meta(title="a change [row, state]")]] = []
    some: Annotated[list[bool], Meta(min_length=1)] | None = None


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "a test must be an object, got []"),
        ({}, "a test needs 'cell': the cell to open"),
        ({"cell": None}, "'cell' must be a cell [row, col], got None"),
        ({"cell": [1, 2, 3]}, "'cell' must be a cell [row, col], got [1, 2, 3]"),
        ({"cell": [1, 10]}, "'cell[1]' must be from 0 to 9, got 10"),
        ({"cell": [1, True]}, "'cell[1]' must be a whole number, got True"),
        ({"risk": float("nan")}, "'risk' must be from 0 to 1, got nan"),
        ({"risk": "1"}, "'risk' must be a number, got '1'"),
        ({"seed": "x"}, "'seed' must be a whole number or a string, got 'x'"),
        ({"changes": [[1]]}, "'changes[0]' must be a change [row, state], got [1]"),
        ({"changes": [[1, "1", 2, 3]]}, "'changes[0]' must be a change [row, state], got"),
        ({"changes": [[1, 2]]}, "'changes[0][1]' must be a string, got 2"),
        ({"changes": [[1, "1"]], "risk": 2}, "'risk' must be from 0 to 1, got 2"),
        ({"changes": [[1, "?"]]}, "a question mark is no state"),
        ({"seed": -1}, "'seed' must be at least 0, got -1"),
        ({"seed": 1.5}, "'seed' must be a whole number or a string, got 1.5"),
        ({"size": {"row": 1}}, "unknown field of 'size' 'row': did you mean 'rows'?"),
        ({"size": {"rows": "x"}}, "'size.rows' must be a whole number, got 'x'"),
        ({"size": {"level": "exprt"}}, "unknown value of 'size.level' 'exprt': did you mean"),
        ({"shows": [[None, None]] * 3}, "'shows' may have at most 2 entries, got 3"),
        ({"shows": [[None, "mien"]]}, "unknown value of 'shows[0][1]' 'mien': did you"),
        ({"shows": [[None, []]]}, "'shows[0][1]' must be a whole number or one of mine, got []"),
        ({"names": {"a": "long"}}, "'names.a' may have at most 3 characters, got 4"),
        ({"some": []}, "'some' must have at least 1 entry, got 0"),
        ({"sise": 1}, "unknown field of a test 'sise': did you mean 'size'?"),
    ],
)  # fmt: skip
def test_errors_name_the_field_and_what_it_may_be(data: Any, message: str) -> None:
    whole = {"cell": [1, 2]} | data if data and isinstance(data, dict) else data
    with pytest.raises(InvalidInput) as caught:
        decode(Example, whole, "a test")
    assert str(caught.value).startswith(message)


def test_valid_messages_are_decoded() -> None:
    data = {
        "cell": [1, 2],
        "size": {"rows": 3},
        "seed": "7",
        "shows": [[None, "mine"], [[0, 0], 8]],
    }
    found = decode(Example, data, "a test")
    assert found.cell == (1, 2)
    assert found.size == Size(rows=3)
    assert found.shows == [(None, "mine"), ((0, 0), 8)]


LEAVES = st.none() | st.booleans() | st.integers(-2, 12) | st.floats() | st.sampled_from(
    ["", "7", "mine", "expert", "long text"]
)  # fmt: skip
VALUES = st.recursive(
    LEAVES | st.tuples(st.integers(0, 9), st.integers(0, 10)).map(list),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["rows", "level", "a"]), inner, max_size=2)
    ),
    max_leaves=6,
)
MESSAGES = st.fixed_dictionaries(
    {"cell": st.just([1, 2]) | VALUES},
    optional=dict.fromkeys(
        ("size", "risk", "seed", "shows", "names", "changes", "some", "more"), VALUES
    ),
)


@given(MESSAGES | VALUES)
def test_what_is_refused_has_an_explanation_and_nothing_else_has(data: Any) -> None:
    (schema,), definitions = msgspec.json.schema_components([Example], ref_template="{name}")
    try:
        msgspec.convert(data, Example)
    except msgspec.ValidationError:
        assert problem(data, schema, definitions, "a test") is not None
    else:
        assert problem(data, schema, definitions, "a test") is None
