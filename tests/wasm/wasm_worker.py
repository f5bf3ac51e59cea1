"""Run the web app's worker modules in node, from Python."""

from __future__ import annotations

import fcntl
import json
import shutil
import subprocess
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from tests.messages.conformity import check_response

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src" / "mineproof" / "web" / "static"
KERNEL = STATIC / "kernel"


def make(target: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "--silent", "-C", str(ROOT), target], capture_output=True, text=True, check=False
    )


def built() -> Path:
    """The compiled module; tests are skipped if node is missing, which runs it."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed: it runs WebAssembly (apt-get install nodejs)")
    lock = ROOT / "build" / "wasm.lock"
    lock.parent.mkdir(exist_ok=True)
    with lock.open("w") as file:  # tests may run in parallel
        fcntl.flock(file, fcntl.LOCK_EX)
        done = make("wasm")
    assert done.returncode == 0, done.stdout + done.stderr
    return KERNEL / "mineproof.wasm"


def copy_worker(folder: Path) -> None:
    """Copy the worker's modules into a folder that node treats as ES modules."""
    for name in ("board", "kernel"):
        shutil.copytree(STATIC / name, folder / name)
    for name in ("agents.json", "messages.json", "phrases.js", "phrases.json", "schema.js"):
        shutil.copy(STATIC / name, folder)
    (folder / "package.json").write_text('{"type": "module"}')


def converse(wasm: Path, folder: Path, messages: list[Any]) -> list[list[dict[str, Any]]]:
    """The responses to each message of one conversation; `folder` is for temporary files."""
    if not (folder / "kernel").exists():
        copy_worker(folder)
        shutil.copy(Path(__file__).parent / "converse.mjs", folder)
    run = subprocess.run(
        ["node", str(folder / "converse.mjs"), str(wasm)],
        input="\n".join(map(json.dumps, messages)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    answers: list[list[dict[str, Any]]] = json.loads(run.stdout)
    assert len(answers) == len(messages)
    for answer in chain.from_iterable(answers):
        check_response(answer)
    return answers
