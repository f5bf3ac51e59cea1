"""With missing or wrong clues, agents make the best of what the clues reveal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import count
from statistics import mean, stdev

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof import _engine
from mineproof.agents.champion import Champion
from mineproof.games.match import Match
from mineproof.reasoning.clue_odds import counts_around
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.gauss import gauss_with_slack
from mineproof.reasoning.knowledge import Knowledge
from mineproof.world.clues import Cautious, ClueModel, Exact, Optimistic, Shown, Sometimes
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, NO_CLUE, Event
from tests.calibration import Claim, calibration_p
from tests.oracle import judge
from tests.strategies import CLUE_MODELS, corners, games

NOISE = [model for model in CLUE_MODELS if not isinstance(model, Exact)]
SCORED = mp.Rules(on_mine="continue", opening="any")
CAREFUL = ("baseline", "csp", "csp-count", "gauss", "gauss:slack=true", "linalg", "linopt", "exact")


# Calibration.


def claims(model: ClueModel, number: int, reading: ClueModel | None = None) -> list[Claim]:
    """Claimed risk and outcome of cells opened at random, so that all risks are tested."""
    found: list[Claim] = []
    for seed in count():
        game = mp.Game.deal(7, 7, 10, rules=SCORED, clues=model, seed=seed)
        stream = mp.chance.Stream(seed, mp.chance.Purpose.TIES)
        while not game.over:
            if game.unanswered:
                game.ask()
            view = game.view
            risk = mp.posterior(view, reading or model).risk.ravel()
            open_to_question = np.flatnonzero((risk > 0) & (risk < 1))
            if not len(open_to_question):
                break
            index = int(open_to_question[stream.below(len(open_to_question))])
            hit = game.open(view.grid.cell(index))[0].state == EXPLODED
            found.append((float(risk[index]), hit))
            if len(found) == number:
                return found
    raise AssertionError


@pytest.mark.parametrize("model", NOISE, ids=str)
def test_claimed_risks_are_calibrated(model: ClueModel) -> None:
    assert calibration_p(claims(model, 20_000)) > 1e-4


@dataclass(frozen=True)
class OneTooFew(Optimistic):
    """A wrong model, in which a clue takes one of c values instead of c + 1."""

    def likelihood(self, shown: Shown, degree: int, bound: int | None = None) -> tuple[float, ...]:
        right = super().likelihood(shown, degree, bound)
        return tuple(chance and 1 / max(count, 1) for count, chance in enumerate(right))


def test_a_wrong_likelihood_fails_the_calibration() -> None:
    assert calibration_p(claims(Optimistic(), 20_000, OneTooFew())) < 1e-4


@settings(max_examples=400)
@given(corners(most=12) | games(), st.integers(0, 48))
def test_odds_of_the_mines_around_a_cell_equal_brute_force(game: mp.Game, place: int) -> None:
    view, clues = game.view, game.clues
    opened = [i for i, state in enumerate(view.states) if state <= 8 or state == NO_CLUE]
    assume(opened and len(view.cells(HIDDEN, FLAGGED)) <= 13)
    index = opened[place % len(opened)]
    cell = view.grid.cell(index)
    verdict, around = judge(view, clues), set(view.grid.neighbours(index))
    hit = sum(view.states[i] == EXPLODED for i in around)
    expected, total = dict.fromkeys(range(9), 0.0), verdict.weight
    for mined, weight in verdict.fits.items():
        expected[hit + len(mined & around)] += weight / total
    expected = {number: chance for number, chance in expected.items() if chance}
    for engine in ("native", "python"):
        with _engine.using(engine):
            assert mp.count_odds(view, cell, clues) == pytest.approx(expected, abs=1e-9)
            every = counts_around(view, [view.grid.cell(i) for i in opened], clues)
            assert every[opened.index(index)] == pytest.approx(expected, abs=1e-9)


# When to flag.


def outcomes(view: mp.View, cell: mp.Cell, clues: ClueModel) -> list[tuple[float, mp.View]]:
    """The views that opening a cell can lead to, with their probabilities."""
    odds = mp.value_odds(view, cell, clues)
    index = view.grid.index(cell)
    shown = [(chance, NO_CLUE if clue is None else clue) for clue, chance in odds.shown.items()]
    before, behind = view.states[:index], view.states[index + 1 :]
    return [
        (chance, mp.View(view.grid, bytes([*before, state, *behind]), view.mines))
        for chance, state in (*shown, (odds.risk, EXPLODED))
        if chance > 1e-12
    ]


@cache
def worth(view: mp.View, clues: ClueModel) -> tuple[float, float, float]:
    """Expected flags, right minus wrong: with best play, when flagging now, when opening first.

    The last is the maximum over cells with a risk of at most one half.
    """
    risk = mp.posterior(view, clues).risk
    hidden = view.cells(HIDDEN)
    now = sum(max(0.0, 2 * float(risk[cell]) - 1) for cell in hidden)
    by_opening, by_safer = 0.0, -1.0
    for cell in hidden:
        value = sum(
            chance * worth(after, clues)[0] for chance, after in outcomes(view, cell, clues)
        )
        by_opening = max(by_opening, value)
        if risk[cell] <= 0.5:
            by_safer = max(by_safer, value)
    return max(now, by_opening), now, by_safer


@pytest.mark.parametrize("model", [Sometimes(0.5), Optimistic(), Cautious()], ids=str)
def test_opening_a_probably_safe_cell_is_never_worse_than_flagging_now(model: ClueModel) -> None:
    """In every position of these boards' game trees."""
    seen: dict[bytes, mp.View] = {}
    waiting = [mp.View.hidden(1, 5), mp.View.hidden(2, 2)]
    while waiting:
        view = waiting.pop()
        _, now, by_safer = worth(view, model)
        assert by_safer < 0 or by_safer >= now - 1e-9, view
        for cell in view.cells(HIDDEN):
            for _, after in outcomes(view, cell, model):
                if after.states not in seen:
                    seen[after.states] = after
                    waiting.append(after)
    assert len(seen) > 100


