"""Run a command in a separate process with limited resources, and judge how it ended."""

from __future__ import annotations

import os
import pkgutil
import resource
import selectors
import shutil
import signal
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import mineproof

CODES = {0, 2, 130, 141}
"""Exit codes that a command may have; 70 would be an internal error."""
DIFFERS = 1
"""Another exit code that `study verify` may have."""
SECONDS = 4
"""CPU seconds after which a command is stopped, which is not a fault."""
MEMORY = 4 * 2**30
STOPPED = -signal.SIGXCPU


class Answer(NamedTuple):
    """How a command ended; a negative code is the signal that ended it."""

    words: Sequence[str]
    code: int
    out: str
    err: str
    heard: bool = True
    """Whether anybody could read its messages."""
    seconds: float = 0.0
    """How long it took to end after Ctrl-C."""

    @property
    def fault(self) -> str | None:
        """What is wrong with how it ended, or None."""
        shown = f"{' '.join(self.words)!r} ended with {self.code} and said {self.err[-600:]!r}"
        if self.code == STOPPED:
            return None
        codes = CODES | {DIFFERS} if list(self.words[:2]) == ["study", "verify"] else CODES
        if self.code not in codes or "Traceback" in self.err + self.out:
            return shown
        lines = [line for line in self.err.splitlines() if line.startswith("mineproof: ")]
        if self.code == 2 and len(lines) != 1 and self.heard:
            return shown
        return None


@cache
def warm_up() -> None:
    """Import our modules here, so that forks need not; those that start threads are left out."""
    for module in pkgutil.walk_packages(mineproof.__path__, "mineproof."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    for name in ("rich.console", "rich.table", "rich.progress", "rich.live", "tomllib"):
        import_module(name)


def run(words: Sequence[str], prepare: Callable[[], None] | None = None) -> Answer:
    """Run a command in a fork, in which everything is already imported.

    If the words end with `< FILE`, this is its standard input; otherwise that is empty.
    `prepare` is called in the new process before the command, with its streams in place.
    """
    warm_up()
    out, err = os.pipe(), os.pipe()
    sys.stdout.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # forks while a test has threads
        child = os.fork()
    if child == 0:
        code = 99
        try:
            code = _child(words, out[1], err[1], prepare)
        finally:
            os._exit(code)
    os.close(out[1])
    os.close(err[1])
    shown = _read({out[0]: b"", err[0]: b""})
    _, status = os.waitpid(child, 0)
    return Answer(words, os.waitstatus_to_exitcode(status), *shown)


def _read(pipes: dict[int, bytes]) -> list[str]:
    """Read several pipes until all are closed."""
    with selectors.DefaultSelector() as waiting:
        for pipe in pipes:
            waiting.register(pipe, selectors.EVENT_READ)
        while waiting.get_map():
            for key, _ in waiting.select():
                block = os.read(key.fd, 2**16)
                pipes[key.fd] += block[: max(0, 2**20 - len(pipes[key.fd]))]
                if not block:
                    waiting.unregister(key.fd)
                    os.close(key.fd)
    return [content.decode(errors="replace") for content in pipes.values()]


def _child(words: Sequence[str], out: int, err: int, prepare: Callable[[], None] | None) -> int:
    """Run the command as in a new Python process."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    given = os.devnull
    if "<" in words[-2:]:
        *words, _, given = words
    for number, stream in enumerate((os.open(given, os.O_RDONLY), out, err)):
        os.dup2(stream, number)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 2))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if prepare is not None:
        prepare()
    sys.stdin = _stream(0, "r")  # type: ignore[assignment]
    sys.stdout = _stream(1, "w")  # type: ignore[assignment]
    sys.stderr = _stream(2, "w")  # type: ignore[assignment]
    sys.argv = ["mineproof", *words]
    from mineproof.cli import main

    code = main(list(words))
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            return 120  # as Python exits if it cannot flush
    return code


def _stream(number: int, mode: str) -> object:
    """A standard stream, or None where it is closed."""
    try:
        os.fstat(number)
    except OSError:
        return None
    return open(number, mode, encoding="utf-8", closefd=False)


def commands_line(words: Sequence[str]) -> list[str]:
    """The same command for `subprocess`, for tests that kill it."""
    return [sys.executable, "-m", "mineproof", *words]


def cleared(folder: Path) -> Path:
    """The folder, emptied."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
