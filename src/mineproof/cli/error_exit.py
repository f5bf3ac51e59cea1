"""The outermost error handler: it turns every error into one line and an exit code.

Expected errors print their message, with exit code 2. Any other error is a bug in mineproof: one
line says so and names a file with the details, with exit code 70. Nothing here may fail, even if
the disk is full or the terminal is gone.
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

FORFEITED, USAGE_ERROR, FAULT, INTERRUPTED, READER_GONE = 1, 2, 70, 130, 141
"""Exit codes: an agent forfeits a game; an error in the input; an internal error; and the codes of
shells for a program that Ctrl-C or a closed pipe ended."""

_WRITING = {
    getattr(errno, name)
    for name in ("ENOSPC", "EDQUOT", "EFBIG", "EIO", "ENXIO", "EBADF")
    if hasattr(errno, name)
}
"""Errors of the system when writing fails. Errors of files carry the file's name
(`formats.writing`), so an error without a name comes from a stream."""


def prepare() -> None:
    """Make sure that no file takes the place of standard output, and that any text prints."""
    for _ in range(3):
        # If one of the three is closed, the next file that is opened takes its number, and what is
        # meant for the terminal would go into that file.
        handle = os.open(os.devnull, os.O_RDWR)
        if handle > 2:
            os.close(handle)
            break
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
        stream = getattr(sys, name)
        # A path may contain bytes, and a file lone surrogates, that cannot be encoded.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


class ReaderGone(Exception):
    """The reader of the output has closed the pipe."""


@contextmanager
def reading_on() -> Iterator[None]:
    """Raise ReaderGone for a broken pipe: click and rich would exit with 1."""
    try:
        yield
    except BrokenPipeError:
        raise ReaderGone from None
    except SystemExit as left:
        if isinstance(left.__context__, BrokenPipeError):
            raise ReaderGone from None
        raise


def report_error(error: BaseException) -> int:
    """Print what ended a command, and return its exit code."""
    if isinstance(error, (ReaderGone, BrokenPipeError)):
        # The output is no longer read: print nothing, not even at exit.
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
        return USAGE_ERROR
    if interrupts.came():  # libraries may wrap KeyboardInterrupt
        return INTERRUPTED
    _say(_unknown(error))
    return FAULT


def _known(error: BaseException) -> str | None:
    """Return the message of an expected error; None for a bug."""
    if isinstance(error, click.UsageError):
        path = error.ctx.command_path if error.ctx else "mineproof"
        return f"{error.format_message()} (see '{path} --help')"
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, MineproofError):
        return str(error)
    if isinstance(error, MemoryError):
        return "not enough memory for this command"
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
    """Return the message of a bug, and write its details to a file."""
    what = shorten(" ".join(f"{type(error).__name__}: {error}".split()), 120)
    try:
        handle, path = tempfile.mkstemp(prefix="mineproof-fault-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(_about(error))
    except OSError:
        return (
            f"internal error ({what}). Details could not be written: free some disk space, run "
            "the command again and report the error (see CONTRIBUTING.md, Report a bug)"
        )
    return (
        f"internal error ({what}). Please report it and attach {path!r} "
        "(see CONTRIBUTING.md, Report a bug)"
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
    """Print one line on stderr, if that is still possible."""
    try:
        click.echo(f"mineproof: {shorten(printable(' '.join(message.split())), 360)}", err=True)
    except OSError:
        _silence(sys.stderr)


def _silence(*streams: TextIO | None) -> None:
    """Discard what these streams still buffer, so that they do not fail again at exit."""
    for stream in streams:
        with suppress(OSError, ValueError, AttributeError):  # None, or not one of the system's
            handle = os.open(os.devnull, os.O_WRONLY)
            os.dup2(handle, stream.fileno())  # type: ignore[union-attr]
            os.close(handle)
