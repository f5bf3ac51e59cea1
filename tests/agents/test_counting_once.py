"""The posterior of a position is computed once, whoever asks for it and however often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import mineproof as mp
from mineproof import _engine
from mineproof.reasoning import counting
from mineproof.reasoning.evidence import Evidence
from mineproof.world.clues import parse
from mineproof.world.view import FLAGGED, HIDDEN, Event


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[Evidence]]:
    """How often the Python engine computed the posterior of each view."""
    counted: Counter[Evidence] = Counter()
    solve = counting.solve

    def noted(evidence: Evidence, *more: Any, **options: Any) -> Any:
        counted[evidence] += 1
        return solve(evidence, *more, **options)

    monkeypatch.setattr(counting, "solve", noted)
    with _engine.using("python"):
        yield counted


@pytest.mark.parametrize("clues", ["exact", "sometimes:p=0.7"])
def test_a_game_computes_every_posterior_once(counts: Counter[Evidence], clues: str) -> None:
    """Both the reasoner (certain cells) and the guesser (lowest risk) use it."""
    deal = mp.Deal(6, 6, 8)
    guesses = 0
    for seed in range(4):
        counts.clear()
        rules = mp.Rules(on_mine="continue")
        guesses += mp.play(deal, "exact", rules=rules, clues=parse(clues), seed=seed).guesses
        assert set(counts.values()) == {1}
    assert guesses > 8


def test_flags_do_not_cause_another_computation(counts: Counter[Evidence]) -> None:
    knowledge = mp.Knowledge(mp.View.from_text("2x3/2 ???/121"))
    before = knowledge.posterior()
    knowledge.observe([Event((0, 0), FLAGGED)])
    flagged = knowledge.posterior()
    knowledge.observe([Event((0, 0), HIDDEN)])
    assert before is not None
    assert flagged is not None
    assert flagged.risk[0].tolist() == before.risk[0].tolist() == [1.0, 0.0, 1.0]
    assert flagged.view == mp.View.from_text("2x3/2 F??/121")
    assert knowledge.posterior() is not None
    assert counts.total() == 1


def test_another_position_is_computed(counts: Counter[Evidence]) -> None:
    knowledge = mp.Knowledge(mp.View.from_text("2x3/2 ???/???"))
    knowledge.posterior()
    knowledge.observe([Event((1, 1), 2)])
    assert knowledge.posterior() is not None
    knowledge.observe([Event((0, 1), 2)])
    found = knowledge.posterior()
    assert found is not None
    assert found.risk == pytest.approx(mp.posterior(knowledge.view).risk, nan_ok=True)
    assert counts.total() == 4  # the last one is the comparison itself
