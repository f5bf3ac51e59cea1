"""The server and the worker refuse a request with the same words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mineproof.protocol import Session
from tests.wasm.brain import built, converse

VIEWS = [
    *("", "2x3/2", "2x3/2 ???/12", "2x3 ???/1a1", "2x3/9 ???/???", "1001x2 ??", "2x3/1 5??/???"),
    *("1x3/0 **?", "1x3/3 0??", "1x3/1 0?1", "2x4 ????/1?5?", "1x3 2??", "2x2 ../.*"),
]
REQUESTS: list[dict[str, Any]] = [
    *({"do": "odds", "view": view} for view in VIEWS[:-1]),
    {"do": "odds", "view": 3},
    {"do": "odds", "view": "1x3 ???", "density": 1.5},
    {"do": "odds", "view": "1x3 ???", "density": "x"},
    {"do": "odds", "view": "1x3 ???", "win": 1},
    {"do": "odds", "view": "1x3 ???", "best": 0.5},
    {"do": "odds", "view": "1x3 ???", "rules": [1]},
    {"do": "odds", "view": "1x3 ???", "rules": {"count_known": True}},
    {"do": "odds", "view": "1x3/1 ???", "rules": {"count_known": False}},
    {"do": "odds", "view": "1x3 ???", "rules": {"density": 0.5}, "density": 0.25},
    {"do": "go", "view": "1x3 ???", "seed": "x"},
    {"do": "explain", "view": "1x3 1??", "cell": [0, 0]},
    {"do": "explain", "view": "1x3 1??", "cell": [0, 7]},
    {"do": "explain", "view": "1x3 1??", "cell": 7},
    {"do": "explain", "view": "1x3 1??", "cell": [0, 1], "all": True},
    {"do": 3},
    {"do": "hello", "id": [1]},
    {"do": "generate", "no_guess": True, "deal": {"level": "beginner", "rows": 3}},
    {"do": "generate", "no_guess": True, "deal": {"rows": 3}},
    {"do": "generate", "no_guess": True, "deal": {"rows": 3, "cols": 3}},
    {"do": "generate", "no_guess": True, "deal": {"rows": 3, "cols": 3, "mines": 10}},
    {"do": "generate", "no_guess": True, "deal": {"rows": 3, "cols": 3, "mines": 9}},
    {"do": "generate", "reasoning": "local", "needs": "exact", "deal": {"level": "beginner"}},
]


@pytest.fixture(scope="module")
def wasm() -> Path:
    return built()


def test_in_the_same_words(wasm: Path, tmp_path: Path) -> None:
    session = Session()
    server = [session.answer(request)["error"] for request in REQUESTS]
    worker = [answers[0]["error"] for answers in converse(wasm, tmp_path, REQUESTS)]
    for request, one, other in zip(REQUESTS, server, worker, strict=True):
        assert one["message"] == other["message"], request
        assert one.get("what") == other.get("what"), request


def test_a_position_is_named_once(wasm: Path, tmp_path: Path) -> None:
    """`what` leaves out the position, which a screen shows next to the message."""
    request = {"do": "odds", "view": "1x3 2??"}
    ((answer,),) = converse(wasm, tmp_path, [request])
    assert answer["error"]["what"] == "clue 2 at (0,0) is too high: the cell has 1 neighbour"
    assert answer["error"]["message"] == f"{answer['error']['what']} in '1x3 2??'"
