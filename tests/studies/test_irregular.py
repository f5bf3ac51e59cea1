"""A study reads only regular files of a plausible size from its folder."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import mineproof as mp
from mineproof import studies
from mineproof.cli import main
from mineproof.studies.parquet import is_sound
from tests.studying import rows, small

CHUNK = "chunks/p00001-g000000.parquet"


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of an uninterrupted run."""
    return studies.run(small(), tmp_path_factory.mktemp("reference"), workers=1).path


@pytest.fixture
def folder(reference: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy; the test fails if reading it takes long, as reading a pipe would."""

    def stop(*_: object) -> None:
        raise TimeoutError("it hangs")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(10)
    yield Path(shutil.copytree(reference, tmp_path / "small"))
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def link_to_zeros(path: Path) -> None:
    path.symlink_to("/dev/zero")


def link_to_a_copy(path: Path) -> None:
    """Even a link to a file with the right contents."""
    copy = path.parent.parent / "copy"
    copy.write_bytes(path.read_bytes() if path.exists() else b"1\n")
    path.unlink(missing_ok=True)
    path.symlink_to(copy)


def link_to_nothing(path: Path) -> None:
    path.symlink_to("nothing")


def a_folder(path: Path) -> None:
    path.mkdir()


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        before = Path.cwd()
        os.chdir(path.parent)  # a socket's path has at most 107 bytes
        try:
            made.bind(path.name)
        finally:
            os.chdir(before)


def huge(path: Path) -> None:
    """A huge sparse file, which takes no space on disk."""
    with path.open("wb") as file:
        file.truncate(2**40)


KINDS = [pipe, link_to_zeros, link_to_a_copy, link_to_nothing, a_socket, huge]
FILES = ("manifest.json", CHUNK, "points.parquet")


def put(make: Callable[[Path], None], path: Path) -> None:
    """Replace a file with something else."""
    if make is not link_to_a_copy:
        path.unlink(missing_ok=True)
    make(path)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("make", KINDS)
def test_anything_but_a_regular_file_is_replaced_unread(
    make: Callable[[Path], None],
    name: str,
    folder: Path,
    reference: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nothing hangs, and nothing is written to the target of a link."""
    put(make, folder / name)
    for words in (["report"], ["verify", "--sample", "1"]):
        code = 0 if name == "points.parquet" else 2  # points are for other programs
        assert main(["study", *words, str(folder)]) == code
        said = capsys.readouterr().err
        assert code == 0 or Path(name).name in said or "no study in" in said
    copy = (folder / name).parent.parent / "copy"
    before = copy.read_bytes() if copy.exists() else b""
    found = studies.run(small(), folder.parent, workers=1)
    assert len(found.damaged) == 1
    assert Path(name).name in found.damaged[0]
    assert stat.S_ISREG((folder / name).lstat().st_mode)
    assert not copy.exists() or copy.read_bytes() == before
    assert rows(folder) == rows(reference)


@pytest.mark.parametrize("name", FILES)
def test_a_folder_in_place_of_a_file_is_refused(name: str, folder: Path) -> None:
    put(a_folder, folder / name)
    with pytest.raises(mp.MineproofError, match=f"cannot write .*{Path(name).name}'"):
        studies.run(small(), folder.parent, workers=1)


@pytest.mark.parametrize("make", [pipe, link_to_zeros, link_to_a_copy, link_to_nothing])
@pytest.mark.parametrize("name", FILES)
def test_fresh_removes_it(make: Callable[[Path], None], name: str, folder: Path) -> None:
    put(make, folder / name)
    assert studies.run(small(), folder.parent, workers=1, fresh=True).finished
    assert not (folder / name).is_symlink()


@pytest.mark.parametrize("make", [*KINDS, a_folder])
def test_a_lock_that_is_not_a_regular_file_is_refused(
    make: Callable[[Path], None], folder: Path
) -> None:
    """Through a link, the process number would overwrite the link's target."""
    put(make, folder / "lock")
    with pytest.raises(mp.InvalidInput, match="lock' is not a regular file"):
        studies.run(small(), folder.parent, workers=1)
    if make is link_to_a_copy:
        assert (folder / "lock").read_bytes() == (folder.parent / "copy").read_bytes() != b""


@pytest.mark.parametrize("make", [pipe, link_to_zeros, link_to_nothing])
@pytest.mark.parametrize(
    "name", ["report.html", ".report.html.tmp", "figures/small-1.svg", "figures/.small-1.png.tmp"]
)
def test_reports_are_not_written_into_pipes_and_links(
    make: Callable[[Path], None], name: str, folder: Path
) -> None:
    from mineproof.studies import Study
    from mineproof.studies.report import report
    from tests.studying import SMALL

    study = Study.from_dict("small", SMALL | {"plot": [{"y": "win", "x": "density"}]})
    studies.run(study, folder.parent, workers=1)
    (folder / "figures").mkdir()
    make(folder / name)
    assert report(folder).read_text().startswith("<!DOCTYPE html>")
    made = {path.name for path in (folder / "figures").iterdir() if path.is_file()}
    assert made == {"small-1.svg", "small-1.png"}
    assert not (folder / "nothing").exists()
    assert not (folder / "figures" / "nothing").exists()


def test_folders_may_be_links(folder: Path, reference: Path, tmp_path: Path) -> None:
    """Results may be on another disk: a study's folder, or its chunks."""
    (folder / "chunks").rename(tmp_path / "elsewhere")
    (folder / "chunks").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "small").symlink_to(folder)
    again = studies.run(small(), tmp_path / "out", workers=1)
    assert again.damaged == ()
    assert main(["study", "report", str(tmp_path / "out" / "small")]) == 0
    assert rows(again.path) == rows(reference)


