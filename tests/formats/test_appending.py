"""Files grow by whole games: a full disk or a kill loses at most the current game."""

from __future__ import annotations

import csv
import json
import logging
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.cli import main
from mineproof.formats.output_files import append_lines, opened
from mineproof.games import replays

GAME = ["play", "--rows", "5", "--cols", "5", "--mines", "4", "--plain", "--delay", "0"]


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Limit the size of files, as a disk with little space does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def save(path: Path, seed: int) -> int:
    return main([*GAME, "--seed", str(seed), "--save", str(path)])


def boards(path: Path) -> list[str]:
    return [record.board.to_text() for record in replays.read(path)]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A file with two games."""
    path = tmp_path / "games.jsonl"
    assert [save(path, 1), save(path, 2)] == [0, 0]
    return path


def test_a_full_disk_costs_the_current_game_and_no_other(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = saved.read_bytes()
    for room in (1, 100, 400):
        with largest_file(len(whole) + room):
            assert save(saved, 3) == 2
        assert f"cannot write '{saved}': File too large" in capsys.readouterr().err
        assert saved.read_bytes() == whole
    assert save(saved, 3) == 0
    assert saved.read_bytes().startswith(whole)
    assert len(boards(saved)) == 3


def test_games_saved_before_the_disk_was_full_are_kept(tmp_path: Path) -> None:
    games = [mp.play(mp.Deal(4, 4, 3), "csp", seed=seed) for seed in range(3)]
    path = tmp_path / "games.jsonl"
    replays.write(path, games)
    size = path.stat().st_size
    path.unlink()
    with largest_file(size - 10), pytest.raises(mp.MineproofError, match="File too large"):
        replays.write(path, games)
    assert boards(path) == [game.board.to_text() for game in games[:2]]


@pytest.mark.parametrize("kept", [1, 50, 300, -2])
def test_a_torn_last_line_is_reported_and_skipped(
    saved: Path, kept: int, caplog: pytest.LogCaptureFixture
) -> None:
    whole, first = boards(saved), saved.read_bytes().index(b"\n") + 1
    content = saved.read_bytes()
    saved.write_bytes(content[: first + kept if kept > 0 else kept])
    with caplog.at_level(logging.WARNING):
        assert boards(saved) == whole[:1]
    assert caplog.messages == [f"{saved}: game 2 is truncated and was skipped"]


def test_saving_after_a_torn_line_starts_a_new_line(
    saved: Path, caplog: pytest.LogCaptureFixture
) -> None:
    whole = boards(saved)
    torn = saved.read_bytes()[:-40]
    saved.write_bytes(torn)
    assert save(saved, 2) == 0
    assert saved.read_bytes().startswith(torn + b"\n")
    assert boards(saved) == whole
    assert caplog.messages == [f"{saved}: game 2 is truncated and was skipped"]


def test_a_torn_first_line_costs_no_later_game(saved: Path) -> None:
    whole = boards(saved)
    first, second = saved.read_bytes().splitlines(keepends=True)
    saved.write_bytes(first[:200] + b"\n" + second)
    assert boards(saved) == whole[1:]


def test_a_last_line_that_lacks_only_its_newline_is_a_game(saved: Path) -> None:
    whole = boards(saved)
    saved.write_bytes(saved.read_bytes()[:-1])
    assert boards(saved) == whole
    assert save(saved, 3) == 0
    assert boards(saved)[:2] == whole


def test_damage_elsewhere_is_not_taken_for_a_torn_line(saved: Path) -> None:
    first, second = saved.read_bytes().splitlines(keepends=True)
    saved.write_bytes(first + second.replace(b'"board"', b'"b oard"'))
    with pytest.raises(mp.FormatError, match="game 2"):
        replays.read(saved)
    saved.write_bytes(first + second.replace(b",", b";", 1))
    with pytest.raises(mp.FormatError, match="game 2"):
        replays.read(saved)


def test_a_record_over_several_lines_is_one_game(saved: Path, tmp_path: Path) -> None:
    (first, *_) = replays.read(saved)
    path = tmp_path / "pretty.json"
    path.write_text(json.dumps(first.to_json(), indent=2))
    assert boards(path) == [first.board.to_text()]


def test_the_warning_is_shown_and_the_command_continues(saved: Path) -> None:
    saved.write_bytes(saved.read_bytes()[:-40])
    done = subprocess.run(
        [sys.executable, "-m", "mineproof", "review", str(saved), "--no-win"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr == f"{saved}: game 2 is truncated and was skipped\n"


def test_many_processes_may_save_at_once(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    line = "x" * 5000

    def append() -> None:
        for _ in range(20):
            append_lines(path, f"{line}\n")

    threads = [threading.Thread(target=append) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_text().splitlines() == [line] * 80


def test_a_full_disk_leaves_whole_lines_of_an_arena(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    words = ["arena", "--agents", "random,csp", "--games", "40", "--workers", "1"]
    words += ["--rows", "5", "--cols", "5", "--mines", "4", "--per-game", str(path)]
    assert main(words) == 0
    size = path.stat().st_size
    with largest_file(size // 2):
        assert main(words) == 2
    text = path.read_text()
    assert text.endswith("\n")
    rows = list(csv.reader(text.splitlines()))
    assert 2 < len(rows) < 81
    assert {len(row) for row in rows} == {len(rows[0])}


def test_a_full_disk_leaves_whole_generated_boards(tmp_path: Path) -> None:
    path = tmp_path / "boards"
    words = ["generate", "--count", "60", "--seed", "3", "--out", str(path)]
    assert main(words) == 0
    whole = path.read_text()
    with largest_file(len(whole) // 2):
        assert main(words) == 2
    assert whole.startswith(path.read_text())
    assert path.read_text().endswith("\n")
    assert main(["grade", str(path)]) == 0


def test_pipes_are_written_like_files(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
        append_lines(pipe, "one\n")
        assert reader.communicate(timeout=20)[0] == "one\n"
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
        with opened(pipe) as file:
            file.write("two\n")
        assert reader.communicate(timeout=20)[0] == "two\n"


def test_private_output_stays_private_until_it_is_closed(tmp_path: Path) -> None:
    fresh, old = tmp_path / "fresh", tmp_path / "old"
    old.write_text("before")
    old.chmod(0o640)
    for path, after in ((fresh, 0o666 & ~_umask()), (old, 0o640)):
        with opened(path, private=True) as file:
            file.write("x\n")
            assert path.stat().st_mode & 0o777 == 0o600
        assert path.stat().st_mode & 0o777 == after
        assert path.read_text() == "x\n"


def _umask() -> int:
    now = os.umask(0)
    os.umask(now)
    return now
