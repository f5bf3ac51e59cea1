"""The web app exported to a static host, under a subpath: everything works without a server."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO

import pytest

import mineproof as mp
from mineproof.web.static_export import write
from tests.wasm.wasm_worker import KERNEL, built
from tests.web.browser.conftest import _wait_for
from tests.web.browser.hand import Hand
from tests.web.serving import wait_until

Visit = Callable[..., Hand]
SEED, START, MINES = 9, (4, 4), 10  # needs no guess


@contextmanager
def hosting(folder: Path) -> Iterator[str]:
    """Python's static file server; yields its address."""
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+?/", process.stdout.readline())
            assert found
            _wait_for(found[0])
            yield found[0]
        finally:
            process.terminate()


class _Compressing(SimpleHTTPRequestHandler):
    """A static host as it should be set up: it sends compressed copies, and notes their sizes."""

    sent: dict[str, int]

    def send_head(self) -> Any:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        copy = path.with_name(f"{path.name}.gz")
        if not copy.is_file():
            return super().send_head()
        assert "gzip" in self.headers["Accept-Encoding"]
        how = "max-age=31536000, immutable" if "/assets-" in self.path else "no-cache"
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(copy.stat().st_size))
        self.send_header("Cache-Control", how)
        self.end_headers()
        return copy.open("rb")

    def copyfile(self, source: BinaryIO, outputfile: BinaryIO) -> None:  # type: ignore[override]
        self.sent[self.path] = self.sent.get(self.path, 0) + outputfile.write(source.read())

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Print nothing."""


@contextmanager
def compressing(folder: Path) -> Iterator[tuple[str, dict[str, int]]]:
    """Such a host; yields its address, and the bytes that it sent by path."""
    noted: dict[str, int] = {}

    class Handler(_Compressing):
        sent = noted

        def __init__(self, *args: Any) -> None:
            super().__init__(*args, directory=str(folder))

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/", noted
        finally:
            server.shutdown()


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("host")
    write(folder / "some" / "where", built())
    with hosting(folder) as found:
        yield f"{found}some/where/"


def note(hand: Hand) -> list[str]:
    found: list[str] = []
    hand.page.on("request", lambda request: found.append(f"{request.method} {request.url}"))
    hand.page.on("websocket", lambda socket: found.append(f"socket {socket.url}"))
    return found


def state(hand: Hand) -> str:
    hand.wait_until_idle()
    return str(hand.page.locator(".state").inner_text())


def test_a_game_is_won_with_odds_and_a_hint_while_only_files_are_fetched(
    visit: Visit, host: str
) -> None:
    hand = visit(at=host)
    fetched = note(hand)
    hand.page.reload()
    hand.begin(SEED)
    hand.click(START)
    view = hand.seen(MINES)
    hand.key("o")
    risk = mp.posterior(view).risk
    hidden = next(cell for cell in view.cells(9) if 0 < risk[cell] < 1)
    assert f"risk {100 * risk[hidden]:.1f} %" in hand.words(hidden)
    hand.key("h")
    hand.key("h", "h", "h")
    shown = hand.page.locator(".side").inner_text()
    assert re.search(r"The \d at \(\d+,\d+\)", shown), shown
    hand.page.reload()  # the game is stored in this browser
    hand.page.get_by_role("grid").wait_for()
    assert hand.seen(MINES) == view
    while not state(hand):
        for cell in mp.posterior(hand.seen(MINES)).safe:
            if hand.words(cell).startswith("hidden"):
                hand.click(cell)
    assert state(hand) == "Won"
    assert len(fetched) > 20
    assert all(each.startswith(f"GET {host}") for each in fetched), fetched
    assert not any(re.search("/api/|/ws$", each) for each in fetched)


def test_other_clue_models_can_be_played(visit: Visit, host: str) -> None:
    hand = visit(at=host)
    hand.page.get_by_text("More options").click()
    hand.choose("Clues", "optimistic")
    hand.page.get_by_label("Seed").fill(str(SEED))
    hand.page.get_by_label("Seed").press("Tab")
    hand.begin_again()
    hand.click(START)
    hand.key("o")
    view = hand.seen(MINES)
    risk = mp.posterior(view, "optimistic").risk
    hidden = next(cell for cell in view.cells(9) if 0 < risk[cell] < 1)
    assert f"risk {100 * risk[hidden]:.1f} %" in hand.words(hidden)
    hand.key("h")
    assert hand.page.locator(".side").inner_text()


def test_a_lesson_about_uncertain_clues_can_be_solved(visit: Visit, host: str) -> None:
    hand = visit("#learn/9", at=host)
    lesson = mp.View.from_text("3x4/3 ????/?2?3/????")
    hand.page.get_by_role("grid").wait_for()
    hand.wait_until_idle()
    for cell in mp.posterior(lesson, "optimistic").safe:
        hand.click(cell)
    hand.page.get_by_role("link", name="Next lesson").wait_for()


def test_an_agent_is_watched(visit: Visit, host: str) -> None:
    hand = visit("#watch", at=host)
    hand.page.get_by_text(re.compile(r"csp: (won|lost), \d+ moves")).wait_for()
    hand.wait_until_idle()
    hand.press("To the start")
    hand.press("One move forward")
    assert "guaranteed" in hand.page.get_by_role("region", name="Reason").inner_text()


def test_a_position_shows_its_odds_and_a_contradiction_its_clues(visit: Visit, host: str) -> None:
    hand = visit("#analyse", at=host)
    area = hand.page.get_by_label("The position as text")
    area.fill("2x3/2\n???\n121")
    area.blur()
    hand.page.get_by_text("2 mines").first.wait_for()
    area.fill("2x3/2\n???\n141")
    area.blur()
    hand.page.get_by_text("Contradiction.").wait_for()
    assert hand.page.evaluate("() => window.mineproof.board().overlay.clash") == [[1, 1]]


@pytest.mark.parametrize(
    ("page", "words", "gone"),
    [
        ("watch", "chains of influence need", ("checkbox", "Show equations and matrices")),
        ("watch", "chains of influence need", ("button", "Influence")),
        ("analyse", "Comparing reasoners needs", ("table", "")),
        ("review", "Game files, chains of influence", ("button", "Open a game file")),
        ("compare", 'need the server (run "make web")', ("button", "Start")),
    ],
)
def test_features_that_need_the_server_are_explained_and_not_offered(
    visit: Visit, host: str, page: str, words: str, gone: tuple[str, str]
) -> None:
    hand = visit(f"#{page}", at=host)
    hand.page.get_by_text(words).first.wait_for()
    hand.wait_until_idle()
    assert hand.page.get_by_role(gone[0], name=gone[1], exact=True).count() == 0


def test_the_download_until_the_first_odds_is_bounded(visit: Visit, host: str) -> None:
    """Prints sizes and times (`pytest -s`); only the size is bounded, not the time."""
    hand = visit(at=host)
    hand.page.get_by_role("grid").wait_for()
    hand.wait_until_idle()
    ready = hand.page.evaluate("performance.now()")
    hand.click(START)
    begun = hand.page.evaluate("performance.now()")
    hand.key("o")
    odds = hand.page.evaluate("performance.now()") - begun
    sizes = hand.page.evaluate(
        "performance.getEntriesByType('resource').map(one => [one.name, one.decodedBodySize])"
    )
    page = sum(size for name, size in sizes if "/kernel/" not in name)
    kernel = sum(file.stat().st_size for file in built().parent.glob("mineproof.wasm"))
    script = sum(file.stat().st_size for file in KERNEL.glob("*.js"))
    print(
        f"\npage {page:,} bytes, worker {script:,} of script, {kernel:,} of WebAssembly; "
        f"a board after {ready:.0f} ms, odds {odds:.0f}"
    )
    assert page < 300_000
    assert kernel < 850_000  # including 110,000 of the champion's weights


WAITING = "navigator.serviceWorker.getRegistration().then(found => found.waiting !== null)"

UPDATE = """
navigator.serviceWorker.getRegistration().then(found => new Promise(done => {
  const see = event => done(event.target.state);
  found.onupdatefound = () => { found.installing.onstatechange = see; };
  found.update().catch(() => {});
}))
"""
"""Looks for a new version; returns what became of it."""


def wait_until_kept(hand: Hand) -> None:
    """Wait until the browser has all files."""
    hand.wait_until_idle()
    hand.page.evaluate("navigator.serviceWorker.ready.then(() => true)")


def version(hand: Hand) -> str:
    """The folder from which the page was loaded."""
    hand.wait_until_idle()
    worker = hand.page.locator("meta[name=mineproof-worker]").get_attribute("content")
    return str(worker).split("/")[0]


def caches(hand: Hand) -> list[str]:
    return [str(name).split()[-1] for name in hand.page.evaluate("caches.keys()")]


def test_after_one_visit_it_works_offline(visit: Visit, tmp_path: Path) -> None:
    write(tmp_path / "some" / "where", built())
    with hosting(tmp_path) as host:
        hand = visit(at=f"{host}some/where/")
        wait_until_kept(hand)
    hand.page.reload()
    hand.begin(SEED)
    hand.solve(MINES, START)
    assert state(hand) == "Won"
    for page in ("learn/1", "watch", "analyse", "review", "history", "assist", "compare"):
        hand.page.goto(f"{host}some/where/index.html?visit=2#{page}")
        hand.page.locator(f"main.{page.split('/')[0]}").wait_for()
        hand.wait_until_idle()


def test_a_changed_export_replaces_the_old_one_at_the_second_load(
    visit: Visit, tmp_path: Path
) -> None:
    folder, changed = tmp_path / "page", tmp_path / "changed.wasm"
    write(folder, built())
    changed.write_bytes(built().read_bytes() + b"\0\2\1x")  # a section without a meaning
    with hosting(folder) as host:
        hand = visit(at=host)
        wait_until_kept(hand)
        hand.page.reload()
        old = version(hand)
        hand.begin(SEED)
        hand.click(START)
        view = hand.seen(MINES)

        write(folder, changed)
        hand.page.get_by_role("link", name="Learn").click()  # a module that was not loaded before
        hand.page.locator("main.learn").wait_for()
        hand.wait_until_idle()
        hand.page.go_back()
        hand.page.locator("main.play").wait_for()
        hand.page.reload()
        assert version(hand) == old
        wait_until(lambda: hand.page.evaluate(WAITING), "no new version")
        hand.page.reload()
        new = version(hand)
        assert new != old
        assert hand.seen(MINES) == view
        assert caches(hand) == [old, new]

        context = hand.page.context
        hand.page.close()
        hand = Hand(context.new_page())
        hand.page.goto(host)
        assert version(hand) == new
        wait_until(lambda: caches(hand) == [new], "the old version is still there")


def test_an_incomplete_update_is_not_shown(visit: Visit, tmp_path: Path) -> None:
    folder, changed = tmp_path / "page", tmp_path / "changed.wasm"
    write(folder, built())
    changed.write_bytes(built().read_bytes() + b"\0\2\1x")
    with hosting(folder) as host:
        hand = visit(at=host)
        wait_until_kept(hand)
        old = version(hand)
        write(folder, changed)
        (assets,) = folder.glob("assets-*")
        (assets / "app.js").unlink()  # as while the folder is being copied
        assert hand.page.evaluate(UPDATE) == "redundant"
        hand.page.reload()
        assert version(hand) == old
        write(folder, changed)
        assert hand.page.evaluate(UPDATE) == "installed"
        hand.page.reload()
        assert version(hand) == assets.name


def test_without_service_workers_it_works_as_before(visit: Visit, host: str) -> None:
    """As over http: browsers offer service workers and caches only over https and on localhost."""
    hand = visit(at="about:blank")
    hand.page.add_init_script("delete Navigator.prototype.serviceWorker; delete window.caches")
    hand.page.goto(host)
    hand.begin(SEED)
    hand.solve(MINES, START)
    assert state(hand) == "Won"


def test_browsers_can_install_it(visit: Visit, host: str) -> None:
    hand = visit(at=host)
    hand.wait_until_idle()
    session = hand.page.context.new_cdp_session(hand.page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["manifest"]["startUrl"] == manifest["manifest"]["scope"] == host
    problems = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [each for each in problems if each["errorId"] != "in-incognito"] == []


def test_the_compressed_download_is_bounded(visit: Visit, tmp_path: Path) -> None:
    """Prints the bytes on the wire (`pytest -s`): until the first move, and with all pages."""
    sizes = write(tmp_path, built())
    with compressing(tmp_path) as (address, sent):
        hand = visit(at=address, service_workers="block")
        hand.page.get_by_role("grid").wait_for()
        hand.click(START)
        begun = sum(sent.values())
        sent.clear()
        hand = visit(at=address)
        wait_until_kept(hand)
        everything = sum(sent.values())
        sent.clear()
        hand.page.reload()
        hand.wait_until_idle()
        again = sum(sent.values())
    print(f"\nuntil the first move {begun:,} bytes, all {everything:,}, a reload {again:,}")
    assert begun < 450_000
    assert everything < 1.05 * sizes.compressed  # nothing is fetched twice
    assert again < 10_000
