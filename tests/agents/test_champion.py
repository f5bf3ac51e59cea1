"""The champion is perfect where it says so, calibrated, and better than the lowest risk."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof import _engine
from mineproof.agents.budget import BUDGETS
from mineproof.agents.champion import Advice, Champion, reason
from mineproof.cli import main
from mineproof.games.analysis import opinion
from mineproof.testing import check_agent
from mineproof.world.board import Opening
from mineproof.world.clues import Cautious, Optimistic, Sometimes
from mineproof.world.view import HIDDEN, KNOWN_SAFE
from tests.agents.small_boards import fitting, position
from tests.replayed import replayed

FAST = Champion(BUDGETS["fast"])
DEFAULT = Champion()


def best_of_all(view: mp.View) -> tuple[float, dict[mp.Cell, float]]:
    """The win probability with best play, and per first cell, straight from the definition.

    Consistent boards are enumerated; no cell is opened for free, and nothing is pruned.
    """
    grid = view.grid
    around = [frozenset(grid.neighbours(cell)) for cell in range(grid.size)]
    hidden = [i for i, state in enumerate(view.states) if state in {HIDDEN, KNOWN_SAFE}]
    assert view.mines is not None
    boards = fitting(view, hidden, around, view.mines)
    # Sets of boards and cells are bit masks: per cell, the boards on which it shows 0, 1, ... 8.
    answers = {
        cell: [
            sum(
                1 << b
                for b, mined in enumerate(boards)
                if cell not in mined and len(around[cell] & mined) == shown
            )
            for shown in range(9)
        ]
        for cell in hidden
    }

    @cache
    def worth(alive: int, opened: int) -> int:
        if opened.bit_count() == grid.size - view.mines:
            return alive.bit_count()
        return max(after(alive, opened, cell) for cell in hidden if not opened >> cell & 1)

    def after(alive: int, opened: int, cell: int) -> int:
        groups = (alive & group for group in answers[cell])
        return sum(worth(group, opened | 1 << cell) for group in groups if group)

    opened = sum(1 << cell for cell in range(grid.size) if cell not in hidden)
    everything, total = (1 << len(boards)) - 1, len(boards)
    each = {grid.cell(cell): after(everything, opened, cell) / total for cell in hidden}
    return worth(everything, opened) / total, each


SEEDS = range(300)


@pytest.mark.parametrize("first", range(0, 300, 25))
def test_the_endgame_is_the_true_optimum(first: int) -> None:
    """Hundreds of small positions, compared with the definition of best play."""
    solved = 0
    for seed in range(first, first + 25):
        view = position(seed)
        if sum(state == HIDDEN for state in view.states) > 14:
            continue
        best, each = best_of_all(view)
        chance = DEFAULT.win_chance(view)
        assert chance is not None
        assert chance == (pytest.approx(best, abs=1e-12), 0)
        odds = mp.posterior(view)
        if odds.safe:
            continue
        advice = DEFAULT.advise(view)
        if len(odds.mined) == len(view.cells(HIDDEN)):  # no cell is left to open
            assert not advice.candidates
            continue
        assert advice.method == "endgame"
        first_choice = advice.candidates[0]
        assert each[first_choice.cell] == pytest.approx(best, abs=1e-12)
        assert first_choice.win == pytest.approx(best, abs=1e-12)
        assert first_choice.risk == pytest.approx(odds.risk[first_choice.cell], abs=1e-12)
        solved += 1
    assert solved >= 4


SEES_FIFTIES = Champion(BUDGETS["fast"]._replace(arrangements=0, parts=0))


@pytest.mark.parametrize("first", range(0, 600, 100))
def test_a_fifty_fifty_that_nothing_can_resolve_is_best_guessed_at_once(first: int) -> None:
    """Where the champion finds one, no other cell wins more, by the definition of best play."""
    seen = 0
    for seed in range(first, first + 100):
        view = position(seed)
        if sum(state == HIDDEN for state in view.states) > 13 or mp.posterior(view).safe:
            continue
        advice = SEES_FIFTIES.advise(view)
        if advice.method != "fifty-fifty":
            continue
        best, each = best_of_all(view)
        for candidate in advice.candidates:
            assert each[candidate.cell] == pytest.approx(best, abs=1e-12), view.to_text()
        seen += 1
    assert seen >= 3


def test_it_can_postpone_fifty_fifties() -> None:
    later = Champion(SEES_FIFTIES.budget._replace(fifties=False))
    methods = {later.advise(view).method for view in map(position, SEEDS) if view.cells(HIDDEN)}
    assert "fifty-fifty" not in methods


def stuck(level: str, seed: int, *, agent: str = "champion:fast") -> list[mp.View]:
    """The positions of a game in which it had to guess."""
    rows, cols, mines = mp.LEVELS[level]
    record = mp.play(
        mp.Deal(rows, cols, mines), agent, rules=mp.Rules(opening="safe"), seed=seed, start=(0, 0)
    )
    views = [record.view]
    found = []
    for move, _, view in replayed(record):
        if not move.certain and len(views) > 1:
            found.append(views[-1])
        views.append(view)
    return found


def test_claimed_win_probabilities_are_calibrated() -> None:
    """In bins, over the guesses of many games; each claim is compared with its game's outcome."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    deal, rules = mp.Deal(*mp.LEVELS["intermediate"]), mp.Rules(opening="safe")
    for seed in range(250):
        record = mp.play(deal, "champion:fast", rules=rules, seed=seed, start=(0, 0))
        before = None
        for move, _, view in replayed(record):
            if not move.certain and before is not None:
                chance = FAST.win_chance(before, rules, games=100)
                assert chance is not None
                bins.setdefault(min(int(5 * chance[0]), 4), []).append((chance[0], record.won))
            before = view
    assert sum(map(len, bins.values())) > 200
    for claims in bins.values():
        n = len(claims)
        claimed = sum(claim for claim, _ in claims) / n
        won = sum(won for _, won in claims) / n
        error = max(claimed * (1 - claimed), 0.05) ** 0.5 / n**0.5
        assert abs(won - claimed) < 3.5 * error + 0.03, (claimed, won, n)


