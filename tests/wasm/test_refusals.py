"""The server and the worker refuse a request with the same words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mineproof import _engine
from tests.wasm.wasm_worker import converse

pytest.importorskip("starlette", reason="the server needs the extra web")
from tests.wasm.test_games import both
from tests.web.serving import Server

pytestmark = pytest.mark.skipif(not _engine.is_native(), reason="the kernel is not built")

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
    {"do": "odds", "view": "2x3/2 ??z/121"},
    {"do": "odds", "view": "1x3 ???", "colour": 3},
    {"do": "odds", "view": "1x3 ???", "at": 3},
    {"do": "hello", "colour": 3},
    {"do": "odds", "game": "none"},
    {"do": "go", "view": "1x2/1 1?", "agent": "nobody"},
    {"do": "go", "view": "1x2/1 1?", "seed": str(2**64)},
    {"do": "game.list", "limit": 0},
    {"do": "game.delete"},
    {"do": "game.move", "game": "none", "action": "open"},
    {"do": "game.new", "again": "none"},
    {"do": "game.new", "again": "none", "seed": 1},
    {"do": "game.new", "board": "1x2/1 *.", "deal": {"level": "expert"}},
    {"do": "game.new", "board": "1x2/2 *."},
    {"do": "game.new", "deal": {"rows": 300, "cols": 300, "mines": 1}},
    {"do": "game.new", "deal": {"rows": 3, "cols": 3, "mines": 1, "independent": True}},
    {"do": "game.new", "deal": {"rows": 3, "cols": 3, "mines": 1, "density": 0.5}},
    {"do": "game.new", "deal": {"rows": 3, "cols": 3, "mines": 1}, "start": [3, 0]},
    {"do": "game.new", "rules": {"density": 0.1}},
    {"do": "game.new", "view": "1x3/1 ?*?"},
    {"do": "game.new", "view": "1x3 ???"},
    {"do": "game.new", "view": "1x3/1 ???", "no_guess": True},
    {"do": "game.new", "board": "1x3/1 *..", "no_guess": True},
    {"do": "game.watch", "agent": "nobody"},
    {"do": "game.watch", "game": "none", "seed": 1},
    {"do": "dance"},
    {"do": "generate", "no_guess": True, "deal": {"level": "beginner", "rows": 3}},
    {"do": "generate", "no_guess": True, "deal": {"rows": 3}},
    {"do": "generate", "no_guess": True, "deal": {"rows": 3, "cols": 3}},
    {"do": "generate", "no_guess": True, "deal": {"rows": 3, "cols": 3, "mines": 10}},
    {"do": "generate", "no_guess": True, "deal": {"rows": 3, "cols": 3, "mines": 9}},
    {"do": "generate", "reasoning": "local", "needs": "exact", "deal": {"level": "beginner"}},
]


def test_in_the_same_words(wasm: Path, tmp_path: Path, server: Server) -> None:
    in_version_2 = [
        {"method" if name == "do" else name: value for name, value in request.items()}
        for request in REQUESTS
    ]
    for one, other in both(wasm, tmp_path, server, REQUESTS + in_version_2):
        assert isinstance(one[0]["error"], dict)
        assert one == other


def test_a_position_is_named_once(wasm: Path, tmp_path: Path) -> None:
    """`what` leaves out the position, which a screen shows next to the message."""
    request = {"do": "odds", "view": "1x3 2??"}
    ((answer,),) = converse(wasm, tmp_path, [request])
    assert answer["error"]["what"] == "clue 2 at (0,0) is too high: the cell has 1 neighbour"
    assert answer["error"]["message"] == f"{answer['error']['what']} in '1x3 2??'"
