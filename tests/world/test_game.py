"""The referee keeps the rules and reveals no more than it should."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import mineproof as mp
from mineproof.world.board import Opening
from mineproof.world.clues import Exact, Optimistic, Sometimes
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, KNOWN_SAFE, NO_CLUE
from tests.strategies import boards, clue_models, games, rules, seeds

CONTINUE = mp.Rules(on_mine="continue")


@given(games(st.just(Exact())))
def test_an_open_cell_shows_its_count_and_a_covered_cell_nothing(game: mp.Game) -> None:
    if not game.over:
        game.stop()
    board, view = game.board, game.view
    for index, state in enumerate(view.states):
        if state <= 8:
            assert not board.mined[index]
            assert state == board.counts[index]
        assert (state == EXPLODED) <= board.mined[index]


# The clues of other models depend by definition on what was known.
steady = clue_models.filter(lambda model: not (getattr(model, "known", False) or model.redraw))


@given(boards(), rules(), steady, seeds, st.randoms(use_true_random=False))
def test_noise_depends_on_the_cell_and_not_on_the_order(
    board: mp.Board, how: mp.Rules, model: mp.clues.ClueModel, seed: int, random: object
) -> None:
    """Two players who open the same cells in a different order see the same clues."""
    keep_on = mp.Rules(on_mine="continue", flood=how.flood)
    cells = [board.grid.cell(i) for i in range(board.grid.size)]
    shuffled = list(cells)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    views = []
    for order in (cells, shuffled):
        game = mp.Game(board, keep_on, model, seed=seed)
        for cell in order:
            if not game.over and game.view.state(cell) == HIDDEN:
                game.open(cell)
        views.append(game.view)
    assert views[0] == views[1]


@given(games())
def test_events_contain_exactly_the_changes(game: mp.Game) -> None:
    before = game.view
    assume(not game.over and before.cells(HIDDEN))
    cell = before.cells(HIDDEN)[0]
    states = bytearray(before.states)
    for event in game.open(cell):
        states[before.grid.index(event.cell)] = event.state
    assert bytes(states) == game.view.states


def test_a_flood_is_breadth_first_by_index() -> None:
    game = mp.Game(mp.Board.from_text("....\n....\n...*"))
    cells = [event.cell for event in game.open((0, 1))]
    assert cells[:6] == [(0, 1), (0, 0), (0, 2), (1, 0), (1, 1), (1, 2)]
    assert sorted(cells) == [(r, c) for r in range(3) for c in range(4) if (r, c) != (2, 3)]
    assert game.won


def test_a_flood_skips_flags_and_needs_no_recursion() -> None:
    game = mp.Game(mp.Board.random(400, 400, 0, seed=1), CONTINUE)
    game.flag((200, 200))
    assert len(game.open((0, 0))) == 159_999
    assert game.view.state((200, 200)) == FLAGGED
    assert game.over
    assert game.wrong == 1


def test_without_flood_a_zero_opens_alone() -> None:
    game = mp.Game(mp.Board.from_text("..*"), mp.Rules(flood=False))
    assert len(game.open((0, 0))) == 1


def test_an_optimistic_zero_opens_alone() -> None:
    board = mp.Board.from_text("....*")
    assert len(mp.Game(board, clues=Optimistic()).open((0, 0))) == 1
    assert len(mp.Game(board).open((0, 0))) == 4


def test_after_a_mine_the_game_ends_or_continues() -> None:
    board = mp.Board.from_text("*.\n.*")
    game = mp.Game(board)
    assert game.open((0, 0)) == [mp.Event((0, 0), EXPLODED)]
    assert game.over
    assert not game.won
    assert game.score is None
    game = mp.Game(board, CONTINUE)
    game.open((0, 0))
    assert not game.over
    game.flag((1, 1))
    game.open((0, 1))
    game.open((1, 0))
    assert game.over
    assert not game.won
    assert (game.score, game.right, game.wrong, game.exploded) == (0.5, 1, 0, 1)


def test_wrong_flags_count_against_the_score() -> None:
    game = mp.Game(mp.Board.from_text("*..\n..."), CONTINUE)
    for cell in [(0, 0), (0, 1), (0, 2)]:
        game.flag(cell)
    game.stop()
    assert game.score == -1
    assert not game.won


def test_when_a_player_stops_unflagged_cells_count_as_safe() -> None:
    game = mp.Game(mp.Board.from_text("*..\n..."), CONTINUE)
    game.flag((0, 0))
    game.stop()
    assert game.won
    assert game.score == 1


def test_a_board_without_mines_scores_one() -> None:
    game = mp.Game(mp.Board.from_text("..\n.."), CONTINUE)
    game.open((0, 0))
    assert (game.won, game.score) == (True, 1.0)


def test_a_board_of_mines_only_is_won_from_the_start() -> None:
    assert mp.Game(mp.Board.from_text("**")).won
    assert not mp.Game(mp.Board.from_text("**"), CONTINUE).over


def test_giving_up_is_not_a_win() -> None:
    game = mp.Game(mp.Board.from_text("*."))
    game.flag((0, 0))
    game.stop()
    assert not game.won


@pytest.mark.parametrize("opening", ["safe", "clear"])
def test_the_opening_rule_holds_wherever_the_first_cell_is(opening: Opening) -> None:
    for seed in range(60):
        game = mp.Game.deal(5, 5, 16, rules=mp.Rules("continue", opening), seed=seed)
        start = divmod(seed % 25, 5)
        game.open(start)
        assert game.exploded == 0
        game.stop()
        assert game.board.keeps(opening, start)


def test_cells_that_the_rule_promises_are_known_to_be_safe() -> None:
    clear = mp.Rules(opening="clear", flood=False)
    shown = [(0, 0), (0, 1), (1, 0), (1, 1)]
    game = mp.Game.deal(4, 4, 5, rules=clear, start=(0, 0), seed=3)
    assert game.view.cells(KNOWN_SAFE) == shown
    game = mp.Game.deal(4, 4, 5, rules=clear, seed=3)
    assert game.view.cells(KNOWN_SAFE) == []
    events = game.open((0, 0))
    assert [event.cell for event in events if event.state == KNOWN_SAFE] == shown[1:]
    assert game.view.cells(KNOWN_SAFE) == shown[1:]


def test_a_deal_waits_for_the_first_move_only_if_it_must() -> None:
    same = mp.Board.random(5, 5, 8, seed=9)
    game = mp.Game.deal(5, 5, 8, rules={"opening": "any"}, seed=9)
    game.stop()
    assert game.board == same
    game = mp.Game.deal(5, 5, 8, rules=mp.Rules(opening="safe"), seed=9)
    game.open((2, 2))
    if not game.over:
        game.stop()
    assert game.board == mp.Board.random(5, 5, 8, seed=9, start=(2, 2), opening="safe")


def test_a_given_board_that_breaks_the_rule_is_refused() -> None:
    board = mp.Board.from_text("*..\n...")
    with pytest.raises(mp.InvalidInput, match=r"the opening rule 'safe' does not hold .*\(0,0\)"):
        mp.Game(board, mp.Rules(opening="safe"), start=(0, 0))
    game = mp.Game(board, mp.Rules(opening="clear"))
    with pytest.raises(mp.InvalidInput, match="the opening rule 'clear' does not hold"):
        game.open((1, 1))
    assert mp.Game(board, mp.Rules(opening="clear")).open((0, 2))


def test_illegal_moves_are_refused_and_change_nothing() -> None:
    game = mp.Game(mp.Board.from_text("*..\n..."), CONTINUE, start=(0, 1))
    with pytest.raises(mp.IllegalMove, match=r"must be at the announced start \(0,1\)"):
        game.open((1, 0))
    game.open((0, 1))
    before = game.view
    for action, cell, message in [
        ("open", (0, 1), "it is open"),
        ("flag", (0, 1), "it is open"),
        ("unflag", (0, 0), "it is not flagged"),
        ("jump", (0, 0), "unknown action 'jump'"),
    ]:
        with pytest.raises(mp.IllegalMove, match=message):
            game.play(cell, action)  # type: ignore[arg-type]
    with pytest.raises(mp.InvalidInput, match=r"cell \(2,0\) is outside the board"):
        game.open((2, 0))
    with pytest.raises(mp.InvalidInput, match="a cell must be a pair"):
        game.open(5)  # type: ignore[arg-type]
    assert game.view == before
    game.flag((0, 0))
    with pytest.raises(mp.IllegalMove, match="it is flagged"):
        game.open((0, 0))
    assert game.unflag((0, 0)) == [mp.Event((0, 0), HIDDEN)]
    with pytest.raises(mp.IllegalMove, match="hidden until the game is over"):
        _ = game.board
    game.stop()
    for action in ("open", "flag", "unflag", "stop"):
        with pytest.raises(mp.IllegalMove, match="the game is over"):
            game.play((1, 0), action)  # type: ignore[arg-type]


def test_nothing_is_flagged_before_a_promised_first_cell() -> None:
    game = mp.Game.deal(4, 4, 4, rules=mp.Rules(opening="safe"))
    with pytest.raises(mp.IllegalMove, match="open a cell first"):
        game.flag((0, 0))
    shown = mp.Game.deal(4, 4, 4, rules=mp.Rules(opening="clear"), start=(0, 0))
    with pytest.raises(mp.IllegalMove, match="it is safe by the opening rule"):
        shown.flag((1, 1))


def test_a_promised_cell_stays_promised_under_a_flag() -> None:
    board = mp.Board.from_text("....\n....\n...*")
    game = mp.Game(board, mp.Rules(opening="clear", flood=False))
    game.flag((0, 1))
    game.open((0, 0))
    assert game.unflag((0, 1)) == [mp.Event((0, 1), KNOWN_SAFE)]


def test_stopping_before_the_first_move_reveals_nothing() -> None:
    game = mp.Game.deal(4, 4, 4, rules=mp.Rules(opening="clear"))
    game.stop()
    assert game.view.cells(KNOWN_SAFE) == []
    assert game.board.mine_count == 4


def test_a_corner_start_needs_less_room_than_an_interior_one() -> None:
    rules = mp.Rules(opening="clear")
    assert mp.Game.deal(3, 3, 5, rules=rules, start=(0, 0)).open((0, 0))
    assert len(list(mp.generate(3, 3, 5, start=(0, 0), opening="clear"))) == 1
    with pytest.raises(mp.InvalidInput, match="5 mines do not fit: 3x3 has 0 cells"):
        mp.Game.deal(3, 3, 5, rules=rules)


def test_the_mine_count_is_shown_or_hidden() -> None:
    assert mp.Game.deal(4, 4, 5).view.mines == 5
    assert mp.Game.deal(4, 4, 5, rules=mp.Rules(count_known=False)).view.mines is None
    with pytest.raises(mp.InvalidInput, match="the mine count is unknown before the first move"):
        mp.Game.deal(4, 4, density=0.2, independent=True, rules=mp.Rules(opening="safe"))


def test_missing_clues_can_be_asked_for_again_if_the_model_allows_it() -> None:
    board = mp.Board.random(6, 6, 8, seed=2)
    shy = mp.Game(board, CONTINUE, Sometimes(0.3, redraw=True), seed=4)
    for cell in [(r, c) for r in range(6) for c in range(6)]:
        if not board.is_mine(cell) and shy.view.state(cell) == HIDDEN:
            shy.open(cell)
    missing = len(shy.view.cells(NO_CLUE))
    assert missing > 5
    assert shy.unanswered
    answers = shy.ask()
    assert 0 < len(answers) < missing
    assert all(event.state == board.clue(event.cell) for event in answers)
    assert [event.cell for event in answers] == sorted(event.cell for event in answers)
    with pytest.raises(mp.IllegalMove, match="with sometimes:p=0.3 clues, you cannot ask again"):
        mp.Game(board, clues=Sometimes(0.3)).ask()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"on_mine": "explode"}, "unknown value of on_mine 'explode'"),
        ({"opening": "saef"}, "unknown opening rule 'saef': did you mean 'safe'"),
        ({"density": 0.2}, "set count_known=False"),
        ({"density": 2, "count_known": False}, "a density must be from 0 to 1, got 2"),
        ({"density": "x", "count_known": False}, "a density must be a number, got 'x'"),
        ({"flood": "no"}, "flood must be True or False, got 'no'"),
    ],
)
def test_invalid_rules_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(mp.InvalidInput, match=message):
        mp.Rules(**arguments)  # type: ignore[arg-type]


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of Python some work executes: a measure independent of other processes."""
    count = 0

    def trace(frame: object, event: str, argument: object) -> object:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def test_a_move_costs_no_more_on_a_large_board() -> None:
    costs = []
    for side in (40, 1000):
        game = mp.Game(mp.Board.random(side, side, 20, seed=1), mp.Rules("continue", flood=False))
        player = mp.agents.get("baseline").begin(game.view, rules=game.rules)
        board = mp.Board.random(side, side, 20, seed=1)
        safe = [cell for cell in [(5, c) for c in range(5, 25)] if not board.is_mine(cell)][:10]

        def moves(game: mp.Game = game, player: Any = player, safe: Any = safe) -> None:
            for cell in safe:
                player.observe(game.open(cell))

        costs.append(lines_run(moves) / len(safe))
    assert costs[1] <= costs[0] * 1.1
