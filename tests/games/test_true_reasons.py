"""A reason is true on the board shown with it, and its premises prove the move."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator

import pytest

import mineproof as mp
from mineproof.cli.play.live import GamePosition, describe
from mineproof.games.playbyplay import PlayByPlay
from mineproof.games.reasoning_log import ReasoningLog
from mineproof.phrases import Phrase
from mineproof.reasoning.deductions import Entry
from mineproof.render.animation import caption
from mineproof.world.geometry import Cell
from mineproof.world.move import Move, MoveReason
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, Event, is_clue, is_opened
from tests.premises import follows, verdicts

SOUND = [name for name in mp.agents.names() if mp.agents.RECIPES[name].sound]
DEDUCED = re.compile(r"  deduced by [\w-]+: ([(),\d ]+?) (?:each )?(safe|a mine|mines)")
AROUND = re.compile(r"\((\d+),(\d+)\) shows (\w+); neighbours: (.*)")
DEDUCES_EVERYTHING = {"exact", "champion"}
OVERLOOKS = {"random", "simple", "one-two", "baseline", "csp", "gauss"}
PLAY_ON = mp.Rules(on_mine="continue")


def games(agent: str, clues: str = "exact") -> Iterator[mp.Match]:
    """Games with easy and hard positions."""
    for seed in range(6):
        size, mines = ((6, 7), (5, 4), (8, 14))[seed % 3]
        yield mp.Match(mp.Deal(size, size, mines), agent, rules=PLAY_ON, clues=clues, seed=seed)


def check(view: mp.View, move: Move, clues: str = "exact") -> str:
    """Check a proved move against the view before it; return the phrase of its reason."""
    why, known = move.why, verdicts(view, clues)
    assert why is not None, move
    assert all(is_clue(view.states[view.grid.index(cell)]) for cell in why.clues), (view, move)
    assert known.keys() >= set(why.known), (view, move)
    assert follows(view, move.cell, move.action == "flag", why, known, clues), (view, move)
    if clues == "exact":
        check_numbers(view, why, known)
    return why.phrase.key


def check_numbers(view: mp.View, why: MoveReason, known: dict[Cell, bool]) -> None:
    """Check that the numbers in a reason match the clues and the known cells around them."""
    phrase, mines = why.phrase, sum(known.values())
    match phrase.key.split("."):
        case ["local", rule]:
            check_local(view, rule, phrase, why.clues[0], known)
        case ["pairs", rule]:
            check_pair(view, rule, why, known)
        case ["subset", _]:
            whole = [phrase.values["whole"]] if "whole" in phrase.values else []
            terms = [*phrase.values["parts"], *whole]
            assert {term.values["at"] for term in terms} == set(why.clues)
            for term in terms:
                check_clue(view, term, why, known)
        case ["one-two", _]:
            for name, left in (("one", 1), ("two", 2)):
                assert check_clue(view, phrase.values[name], why, known) == left
        case ["count", "safe"]:
            assert mines == view.mines
        case ["count", "mines"]:
            assert len(known) == view.grid.size
        case ["count", "all-known"]:
            assert phrase.values["mines"] == mines == view.mines


def check_local(
    view: mp.View, rule: str, phrase: Phrase, clue: Cell, known: dict[Cell, bool]
) -> None:
    """Check the clue, and that its known mines or its possible mines are as many as it shows."""
    grid = view.grid
    shown = view.states[grid.index(clue)]
    around = [known.get(grid.cell(near)) for near in grid.neighbours(grid.index(clue))]
    assert phrase.values["mines"] == shown
    assert phrase.values["clue"].values == {"clue": shown, "at": clue}
    if rule == "found":
        assert around.count(True) == shown
    else:
        assert rule == "needed"
        assert len(around) - around.count(False) == shown


def check_pair(view: mp.View, rule: str, why: MoveReason, known: dict[Cell, bool]) -> None:
    """Check that one clue exceeds the other by the number of cells that only it touches."""
    values = why.phrase.values
    one, other = (check_clue(view, values[name], why, known) for name in ("one", "other"))
    first, second = (unresolved(view, clue, why) for clue in why.clues)
    assert values["shared"] == other
    assert values["own"] == len(first - second) == one - other
    assert values["at"] == why.clues[rule == "safe"]
    assert rule == "mines" or values["rest"] == len(second - first)


def unresolved(view: mp.View, clue: Cell, why: MoveReason) -> set[Cell]:
    return set(view.grid.cells(view.grid.neighbours(view.grid.index(clue)))) - set(why.known)


def check_clue(view: mp.View, phrase: Phrase, why: MoveReason, known: dict[Cell, bool]) -> int:
    """Check a clue's value and its value minus known mines; return the latter."""
    values, grid = phrase.values, view.grid
    shown = view.states[grid.index(values["at"])]
    around = {grid.cell(near) for near in grid.neighbours(grid.index(values["at"]))}
    left = shown - sum(known[cell] for cell in around & set(why.known))
    assert values["clue"] == shown
    assert values.get("least", values.get("left", shown)) == left
    return left


