"""A game that is not there is missed: a report never shows fewer without saying so."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof import studies
from mineproof.cli import main
from mineproof.studies.checksums import checksum
from mineproof.studies.report import report
from tests.studying import edit_manifest, forge, rows, small


@pytest.fixture(scope="module")
def peace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a run in peace gives."""
    return studies.run(small(), tmp_path_factory.mktemp("peace"), workers=1).path


@pytest.fixture
def folder(peace: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(peace, tmp_path / "small"))


CHUNK = "p00001-g000000.parquet"


def finished(folder: Path, value: bool) -> None:
    edit_manifest(folder, lambda manifest: manifest.update(finished=value))


@pytest.mark.parametrize("whole", [True, False])
def test_a_chunk_that_the_manifest_lists_is_missed(
    whole: bool, folder: Path, peace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    finished(folder, whole)
    (folder / "chunks" / CHUNK).unlink()
    assert main(["study", "report", str(folder)]) == 2
    said = capsys.readouterr().err
    assert f"{CHUNK}' is missing" in said
    assert "Run the study again to replace it" in said
    assert not (folder / "report.html").exists()
    found = studies.run(small(), folder.parent, workers=1)
    assert found.damaged == (f"{str(folder / 'chunks' / CHUNK)!r} is missing",)
    assert rows(folder) == rows(peace)


def test_points_that_are_missing_are_missed(folder: Path) -> None:
    (folder / "points.parquet").unlink()
    with pytest.raises(mp.FormatError, match=r"points\.parquet' is missing"):
        report(folder)
    assert studies.run(small(), folder.parent, workers=1).finished
    assert report(folder).exists()


def test_all_chunks_may_be_missing(folder: Path, peace: Path) -> None:
    shutil.rmtree(folder / "chunks")
    with pytest.raises(mp.FormatError, match=r"p00000-g000000\.parquet' is missing"):
        report(folder)
    assert studies.run(small(), folder.parent, workers=1).finished
    assert rows(folder) == rows(peace)


def test_a_chunk_that_left_no_trace_in_the_manifest_is_missed_too(folder: Path) -> None:
    """What is finished has every game of every point."""
    (folder / "chunks" / CHUNK).unlink()
    edit_manifest(folder, lambda manifest: manifest["checksums"].pop(CHUNK))
    with pytest.raises(mp.FormatError, match="point 1 has 0 of 3 games, but .* finished"):
        report(folder)


def test_a_page_of_what_is_unfinished_says_how_much_it_shows(tmp_path: Path) -> None:
    with studies.running.Running([small()], tmp_path, workers=1) as running:
        work = running.work()
        for _ in range(3):
            next(work)
        work.close()
    assert "Not finished: 6 of 12 games are shown." in report(tmp_path / "small").read_text()


ROWS: dict[str, tuple[str, str]] = {
    "a game twice": ("FROM {} UNION ALL (FROM {} LIMIT 1)", "point 1 has game 0 twice"),
    "another game": ("SELECT * REPLACE (game + 7 AS game) FROM {}", "point 1 has no game 7"),
    "no such point": ("SELECT * REPLACE (99 AS point) FROM {}", "point 99 does not exist"),
    "fewer games": ("FROM {} LIMIT 2", "point 1 has 2 of 3 games"),
    "text": ("SELECT * REPLACE ('x' AS won) FROM {}", "column 'won' has type "),
    "no numbers": ("SELECT * REPLACE (NULL::BIGINT AS game) FROM {}", "'game' has missing values"),
    "fractions": ("SELECT * REPLACE (game + 0.5 AS game) FROM {}", "column 'game' has type "),
    "no point": ("SELECT * EXCLUDE point FROM {}", "column 'point' has missing values"),
    "lists": ("SELECT * REPLACE ([1] AS moves) FROM {}", "cannot be read as games"),
}


@pytest.mark.parametrize("kind", ROWS)
def test_rows_that_no_run_writes_are_named(kind: str, folder: Path) -> None:
    """Also where the checksum is that of the file."""
    query, message = ROWS[kind]
    forge(folder, CHUNK, query)
    with pytest.raises(mp.FormatError, match=message):
        report(folder)


@pytest.mark.parametrize("content", [b"", b"junk", b"PAR1" * 10])
def test_what_is_no_parquet_is_named(content: bytes, folder: Path) -> None:
    path = folder / "chunks" / CHUNK
    path.write_bytes(content)
    edit_manifest(folder, lambda manifest: manifest["checksums"].update({CHUNK: checksum(path)}))
    with pytest.raises(mp.FormatError, match="cannot be read as games"):
        report(folder)


def test_a_manifest_lists_no_files_elsewhere(folder: Path) -> None:
    edit_manifest(folder, lambda manifest: manifest["checksums"].update({"../x": "0" * 64}))
    with pytest.raises(mp.FormatError, match=r"lists '\.\./x', which is not a file of a study"):
        report(folder)


def test_a_chunk_that_could_not_be_put_in_its_place_is_not_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was noted, as every one is before it is there; the manifest lists what is there."""
    replace: Callable[..., Any] = Path.replace

    def full(path: Path, target: Path) -> Any:
        if target.name == CHUNK:
            raise OSError(28, "No space left on device")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(mp.MineproofError, match="No space left"):
        studies.run(small(), tmp_path, workers=1)
    monkeypatch.undo()
    listed = json.loads((tmp_path / "small" / "manifest.json").read_text())["checksums"]
    assert CHUNK not in listed
    assert report(tmp_path / "small").exists()


def test_a_reader_of_a_run_at_work_misses_nothing(tmp_path: Path) -> None:
    """What came after the manifest was read is neither missing nor foreign."""
    with studies.running.Running([small()], tmp_path, workers=1) as running:
        work = running.work()
        next(work)
        early = studies.open_folder(tmp_path / "small")
        for _ in work:
            assert early.checked_chunks() == early.chunks()
    assert len(early.checked_chunks()) == 4
