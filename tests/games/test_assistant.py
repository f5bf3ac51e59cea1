"""The assistant names cells to open, records what they show, and catches contradictions."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import mineproof as mp
from mineproof.agents import Decision
from mineproof.cli.assist.parsing import read_answer
from mineproof.games.assistant import Answer, Assistant, GameEnd, InconsistentClue
from mineproof.world.move import Move
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, KNOWN_SAFE, NO_CLUE, View

BOARD = mp.Board.from_text("4x6/4 ..*.*./.....*/....../*.....")


def shows(board: mp.Board, cell: tuple[int, int]) -> int:
    return EXPLODED if board.is_mine(cell) else board.clue(cell)


def begun(board: mp.Board = BOARD, agent: Any = "exact", **setting: Any) -> Assistant:
    return Assistant(View.hidden(board.rows, board.cols, board.mine_count), agent, **setting)


def played(dialogue: Assistant, board: mp.Board) -> tuple[list[Move], GameEnd]:
    """Answer truthfully until the game is over."""
    asked = []
    while isinstance(advice := dialogue.advise(), Move):
        asked.append(advice)
        dialogue.answer([Answer(None, shows(board, advice.cell))])
    return asked, advice


@pytest.mark.parametrize("agent", mp.agents.names())
def test_every_agent_can_be_the_assistant(agent: Any) -> None:
    for seed in range(4):
        board = mp.Board.random(5, 6, 5, seed=seed)
        asked, over = played(begun(board, agent), board)
        cells = [ask.cell for ask in asked]
        assert len(set(cells)) == len(cells)
        assert not any(ask.certain and board.is_mine(ask.cell) for ask in asked)
        if over.outcome == "won":
            assert len(cells) == 25
            assert not any(map(board.is_mine, cells))
        else:
            assert (over.outcome, over.hit) == ("lost", 1)
            assert board.is_mine(cells[-1])


def test_the_risk_is_exact_whichever_agent_names_the_cell() -> None:
    for agent in ("random", "baseline:naive=true", "exact"):
        dialogue = begun(agent=agent)
        while isinstance(ask := dialogue.advise(), Move):
            odds = mp.posterior(dialogue.view)
            assert ask.certain == (ask.cell in odds.safe)
            assert ask.risk == pytest.approx(odds.risk[ask.cell])
            if BOARD.is_mine(ask.cell):
                break
            dialogue.answer([Answer(None, BOARD.clue(ask.cell))])


def test_a_wrong_clue_is_undone_and_the_contradictory_clues_are_named() -> None:
    dialogue = begun()
    dialogue.answer(read_answer("0,0:01 1,0:01 2,0:11"))
    ask, before = dialogue.advise(), dialogue.view
    with pytest.raises(InconsistentClue) as slip:
        dialogue.answer([Answer((1, 2), 0)])
    assert slip.value.clues == ((0, 1), (1, 2))
    assert slip.value.view.state((1, 2)) == 0
    assert isinstance(slip.value, mp.Contradiction)
    assert (dialogue.view, dialogue.advise()) == (before, ask)
    dialogue.answer([Answer((1, 2), 1)])
    assert dialogue.view.state((1, 2)) == 1


def test_an_impossible_mine_is_an_error_and_not_a_loss() -> None:
    dialogue = begun()
    dialogue.answer([Answer((3, 5), 0)])
    with pytest.raises(InconsistentClue) as slip:
        dialogue.answer([Answer((2, 5), EXPLODED)])
    assert slip.value.clues == ((3, 5),)
    assert isinstance(dialogue.advise(), Move)


def test_a_contradiction_with_the_mine_count_is_caught() -> None:
    with pytest.raises(InconsistentClue) as slip:
        begun(mp.Board.from_text("*..")).answer(read_answer("0,1=0"))
    assert (slip.value.clues, slip.value.count_used) == (((0, 1),), True)
    with pytest.raises(mp.InvalidInput, match="1 mine does not fit"):
        begun(mp.Board.from_text("*..")).answer(read_answer("0,0=mine 0,2=mine"))


def test_an_earlier_clue_is_corrected_by_entering_it_again() -> None:
    board = mp.Board.from_text("1x5/1 ....*")
    dialogue = begun(board)
    dialogue.answer(read_answer("0,1:10"))
    with pytest.raises(InconsistentClue):
        dialogue.answer([Answer((0, 0), 0)])
    dialogue.answer(read_answer("0,0=0 0,1=0"))
    assert dialogue.view == View.from_text("1x5/1 000??")
    assert played(dialogue, board)[1].outcome == "won"
    dialogue.undo()
    dialogue.undo()
    assert dialogue.view == View.from_text("1x5/1 ?10??")


@pytest.mark.parametrize("agent", ["exact", "simple", "baseline"])
def test_undo_goes_back_step_by_step_and_updates_the_odds(agent: Any) -> None:
    board = mp.Board.random(6, 6, 6, seed=3)
    dialogue = begun(board, agent, rules=mp.Rules(on_mine="continue"))
    steps = []
    for _ in range(9):
        advice = dialogue.advise()
        assert isinstance(advice, Move)
        steps.append((dialogue.view.states, advice.cell))
        dialogue.answer([Answer(None, shows(board, advice.cell))])
    for states, cell in reversed(steps):
        dialogue.undo()
        hidden = [state if state <= 8 or state == EXPLODED else HIDDEN for state in states]
        now = [s if s <= 8 or s == EXPLODED else HIDDEN for s in dialogue.view.states]
        assert now == hidden
        fresh = mp.posterior(dialogue.view)
        np.testing.assert_allclose(dialogue.odds.risk, fresh.risk)
        assert dialogue.odds.safe == fresh.safe
        if agent != "simple":  # it remembers the cells it has tried
            advice = dialogue.advise()
            assert isinstance(advice, Move)
            assert advice.cell == cell
    with pytest.raises(mp.InvalidInput, match="no answer to take back"):
        dialogue.undo()


def test_answers_are_validated() -> None:
    dialogue = begun()
    dialogue.answer([Answer((0, 0), 0)])
    for text, message in {
        "0,0=0": "nothing new",
        "4,0=1": "cell (4,0) is outside the board",
        "0,4:012": "cell (0,6) is outside the board",
        "0,1=1 0,1=2": "(0,1) is given two different values",
        "3,5=4": "clue 4 at (3,5) is too high",
        "-": "with exact clues, no clue is ever missing",
    }.items():
        with pytest.raises(mp.InvalidInput, match=re.escape(message)):
            dialogue.answer(read_answer(text))
    assert dialogue.view == View.from_text("4x6/4 0?????/??????/??????/??????")


@pytest.mark.parametrize(
    ("model", "silent"),
    [("exact", False), ("sometimes:0.5", True), ("sometimes:1", False), ("optimistic", False)],
)
def test_a_clue_may_be_missing_only_if_the_model_allows_it(model: str, silent: bool) -> None:
    dialogue = begun(clues=mp.clues.parse(model))
    if silent:
        dialogue.answer([Answer((1, 1), NO_CLUE)])
        assert dialogue.view.state((1, 1)) == NO_CLUE
        dialogue.answer([Answer((1, 1), 1)])
        assert dialogue.view.state((1, 1)) == 1
    else:
        with pytest.raises(mp.InvalidInput, match="no clue is ever missing"):
            dialogue.answer([Answer((1, 1), NO_CLUE)])


@pytest.mark.parametrize("model", ["cautious:known=true", "optimistic:known=true", "optimistic"])
def test_noisy_clues_are_read_with_the_referees_model(model: str) -> None:
    clues, rules = mp.clues.parse(model), mp.Rules(on_mine="continue")
    game = mp.Game(BOARD, rules, clues, seed=5)
    dialogue = begun(agent="random", rules=rules, clues=clues)
    while isinstance(ask := dialogue.advise(), Move):
        dialogue.answer([Answer(event.cell, event.state) for event in game.open(ask.cell)])
        assert dialogue.view == game.view
    assert ask.score == (4 - game.exploded) / 4


def test_the_opening_rule_holds() -> None:
    clear = begun(rules=mp.Rules(opening="clear"))
    first = clear.advise()
    assert isinstance(first, Move)
    assert (first.certain, first.risk) == (True, 0)
    with pytest.raises(mp.InvalidInput, match="'clear' guarantees that it is safe"):
        clear.answer([Answer(None, EXPLODED)])
    with pytest.raises(mp.InvalidInput, match="'clear' guarantees that it is safe"):
        clear.answer(read_answer("0,0=0 0,1=mine"))
    with pytest.raises(InconsistentClue):
        clear.answer([Answer((0, 0), 1)])
    clear.answer([Answer((0, 0), 0)])
    assert clear.view.cells(KNOWN_SAFE) == [(0, 1), (1, 0), (1, 1)]
    clear.undo()
    assert clear.view == View.hidden(4, 6, 4)
    safe = begun(rules=mp.Rules(opening="safe"))
    with pytest.raises(mp.InvalidInput, match="'safe' guarantees that it is safe"):
        safe.answer([Answer(None, EXPLODED)])
    safe.answer([Answer((3, 1), 1)])
    safe.answer([Answer((3, 0), EXPLODED)])
    assert safe.advise() == GameEnd("lost", "(3,0) was a mine", 1)


def test_play_goes_on_after_a_mine_if_the_rules_say_so() -> None:
    dialogue = begun(rules=mp.Rules(on_mine="continue"))
    dialogue.answer([Answer((3, 0), EXPLODED)])
    asked, over = played(dialogue, BOARD)
    hit = 1 + sum(BOARD.is_mine(ask.cell) for ask in asked)
    assert over == GameEnd("lost", f"every safe cell is open; mines hit: {hit}", hit, 1 - hit / 4)


def test_without_a_count_it_is_won_once_all_hidden_cells_are_proved_mines() -> None:
    rules = mp.Rules(count_known=False)
    dialogue = Assistant(View.hidden(2, 3), "exact", rules=rules)
    dialogue.answer(read_answer("1,0:12"))
    assert isinstance(dialogue.advise(), Move)
    dialogue.answer(read_answer("1,2=1"))
    dialogue.answer(read_answer("0,1=2"))
    assert dialogue.advise() == GameEnd("won", "every safe cell is open")
    assert dialogue.shown == View.from_text("2x3 F2F/121")


def test_boards_with_only_mines_and_with_none() -> None:
    assert begun(mp.Board.from_text("***")).advise() == GameEnd("won", "every safe cell is open")
    asked, over = played(begun(mp.Board.from_text("...")), mp.Board.from_text("..."))
    assert (len(asked), over.outcome) == (3, "won")
    assert all(ask.certain for ask in asked)


class Scripted:
    """An agent that makes the given decisions, whatever it sees."""

    name = "scripted"

    def __init__(self, *actions: str) -> None:
        self.left = list(actions)

    def decide(self, view: View, **setting: Any) -> Decision:
        action = self.left.pop(0) if len(self.left) > 1 else self.left[0]
        return Decision((0, 0), action, None, False, "scripted")  # type: ignore[arg-type]


def test_flags_are_recorded_without_asking() -> None:
    dialogue = begun(agent=Scripted("flag", "unflag", "flag", "open"))
    ask = dialogue.advise()
    assert isinstance(ask, Move)
    assert ask.cell == (0, 0)
    assert dialogue.view.cells(FLAGGED) == [(0, 0)]
    dialogue.answer([Answer(None, 0)])
    assert dialogue.view.cells(FLAGGED) == []


def test_agents_that_break_the_rules_are_named() -> None:
    for action, message in {"flag": "never opens a cell", "ask": "chose 'ask'"}.items():
        with pytest.raises(mp.AgentFault, match=f"'scripted' .*{message}"):
            begun(agent=Scripted(action)).advise()
    dialogue = begun(agent=Scripted("open"))
    dialogue.answer([Answer(None, 0)])
    with pytest.raises(mp.AgentFault, match="which is already open"):
        dialogue.advise()
    over = begun(agent=Scripted("stop")).advise()
    assert over == GameEnd("stopped", "scripted stops: scripted")