def test_exact_win_probabilities_match_outcomes() -> None:
    """Where the probability is exact, wins from there on are within four standard errors."""
    deal, rules = mp.Deal(*mp.LEVELS["expert"]), mp.Rules(opening="clear")
    expected = variance = observed = 0.0
    number = 0
    for seed in range(400):
        record = mp.play(deal, "champion:fast", rules=rules, seed=seed, start=(3, 3))
        before = None
        for move, _, view in replayed(record):
            perfect = "perfect play" in move.reason
            if perfect and before is not None:
                chance = FAST.win_chance(before, rules)
                assert chance is not None
                assert chance[1] == 0
                expected += chance[0]
                variance += chance[0] * (1 - chance[0])
                observed += record.won
                number += 1
                break
            before = view
    assert number > 80
    assert abs(observed - expected) < 4 * variance**0.5


def test_it_wins_more_than_lowest_risk_play() -> None:
    rules = mp.Rules(opening="safe")
    standings = mp.arena(
        ["exact", "champion:fast"], mp.Deal(16, 30, 99), games=6000, rules=rules, start=(0, 0)
    )
    (paired,) = standings.paired
    assert (paired.first, paired.second, paired.of) == ("exact", "champion:fast", "wins")
    assert paired.difference.interval[1] < 0


def test_it_is_optimal_where_the_endgame_covers_the_board() -> None:
    """4x4 with 4 mines: its own first cell, then perfect play, which wins 961 of 1365 boards."""
    optimum = float(mp.solve(4, 4, 4, opening="safe").chance)
    for agent in ("champion:fast", "champion"):
        found = mp.arena([agent], mp.Deal(4, 4, 4), games=20_000, rules=mp.Rules(opening="safe"))
        rate = found.agents[0].wins / 20_000
        assert abs(rate - optimum) < 4 * (optimum * (1 - optimum) / 20_000) ** 0.5


