"""Shared fixtures of the server's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .postgres import Postgres, running
from .serving import Client, Server, serving

pytest.importorskip("starlette", reason="the server needs the extra web")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the tests of a module."""
    with serving(tmp_path_factory.mktemp("store") / "games.sqlite") as found:
        yield found


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server."""
    with running() as found:
        yield found


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Where a store may be: a file or a PostgreSQL database."""
    if request.param == "sqlite":
        return tmp_path / "deep" / "games.sqlite"
    server: Postgres = request.getfixturevalue("postgres")
    return server.database()


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    """A connection to the server."""
    with server.talk() as found:
        yield found
