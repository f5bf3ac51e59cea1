"""A Dask cluster computes the same chunks; killing a worker loses nothing."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

import mineproof as mp
from mineproof import studies
from mineproof.cli import main
from mineproof.studies import Study
from mineproof.studies.study_run import StudyRun
from tests.studying import STEADY, rows

HERE = ["--host", "127.0.0.1", "--no-dashboard"]


@contextmanager
def dask(log: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("wb") as file:
        found = subprocess.Popen([sys.executable, "-m", "dask", *words], stderr=file)
    try:
        yield found
    finally:
        found.kill()
        found.wait()


def said(process: subprocess.Popen[bytes], log: Path, pattern: str) -> str:
    """Wait until a process prints this pattern; return what matches."""
    deadline = time.monotonic() + 60
    while not (found := re.search(pattern, log.read_text())):
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return found.group()


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    log = tmp_path_factory.mktemp("scheduler") / "log"
    with dask(log, "scheduler", *HERE, "--port", "0", "--idle-timeout", "300s") as found:
        yield said(found, log, r"tcp://127\.0\.0\.1:\d+")


@contextmanager
def worker(scheduler: str, place: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A worker process with one thread."""
    place.mkdir()
    own = ["--nthreads", "1", "--no-nanny", "--local-directory", str(place)]
    own += ["--death-timeout", "60"]  # even if the tests are killed
    with dask(place / "log", "worker", scheduler, *HERE, *own) as found:
        said(found, place / "log", "Registered to")
        yield found


def test_the_users_own_agent_is_sent_to_the_workers(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The workers run in another folder: the source of the agent's file is sent to them."""
    own = (tmp_path / "ours").joinpath("own_solver.py")
    own.parent.mkdir()
    own.write_text(
        "from mineproof.agents import Decision\n"
        "def first(view, **_):\n"
        "    return Decision(view.cells(9, 10)[0], 'open', None, False, 'the first')\n"
    )
    monkeypatch.chdir(own.parent)
    text = 'games = 40\n[[block]]\nagents = ["own_solver.py:first", "baseline"]\nboards = "6x6/5"'
    study = Study.from_text("own", text)
    with worker(scheduler, tmp_path / "a"):
        folder = studies.run(study, tmp_path / "cluster", dask=scheduler)
    assert folder.finished
    local = studies.run(study, tmp_path / "local", workers=1)
    assert rows(folder.path) == rows(local.path)


def test_a_killed_worker_loses_nothing(scheduler: str, tmp_path: Path) -> None:
    study = Study.from_text("steady", STEADY).with_games(600)
    with worker(scheduler, tmp_path / "a") as one, worker(scheduler, tmp_path / "b"):
        with StudyRun([study], tmp_path / "cluster", dask=scheduler) as running:
            done = 0
            for progress in running.work():
                if progress.games and not done:
                    os.kill(one.pid, signal.SIGKILL)
                done = progress.games
        (folder,) = running.folders()
    assert folder.finished
    assert done == 1200
    local = studies.run(study, tmp_path / "local")
    assert rows(folder.path) == rows(local.path)
    assert [path.name for path in folder.chunks()] == [path.name for path in local.chunks()]


def test_a_cluster_without_workers_is_reported(scheduler: str, tmp_path: Path) -> None:
    with pytest.raises(mp.MineproofError, match="has no workers"):
        studies.run(Study.from_text("steady", STEADY), tmp_path, dask=scheduler)


def test_a_worker_of_another_engine_is_refused(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINEPROOF_ENGINE", "python")
    with worker(scheduler, tmp_path / "a"):
        monkeypatch.undo()
        with pytest.raises(mp.EngineError, match="a worker has mineproof .*engine: python"):
            studies.run(Study.from_text("steady", STEADY).quick(), tmp_path, dask=scheduler)
    assert not studies.open_folder(tmp_path / "steady").chunks()


def test_a_worker_without_mineproof_is_reported(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide = tmp_path / "sitecustomize.py"  # Python runs this at startup
    hide.write_text("import sys; sys.modules['mineproof'] = None")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with worker(scheduler, tmp_path / "a"):
        monkeypatch.undo()
        with pytest.raises(mp.MineproofError, match="cannot use mineproof: .*mineproof"):
            studies.run(Study.from_text("steady", STEADY).quick(), tmp_path, dask=scheduler)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense://x"])
def test_a_missing_scheduler_is_reported(
    address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("mineproof.series.cluster._PATIENCE", 1)
    (tmp_path / "mine.toml").write_text(STEADY)
    words = ["study", "run", str(tmp_path / "mine.toml"), "--out", str(tmp_path)]
    begun = time.monotonic()
    assert main([*words, "--dask", address]) == 2
    assert f"no Dask scheduler answers at '{address}'" in capsys.readouterr().err
    assert time.monotonic() - begun < 20


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nowhere", "ucx://x:1", "stranger"])
def test_a_dead_scheduler_costs_seconds_and_one_line(address: str, tmp_path: Path) -> None:
    """No client object is left whose destructor would wait and complain."""
    (tmp_path / "mine.toml").write_text(STEADY)
    words = ["study", "run", str(tmp_path / "mine.toml"), "--out", str(tmp_path)]
    with stranger() as port:
        where = f"tcp://127.0.0.1:{port}" if address == "stranger" else address
        begun = time.monotonic()
        subprocess.run([sys.executable, "-c", "import distributed"], check=True)
        loading = time.monotonic() - begun  # on a busy machine, this takes most of the time
        begun = time.monotonic()
        command = [sys.executable, "-m", "mineproof", *words, "--dask", where]
        done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert f"no Dask scheduler answers at '{where}'" in done.stderr
    # We wait 5 seconds; a half-initialised client would wait 20.
    assert time.monotonic() - begun < 14 + 4 * loading


@contextmanager
def stranger() -> Iterator[int]:
    """A server that is not a Dask scheduler."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    with connection:
                        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 4)

        threading.Thread(target=answer, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
