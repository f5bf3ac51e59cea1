"""A reason is true of the board that is shown with it, and its premises prove the move."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest

import mineproof as mp
from mineproof.games.playbyplay import PlayByPlay
from mineproof.phrases import Phrase
from mineproof.world.geometry import Cell
from mineproof.world.move import Move, Why
from mineproof.world.view import EXPLODED, is_clue, is_opened

SOUND = [name for name in mp.agents.names() if mp.agents.RECIPES[name].sound]
PLAY_ON = mp.Rules(on_mine="continue")


def games(agent: str) -> Iterator[mp.Match]:
    """Games with easy and hard positions."""
    for seed in range(6):
        size, mines = ((6, 7), (5, 4), (8, 14))[seed % 3]
        yield mp.Match(mp.Deal(size, size, mines), agent, rules=PLAY_ON, seed=seed)


def verdicts(view: mp.View) -> dict[Cell, bool]:
    """Whether each cell whose verdict follows from what is shown is a mine."""
    odds = mp.posterior(view)
    found = dict.fromkeys(odds.mined, True) | dict.fromkeys(odds.safe, False)
    for index, state in enumerate(view.states):
        if is_opened(state) or state == EXPLODED:
            found[view.grid.cell(index)] = state == EXPLODED
    return found


def restricted(view: mp.View, why: Why, known: dict[Cell, bool]) -> mp.View:
    """A view that shows only the premises of a move."""
    shown = [["?"] * view.cols for _ in range(view.rows)]
    for row, col in why.known:
        shown[row][col] = "*" if known[row, col] else "s"
    for row, col in why.clues:
        shown[row][col] = str(view.states[view.grid.index((row, col))])
    return mp.View.from_text("\n".join(map("".join, shown)))


def follows(view: mp.View, move: Move, why: Why, known: dict[Cell, bool]) -> bool:
    """Whether the premises alone prove the move; with the mine count, the whole view counts."""
    mine = move.action == "flag"
    if why.count_used or not why.clues:
        return known.get(move.cell) is mine
    odds = mp.posterior(restricted(view, why, known), density=0.2)
    return move.cell in (odds.mined if mine else odds.safe)


def check(view: mp.View, move: Move) -> str:
    """Check a proved move against the view before it; return the phrase of its reason."""
    why, known = move.why, verdicts(view)
    assert why is not None, move
    assert all(is_clue(view.states[view.grid.index(cell)]) for cell in why.clues), (view, move)
    assert known.keys() >= set(why.known), (view, move)
    assert follows(view, move, why, known), (view, move)
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
        for turn in match:
            move = turn.asked
            if move.rule and move.rule != "opening":
                found.add(check(view, move))
            view = match.view
    assert found or agent == "random"


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


@pytest.mark.parametrize("agent", ["csp", "linalg-count", "exact", "one-two"])
def test_flagged_cells_are_neither_queued_nor_deduced_again(agent: str) -> None:
    for match in games(agent):
        out, flagged = io.StringIO(), set[str]()
        for turn in PlayByPlay(match, out):
            text = out.getvalue()
            out.seek(0)
            out.truncate()
            for line in text.splitlines():
                if line.startswith(("  deduced by", "  queued: flag")):
                    verdict = line.partition("safe, because")[0].partition("; open")[0]
                    cells = verdict.partition(", because")[0].replace(";", "").split()
                    assert not flagged & set(cells), (agent, line)
            if turn.action == "flag":
                flagged.add(f"({turn.cell[0]},{turn.cell[1]})")
