"""Sealed means sealed: before the end, no other process finds the secret or its consequences."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.series.unreadable import _prctl
from mineproof.world import chance
from tests.series import spy

GAMES, SEED = 24, 5
DEAL = mp.Deal(16, 30, 99)  # large boards: only a few games are written at a time
SHAPE = ["--level", "expert"]
SPIES = {"in our process": "{home}/spy.py:Spy", "a program": "engine:{python} {home}/spy.py"}


_DROP_FOREVER, _READ_ANY_PROCESS = 24, 19
"""Constants of prctl(2) and capabilities(7)."""


def _as_plain_user() -> None:
    """Let root read no more of other processes than a user may read of their own."""
    if os.geteuid() == 0:
        _prctl(_DROP_FOREVER, _READ_ANY_PROCESS)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with the spy, for its notes and for the output of an arena."""
    folders = [tmp_path / "out", tmp_path / "tmp", tmp_path / "notes"]
    for folder in folders:
        folder.mkdir()
    shutil.copy(spy.__file__, tmp_path / "spy.py")
    where = {"folders": list(map(str, folders[:2])), "top": os.getpid()}
    (tmp_path / "where.json").write_text(json.dumps(where))
    return tmp_path


def play(home: Path, agents: str, *more: str) -> Any:
    """Run a sealed arena whose output goes to files that the spy reads; return the printed JSON."""
    words = ["arena", "--agents", agents, *SHAPE, "--games", str(GAMES), "--seed", str(SEED)]
    words += ["--json", "--per-game", str(home / "out" / "games.csv"), *more]
    with (home / "out" / "json").open("w") as out, (home / "out" / "progress").open("w") as err:
        done = subprocess.run(
            [sys.executable, "-m", "mineproof", *words],
            cwd=home, stdout=out, stderr=err, check=False, timeout=300,
            env=os.environ | {"TMPDIR": str(home / "tmp"), "HOME": str(home / "tmp")},
            preexec_fn=_as_plain_user,
        )  # fmt: skip
    assert done.returncode == 0, (home / "out" / "progress").read_text()
    return json.loads((home / "out" / "json").read_text())


def secrets_of(salt: str) -> set[bytes]:
    """Texts and bytes that nobody may have before the end."""
    found = {salt.encode(), salt.upper().encode(), bytes.fromhex(salt)}
    for number in range(GAMES):
        seed = chance.seeds_of(SEED, number, salt).game
        found |= {str(seed).encode(), f"{seed:x}".encode()}
        found |= {seed.to_bytes(8, "little"), seed.to_bytes(8, "big")}
        board = DEAL.board(seed)
        found |= {board.mined, board.to_text().encode(), board.to_text(lines=True).encode()}
    return found


def noted(home: Path) -> bytes:
    return b"".join(path.read_bytes() for path in (home / "notes").glob("[0-9]*"))


@pytest.mark.parametrize("who", SPIES)
@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_agent_that_looks_for_the_secret_finds_nothing(
    who: str, workers: str, home: Path
) -> None:
    agent = SPIES[who].format(home=home, python=sys.executable)
    shown = play(home, f"random,{agent}", "--sealed", "--workers", workers)
    seen = noted(home)
    assert len(seen) > 1000
    assert b"games.csv" in seen
    assert str(home / "out" / "games.csv").encode() in seen
    assert [secret for secret in secrets_of(shown["salt"]) if secret in seen] == []
    assert [one["faults"] for one in shown["agents"]] == [0, 0]


def test_the_results_file_is_private_and_has_only_a_header_before_the_end(
    home: Path,
) -> None:
    shown = play(home, f"random,{home}/spy.py:Spy", "--sealed", "--workers", "1")
    path = home / "out" / "games.csv"
    head, *games = path.read_text().splitlines()
    assert len(games) == 2 * GAMES
    assert all(line.endswith(shown["salt"]) for line in games)
    assert set((home / "notes" / "modes").read_text().split()) == {"600"}
    assert path.stat().st_mode & 0o777 != 0o600 or os.umask(os.umask(0o77)) == 0o77
    seen = noted(home)
    assert head.encode() in seen
    assert not any(line.encode() in seen for line in games)


def test_the_spy_finds_secrets_that_are_not_sealed(home: Path) -> None:
    """Otherwise the tests above would prove nothing."""
    salt = chance.fresh_salt()
    play(home, f"random,{home}/spy.py:Spy", "--salt", salt, "--workers", "1")
    found = [secret for secret in secrets_of(salt) if secret in noted(home)]
    assert salt.encode() in found  # in the command line
    assert len(found) > 2  # as well as the seeds of games in the file


FAULTY = """
class Faulty:
    name = "faulty"
    def decide(self, view, **_):
        raise ValueError(f"I see {view}")
"""


def test_output_of_one_agent_does_not_reach_the_others(home: Path) -> None:
    """What a failing agent prints may be all that it sees of a board."""
    (home / "faulty.py").write_text(FAULTY)
    agents = f"{home}/faulty.py:Faulty,random"
    shown = play(home, agents, "--sealed", "--workers", "2")
    assert shown["agents"][0]["faults"] == GAMES
    assert (home / "out" / "progress").read_text() == ""
    play(home, agents, "--salt", shown["salt"], "--workers", "1")
    assert "I see 16x30/99" in (home / "out" / "progress").read_text()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have no prctl")
def test_no_other_process_can_read_the_memory_of_a_sealed_arena() -> None:
    """Or of its workers, but only while games are played."""
    seen: set[tuple[bool, int]] = set()

    class Looking:
        name = "looking"

        def decide(self, view: mp.View, **_: Any) -> Any:
            from mineproof.agents import Decision

            seen.add((os.getpid() == here, _prctl(3, 0)))
            return Decision(spy.hidden_cell(view.to_text()), "open", None, False, "")

    here, before = os.getpid(), _prctl(3, 0)
    mp.arena([Looking()], DEAL, games=2, workers=1, sealed=True)
    mp.arena([Looking()], DEAL, games=2, workers=1)
    assert seen == {(True, 0), (True, before)}
    assert _prctl(3, 0) == before
