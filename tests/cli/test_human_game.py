"""A person's game without a terminal: keys, help and records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.cli.human.adviser import Adviser, region
from mineproof.cli.human.game_screen import HELP, GameScreen
from mineproof.cli.human.human_game import HumanGame
from mineproof.cli.human.interactive_session import InteractiveSession
from mineproof.cli.play.game_setup import GameSetup
from mineproof.errors import IllegalMove, MineproofError
from mineproof.games.record import Record
from mineproof.world.board import Board, Deal
from mineproof.world.geometry import Grid
from mineproof.world.view import EXPLODED, FLAGGED

BOARD = Board.from_text("4x4/3 *.../..../...*/..*.")
needs_native = pytest.mark.skipif(mp.engine == "python", reason="it is compiled")


class Clock:
    """A clock that tests set."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def setup_of(board: Board | Deal = BOARD, **given: Any) -> GameSetup:
    rules = given.pop("rules", mp.Rules(opening="any"))
    clues = given.pop("clues", mp.clues.Exact())
    return GameSetup(board, rules, clues, given.pop("seed", 1), **given)


def desk_of(board: Board | Deal = BOARD, **given: Any) -> InteractiveSession:
    own = {name: given.pop(name) for name in ("practice", "vi", "save", "clock") if name in given}
    return InteractiveSession(setup_of(board, **given), **own)


def press(desk: InteractiveSession, *keys: str) -> None:
    for key in keys:
        assert desk.press(key) == ""


def go(desk: InteractiveSession, row: int, col: int) -> None:
    """Move the cursor to a cell with the arrow keys."""
    press(desk, *["up"] * 50, *["left"] * 50, *["down"] * row, *["right"] * col)
    assert desk.cursor == (row, col)


def open_all(desk: InteractiveSession) -> None:
    """Open every safe cell of BOARD."""
    for row, col in BOARD.grid.cells(range(16)):
        if not BOARD.is_mine((row, col)) and desk.view.state((row, col)) == 9:
            go(desk, row, col)
            press(desk, " ")


# Keys


def test_arrows_move_the_cursor_and_the_edge_stops_it() -> None:
    desk = desk_of()
    assert desk.cursor == (2, 2)
    press(desk, "right", "right", "right", "down", "down")
    assert desk.cursor == (3, 3)
    press(desk, "home")
    assert desk.cursor == (3, 0)
    press(desk, "end", "up", "left")
    assert desk.cursor == (2, 2)


def test_h_is_a_hint_and_left_only_with_vi_keys() -> None:
    desk = desk_of()
    press(desk, "l", "j", "k", "k")
    assert desk.cursor == (1, 3)
    press(desk, "h")
    assert desk.note.text.startswith("No cell is certainly safe")
    press(desk, "v", "h", "h")
    assert desk.cursor == (1, 1)
    assert "H gives a hint" in desk.note.text
    press(desk, "H")
    assert "Best guess" in desk.note.text
    assert desk_of(vi=True).vi


def test_space_opens_and_f_sets_and_removes_a_flag() -> None:
    desk = desk_of()
    go(desk, 0, 1)
    press(desk, " ")
    assert desk.view.state((0, 1)) == 1
    go(desk, 0, 0)
    press(desk, "f")
    assert desk.view.state((0, 0)) == FLAGGED
    press(desk, " ")
    assert desk.note.text == "(0,0) is flagged: remove the flag first."
    press(desk, "F", "enter")
    assert desk.game.over
    assert desk.note.text.startswith("Lost: (0,0) was a mine.")
    assert desk.note.good is False


@pytest.mark.parametrize("key", ["c", " "])
def test_a_number_with_all_its_mines_flagged_is_chorded(key: str) -> None:
    desk = desk_of()
    go(desk, 0, 1)
    press(desk, " ", key)
    assert desk.note.text == "Cannot chord (0,1): it shows 1, but 0 neighbours are marked."
    go(desk, 0, 0)
    press(desk, "f", "right", key)
    assert desk.view.state((1, 0)) == 1
    assert desk.view.state((0, 2)) == 0
    assert not desk.game.over


