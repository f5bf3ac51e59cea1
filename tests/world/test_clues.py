"""A clue model draws clues with the frequencies of its likelihood."""

from __future__ import annotations

from collections import Counter

import pytest

import mineproof as mp
from mineproof.world import clues
from mineproof.world.chance import Purpose, Stream
from mineproof.world.clues import Cautious, ClueModel, Exact, Optimistic, Sometimes, Table
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, KNOWN_SAFE
from tests.strategies import CLUE_MODELS

BOUNDS: dict[str, list[int | None]] = {
    "optimistic:known=true": [0, 2, 5],
    "cautious:known=true": [3, 5, 8],
}


@pytest.mark.parametrize("model", CLUE_MODELS, ids=str)
def test_likelihoods_of_all_outcomes_sum_to_one(model: ClueModel) -> None:
    for degree in range(9):
        for most in BOUNDS.get(str(model), [None]):
            bound = None if most is None else min(most, degree)
            shown = [*range(9), None]
            tables = [model.likelihood(clue, degree, bound) for clue in shown]
            for count in range(degree + 1):
                total = sum(table[count] for table in tables)
                # Exact treats a missing clue (from another model) as no information.
                assert total - isinstance(model, Exact) == pytest.approx(1)


@pytest.mark.parametrize("model", CLUE_MODELS, ids=str)
def test_draws_have_the_frequencies_of_the_likelihood(model: ClueModel) -> None:
    draws = 4000
    for degree, count in [(0, 0), (3, 0), (3, 3), (5, 2), (8, 3), (8, 8)]:
        for bound in BOUNDS.get(str(model), [None]):
            seen = Counter(
                model.draw(count, degree, Stream(5, Purpose.NOISE, i), bound) for i in range(draws)
            )
            for shown, times in seen.items():
                chance = model.likelihood(shown, degree, bound)[count]
                assert abs(times - draws * chance) <= 5 * (draws * chance * (1 - chance)) ** 0.5


@pytest.mark.parametrize("model", CLUE_MODELS, ids=str)
def test_outcomes_are_all_values_that_a_cell_can_show(model: ClueModel) -> None:
    near = [HIDDEN, KNOWN_SAFE, EXPLODED, FLAGGED, 1]
    found = model.outcomes(near)
    assert (None in found) is model.can_be_missing
    for count in range(len(near) + 1):
        assert sum(likelihood[count] for likelihood in found.values()) == pytest.approx(1)


def test_the_bound_of_a_clue_decides_how_it_is_interpreted() -> None:
    seen = mp.View.from_text("1x3 1-1 0,0:0")
    assert Optimistic().overrides(seen) == {0: (0, 1 / 2)}
    assert Optimistic().likelihoods(mp.View.from_text("1x3 1?1 0,0:1")) == {
        0: (0, 1),
        2: (0, 1 / 2),
    }
    assert Cautious(known=True).overrides(seen) == {0: (0, 1)}
    assert Exact().likelihoods(seen) == {0: (0, 1), 1: (1, 1, 1), 2: (0, 1)}


def test_an_optimistic_clue_is_uniform_up_to_the_count() -> None:
    assert Optimistic().likelihood(2, 5) == (0, 0, 1 / 3, 1 / 4, 1 / 5, 1 / 6)
    assert Optimistic(known=True).likelihood(2, 5, 2) == (0, 0, 1, 1 / 2, 1 / 3, 1 / 4)
    # If false flags leave no range, the clue is the count.
    assert Optimistic(known=True).likelihood(1, 3, 2) == (0, 1, 0, 0)


def test_a_cautious_clue_is_uniform_from_the_count() -> None:
    assert Cautious().likelihood(2, 5) == (1 / 6, 1 / 5, 1 / 4, 0, 0, 0)
    assert Cautious(known=True).likelihood(2, 5, 3) == (1 / 4, 1 / 3, 1 / 2, 0, 0, 0)
    assert Cautious(known=True).likelihood(4, 5, 3) == (0, 0, 0, 0, 1, 0)


@pytest.mark.parametrize(
    ("model", "trusted"),
    [
        (Exact(), True),
        (Sometimes(0.5), True),
        (Cautious(), True),
        (Cautious(known=True), True),
        (Optimistic(), False),
        (Optimistic(known=True), False),
    ],
    ids=str,
)
def test_a_flood_continues_if_the_clue_excludes_every_mine(model: ClueModel, trusted: bool) -> None:
    bound = model.bound(0, 8)
    assert model.opens_around(0, 8, bound) is trusted
    assert not model.opens_around(1, 8, bound)
    assert not model.opens_around(None, 8, bound)


def test_a_table_never_shows_more_than_the_number_of_neighbours() -> None:
    up = Table(
        [[0.5 * (c in {n, n + 1}) or 0.0 for c in range(9)] for n in range(8)] + [[0] * 8 + [1]]
    )
    assert {up.draw(3, 3, Stream(1, Purpose.NOISE, i)) for i in range(50)} == {3}
    assert up.likelihood(3, 3) == (0, 0, 0.5, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("exect", "unknown clue model 'exect': did you mean 'exact'"),
        ("sometimes", "'sometimes' needs the probability of a clue"),
        ("sometimes:2", "sometimes:p must be from 0 to 1, got 2"),
        ("sometimes:nan", "sometimes:p must be from 0 to 1"),
        ("sometimes:x", "sometimes:p must be a number, got 'x'"),
        (
            "sometimes:0.5,redrew=true",
            "unknown option of sometimes 'redrew': did you mean 'redraw'",
        ),
        ("optimistic:known=perhaps", "optimistic:known must be true or false, got 'perhaps'"),
        ("exact:1", "exact takes no options, got '1'"),
        ("sometimes:0.5,0.7", "sometimes:p was given twice"),
        ("table:null", "a clue table must be 9 rows of numbers, got None"),
        ("table:nonsense", "a clue table must be a JSON list of 9 rows"),
        ("table:[[1]]", "a clue table must have 9 rows, for the counts 0 to 8, got 1"),
    ],
)
def test_invalid_models_are_refused(text: str, message: str) -> None:
    with pytest.raises(mp.InvalidInput, match=message):
        clues.parse(text)


def test_invalid_tables_are_refused() -> None:
    good = [[float(c == n) for c in range(9)] for n in range(9)]
    with pytest.raises(mp.InvalidInput, match="row 0 of a clue table must be probabilities"):
        Table([[0.5] + [0.0] * 8, *good[1:]])
    with pytest.raises(mp.InvalidInput, match="row 3 .* must have 9 or 10 probabilities, got 2"):
        Table([*good[:3], [0.5, 0.5], *good[4:]])