@pytest.mark.parametrize("name", ["exact", "champion:budget=fast"])
@pytest.mark.parametrize("model", NOISE, ids=str)
def test_flags_wait_until_every_cell_left_is_probably_a_mine(model: ClueModel, name: str) -> None:
    """Even then the champion may open a cell for the information."""
    flags = 0
    for seed in range(12):
        record = mp.play(mp.Deal(6, 6, 12), name, rules=SCORED, clues=model, seed=seed)
        game = mp.Game(record.board, record.rules, record.clues, seed=record.seed)
        for move in record.moves:
            if not move.certain and move.action in {"open", "flag"}:
                risk = mp.posterior(game.view, model).risk
                least = min(float(risk[cell]) for cell in game.view.cells(HIDDEN))
                own = float(risk[move.cell])
                assert least > 0.5 or move.action == "open"
                assert least <= 0.5 or move.action == "flag" or name != "exact"
                assert move.risk == pytest.approx(own if move.action == "open" else 1 - own)
                flags += move.action == "flag"
            game.play(move.cell, move.action)
    assert flags or isinstance(model, Sometimes) or name != "exact"


@pytest.mark.parametrize("model", NOISE, ids=str)
def test_scores_average_to_the_expected_score(model: ClueModel) -> None:
    """With a density and no count, so that errors at different cells do not cancel out."""
    deal = mp.Deal(6, 6, density=0.3, independent=True)
    rules = mp.Rules(on_mine="continue", count_known=False, density=0.3)
    gaps = []
    for seed in range(150):
        record = mp.play(deal, "exact", rules=rules, clues=model, seed=seed)
        assert record.score is not None
        assert record.expected_score is not None
        gaps.append(record.score - record.expected_score)
    assert abs(mean(gaps)) < 4 * (stdev(gaps) / len(gaps) ** 0.5 + 1e-12)


def expected_of(name: str, view: mp.View, clues: ClueModel) -> float:
    """An agent's expected flags, right minus wrong, over its whole game tree."""
    agent, rules = mp.agents.get(name), mp.Rules(on_mine="continue", flood=False)

    @cache
    def value(view: mp.View) -> float:
        risk = mp.posterior(view, clues).risk
        hidden = view.cells(HIDDEN)
        now = sum(max(0.0, 2 * float(risk[cell]) - 1) for cell in hidden)
        if all(risk[cell] in {0, 1} for cell in hidden):
            return now
        player = agent.begin(view, rules=rules, clues=clues, seed=0)
        while (move := player.decide()).action == "flag" and move.certain:
            player.observe([Event(move.cell, FLAGGED)])
        if move.action == "flag":
            return now
        return sum(chance * value(after) for chance, after in outcomes(view, move.cell, clues))

    return value(view)


