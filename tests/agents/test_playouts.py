"""Decisions by playouts are reproducible."""

from __future__ import annotations

import mineproof as mp


def test_decisions_are_the_same_on_any_number_of_threads() -> None:
    deal, rules = mp.Deal(12, 12, 26), mp.Rules(opening="safe")
    one, two = (
        mp.arena(["champion:playouts=60"], deal, games=24, rules=rules, seed=5, workers=workers)
        for workers in (1, 2)
    )
    assert one.agents[0].guesses > 1
    for measure in ("won", "guesses", "moves"):
        assert (one.games[measure] == two.games[measure]).all()
