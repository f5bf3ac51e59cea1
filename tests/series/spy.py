"""An agent that looks for the secret of a sealed arena everywhere that another process can look.

It plays as Python code (`spy.py:Spy`) and as a program (`engine:python spy.py`), and notes
everything that it could read; the test searches these notes for secrets. It imports nothing of
ours: a copy of it runs in a folder with `where.json`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

LARGEST = 2**22
"""The maximum number of bytes read at once from a file or a memory region."""

_remembered: list[int] = []


def look(home: Path) -> None:
    """Note everything that can be read now."""
    where = json.loads((home / "where.json").read_text())
    with (home / "notes" / f"{os.getpid()}").open("ab") as notes:
        for found in (*_files(where["folders"]), *_processes()):
            notes.write(found + b"\n")
        for parent in _parents(where["top"]):
            for found in (*_open_files(parent), *_memory(parent)):
                notes.write(found + b"\n")
    _remembered.append(os.getpid())
    modes = {f"{path.stat().st_mode & 0o777:o}" for path in Path(where["folders"][0]).glob("*.csv")}
    with (home / "notes" / "modes").open("a") as noted:
        noted.writelines(f"{mode}\n" for mode in modes)


def _files(folders: list[str]) -> Iterator[bytes]:
    for folder in folders:
        for path in Path(folder).rglob("*"):
            with suppress(OSError):
                if path.is_file():
                    yield f"{path}: ".encode() + path.read_bytes()[:LARGEST]


def _processes() -> Iterator[bytes]:
    for process in Path("/proc").glob("[0-9]*"):
        for name in ("cmdline", "environ"):
            with suppress(OSError):
                yield (process / name).read_bytes()


def _parents(top: int) -> Iterator[int]:
    """The ancestors of this process, up to the one that started the arena."""
    process = os.getppid()
    while process not in {0, 1, top}:
        yield process
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def _open_files(process: int) -> Iterator[bytes]:
    with suppress(OSError):
        for path in Path(f"/proc/{process}/fd").iterdir():
            with suppress(OSError):
                yield str(path.readlink()).encode()
                if path.is_file():
                    yield path.read_bytes()[:LARGEST]


def _memory(process: int) -> Iterator[bytes]:
    """The writable memory of a process, where it can be read; once is enough."""
    if os.getpid() in _remembered:
        return
    with suppress(OSError), Path(f"/proc/{process}/mem").open("rb", buffering=0) as memory:
        for line in Path(f"/proc/{process}/maps").read_text().splitlines():
            first, last = (int(part, 16) for part in line.split()[0].split("-"))
            if " rw" in line and last - first <= 16 * LARGEST:
                with suppress(OSError, OverflowError):
                    memory.seek(first)
                    yield memory.read(last - first)


def hidden_cell(view: str) -> tuple[int, int]:
    """The first hidden cell of a view."""
    rows = view.split(" ", 1)[1].split("/")
    return next((r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "?")


class Spy:
    """Looks around before its first move of a game."""

    name = "spy"
    costly = True

    def __init__(self) -> None:
        self._games: set[int] = set()

    def decide(self, view: Any, *, seed: int, **_: Any) -> Any:
        """Open the first hidden cell."""
        from mineproof.agents import Decision

        if seed not in self._games:
            self._games.add(seed)
            look(Path(__file__).parent)
        cell = hidden_cell(view.to_text())
        return Decision(cell, "open", None, False, "the first hidden cell")


def main() -> None:
    """Run the same agent as a program that speaks the protocol."""
    seeds = set()
    for line in sys.stdin:
        message = json.loads(line)
        answer: dict[str, Any] = {"id": message["id"]}
        if message["do"] == "go":
            if message["seed"] not in seeds:
                seeds.add(message["seed"])
                look(Path(__file__).parent)
            answer["cell"] = hidden_cell(message["view"])
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
