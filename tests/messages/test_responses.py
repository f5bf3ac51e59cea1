"""Response types agree with the library; `conformity.py` checks actual responses against them."""

from __future__ import annotations

import json
import re
from typing import Any, get_args

import pytest

import mineproof as mp
from mineproof.messages import game_responses, proofs, responses
from mineproof.messages.game_requests import SERVER
from mineproof.messages.game_responses import SERVER_RESPONSES
from mineproof.messages.requests import OLD_NAMES, SOLVER
from mineproof.messages.responses import SOLVER_RESPONSES
from mineproof.messages.schemas import response_schemas
from mineproof.protocol import Session, write_line
from mineproof.protocol.error_responses import KINDS
from mineproof.reasoning.proofs.statements import InferenceKind
from mineproof.series.columns import GAMES
from mineproof.web.json_responses import STATUS
from tests.messages.conformity import check_response


def test_names_match_the_library() -> None:
    assert list(get_args(proofs.StepKind)) == [kind.name.lower() for kind in InferenceKind]
    means = {column.name for column in GAMES if column.summed == "mean"}
    assert means <= set(game_responses.StandingData.__struct_fields__)
    assert {kind for _, kind in KINDS} | set(STATUS) < set(get_args(responses.ErrorKind))


def test_every_method_has_response_types() -> None:
    assert list(SOLVER_RESPONSES) == list(SOLVER)
    assert list(SERVER_RESPONSES) == list(SERVER)


def test_every_field_is_described() -> None:
    _, definitions = response_schemas(SERVER_RESPONSES)
    for kind, schema in definitions.items():
        assert re.fullmatch(r"[A-Z].*\.", schema["description"]), kind
        for name, field in schema.get("properties", {}).items():
            assert name == "format" or field["description"], (kind, name)


@pytest.mark.parametrize(
    "wrong",
    [
        {"do": "stop"},
        {"do": "stop", "stopped": 1},
        {"do": "stop", "stopped": True, "more": True},
        {"do": "odds", "error": {"kind": "wrong", "message": ""}},
    ],
)
def test_a_malformed_response_is_noticed(wrong: dict[str, object]) -> None:
    with pytest.raises(AssertionError):
        check_response(wrong)


GUESS, SURE = "4x4/4 01?1/12?1/??32/????", "2x3/1 1??/11?"
CASES = "6x6/8 1?????/?????1/??????/??1???/1??2??/??2???"
DEAL = {"rows": 3, "cols": 3, "mines": 1}
RECORD = mp.play(mp.Board.from_text("1x4 ..*."), "exact", start=(0, 0)).to_json()
REQUESTS: list[tuple[str, dict[str, Any]]] = [
    ("hello", {}),
    *(("odds", {"view": view, "win": True, "zeros": True}) for view in (GUESS, SURE)),
    ("go", {"view": GUESS, "agent": "champion", "budget": "fast"}),
    ("go", {"view": SURE, "agent": "baseline", "step": True}),
    *(("explain", {"view": view, "all": True}) for view in (GUESS, SURE, CASES)),
    *(("explain", {"view": GUESS, "cell": cell}) for cell in ([2, 0], [3, 3])),
    ("reasoners", {"view": SURE}),
    *(("influence", {"record": RECORD} | more) for more in ({}, {"cell": [0, 2]})),
    ("generate", {"deal": DEAL, "count": 2}),
    *(("grade", {"board": board}) for board in ("3x4/2 ...*/..../*...", "2x2/3 .*/**")),
    ("new", {"deal": DEAL}),
    *(("tell", {"shows": [[[0, 0], value]]}) for value in (1, 0, 8)),
    ("tell", {"shows": [[[0, 1], "mine"]]}),
    ("undo", {}),
    ("position", {"view": SURE}),
    ("stop", {"of": 3}),
    ("quit", {"id": 4}),
]


def test_responses_match_their_types() -> None:
    session = Session()
    for method, fields in REQUESTS:
        check_response(json.loads(write_line(session.answer({"do": method, **fields}))))
    assert {OLD_NAMES.get(method, method) for method, _ in REQUESTS} == set(SOLVER)
