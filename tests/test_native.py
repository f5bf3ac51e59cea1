"""The compiled part is there, is described by its stub, and can be done without."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import mineproof as mp
from mineproof import _engine

ROOT = Path(__file__).parents[1]


def test_the_stub_is_that_of_the_module(tmp_path: Path) -> None:
    fresh = tmp_path / "_native.pyi"
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "mineproof._native", "-o", fresh],
        check=True,
    )
    committed = ROOT / "src" / "mineproof" / "_native.pyi"
    assert fresh.read_text() == committed.read_text(), "run `make stub`"


def version(**environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mineproof", "--version"],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_engine_is_chosen_by_the_environment() -> None:
    assert version(MINEPROOF_ENGINE="").stdout == f"mineproof {mp.__version__} (engine: native)\n"
    assert "(engine: python)" in version(MINEPROOF_ENGINE="python").stdout
    wrong = version(MINEPROOF_ENGINE="nativ")
    assert wrong.returncode == 2
    assert "did you mean 'native'" in wrong.stderr
    assert "Traceback" not in wrong.stderr


def test_the_engine_is_told() -> None:
    for engine in _engine.ENGINES:
        with _engine.using(engine):
            assert mp.engine == engine


def test_without_a_compiler_the_package_installs_and_plays(tmp_path: Path) -> None:
    """As pure Python, into an environment of its own; and it says so."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    python = tmp_path / "env" / "bin" / "python"
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("MINEPROOF_", "PYTHON"))
    } | {"CC": "/bin/false", "CXX": "/bin/false"}
    pip = [python, "-m", "pip", "--disable-pip-version-check", "-q", "install"]
    done = subprocess.run(
        [*pip, ROOT, "--config-settings", f"build-dir={tmp_path / 'build'}"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr

    def run(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [python, "-m", "mineproof", *arguments],
            env=environment | more,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )

    assert run("--version").stdout == f"mineproof {mp.__version__} (engine: python)\n"
    game = run("play", "--level", "beginner", "--seed", "1")
    assert game.returncode == 0, game.stderr
    assert game.stdout.splitlines()[-1] in {"won", "lost"}
    native = run("play", MINEPROOF_ENGINE="native")
    assert native.returncode == 2
    assert "no compiled part" in native.stderr


def test_a_failed_build_is_an_error_where_the_native_part_is_required(tmp_path: Path) -> None:
    environment = os.environ | {
        "CC": "/bin/false",
        "CXX": "/bin/false",
        "MINEPROOF_REQUIRE_NATIVE": "1",
    }
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "-q",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            str(tmp_path),
            "--config-settings",
            f"build-dir={tmp_path / 'build'}",
            str(ROOT),
        ],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        pytest.fail("the build fell back to pure Python in silence")
