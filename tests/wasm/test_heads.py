"""The page's worker takes, refuses and echoes ids and verbs as the protocol does."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from mineproof.protocol import Session, head

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
    *([], None, 3, "x", [1]),
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
    assert (bottom, why) == ({"do": "hello"}, "invalid")
    for message, (told, kind) in zip(MESSAGES, found, strict=True):
        assert told == head(message), message
        ours = Session().answer(message).get("error", {"kind": ""})
        assert kind == ours["kind"], message
