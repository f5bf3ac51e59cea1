"""Results on disk are verified: damaged or foreign files are reported and played again."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import numpy as np
import pytest

import mineproof as mp
from mineproof import studies
from mineproof.cli import main
from mineproof.studies import Study
from mineproof.studies.parquet import Parquet
from mineproof.studies.report import report
from tests.studying import SMALL, edit_manifest, rows, small


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of an uninterrupted run."""
    return studies.run(small(), tmp_path_factory.mktemp("reference"), workers=1).path


@pytest.fixture
def folder(reference: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(reference, tmp_path / "small"))


def again(folder: Path) -> studies.StudyResults:
    return studies.run(small(), folder.parent, workers=1)


def flip(path: Path, place: int) -> None:
    content = bytearray(path.read_bytes())
    content[place % len(content)] ^= 1 << (place % 8)
    path.write_bytes(content)


def test_a_column_without_any_value_is_written(tmp_path: Path) -> None:
    """A column of any type, in any version of DuckDB."""
    parquet = Parquet()
    masked = {
        "point": np.arange(2),
        "text": np.ma.masked_array(np.array(["", ""], object), [True, True]),
        "number": np.ma.masked_array(np.array([0.0, 1.5]), [True, True]),
        "some": np.ma.masked_array(np.array([0, 7]), [True, False]),
        "truth": np.ma.masked_array(np.array([False, True]), [False, True]),
    }
    parquet.write(tmp_path / "x.parquet", masked, "run")
    parquet.close()
    assert duckdb.sql(f"FROM '{tmp_path}/x.parquet'").fetchall() == [
        (0, None, None, None, False),
        (1, None, None, 7, None),
    ]
    kinds = duckdb.sql(f"DESCRIBE FROM '{tmp_path}/x.parquet'").fetchall()
    assert [kind[1] for kind in kinds] == ["BIGINT", "VARCHAR", "DOUBLE", "BIGINT", "BOOLEAN"]


def test_every_byte_is_verified(reference: Path, folder: Path) -> None:
    """Wherever a byte flips, the chunk is reported and played again, and nothing is lost."""
    random = Random(15)
    chunk = folder / "chunks" / "p00002-g000000.parquet"
    size = chunk.stat().st_size  # a replayed chunk differs a little, because times differ
    for place in [0, -1, *random.sample(range(size), 40)]:
        flip(chunk, place)
        with pytest.raises(mp.FormatError, match="p00002.*is damaged"):
            report(folder)
        found = again(folder)
        assert len(found.damaged) == 1
        assert str(chunk) in found.damaged[0]
        assert rows(folder) == rows(reference)


@pytest.mark.parametrize("length", [0, 3, 4, 100, -1])
def test_a_truncated_chunk_is_played_again(reference: Path, folder: Path, length: int) -> None:
    chunk = folder / "chunks" / "p00001-g000000.parquet"
    chunk.write_bytes(chunk.read_bytes()[:length])
    with pytest.raises(mp.FormatError, match="p00001.*is damaged"):
        report(folder)
    assert again(folder).damaged
    assert rows(folder) == rows(reference)


