"""`make` reports each step with its time, and shows output only if a step fails."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

ROOT = Path(__file__).parents[1]
QUIETLY = ROOT / "tools" / "quietly"


def quietly(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    command = ["sh", str(QUIETLY), str(folder / "logs" / "step.log"), sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_output_of_a_command_goes_to_the_log_only(tmp_path: Path) -> None:
    done = quietly(tmp_path, "import sys; print('noise'); print('WARNING', file=sys.stderr)")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "logs" / "step.log").read_text() == "noise\nWARNING\n"


def test_after_a_failure_the_log_is_shown_and_named(tmp_path: Path) -> None:
    done = quietly(tmp_path, "import sys; print('the reason'); sys.exit(3)")
    assert done.returncode == 3
    assert "the reason\n" in done.stderr
    assert str(tmp_path / "logs" / "step.log") in done.stderr


def test_a_terminal_shows_the_seconds_and_the_count(tmp_path: Path) -> None:
    code = "import time; print('[3/92] Building', flush=True); time.sleep(3)"
    process = pexpect.spawn(
        "sh", [str(QUIETLY), str(tmp_path / "log"), sys.executable, "-c", code], timeout=60
    )
    process.expect(rb"\d+ s \[3/92\]")
    process.expect(pexpect.EOF)
    assert process.wait() == 0


def test_ctrl_c_ends_the_command_too(tmp_path: Path) -> None:
    mark = tmp_path / "survived"
    code = f"import time; print('begun', flush=True); time.sleep(4); open({str(mark)!r}, 'w')"
    process = pexpect.spawn(
        "sh", [str(QUIETLY), str(tmp_path / "log"), sys.executable, "-c", code], timeout=60
    )
    process.expect(rb"1 s")
    process.sendintr()
    process.expect(pexpect.EOF)
    process.close()
    assert (process.exitstatus, process.signalstatus) != (0, None)
    assert not mark.exists()


def test_every_call_of_pip_uses_the_wrapper() -> None:
    lines = (ROOT / "Makefile").read_text().splitlines()
    calls = [line for line in lines if re.search(r"\bpip\b.* (install|wheel) ", line)]
    assert len(calls) > 5
    assert all("$(call pip," in line for line in calls)


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize(("given", "shown"), [("", "demo"), ("SEED=27", "demo --seed 27")])
def test_make_run_starts_the_tour(given: str, shown: str) -> None:
    command = ["make", "-n", "-o", ".venv/installed", "run", *given.split()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[-2].strip() == f".venv/bin/mineproof {shown}"
