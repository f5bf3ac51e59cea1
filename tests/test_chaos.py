"""Nothing is lost and nobody sees a traceback, whatever goes wrong: a short run of tools.chaos."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from mineproof.cli import COMMANDS
from tools.chaos.__main__ import HAZARDS, Tried, run, table
from tools.chaos.harness import STOPPED, Answer
from tools.chaos.mutating import mutated, mutated_word
from tools.chaos.samples import WORDS, samples, split

SMALL = {"damaged studies": 4, "killed studies": 3, "killed arenas": 2, "interrupts": 24}
"""The number of runs of hazards that take seconds."""


@pytest.mark.parametrize("hazard", HAZARDS)
def test_nothing_is_lost(hazard: str) -> None:
    (tried,) = run(0, seed=1, least=SMALL.get(hazard, 60), only=hazard).values()
    assert tried.faults == []
    assert tried.codes.total() >= SMALL.get(hazard, 60)


def test_every_command_is_tried() -> None:
    lines = [line for sample in samples() for line in sample.commands] + list(WORDS)
    served = {"serve"}  # tests/web covers it: it runs until it is stopped
    assert {line.split()[0] for line in lines} == set(COMMANDS) - served


def test_all_samples_work_before_they_are_mutated(tmp_path: Path) -> None:
    """Otherwise mutated samples would fail early and test little."""
    from tools.chaos import harness

    for sample in samples():
        path = tmp_path / sample.name
        path.write_bytes(sample.content)
        for line in sample.commands:
            answer = harness.run([word.format(path, out=tmp_path) for word in line.split()])
            assert answer.code == 0, answer
    for line in WORDS:
        answer = harness.run(split(line, out=tmp_path))
        assert answer.code == 0, answer


def test_faults_are_recognised() -> None:
    """Exit codes and outputs that the table counts as lost results or faults."""
    fine = Answer(["x"], 2, "", "note\nmineproof: no\n")
    assert fine.fault is None
    assert fine._replace(code=STOPPED).fault is None
    assert fine._replace(words=["study", "verify", "x"], code=1).fault is None
    for wrong in (
        fine._replace(code=70),
        fine._replace(code=1),
        fine._replace(code=-11),
        fine._replace(err=""),
        fine._replace(err="mineproof: one\nmineproof: two\n"),
        fine._replace(code=0, err="Traceback (most recent call last)"),
    ):
        assert wrong.fault is not None


def test_a_seed_gives_the_same_mutations() -> None:
    content = json.dumps({"a": [1, 2, 3]}).encode()
    once, again = ([mutated(content, Random(3)) for _ in range(20)] for _ in range(2))
    assert once == again
    assert len({mutated(content, Random(seed)) for seed in range(50)}) > 30
    assert "\0" not in mutated_word("a\udcff", Random(1))


def test_the_table_has_one_line_per_hazard() -> None:
    from collections import Counter

    codes = Counter({0: 2, 2: 3, 130: 1, 141: 1, -11: 1})
    shown = table({"corrupted files": Tried(codes, {"play"}, ["bad"], [])})
    assert shown.splitlines()[-1] == "| corrupted files | 8 | 1 | 2 | 3 | 1 | 1 | 0 | 1 |"