@pytest.mark.parametrize("model", [Sometimes(0.5), Optimistic()], ids=str)
def test_looking_ahead_at_what_a_cell_may_show_pays(model: ClueModel) -> None:
    """On a board too large for the champion's game tree, but small enough for this test's."""
    view = mp.View.hidden(3, 3, 2)
    exact, champion = (expected_of(name, view, model) for name in ("exact", "champion:budget=fast"))
    assert champion > exact + 0.01


@pytest.mark.parametrize(
    ("model", "mines"), [(Sometimes(0.5, redraw=True), 12), (Optimistic(), 2)], ids=str
)
def test_where_looking_ahead_gains_nothing_the_lowest_risk_decides(
    model: ClueModel, mines: int
) -> None:
    """With redrawn clues, and with few mines."""
    for seed in range(5):
        played = [
            mp.play(mp.Deal(6, 6, mines), name, rules=SCORED, clues=model, seed=seed)
            for name in ("exact", "champion:budget=fast")
        ]
        assert played[0].moves == played[1].moves


def test_with_weak_clues_and_dense_mines_it_flags_instead_of_opening() -> None:
    view = mp.View.from_text("6x6/24 ??????/?2????/??????/??????/??????/??????")
    advice = mp.agents.get("champion:budget=fast").advise(view, SCORED, Optimistic())
    assert advice.method == "flags"
    assert len(advice.candidates) == 35


@pytest.mark.parametrize("model", NOISE, ids=str)
def test_both_engines_expect_the_same_score_to_the_last_digit(model: ClueModel) -> None:
    deal = mp.Deal(5, 5, density=0.3, independent=True)
    rules = mp.Rules(on_mine="continue", count_known=False, density=0.3)
    for seed in range(30):
        scores = []
        for engine in _engine.ENGINES:
            with _engine.using(engine):
                record = mp.play(deal, "exact", rules=rules, clues=model, seed=seed)
                scores.append(record.expected_score)
        assert scores[0] == scores[1]


def test_with_exact_clues_only_proved_mines_are_flagged() -> None:
    for seed in range(20):
        record = mp.play(mp.Deal(6, 6, 20), "exact", rules=SCORED, seed=seed)
        assert not record.wrong
        assert all(move.certain for move in record.moves if move.action == "flag")


def test_a_flag_that_became_unlikely_is_removed() -> None:
    view = mp.View.from_text("1x4/1 F-??")
    decision = mp.agents.get("exact").decide(view, rules=SCORED, clues=Sometimes(0.5))
    assert (decision.cell, decision.action) == ((0, 0), "unflag")


# Sound and unsound readings of clues.


@pytest.mark.parametrize("name", CAREFUL)
@pytest.mark.parametrize("model", NOISE, ids=str)
def test_a_sound_agent_is_never_certain_and_wrong(model: ClueModel, name: str) -> None:
    for seed in range(2 if name == "linopt" else 6):
        record = mp.play(mp.Deal(6, 6, 7), name, rules=SCORED, clues=model, seed=seed)
        for move in record.moves:
            if move.certain and move.rule:
                mined = record.board.mined[record.board.grid.index(move.cell)]
                assert bool(mined) == (move.action == "flag"), move


@pytest.mark.parametrize(
    ("model", "kept"),
    [(Optimistic(), "flag"), (Cautious(), "open")],
    ids=["optimistic", "cautious"],
)
def test_one_sided_clues_prove_only_one_thing(model: ClueModel, kept: str) -> None:
    """Report 001's sound reading: optimistic clues prove only mines, cautious ones only safety."""
    rules = mp.Rules(on_mine="continue", count_known=False)
    for name in ("csp", "linalg", "gauss:slack=true"):
        for seed in range(10):
            record = mp.play(mp.Deal(7, 7, 12), name, rules=rules, clues=model, seed=seed)
            assert {move.action for move in record.moves if move.rule} <= {kept}


