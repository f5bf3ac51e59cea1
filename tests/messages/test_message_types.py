"""The web app's schemas and message types, and the tables in the docs, match the Python types."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from mineproof.messages.game_requests import SERVER
from tools import message_tables, message_types

ROOT = Path(__file__).parents[2]
TSC = ROOT / "build" / "page" / "node_modules" / ".bin" / "tsc"


WRITTEN = message_types.files() | {message_tables.PAGE: message_tables.page()}


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_the_files_are_up_to_date(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == WRITTEN[path], "run `make docs`"


def test_make_docs_writes_them() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert all(f"-m tools.{name}" in makefile for name in ("message_types", "message_tables"))


def test_every_method_has_its_schema() -> None:
    schemas = json.loads(message_types.schemas())
    assert set(schemas["requests"]) == set(SERVER)
    assert set(schemas["requests"].values()) <= set(schemas["definitions"])
    needed = schemas["definitions"]["MakeMoveRequest"]["properties"]["action"]
    assert needed["description"] == "the action"


RIGHT = """
const a: Requests["game.move"] = { game: "x", action: "open", cell: [0, 1] };
const b: Requests["odds"] = { view: "1x2/1 ??", rules: { opening: "any" }, win: true };
const c: Requests["show"] = { shows: [[null, "mine"], [[0, 1], 3], [[0, 2], null]] };
const d: Requests["position"] = { events: [[0, 1, "3"], [0, 2, "4", 5]] };
const e: Requests["game.list"] = { level: "other" };
"""
WRONG = """
const a: Requests["game.move"] = { game: "x", action: "push" };
const b: Requests["game.move"] = { action: "stop" };
const c: Requests["odds"] = { view: 3 };
const d: Requests["explain"] = { cell: [0, 1, 2] };
const e: Requests["stop"] = { colour: 1 };
"""


@pytest.mark.skipif(not TSC.exists(), reason="run `make page-tools`")
@pytest.mark.skipif(shutil.which("node") is None, reason="needs node (Debian: nodejs)")
def test_the_types_accept_requests_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "messages.d.ts").write_text(message_types.types(), encoding="utf-8")
    head = 'import type { Requests } from "./messages.js";\n'
    (tmp_path / "right.ts").write_text(head + RIGHT)
    (tmp_path / "wrong.ts").write_text(head + WRONG)
    command = [TSC, "--strict", "--noEmit", "--target", "es2022", "right.ts", "wrong.ts"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    places = [line.split(":")[0] for line in run.stdout.splitlines() if line.startswith("wrong.ts")]
    assert [int(place.split("(")[1].split(",")[0]) for place in places] == [3, 4, 5, 6, 7]
    assert "right.ts" not in run.stdout, run.stdout
