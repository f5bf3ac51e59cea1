"""What the tests of the server share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .serving import Client, Server, serving

pytest.importorskip("starlette", reason="the server needs the extra web")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the tests of a module."""
    with serving(tmp_path_factory.mktemp("store") / "games.sqlite") as found:
        yield found


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    """A connection to it."""
    with server.talk() as found:
        yield found
