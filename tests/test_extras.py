"""A missing extra is named before anything runs, with a command that installs it here."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import mineproof as mp
from mineproof import extras, studies
from mineproof.cli import main
from mineproof.series.arena import Arena

CLONE = Path(__file__).parents[1]
PROJECT = tomllib.loads((CLONE / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]


class _Installed:
    """A distribution for which pip recorded the source."""

    def __init__(self, origin: object) -> None:
        self._text = None if origin is None else json.dumps(origin)

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return self._text


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "Makefile").touch()
    return tmp_path


def advice(monkeypatch: pytest.MonkeyPatch, origin: object, prefix: str = "/usr") -> str:
    monkeypatch.setattr(extras.metadata, "distribution", lambda _: _Installed(origin))
    monkeypatch.setattr(sys, "executable", f"{prefix}/bin/python")
    monkeypatch.setattr(sys, "prefix", prefix)
    return extras.how_to_install("studies")


def test_in_a_clone_the_advice_is_make(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    origin = {"url": clone.as_uri(), "dir_info": {"editable": True}}
    assert advice(monkeypatch, origin, f"{clone}/.venv") == f"make -C {clone} studies"
    monkeypatch.chdir(clone)
    assert advice(monkeypatch, origin, f"{clone}/.venv") == "make studies"


def test_in_another_environment_the_advice_is_its_own_pip(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    origin = {"url": clone.as_uri(), "dir_info": {"editable": True}}
    assert advice(monkeypatch, origin) == f"/usr/bin/python -m pip install -e '{clone}[studies]'"
    origin = {"url": clone.as_uri(), "dir_info": {}}
    assert advice(monkeypatch, origin) == f"/usr/bin/python -m pip install '{clone}[studies]'"


def test_for_a_wheel_the_advice_names_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "file:///tmp/mineproof-0.1.0.whl"
    shown = advice(monkeypatch, {"url": url, "archive_info": {}})
    assert shown == f"/usr/bin/python -m pip install 'mineproof[studies] @ {url}'"
    assert advice(monkeypatch, None) == "/usr/bin/python -m pip install 'mineproof[studies]'"


@pytest.mark.parametrize("extra", ["studies", "lp", "dask", "gym", "tables", "pictures"])
def test_make_installs_each_extra(extra: str) -> None:
    done = subprocess.run(
        ["make", "--dry-run", "--always-make", extra],
        cwd=CLONE, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert f"-r .venv/{extra}.txt" in done.stdout


def test_studies_install_everything_the_catalogue_needs() -> None:
    needed = {"duckdb", "jinja2", "matplotlib"}
    for name in studies.names():
        for point in studies.get(name).points():
            needed |= {"highspy"} if point.agent.startswith("linopt") else set()
    assert needed == {one.partition(">=")[0] for one in EXTRAS["studies"]}


NAMES = ("studies", "dask", "lp", "gym", "web", "postgres", "tables", "pictures")


def test_all_installs_every_extra() -> None:
    assert EXTRAS["all"] == ["mineproof[studies,dask,lp,gym,web,postgres,tables,pictures]"]
    assert set(EXTRAS) == {*NAMES, "all", "dev"}
    for name in NAMES:
        assert {*EXTRAS[name]} <= set(EXTRAS["dev"])


def test_a_study_is_refused_before_its_first_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    words = ["study", "run", "report004-success", "report000-linopt", "--quick"]
    assert main([*words, "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert "report000-linopt" in said
    assert "highspy" in said
    assert extras.how_to_install("lp") in said
    assert not list(tmp_path.glob("out/*/*.json"))


@pytest.mark.parametrize("module", ["duckdb", "matplotlib", "jinja2"])
def test_what_a_report_needs_is_checked_before_a_study_runs(
    module: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    words = ["study", "run", "report004-success", "--quick", "--out", str(tmp_path / "out")]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert f"this needs {module}, which is not installed: " in said
    assert extras.how_to_install("studies") in said
    assert not (tmp_path / "out").exists()


def test_an_arena_is_refused_before_its_first_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(mp.MineproofError, match="highspy, which is not installed: "):
        Arena(["baseline", "linopt"], mp.Deal(9, 9, 10), games=10)


def test_a_picture_names_the_package_that_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "screen.png"
    path.write_bytes(mp.render.view_png(mp.View.hidden(4, 4)))
    monkeypatch.setitem(sys.modules, "PIL", None)
    for command in ("analyse", "explain", "reasoners", "assist"):
        assert main([command, str(path)]) == 2
        said = capsys.readouterr().err
        assert "this needs PIL, which is not installed: " in said
        assert extras.how_to_install("pictures") in said
