"""A reason is true of the board that is shown with it, and its premises prove the move."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator

import pytest

import mineproof as mp
from mineproof.games._mind import Mind
from mineproof.games.playbyplay import PlayByPlay
from mineproof.phrases import Phrase
from mineproof.reasoning.deductions import Entry
from mineproof.world.geometry import Cell
from mineproof.world.move import Move
from mineproof.world.view import FLAGGED, Event, is_clue
from tests.premises import follows, verdicts

SOUND = [name for name in mp.agents.names() if mp.agents.RECIPES[name].sound]
DEDUCES_EVERYTHING = {"exact", "champion"}
OVERLOOKS = {"random", "simple", "one-two", "baseline", "csp", "gauss"}
PLAY_ON = mp.Rules(on_mine="continue")


def games(agent: str, clues: str = "exact") -> Iterator[mp.Match]:
    """Games with easy and hard positions."""
    for seed in range(6):
        size, mines = ((6, 7), (5, 4), (8, 14))[seed % 3]
        yield mp.Match(mp.Deal(size, size, mines), agent, rules=PLAY_ON, clues=clues, seed=seed)


def check(view: mp.View, move: Move) -> str:
    """Check a proved move against the view before it; return the phrase of its reason."""
    why, known = move.why, verdicts(view)
    assert why is not None, move
    assert all(is_clue(view.states[view.grid.index(cell)]) for cell in why.clues), (view, move)
    assert known.keys() >= set(why.known), (view, move)
    assert follows(view, move.cell, move.action == "flag", why, known), (view, move)
    if why.phrase.key.startswith("local."):
        check_numbers(view, why.phrase, why.clues[0], known)
    return why.phrase.key


def check_numbers(view: mp.View, phrase: Phrase, clue: Cell, known: dict[Cell, bool]) -> None:
    """The mines that a clue touches, and the cells that can be mines, are as the reason says."""
    grid = view.grid
    shown = view.states[grid.index(clue)]
    around = [known.get(grid.cell(near)) for near in grid.around(grid.index(clue))]
    assert phrase.values["mines"] == shown
    assert phrase.values["clue"].values == {"clue": shown, "at": clue}
    if phrase.key == "local.found":
        assert around.count(True) == shown
    else:
        assert phrase.key == "local.needed"
        assert len(around) - around.count(False) == shown


@pytest.mark.parametrize("agent", SOUND)
def test_the_premises_of_every_deduced_move_prove_it(agent: str) -> None:
    found = set()
    for match in games(agent):
        view = match.view
        for move, _ in match:
            if move.rule and move.rule != "opening":
                found.add(check(view, move))
            view = match.view
    assert found or agent == "random"


@pytest.mark.parametrize("agent", ["exact", "brute", "linalg-brute-nocount"])
@pytest.mark.parametrize("count_known", [True, False])
def test_reasoning_about_all_clues_names_them(agent: str, count_known: bool) -> None:
    """Which of them are needed is not known, and the reason says so."""
    rules, found = mp.Rules(on_mine="continue", count_known=count_known), 0
    for seed in range(20):
        match = mp.Match(mp.Deal(7, 7, 12), agent, rules=rules, seed=seed)
        view = match.view
        for move, _ in match:
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


def test_an_unsound_agent_claims_and_its_wrong_claims_are_counted() -> None:
    wrong = 0
    for seed in range(8):
        out = io.StringIO()
        match = mp.Match(mp.Deal(9, 9, 20), "one-two:raw=true", rules=PLAY_ON, seed=seed)
        list(PlayByPlay(match, out))
        record = match.record()
        assert "deduced by" not in out.getvalue()
        assert "certain by" not in out.getvalue()
        assert f"; {record.wrong_claims} wrong\n" in out.getvalue()
        assert record.wrong_claims == record.wrong + sum(
            move.certain and move.action == "open" and record.board.is_mine(move.cell)
            for move in record.moves
        )
        assert record.to_json().get("wrong_claims", 0) == record.wrong_claims
        wrong += record.wrong_claims
    assert wrong > 0


def test_exact_clues_read_as_such_are_claims_under_another_clue_model() -> None:
    agent = mp.agents.get("baseline:naive=true")
    assert isinstance(agent, mp.agents.Recipe)
    assert agent.proves(mp.clues.Exact())
    assert not agent.proves(mp.clues.Optimistic())


@pytest.mark.parametrize("agent", mp.agents.names())
def test_no_guess_denies_a_safe_cell_that_exists(agent: str) -> None:
    overlooked = 0
    for match in games(agent):
        view = match.view
        for move, _ in match:
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
    findings = Mind.findings

    def recording(self: Mind, events: Iterable[Event] = ()) -> Iterator[Entry]:
        for entry in findings(self, events):
            logged.append(entry)
            yield entry

    monkeypatch.setattr(Mind, "findings", recording)
    for match in games(agent, clues):
        view = match.view
        for move, _ in PlayByPlay(match, io.StringIO()):
            remembers = isinstance(match.agent, mp.agents.Recipe) and match.agent.remembers
            check_queue(match.view if remembers else view, move, logged)
            logged.clear()
            view = match.view


def check_queue(view: mp.View, move: Move, logged: list[Entry]) -> None:
    """What is queued and deduced before the next move is still to be flagged or opened."""
    flagged = set(view.cells(FLAGGED)) - ({move.cell} if move.action == "unflag" else set())
    for said in (entry.said for entry in logged):
        assert isinstance(said, Phrase)
        if said.key == "log.queue":
            flag, opened = set(said.values["flag"]), set(said.values["open"])
            assert not flag & opened, (view, said)
            assert not flagged & (flag | opened), (view, said)
        elif said.key == "log.deduced":
            assert not flagged & set(said.values["cells"]), (view, said)
