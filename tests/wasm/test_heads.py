"""The page's worker reads requests as Python does: head, method, every field, and all errors."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

import mineproof as mp
from mineproof.errors import MineproofError
from mineproof.messages.game_requests import SERVER
from mineproof.protocol import error_answer
from mineproof.protocol.heads import head, read_request

from .wasm_worker import copy_worker

IDS = [0, -7, 1.5, 1e300, "", "x" * 64, "ü\U0001f4a3" * 32, "\n", None]
ODD_IDS = ["x" * 65, "ü\U0001f4a3" * 33, "x" * 10**5, "\ud800", "\udc00x", True, [], [1], {}]
NAMES = ["hello", "show", "tell", "toString", "__proto__", "\ud800", "x" * 99, "odd", None, 3, []]
MESSAGES: list[Any] = [
    *({"do": "hello", "id": one} for one in [*IDS, *ODD_IDS]),
    *({"method": "stop", "of": one} for one in [*IDS, *ODD_IDS]),
    *({key: name, "id": 1} for key in ("do", "method") for name in NAMES),
    {"do": "hello", "method": "hello"},
    {"do": "hello", "\ud800": 1},
    {"do": "hello", "colour": ["\ud800"]},
    {"do": "tell", "shows": [[None, "mine"], [[0, 1], 3]]},
    *([], None, 3, "x", [1]),
]
GAME = mp.play(mp.Board.from_text("1x4 ..*."), "exact", start=(0, 0))
RECORD = json.loads(json.dumps(GAME.to_json()))
VALUES: list[Any] = [
    *(None, True, False, 0, -1, 1.5, 10**7, "", "x", "17", "exact", "x" * 65, "ü" * 10**4, []),
    *([0, 1], [0, 1000], [0], [[0, 1]], [[0, 1, "3"]], [[0, 1, "3", 9]], [[[0, 1], "mine"]], ["a"]),
    *({}, {"rows": 3}, {"level": "expert"}, {"level": "expret"}, {"level": None, "cols": 0}),
    *({"opening": "any"}, {"density": 2}, {"colour": 1}),
    *(RECORD | {"format": f"mineproof-record-{version}", "times": [-1]} for version in (1, 2, 3)),
]
NEEDED: dict[str, Any] = {
    "deal": {"level": "beginner"},
    "board": "1x2/1 *.",
    "shows": [],
    "game": "x",
    "action": "stop",
    "agents": ["exact"],
    "study": "x",
}
"""Valid values of the fields that are required."""
LACKING = {
    ("position", "events"),
    ("generate", "chain"),
    ("game.watch", "thoughts"),
    ("game.review", "record"),
}
"""The fields that only the server reads."""

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="needs node (Debian: nodejs)")


def read(folder: Path, messages: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The heads of messages, and what the worker reads of them."""
    copy_worker(folder)
    command = ["node", str(Path(__file__).with_name("heads.mjs")), str(folder / "kernel")]
    run = subprocess.run(command, input=messages, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    found: list[tuple[dict[str, Any], dict[str, Any]]] = json.loads(run.stdout)
    return found


def error_of(message: Any) -> Any:
    """The error that Python finds in a request, if any."""
    try:
        read_request(message, SERVER)
    except MineproofError as error:
        return error_answer(message, error)["error"]
    return None


def test_heads_are_read_as_the_protocol_reads_them(tmp_path: Path) -> None:
    deep = '{"do": "hello", "id": ' + "[" * 10**5 + "]" * 10**5 + "}"
    (bottom, wrong), *found = read(tmp_path, f"[{deep}, {json.dumps(MESSAGES)[1:]}")
    assert (bottom, wrong["error"]["kind"]) == ({"do": "hello"}, "invalid")
    for message, (shown, heard) in zip(MESSAGES, found, strict=True):
        assert shown == head(message), message
        assert heard.get("error") == error_of(message), message


def without_null(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_null(one) for name, one in value.items() if one is not None}
    return value


def test_every_field_is_read_as_python_reads_it(tmp_path: Path) -> None:
    messages: list[dict[str, Any]] = []
    for method, kind in SERVER.items():
        fields = msgspec.structs.fields(kind)
        needed = {field.name: NEEDED[field.name] for field in fields if field.required}
        messages.append({"method": method, "colour": 1})
        messages += (
            {"method": method, **needed, field.name: one} for field in fields for one in VALUES
        )
    refused = 0
    for message, (_, heard) in zip(messages, read(tmp_path, json.dumps(messages)), strict=True):
        given = {name: one for name, one in message.items() if name != "method"}
        if any((message["method"], name) in LACKING and given[name] is not None for name in given):
            assert heard["error"]["kind"] == "server", message
            continue
        assert heard.get("error") == error_of(message), message
        refused += "error" in heard
        if "error" not in heard:
            assert heard == {"method": message["method"], "given": without_null(given)}
    assert len(messages) / 2 < refused < 0.9 * len(messages)
