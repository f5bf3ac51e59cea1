"""A run can be interrupted by anything and resumed, with the result of an uninterrupted run."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pexpect
import pytest

import mineproof as mp
from mineproof import _engine, studies
from mineproof.cli import main
from mineproof.extras import how_to_install
from mineproof.series.columns import Column
from mineproof.studies import Study, tasks
from mineproof.studies.study_run import StudyRun
from tests.processes import children, is_running
from tests.studying import STEADY, TINY, rows, tiny


@pytest.fixture(scope="module")
def steady(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A spec file of a study that takes some seconds, and the rows of an uninterrupted run."""
    folder = tmp_path_factory.mktemp("steady")
    (folder / "steady.toml").write_text(STEADY)
    studies.run(Study.from_toml(folder / "steady.toml"), folder / "peace", workers=2)
    return folder


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "mineproof", "study", "run", *map(str, words)]


def begun(steady: Path, out: Path, *more: str) -> subprocess.Popen[str]:
    """A run in another process that has finished some chunks, but not all."""
    words = command(steady / "steady.toml", "--out", out, "--workers", 2, *more)
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while len(finished(out)) < 2:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return process


def finished(out: Path) -> list[Path]:
    return sorted((out / "steady" / "chunks").glob("p*.parquet"))


def test_the_result_does_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    one, two, three = (studies.run(tiny(), tmp_path / str(n), workers=n).path for n in (1, 2, 3))
    assert rows(one) == rows(two) == rows(three)
    assert [path.name for path in studies.open_folder(one).chunks()] == [
        path.name for path in studies.open_folder(three).chunks()
    ]


