"""Missing games are noticed: a report never shows fewer games without saying so."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof import studies
from mineproof.cli import main
from mineproof.studies.parquet import UNSEALED, sealed
from mineproof.studies.report import report
from tests.studying import edit_manifest, forge, rows, small


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of an uninterrupted run."""
    return studies.run(small(), tmp_path_factory.mktemp("reference"), workers=1).path


@pytest.fixture
def folder(reference: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(reference, tmp_path / "small"))


CHUNK = "p00001-g000000.parquet"


def test_a_finished_study_has_every_game_of_every_point(
    folder: Path, reference: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "chunks" / CHUNK).unlink()
    assert main(["study", "report", str(folder)]) == 2
    said = capsys.readouterr().err
    assert "point 1 has 0 of 3 games, but according to the manifest the study is finished" in said
    assert "Run it again to replace them" in said
    assert not (folder / "report.html").exists()
    assert studies.run(small(), folder.parent, workers=1).finished
    assert rows(folder) == rows(reference)


def test_all_chunks_may_be_missing(folder: Path, reference: Path) -> None:
    shutil.rmtree(folder / "chunks")
    with pytest.raises(mp.FormatError, match="point 0 has 0 of 3 games"):
        report(folder)
    assert studies.run(small(), folder.parent, workers=1).finished
    assert rows(folder) == rows(reference)


def test_a_report_of_missing_chunks_says_how_much_is_missing(folder: Path) -> None:
    (folder / "chunks" / CHUNK).unlink()
    edit_manifest(folder, lambda manifest: manifest.update(finished=False))
    assert "Not finished: 9 of 12 games are shown." in report(folder).read_text()


def test_a_report_of_an_unfinished_study_says_how_much_it_shows(tmp_path: Path) -> None:
    with studies.study_run.StudyRun([small()], tmp_path, workers=1) as running:
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
def test_rows_that_no_run_writes_are_reported(kind: str, folder: Path) -> None:
    """Even if the checksum is right."""
    query, message = ROWS[kind]
    forge(folder, CHUNK, query)
    with pytest.raises(mp.FormatError, match=message):
        report(folder)


@pytest.mark.parametrize("content", [b"sha256:", b"PAR1" * 10 + UNSEALED.encode()])
def test_a_chunk_that_is_not_parquet_is_reported(content: bytes, folder: Path) -> None:
    run = studies.open_folder(folder).manifest.fingerprint
    (folder / "chunks" / CHUNK).write_bytes(sealed(content, run, CHUNK))
    with pytest.raises(mp.FormatError, match="cannot be read as games"):
        report(folder)


def test_a_chunk_that_could_not_be_moved_into_place_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace: Callable[..., Any] = Path.replace

    def full(path: Path, target: Path) -> Any:
        if target.name == CHUNK:
            raise OSError(28, "No space left on device")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(mp.MineproofError, match="No space left"):
        studies.run(small(), tmp_path, workers=1)
    monkeypatch.undo()
    chunks = studies.open_folder(tmp_path / "small").checked_chunks()
    assert CHUNK not in [path.name for path in chunks]
    assert report(tmp_path / "small").exists()


def test_reading_during_a_run_misses_nothing(tmp_path: Path) -> None:
    """Not even chunks that were finished after the manifest was read."""
    with studies.study_run.StudyRun([small()], tmp_path, workers=1) as running:
        work = running.work()
        next(work)
        early = studies.open_folder(tmp_path / "small")
        for _ in work:
            assert early.checked_chunks() == early.chunks()
    assert len(early.checked_chunks()) == 4