@pytest.mark.parametrize("opening", ["any", "safe", "clear"])
@pytest.mark.parametrize(
    "deal",
    [
        mp.Deal(1, 1, 0),
        mp.Deal(1, 30, 9),
        mp.Deal(30, 1, 3),
        mp.Deal(2, 2, 0),
        mp.Deal(5, 5, 12),
        mp.Deal(8, 8, 40),
        mp.Deal(50, 50, 400),
        mp.Deal(20, 20, 10),
    ],
    ids=str,
)
def test_it_plays_under_all_rules_and_on_all_boards(deal: mp.Deal, opening: str) -> None:
    for agent in ("champion:fast", "champion:playouts=20,leaves=50"):
        for on_mine in ("end", "continue"):
            rules = mp.Rules(opening=opening, on_mine=on_mine)  # type: ignore[arg-type]
            record = mp.play(deal, agent, rules=rules, seed=3)
            mined = {record.board.grid.cell(i) for i, mine in enumerate(record.board.mined) if mine}
            proved = {one.cell for one in record.moves if one.action == "flag" and one.certain}
            assert proved <= mined


def test_for_a_score_it_is_no_worse() -> None:
    rules = mp.Rules(on_mine="continue", opening="safe")
    found = mp.arena(
        ["exact", "champion:fast"], mp.Deal(16, 16, 50), games=1500, rules=rules, seed=2
    )
    exact, champion = (agent.score for agent in found.agents)
    assert exact is not None
    assert champion is not None
    assert champion.mean > exact.mean - 0.002


@pytest.mark.parametrize("clues", [Sometimes(0.6), Optimistic(), Cautious()], ids=str)
def test_with_uncertain_clues_it_looks_ahead_with_their_model(clues: mp.clues.ClueModel) -> None:
    record = mp.play(mp.Deal(6, 6, 6), "champion:fast", clues=clues, seed=4)
    assert any("look-ahead" in move.reason for move in record.moves)


def test_decisions_depend_on_the_position_alone() -> None:
    """Not on the seed, the flags or earlier questions."""
    for seed in range(12):
        for view in stuck("beginner", seed):
            first = DEFAULT.advise(view)
            assert Champion(BUDGETS["default"]).advise(view) == first
            agent = mp.agents.get("champion")
            cells = {agent.decide(view, seed=other).cell for other in range(3)}
            assert cells == {first.candidates[0].cell}


@settings(max_examples=20)
@given(st.integers(0, 10_000))
def test_candidates_are_hidden_cells_with_their_risks(seed: int) -> None:
    for view in stuck("beginner", seed):
        advice = DEFAULT.advise(view)
        risk = mp.posterior(view).risk
        for one in advice.candidates:
            assert one.risk == pytest.approx(risk[one.cell], abs=1e-9)
            assert one.win is None or 0 <= one.win <= 1


def test_the_best_cell_is_not_always_the_safest() -> None:
    """In some endgames it takes a higher risk than necessary for the next move."""
    better = 0
    for seed in SEEDS:
        view = position(seed)
        odds = mp.posterior(view)
        one: Advice = DEFAULT.advise(view)
        if odds.safe or one.method != "endgame":
            continue
        risk = odds.risk
        better += risk[one.candidates[0].cell] > risk[risk > 0].min() + 1e-9
    assert better > 0  # it does not always take the lowest risk


def test_unknown_budgets_are_refused() -> None:
    with pytest.raises(mp.UnknownName, match="unknown budget 'quick'"):
        mp.agents.get("champion:budget=quick")
    with pytest.raises(mp.InvalidInput, match="champion:playouts must be from 0 to"):
        mp.agents.get("champion:playouts=-1")
    with pytest.raises(mp.InvalidInput, match="champion:candidates must be from 1 to"):
        mp.agents.get("champion:candidates=0")
    with pytest.raises(mp.InvalidInput, match="champion:fifties must be true or false"):
        mp.agents.get("champion:fifties=2")
    with pytest.raises(mp.InvalidInput, match="champion:fifties must be true or false"):
        Champion(BUDGETS["fast"]._replace(fifties=0))
    with pytest.raises(mp.UnknownName, match="option of champion 'depth'"):
        mp.agents.get("champion:depth=3")


