"""A real server and a real browser, started once for all tests of the web app."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

from tests.web.browser.hand import Hand

HOW = "on Debian: apt-get install chromium; pip install playwright"


@contextmanager
def serving(store: Path, port: int = 0, *more: str) -> Iterator[str]:
    """A server with its games in a file; yields its address."""
    command = [sys.executable, "-m", "mineproof", "serve", "--no-browser"]
    command += ["--port", str(port), "--store", str(store), *more]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        try:
            _wait_for(found[0])
            yield found[0]
        finally:
            process.terminate()
            process.wait(20)


def _wait_for(address: str) -> None:
    """Wait until a server answers there."""
    for _ in range(200):
        try:
            urlopen(address).close()
            return
        except URLError:
            sleep(0.1)
    raise TimeoutError(address)


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("games") / "games.db") as found:
        yield found


def begin(address: str, seed: int, deal: dict[str, Any]) -> str:
    """Start a game as another program would; return its ID."""
    asked = {"deal": deal, "rules": {"opening": "clear"}, "seed": seed}
    data, kind = json.dumps(asked).encode(), {"Content-Type": "application/json"}
    with urlopen(Request(f"{address}api/game.new", data, kind)) as answer:
        return str(json.load(answer)["game"])


@pytest.fixture
def game(address: str) -> Callable[[int], str]:
    """Start beginner games; return their IDs."""
    return lambda seed: begin(address, seed, {"level": "beginner"})


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason=f"no playwright here; {HOW}")
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip(f"no chromium here; {HOW}")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def visit(browser: Any, address: str) -> Iterator[Callable[..., Hand]]:
    """Open the page as a new visitor; any error that it logs fails the test."""
    contexts = []
    faults: list[str] = []

    def opened(where: str = "", at: str = address, **options: Any) -> Hand:
        options = {"viewport": {"width": 1280, "height": 860}, "locale": "en-GB"} | options
        context = browser.new_context(**options)
        contexts.append(context)
        context.set_default_timeout(8_000)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda shown: shown.type == "error" and faults.append(shown.text))
        page.goto(at + where)
        return Hand(page)

    yield opened
    for context in contexts:
        context.close()
    # A server that is stopped on purpose is not an error of the page.
    assert [fault for fault in faults if "WebSocket" not in fault] == []
