"""The packages work without the clone: with a compiler, and without one."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import mineproof as mp

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
STUDY = """
games = 20
[[block]]
agents = ["baseline", "exact"]
boards = "5x5/4"
[[plot]]
y = "win"
x = "agent"
"""


def run(folder: Path, *command: object, **more: str) -> str:
    """The output of a command, run in a folder without access to the clone."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("MAKE", "PYTHON", "MINEPROOF", "VIRTUAL_ENV"))
    }
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env={**kept, **more},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    code = f"from scikit_build_core.build import build_sdist; build_sdist({str(folder)!r})"
    run(ROOT, sys.executable, "-c", code)
    (archive,) = folder.iterdir()
    return archive


def install(folder: Path, what: str, **more: str) -> Path:
    """The programs of a new environment with this installed."""
    run(folder, sys.executable, "-m", "venv", folder / "venv")
    programs = folder / "venv" / "bin"
    run(folder, programs / "python", "-m", "pip", "install", "--quiet", what, **more)
    return programs


def try_out(folder: Path, programs: Path) -> str:
    """Play a game, run a study, write its report; return which engine did it."""
    mineproof = programs / "mineproof"
    game = run(folder, mineproof, "play", "--level", "beginner", "--agent", "exact", "--seed", "1")
    assert game.splitlines()[-1] == "won"
    (folder / "small.toml").write_text(STUDY)
    run(folder, mineproof, "study", "run", "small.toml", "--out", "out")
    run(folder, mineproof, "study", "report", "out")
    assert list(folder.glob("out/**/*.html"))
    code = "import mineproof as mp; print(mp.engine, *mp.studies.names())"
    engine, *studies = run(folder, programs / "python", "-c", code).split()
    assert studies == mp.studies.names()
    return engine


def test_the_source_archive_contains_everything_to_build_it(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"CMakeLists.txt", "LICENSE", "README.md", "native/python/module.cpp"} <= names
    assert not any(name.startswith(("tests/", "build/", ".venv/")) for name in names)


@pytest.mark.skipif(mp.engine == "python", reason="no compiler works here")
def test_a_wheel_plays_and_runs_studies(sdist: Path, tmp_path: Path) -> None:
    """Built from the archive, so nothing comes from the clone."""
    build = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation")
    run(tmp_path, *build, "--wheel-dir", tmp_path, sdist, MINEPROOF_REQUIRE_NATIVE="1")
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    source = ROOT / "src"
    for file in source.rglob("*"):
        kept = file.suffix in {".py", ".toml", ".csv", ".pyi", ".typed", ".css", ".html"}
        if kept or (file.is_file() and "static" in file.parts):
            assert str(file.relative_to(source)) in names
    programs = install(tmp_path, f"{wheel}[studies]")
    assert try_out(tmp_path, programs) == "native"
    game = run(tmp_path, programs / "mineproof", "play", "--agent", "champion", "--seed", "1")
    assert game.splitlines()[-1] in {"won", "lost"}


def test_without_a_compiler_it_installs_and_works(sdist: Path, tmp_path: Path) -> None:
    programs = install(tmp_path, f"{sdist}[studies]", CXX="false", CC="false")
    assert try_out(tmp_path, programs) == "python"
