"""A real PostgreSQL server in a temporary folder, reached through a socket in it."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

HOW = "on Debian: apt-get install postgresql"
_LIMIT = 60
_QUICK = ["fsync=off", "full_page_writes=off", "shared_buffers=16MB", "max_connections=40"]


def _programs() -> Path | None:
    """The folder of its programs: Debian's, or the one on the PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    named = shutil.which("initdb")
    return found[-1].parent if found else Path(named).parent if named else None


class Postgres:
    """A server that can be stopped and started; only users of this machine can reach it."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs, self._folder = programs, folder
        self._databases = 0
        self._run("initdb", "--auth=trust", "--username=mines", "--no-sync", "-D", self._data)
        self.start()

    @property
    def _data(self) -> str:
        return str(self._folder / "data")

    def start(self) -> None:
        options = [f"-c {each}" for each in (*_QUICK, "listen_addresses=''")]
        options.append(f"-c unix_socket_directories={self._folder}")
        log = str(self._folder / "log")
        self._run("pg_ctl", "-D", self._data, "-w", "-l", log, "-o", " ".join(options), "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", self._data, "-w", "-m", "immediate", "stop")

    def database(self) -> str:
        """The address of a new, empty database."""
        self._databases += 1
        name = f"games{self._databases}"
        self._run("createdb", "-h", str(self._folder), "-U", "mines", name)
        return f"postgresql://mines:secret@/{name}?host={self._folder}"

    def _run(self, program: str, *words: str) -> None:
        done = subprocess.run(
            [self._programs / program, *words],
            user=_owner(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if program != "pg_ctl" else subprocess.DEVNULL,
            stderr=subprocess.STDOUT if program != "pg_ctl" else subprocess.DEVNULL,
            timeout=_LIMIT,
            cwd="/",
            check=False,
        )
        assert done.returncode == 0, (program, done.stdout)


def _owner() -> Any:
    """The user who runs the server: it refuses to run as root."""
    if os.geteuid() != 0:
        return None
    names = [each.pw_name for each in pwd.getpwall()]
    return "postgres" if "postgres" in names else "nobody"


@contextmanager
def running() -> Iterator[Postgres]:
    """A server for some tests, which are skipped if PostgreSQL is not installed."""
    pytest.importorskip("psycopg", reason="the extra postgres is not installed")
    programs = _programs()
    if programs is None:
        pytest.skip(f"no PostgreSQL here; {HOW}")
    folder = Path(tempfile.mkdtemp(prefix="mineproof-postgres-"))
    try:
        if _owner() is not None:
            shutil.chown(folder, _owner())
        server = Postgres(programs, folder)
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
