"""A stored game must equal what its seed gives: replaying shows what no checksum can."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof import _engine, studies
from mineproof.cli import main
from mineproof.studies import Study, verification
from mineproof.studies.report import report
from mineproof.studies.verification import verify
from tests.studying import edit_manifest, forge

MIXED: dict[str, Any] = {
    "games": 6,
    "seed": 4,
    "block": [
        {"agents": ["baseline", "one-two", "exact"], "boards": ["8x8/0.2"], "on_mine": "continue"},
        {"agents": "csp", "boards": ["5x5/4"], "clues": "sometimes:0.5", "opening": "safe"},
        {"agents": "exact", "boards": "6x6/7", "task": "calibration"},
        {"agents": "baseline", "boards": "6x6/7", "task": "influence"},
    ],
}
"""Compiled agents and others, uncertain clues, unknown values, and three tasks."""


def mixed() -> Study:
    return Study.from_dict("mixed", MIXED)


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of an uninterrupted run."""
    return studies.run(mixed(), tmp_path_factory.mktemp("reference"), workers=1).path


@pytest.fixture
def folder(reference: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(reference, tmp_path / "mixed"))


@pytest.mark.parametrize("workers", [1, 2])
def test_an_uninterrupted_run_equals_its_replay(reference: Path, workers: int) -> None:
    (found,) = verify(reference, every=True, workers=workers)
    assert found.games == found.planned == 36
    assert found.replayed == dict.fromkeys(range(6), 6)
    assert (found.differing, found.mismatches) == (0, [])
    assert found.chance == found.least_chance == 1


FORGED = {
    "a win": ("CASE game WHEN 3 THEN NOT won ELSE won END AS won", "won"),
    "a flag": ('"right" + (game = 3)::BIGINT AS "right"', "right"),
    "a bit": ("CASE game WHEN 3 THEN -expected_score ELSE expected_score END AS expected_score",
              "expected_score"),
    "nothing known": ("CASE game WHEN 3 THEN NULL ELSE guesses END AS guesses", "guesses"),
}  # fmt: skip