def test_the_mouse_opens_chords_and_flags() -> None:
    desk = desk_of()
    desk.click("left", (0, 1))
    desk.click("right", (0, 0))
    assert desk.view.state((0, 0)) == FLAGGED
    assert desk.cursor == (0, 0)
    desk.click("left", (0, 1))
    assert desk.view.state((1, 0)) == 1
    desk.click("middle", (3, 3))
    assert "shows no clue" in desk.note.text


def test_an_impossible_action_is_explained_and_changes_nothing() -> None:
    desk = desk_of(Deal(9, 9, 10), rules=mp.Rules(opening="safe"))
    press(desk, "f")
    assert desk.note.text.startswith("Open a cell first")
    press(desk, "a")
    assert "you cannot ask again" in desk.note.text
    press(desk, "u")
    assert desk.note.text == "Only practice games have undo: start with --practice."
    assert desk.press("x") == ""
    assert not desk.game.started


def test_q_and_ctrl_z_are_left_to_the_terminal() -> None:
    desk = desk_of()
    assert desk.press("q") == "quit"
    assert desk.press("\x04") == "quit"
    assert desk.press("\x1a") == "suspend"


# End of the game


def test_a_won_game_shows_time_3bv_and_efficiency() -> None:
    clock = Clock()
    desk = desk_of(clock=clock)
    for row, col in ((1, 1), (0, 3), (2, 0), (3, 3)):
        clock.now += 1.5
        go(desk, row, col)
        press(desk, " ")
    open_all(desk)
    assert desk.game.over
    assert desk.game.won
    text = desk.note.text
    assert text.startswith("Won! Time 4.5 s.")
    record = desk.game.record()
    assert record.turns[0].seconds == 0.0
    assert record.time == 4.5
    assert record.clicks == len([move for move in record.moves if move.action == "open"])
    bbbv = BOARD.figures.bbbv
    assert f"3BV {bbbv}, 3BV/s {bbbv / 4.5:.2f}" in text
    assert f"efficiency {100 * bbbv / record.clicks:.0f} %" in text
    assert Record.from_json(record.to_json()) == record


def test_keys_after_the_end_name_the_next_steps() -> None:
    desk = desk_of()
    go(desk, 0, 0)
    press(desk, " ", " ")
    assert desk.note.text == "The game is over: press n for a new board, r for this one again."
    press(desk, "h")
    assert desk.note.text.startswith("The game is over")


def test_the_mines_are_shown_only_at_the_end() -> None:
    desk = desk_of()
    assert desk.game.truth is None
    screen = GameScreen(ascii_only=True)
    assert "m" not in board_of(screen, desk)
    go(desk, 0, 0)
    press(desk, " ")
    assert desk.game.truth == BOARD
    board = board_of(screen, desk)
    assert board.count("m") == 2
    assert "[*]" in board


def test_for_a_score_play_goes_on_and_s_finishes() -> None:
    desk = desk_of(rules=mp.Rules(on_mine="continue", opening="any"))
    go(desk, 0, 0)
    press(desk, " ")
    assert desk.view.state((0, 0)) == EXPLODED
    assert desk.note.text == "That was a mine. It now counts as known: play on."
    go(desk, 2, 3)
    press(desk, "f", "s")
    assert "Press s again" in desk.note.text
    assert not desk.game.over
    press(desk, "up", "s", "s")
    assert desk.game.over
    assert desk.note.text.startswith("Score 0.333.")
    assert "1 of 3 mines flagged, 1 hit, 0 wrong flags." in desk.note.text