def test_a_killed_run_can_be_resumed(steady: Path, tmp_path: Path) -> None:
    process = begun(steady, tmp_path)
    workers = children(process.pid)
    assert len(workers) == 2
    process.kill()
    process.communicate()
    kept = {path: path.stat().st_mtime_ns for path in finished(tmp_path)}
    assert not studies.open_folder(tmp_path / "steady").finished
    left_over = tmp_path / "steady" / "chunks" / ".p00000-g000000.parquet.tmp"
    left_over.write_bytes(b"PAR1 half of a chunk")

    again = subprocess.run(
        command(steady / "steady.toml", "--out", tmp_path, "--workers", 2),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Next: mineproof study report" in again.stdout
    assert len(finished(tmp_path)) > len(kept)
    assert all(path.stat().st_mtime_ns == then for path, then in kept.items())
    assert not left_over.exists()
    assert studies.open_folder(tmp_path / "steady").finished
    assert rows(tmp_path / "steady") == rows(steady / "peace" / "steady")
    assert not any(is_running(worker) for worker in workers)


def test_ctrl_c_keeps_finished_chunks(steady: Path, tmp_path: Path) -> None:
    process = begun(steady, tmp_path)
    workers = children(process.pid)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "interrupted: finished games are kept" in out
    assert "run the same command again to continue" in out
    kept = len(finished(tmp_path))
    study = Study.from_toml(steady / "steady.toml")
    with StudyRun([study], tmp_path, workers=1) as running:
        assert len(running.left) == len(running.writers[0].plan) - kept
        for _ in running.work():
            pass
    assert rows(tmp_path / "steady") == rows(steady / "peace" / "steady")
    assert not any(is_running(worker) for worker in workers)


def test_ctrl_c_waits_for_the_chunk_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DuckDB would report it as a failed query."""
    sync = os.fsync

    def pressed(handle: int) -> None:
        signal.raise_signal(signal.SIGINT)
        sync(handle)

    with StudyRun([tiny()], tmp_path, workers=1) as running:
        work = running.work()
        next(work)
        monkeypatch.setattr("os.fsync", pressed)
        with pytest.raises(KeyboardInterrupt):
            next(work)
        monkeypatch.undo()
        kept = len(running.writers[0].plan) - len(running.left)
    chunks = studies.open_folder(tmp_path / "tiny").chunks()
    assert len(chunks) == kept > 0
    assert studies.open_folder(tmp_path / "tiny").checked_chunks() == chunks


def test_a_terminal_shows_rate_and_remaining_time(steady: Path, tmp_path: Path) -> None:
    words = command(steady / "steady.toml", "--out", tmp_path)
    terminal = pexpect.spawn(words[0], words[1:], dimensions=(20, 100), timeout=60)
    terminal.expect(r"/2000.{0,12}games \(\d+/s, \d+:\d\d left\)")
    terminal.sendintr()
    terminal.expect("interrupted: finished games are kept")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 130


def test_a_dead_worker_ends_the_run_and_loses_nothing(steady: Path, tmp_path: Path) -> None:
    process = begun(steady, tmp_path)
    os.kill(children(process.pid)[0], signal.SIGKILL)
    _, complaint = process.communicate(timeout=20)
    assert process.returncode == 2
    assert "a worker process died before its chunk was finished" in complaint
    studies.run(Study.from_toml(steady / "steady.toml"), tmp_path)
    assert rows(tmp_path / "steady") == rows(steady / "peace" / "steady")


def test_two_runs_cannot_share_a_folder(tmp_path: Path) -> None:
    study = tiny().with_games(2)
    with (
        StudyRun([study], tmp_path),
        pytest.raises(mp.MineproofError, match=rf"written by another run \(process {os.getpid()}"),
    ):
        StudyRun([study], tmp_path)
    assert studies.run(study, tmp_path).finished


def test_a_finished_study_is_not_run_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.toml").write_text(STEADY)
    words = ["study", "run", str(tmp_path / "mine.toml"), "--quick", "--out", str(tmp_path)]
    assert main(words) == 0
    assert f"Next: mineproof study report {tmp_path / 'mine'}" in capsys.readouterr().out
    assert main([*words, "--json"]) == 0
    known = capsys.readouterr()
    assert "all games were already played" in known.err
    (one,) = json.loads(known.out)["studies"]
    assert (one["name"], one["finished"]) == ("mine", True)


def refusal(study: Study, out: Path) -> str:
    with pytest.raises(mp.InvalidInput) as caught:
        studies.run(study, out, workers=1)
    message = str(caught.value)
    assert message.endswith("Choose another folder (--out), or start again (--fresh)")
    return message


def test_results_of_different_settings_are_not_mixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = tiny().with_games(3)
    before = rows(studies.run(study, tmp_path, workers=1).path)
    assert "games was 3 and is now 4" in refusal(study.with_games(4), tmp_path)
    assert "seed was 7 and is now 8" in refusal(
        Study.from_dict("tiny", TINY | {"seed": 8}), tmp_path
    )
    other = TINY | {"block": [{**TINY["block"][0], "flood": False}, TINY["block"][1]]}
    message = refusal(Study.from_dict("tiny", other).with_games(3), tmp_path)
    assert "block[0].flood was [true] and is now [false]" in message
    with _engine.using("python"):
        assert 'engine was "native" and is now "python"' in refusal(study, tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr("mineproof.studies.manifest.__version__", "9.9")
        assert 'version was "0.1.0" and is now "9.9"' in refusal(study, tmp_path)
    assert rows(tmp_path / "tiny") == before


def test_without_finished_chunks_nothing_can_be_mixed(tmp_path: Path) -> None:
    with StudyRun([tiny()], tmp_path):
        pass
    assert studies.run(tiny(), tmp_path, games=1).finished


def test_titles_and_plots_may_change(tmp_path: Path) -> None:
    folder = studies.run(tiny().with_games(2), tmp_path, workers=1)
    data = TINY | {"title": "Other words", "plot": [{"y": "moves", "x": "mines"}]}
    again = studies.run(Study.from_dict("tiny", data), tmp_path, games=2)
    assert again.manifest.fingerprint == folder.manifest.fingerprint
    assert studies.open_folder(tmp_path / "tiny").study.plots[0].y == "moves"


def test_fresh_starts_again_and_keeps_other_files(tmp_path: Path) -> None:
    studies.run(tiny(), tmp_path, games=50, workers=1)
    note = tmp_path / "tiny" / "chunks" / "note.txt"
    note.write_text("mine")
    folder = studies.run(tiny(), tmp_path, games=2, fresh=True, workers=1)
    assert {len(numbers) for numbers in by_point(folder.path).values()} == {2}
    assert note.read_text() == "mine"


def by_point(path: Path) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for point, game, *_ in rows(path):
        found.setdefault(point, []).append(game)
    return found


def test_a_folder_can_be_read_while_it_is_written(tmp_path: Path) -> None:
    with StudyRun([tiny()], tmp_path, workers=1) as running:
        work = running.work()
        for _ in range(4):
            next(work)
        folder = studies.open_folder(tmp_path / "tiny")
        assert len(folder.chunks()) == 3
        assert not folder.finished
        work.close()
    assert studies.run(tiny(), tmp_path).finished


def test_results_are_plain_parquet_files(tmp_path: Path) -> None:
    """Anyone who reads Parquet can join the chunks with their points."""
    folder = studies.run(tiny(), tmp_path, games=6)
    path = folder.path
    found = duckdb.sql(
        f"SELECT agent, board, count(*), count(score) FROM '{path}/chunks/*.parquet' "
        f"JOIN '{path}/points.parquet' USING (point) WHERE on_mine = 'end' "
        "GROUP BY ALL ORDER BY board DESC, agent"
    ).fetchall()
    assert found[0] == ("baseline", "9x9/10", 6, 0)
    assert len(found) == 5
    manifest = json.loads((path / "manifest.json").read_text())
    assert manifest["format"] == "mineproof-study-2"
    assert Study.from_dict(manifest["name"], manifest["spec"]) == folder.study
    assert {"mineproof", "python", "numpy", "duckdb"} <= set(manifest["versions"])
    assert manifest["seconds"] > 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 100 KB, if the test may mount one."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", str(place)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("no mount here")
    if done.returncode:
        pytest.skip("no disk can be made here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk_is_reported_and_corrupts_nothing(small_disk: Path, tmp_path: Path) -> None:
    study = Study.from_dict("large", {"block": [{"agents": "random", "boards": "20x20/0.1"}]})
    study = study.with_games(30_000)
    with pytest.raises(
        mp.MineproofError, match="cannot write .*: No space left on device; everything"
    ):
        studies.run(study, small_disk, workers=2)
    folder = studies.open_folder(small_disk / "large")
    assert folder.chunks()
    assert folder.checked_chunks() == folder.chunks()
    assert not list((small_disk / "large" / "chunks").glob(".*"))
    moved = subprocess.run(["cp", "-r", small_disk / "large", tmp_path / "large"], check=True)
    assert moved.returncode == 0
    assert len(rows(studies.run(study, tmp_path).path)) == 30_000


def test_a_disk_error_leaves_no_partial_chunk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with StudyRun([tiny()], tmp_path, workers=1) as running:
        work = running.work()
        for _ in range(3):
            next(work)
        monkeypatch.setattr("os.fsync", full)
        with pytest.raises(mp.MineproofError, match="cannot write .*No space left"):
            next(work)
    monkeypatch.undo()
    folder = studies.open_folder(tmp_path / "tiny")
    assert len(folder.chunks()) == 2
    assert sorted(path.name for path in (folder.path / "chunks").iterdir()) == [
        path.name for path in folder.chunks()
    ]
    assert rows(studies.run(tiny(), tmp_path).path) == rows(
        studies.run(tiny(), tmp_path / "b").path
    )


def test_an_unwritable_folder_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("no folder")
    (tmp_path / "mine.toml").write_text(STEADY)
    words = ["study", "run", str(tmp_path / "mine.toml"), "--out", str(tmp_path / "file" / "x")]
    assert main(words) == 2
    assert "cannot write" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nonsense"], "unknown study 'nonsense'"),
        (["x.toml"], "cannot read 'x.toml'"),
        (["speed", "--games", "3", "--quick"], "give --games or --quick, not both"),
        (["speed", "--games", "0"], "games per point must be from 1 to 10**9, got 0"),
        (["speed", "speed"], "study 'speed' is given twice"),
        (["speed", "--workers", "0"], "workers must be from 1 to 10000, got 0"),
        (["speed", "--workers", "2", "--dask", "x"], "give `workers` or `dask`, not both"),
    ],
)
def test_studies_that_cannot_run_are_refused(
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["study", "run", *words]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_an_agent_that_cannot_play_here_is_reported_before_anything_runs(tmp_path: Path) -> None:
    data = {"block": [{"agents": ["random", "champion"], "boards": "9x9/10"}]}
    with (
        _engine.using("python"),
        pytest.raises(mp.EngineError, match="study 'x': 'champion' on '9x9/10': "),
    ):
        studies.run(Study.from_dict("x", data), tmp_path)
    assert not list(tmp_path.iterdir())


OWN = (Column("odd", "?", "whether the number is"), Column("maybe", "f8", "unknown at times"))


def own_task(rows: Any) -> tasks.PointTask:
    return tasks.PointTask(tasks.tabulated(rows, OWN), OWN)


def test_a_users_own_task_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def boards(point: studies.Point, seed: int, games: range) -> list[Any]:
        return [{"game": n, "odd": bool(n % 2), "maybe": None if n % 2 else n} for n in games]

    monkeypatch.setitem(tasks.TASKS, "boards", own_task(boards))
    block = {"task": "boards", "agents": "random", "boards": "4x4/1"}
    study = Study.from_dict("own", {"games": 4, "block": [block]})
    assert rows(studies.run(study, tmp_path).path) == [
        (0, 0, False, 0),
        (0, 1, True, None),
        (0, 2, False, 2),
        (0, 3, True, None),
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"game": 99, "odd": True}, "a row for each of the games"),
        ({"game": 0, "odd": [1]}, "column 'odd' must have booleans or numbers"),
        ({"game": 0}, "column 'odd' must have booleans or numbers, got None"),
    ],
)
def test_a_task_with_a_wrong_result_is_reported(
    row: Any, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(tasks.TASKS, "odd", own_task(lambda *_: [row]))
    block = {"task": "odd", "agents": "random", "boards": "4x4/1"}
    study = Study.from_dict("own", {"games": 1, "block": [block]})
    with pytest.raises(mp.MineproofError, match=f"task 'odd', agent 'random'.*{message}"):
        studies.run(study, tmp_path)


def test_the_studies_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "list"]) == 0
    shown = capsys.readouterr().out
    assert main(["study", "list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["studies"]
    assert [one["name"] for one in listed] == studies.names()
    assert all(one["name"] in shown and one["games"] > 0 for one in listed)


def test_nothing_heavy_is_imported_before_it_is_used() -> None:
    code = (
        "import sys; from mineproof import studies; studies.get(studies.names()[0]); "
        "print({'duckdb', 'matplotlib', 'distributed', 'pandas'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize(
    ("module", "extra", "more"),
    [("duckdb", "studies", []), ("distributed", "dask", ["--dask", "tcp://127.0.0.1:1"])],
)
def test_a_missing_extra_is_reported(
    module: str,
    extra: str,
    more: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "mine.toml").write_text(STEADY)
    monkeypatch.setitem(sys.modules, module, None)
    words = ["study", "run", str(tmp_path / "mine.toml"), "--out", str(tmp_path)]
    assert main([*words, *more]) == 2
    assert how_to_install(extra) in capsys.readouterr().err


def test_studies_run_one_after_the_other_smallest_first(tmp_path: Path) -> None:
    few, many = (
        Study.from_dict(name, {"games": games, "block": [{"agents": ["simple"], "boards": boards}]})
        for name, games, boards in (
            ("few", 5, ["9x9/10", "9x9/12"]),
            ("many", 500, ["9x9/10", "16x16/40"]),
        )
    )
    with StudyRun([many, few], tmp_path, workers=1) as running:
        order = [chunk.study for chunk in running.left]
    assert order == sorted(order, reverse=True)
    assert set(order) == {0, 1}
