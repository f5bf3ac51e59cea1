"""`make test` runs its parts in parallel, shows what fails, and ends them all on Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.processes import is_running
from tools import suite

SLEEPER = "import os, sys, time; print(os.getpid(), flush=True); time.sleep(100)"


def part(folder: Path, name: str, code: str, *, shown: bool = False) -> suite.Part:
    found = suite.Part(name, [sys.executable, "-c", code], shown=shown)
    found.log = folder / name
    return found


def test_parts_run_in_parallel_and_only_one_is_shown(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "fifo")
    os.mkfifo(path)  # opening a pipe waits for the other end
    python = part(
        tmp_path, "Python", f"open({path!r}).read(); print('2 passed in 1.00s')", shown=True
    )
    native = part(tmp_path, "C++", f"open({path!r}, 'w'); print('100% tests passed')")
    browser = part(tmp_path, "browser", "print('1 passed, 3 skipped in 1.00s')")
    suite.run([[python], [native, browser]])
    assert suite.report([python, native, browser], 63.0)
    lines = capfd.readouterr().out.splitlines()
    assert "2 passed in 1.00s" in lines
    assert "100% tests passed" not in lines
    assert lines[-4:-1] == [
        "Python:  2 passed in 1.00s [0:00:00]",
        "C++:     100% tests passed [0:00:00]",
        "browser: 1 passed, 3 skipped in 1.00s [0:00:00]",
    ]
    assert lines[-1] == "3 passed, 3 skipped in 63.00s (0:01:03)"


def test_a_failed_part_is_shown_and_fails_the_run(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    python = part(tmp_path, "Python", "print('6000 passed in 1.00s')", shown=True)
    native = part(tmp_path, "C++", "print('no such header'); raise SystemExit(2)")
    browser = part(tmp_path, "browser", "print('1 failed, 5 passed in 2.00s'); raise SystemExit(1)")
    suite.run([[python], [native, browser]])
    assert not suite.report([python, native, browser], 5.0)
    lines = capfd.readouterr().out.splitlines()
    assert "no such header" in lines
    assert "C++:     FAILED, nothing to sum up [0:00:00]" in lines
    assert "browser: FAILED, 1 failed, 5 passed in 2.00s [0:00:00]" in lines
    assert lines[-1] == "1 failed, 6005 passed in 5.00s (0:00:05)"


def test_an_orphaned_process_does_not_block_the_run(tmp_path: Path) -> None:
    left = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {SLEEPER!r}])"
    python = part(tmp_path, "Python", left)
    suite.run([[python]])
    python.send(signal.SIGKILL)
    assert python.seconds < 60


def test_ctrl_c_ends_all_parts(tmp_path: Path) -> None:
    code = f"""
from pathlib import Path
from tests import test_suite
from tools import suite
folder = Path({str(tmp_path)!r})
stubborn = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN);" + test_suite.SLEEPER
suite.PATIENCE = 0.5
names = {{"one": test_suite.SLEEPER, "two": stubborn}}
suite.parts = lambda slow: [[test_suite.part(folder, *each)] for each in names.items()]
raise SystemExit(suite.main([]))
"""
    with subprocess.Popen([sys.executable, "-c", code], cwd=suite.ROOT) as process:
        logs = [tmp_path / "one", tmp_path / "two"]
        while not all(log.exists() and log.read_text().endswith("\n") for log in logs):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
    assert not any(is_running(int(log.read_text().split()[0])) for log in logs)


def test_it_estimates_how_long_it_will_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suite, "ROOT", tmp_path)
    monkeypatch.setattr(suite, "_cores", lambda: 2)
    monkeypatch.setattr(suite, "CPU_MINUTES", 11.5)
    assert suite.forecast(slow=False) == "the whole suite: about 6 min on 2 cores"
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "test-seconds").write_text("431\n")
    assert suite.forecast(slow=False) == "the whole suite: about 8 min on 2 cores"