@pytest.mark.parametrize("text", ["0", "false", "no"])
def test_a_switch_accepts_every_spelling_of_a_boolean(text: str) -> None:
    agent = mp.agents.get(f"champion:budget=fast,fifties={text}")
    assert agent.guess.budget == BUDGETS["fast"]._replace(fifties=False)
    assert agent.name == f"champion:budget=fast,fifties={text}"


def test_without_the_compiled_engine_it_says_so() -> None:
    with (
        _engine.using("python"),
        pytest.raises(mp.EngineError, match="'champion' needs the compiled engine"),
    ):
        mp.play(mp.Deal(4, 4, 2), "champion")


def test_other_budgets_keep_the_contract_too() -> None:
    check_agent("champion:fast", games=80, seed=3)
    check_agent("champion:playouts=30,leaves=30,arrangements=20,parts=10", games=80, seed=4)


@pytest.mark.parametrize(("mines", "count_known"), [(38, True), (32, False)])
def test_flags_wait_while_playing_on_is_worth_more(mines: int, count_known: bool) -> None:
    """Where mines are dense, looking one move ahead undervalues opening; whole games do not."""
    rules = mp.Rules(on_mine="continue", count_known=count_known)
    found = mp.arena(
        ["exact", "champion:fast"], mp.Deal(8, 8, mines), games=60, rules=rules, seed=3, workers=1
    )
    exact, champion = (agent.score for agent in found.agents)
    assert exact is not None
    assert champion is not None
    assert champion.mean > exact.mean - 0.04


@pytest.mark.parametrize(("opening", "risk", "loss"), [("any", 0.25, 3 / 4), ("safe", 0.0, 2 / 3)])
def test_for_a_score_advice_has_a_loss_in_flags(opening: Opening, risk: float, loss: float) -> None:
    """It covers the rest of the game and includes the opening rule; there is no score or win."""
    rules = mp.Rules(on_mine="continue", opening=opening)
    advice = DEFAULT.advise(mp.View.from_text("2x2/1 ??/??"), rules)
    best = advice.candidates[0]
    assert (best.score, best.win, best.error) == (None, None, None)
    assert (best.risk, best.loss) == pytest.approx((risk, loss))
    assert str(advice).endswith(f"(0,0) risk {100 * risk:.1f} %, costs {loss:.3f} flags")
    assert f"perfect play leaves {loss:.2f} missing or wrong flags on average" in str(
        reason(advice)
    )


def test_a_loss_over_two_moves_is_called_so() -> None:
    rules = mp.Rules(on_mine="continue", opening="safe")
    view = mp.View.from_text("8x8/20 1???????" + "/????????" * 7)
    advice = DEFAULT.advise(view, rules)
    assert advice.method == "look-ahead"
    assert all(one.score is None and one.loss is not None for one in advice.candidates)
    assert all(one.loss >= one.risk for one in advice.candidates if one.loss is not None)
    assert "flags over two moves" in str(advice)
    assert "score" not in str(advice)


def test_where_a_mine_ends_the_game_there_is_no_loss() -> None:
    advice = DEFAULT.advise(mp.View.from_text("3x3/3 ???/???/???"))
    assert {one.loss for one in advice.candidates} == {None}
    assert "costs" not in str(advice)


@pytest.mark.parametrize("on_mine", ["end", "continue"])
def test_a_flagged_cell_is_not_opened(on_mine: str) -> None:
    """Flags are no information for the champion, but the referee does not open flagged cells."""
    agent, rules = mp.agents.get("champion"), mp.Rules(on_mine=on_mine)  # type: ignore[arg-type]
    for text, cell in (("1x3/1 F1?", (0, 2)), ("1x3/1 ?1F", (0, 0))):
        view = mp.View.from_text(text)
        assert agent.decide(view, rules=rules).cell == cell
        assert opinion(agent, view, rules=rules).move.cell == cell


def test_cells_marked_safe_in_the_view_are_certain() -> None:
    champion = mp.agents.get("champion")
    for on_mine in ("end", "continue"):
        rules = mp.Rules(on_mine=on_mine)  # type: ignore[arg-type]
        advice = champion.advise(mp.View.from_text("2x2/1 s?/??"), rules)  # type: ignore[attr-defined]
        assert [(one.cell, one.risk) for one in advice.candidates] == [((0, 0), 0.0)]
        assert advice.method == "certain"


