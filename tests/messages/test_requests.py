"""Request types agree with the library, and null means absent."""

from __future__ import annotations

import re
from typing import Any, get_args

import msgspec
import pytest

import mineproof as mp
from mineproof.boards.deduction_play import REASONING
from mineproof.errors import InvalidInput
from mineproof.messages import values
from mineproof.messages.decoding import decode
from mineproof.messages.game_requests import SERVER
from mineproof.messages.records import OldRecordData, RecordData
from mineproof.messages.requests import OLD_NAMES, SOLVER, Change, OddsRequest, Size
from mineproof.messages.schemas import request_schemas
from mineproof.world.board import LEVELS, Deal
from mineproof.world.view import Event


def test_names_match_the_library() -> None:
    assert get_args(values.LevelName) == tuple(LEVELS)
    assert get_args(values.Reasoning) == tuple(REASONING)
    assert set(OLD_NAMES.values()) <= set(SOLVER)
    assert not set(OLD_NAMES) & set(SERVER)


@pytest.mark.parametrize("method", SERVER)
def test_every_field_and_method_is_described_and_null_means_absent(method: str) -> None:
    schemas, definitions = request_schemas({method: SERVER[method]})
    schema = definitions[schemas[method]["$ref"].rpartition("/")[2]]
    assert re.fullmatch(r"[A-Z].*\.", schema["description"])
    assert schema["additionalProperties"] is False
    for name, field in schema["properties"].items():
        assert field["description"], name
        assert (name in schema["required"]) == ("default" not in field), name
    optional = set(schema["properties"]) - set(schema["required"])
    needed = {"deal": {}, "game": "", "action": "ask", "agents": [""]}
    needed |= {"study": "", "shows": [], "board": ""}
    whole = {name: needed[name] for name in schema["required"]}
    found = decode(SERVER[method], whole | dict.fromkeys(optional), method)
    assert found == decode(SERVER[method], whole, method)
    assert set(found.given()) == set(whole)


@pytest.mark.parametrize(
    ("method", "data", "message"),
    [
        ("odds", {"veiw": ""}, "unknown field of 'odds' 'veiw': did you mean 'view'?"),
        ("new", {}, "'new' needs 'deal': the size of the board and its mines"),
        ("new", {"deal": {"cols": 0}}, "'deal.cols' must be from 1 to 1000, got 0"),
        ("go", {"seed": "x"}, "'seed' must be a whole number or a string of digits, got 'x'"),
        ("position", {"events": [[0, 0]]}, "'events[0]' must be a change [row, col, state]"),
        ("show", {"shows": [[[0, 0], 9]]}, "'shows[0][1]' must be from 0 to 8, got 9"),
        ("stop", {"of": 10**64}, "'of' must be a string or number of at most 64 characters"),
        ("stop", {"of": "x" * 65}, "'of' may have at most 64 characters, got 65"),
        ("influence", {"game": "x", "recrd": {}}, "unknown field of 'influence' 'recrd'"),
        ("arena.run", {"agents": []}, "'agents' must have at least 1 entry, got 0"),
    ],
)
def test_invalid_requests_are_refused_by_field(method: str, data: Any, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        decode(SERVER[method], data, repr(method))
    assert str(caught.value).startswith(message)


RECORD = mp.play(mp.Board.from_text("1x4 ..*."), "exact", start=(0, 0)).to_json()
TAKING_RECORDS = ("influence", "game.review", "game.import")


@pytest.mark.parametrize("method", TAKING_RECORDS)
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"won": "yes"}, "'record.won' must be true or false, got 'yes'"),
        (
            {"rules": {"flod": True}},
            "unknown field of 'record.rules' 'flod': did you mean 'flood'?",
        ),
        ({"moves": [{"cell": [0, 0]}]}, "'record.moves[0]' needs 'action': the action"),
        ({"moves": [*RECORD["moves"], {"cell": [0, -1]}]}, "'record.moves[3].cell[1]' must be"),
        ({"format": "mineproof-record-1", "times": ["1"]}, "'record.times[0]' must be a number"),
        (
            {"format": "mineproof-record-3"},
            "unknown value of 'record.format' 'mineproof-record-3': did you mean",
        ),
    ],
)
def test_an_invalid_record_is_refused_with_the_path_of_its_field(
    method: str, wrong: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        decode(SERVER[method], {"record": RECORD | wrong}, repr(method))
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("method", TAKING_RECORDS)
def test_records_of_both_versions_are_accepted_with_unknown_fields(method: str) -> None:
    for kind in (RecordData, OldRecordData):
        data = RECORD | {"format": kind.__struct_config__.tag, "colour": 1, "guesses": "many"}
        assert type(decode(SERVER[method], {"record": data}, "").given()["record"]) is kind


def test_only_the_server_takes_the_fields_of_games() -> None:
    assert decode(SERVER["odds"], {"game": "x", "at": 3}, "'odds'").given() == {
        "game": "x",
        "at": 3,
    }
    assert isinstance(decode(SERVER["odds"], {}, "'odds'"), OddsRequest)
    with pytest.raises(InvalidInput, match="unknown field of 'odds' 'game'"):
        decode(SOLVER["odds"], {"game": "x"}, "'odds'")


def test_a_deal_is_a_level_or_a_size() -> None:
    assert Size(level="expert").deal() == Deal(16, 30, 99)
    assert Size(level="expert", density=0.1).deal() == Deal(16, 30, density=0.1)
    assert Size(rows=2, cols=3, mines=1).deal() == Deal(2, 3, 1)
    with pytest.raises(InvalidInput, match="either a level or a size"):
        Size(level="expert", rows=2).deal()
    with pytest.raises(InvalidInput, match="'deal' needs a level, or both rows and cols"):
        Size(rows=2, mines=1).deal()


def test_a_change_is_an_event() -> None:
    assert msgspec.convert([1, 2, "3", 4], Change).event() == Event((1, 2), 3, 4)
    assert msgspec.convert([1, 2, "3"], Change).event() == Event((1, 2), 3)
