"""The protocol's examples work: a client in Python, a solver in JavaScript."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.testing import check_agent

EXAMPLES = Path(__file__).parents[2] / "examples"
SOLVER = f"engine:node {EXAMPLES / 'solver.mjs'}"
node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node (Debian: nodejs)")


@pytest.mark.parametrize(("seed", "outcome"), [(1, "lost"), (2, "won")])
def test_the_client_plays_a_game_on_its_own_board(seed: int, outcome: str) -> None:
    command = [sys.executable, str(EXAMPLES / "protocol_client.py"), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.splitlines()[-1] == outcome
    assert done.stderr == ""
    assert len((EXAMPLES / "protocol_client.py").read_text().splitlines()) <= 55


@node
def test_the_solver_keeps_the_contract() -> None:
    check_agent(SOLVER)


@node
def test_the_solver_plays_an_arena_and_beats_pure_guessing() -> None:
    rules = mp.Rules(opening="safe")
    found = mp.arena([SOLVER, "random"], mp.Deal(9, 9, 10), games=60, rules=rules, workers=2)
    ours, random = found.agents
    assert (ours.faults, ours.games) == (0, 60)
    assert ours.win_rate > 0.5 > random.win_rate
    assert ours.deductions["local"] > 5