def test_reading_wrong_clues_as_exact_is_worse() -> None:
    for model in (Optimistic(), Cautious()):
        agents = ["csp", "csp:naive=true"]
        careful, naive = mp.arena(
            agents, mp.Deal(8, 8, 12), games=30, rules=SCORED, clues=model, workers=1
        ).agents
        assert careful.wrong == 0
        assert naive.wrong > 0
        assert careful.score is not None
        assert naive.score is not None
        assert careful.score.mean > naive.score.mean


def test_a_bound_with_a_slack_variable_deduces_the_extremes() -> None:
    """A cautious 0 allows no mine; an optimistic 3 in a corner needs all three."""
    low = Knowledge(mp.View.from_text("2x2 0?/??"), clues=Cautious())
    high = Knowledge(mp.View.from_text("2x2 3?/??"), clues=Optimistic())
    for knowledge, mine in ((low, False), (high, True)):
        found: list[Deduction] = list(gauss_with_slack(knowledge))
        assert [deduction.mine for deduction in found] == [mine] * 3


def test_a_missing_clue_is_imputed() -> None:
    """Report 002: 4 mines among 8 cells make 1.5 around a corner, rounded down to 1."""
    view = mp.View.from_text("3x3/4 -??/???/???")
    knowledge = Knowledge(view, clues=Sometimes(0.5), imputes=True)
    equation = knowledge.equations[0]
    assert (equation.cells, equation.least, equation.most) == ({1, 3, 4}, 1, 1)
    knowledge.observe([Event((0, 0), 3)])  # the second query returns a clue
    equation = knowledge.equations[0]
    assert (equation.cells, equation.least, equation.most) == ({1, 3, 4}, 3, 3)
    assert len(knowledge.holding(1)) == 1


def test_a_reason_from_an_imputed_clue_says_that_it_was_missing() -> None:
    agent = mp.agents.get("gauss:impute=true")
    move = agent.decide(mp.View.from_text("1x3/1 -?F"), clues=Sometimes(0.5))
    assert move.reason.startswith("the missing clue at (0,0), estimated from the mine count, ")


def test_imputed_clues_are_not_sound() -> None:
    agent = mp.agents.get("gauss:impute=true")
    assert not agent.sound
    games = [
        mp.play(mp.Deal(8, 8, 10), agent, rules=SCORED, clues=Sometimes(0.5), seed=seed)
        for seed in range(10)
    ]
    assert sum(game.wrong for game in games) > 0


# Clues that contradict the model.


def test_clues_that_contradict_the_model_are_named() -> None:
    """An optimistic 2 next to one hidden cell is impossible; an agent raises instead of moving."""
    view = mp.View.from_text("1x5/2 ?002?")
    for name in ("exact", "champion:budget=fast"):
        with pytest.raises(mp.Contradiction, match=r"the clue at \(0,3\)=2 is impossible") as error:
            mp.agents.get(name).decide(view, clues=Optimistic())
        assert error.value.clues == ((0, 3),)


def test_moves_on_large_boards_are_marked_as_estimated() -> None:
    match = Match(mp.Deal(20, 20, 80), "exact", rules=SCORED, clues=Cautious(), seed=1)
    move = next(turn.asked for turn in match if turn.asked.estimated)
    assert "(estimated)" in move.reason


def test_equally_good_cells_are_always_shown_in_the_same_order() -> None:
    """Whatever was asked before: cached results add probabilities in a different order."""
    rules, clues, champion = mp.Rules(on_mine="continue"), mp.clues.Sometimes(0.5), Champion()
    view, *others = map(
        mp.View.from_text,
        (
            "6x5/12 *?*21/??44F/*????/?*??3/---F-/002F2",
            "6x5/12 ?????/?????/?????/?????/---?-/0?2?2",
            "6x5/12 *?*21/??44F/*????/?*???/---F-/002F2",
        ),
    )
    known = set()
    for turn in range(12):
        known.add(tuple(one.cell for one in champion.advise(view, rules, clues).candidates))
        champion.advise(others[turn % 3 == 0], rules, clues)
    assert len(known) == 1
