"""What went wrong, as one line and an exit code: the outermost handler.

What it knows is told, with code 2. What it does not know is a fault of ours: one line says
so and names a file with all that helps to mend it, with code 70. Nothing here may fail:
the disk may be full, the terminal gone.
"""

from __future__ import annotations

import errno
import os
import platform
import shlex
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

import click

from mineproof import __version__, interrupts
from mineproof.errors import MineproofError, shorten
from mineproof.printable import printable

FORFEITED, TOLD, FAULT, INTERRUPTED, READER_GONE = 1, 2, 70, 130, 141
"""Exit codes. The first is of a game that an agent forfeits, the last two are what a shell gives
for a program that Ctrl-C or a closed pipe ended."""

_WRITING = {
    getattr(errno, name)
    for name in ("ENOSPC", "EDQUOT", "EFBIG", "EIO", "ENXIO", "EBADF")
    if hasattr(errno, name)
}
"""What the system says when nothing can be written. Our files are written so that an error
names them (`formats.writing`): one that has no name is of a stream."""


def prepare() -> None:
    """Make sure that a file of ours never becomes standard output, and that anything prints."""
    for _ in range(3):
        # Where one of the three is closed, the next file that is opened takes its number, and
        # whoever writes to the terminal would write into that file.
        handle = os.open(os.devnull, os.O_RDWR)
        if handle > 2:
            os.close(handle)
            break
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
        stream = getattr(sys, name)
        # A path may have bytes, and a file half characters, that no encoding has.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


class ReaderGone(Exception):
    """Whoever read our output has gone."""


@contextmanager
def reading_on() -> Iterator[None]:
    """A broken pipe by a name of its own: click and rich would exit with 1."""
    try:
        yield
    except BrokenPipeError:
        raise ReaderGone from None
    except SystemExit as left:
        if isinstance(left.__context__, BrokenPipeError):
            raise ReaderGone from None
        raise


def settle(error: BaseException) -> int:
    """Tell what ended a command; the exit code."""
    if isinstance(error, (ReaderGone, BrokenPipeError)):
        # Whoever read our output has gone: nothing is left to say, also not at exit.
        _silence(sys.stdout, sys.stderr)
        return READER_GONE
    if isinstance(error, SystemExit):
        raise error
    if isinstance(error, (KeyboardInterrupt, click.Abort)):
        return INTERRUPTED
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(error.format_message())
        return 0
    known = _known(error)
    if known is not None:
        _say(known)
        return TOLD
    if interrupts.came():  # others may wrap what it raises within them
        return INTERRUPTED
    _say(_unknown(error))
    return FAULT


def _known(error: BaseException) -> str | None:
    """What to say of an error that we know."""
    if isinstance(error, click.UsageError):
        path = error.ctx.command_path if error.ctx else "mineproof"
        return f"{error.format_message()} (see '{path} --help')"
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, MineproofError):
        return str(error)
    if isinstance(error, MemoryError):
        return "there is not enough memory for this"
    if isinstance(error, OSError):
        why = error.strerror or str(error)
        if error.filename is not None:
            return f"cannot use {os.fsdecode(str(error.filename))!r}: {why}"
        if error.errno in _WRITING:
            _silence(sys.stdout)
            return f"cannot use standard output: {why}"
        if isinstance(error, FileNotFoundError) and not _has_working_directory():
            return "the working directory was deleted: change to another one"
    return None


def _has_working_directory() -> bool:
    try:
        Path.cwd()
    except FileNotFoundError:
        return False
    return True


def _unknown(error: BaseException) -> str:
    """A line on a fault of ours; all about it goes into a file."""
    what = shorten(" ".join(f"{type(error).__name__}: {error}".split()), 120)
    try:
        handle, path = tempfile.mkstemp(prefix="mineproof-fault-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(_about(error))
    except OSError:
        return (
            f"a fault of mineproof ({what}); no file could be written about it: run it again where "
            "there is room, and report what comes (see CONTRIBUTING.md, Report a fault)"
        )
    return (
        f"a fault of mineproof ({what}); please report it with {path!r}, which has all about it "
        "(see CONTRIBUTING.md, Report a fault)"
    )


def _about(error: BaseException) -> str:
    from mineproof import _engine

    try:
        engine = _engine.name()
    except MineproofError as other:
        engine = str(other)
    return (
        f"mineproof {__version__} (engine: {engine})\n"
        f"Python {platform.python_version()} on {platform.platform()}\n"
        f"{shlex.join(sys.argv)}\n\n{''.join(traceback.format_exception(error))}"
    )


def _say(message: str) -> None:
    """One line, if anybody can be told."""
    try:
        click.echo(f"mineproof: {shorten(printable(' '.join(message.split())), 360)}", err=True)
    except OSError:
        _silence(sys.stderr)


def _silence(*streams: TextIO | None) -> None:
    """Let what these streams still have go nowhere, instead of failing once more at exit."""
    for stream in streams:
        with suppress(OSError, ValueError, AttributeError):  # None, or not one of the system's
            handle = os.open(os.devnull, os.O_WRONLY)
            os.dup2(handle, stream.fileno())  # type: ignore[union-attr]
            os.close(handle)