def test_a_win_probability_is_given_only_where_it_is_defined() -> None:
    assert DEFAULT.win_chance(mp.View.from_text("1x3 ?1?")) is None
    assert DEFAULT.win_chance(mp.View.from_text("1x3/1 ?1?")) == (0.5, 0)
    assert DEFAULT.win_chance(mp.View.from_text("1x3/2 0??")) is None  # contradictory
    rules = mp.Rules(on_mine="continue")
    assert DEFAULT.win_chance(mp.View.from_text("1x3/1 ?1?"), rules) is None


def test_an_estimate_is_never_called_exact() -> None:
    """Even if all playouts end alike."""
    view = mp.View.from_text("\n".join(["?" * 40] * 40), 1)
    chance = FAST.win_chance(view, games=20)
    assert chance is not None
    assert chance[0] > 0.99
    assert chance[1] > 0


def test_analyse_shows_its_move_and_the_win_probability(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "view.txt"
    path.write_text("4x4/4 ????/?2??/??1?/????")
    assert main(["analyse", str(path), "--agent", "champion", "--json"]) == 0
    known = json.loads(capsys.readouterr().out)
    assert known["agent"]["name"] == "champion"
    assert known["win"]["exact"]
    best, _ = best_of_all(mp.View.from_text(path.read_text()))
    assert known["win"]["chance"] == pytest.approx(best, abs=1e-12)
    assert known["candidates"][0]["cell"] == known["agent"]["cell"]
    assert main(["analyse", str(path), "--agent", "champion"]) == 0
    shown = capsys.readouterr().out
    assert f"win probability with best play {100 * best:.2f} % (exact)" in shown
    assert "champion: open" in shown
    rows, cols, mines = mp.LEVELS["expert"]
    path.write_text(mp.View.from_text("\n".join(["?" * cols] * rows), mines).to_text())
    assert main(["analyse", str(path)]) == 0
    assert " % (95 % CI " in capsys.readouterr().out


def test_a_win_probability_is_given_however_many_mines_are_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One of 315 unconstrained cells is safe, so all of them are equally good."""
    rows = ["?" * 18] * 18
    rows[1] = "?8" + "?" * 16
    view = mp.View.from_text("\n".join(rows), 322)
    chance = DEFAULT.win_chance(view)
    assert chance == (pytest.approx(1 / 315), 0)
    path = tmp_path / "view.txt"
    path.write_text(view.to_text())
    assert main(["analyse", str(path), "--agent", "champion"]) == 0
    assert "win probability with best play 0.32 % (exact)" in capsys.readouterr().out


def test_analyse_asks_any_agent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "view.txt"
    path.write_text("1x3 ?1?")
    assert main(["analyse", str(path), "--agent", "exact", "--json"]) == 0
    known = json.loads(capsys.readouterr().out)
    assert known["agent"]["action"] == "open"
    assert known["win"] is None
    assert "candidates" not in known
    path.write_text("2x3/1 ?1?/11?")
    assert main(["analyse", str(path), "--agent", "exact", "--json"]) == 0
    known = json.loads(capsys.readouterr().out)["agent"]
    assert (known["flags"], known["action"], known["certain"]) == ([[0, 0]], "open", True)


def test_the_recipe_itself_gives_advice() -> None:
    view = mp.View.from_text("4x4/4 ????/?2??/????/????")
    advice = mp.agents.get("champion:budget=max").advise(view)
    assert advice == Champion(BUDGETS["max"]).advise(view)
    assert str(advice).splitlines()[1] == "  (0,0) risk 25.0 %, win probability 54.9 %"


def test_certain_cells_come_before_any_search() -> None:
    advice = mp.agents.get("champion").advise(mp.View.from_text("3x3/1 ???/?1?/??0"))
    assert advice.method == "certain"
    assert [one.cell for one in advice.candidates] == [(1, 2), (2, 1)]


def test_an_agent_without_evaluations_says_so() -> None:
    with pytest.raises(mp.InvalidInput, match="agent 'exact' does not compare cells"):
        mp.agents.get("exact").advise(mp.View.hidden(3, 3, 1))
