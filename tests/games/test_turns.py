"""A game is refereed once: turns store their changes, and records store the turns."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mineproof as mp
from mineproof.cli import main
from mineproof.games import replays
from mineproof.games.manual import ManualGame
from mineproof.world.turn import by_hand
from tests.strategies import seeds

CLUES = ["exact", "sometimes:0.6", "optimistic:known=true", "cautious"]


@given(
    seeds,
    st.sampled_from(["random", "baseline", "exact", "mean"]),
    st.sampled_from(CLUES),
    st.sampled_from(["end", "continue"]),
)
def test_positions_equal_those_of_the_referee(
    seed: int, agent: str, clues: str, on_mine: str
) -> None:
    record = mp.play(mp.Deal(5, 6, 6), agent, rules={"on_mine": on_mine}, clues=clues, seed=seed)
    game = mp.Game(record.board, record.rules, record.clues, start=record.start, seed=record.seed)
    for number, (view, turn) in enumerate(record.positions()):
        assert view == game.view == record.view_at(number)
        assert game.turn(turn) == turn
    assert record.view == game.view
    assert mp.Record.from_json(json.dumps(record.to_json())) == record


class Counted:
    """Counts the moves that referees make."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.moves = 0
        play = mp.Game.play

        def counted(game: mp.Game, *given: Any) -> list[mp.Event]:
            self.moves += 1
            return play(game, *given)

        monkeypatch.setattr(mp.Game, "play", counted)


def test_a_game_is_refereed_once_for_all_outputs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    counted = Counted(monkeypatch)
    shown = [
        "--svg",
        str(tmp_path / "svg"),
        "--svg-every",
        "5",
        "--json",
        "--log",
        str(tmp_path / "log"),
    ]
    saved = ["--save", str(tmp_path / "game.json")]
    assert main(["play", "--agent", "baseline", "--seed", "3", *shown, *saved]) == 0
    moves = len(json.loads(capsys.readouterr().out)["moves"])
    assert counted.moves == moves
    counted.moves = 0  # files are not trusted, so their moves are played once
    assert main(["replay", str(tmp_path / "game.json"), "--svg", str(tmp_path), "--json"]) == 0
    assert counted.moves == moves


def chorded() -> mp.Record:
    """A game with a flag and a chord."""
    played = ManualGame(mp.Game(mp.Board.from_text("3x4/1 *.../..../....")))
    for number, (cell, action) in enumerate(
        (((1, 1), "open"), ((0, 0), "flag"), ((1, 1), "chord"), ((0, 3), "open"))
    ):
        if not played.game.over:
            played.play(by_hand(cell, action, 0.5 + number))  # type: ignore[arg-type]
    return played.record("you", 3.0)


def test_a_chord_remains_one_turn_in_files(tmp_path: Path) -> None:
    record = chorded()
    assert [turn.action for turn in record.turns] == ["open", "flag", "chord"]
    assert len(record.turns[2].moves) > 1
    assert [turn.seconds for turn in record.turns] == [0, 1, 2]
    for name in ("game.json", "game.jsonl", "game.rawvf"):
        replays.write(tmp_path / name, [record])
        (again,) = replays.read(tmp_path / name)
        assert [turn[:3] for turn in again.turns] == [turn[:3] for turn in record.turns]
        assert again.view == record.view


def test_records_of_version_1_are_read() -> None:
    """They store chords as openings, and all times in one list."""
    record = chorded()
    data = record.to_json()
    moves = [(turn.seconds, move) for turn in record.turns for move in turn.moves]
    data |= {"format": "mineproof-record-1", "times": [seconds for seconds, _ in moves]}
    again = mp.Record.from_json(data | {"moves": [move.to_json() for _, move in moves]})
    assert again.moves == record.moves
    assert again.view == record.view
    assert [turn.seconds for turn in again.turns] == data["times"]
    with pytest.raises(mp.FormatError, match="not a record"):
        mp.Record.from_json(data | {"format": "mineproof-record-3"})


@pytest.mark.parametrize("change", [{"won": False}, {"right": 0}, {"score": 0.5}, {"exploded": 1}])
def test_a_record_that_disagrees_with_its_moves_is_refused(change: dict[str, object]) -> None:
    data = chorded().to_json()
    (name,) = change
    with pytest.raises(mp.FormatError, match=f"'{name}' is .*, but its moves lead to"):
        mp.Record.from_json(data | change)


def test_a_simple_game_does_not_import_the_proof_finder() -> None:
    code = (
        "import sys, mineproof as mp; mp.play('beginner', 'baseline');"
        "assert not [m for m in sys.modules if 'reasoning.proofs' in m or 'premises' in m]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
