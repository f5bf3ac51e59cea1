"""Every proof is valid, needs each of its clues, and is as small as claimed on both engines."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof import _engine
from mineproof.reasoning.proofs import Proof, easiest
from mineproof.reasoning.proofs.statements import InferenceKind
from mineproof.world.clues import Cautious, Exact, Optimistic
from mineproof.world.view import KNOWN_SAFE
from tests.oracle import judge
from tests.proof_checker import Checker
from tests.replayed import replayed
from tests.strategies import clue_models, middles

GOLDEN = Path(__file__).parents[1] / "golden" / "proofs.txt"

SMALL = 13
"""In views with up to this many clues, the test tries every smaller set."""


def positions(level: str, agent: str, games: range, *, every: int = 0) -> Iterator[mp.View]:
    """Views of an agent's games: before each guess, or every n-th one."""
    rows, cols, mines = mp.LEVELS[level]
    start = rows // 2, cols // 2
    rules = mp.Rules(opening="clear", on_mine="continue")
    for seed in games:
        board = mp.Board.random(rows, cols, mines, seed=seed, start=start, opening="clear")
        record = mp.play(board, agent, rules=rules, start=start, seed=seed)
        views = [(move, view) for move, _, view in replayed(record)]
        for place, (_, view) in enumerate(views[:-1]):
            if place % every == every // 2 if every else not views[place + 1][0].certain:
                yield view


def same(one: Proof, other: Proof) -> bool:
    return one.found == other.found


@settings(max_examples=150)
@given(middles(st.just(Exact())))
def test_proofs_on_small_boards_are_valid_and_smallest(game: mp.Game) -> None:
    found = {}
    for engine in _engine.ENGINES:
        with _engine.using(engine):
            found[engine] = mp.proofs(game.view)
    checker = Checker(game.view)
    for proof, twin in zip(found["native"], found["python"], strict=True):
        assert same(proof, twin)
        assert proof.least
        assert proof.irreducible
        checker.check(proof, least=len(checker.says) <= SMALL)


@settings(max_examples=80)
@given(middles(clue_models))
def test_certain_cells_under_uncertain_clues_have_proofs(game: mp.Game) -> None:
    view, clues = game.view, game.clues
    found = mp.proofs(view, clues)
    with _engine.using("python"):
        twins = mp.proofs(view, clues)
    checker = Checker(view, clues)
    for proof, twin in zip(found, twins, strict=True):
        assert same(proof, twin)
        checker.check(proof, least=len(checker.says) <= SMALL)
        assert str(proof)


@given(middles(st.just(Exact())))
def test_exactly_the_certain_cells_have_proofs(game: mp.Game) -> None:
    odds = mp.posterior(game.view)
    certain = {*odds.safe, *odds.mined} - set(game.view.cells(KNOWN_SAFE))
    assert {proof.cell for proof in mp.proofs(game.view)} == certain


PLAYED = [
    ("beginner", "baseline", 60, 0),
    ("beginner", "csp", 150, 0),
    ("beginner", "exact", 40, 7),
    ("intermediate", "csp", 12, 0),
    ("expert", "baseline", 1, 0),
    ("expert", "csp", 3, 0),
]
"""Level, agent, games, and n for every n-th view; 0 takes the views before guesses."""


@pytest.mark.parametrize(("level", "agent", "games", "every"), PLAYED)
def test_proofs_in_simulated_games_are_valid(
    level: str, agent: str, games: int, every: int
) -> None:
    checked = 0
    for view in positions(level, agent, range(games), every=every):
        checker = Checker(view)
        for proof in mp.proofs(view):
            checker.check(proof)
            assert proof.irreducible
            assert str(proof).count("\n") >= 1
            checked += 1
    assert checked > 60


@pytest.mark.parametrize(
    ("level", "agent", "games"), [("beginner", "csp", 60), ("expert", "baseline", 1)]
)
def test_both_engines_give_the_same_proofs(level: str, agent: str, games: int) -> None:
    for view in positions(level, agent, range(games)):
        native = mp.proofs(view)
        with _engine.using("python"):
            python = mp.proofs(view)
        assert [proof.found for proof in native] == [proof.found for proof in python]


@pytest.mark.parametrize("budget", [1, 30, 300])
def test_a_small_budget_is_respected_and_reported(engine: str, budget: int) -> None:
    """The result is still a valid proof, and what it claims about its size is true."""
    for view in positions("beginner", "csp", range(8, 20)):
        checker = Checker(view)
        for proof in mp.proofs(view, budget=budget):
            checker.check(proof)
            assert proof.irreducible or not proof.least


def test_the_count_is_used_only_as_a_last_resort(engine: str) -> None:
    proof = mp.explain(mp.View.from_text("1x6/1 ?1????"), (0, 5))
    assert proof.count_used
    assert proof.clues == ((0, 1),)
    assert [step.kind for step in proof.steps] == ["count"]
    # Three clues suffice without the count, or one with it: the three are preferred.
    text = "3x5/2 ?????/s121s/00000"
    proof = mp.explain(mp.View.from_text(text), (0, 2))
    assert not proof.count_used
    assert len(proof.clues) == 3


def test_a_cell_marked_safe_needs_no_clue(engine: str) -> None:
    view = mp.View.from_text("2x3/1 s??/111")
    shown = mp.explain(view, (0, 0))
    assert (shown.mine, shown.clues, shown.steps) == (False, (), ())
    assert "known safe" in str(shown)
    mine = mp.explain(mp.View.from_text("2x3 s?*/122"), (0, 1))
    assert mine.mine
    assert len(mine.clues) == 1