def test_for_a_score_the_game_ends_once_every_cell_is_opened_or_flagged() -> None:
    desk = desk_of(rules=mp.Rules(on_mine="continue", opening="any"))
    for cell in ((0, 0), (2, 3), (3, 2)):
        go(desk, *cell)
        press(desk, "f")
    open_all(desk)
    assert desk.game.over
    assert desk.note.text.startswith("Score 1.000.")


def test_a_game_given_up_is_stopped_and_not_lost() -> None:
    desk = desk_of()
    go(desk, 0, 1)
    press(desk, " ", "s", "s")
    assert desk.game.record().outcome == "stopped"
    assert desk.note.text.startswith("Stopped.")


# Practice


def test_practice_can_undo_moves_including_the_last_one() -> None:
    clock = Clock()
    desk = desk_of(practice=True, clock=clock)
    press(desk, "u")
    assert desk.note.text == "There is no move to undo."
    go(desk, 1, 1)
    press(desk, " ")
    before = desk.view
    clock.now += 3
    go(desk, 0, 0)
    press(desk, " ")
    assert desk.game.over
    assert "Press u to undo the last move." in desk.note.text
    clock.now += 60
    press(desk, "u")
    assert desk.view == before
    assert desk.game.seconds == pytest.approx(3)
    open_all(desk)
    record = desk.game.record()
    assert (record.won, record.undone) == (True, 1)
    assert "Practice: 1 move undone." in desk.note.text
    assert "(practice game, 1 undone)" in repr(record)
    assert Record.from_json(record.to_json()).undone == 1


def test_a_chord_is_undone_as_one_move() -> None:
    desk = desk_of(practice=True)
    go(desk, 0, 0)
    press(desk, "f", "right", " ")
    before = desk.view
    press(desk, "c", "u")
    assert desk.view == before
    assert len(desk.game._manual.turns) == 2


# Several games


def test_n_deals_a_new_board_and_r_restarts_the_same_one() -> None:
    desk = desk_of(Deal(9, 9, 10), rules=mp.Rules(opening="safe"))
    press(desk, " ")
    press(desk, "s", "s")
    first = desk.game.record()
    press(desk, "r")
    assert not desk.game.over
    assert desk.cursor == (4, 4)
    press(desk, " ", "s", "s")
    again = desk.game.record()
    assert (again.board, again.start) == (first.board, (4, 4))
    press(desk, "n", " ", "s", "s")
    other = desk.game.record()
    assert other.board != first.board
    assert other.board.mine_count == 10
    assert len(desk.records) == 2


def test_digits_choose_a_level() -> None:
    desk = desk_of(Deal(9, 9, 10), rules=mp.Rules(opening="safe"))
    press(desk, "3")
    assert (desk.view.rows, desk.view.cols, desk.view.mines) == (16, 30, 99)
    press(desk, " ", "2")
    assert desk.note.text == "Give up this game and start a new one? Press 2 again to confirm."
    assert desk.view.rows == 16
    press(desk, "2")
    assert (desk.view.rows, desk.view.cols, desk.view.mines) == (16, 16, 40)
    assert [record.outcome for record in desk.records] == ["stopped"]


def test_another_key_in_between_cancels_the_question() -> None:
    desk = desk_of(Deal(9, 9, 10), rules=mp.Rules(opening="safe"))
    press(desk, " ", "n", "left", "n")
    assert "Press n again" in desk.note.text
    assert desk.game.begun


@needs_native
def test_a_no_guess_board_is_dealt_at_the_first_cell() -> None:
    rules = mp.Rules(opening="safe")
    for first in ((0, 0), (4, 7)):
        desk = desk_of(Deal(9, 9, 10), rules=rules, no_guess=True)
        go(desk, *first)
        press(desk, " ", "s", "s")
        record = desk.game.record()
        assert record.start == first
        assert mp.grade(record.board, first, opening="safe").guesses == 0
        press(desk, "n")
        assert desk.game.no_guess


