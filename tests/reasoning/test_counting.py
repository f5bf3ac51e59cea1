"""Exact integer counting equals brute force wherever brute force is feasible."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from operator import itemgetter
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof.reasoning.contradiction import explain
from mineproof.reasoning.counting import Cache, CountedSolution, arrangements, solve
from mineproof.reasoning.evidence import CountPrior, DensityPrior, UniformPrior, gather
from mineproof.reasoning.sweep import OverBudget
from mineproof.world.chance import Purpose, Stream
from mineproof.world.clues import Cautious, ClueModel, Exact, Optimistic, Sometimes, Table
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, NO_CLUE
from tests.golden.counts import COUNTS, count
from tests.oracle import Verdict, judge
from tests.strategies import CLUE_MODELS, SLIPS, clue_models, corners, games, seeds

UNKNOWN = 10
"""The most unknown cells for which brute force is used."""


class Position:
    """A view with its true mine count, which the view may hide, and its clue model."""

    def __init__(self, view: mp.View, mines: int, clues: ClueModel) -> None:
        self.view, self.mines, self.clues = view, mines, clues

    def __repr__(self) -> str:
        return f"{self.view!r} under {self.clues}, {self.mines} mines"

    def known_to(self, mines: int | None) -> mp.View:
        return replace(self.view, mines=mines)


def positions(models: st.SearchStrategy[ClueModel] = clue_models) -> st.SearchStrategy[Position]:
    return played(models) | corners(models, most=UNKNOWN).map(seen)


def seen(game: mp.Game) -> Position:
    view = game.view
    game.stop()
    return Position(view, game.board.mine_count, game.clues)


@st.composite
def played(draw: st.DrawFn, models: st.SearchStrategy[ClueModel]) -> Position:
    """Deals a board, announces its start or not, and plays until few cells are unknown."""
    rows, cols = draw(st.tuples(st.integers(1, 6), st.integers(1, 6)) | st.just((1, 14)))
    opening = draw(st.sampled_from(["any", "safe", "clear"]))
    grid = mp.View.hidden(rows, cols).grid
    start = draw(st.integers(0, grid.size - 1))
    kept = {"any": 0, "safe": 1, "clear": 1 + grid.neighbour_count(start)}[opening]
    board = mp.Board.random(
        rows,
        cols,
        draw(st.integers(0, grid.size - kept)),
        seed=draw(seeds),
        start=grid.cell(start),
        opening=opening,
    )
    rules = mp.Rules(on_mine="continue", opening=opening, flood=draw(st.booleans()))
    game = mp.Game(board, rules, draw(models), start=grid.cell(start), seed=draw(seeds))
    few = draw(st.integers(0, UNKNOWN))
    order = Random(draw(seeds)).sample(range(grid.size), grid.size)
    for place, index in enumerate([start, *order]):
        view = game.view
        unknown = len(view.cells(HIDDEN, FLAGGED))
        if game.over or unknown <= few:
            break
        if place == 0 or view.states[index] == HIDDEN:
            flag = place > 0 and unknown <= UNKNOWN and draw(st.booleans())
            game.play(grid.cell(index), "flag" if flag else "open")
    assume(len(game.view.cells(HIDDEN, FLAGGED)) <= UNKNOWN)
    return Position(game.view, board.mine_count, game.clues)


priors = st.sampled_from(["count", "density", "nothing"])
densities = st.sampled_from([0.0, 0.2, 1 / 3, 0.5, 1.0]) | st.floats(0.001, 0.999)


@st.composite
def questions(draw: st.DrawFn, position: Position, prior: str) -> tuple[mp.View, dict[str, Any]]:
    options: dict[str, Any] = {"trust_flags": draw(st.booleans())}
    if prior == "density":
        options["density"] = draw(densities)
    return position.known_to(position.mines if prior == "count" else None), options


def agree(found: CountedSolution | None, verdict: Verdict) -> None:
    assert (found is None) == (not verdict.fits)
    if found is None:
        return
    risk = verdict.risk
    assert found.risk.keys() == risk.keys()
    for cell, chance in found.risk.items():
        assert float(chance) == pytest.approx(risk[cell], rel=1e-9, abs=1e-12)
    assert found.safe == verdict.safe
    assert found.mined == verdict.mined
    assert found.log_weight == pytest.approx(math.log(verdict.weight), abs=1e-9)


@pytest.mark.parametrize("prior", ["count", "density", "nothing"])
@pytest.mark.parametrize("clues", CLUE_MODELS, ids=lambda clues: str(clues)[:28])
def test_counting_equals_enumeration(clues: ClueModel, prior: str) -> None:
    several = 0

    @settings(max_examples=100)
    @given(positions(st.just(clues)), st.data())
    def check(position: Position, data: st.DataObject) -> None:
        nonlocal several
        view, options = data.draw(questions(position, prior))
        verdict = judge(view, clues, **options)
        evidence = gather(view, clues, **options)
        agree(solve(evidence), verdict)
        assert arrangements(evidence) == len(verdict.fits)
        several += len(verdict.fits) >= 2

    check()
    assert several >= 30


@given(corners() | games(), st.booleans())
def test_any_game_equals_enumeration(game: mp.Game, trust_flags: bool) -> None:
    view = game.view
    assume(len(view.cells(HIDDEN, FLAGGED)) <= 13)
    evidence = gather(view, game.clues, trust_flags=trust_flags)
    agree(solve(evidence), judge(view, game.clues, trust_flags=trust_flags))


@given(corners() | games(), st.integers(0, 49))
def test_probabilities_sum_to_the_mines_left(game: mp.Game, mines: int) -> None:
    """On boards of any size, with a right or a wrong count."""
    view = game.view
    try:
        view = replace(view, mines=mines)
    except mp.InvalidInput:
        assume(view.mines is not None)
    evidence = gather(view, game.clues)
    found = solve(evidence)
    assume(found is not None)
    assert found is not None
    assert isinstance(evidence.prior, CountPrior)
    assert sum(found.risk.values()) == evidence.prior.mines_left
    assert all(0 <= risk <= 1 for risk in found.risk.values())


@given(games())
def test_the_true_board_is_consistent(game: mp.Game) -> None:
    evidence = gather(game.view, game.clues)
    found = solve(evidence)
    assert found is not None
    assert arrangements(evidence) >= 1


# Contradictory views.


@st.composite
def twisted(draw: st.DrawFn) -> Position:
    """A position in which a few clues, and perhaps the count, are replaced by arbitrary ones."""
    position = draw(positions())
    grid, states = position.view.grid, bytearray(position.view.states)
    opened = [index for index, state in enumerate(states) if state <= 8]
    for index in draw(st.lists(st.sampled_from(opened), max_size=3)) if opened else ():
        states[index] = draw(st.integers(0, grid.neighbour_count(index)))
    room = mp.View(grid, bytes(states))
    least = len(room.cells(EXPLODED))
    most = least + len(room.cells(HIDDEN, FLAGGED))
    mines = draw(st.integers(least, most) | st.just(position.mines) | st.none())
    view = replace(position.view, states=bytes(states), mines=mines)
    return Position(view, mines or 0, position.clues)


@st.composite
def made_up(draw: st.DrawFn) -> Position:
    """Random clues: each is possible by itself, but they are rarely consistent."""
    grid = mp.View.hidden(draw(st.integers(1, 4)), draw(st.integers(3, 6))).grid
    random = Random(draw(seeds))
    hidden = set(random.sample(range(grid.size), min(UNKNOWN, grid.size * 2 // 3)))
    states = bytearray([HIDDEN]) * grid.size
    for index in set(range(grid.size)) - hidden:
        around = len(hidden.intersection(grid.neighbours(index)))
        states[index] = random.choice([NO_CLUE, *range(around + 1)])
    mines = draw(st.none() | st.integers(0, len(hidden)))
    return Position(mp.View(grid, bytes(states), mines), mines or 0, Exact())


@st.composite
def chains(draw: st.DrawFn) -> Position:
    """A row that alternates clues and hidden cells; one clue is off by one.

    A clue of 1 links its two neighbours, so contradictions involve many clues.
    """
    grid = mp.View.hidden(1, 2 * draw(st.integers(2, 6)) + 1).grid
    mined = bytearray(index % 4 == 1 for index in range(grid.size))
    for index in draw(st.sets(st.sampled_from(range(1, grid.size, 2)), max_size=1)):
        mined[index] ^= 1
    states = bytearray(
        HIDDEN if index % 2 else sum(mined[i] for i in grid.neighbours(index))
        for index in range(grid.size)
    )
    wrong = draw(st.sampled_from(range(0, grid.size, 2)))
    states[wrong] = states[wrong] - 1 if states[wrong] else 1
    return Position(mp.View(grid, bytes(states)), 0, Exact())


def test_contradictions_are_found_and_explained() -> None:
    """The named clues contradict each other, and no longer do if any one is removed."""
    named: Counter[int] = Counter()

    @settings(max_examples=1000)
    @given(twisted() | made_up() | chains(), st.booleans())
    def check(position: Position, trust_flags: bool) -> None:
        view, clues = position.view, position.clues
        evidence = gather(view, clues, trust_flags=trust_flags)
        verdict = judge(view, clues, trust_flags=trust_flags)
        agree(solve(evidence), verdict)
        assert arrangements(evidence) == len(verdict.fits)
        if not verdict.fits:
            named[explains(position, trust_flags)] += 1

    check()
    assert sum(named.values()) >= 300
    assert sum(times for number, times in named.items() if number >= 2) >= 100
    assert sum(times for number, times in named.items() if number >= 3) >= 30


def explains(position: Position, trust_flags: bool) -> int:
    """Check the named clues, and return how many there are."""
    view, clues = position.view, position.clues

    def holds(cells: Iterable[int], mines: int | None) -> bool:
        asked = position.known_to(mines)
        return bool(judge(asked, clues, trust_flags=trust_flags, only=set(cells)).fits)

    found, count_used, irreducible = explain(gather(view, clues, trust_flags=trust_flags))
    assert irreducible
    mines = view.mines if count_used else None
    assert not holds(found, mines)
    assert all(holds(set(found) - {cell}, mines) for cell in found)
    if count_used:
        assert holds(found, None)
    elif len(found) > 1:  # no smaller set contradicts (only sets of up to two are tried)
        opened = [index for index, state in enumerate(view.states) if state <= 8]
        assert all(holds(few, None) for few in combinations(opened, min(len(found), 3) - 1))
    return len(found)


def test_a_smallest_contradictory_set_of_clues_is_named() -> None:
    """A contradictory chain of four is named, unless two clues elsewhere also contradict."""
    assert explain(gather(mp.View.from_text("1x7 1?1?1?0"))) == ((0, 2, 4, 6), False, True)
    assert explain(gather(mp.View.from_text("1x12 1?1?1?0--1?0"))) == ((9, 11), False, True)
    assert explain(gather(mp.View.from_text("2x3/2 ???/141"))) == ((4,), False, True)


def test_the_count_is_named_where_the_clues_alone_are_consistent() -> None:
    evidence = gather(mp.View.from_text("1x8/1 ?1??1???"))
    assert explain(evidence) == ((1, 4), True, True)
    assert explain(gather(mp.View.from_text("1x3/1 ?0F"), trust_flags=True)) == ((1,), False, True)
    assert explain(gather(mp.View.from_text("1x5/1 F???F"), trust_flags=True)) == ((), True, True)
    assert explain(gather(mp.View.from_text("1x3 ?1?"), density=0.0)) == ((1,), True, True)


def test_a_consistent_view_has_no_contradiction_to_explain() -> None:
    with pytest.raises(ValueError, match="the view is possible"):
        explain(gather(mp.View.from_text("1x3 ?1?")))


# Sampling.


@pytest.mark.parametrize(
    ("text", "clues", "density"),
    [
        ("3x4/4 ????/1???/????", Exact(), None),
        ("3x4 ??2?/1???/??0?", Optimistic(), None),
        ("3x4 ??2?/1???/??2?", Cautious(), 0.3),
        ("2x7 ?1???-?/??F??2?", Sometimes(0.4), None),
        ("1x9 ??1????*?", SLIPS, 0.7),
        ("1x6/5 ??????", Exact(), None),
    ],
)
def test_sample_frequencies_match_the_weights(
    text: str, clues: ClueModel, density: float | None
) -> None:
    """A chi-square test with a false-alarm rate of 1e-4; the seed is fixed."""
    view = mp.View.from_text(text)
    verdict = judge(view, clues, density=density)
    found = solve(gather(view, clues, density=density))
    assert found is not None
    stream, draws = Stream(5, Purpose.PLAYOUT), 5_000
    seen = Counter(found.sample(stream) for _ in range(draws))
    assert seen.keys() <= verdict.fits.keys()
    total = verdict.weight
    common = {
        mined: draws * w / total for mined, w in verdict.fits.items() if draws * w / total > 5
    }
    rare = draws - sum(common.values())
    square = sum((seen[mined] - mean) ** 2 / mean for mined, mean in common.items())
    if rare > 5:
        square += (draws - sum(seen[mined] for mined in common) - rare) ** 2 / rare
    freedom = len(common) - (rare <= 5)
    # Wilson and Hilferty: the cube root of a chi-square is nearly normal.
    spread = 2 / (9 * freedom)
    assert ((square / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread) < 3.72


@given(corners() | games(), seeds)
def test_a_sample_is_consistent(game: mp.Game, seed: int) -> None:
    """With its mines exploded, the view is still possible."""
    evidence = gather(game.view, game.clues)
    found = solve(evidence)
    assert found is not None
    mined = found.sample(Stream(seed, Purpose.PLAYOUT))
    assert found.mined <= mined
    assert not found.safe & mined
    for constraint in evidence.constraints:
        assert constraint.table[len(mined.intersection(constraint.cells))] > 0
    if isinstance(evidence.prior, CountPrior):
        assert len(mined) == evidence.prior.mines_left


# The cache.


@given(corners() | games(), st.data())
def test_a_cache_changes_nothing(game: mp.Game, data: st.DataObject) -> None:
    cache: Cache = {}
    for _ in range(4):
        evidence = gather(game.view, game.clues)
        found, fresh = solve(evidence, cache), solve(evidence)
        assert found is not None
        assert fresh is not None
        assert found.risk == fresh.risk
        assert found.log_weight == fresh.log_weight
        assert sum(map(len, cache)) == len(evidence.constraints)
        hidden = game.view.cells(HIDDEN)
        if game.over or not hidden:
            break
        game.play(data.draw(st.sampled_from(hidden)))


def test_a_component_that_did_not_change_is_not_counted_again() -> None:
    cache: Cache = {}
    solve(gather(mp.View.from_text("1x9/3 ?1?????1?")), cache)
    before = dict(cache)
    solve(gather(mp.View.from_text("1x9/3 ?1?????10")), cache)
    kept = [key for key in cache if cache[key] is before.get(key)]
    assert [constraint.clue for key in kept for constraint in key] == [1]
    assert len(cache) == 2


# The budget.


def test_too_many_states_are_reported_instead_of_counted() -> None:
    evidence = gather(mp.View.from_text("3x5 ?????/12321/?????"))
    assert solve(evidence, budget=1000) is not None
    with pytest.raises(OverBudget):
        solve(evidence, budget=3)
    with pytest.raises(OverBudget):
        arrangements(evidence, budget=3)


# Evidence.


def test_evidence_of_every_kind_of_cell() -> None:
    view = mp.View.from_text("3x3/3 ?F*/s2-/1??")
    evidence = gather(view)
    assert evidence.unknown == (0, 1, 7, 8)
    assert evidence.known_safe == (3,)
    assert evidence.mined == ()
    assert evidence.prior == CountPrior(2)
    assert [(item.clue, item.cells, item.table) for item in evidence.constraints] == [
        (4, (0, 1, 7, 8), (0, 1, 0, 0, 0)),
        (6, (7,), (0, 1)),
    ]
    trusting = gather(view, trust_flags=True)
    assert (trusting.mined, trusting.prior) == ((1,), CountPrior(1))
    assert trusting.constraints[0].table == (1, 0, 0, 0)
    hidden_ones = mp.View.from_text("3x3 ?F*/s2-/1??")
    assert gather(hidden_ones).prior == UniformPrior(9, 1)
    assert gather(hidden_ones, density=0.5).prior == DensityPrior(0.5)


@pytest.mark.parametrize("density", [-0.1, 1.1, math.nan])
def test_a_density_is_a_probability(density: float) -> None:
    with pytest.raises(mp.InvalidInput, match="from 0 to 1"):
        gather(mp.View.from_text("1x2 ??"), density=density)


def test_a_density_and_a_count_exclude_each_other() -> None:
    with pytest.raises(mp.InvalidInput, match="the view has 1 mine"):
        gather(mp.View.from_text("1x2/1 ??"), density=0.5)


# Worked examples.


def odds(text: str, clues: ClueModel = Exact(), **options: Any) -> dict[int, Fraction]:
    found = solve(gather(mp.View.from_text(text), clues, **options))
    assert found is not None
    return found.risk


def test_one_two_one_clears_the_middle() -> None:
    assert odds("2x3/2 ???/121") == {0: 1, 1: 0, 2: 1}
    assert odds("2x3 ???/121") == {0: 1, 1: 0, 2: 1}


CORNER = "5x5/{} ----*/*3221/-**31/-**??/-23??"
"""The corner of report 002, with the mines above and next to it that its clues imply."""


def test_the_corner_of_report_002_is_certain_with_one_or_three_mines() -> None:
    assert odds(CORNER.format(6 + 1)) == {18: 1, 19: 0, 23: 0, 24: 0}
    assert odds(CORNER.format(6 + 3)) == {18: 0, 19: 1, 23: 1, 24: 1}


def test_the_corner_of_report_002_with_two_mines_is_an_even_guess() -> None:
    """One in four without the count, one in two with it."""
    assert arrangements(gather(mp.View.from_text(CORNER.format(0).replace("/0", "", 1)))) == 4
    assert arrangements(gather(mp.View.from_text(CORNER.format(6 + 2)))) == 2
    assert set(odds(CORNER.format(6 + 2)).values()) == {Fraction(1, 2)}


def test_with_nothing_known_the_rule_of_succession_holds() -> None:
    assert set(odds("1x4 ????").values()) == {Fraction(1, 2)}
    assert odds("1x4 0s??")[3] == Fraction(1, 4)
    assert set(odds("1x6 **????").values()) == {Fraction(3, 4)}


def test_a_tiny_likelihood_does_not_count_as_impossible() -> None:
    rows = [[1.0 if clue == count else 0.0 for clue in range(9)] for count in range(9)]
    rows[1][0], rows[1][1] = 1e-300, 1.0
    found = solve(gather(mp.View.from_text("1x2 0?"), Table(rows), density=1e-200))
    assert found is not None
    assert 0 < found.risk[1] < Fraction(1, 10**499)
    assert not found.safe


# Golden counts.


@pytest.mark.parametrize("golden", json.loads(COUNTS.read_text()), ids=itemgetter("name"))
def test_golden_counts(golden: dict[str, str]) -> None:
    assert count(golden) == int(golden["arrangements"])