def test_an_uncertain_cell_has_a_risk_and_two_example_configurations(engine: str) -> None:
    view = mp.View.from_text("3x5/3 ?????/?12??/?????")
    proof = mp.explain(view, (0, 0))
    assert proof.mine is None
    fits = judge(view).fits
    mined = sum(0 in arrangement for arrangement in fits)
    assert proof.arrangements == (mined, len(fits) - mined)
    assert proof.risk == pytest.approx(mined / len(fits))
    assert proof.witnesses is not None
    with_mine, without = (
        frozenset(view.grid.index(cell) for cell in mines) for mines in proof.witnesses
    )
    assert with_mine in fits
    assert without in fits
    assert 0 in with_mine
    assert 0 not in without


@settings(max_examples=25)
@given(middles(st.just(Exact())))
def test_the_settler_is_the_cell_most_likely_to_decide_it(game: mp.Game) -> None:
    """Compared with an enumeration of all configurations, for one uncertain cell per view."""
    view = game.view
    verdict = judge(view) if len(view.cells(9, 13)) <= 11 else None
    cells = [] if verdict is None else sorted(set(verdict.unknown) - verdict.safe - verdict.mined)
    if verdict is None or not cells:
        return
    asked, total = cells[0], verdict.weight
    chances = {}
    for other in verdict.unknown:
        shows: dict[int, list[tuple[bool, float]]] = {}
        for mined, weight in verdict.fits.items():
            if other not in mined:
                seen = sum(near in mined for near in view.grid.neighbours(other))
                shows.setdefault(seen, []).append((asked in mined, weight))
        chances[view.grid.cell(other)] = sum(
            sum(weight for _, weight in ways)
            for ways in shows.values()
            if len({mine for mine, _ in ways}) == 1
        )
    row, col = view.grid.cell(asked)
    near = {
        cell: chance / total
        for cell, chance in chances.items()
        if max(abs(cell[0] - row), abs(cell[1] - col)) in {1, 2}
    }
    shown = mp.explain(view, (row, col)).settler
    if shown is None:
        assert not any(near.values())
    else:
        assert shown[1] == pytest.approx(max(near.values()))
        assert near[shown[0]] == pytest.approx(shown[1])


def test_a_wrong_flag_is_refuted(engine: str) -> None:
    proof = mp.explain(mp.View.from_text("3x5 ??F??/s121s/00000"), (0, 2))
    assert proof.refutes_flag
    assert "the flag on it is wrong" in str(proof)


def test_uncertain_clues_state_what_they_mean(engine: str) -> None:
    view = mp.View.from_text("2x3 ???/s2s")
    assert mp.explain(view, (0, 0), Optimistic()).mine is None
    view = mp.View.from_text("2x3 ???/s3s")
    more = mp.explain(view, (0, 0), Optimistic())
    assert more.mine
    assert "the 3 at (1,1) needs 3" in str(more).lower()
    fewer = mp.explain(mp.View.from_text("2x3 ???/s0s"), (0, 0), Cautious())
    assert fewer.mine is False


def test_the_easiest_proof_has_the_simplest_steps(engine: str) -> None:
    view = mp.View.from_text("3x5 ?????/12121/00000")
    found = mp.proofs(view)
    best = easiest(found)
    assert best is not None
    assert best.ease == "subset"
    assert easiest([]) is None
    assert max(InferenceKind).name == "CASES"


def test_explaining_an_open_cell_is_an_error(engine: str) -> None:
    view = mp.View.from_text("2x3/1 ???/111")
    with pytest.raises(mp.InvalidInput, match=r"\(1,0\) is not hidden in '2x3/1"):
        mp.explain(view, (1, 0))
    with pytest.raises(mp.Contradiction):
        mp.explain(mp.View.from_text("2x3/2 ???/141"), (0, 0))


def golden() -> str:
    """More than a dozen positions, each with proofs in words."""
    blocks = GOLDEN.read_text().split("\n\n") if GOLDEN.exists() else []
    heads = [block.split("\n", 1)[0] for block in blocks if block.strip()]
    shown = []
    for head in heads:
        text, _, cell = head.rpartition(" @ ")
        row, col = map(int, cell.split(","))
        shown.append(f"{head}\n{mp.explain(mp.View.from_text(text), (row, col))}")
    return "\n\n".join(shown) + "\n"


def test_proofs_read_as_the_golden_ones(engine: str) -> None:
    """`MINEPROOF_WRITE_GOLDEN=1 pytest` rewrites each from its first line."""
    shown = golden()
    if os.environ.get("MINEPROOF_WRITE_GOLDEN"):
        GOLDEN.write_text(shown)
    assert shown.count("\n\n") >= 11
    assert shown == GOLDEN.read_text()


def test_json_contains_everything(engine: str) -> None:
    view = mp.View.from_text("3x5 ?????/12121/00000")
    proof = mp.explain(view, (0, 1))
    shown = json.loads(json.dumps(proof.to_json()))
    assert shown["mine"] is False
    assert shown["clues"] == [[1, 2], [1, 3]]
    assert shown["steps"][0]["signs"] == [1, -1]
    assert shown["words"] == str(proof)