@needs_native
def test_following_hints_wins_a_no_guess_board() -> None:
    desk = desk_of(Deal(9, 9, 10), rules=mp.Rules(opening="safe"), no_guess=True, seed=5)
    press(desk, " ")
    while not desk.game.over:
        press(desk, "h")
        assert "safe" in desk.note.text
        press(desk, "h")
        assert desk.note.cell == desk.cursor
        press(desk, " ")
    assert desk.game.won


# Saving


def test_a_finished_game_is_saved_once_and_an_unfinished_one_on_leaving() -> None:
    kept: list[Record] = []

    def keep(record: Record) -> str:
        kept.append(record)
        return "Saved. To review it: mineproof review game.json"

    desk = desk_of(save=keep)
    go(desk, 0, 0)
    press(desk, " ")
    assert "mineproof review game.json" in desk.note.text
    press(desk, "r", "r")
    assert len(kept) == 1
    go(desk, 1, 1)
    press(desk, " ")
    desk.close()
    assert [record.outcome for record in kept] == ["lost", "stopped"]
    desk = desk_of(save=keep)
    desk.close()
    assert len(kept) == 2
    assert not desk.records


def test_a_practice_game_is_saved_on_leaving() -> None:
    kept: list[Record] = []
    desk = desk_of(save=lambda record: kept.append(record) or "", practice=True)  # type: ignore[func-returns-value]
    go(desk, 0, 0)
    press(desk, " ", "u")
    assert not kept
    open_all(desk)
    desk.close()
    assert [record.won for record in kept] == [True]


def test_a_game_that_cannot_be_saved_is_still_shown() -> None:
    def fail(_: Record) -> str:
        raise MineproofError("cannot write 'x': no room")

    desk = desk_of(save=fail)
    go(desk, 0, 0)
    press(desk, " ")
    assert "Not saved: cannot write 'x': no room" in desk.note.text
    assert desk.error is not None


# Help


def test_hints_say_first_where_then_which_cell_then_why() -> None:
    desk = desk_of()
    go(desk, 1, 1)
    press(desk, " ")
    go(desk, 0, 1)
    press(desk, " ", "right", " ")
    press(desk, "h")
    assert "safe" in desk.note.text
    assert desk.note.cell is None
    assert not desk.note.clues
    press(desk, "h")
    assert desk.note.cell is not None
    assert desk.note.text == f"({desk.cursor[0]},{desk.cursor[1]}) is safe."
    assert not BOARD.is_mine(desk.cursor)
    press(desk, "h")
    assert desk.note.clues
    assert "1. " in desk.note.text
    press(desk, "h")
    assert desk.note.text == "There are no more hints for this position."


def hints(view: str, **rules: Any) -> list[str]:
    adviser = Adviser(mp.Rules(**{"opening": "any", **rules}), mp.clues.Exact())
    return [note.text for note in adviser.hint(mp.View.from_text(view))]


def test_a_hint_names_a_wrong_flag_first() -> None:
    where, which, why = hints("1x4/1 0F??")
    assert where == "A flag on the left of the board is wrong."
    assert which == "The flag on (0,1) is wrong: the cell is safe."
    assert why.startswith("(0,1) is safe")


def test_before_the_first_cell_a_hint_states_the_opening_rule() -> None:
    desk = desk_of(Deal(9, 9, 10), rules=mp.Rules(opening="safe"))
    press(desk, "h")
    assert desk.note.text == "The first cell is always safe: open any cell."
    press(desk, "w")
    assert desk.note.text == "No cell is open yet. The first cell is always safe: open any cell."
    press(desk, "o")
    assert desk.note.text.endswith("The first cell is always safe: open any cell.")
    desk = desk_of(Deal(9, 9, 10), rules=mp.Rules(opening="clear"))
    press(desk, "h")
    assert "and its neighbours are always safe" in desk.note.text


