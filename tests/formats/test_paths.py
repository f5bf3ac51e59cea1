"""A path is a string or a Path; a number, which `open` takes for a file descriptor, is refused."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.formats import board_files, input_files, output_files
from mineproof.studies.report import report

BOARD = mp.Board.from_text("2x2/1 *./..")
TAKE_A_PATH: dict[str, Callable[[Any], Any]] = {
    "replays.read": mp.replays.read,
    "replays.write": lambda path: mp.replays.write(path, [mp.play(BOARD, "exact")]),
    "corpus.read": mp.corpus.read,
    "boards.stream": board_files.stream,
    "read_bytes": input_files.read_bytes,
    "open_bytes": input_files.open_bytes,
    "write_text": lambda path: output_files.write_text(path, "x"),
    "write_bytes": lambda path: output_files.write_bytes(path, b"x"),
    "opened": lambda path: output_files.opened(path).__enter__(),
    "Study.from_toml": mp.studies.Study.from_toml,
    "open_folder": mp.studies.open_folder,
    "report": report,
    "studies.run": lambda path: mp.studies.run(mp.studies.get("speed"), path),
    "write_dataset": lambda path: mp.gym.write_dataset(path, mp.Deal(3, 3, 2), games=1),
}


class Named:
    def __fspath__(self) -> str:
        return "corpus.txt"


@pytest.mark.parametrize("take", TAKE_A_PATH.values(), ids=TAKE_A_PATH)
def test_a_number_does_not_close_a_file_that_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, take: Callable[[Any], Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    handle = os.open(tmp_path / "theirs", os.O_RDWR | os.O_CREAT)
    try:
        for odd in (handle, True, False, None, 1.5, b"theirs", ["theirs"]):
            with pytest.raises(mp.WrongType, match="must be a string or a Path, got"):
                take(odd)
        for odd in ("\0", "a\ud800"):
            with pytest.raises(mp.InvalidInput, match="is not a valid file name"):
                take(odd)
        os.fstat(handle)
    finally:
        os.close(handle)
    assert list(tmp_path.iterdir()) == [tmp_path / "theirs"]


def test_anything_with_fspath_is_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Path("corpus.txt").open("w") as file:
        mp.corpus.write(file, [BOARD], (1, 1))
    _, found = mp.corpus.read(Named())  # type: ignore[arg-type]
    assert list(found) == [BOARD]