@pytest.mark.skipif(os.getuid() == 0, reason="root reads everything")
def test_an_unreadable_manifest_loses_nothing(folder: Path) -> None:
    (folder / "manifest.json").chmod(0)
    with pytest.raises(mp.MineproofError, match=r"cannot read .*manifest\.json'"):
        studies.run(small(), folder.parent, workers=1)
    assert len(list((folder / "chunks").iterdir())) == 4


def test_a_file_swapped_for_a_pipe_before_it_is_opened_does_not_hang(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is it read: such a chunk counts as missing."""
    path = folder / CHUNK
    look = os.lstat

    def swapped(one: Path) -> os.stat_result:
        found = look(one)
        if one == path:
            path.unlink()
            os.mkfifo(path)
        return found

    monkeypatch.setattr("os.lstat", swapped)
    assert not is_sound(path, studies.open_folder(folder).manifest)


def test_a_path_given_by_the_user_may_be_a_pipe(tmp_path: Path) -> None:
    """As a shell passes for `<(...)`; only files in study folders must be regular."""
    pipe = tmp_path / "small.toml"
    os.mkfifo(pipe)
    child = os.fork()
    if child == 0:
        pipe.write_text('games = 2\n[[block]]\nagents = "random"\nboards = "4x4/2"\n')
        os._exit(0)
    assert main(["study", "run", str(pipe), "--out", str(tmp_path / "out"), "--workers", "1"]) == 0
    os.waitpid(child, 0)


def test_a_report_that_is_a_link_is_not_served(folder: Path, tmp_path: Path) -> None:
    """The server would show the link's target."""
    from mineproof.web.study_pages import Studies

    (tmp_path / "secret").write_text("mine")
    (folder / "report.html").symlink_to(tmp_path / "secret")
    assert not Studies.has_page(folder)
    assert Studies(tmp_path).listed() == [{"study": "small", "ready": False}]
    assert main(["study", "report", str(folder)]) == 0
    assert Studies(tmp_path).listed() == [{"study": "small", "ready": True}]
    assert (tmp_path / "secret").read_text() == "mine"