def test_the_command_line_reports_damage(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = folder.parent / "small.toml"
    spec.write_text(
        'games = 3\n[[block]]\nagents = ["baseline", "random"]\nboards = ["5x5/4", "4x4/2"]\n'
    )
    flip(folder / "chunks" / "p00000-g000000.parquet", 500)
    (folder / "points.parquet").write_bytes(b"junk")
    words = ["study", "run", str(spec), "--out", str(folder.parent), "--workers", "1"]
    assert main(words) == 0
    shown = capsys.readouterr().err
    assert "p00000-g000000.parquet' is damaged: it will be rebuilt" in shown
    assert "points.parquet' is damaged: it will be rebuilt" in shown
    assert main(words) == 0
    assert capsys.readouterr().err == "all games were already played\n"


def test_a_damaged_points_file_is_rebuilt(reference: Path, folder: Path) -> None:
    """Reports do not need it; it is for other programs that read the results."""
    for content in (b"", b"junk", (reference / "chunks/p00000-g000000.parquet").read_bytes()):
        (folder / "points.parquet").write_bytes(content)
        assert report(folder).exists()
        assert "points.parquet" in again(folder).damaged[0]
        found = duckdb.sql(f"SELECT count(*) FROM '{folder}/points.parquet'").fetchall()
        assert found == [(4,)]
    (folder / "points.parquet").unlink()
    assert again(folder).damaged == ()
    assert (folder / "points.parquet").exists()


NONSENSE: list[Any] = [
    "",
    "{",
    "[" * 100_000,
    "[]",
    "null",
    "\udcff",
    {"format": 1},
    {"seconds": "long"},
    {"seconds": -1},
    {"seconds": float("nan")},
    {"spec": 7},
    {"spec": {}},
    {"versions": []},
    {"versions": {"mineproof": 1}},
    {"versions": {}},
    {"name": None},
    {"finished": "no"},
    {"checksums": ["x"]},
    {"checksums": {"points.parquet": 5}},
    {"machine": "mine"},
    {"plan": "x"},
    {"fingerprint": "0" * 64},
]


@pytest.mark.parametrize("nonsense", NONSENSE, ids=lambda it: str(it)[:20])
def test_an_invalid_manifest_is_reported_and_rewritten(
    nonsense: Any, reference: Path, folder: Path
) -> None:
    """The chunks identify their run, so none is lost."""
    manifest = folder / "manifest.json"
    text = nonsense
    if isinstance(nonsense, dict):
        text = json.dumps(json.loads(manifest.read_text()) | nonsense)
    manifest.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(mp.FormatError, match=r"manifest\.json' is damaged"):
        report(folder)
    before = {path: path.stat().st_mtime_ns for path in (folder / "chunks").iterdir()}
    found = again(folder)
    assert len(found.damaged) == 1
    assert "manifest.json' is damaged" in found.damaged[0]
    assert found.finished
    assert {path: path.stat().st_mtime_ns for path in (folder / "chunks").iterdir()} == before
    assert rows(folder) == rows(reference)
    assert again(folder).damaged == ()


def rewritten(chunk: Path, _: Path) -> None:
    """The same rows, written by another program."""
    other = chunk.with_name("other")
    duckdb.sql(f"COPY (FROM '{chunk}') TO '{other}' (FORMAT parquet)")
    other.replace(chunk)


def of_another_run(chunk: Path, elsewhere: Path) -> None:
    data = SMALL | {"seed": 99}
    other = studies.run(Study.from_dict("small", data), elsewhere, workers=1)
    shutil.copy(other.path / "chunks" / chunk.name, chunk)


def of_another_point(chunk: Path, _: Path) -> None:
    shutil.copy(chunk.with_name("p00003-g000000.parquet"), chunk)


@pytest.mark.parametrize("alter", [rewritten, of_another_run, of_another_point])
def test_a_chunk_from_elsewhere_is_played_again(
    alter: Callable[[Path, Path], None], reference: Path, folder: Path, tmp_path: Path
) -> None:
    chunk = folder / "chunks" / "p00001-g000000.parquet"
    alter(chunk, tmp_path / "elsewhere")
    with pytest.raises(mp.FormatError, match="p00001.*is damaged or belongs to another run"):
        report(folder)
    assert again(folder).damaged == (f"{str(chunk)!r} is damaged",)
    assert rows(folder) == rows(reference)


@pytest.mark.parametrize("name", ["p00001-g000099.parquet", "p99999-g000000.parquet"])
def test_a_chunk_that_no_run_wrote_is_removed(name: str, reference: Path, folder: Path) -> None:
    stranger = folder / "chunks" / name
    shutil.copy(folder / "chunks" / "p00001-g000000.parquet", stranger)
    with pytest.raises(mp.FormatError, match=f"{name}' is damaged or belongs to another run"):
        report(folder)
    assert again(folder).damaged == (f"{str(stranger)!r} is damaged",)
    assert rows(folder) == rows(reference)


@pytest.mark.parametrize("manifest", ["{", None])
def test_the_chunks_of_an_unknown_run_are_refused_and_kept(
    manifest: str | None, folder: Path, tmp_path: Path
) -> None:
    """Without its manifest a run is recognised by its chunks, so no other run replaces it."""
    (folder / "manifest.json").unlink()
    if manifest is not None:
        (folder / "manifest.json").write_text(manifest)
    before = {path: path.read_bytes() for path in folder.rglob("*.parquet")}
    other = Study.from_dict("small", SMALL | {"seed": 99})
    with pytest.raises(mp.InvalidInput, match="has chunks of an unknown run: .*--fresh"):
        studies.run(other, tmp_path, workers=1)
    assert {path: path.read_bytes() for path in folder.rglob("*.parquet")} == before
    assert again(folder).finished
    assert {path: path.read_bytes() for path in folder.rglob("*.parquet")} == before


@pytest.mark.parametrize("fresh", [False, True])
def test_other_files_are_neither_read_nor_changed(
    reference: Path, folder: Path, fresh: bool
) -> None:
    stranger = folder / "chunks" / "mine.parquet"
    stranger.write_bytes(b"mine")
    assert studies.run(small(), folder.parent, fresh=fresh, workers=1).damaged == ()
    assert report(folder).exists()
    assert rows(folder) == rows(reference)
    assert stranger.read_bytes() == b"mine"


@pytest.fixture
def earlier(folder: Path) -> Path:
    """A folder as written before chunks had seals: its manifest has a checksum of each file."""
    sums = {}
    for path in [*(folder / "chunks").iterdir(), folder / "points.parquet"]:
        rewritten(path, folder)
        sums[path.name] = hashlib.sha256(path.read_bytes()).hexdigest()
    edit_manifest(folder, lambda manifest: manifest.update(checksums=sums))
    return folder


def test_the_folder_of_an_earlier_version_is_read_and_continued(
    earlier: Path, reference: Path
) -> None:
    assert report(earlier).exists()
    flip(earlier / "chunks" / "p00000-g000000.parquet", 300)
    with pytest.raises(mp.FormatError, match="p00000.*is damaged"):
        report(earlier)
    kept = earlier / "chunks" / "p00001-g000000.parquet"
    before = kept.read_bytes()
    assert len(again(earlier).damaged) == 1
    assert kept.read_bytes() == before
    assert again(earlier).damaged == ()
    assert rows(earlier) == rows(reference)