@pytest.mark.parametrize("agent", SOUND)
def test_the_premises_of_every_deduced_move_prove_it(agent: str) -> None:
    found = set()
    for match in games(agent):
        view = match.view
        for turn in match:
            move = turn.asked
            if move.rule and move.rule != "opening":
                found.add(check(view, move))
            view = match.view
    assert found or agent == "random"


@pytest.mark.parametrize("agent", ["exact", "brute", "linalg-brute-nocount"])
@pytest.mark.parametrize("count_known", [True, False])
def test_reasoning_about_all_clues_names_them(agent: str, count_known: bool) -> None:
    """These reasoners do not know which of them are needed, and the reason says so."""
    rules, found = mp.Rules(on_mine="continue", count_known=count_known), 0
    for seed in range(20):
        match = mp.Match(mp.Deal(7, 7, 12), agent, rules=rules, seed=seed)
        view = match.view
        for turn in match:
            move = turn.asked
            if move.rule in {"exact", "arrangements"}:
                check(view, move)
                why = move.why
                assert why is not None
                assert why.every_clue
                assert why.clues or why.count_used
                assert count_known or not why.count_used
                assert why.phrase.values.get("count", why.count_used) == why.count_used
                found += 1
            view = match.view
    assert found > 3


@pytest.mark.parametrize("agent", ["baseline", "csp", "gauss:slack=true", "exact"])
@pytest.mark.parametrize("clues", ["optimistic:known=true", "cautious:known=true", "sometimes:0.6"])
def test_premises_under_uncertain_clues_prove_the_move(agent: str, clues: str) -> None:
    found = set()
    for match in games(agent, clues):
        view = match.view
        for turn in match:
            move = turn.asked
            if move.rule and move.rule != "opening":
                found.add(check(view, move, clues))
            view = match.view
    assert found


def test_an_unsound_agent_claims_and_its_wrong_claims_are_counted() -> None:
    wrong = 0
    for seed in range(8):
        out = io.StringIO()
        match = mp.Match(mp.Deal(9, 9, 20), "one-two:raw=true", rules=PLAY_ON, seed=seed)
        list(PlayByPlay(match, out))
        record = match.record()
        assert "certain by" not in out.getvalue()
        assert "deduced" not in out.getvalue()
        lines = [line for line in out.getvalue().splitlines() if "neighbours: " in line]
        assert all(line.endswith("(as claimed)") for line in lines)
        assert f"; {record.wrong_claims} wrong\n" in out.getvalue()
        assert record.wrong_claims == record.wrong + sum(
            move.certain and move.action == "open" and record.board.is_mine(move.cell)
            for move in record.moves
        )
        assert record.to_json().get("wrong_claims", 0) == record.wrong_claims
        wrong += record.wrong_claims
    assert wrong > 0


def test_naive_deductions_are_claims_unless_clues_are_exact() -> None:
    agent = mp.agents.get("baseline:naive=true")
    assert isinstance(agent, mp.agents.Recipe)
    assert agent.proves(mp.clues.Exact())
    assert not agent.proves(mp.clues.Optimistic())


@pytest.mark.parametrize("agent", mp.agents.names())
def test_no_guess_denies_that_a_safe_cell_exists(agent: str) -> None:
    overlooked = 0
    for match in games(agent):
        view = match.view
        for turn in match:
            move = turn.asked
            if not move.certain and move.action == "open" and mp.posterior(view).safe:
                overlooked += 1
                assert "no safe cell:" not in move.reason, (view, move)
            view = match.view
    assert overlooked == 0 if agent in DEDUCES_EVERYTHING else overlooked or agent not in OVERLOOKS