@pytest.mark.parametrize("what", FORGED)
def test_a_forged_game_is_reported(
    what: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its checksum is right and a report shows it: only replaying the game exposes it."""
    expression, column = FORGED[what]
    forge(folder, "p00001-g000000.parquet", f"SELECT * REPLACE ({expression}) FROM {{}}")
    assert report(folder).exists()
    assert main(["study", "verify", str(folder), "--all"]) == 1
    known = capsys.readouterr()
    assert known.err == ""
    assert "36 of 36 games replayed at 6 of 6 points: 1 game differs" in known.out
    assert f"point 1 (one-two on 8x8/0.2), game 3: {column} is stored as" in known.out
    assert main(["study", "verify", str(folder), "--all", "--json"]) == 1
    (one,) = json.loads(capsys.readouterr().out)["studies"]
    assert one["differing"] == 1
    (difference,) = one["differences"]
    assert (difference["point"], difference["game"]) == (1, 3)
    assert difference["column"] == column
    assert difference["stored"] != difference["replayed"]


def test_only_times_may_differ(folder: Path) -> None:
    name = "p00002-g000000.parquet"
    forge(folder, name, "SELECT * REPLACE (cpu_seconds * 2 AS cpu_seconds) FROM {}")
    assert verify(folder, every=True, workers=1)[0].differing == 0
    forge(folder, name, "SELECT * EXCLUDE mines FROM {}")
    (found,) = verify(folder, every=True, workers=1)
    assert found.differing == 6
    assert {(one.column, one.stored) for one in found.mismatches} == {("mines", None)}
    forge(folder, name, "SELECT *, 1 AS more FROM {}")
    (found,) = verify(folder, every=True, workers=1)
    assert {one.column for one in found.mismatches} == {"mines", "more"}


def test_a_chunk_of_another_seed_is_noticed(folder: Path, tmp_path: Path) -> None:
    other = Study.from_dict("mixed", MIXED | {"seed": 5})
    elsewhere = studies.run(other, tmp_path / "elsewhere", workers=1).path
    name = "p00000-g000000.parquet"
    shutil.copy(elsewhere / "chunks" / name, folder / "chunks" / name)
    forge(folder, name, "FROM {}")
    assert verify(folder, every=True, workers=1)[0].differing == 6


def test_a_sample_covers_every_point_and_is_repeatable(folder: Path) -> None:
    forge(folder, "p00000-g000000.parquet", "SELECT * REPLACE (moves + 1 AS moves) FROM {}")
    first, again = (verify(folder, sample=2, seed=9, workers=n)[0] for n in (1, 2))
    assert first.replayed == again.replayed == dict.fromkeys(range(6), 2)
    assert first.chance == first.least_chance == pytest.approx(1 / 3)
    games = [{one.game for one in found.mismatches} for found in (first, again)]
    assert games[0] == games[1]
    others = [verify(folder, sample=2, seed=seed, workers=1)[0] for seed in range(20)]
    assert {one.game for found in others for one in found.mismatches} == set(range(6))
    assert verify(folder, sample=99, workers=1)[0].chance == 1


def test_the_detection_probability_is_right(folder: Path) -> None:
    """With one forged game, a third of the samples of two out of six detect it."""
    forge(
        folder, "p00000-g000000.parquet",
        "SELECT * REPLACE (CASE game WHEN 5 THEN 99 ELSE moves END AS moves) FROM {}",
    )  # fmt: skip
    checks = verification.Verification(folder, sample=2, workers=1)
    hits = 0
    for seed in range(600):
        checks.seed = seed
        hits += any(chunk.point.index == 0 and chunk.numbers[0] == 5 for chunk in checks._drawn(2))
    assert 150 < hits < 250


def test_without_a_sample_size_it_is_limited_by_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One game per point, then another of each, until time is up."""
    monkeypatch.setattr(verification, "SECONDS", -1.0)
    assert main(["study", "verify", str(folder), "--workers", "1", "--json"]) == 0
    known = json.loads(capsys.readouterr().out)
    (one,) = known["studies"]
    assert (one["games"], one["replayed"], one["least_chance"]) == (36, 1, 0)
    assert one["chance"] == pytest.approx(1 / 36)
    assert not known["interrupted"]
    monkeypatch.setattr(verification, "SECONDS", 60.0)
    assert main(["study", "verify", str(folder), "--workers", "1"]) == 0
    shown = capsys.readouterr().out
    assert "36 of 36 games replayed at 6 of 6 points: all identical" in shown


def test_the_detection_probability_of_a_sample_is_printed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", "verify", str(folder.parent), "--sample", "1", "--seed", "3"]) == 0
    assert capsys.readouterr().out == (
        f"{folder}: 6 of 36 games replayed at 6 of 6 points: all identical\n"
        "  A single forged game is detected with probability 16.7 % (16.7 % at the worst point).\n"
        "To draw the same games again, use --seed 3\n"
    )


def test_an_unfinished_study_is_verified_as_far_as_it_goes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with studies.study_run.StudyRun([mixed()], tmp_path, workers=1) as running:
        assert main(["study", "verify", str(tmp_path / "mixed"), "--all"]) == 0
        assert "0 of 0 (of 36 planned) games replayed" in capsys.readouterr().out
        work = running.work()
        for _ in range(3):
            next(work)
        assert main(["study", "verify", str(tmp_path / "mixed"), "--all"]) == 0
        assert "12 of 12 (of 36 planned) games replayed" in capsys.readouterr().out
        work.close()


def test_studies_that_cannot_be_replayed_here_are_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("mineproof.studies.manifest.__version__", "9.9")
        assert main(["study", "verify", str(folder)]) == 2
    assert (
        'cannot be replayed here: version was "0.1.0" and is now "9.9"' in capsys.readouterr().err
    )
    with _engine.using("python"), pytest.raises(mp.InvalidInput, match='engine was "native"'):
        verify(folder)
    assert main(["study", "verify", str(folder), "--all", "--sample", "3"]) == 2
    assert "give --sample or --all, not both" in capsys.readouterr().err
    assert main(["study", "verify", str(folder), "--sample", "0"]) == 2
    assert main(["study", "verify", str(folder / "chunks")]) == 2
    assert "no study in" in capsys.readouterr().err
    (folder / "chunks" / "p00000-g000000.parquet").unlink()
    assert main(["study", "verify", str(folder)]) == 2
    assert "point 0 has 0 of 6 games" in capsys.readouterr().err


AGENT = """
from pathlib import Path
from mineproof.agents import Decision
from mineproof.world.view import UNTOUCHED

Path(__file__).with_name("was here").write_text("x")

class First:
    name = "first"
    def decide(self, view, *, rules, clues, seed):
        cell = view.cells(*UNTOUCHED)[0]
        return Decision(cell, "open", risk=None, certain=False, reason="first")
"""


def test_other_peoples_agents_do_not_run_without_permission(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Verifying a folder from elsewhere must not run the code that it names."""
    source = tmp_path / "mine.py"
    source.write_text(AGENT)
    block = {"agents": ["random", f"{source}:First"], "boards": "5x5/4"}
    study = Study.from_dict("own", {"games": 5, "block": [block]})
    path = studies.run(study, tmp_path, workers=1).path
    (tmp_path / "was here").unlink()
    words = [sys.executable, "-m", "mineproof", "study", "verify", str(path), "--all"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "runs its code; to allow it, use --run-own-agents" in done.stderr
    assert not (tmp_path / "was here").exists()
    done = subprocess.run([*words, "--run-own-agents"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "10 of 10 games replayed" in done.stdout
    assert (tmp_path / "was here").exists()


def test_a_users_own_reasoner_has_a_column_if_it_proved_something(tmp_path: Path) -> None:
    """A chunk may have the column because of another game; that is no difference."""
    source = tmp_path / "ruled.py"
    source.write_text(
        AGENT.replace('certain=False, reason="first"', 'certain=seed % 2 == 0, reason="first", '
                      'rule="mine" if seed % 2 == 0 else None')
    )  # fmt: skip
    block = {"agents": f"{source}:First", "boards": "3x3/0"}
    path = studies.run(Study.from_dict("own", {"games": 8, "block": [block]}), tmp_path).path
    assert "proved_mine" in studies.summary.StoredGames(studies.open_folder(path))._columns
    for sample in (None, 8):
        (found,) = verify(path, sample=sample, every=sample is None, run_own_agents=True, workers=1)
        assert found.mismatches == []


def test_ctrl_c_prints_what_was_found(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    forge(folder, "p00000-g000000.parquet", "SELECT * REPLACE (moves + 1 AS moves) FROM {}")
    compare = verification.VerificationResult.compare

    def pressed(self: verification.VerificationResult, *given: Any) -> None:
        compare(self, *given)
        if len(self.replayed) in {3, 4}:  # also while results are being collected
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(verification.VerificationResult, "compare", pressed)
    words = ["study", "verify", str(folder), "--all", "--workers", "1", "--json"]
    assert main(words) == 130
    known = json.loads(capsys.readouterr().out)
    assert known["interrupted"]
    assert main(words[:-1]) == 130
    assert "interrupted: results of the games replayed so far" in capsys.readouterr().out
    (one,) = known["studies"]
    assert 18 <= one["replayed"] < 36
    assert (one["differing"], one["chance"]) == (6, one["replayed"] / 36)


def test_verifying_writes_nothing(reference: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in reference.rglob("*")}
    verify(reference, every=True)
    assert {path: path.stat().st_mtime_ns for path in reference.rglob("*")} == before


def test_an_edited_spec_is_noticed(folder: Path) -> None:
    """The fingerprint covers it."""
    edit_manifest(folder, lambda manifest: manifest["spec"].update(seed=5))
    with pytest.raises(mp.FormatError, match="its fingerprint does not match its content"):
        verify(folder)