@needs_native
def test_without_a_certain_cell_a_hint_names_the_best_guess_with_probabilities() -> None:
    adviser = Adviser(mp.Rules(opening="any"), mp.clues.Exact())
    view = mp.View.from_text("4x4/4 01?1/12?1/??32/????")
    notes = list(adviser.hint(view))
    assert notes[0].text == "No cell is certainly safe: you have to guess."
    assert notes[1].text == (
        "Best guess: (2,0), mine probability 40.00 %. Win probability 60 % (exact)."
    )
    assert "(0,2) 20.00 %" in notes[2].text


def test_for_a_score_a_certain_mine_is_a_hint() -> None:
    where, which, why = hints("1x2 1?", on_mine="continue", count_known=False)
    assert where == (
        "No cell is certainly safe, but 1 certain mine is not flagged yet, "
        "in the middle of the board."
    )
    assert which == "(0,1) is a mine."
    assert why.startswith("(0,1) is a mine")


def test_why_proves_or_gives_the_probability() -> None:
    adviser = Adviser(mp.Rules(opening="any"), mp.clues.Exact())
    view = mp.View.from_text("2x3/2 ???/121")
    proof = adviser.why(view, (0, 1))
    assert proof.text.startswith("(0,1) is safe")
    assert proof.cell == (0, 1)
    assert proof.clues
    assert proof.settled[0, 1] is False
    undecided = adviser.why(mp.View.from_text("4x4/4 01?1/12?1/??32/????"), (2, 0))
    assert "undecided" in undecided.text
    assert "40 %" in undecided.text
    shows = adviser.why(view, (1, 1)).text
    assert shows == "(1,1) shows 2: 0 neighbours flagged or exploded, 3 hidden without a flag."
    exploded = mp.View.from_text("1x2/1 *?")
    assert adviser.why(exploded, (0, 0)).text == "(0,0) was a mine."
    known = mp.View.from_text("1x2/1 s?")
    assert "the opening rule guarantees it" in adviser.why(known, (0, 0)).text


def test_probabilities_are_shown_including_the_exact_one_at_the_cursor() -> None:
    desk = desk_of()
    press(desk, "o")
    assert desk.odds is not None
    assert desk.here == "(2,2): 18.75 %"
    go(desk, 1, 1)
    press(desk, " ")
    assert desk.here == ""
    press(desk, "o")
    assert desk.odds is None


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ((0, 0), "in the top left"),
        ((8, 4), "at the bottom"),
        ((4, 4), "in the middle"),
        ((3, 8), "on the right"),
    ],
)
def test_a_region_is_a_ninth_of_the_board(cell: tuple[int, int], words: str) -> None:
    assert region(Grid(9, 9), cell) == words


def test_hints_probabilities_and_asking_again_work_with_uncertain_clues() -> None:
    clues = mp.clues.parse("sometimes:0.5,redraw=true")
    desk = desk_of(Board.from_text("3x3/1 *../.../..."), clues=clues, seed=3)
    for cell in ((1, 1), (2, 2), (0, 2)):
        go(desk, *cell)
        press(desk, " ")
    assert desk.game.can_ask
    press(desk, "o", "w")
    assert desk.odds is not None
    press(desk, "h")
    assert desk.note.text
    press(desk, "a")
    assert desk.note.text.startswith("Asked again: ")


# The screen


def shown(
    screen: GameScreen, desk: InteractiveSession, lines: int = 24, columns: int = 80
) -> list[str]:
    frame = screen.draw(desk, lines, columns)
    return [line.plain for line in frame.lines]


def board_of(screen: GameScreen, desk: InteractiveSession) -> str:
    """Only the board from a screen."""
    frame = screen.draw(desk, 24, 80)
    lines = frame.lines[frame.top : frame.top + frame.window.lines]
    return "\n".join(line.plain[: frame.window.columns] for line in lines)


