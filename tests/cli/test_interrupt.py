"""Ctrl-C ends every command quickly, whenever it comes.

The test counts CPU seconds, including those of workers, so that other load on the machine does
not matter. Some of the promised 0.2 seconds go into Python's own shutdown.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest

import mineproof as mp
from mineproof.world.view import HIDDEN
from tests.processes import session_cpu_seconds

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="reads CPU seconds from /proc"
)

MOST = 0.2
WORKER = 0.1
"""Additional CPU seconds per worker, whose Python has to shut down, too."""


def seen(side: int, shown: Callable[[int, int], bool], mines: float) -> str:
    """A view of a random board with some cells open."""
    board = mp.Board.random(side, side, round(mines * side * side), seed=1)
    states = bytearray(board.counts)
    for index, mine in enumerate(board.mined):
        if mine or not shown(*board.grid.cell(index)):
            states[index] = HIDDEN
    return mp.View(board.grid, bytes(states), board.mine_count).to_text()


POSITIONS: dict[str, str] = {
    "lattice": seen(40, lambda r, c: (2 * r + c) % 5 == 0, 0.35),
    "chequered": seen(60, lambda r, c: (r + c) % 2 == 0, 0.2),
    "corner": seen(40, lambda r, c: r + c < 40, 0.2),
    "wide": seen(100, lambda r, c: (r + c) % 2 == 0, 0.2),
}

WIDE, LARGE = (f"--rows {side} --cols {side} --density 0.2" for side in (40, 300))
COMMANDS: dict[str, str] = {
    "play": f"play {WIDE} --agent champion:budget=max --seed 1",
    "play gauss": f"play {LARGE} --agent linalg-count --seed 3 --on-mine continue",
    "analyse lattice": "analyse lattice --agent champion:budget=max",
    "explain": "explain chequered --all --budget 1000000",
    "arena": "arena --level expert --agents champion --games 100000 --workers 1",
    "arena uncertain": (
        "arena --level expert --agents champion --clues cautious --games 10000 --workers 1"
    ),
    "arena gauss": f"arena {LARGE} --agents gauss,csp --games 1000 --workers 1 --on-mine continue",
    "solve": "solve 5 5 6",
    "generate": f"generate {LARGE} --count 100000",
    "reasoners": "reasoners wide",
    "explain all": "explain wide --all",
    "explain cautious": "explain wide --all --clues cautious",
    "arena workers": "arena --level expert --agents champion,gauss --games 100000 --workers 3",
    "influence": "influence record --smallest",
    "grade": "grade boards",
    "generate no guess": f"generate {WIDE} --no-guess --count 100000",
}
"""Commands that run for many seconds; shorter ones do not need Ctrl-C."""
WORKERS = {"arena workers": 3}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("positions")
    for name, text in POSITIONS.items():
        (path / name).write_text(text)
    boards = [
        mp.Board.random(40, 40, 320, seed=seed, start=(0, 0), opening="safe") for seed in range(50)
    ]
    (path / "boards").write_text("\n".join(board.to_text() for board in boards))
    rules = mp.Rules(on_mine="continue")
    record = mp.play(mp.Board.random(100, 100, 2000, seed=1), "csp", rules=rules, seed=1)
    (path / "record").write_text(json.dumps(record.to_json()))
    return path


def interrupted(arguments: Sequence[str], folder: Path, moment: float) -> tuple[float, int, str]:
    """CPU seconds from Ctrl-C to the end, exit code and stderr; fails if workers are left."""
    with subprocess.Popen(
        [sys.executable, "-m", "mineproof", *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        while (before := sum(session_cpu_seconds(process.pid).values())) < moment:
            time.sleep(0.01)
            if process.poll() is not None:
                pytest.fail(f"over before Ctrl-C: {process.stderr.read()}")  # type: ignore[union-attr]
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()  # type: ignore[union-attr]
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert not session_cpu_seconds(process.pid), "workers are left"
    return usage.ru_utime + usage.ru_stime - before, process.returncode, said


@pytest.mark.parametrize("name", COMMANDS)
def test_ctrl_c_ends_a_command_quickly(name: str, folder: Path) -> None:
    moment = 0.6 + Random(name).random() * 0.7  # before that, Python is still starting
    most = MOST + WORKER * WORKERS.get(name, 0)
    for last in (False, False, True):  # other load slows CPUs down, hence three tries
        seconds, code, said = interrupted(COMMANDS[name].split(), folder, moment)
        assert (code, "Traceback" in said) == (130, False), said
        if seconds < most:
            break
        assert not last, seconds
