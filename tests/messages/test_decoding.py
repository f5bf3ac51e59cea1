"""Messages are decoded by their types, and an error names the field and what it may be."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, Struct

from mineproof.errors import InvalidInput
from mineproof.messages.decoding import decode, problem
from tests.wasm.wasm_worker import copy_worker

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


class Square(Struct, tag_field="shape", tag="square"):
    side: Row


class Circle(Struct, tag_field="shape", tag="circle"):
    radius: Row


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
    piece: Square | Circle | None = None
    void: None = None


CASES = json.loads(Path(__file__).with_name("schema_cases.json").read_text("utf-8"))
(SCHEMA,), DEFINITIONS = msgspec.json.schema_components([Example], ref_template="{name}")


@pytest.mark.parametrize(("data", "message"), CASES)
def test_errors_name_the_field_and_what_it_may_be(data: Any, message: str | None) -> None:
    wrong = problem(data, SCHEMA, DEFINITIONS, "a test")
    assert message == (wrong if wrong is None else str(wrong))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"risk": float("nan")}, "'risk' must be from 0 to 1, got nan"),
        ({"changes": [[1, "1"]], "risk": 2}, "'risk' must be from 0 to 1, got 2"),
        ({"changes": [[1, "?"]]}, "a question mark is no state"),
        ({"\ud800": 1}, "unknown field of a test '\\ud800'"),
        ({"size": {"level": "\ud800"}}, "unknown value of 'size.level' '\\ud800'"),
    ],
)
def test_what_is_refused_is_not_decoded(data: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(message)):
        decode(Example, {"cell": [1, 2]} | data, "a test")


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
    ["", "7", "mine", "expert", "circle", "square", "long text"]
)  # fmt: skip
VALUES = st.recursive(
    LEAVES | st.tuples(st.integers(0, 9), st.integers(0, 10)).map(list),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["rows", "level", "a", "shape", "side", "radius"]), inner, max_size=2
        )
    ),
    max_leaves=6,
)
MESSAGES = st.fixed_dictionaries(
    {"cell": st.just([1, 2]) | VALUES},
    optional=dict.fromkeys(
        ("size", "risk", "seed", "shows", "names", "changes", "some", "piece", "void", "more"),
        VALUES,
    ),
)


@given(MESSAGES | VALUES)
def test_what_is_refused_has_an_explanation_and_nothing_else_has(data: Any) -> None:
    try:
        msgspec.convert(data, Example)
    except msgspec.ValidationError:
        assert problem(data, SCHEMA, DEFINITIONS, "a test") is not None
    else:
        assert problem(data, SCHEMA, DEFINITIONS, "a test") is None


Check = Callable[[Any], "str | None"]


@pytest.fixture(scope="module")
def in_the_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Check]:
    """The page's check of a value, in a process of node."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed (apt-get install nodejs)")
    folder = tmp_path_factory.mktemp("page")
    copy_worker(folder)
    command = ["node", str(Path(__file__).with_name("schema.mjs")), str(folder / "schema.js")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, encoding="utf-8", **pipes) as node:
        assert node.stdin is not None
        assert node.stdout is not None
        stdin, stdout = node.stdin, node.stdout

        def check(value: Any) -> Any:
            print(json.dumps(value), file=stdin, flush=True)
            return json.loads(stdout.readline())

        print(json.dumps([SCHEMA, DEFINITIONS]), file=stdin)
        yield check


@pytest.mark.parametrize(("data", "message"), CASES)
def test_errors_in_the_page(in_the_page: Check, data: Any, message: str | None) -> None:
    assert in_the_page(data) == message


def in_both(value: Any) -> Any:
    """The same value with numbers that Python and JavaScript read alike."""
    match value:
        case float():
            return round(value % 7, 3) + 0.0001 if math.isfinite(value) else None
        case list():
            return [*map(in_both, value)]
        case dict():
            return {name: in_both(one) for name, one in value.items()}
    return value


# No digits: JavaScript sorts names that are numbers. No characters that few programs know yet.
NAMES = st.text(st.characters(exclude_categories=("Cs", "Cn", "Nd")), max_size=70)


@given(data=(MESSAGES | VALUES | st.dictionaries(NAMES, VALUES)).map(in_both))
def test_python_and_the_page_agree(in_the_page: Check, data: Any) -> None:
    wrong = problem(data, SCHEMA, DEFINITIONS, "a test")
    assert in_the_page(data) == (None if wrong is None else str(wrong))