@pytest.mark.parametrize(
    ("agent", "clues"),
    [
        *((agent, "exact") for agent in ("csp", "linalg-count", "exact", "one-two")),
        ("one-two:raw=true", "exact"),
        ("linopt:sum=true", "exact"),
        ("csp:naive=true", "optimistic"),
        ("exact:naive=true", "cautious"),
    ],
)
def test_queued_cells_are_neither_flagged_nor_queued_twice(
    agent: str, clues: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if agent.startswith("linopt"):
        pytest.importorskip("highspy", reason="linear programmes need the extra lp")
    logged: list[Entry] = []
    findings = ReasoningLog.findings

    def recording(self: ReasoningLog, events: Iterable[Event] = ()) -> Iterator[Entry]:
        for entry in findings(self, events):
            logged.append(entry)
            yield entry

    monkeypatch.setattr(ReasoningLog, "findings", recording)
    for match in games(agent, clues):
        view = match.view
        for turn in PlayByPlay(match, io.StringIO()):
            move = turn.asked
            remembers = isinstance(match.agent, mp.agents.Recipe) and match.agent.remembers
            check_queue(match.view if remembers else view, move, logged)
            logged.clear()
            view = match.view


def check_queue(view: mp.View, move: Move, logged: list[Entry]) -> None:
    """Check that no queued or newly deduced cell is flagged already, or queued twice."""
    flagged = set(view.cells(FLAGGED)) - ({move.cell} if move.action == "unflag" else set())
    for said in (entry.said for entry in logged):
        assert isinstance(said, Phrase)
        if said.key == "log.queue":
            flag, opened = set(said.values["flag"]), set(said.values["open"])
            assert not flag & opened, (view, said)
            assert not flagged & (flag | opened), (view, said)
        elif said.key == "log.deduced":
            assert not flagged & set(said.values["cells"]), (view, said)


@pytest.mark.parametrize("agent", [*mp.agents.names(), "brute:cap=5"])
def test_the_numbers_in_reasons_for_guesses_match_the_board(agent: str) -> None:
    guesses = 0
    for match in games(agent):
        view = match.view
        for turn in match:
            move = turn.asked
            if move.why is not None and move.why.phrase.key.startswith("guess."):
                check_guess(view, move, move.why.phrase)
                guesses += 1
            view = match.view
    assert guesses or agent == "champion"


def odds_of(view: mp.View, move: Move) -> float:
    return float(mp.posterior(view).risk[move.cell])


def check_guess(view: mp.View, move: Move, phrase: Phrase) -> None:
    """Check that a risk is the cell's own, and that clues and sums come from its neighbours."""
    grid, values = view.grid, phrase.values
    near = {grid.cell(i) for i in grid.neighbours(grid.index(move.cell)) if is_clue(view.states[i])}
    rim = (move.cell[0] in {0, view.rows - 1}) + (move.cell[1] in {0, view.cols - 1})
    match phrase.key:
        case "guess.exact":
            odds = mp.posterior(view)
            assert values["risk"] == pytest.approx(odds.risk[move.cell])
            assert values["risk"] == pytest.approx(min(odds.risk[c] for c in view.cells(HIDDEN)))
        case "guess.outside":
            assert values["average"] or odds_of(view, move) <= values["risk"] + 1e-9
        case "guess.clue-sum":
            assert values["sum"] == sum(view.states[grid.index(cell)] for cell in near)
        case "guess.clue-share":
            assert values["clue"] in near
        case "guess.single-clues":
            assert values["density"] == (not near)
        case "guess.rim":
            assert values["sides"] == rim
    assert move.risk is None or values.get("risk", move.risk) == move.risk


@pytest.mark.parametrize("agent", ["simple", "baseline", "csp", "gauss", "exact"])
def test_the_log_is_true_of_every_cell(agent: str) -> None:
    """Deductions match the board, and the counts of neighbours add up."""
    for match in games(agent):
        out = io.StringIO()
        list(PlayByPlay(match, out))
        board = match.record().board
        for line in out.getvalue().splitlines():
            if said := DEDUCED.match(line):
                for cell in re.findall(r"\((\d+),(\d+)\)", said[1]):
                    assert board.is_mine(tuple(map(int, cell))) == (said[2] != "safe"), line
            if said := AROUND.search(line):
                safe, mines, unresolved, total = map(int, re.findall(r"\d+", said[4]))
                around = board.grid.neighbours(board.grid.index((int(said[1]), int(said[2]))))
                true = sum(board.mined[near] for near in around)
                assert safe + mines + unresolved == total == len(around), line
                assert mines <= true <= mines + unresolved, line
                assert str(true) == said[3], line


@pytest.mark.parametrize("agent", ["baseline", "csp", "exact"])
def test_replays_and_films_show_the_same_reasons_at_the_same_moves(agent: str) -> None:
    for match in games(agent):
        list(match)
        record = mp.Record.from_json(json.dumps(match.record().to_json()))
        view, film = record.first, record.to_film()
        for number, turn in enumerate(record.turns, start=1):
            move = turn.asked
            if move.rule and move.rule != "opening":
                check(view, move)
            name = f"{move.action} ({move.cell[0]},{move.cell[1]})"
            assert caption(number, turn) == f"move {number}, {name}: {move.reason}"
            assert f"move {number}, {name}: " in film
            view = view.after(turn.events)


@pytest.mark.parametrize("agent", ["baseline", "exact"])
def test_the_live_screen_shows_the_reason_with_the_position(agent: str) -> None:
    for match in games(agent):
        position, guesses = GamePosition.first(match), 0
        for number, turn in enumerate(match, start=1):
            move = turn.asked
            position = position.after(move, match.view)
            guesses += move.action == "open" and not move.certain
            shown, states = describe(position), match.view.states
            assert shown.move.plain.startswith(f"move {number}: {move.action} ")
            assert shown.move.plain.endswith("certain") == move.certain
            assert shown.reason == move.reason[:1].upper() + move.reason[1:]
            numbers = [int(each) for each in re.findall(r"\d+", shown.state.plain)]
            hit = states.count(EXPLODED)
            done = [sum(map(is_opened, states)), states.count(FLAGGED), *([hit] if hit else [])]
            assert numbers == [*done, guesses]
