"""What a run wrote is verified: damage is named and played again, what is foreign is refused."""

from __future__ import annotations

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
from mineproof.studies import Study, files
from mineproof.studies.report import report
from tests.studying import SMALL, rows, small, tiny


@pytest.fixture(scope="module")
def peace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a run in peace gives."""
    return studies.run(small(), tmp_path_factory.mktemp("peace"), workers=1).path


@pytest.fixture
def folder(peace: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(peace, tmp_path / "small"))


def again(folder: Path) -> studies.Folder:
    return studies.run(small(), folder.parent, workers=1)


def flip(path: Path, place: int) -> None:
    content = bytearray(path.read_bytes())
    content[place % len(content)] ^= 1 << (place % 8)
    path.write_bytes(content)


def test_a_column_without_any_value_is_written(tmp_path: Path) -> None:
    """Of any kind, whatever the version of DuckDB."""
    parquet = files.Parquet()
    masked = {
        "point": np.arange(2),
        "text": np.ma.masked_array(np.array(["", ""], object), [True, True]),
        "number": np.ma.masked_array(np.array([0.0, 1.5]), [True, True]),
        "some": np.ma.masked_array(np.array([0, 7]), [True, False]),
        "truth": np.ma.masked_array(np.array([False, True]), [False, True]),
    }
    sums: list[str] = []
    parquet.write(tmp_path / "x.parquet", masked, "label", sums.append)
    parquet.close()
    assert duckdb.sql(f"FROM '{tmp_path}/x.parquet'").fetchall() == [
        (0, None, None, None, False),
        (1, None, None, 7, None),
    ]
    kinds = duckdb.sql(f"DESCRIBE FROM '{tmp_path}/x.parquet'").fetchall()
    assert [kind[1] for kind in kinds] == ["BIGINT", "VARCHAR", "DOUBLE", "BIGINT", "BOOLEAN"]
    assert len(sums[0]) == 64


def test_every_byte_counts(peace: Path, folder: Path) -> None:
    """Wherever a byte flips, the chunk is named and played again, and nothing is lost."""
    random = Random(15)
    chunk = folder / "chunks" / "p00002-g000000.parquet"
    size = chunk.stat().st_size  # a little more or less when it is played again: times differ
    for place in [0, -1, *random.sample(range(size), 40)]:
        flip(chunk, place)
        with pytest.raises(mp.FormatError, match="p00002.*is damaged"):
            report(folder)
        found = again(folder)
        assert len(found.damaged) == 1
        assert str(chunk) in found.damaged[0]
        assert rows(folder) == rows(peace)


@pytest.mark.parametrize("length", [0, 3, 4, 100, -1])
def test_a_chunk_that_was_cut_off_is_played_again(peace: Path, folder: Path, length: int) -> None:
    chunk = folder / "chunks" / "p00001-g000000.parquet"
    chunk.write_bytes(chunk.read_bytes()[:length])
    with pytest.raises(mp.FormatError, match="p00001.*is damaged"):
        report(folder)
    assert again(folder).damaged
    assert rows(folder) == rows(peace)


def test_what_is_damaged_is_told_on_the_command_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = folder.parent / "small.toml"
    spec.write_text(
        'games = 3\n[[block]]\nagents = ["baseline", "random"]\nboards = ["5x5/4", "4x4/2"]\n'
    )
    flip(folder / "chunks" / "p00000-g000000.parquet", 500)
    (folder / "points.parquet").write_bytes(b"junk")
    words = ["study", "run", str(spec), "--out", str(folder.parent), "--workers", "1"]
    assert main(words) == 0
    told = capsys.readouterr().err
    assert "p00000-g000000.parquet' is damaged: it will be rebuilt" in told
    assert "points.parquet' is damaged: it will be rebuilt" in told
    assert main(words) == 0
    assert capsys.readouterr().err == "all games were already played\n"


def test_junk_in_the_place_of_points_does_not_stay(peace: Path, folder: Path) -> None:
    for content in (b"", b"junk", (peace / "chunks/p00000-g000000.parquet").read_bytes()):
        (folder / "points.parquet").write_bytes(content)
        with pytest.raises(mp.FormatError, match=r"points\.parquet.*is damaged"):
            report(folder)
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
def test_a_manifest_with_nonsense_is_named_and_all_is_played_again(
    nonsense: Any, peace: Path, folder: Path
) -> None:
    manifest = folder / "manifest.json"
    text = nonsense
    if isinstance(nonsense, dict):
        text = json.dumps(json.loads(manifest.read_text()) | nonsense)
    manifest.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(mp.FormatError, match=r"manifest\.json' is damaged"):
        report(folder)
    found = again(folder)
    assert len(found.damaged) == 1
    assert "manifest.json' is damaged" in found.damaged[0]
    assert found.finished
    assert rows(folder) == rows(peace)
    assert again(folder).damaged == ()


def rewritten(chunk: Path, _: Path) -> None:
    """The same rows, written by somebody else."""
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
@pytest.mark.parametrize("manifest", ["whole", "damaged"])
def test_what_is_foreign_is_refused_and_nothing_is_touched(
    alter: Callable[[Path, Path], None], manifest: str, folder: Path, tmp_path: Path
) -> None:
    chunk = folder / "chunks" / "p00001-g000000.parquet"
    flip(folder / "chunks" / "p00000-g000000.parquet", 200)
    alter(chunk, tmp_path / "elsewhere")
    if manifest == "damaged":
        (folder / "manifest.json").write_text("{")
    before = {path: path.read_bytes() for path in folder.rglob("*.parquet")}
    with pytest.raises(mp.InvalidInput, match="p00001.*was altered or belongs to another run"):
        again(folder)
    with pytest.raises(mp.FormatError):
        report(folder)
    assert {path: path.read_bytes() for path in folder.rglob("*.parquet")} == before


@pytest.mark.parametrize("name", ["p00001-g000099.parquet", "p99999-g000000.parquet"])
def test_a_chunk_that_no_run_wrote_is_refused(name: str, folder: Path) -> None:
    shutil.copy(folder / "chunks" / "p00001-g000000.parquet", folder / "chunks" / name)
    with pytest.raises(
        mp.InvalidInput, match=rf"{name}' was altered or belongs to another run.*--fresh"
    ):
        again(folder)
    with pytest.raises(mp.FormatError, match=rf"{name}' was not written by this run"):
        report(folder)
    assert studies.run(small(), folder.parent, fresh=True, workers=1).finished


@pytest.mark.parametrize("fresh", [False, True])
def test_a_file_beside_the_chunks_is_to_be_moved_away(folder: Path, fresh: bool) -> None:
    """It is not ours to remove: to begin anew would not help."""
    stranger = folder / "chunks" / "mine.parquet"
    stranger.write_bytes(b"mine")
    with pytest.raises(
        mp.InvalidInput, match=r"mine\.parquet' does not belong to a study: move"
    ) as told:
        studies.run(small(), folder.parent, fresh=fresh, workers=1)
    assert "--fresh" not in str(told.value)
    assert stranger.read_bytes() == b"mine"
    stranger.unlink()
    assert again(folder).finished


def test_a_journal_that_was_cut_off_loses_one_line(tmp_path: Path) -> None:
    """It has the checksums since the manifest was written; what it lost is no file yet."""
    with studies.running.Running([tiny()], tmp_path, workers=1) as running:
        work = running.work()
        for _ in range(4):
            next(work)
        journal = tmp_path / "tiny" / "checksums"
        journal.write_bytes(journal.read_bytes() + b"\n0123456789abcdef p000")
        copy = Path(shutil.copytree(tmp_path / "tiny", tmp_path / "killed" / "tiny"))
        work.close()
    found = studies.run(tiny(), copy.parent, workers=1)
    assert found.damaged == ()
    assert rows(copy) == rows(studies.run(tiny(), tmp_path, workers=1).path)
