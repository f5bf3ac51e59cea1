"""Runs are killed and results damaged: everything that was finished must still be there."""

from __future__ import annotations

import csv
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tools.chaos.harness import Answer, cleared, commands_line
from tools.chaos.mutating import mutated

STUDY = """games = 300
seed = 5

[[block]]
agents = ["one-two", "baseline"]
boards = ["9x9/10", "6x6/7"]
opening = "safe"
"""
ARENA = "--agents one-two,csp --rows 8 --cols 8 --mines 9 --games 400 --workers 2 --seed 7"
_TIMES = ("_seconds", "_per_cpu_second")
_PATIENCE = 300
"""Seconds after which a command that should have ended is considered hung."""


def killed_studies(random: Random, folder: Path) -> Iterator[Answer]:
    """A study, killed at random moments with all its processes, and restarted until it is done."""
    peace = _study(folder / "peace")
    while True:
        out = cleared(folder / "killed")
        kept: dict[str, int] = {}
        for _ in range(random.randint(1, 3)):
            answer = _killed(_run(out), random.uniform(0.3, 4))
            now = {path.name: path.stat().st_mtime_ns for path in out.glob("study/chunks/p*")}
            lost = [name for name, then in kept.items() if now.get(name) != then]
            kept = now
            yield _lost(answer, [f"chunk {name} was lost" for name in lost])
        yield _lost(_finished(_run(out)), _differing(out / "study", peace))


def killed_arenas(random: Random, folder: Path) -> Iterator[Answer]:
    """An arena, killed while it writes its games: every complete line must be a correct game."""
    place = cleared(folder / "arena")
    words = ["arena", *ARENA.split(), "--per-game", str(place / "games.csv")]
    _finished(words)
    peace = _games(place / "games.csv")
    while True:
        (place / "games.csv").unlink(missing_ok=True)
        answer = _killed(words, random.uniform(0.3, 3))
        found = _games(place / "games.csv")
        wrong = [] if found == peace[: len(found)] else ["games differ"]
        yield _lost(answer, wrong)


def _odd(path: Path, random: Random) -> None:
    """Damage a file, replace it with something else, or delete it."""
    way = random.choice(("changed", "changed", "changed", "gone", "pipe", "device"))
    content = path.read_bytes()
    path.unlink()
    if way == "changed":
        path.write_bytes(mutated(content, random))
    elif way == "pipe":
        os.mkfifo(path)
    elif way == "device":
        path.symlink_to("/dev/zero")


def damaged_studies(random: Random, folder: Path) -> Iterator[Answer]:
    """A finished study with a damaged file: it is refused or reported, and a run repairs it."""
    peace = _study(folder / "whole")
    while True:
        out = folder / "damaged"
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(peace.parent, out)
        files = sorted(path for path in (out / "study").rglob("*") if path.suffix)
        path = random.choice(files)
        _odd(path, random)
        yield _finished(["study", "report", str(out / "study")])
        yield _finished(["study", "verify", str(out / "study"), "--sample", "2"])
        answer = _finished(_run(out))
        fixed = answer.code == 0
        yield _lost(answer, _differing(out / "study", peace) if fixed else ["it is not mended"])


def _study(out: Path) -> Path:
    """The study, run without interruption."""
    cleared(out)
    answer = _finished(_run(out))
    assert answer.code == 0, answer
    return out / "study"


def _run(out: Path) -> list[str]:
    (out / "study.toml").write_text(STUDY)
    return ["study", "run", str(out / "study.toml"), "--out", str(out), "--workers", "2"]


def _finished(words: list[str]) -> Answer:
    try:
        done = subprocess.run(
            commands_line(words), capture_output=True, text=True, check=False, timeout=_PATIENCE
        )
    except subprocess.TimeoutExpired:
        return Answer(words, 98, "", f"it did not end within {_PATIENCE} s")
    return Answer(words, done.returncode, done.stdout, done.stderr)


def _killed(words: list[str], seconds: float) -> Answer:
    """Kill a command with its whole process group after some time, unless it has ended."""
    process = subprocess.Popen(
        commands_line(words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    deadline = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    out, err = process.communicate()
    code = 0 if process.returncode == -signal.SIGKILL else process.returncode
    return Answer(words, code, out, err)


def _lost(answer: Answer, losses: list[str]) -> Answer:
    """The answer; if results were lost, with these as its fault."""
    return answer._replace(code=99, err=f"{answer.err} {losses}") if losses else answer


def _differing(found: Path, peace: Path) -> list[str]:
    from tests.studying import rows

    return [] if rows(found) == rows(peace) else ["games differ from those of a run in peace"]


def _games(path: Path) -> list[list[str]]:
    """The complete lines of a CSV file, without times."""
    if not path.exists():
        return []
    text = path.read_text()
    lines = list(csv.reader(text[: text.rfind("\n") + 1].splitlines()))
    if not lines:
        return []
    kept = [i for i, name in enumerate(lines[0]) if not name.endswith(_TIMES)]
    return [[line[i] for i in kept] for line in lines]
