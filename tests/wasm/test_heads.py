"""The page's worker takes, refuses and echoes ids and verbs as the protocol does."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from mineproof.errors import InvalidInput
from mineproof.messages.game_requests import SERVER
from mineproof.protocol import error_answer, head, read_fields, read_method

from .brain import copy_worker

IDS = [0, -7, 1.5, 1e300, "", "x" * 64, "ü\U0001f4a3" * 32, "\n", None]
ODD_IDS = ["x" * 65, "ü\U0001f4a3" * 33, "x" * 10**5, "\ud800", "\udc00x", True, [], [1], {}]
MESSAGES: list[Any] = [
    *({"do": "hello", "id": one} for one in [*IDS, *ODD_IDS]),
    *({"do": "stop", "of": one} for one in [*IDS, *ODD_IDS]),
    *(
        {"do": name, "id": 1}
        for name in ("toString", "__proto__", "constructor", "\ud800", "x" * 99)
    ),
    *({"do": name} for name in (None, 3, [], {})),
    {"do": "hello", "\ud800": 1},
    {"do": "hello", "colour": ["\ud800"]},
    *([], None, 3, "x", [1], {}),
    *({"method": name, "id": 2} for name in ("hello", "show", "tell", "\ud800", 3, None)),
    *({"do": name} for name in ("show", "tell")),
    {"do": "hello", "method": "hello"},
    {"method": "undo", "colour": 1},
]


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node (Debian: nodejs)")
def test_heads_are_read_as_the_protocol_reads_them(tmp_path: Path) -> None:
    copy_worker(tmp_path)
    deep = '{"do": "hello", "id": ' + "[" * 10**5 + "]" * 10**5 + "}"
    run = subprocess.run(
        ["node", str(Path(__file__).with_name("heads.mjs")), str(tmp_path / "kernel")],
        input=f"[{deep}, {json.dumps(MESSAGES)[1:]}",
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    (bottom, why), *found = json.loads(run.stdout)
    assert (bottom, why["error"]["kind"]) == ({"do": "hello"}, "invalid")
    for message, (told, read) in zip(MESSAGES, found, strict=True):
        assert told == head(message), message
        assert read.get("error") == error_of(message), message


def error_of(message: Any) -> Any:
    """The error to a message, if it has one."""
    try:
        read_fields(message, SERVER[read_method(message, SERVER)])
    except InvalidInput as error:
        return error_answer(message, error)["error"]
    return None
