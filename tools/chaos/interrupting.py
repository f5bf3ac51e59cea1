"""Ctrl-C at any moment, from a command's first line on: it ends soon and without a traceback."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.processes import session_cpu_seconds
from tools.chaos.harness import Answer, cleared
from tools.chaos.samples import WORDS, Sample, samples, split

MOST = 1.0
"""CPU seconds that a command may take after Ctrl-C, with all its workers."""
PATIENCE = 15.0
"""Seconds of wall-clock time, however busy the machine is."""
LONG = (
    "play --rows 40 --cols 40 --density 0.2 --agent champion:budget=max",
    "play --rows 99 --cols 99 --density 0.2 --agent linalg-count --on-mine continue --delay 0",
    "assist --level expert",
    "engine",
    "solve 5 5 6",
    "arena --level expert --agents champion --games 100000 --workers 1",
    "arena --level expert --agents champion,gauss --games 100000 --workers 3",
    "arena --level expert --agents csp --games 100000 --sealed --per-game {out}/a.csv",
    "generate --rows 300 --cols 300 --density 0.2 --count 100000",
    "generate --rows 40 --cols 40 --density 0.2 --no-guess --count 100000",
    "generate --level expert --needs gauss --count 1000 --out {out}/boards",
    "grade {boards}",
    "check-agent champion --games 1000",
    "study run levels --quick --workers 2 --out {out}",
    "reports 003 --run --out {out}",
    "serve --port 0 --no-browser --store none",
)
"""Commands that run longer than some seconds."""
_BEGIN = (
    "import os, sys; from mineproof.__main__ import start; "
    "os.write(int(sys.argv.pop(1)), b'.'); sys.exit(start())"
)
"""The program `mineproof`, which signals that its first line is about to run."""


class _Line(NamedTuple):
    """A command and its input: a file, or a pipe to which nobody writes."""

    words: list[str]
    given: str | None


def interrupted_commands(random: Random, folder: Path) -> Iterator[Answer]:
    """Every command, stopped by Ctrl-C at a random moment."""
    boards = folder / "boards.txt"
    made = ["generate", "--level", "expert", "--count", "30", "--seed", "1"]
    boards.write_bytes(subprocess.check_output([sys.executable, "-m", "mineproof", *made]))
    while True:
        for line in _lines(random, folder, boards):
            # Most failures happen early.
            moment = random.uniform(0, random.choice((0.2, 0.6, 2.0)))
            everyone = random.random() < 0.5
            while (answer := _interrupted(line, moment, everyone=everyone)) is None:
                moment /= 2  # it had already ended
            yield answer


def _lines(random: Random, folder: Path, boards: Path) -> Iterator[_Line]:
    """A sample of all commands in random order; long-running ones occur twice."""
    files = [(sample, line) for sample in samples() for line in sample.commands]
    plain: list[tuple[Sample | None, str]] = [(None, line) for line in WORDS]
    last: list[tuple[Sample | None, str]] = [(None, line) for line in LONG]
    every = [*random.sample(files, 12), *plain, *last, *last]
    for sample, line in random.sample(every, len(every)):
        place = cleared(folder / "interrupted")
        if sample is None:
            yield _Line(split(line, out=place, boards=boards), None)
            continue
        path = place / sample.name
        path.write_bytes(sample.content)
        words, _, given = line.partition(" < ")
        yield _Line([word.format(path, out=place) for word in words.split()], given and str(path))


def _interrupted(line: _Line, moment: float, *, everyone: bool) -> Answer | None:
    """How a command ends after Ctrl-C, sent to it alone or to its whole group, as a terminal does.

    None if it had already ended.
    """
    hears, says = os.pipe()
    given, gives = os.pipe()  # standard input of commands that need none: open and empty
    if line.given:
        os.close(given)
        given = os.open(line.given, os.O_RDONLY)
    process = subprocess.Popen(
        [sys.executable, "-c", _BEGIN, str(says), *line.words],
        stdin=given,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        start_new_session=True, pass_fds=(says,),
    )  # fmt: skip
    os.close(says)
    used = _children_used()
    try:
        os.read(hears, 1)
        with suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=moment)
            return None
        answer, before = _ended(line.words, process, everyone=everyone)
        return _judged(answer, process.pid, _children_used() - used - before)
    finally:
        for handle in (hears, given, gives):
            os.close(handle)


def _children_used() -> float:
    """The CPU seconds of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _ended(
    words: list[str], process: subprocess.Popen[str], *, everyone: bool
) -> tuple[Answer, float]:
    """How it ends, and how much CPU time it used before Ctrl-C."""
    before, begun = sum(session_cpu_seconds(process.pid).values()), time.monotonic()
    with suppress(ProcessLookupError):
        (os.killpg if everyone else os.kill)(process.pid, signal.SIGINT)
    try:
        _, said = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        _, said = process.communicate()
        said += " (it does not hear Ctrl-C)"
    seconds = time.monotonic() - begun
    return Answer(words, process.returncode, "", said, seconds=seconds), before


def _judged(answer: Answer, session: int, used: float) -> Answer:
    """The answer; if its end was wrong, with the reason as its fault."""
    if used > MOST:
        return answer._replace(code=99, err=f"{answer.err} ({used:.1f} CPU seconds after Ctrl-C)")
    deadline = time.monotonic() + PATIENCE
    while session_cpu_seconds(session) and time.monotonic() < deadline:
        time.sleep(0.05)
    if session_cpu_seconds(session):
        with suppress(ProcessLookupError):
            os.killpg(session, signal.SIGKILL)
        return answer._replace(code=99, err=f"{answer.err} (workers are left)")
    return answer
