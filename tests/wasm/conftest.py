"""The compiled kernel, and a server to compare the worker with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.wasm.wasm_worker import built

if TYPE_CHECKING:
    from tests.web.serving import Server


@pytest.fixture(scope="session")
def wasm() -> Path:
    return built()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    pytest.importorskip("starlette", reason="the server needs the extra web")
    from tests.web.serving import serving

    with serving(tmp_path_factory.mktemp("store") / "games.sqlite") as found:
        yield found