SIZES = [(24, 60), (24, 80), (30, 120), (50, 200), (12, 60), (8, 40), (5, 20), (3, 10)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("level", ["beginner", "expert"])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_screen_never_exceeds_the_terminal(
    size: tuple[int, int], level: str, ascii_only: bool
) -> None:
    desk = desk_of(Deal(*mp.LEVELS[level]), rules=mp.Rules(opening="clear"), practice=True)
    screen = GameScreen(ascii_only=ascii_only)
    for key in ("", " ", "o", "h", "h", "h", "\t", "w", "?", "x", "end", "down", "s", "s"):
        press(desk, *([key] if key else []))
        frame = screen.draw(desk, *size)
        assert len(frame.lines) <= max(size[0], 3)
        for line in frame.lines:
            assert line.cell_len <= size[1]
            assert not ascii_only or line.plain.isascii()
        if not desk.shows_keys:
            row, col = desk.cursor
            assert row in frame.window.rows
            assert col in frame.window.cols


def test_the_status_line_shows_mines_time_level_and_rules() -> None:
    clock = Clock()
    desk = desk_of(Deal(9, 9, 10), rules=mp.Rules(opening="safe"), clock=clock)
    press(desk, " ")
    clock.now += 65
    cell = next(cell for cell in desk.view.cells(9))
    go(desk, *cell)
    press(desk, "f")
    head = shown(GameScreen(), desk)[:2]
    assert head[0] == "Beginner 9x9 · 9 of 10 mines left · 1:05"
    assert head[1] == "first cell safe · exact clues · ends on a mine"


@pytest.mark.parametrize("columns", [60, 80, 120, 200])
def test_the_key_line_fits_and_includes_help_and_quit(columns: int) -> None:
    desk = desk_of(practice=True, rules=mp.Rules("continue", "any"))
    last = shown(GameScreen(), desk, 24, columns)[-1]
    assert len(last) <= columns
    for key in ("space open", "f flag", "h hint", "? keys", "q quit"):
        assert key in last
    if columns >= 120:
        for key in ("c chord", "o odds", "w why", "u undo", "s finish"):
            assert key in last


def test_all_keys_are_listed_and_long_texts_have_pages() -> None:
    desk = desk_of()
    press(desk, "?")
    text = "\n".join(shown(GameScreen(), desk, 30, 60))
    for keys, words in HELP:
        assert keys in text
        assert words in text
    screen, seen = GameScreen(), ""
    for _ in range(6):
        seen += "\n".join(shown(screen, desk, 10, 60))
        press(desk, "\t")
    assert all(words in seen for _, words in HELP)
    press(desk, "z")
    assert not desk.shows_keys


def test_a_click_on_the_screen_hits_the_right_cell() -> None:
    desk = desk_of(Deal(16, 30, 99), rules=mp.Rules(opening="any"))
    for lines, columns in SIZES[:6]:
        screen = GameScreen()
        frame = screen.draw(desk, lines, columns)
        board = [line.plain for line in frame.lines]
        line = next(n for n, text in enumerate(board) if "[·]" in text)
        column = board[line].index("[") + 1
        assert frame.cell_at(line, column) == desk.cursor
        assert frame.cell_at(0, 3) is None


# Records


def test_a_game_replays_from_its_record() -> None:
    game = HumanGame(setup_of(Deal(9, 9, 10), rules=mp.Rules(opening="safe"), seed=9))
    game.open((4, 4))
    with pytest.raises(IllegalMove, match="cannot flag"):
        game.flag((4, 4))
    game.stop((0, 0))
    record = game.record()
    assert record.agent == "you"
    assert record.view == game.view
    assert [move.action for move in record.moves] == ["open", "stop"]


def test_a_saved_game_is_reviewed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from mineproof.cli import main

    desk = desk_of()
    open_all(desk)
    path = tmp_path / "game.json"
    mp.replays.write(path, [desk.game.record()])
    assert main(["review", str(path), "--no-win"]) == 0
    assert "you on 4x4/3, opening any, exact clues: won" in capsys.readouterr().out
