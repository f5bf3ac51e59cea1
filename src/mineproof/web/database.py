"""The database of the store: an SQLite file or a PostgreSQL server, with the same queries.

Queries use `?` for values. This module contains what differs: connections, transactions, the
version of the tables, and errors.
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
"""The ID of the lock that is held while tables are created."""


class StoreFault(Exception):
    """The database failed or cannot be reached."""


class Conflict(StoreFault):
    """Another process was first, or the parent row has been deleted."""


class QueryResult(Protocol):
    """The result of a query."""

    @property
    def rowcount(self) -> int:
        """The number of rows that were changed or found."""

    def fetchone(self) -> Any:
        """Return the next row, or None."""

    def fetchall(self) -> list[Any]:
        """Return all remaining rows."""


class Database(Protocol):
    """A connection, for one thread at a time."""

    def execute(self, query: str, values: Sequence[Any] = ()) -> QueryResult:
        """Run a query; the only exception raised is `StoreFault`."""

    def begin(self) -> None:
        """Begin a transaction."""

    def create(self, tables: str) -> None:
        """Create the tables that do not exist."""

    @property
    def version(self) -> int:
        """The stored version of the tables; 0 if there is none."""

    def write_version(self, version: int) -> None:
        """Store the version of the tables."""

    def close(self) -> None:
        """Close the connection."""


@contextmanager
def change(base: Database) -> Iterator[None]:
    """Run a transaction; an exception rolls it back."""
    base.begin()
    try:
        yield
        base.execute("COMMIT")
    except BaseException:
        with suppress(StoreFault):
            base.execute("ROLLBACK")
        raise


def connect(place: Path | str | None) -> Database:
    """Connect to the database of a path or an address; None is a database in memory."""
    return Postgres(place) if isinstance(place, str) else Sqlite(place)


def read_place(text: str) -> Path | str:
    """Return a path, or the address of a server."""
    return text if is_address(text) else Path(text).absolute()


def is_address(text: str) -> bool:
    """Whether this is the address of a server rather than a path."""
    return text.partition("://")[0] in _SCHEMES and "://" in text


def name_of(place: Path | str) -> str:
    """Return a place without its password, for messages."""
    if isinstance(place, Path):
        return str(place)
    parts = urlsplit(place)
    names, at, host = parts.netloc.rpartition("@")
    who = names.partition(":")[0] + at
    return urlunsplit(parts._replace(netloc=f"{who}{host}", query=""))


class Sqlite:
    """An SQLite file that only its owner can read."""

    def __init__(self, path: Path | None) -> None:
        with _faults(sqlite3.Error, sqlite3.IntegrityError):
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                # Create the file first, so that only its owner can read it.
                os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._base = sqlite3.connect(
                path or ":memory:", timeout=10.0, isolation_level=None, check_same_thread=False
            )
        for setting in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
            self.execute(f"PRAGMA {setting}")

    def execute(self, query: str, values: Sequence[Any] = ()) -> QueryResult:
        """Run a query."""
        with _faults(sqlite3.Error, sqlite3.IntegrityError):
            return self._base.execute(query, values)

    def begin(self) -> None:
        """Begin a transaction."""
        self.execute("BEGIN IMMEDIATE")

    def create(self, tables: str) -> None:
        """Create the tables that do not exist."""
        for statement in _statements(tables):
            is_table = statement.startswith("CREATE TABLE")
            self.execute(statement + (" WITHOUT ROWID" if is_table else ""))

    @property
    def version(self) -> int:
        """The version of the tables."""
        return int(self.execute("PRAGMA user_version").fetchone()[0])

    def write_version(self, version: int) -> None:
        """Store the version of the tables."""
        self.execute(f"PRAGMA user_version={version}")

    def close(self) -> None:
        """Close the connection."""
        self._base.close()


class Postgres:
    """A PostgreSQL server; a lost connection is opened again with the next query."""

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

    def execute(self, query: str, values: Sequence[Any] = ()) -> QueryResult:
        """Run a query."""
        if self._base.closed:
            self._base = self._connect()
        with self._faults():
            found: QueryResult = self._base.execute(
                query.replace("?", "%s"), list(map(_plain, values))
            )
            return found

    def begin(self) -> None:
        """Begin a transaction."""
        self.execute("BEGIN")

    def create(self, tables: str) -> None:
        """Create the tables that do not exist."""
        self.execute(
            "SELECT pg_advisory_xact_lock(?)", (_LOCK,)
        )  # other processes may start at the same time
        for statement in _statements(tables):
            self.execute(statement)
        self.execute("CREATE TABLE IF NOT EXISTS store_version (version INTEGER NOT NULL)")

    @property
    def version(self) -> int:
        """The version of the tables."""
        there = self.execute("SELECT to_regclass('store_version')").fetchone()[0]
        found = there and self.execute("SELECT version FROM store_version").fetchone()
        return int(found[0]) if found else 0

    def write_version(self, version: int) -> None:
        """Store the version of the tables."""
        self.execute("DELETE FROM store_version")
        self.execute("INSERT INTO store_version VALUES (?)", (version,))

    def close(self) -> None:
        """Close the connection."""
        self._base.close()


@contextmanager
def _faults(errors: type[Exception], conflicts: type[Exception]) -> Iterator[None]:
    """Convert a driver's errors to `Conflict` and `StoreFault`."""
    try:
        yield
    except conflicts as error:
        raise Conflict(_line(error)) from error
    except (errors, OSError) as error:
        raise StoreFault(_line(error)) from error


def _line(error: Exception) -> str:
    return " ".join(str(error).split())


def _plain(value: Any) -> Any:
    """Return a value as SQLite stores it: truth values are numbers, and character 0 is replaced."""
    if isinstance(value, bool):
        return int(value)
    return value.replace("\0", "\ufffd") if isinstance(value, str) else value


def _statements(tables: str) -> list[str]:
    return [each.strip() for each in tables.split(";") if each.strip()]
