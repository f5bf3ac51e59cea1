"""Where the store's tables are: an SQLite file, or a PostgreSQL server. The queries are the same.

They are written with `?` for values. What differs is how a connection and a change begin, where
the version is kept, and which errors there are; all of that is here.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit, urlunsplit

from mineproof.extras import need

_SCHEMES = ("postgresql", "postgres")
_LOCK = 0x6D696E65
"""Names our lock while tables are made."""


class StoreFault(Exception):
    """The database cannot do what it was asked for now."""


class Conflict(StoreFault):
    """Somebody else was quicker, or what this belongs to is gone."""


class Found(Protocol):
    """What a query found."""

    @property
    def rowcount(self) -> int:
        """How many rows it concerned."""

    def fetchone(self) -> Any:
        """The next row, or None."""

    def fetchall(self) -> list[Any]:
        """All rows that are left."""


class Database(Protocol):
    """A connection; one thread at a time has it."""

    def execute(self, query: str, values: Sequence[Any] = ()) -> Found:
        """Run a query; raises `StoreFault` and nothing else."""

    def begin(self) -> None:
        """Begin a change that others see as a whole or not at all."""

    def create(self, tables: str) -> None:
        """Make the tables, where they are not there."""

    @property
    def version(self) -> int:
        """Of the tables, as it was written; 0 where there is none."""

    def write_version(self, version: int) -> None:
        """Note the version of the tables."""

    def close(self) -> None:
        """Leave it."""


@contextmanager
def change(base: Database) -> Iterator[None]:
    """All of it, or nothing."""
    base.begin()
    try:
        yield
        base.execute("COMMIT")
    except BaseException:
        with suppress(StoreFault):
            base.execute("ROLLBACK")
        raise


def connect(place: Path | str | None) -> Database:
    """The database of a path or an address; without one, of this process while it lives."""
    return Postgres(place) if isinstance(place, str) else Sqlite(place)


def read_place(text: str) -> Path | str:
    """A path, or the address of a server."""
    return text if is_address(text) else Path(text).absolute()


def is_address(text: str) -> bool:
    """Whether it is the address of a server, and not a path."""
    return text.partition("://")[0] in _SCHEMES and "://" in text


def told(place: Path | str) -> str:
    """A place as it may be shown: without the password."""
    if isinstance(place, Path):
        return str(place)
    parts = urlsplit(place)
    names, at, host = parts.netloc.rpartition("@")
    who = names.partition(":")[0] + at
    return urlunsplit(parts._replace(netloc=f"{who}{host}", query=""))


class Sqlite:
    """A file, readable by its owner alone."""

    def __init__(self, path: Path | None) -> None:
        with _faults(sqlite3.Error, sqlite3.IntegrityError):
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                # What others may read is theirs to say: the file is the user's own.
                os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._base = sqlite3.connect(
                path or ":memory:", timeout=10.0, isolation_level=None, check_same_thread=False
            )
        for setting in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
            self.execute(f"PRAGMA {setting}")

    def execute(self, query: str, values: Sequence[Any] = ()) -> Found:
        """Run a query."""
        with _faults(sqlite3.Error, sqlite3.IntegrityError):
            return self._base.execute(query, values)

    def begin(self) -> None:
        """Begin a change."""
        self.execute("BEGIN IMMEDIATE")

    def create(self, tables: str) -> None:
        """Make the tables, where they are not there."""
        for statement in _statements(tables):
            is_table = statement.startswith("CREATE TABLE")
            self.execute(statement + (" WITHOUT ROWID" if is_table else ""))

    @property
    def version(self) -> int:
        """Of the tables."""
        return int(self.execute("PRAGMA user_version").fetchone()[0])

    def write_version(self, version: int) -> None:
        """Note it."""
        self.execute(f"PRAGMA user_version={version}")

    def close(self) -> None:
        """Leave it."""
        self._base.close()


class Postgres:
    """A server. A connection that broke is made anew when the next question comes."""

    def __init__(self, address: str) -> None:
        self._driver = need("psycopg", "postgres")
        self._address = address
        self._base = self._connect()

    def _connect(self) -> Any:
        with self._faults():
            return self._driver.connect(
                self._address,
                autocommit=True,
                connect_timeout=10,
                options="-c statement_timeout=10s -c lock_timeout=10s",
            )

    def _faults(self) -> Any:
        return _faults(self._driver.Error, self._driver.IntegrityError)

    def execute(self, query: str, values: Sequence[Any] = ()) -> Found:
        """Run a query."""
        if self._base.closed:
            self._base = self._connect()
        with self._faults():
            found: Found = self._base.execute(query.replace("?", "%s"), list(map(_plain, values)))
            return found

    def begin(self) -> None:
        """Begin a change."""
        self.execute("BEGIN")

    def create(self, tables: str) -> None:
        """Make the tables, where they are not there."""
        self.execute("SELECT pg_advisory_xact_lock(?)", (_LOCK,))  # others may come at this moment
        for statement in _statements(tables):
            self.execute(statement)
        self.execute("CREATE TABLE IF NOT EXISTS store_version (version INTEGER NOT NULL)")

    @property
    def version(self) -> int:
        """Of the tables."""
        there = self.execute("SELECT to_regclass('store_version')").fetchone()[0]
        found = there and self.execute("SELECT version FROM store_version").fetchone()
        return int(found[0]) if found else 0

    def write_version(self, version: int) -> None:
        """Note it."""
        self.execute("DELETE FROM store_version")
        self.execute("INSERT INTO store_version VALUES (?)", (version,))

    def close(self) -> None:
        """Leave it."""
        self._base.close()


@contextmanager
def _faults(errors: type[Exception], conflicts: type[Exception]) -> Iterator[None]:
    """A driver's errors as ours."""
    try:
        yield
    except conflicts as error:
        raise Conflict(_line(error)) from error
    except (errors, OSError) as error:
        raise StoreFault(_line(error)) from error


def _line(error: Exception) -> str:
    return " ".join(str(error).split())


def _plain(value: Any) -> Any:
    """As SQLite would keep it: a truth is a number; a text has no character 0 there."""
    if isinstance(value, bool):
        return int(value)
    return value.replace("\0", "\ufffd") if isinstance(value, str) else value


def _statements(tables: str) -> list[str]:
    return [each.strip() for each in tables.split(";") if each.strip()]
