"""Compares the reasoners: each deduces what weaker ones do, and nothing deduced is wrong."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof._engine import strategy_of
from mineproof.agents.recipes import EXACT, PROGRAMMES, ROWS, ROWS_WITH_COUNT, SUBSETS, AdvancedRule
from mineproof.reasoning.closure import ByComponent, close
from mineproof.reasoning.deductions import Entry
from mineproof.reasoning.equations import COUNT, Excerpt, is_one_sided
from mineproof.reasoning.gauss import LinearEquation, deduced_by, reduce
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.linear_programme import largest_sum, linear_programme
from mineproof.reasoning.local import local
from mineproof.reasoning.pairs import pairs
from mineproof.world.clues import Cautious, ClueModel, Exact, Optimistic
from tests.strategies import corners, games, middles

NOTHING = AdvancedRule("nothing", lambda: ByComponent(local))
PAIRS = AdvancedRule("pairs", lambda: ByComponent(local, pairs))
exact = st.just(Exact())
exact_games = games(exact) | middles(exact) | corners(exact)


def deduced(view: mp.View, beyond: AdvancedRule) -> dict[int, bool]:
    """What is deduced from a view: by index, whether the cell is a mine."""
    knowledge = Knowledge(view)
    found = {view.grid.index(d.cell): d.mine for d in close(knowledge, (local,))}
    found |= {i: d.mine for i, d in knowledge.settled.items()}
    return found | {i: d.mine for i, d in beyond.make()(knowledge).items()}


CONTAINED = [
    (NOTHING, PAIRS),
    (NOTHING, SUBSETS),
    (NOTHING, ROWS),
    (NOTHING, ROWS_WITH_COUNT),
    (NOTHING, PROGRAMMES),
    (PAIRS, EXACT),
    (SUBSETS, EXACT),
    (ROWS, EXACT),
    (ROWS_WITH_COUNT, EXACT),
    (PAIRS, PROGRAMMES),
    (ROWS, PROGRAMMES),
    (SUBSETS, PROGRAMMES),
    (PROGRAMMES, EXACT),
]


@pytest.mark.parametrize(("weak", "strong"), CONTAINED, ids=lambda one: one.name)
@settings(max_examples=60)
@given(game=exact_games)
def test_the_stronger_deduces_what_the_weaker_does(
    weak: AdvancedRule, strong: AdvancedRule, game: mp.Game
) -> None:
    assert deduced(game.view, weak).items() <= deduced(game.view, strong).items()


@pytest.mark.parametrize("beyond", [PAIRS, SUBSETS, ROWS, ROWS_WITH_COUNT, PROGRAMMES, EXACT])
@settings(max_examples=100)
@given(game=exact_games)
def test_nothing_deduced_is_wrong(beyond: AdvancedRule, game: mp.Game) -> None:
    view = game.view
    if not game.over:
        game.stop()
    for index, mine in deduced(view, beyond).items():
        assert mine == game.board.mined[index]


def more(view: mp.View, one: AdvancedRule, other: AdvancedRule) -> set[int]:
    return deduced(view, one).keys() - deduced(view, other).keys()


@pytest.mark.parametrize(
    ("one", "other"),
    [*permutations((PAIRS, SUBSETS, ROWS), 2), (ROWS_WITH_COUNT, ROWS)],
)
def test_neither_subsumes_the_other(one: AdvancedRule, other: AdvancedRule) -> None:
    """Somewhere in real games, one deduces a cell that the other misses."""
    assert first_where(lambda view: bool(more(view, one, other)))


@pytest.mark.parametrize("weaker", [PAIRS, SUBSETS, ROWS, ROWS_WITH_COUNT, PROGRAMMES])
def test_none_deduces_every_certain_cell(weaker: AdvancedRule) -> None:
    assert first_where(lambda view: bool(more(view, EXACT, weaker)))


def first_where(holds: Callable[[mp.View], bool]) -> mp.View | None:
    """The first position where `baseline` has to guess and the condition holds."""
    for seed in range(400):
        record = mp.play(
            mp.Deal(8, 8, 14), "baseline", rules=mp.Rules(on_mine="continue"), seed=seed
        )
        game = mp.Game(record.board, record.rules, seed=seed)
        for move in record.moves:
            if not move.certain and holds(game.view):
                return game.view
            game.play(move.cell, move.action)
    return None


@given(st.lists(st.integers(-3, 3).filter(bool), min_size=1, max_size=6), st.integers(-9, 9))
def test_the_row_rules_of_two_reports_are_equivalent(factors: list[int], value: int) -> None:
    """Report 000 negates rows with a negative value; with value 0, signs must all be equal."""
    row = LinearEquation(dict(enumerate(factors)), value, {})
    assert dict(deduced_by(row)) == as_report_000(factors, value)


def as_report_000(factors: list[int], value: int) -> dict[int, bool]:
    if value < 0:
        factors, value = [-factor for factor in factors], -value
    if value == 0:
        one_sign = all(factor > 0 for factor in factors) or all(factor < 0 for factor in factors)
        return dict.fromkeys(range(len(factors)), False) if one_sign else {}
    if sum(factor for factor in factors if factor > 0) == value:
        return {i: factor > 0 for i, factor in enumerate(factors)}
    return {}


@settings(max_examples=60)
@given(game=exact_games)
def test_reduced_rows_follow_from_the_clues(game: mp.Game) -> None:
    """Each row is true on the board, is in lowest terms, and has its own pivot column."""
    knowledge = Knowledge(game.view)
    said = tuple(
        (e.clue, tuple(sorted(e.cells)), e.least) for e in knowledge.equations.values() if e.cells
    )
    if not game.over:
        game.stop()
    rows = reduce(said) if said else ()
    for row in rows:
        assert sum(f * game.board.mined[i] for i, f in row.terms.items()) == row.value
        assert sum(min(row.terms) in other.terms for other in rows) == 1


bounds = st.sampled_from([Optimistic(), Cautious()])


@settings(max_examples=100)
@given(game=games(bounds) | corners(bounds))
def test_bounds_alone_deduce_no_more_than_single_clues(game: mp.Game) -> None:
    """The theorem behind the shortcut: solving the programmes anyway finds nothing."""
    knowledge = Knowledge(game.view, game.rules, game.clues)
    for _ in close(knowledge, (local,)):
        pass
    equations = [equation for equation in knowledge.equations.values() if equation.cells]
    assume(equations and is_one_sided(equations))
    assert not list(linear_programme(Excerpt(knowledge, equations)))
    from mineproof.reasoning.linear_programme import _Programme

    assert not _Programme(equations, None).settled()


@settings(max_examples=60)
@given(game=games(st.sampled_from([Exact(), Optimistic(), Cautious()])))
def test_the_clues_whose_duals_force_a_bound_suffice(game: mp.Game) -> None:
    """The programme without the other clues still deduces the cell."""
    knowledge = Knowledge(game.view, game.rules, game.clues)
    for _ in close(knowledge, (local,)):
        pass
    count = knowledge.count()
    equations = [e for e in knowledge.equations.values() if e.cells] + ([count] if count else [])
    for found in linear_programme(Excerpt(knowledge, equations)):
        clues = {knowledge.grid.index(cell) for cell in found.clues}
        few = [e for e in equations if e.clue in clues or (e.clue == COUNT and found.count_used)]
        if few == [count]:
            assert (count.least == len(count.cells)) if found.mine else count.most == 0
            continue
        again = {(d.cell, d.mine) for d in linear_programme(Excerpt(knowledge, few))}
        assert (found.cell, found.mine) in again
        assert not found.every_clue


def test_duals_in_words() -> None:
    knowledge = Knowledge(mp.View.from_text("2x3 ???/121"))
    data = {d.cell: d.why for d in linear_programme(knowledge)}
    assert data[0, 0] == (
        "combining the clues as (1,1) - (1,2) gives this cell a value of at least 1, "
        "so it is a mine"
    )
    with_count = Knowledge(mp.View.from_text("2x5/2 ?????/1-1-1"))
    count = with_count.count()
    assert count is not None
    both = Excerpt(with_count, [*with_count.equations.values(), count])
    found = {d.cell: d for d in linear_programme(both)}
    assert found[0, 2].why == (
        "combining the clues as mine count - (1,0) - (1,4) gives this cell a value of at most 0, "
        "so it is safe"
    )
    assert found[0, 2].count_used


def test_the_largest_sum_of_report_000_proves_nothing() -> None:
    """Optimistic clues are lower bounds, so mines everywhere always maximise the sum."""
    agent = mp.agents.get("linopt:sum=true")
    assert not agent.sound
    view = mp.View.from_text("3x3/1 ???/?1?/???")
    data: list[Entry] = []
    player = agent.begin(view, clues=Optimistic())
    player.knowledge.report = data.append
    move = player.decide()
    assert (move.action, move.certain, move.rule) == ("flag", True, "largest-sum")
    assert any("the most mines" in text for text in map(str, data))
    assert set(player.beyond) == set(range(9)) - {4}
    assert all(one.mine for one in player.beyond.values()), (
        "it calls all cells mines, though only one is"
    )


def test_the_largest_sum_reports_a_failed_programme_and_its_fallback() -> None:
    def log(text: str, clues: ClueModel) -> str:
        knowledge = Knowledge(mp.View.from_text(text), mp.Rules(), clues)
        knowledge.report = data.append
        count = knowledge.count()
        assert count is not None
        data.clear()
        list(largest_sum(Excerpt(knowledge, [*knowledge.equations.values(), count])))
        return "\n".join(map(str, data))

    data: list[Entry] = []
    assert "falling back to values from 0 to 1\nsolution" in log("1x3/1 ?1?", Optimistic())
    assert "falling back" not in log("1x3/1 ?1?", Exact())
    impossible = log("1x4/3 ?1??", Exact())
    assert impossible.startswith("the linear programme fails")
    assert "in the lowest share of configurations" in impossible


@pytest.mark.parametrize("name", mp.agents.names())
def test_thousands_of_games_without_a_wrong_deduction(name: str) -> None:
    """Every flag is a deduction, so a wrong one would be counted as a wrong flag."""
    deal, rules = mp.Deal(8, 8, density=0.2), mp.Rules(on_mine="continue")
    fast = strategy_of(mp.agents.get(name), Exact(), deal.grid) is not None
    games = 5000 if fast else 25 if name == "linopt" else 250
    standing = mp.arena([name], deal, games=games, rules=rules, workers=1).agents[0]
    assert standing.wrong == 0
    for seed in range(12):
        record = mp.play(deal, name, rules=rules, seed=seed)
        for move in record.moves:
            if move.certain:
                assert record.board.is_mine(move.cell) == (move.action == "flag")


def test_the_raw_pattern_is_unsound_and_says_so() -> None:
    raw = mp.agents.get("one-two:raw=true")
    assert not raw.sound
    standing = mp.arena(
        [raw], mp.Deal(10, 10, 20), games=200, rules=mp.Rules(on_mine="continue"), workers=1
    ).agents[0]
    assert standing.wrong > 0.3
