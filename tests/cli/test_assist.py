"""`mineproof assist` names cells to open, reads what they show, and catches mistakes."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.cli import main
from mineproof.cli.assist.parsing import read_answer, read_count, read_shape
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, KNOWN_SAFE, NO_CLUE, View

from .test_cli import Terminal, ok, refused
from .test_engine import Engine

SHAPE = ["--rows", "4", "--cols", "6", "--mines", "4"]


# Typed input


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("0", [(None, 0)]),
        (" 8\t", [(None, 8)]),
        ("-", [(None, NO_CLUE)]),
        ("MINE", [(None, EXPLODED)]),
        ("*", [(None, EXPLODED)]),
        ("2,3=1 2,4=0  5,5=mine", [((2, 3), 1), ((2, 4), 0), ((5, 5), EXPLODED)]),
        ("(2,3)=1 (10, 4) = -", [((2, 3), 1), ((10, 4), NO_CLUE)]),
        ("3 0,0=1", [(None, 3), ((0, 0), 1)]),
        ("2,3:01?-*", [((2, 3), 0), ((2, 4), 1), ((2, 6), NO_CLUE), ((2, 7), EXPLODED)]),
    ],
)
def test_answers_are_read(text: str, known: list[tuple[Any, int]]) -> None:
    assert read_answer(text) == known


@pytest.mark.parametrize("command", ["undo", "board", "why", "quit", "help", " Undo "])
def test_commands_are_read(command: str) -> None:
    assert read_answer(command) == command.strip().lower()


@pytest.mark.parametrize(
    "text",
    [
        *("", "9", "10", "x", "2,3", "2,3=", "2,3=9", "2,3=12", "2,3:0x1", "-1,2=3", "2;3=1"),
        *("1,2,3=1", "undo 1", "mines", "é", "2,3=１", f"{'9' * 5000},1=1", "9" * 5000),
        *("{", '{"cell": [1, 2], "shows": 1}', "[3]", "[" * 100_000),
    ],
)
def test_unreadable_input_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(mp.InvalidInput) as error:
        read_answer(text)
    assert str(error.value).isascii()
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 200


def test_shapes_and_counts_are_read() -> None:
    for text, shape in {
        "9x9": (9, 9, None),
        " 16 X 30 / 99 ": (16, 30, 99),
        "4 5": (4, 5, None),
        "4,5": (4, 5, None),
        "Expert": (16, 30, 99),
    }.items():
        assert read_shape(text) == shape
    for text in ("", "9", "0x3", "1001x2", "9x9x9", "exprt", "-3x4", "٣x٣"):
        with pytest.raises(mp.InvalidInput):
            read_shape(text)
    assert (read_count(" 12 "), read_count("")) == (12, None)
    for text in ("-1", "x", "1.5", "9" * 5000):
        with pytest.raises(mp.InvalidInput):
            read_count(text)


# Driven by a program


class Program(Engine):
    """The command in a separate process, driven by JSON messages."""

    def __init__(self, *arguments: str) -> None:
        super().__init__("assist", "--json", *arguments)


@pytest.fixture
def program() -> Iterator[Any]:
    running: list[Program] = []

    def start(*arguments: str) -> Program:
        running.append(Program(*arguments))
        return running[-1]

    yield start
    for one in running:
        one.kill()


def test_a_program_can_play_whole_games(program) -> None:
    """One cell at a time; the view has the clues that were sent, with flags on proved mines."""
    board = mp.Board.random(9, 9, 10, seed=2)
    assistant = program("--level", "beginner", "--opening", "any")
    opened: dict[tuple[int, int], int] = {}
    known: dict[str, Any] = {"over": None}
    while known["over"] is None:
        move = assistant.ask(do="go")
        cell = tuple(move["cell"])
        assert move["action"] == "open"
        if board.is_mine(cell):
            assert move["risk"] > 0
            known = assistant.ask(do="tell", shows=[[None, "mine"]])
        else:
            opened[cell] = board.clue(cell)
            known = assistant.ask(do="tell", shows=[[cell, opened[cell]]])
        view = View.from_text(known["view"])
        assert {c: view.state(c) for c in view.cells(*range(9))} == opened
        assert view.cells(FLAGGED) == [tuple(one) for one in known["mined"]]
        assert all(map(board.is_mine, view.cells(FLAGGED)))
        assert not any(board.is_mine(tuple(one)) for one in known["safe"])
    expected = "won" if len(opened) == 71 else "lost"
    assert (known["over"]["outcome"], known["over"]["hit"]) == (expected, int(expected == "lost"))
    assert assistant.end() == 0


@pytest.mark.parametrize(
    "options",
    [
        ["--mines", "8"],
        ["--mines", "8", "--opening", "clear", "--agent", "baseline"],
        ["--density", "0.15", "--on-mine", "continue"],
        [],
    ],
)
def test_a_flood_is_sent_in_one_message(program, options: list[str]) -> None:
    on_mine = "continue" if "continue" in options else "end"
    opening = "clear" if "clear" in options else "safe"
    rules = mp.Rules(on_mine=on_mine, opening=opening)
    game = mp.Game(mp.Deal(8, 8, 8), rules, seed=6)
    assistant = program("--rows", "8", "--cols", "8", *options)
    known: dict[str, Any] = {"over": None}
    while known["over"] is None:
        cell = tuple(assistant.ask(do="go")["cell"])
        events = [event for event in game.open(cell) if event.state != KNOWN_SAFE]
        shown = [[one.cell, "mine" if one.state == EXPLODED else one.state] for one in events]
        known = assistant.ask(do="tell", shows=shown)
    over = known["over"]
    if on_mine == "end":
        assert over["outcome"] == ("won" if game.won else "lost")
    else:
        assert over["score"] == pytest.approx((8 - game.exploded) / 8)
    assert over["hit"] == game.exploded
    assert assistant.end() == 0


def test_a_program_may_make_a_mistake_undo_and_ask(program) -> None:
    assistant = program(*SHAPE)
    first = assistant.ask(do="go")
    shown = [
        [[row, col], int(clue)]
        for row, line in enumerate(("01", "01", "11"))
        for col, clue in enumerate(line)
    ]
    known = assistant.ask(do="tell", shows=shown)
    assert known["view"] == "4x6/4 01F???/01????/11????/??????"
    assert known["safe"] == [[1, 2], [2, 2], [3, 2]], "all safe cells in one response"
    error = assistant.ask(do="tell", shows=[[[1, 2], 0]])["error"]
    assert (error["kind"], error["cells"], error["count_used"]) == (
        *("contradiction", [[0, 1], [1, 2]]),
        False,
    )
    assert assistant.ask(do="go")["cell"] == [1, 2], "the mistake was undone"
    assert assistant.ask(do="odds")["mined"] == known["mined"]
    assert assistant.ask(do="undo")["view"] == "4x6/4 ??????/??????/??????/??????"
    assert assistant.ask(do="go") == first
    assert assistant.end() == 0


def test_a_program_can_start_from_any_position_and_restart(program) -> None:
    assistant = program("2x3/1 1??/11?", "--agent", "baseline")
    assert assistant.ask(do="go")["cell"] == [0, 2]
    assert assistant.ask(do="new", deal={"level": "beginner"})["view"].startswith("9x9/10 ")
    assert program().ask(do="odds")["error"]["kind"] == "invalid"


def test_a_program_that_disconnects_is_not_an_error(program) -> None:
    assistant = program(*SHAPE)
    assistant.ask(do="go")
    assistant.process.stdout.close()
    assistant.send(do="go")
    assistant.process.wait(timeout=30)
    assert assistant.process.stderr.read() == ""


# Games in progress, and saved games


def test_a_game_continues_from_a_position(talk, tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_text("2x3/1\n1??\n11?\n")
    lines = talk("1\n2\n", str(path))
    assert "open (0,2): safe" in lines
    assert "also safe: (1,2)" in lines
    lines = talk("0,2=1 1,2=1\n", "2x3 1??/11?", "--mines", "1")
    assert lines[-2:] == ["every safe cell is open", "won"]


def test_the_opening_rule_does_not_apply_to_a_game_in_progress(talk) -> None:
    lines = talk("q\n", "4x4/4 01?1/12?1/??32/????", "--opening", "clear")
    assert "open (0,2): risk 20.00 %" in lines


@pytest.mark.parametrize("seed", range(4))
def test_a_saved_record_replays_the_same_game(program, tmp_path: Path, seed: int) -> None:
    path = tmp_path / "game.json"
    game = mp.Game(mp.Deal(8, 8, 12), mp.Rules(opening="safe"), seed=seed)
    assistant = program("--rows", "8", "--cols", "8", "--mines", "12", "--save", str(path))
    cells = []
    while not game.over:
        cells.append(tuple(assistant.ask(do="go")["cell"]))
        events = [event for event in game.open(cells[-1]) if event.state != KNOWN_SAFE]
        shown = [[one.cell, "mine" if one.state == EXPLODED else one.state] for one in events]
        assistant.ask(do="tell", shows=shown)
    assert assistant.end() == 0
    data = json.loads(path.read_text())
    record = mp.Record.from_json(data)
    assert (record.agent, record.won) == ("assist", game.won)
    assert [move.cell for move in record.moves] == cells
    opened = [state for state in game.view.states if state != KNOWN_SAFE]
    assert [state for state in record.view.states if state != KNOWN_SAFE] == opened
    if game.won:
        assert record.board == game.board
        assert "unsettled" not in data


def test_an_unfinished_game_is_saved_up_to_its_last_move(talk, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    assert main(["assist", "2x3/1 1??/11?", "--save", "x", "--clues", "cautious"]) == 2
    typed = io.TextIOWrapper(io.BytesIO(b"0,1=1\nq\n"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", typed)
        assert main(["assist", "2x4/2 1???/1???", "--save", str(path)]) == 0
    record = mp.Record.from_json(data := json.loads(path.read_text()))
    assert [move.action for move in record.moves] == ["open", "open", "open", "stop"]
    assert {tuple(cell) for cell in data["unsettled"]} <= set(record.view.cells(HIDDEN, KNOWN_SAFE))


# Driven by a person


@pytest.fixture
def talk(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """A function that pipes lines in and returns the printed ones."""

    def run(answers: str | bytes, *arguments: str) -> list[str]:
        typed = answers if isinstance(answers, bytes) else answers.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed)))
        assert main(["assist", *arguments]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        assert out.isascii()
        return out.splitlines()

    return run


def test_shape_and_mines_are_asked_for_until_they_are_valid(talk) -> None:
    lines = talk("exprt\n9y9\n3x3\nmany\n10\n\n1,1=8\n")
    text = "\n".join(lines)
    assert "unknown level 'exprt': did you mean 'expert'?" in text
    assert "expected a size such as 9x9 or 16x30/99, or a level, got '9y9'" in text
    assert "expected a number of mines, or nothing, got 'many'" in text
    assert "10 mines do not fit: 3x3 has 9 cells" in text
    assert text.count("board size?") == 3
    assert text.count("how many mines?") == 3
    assert "3x3, mine count unknown, exact clues" in text
    assert lines[-2:] == ["every safe cell is open", "won"]


def test_only_what_the_options_leave_open_is_asked(talk) -> None:
    assert talk("3x3/1\nquit\n")[-2:] == ["you quit the game", "stopped"]
    for answers, options in {
        "": ["--level", "beginner"],
        " ": ["--rows", "9", "--cols", "9", "--density", "0.2"],
        "\n": ["--rows", "9", "--cols", "9"],
        "9x9\n": ["--mines", "12"],
        "9x9": ["--density", "0.1"],
    }.items():
        lines = talk(answers, *options)
        assert sum("board size?" in line for line in lines) == answers.count("9x9")
        assert sum("how many mines?" in line for line in lines) == (answers == "\n")
        assert lines[-2:] == ["end of input", "stopped"]


@pytest.mark.parametrize("answers", ["", "quit\n", "9x9", "9x9\nquit"])
def test_questions_may_remain_unanswered(talk, answers: str) -> None:
    assert talk(answers)[-1] == "stopped"


def test_mistakes_and_bad_input_are_explained_and_the_question_repeated(talk) -> None:
    lines = talk(b"0,0:01 1,0:01 2,0:11\n1,2=0\nx\n\xff\n\n:smile:\nundo\nundo\n", *SHAPE)
    at = lines.index("(1,2) shows: 1,2=0")
    assert lines[at + 2 : at + 4] == ["0  0 [1] F  ?  ?  ?", "1  0  1 [0] ?  ?  ?"]
    assert lines[at + 6] == "[ ] these clues contradict each other"
    assert "(0,1)=1 and (1,2)=0 contradict each other" in lines[at + 7]
    assert lines[at + 8].startswith("your answer was taken back")
    assert lines[at + 9] == "(1,2) shows: x"
    assert lines[at + 10].startswith("cannot read 'x': ")
    assert lines[at + 11] == "(1,2) shows: \\ufffd"
    assert lines[at + 12].startswith("cannot read '\\ufffd': ")
    assert lines[at + 14] == "expected 0 to 8, - or mine (or help), got an empty line"
    assert lines[at + 16].startswith("cannot read ':smile:': ")
    assert "there is no answer to take back" in lines
    assert lines[-1] == "stopped"


def test_why_board_and_help_respond_and_repeat_the_question(talk) -> None:
    lines = talk("0,0:01 1,0:01 2,0:11\nwhy\nboard\nhelp\nmine\n", *SHAPE)
    assert "certainly mines (1): (0,2)" in lines
    assert "best moves:" in lines
    assert lines.count("1    1[?]? ? ?") == 2
    assert any(line.startswith("undo  ") for line in lines)
    # A mine reported on a safe cell is a mistake and does not lose the game.
    assert lines[-2:] == ["end of input", "stopped"]


def test_a_mine_ends_the_game_if_the_rules_say_so(talk) -> None:
    assert talk("mine\n", *SHAPE, "--opening", "any")[-2:] == ["(0,0) was a mine", "lost"]
    three = ["--rows", "1", "--cols", "3", "--mines", "1", "--on-mine", "continue"]
    three += ["--opening", "any"]
    lines = talk("mine\n0\n", *three)
    assert "open (0,1): safe" in "\n".join(lines)
    known = "0,0=mine 0,1=1 0,2=0"
    lines = talk(known, *three)
    assert lines[-2:] == ["every safe cell is open; mines hit: 1", "lost, score 0.000"]


def test_the_first_cell_is_safe_unless_an_option_says_otherwise(talk) -> None:
    assert "open (0,0): safe" in talk("q\n", *SHAPE)
    assert "open (0,0): risk 16.67 %" in talk("q\n", *SHAPE, "--opening", "any")


@pytest.mark.parametrize("word", ["q", "quit", "exit", " Q "])
def test_several_words_stop_the_game(talk, word: str) -> None:
    assert talk(f"{word}\n", *SHAPE)[-2:] == ["you quit the game", "stopped"]
    assert talk(f"{word}\n")[-2:] == ["you quit the game", "stopped"], "even before the first cell"


def test_why_explains_a_cell(talk) -> None:
    """Four hidden cells and a 1 in a row: the cell next to the 1 is a mine, the others are safe."""
    asked = "1\nwhy 0,3\nwhy 0,0\nwhy (0, 4)\nwhy 0,9\nq\n"
    said = talk(asked, "--rows", "1", "--cols", "5", "--mines", "1")
    view = mp.View.from_text("1x5/1 ????1")
    for cell, verdict in (
        ((0, 3), "a mine: proved by 1 clue, (0,4)"),
        ((0, 0), "safe: proved by the mine count"),
    ):
        proof = str(mp.explain(view, cell)).splitlines()
        assert proof[0].startswith(f"(0,{cell[1]}) is {verdict}")
        assert len(proof) > 1
        assert set(proof) <= set(said), "the same proof as in `explain`"
    assert "(0,4) is open and shows 1" in said
    assert "cell (0,9) is outside the board: rows 0 to 0, columns 0 to 4" in said
    said = talk("why 0,1\nq\n", "--rows", "1", "--cols", "5", "--mines", "1")
    assert "(0,1) is undecided: mine probability 20 %." in said


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("- --json", "standard input is for your answers"),
        ("1x2/1_?? --rows 3 --cols 3", "POSITION already has a size"),
        ("1x2/1_?? --mines 2", "POSITION has 1 mine, but --mines is 2"),
        ("--rows 3", "a shape needs both --rows and --cols"),
        ("--level expert --rows 3 --cols 3", "give a level or a shape"),
        ("--rows 3 --cols 3 --mines 10", "10 mines do not fit: 3x3 has 9 cells"),
        ("--rows 0 --cols 3", "a board must have 1 to 1000 rows, got 0"),
        ("--mines 3 --density 0.1", "give either the number of mines or their density"),
        ("--density 1.5", "a density must be from 0 to 1, got 1.5"),
        ("--rows 3 --cols 3 --mines 1 --opening clear", "1 mine does not fit"),
        ("--agent exat", "unknown agent 'exat': did you mean 'exact'"),
        ("--clues exat", "unknown clue model 'exat'"),
    ],
)
def test_bad_options_get_one_clear_line(
    capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    assert message in refused(capsys, "assist", *(word.replace("_", " ") for word in line.split()))


# On a terminal


def test_a_game_on_a_terminal() -> None:
    terminal = Terminal("assist")
    terminal.read(until="board size?")
    terminal.process.sendline("4x6/4")
    terminal.read(until="(0,0) shows:")
    terminal.process.sendline("0,0:01 1,0:01 2,0:11")
    terminal.read(until="(1,2) shows:")
    terminal.process.sendline("0")
    during = terminal.read(until="your answer was taken back")
    assert "[ ] these clues contradict each other" in during
    assert "⚑" in during
    terminal.process.sendline("1 0,3=2 1,3:22 2,2:0011 3,1:10000")
    terminal.read(until="(0,5) shows:")
    terminal.process.sendline("2")
    assert terminal.read().splitlines()[-1] == "won"
    assert terminal.process.wait() == 0
    assert b"\x1b[38;" in terminal.raw


@pytest.mark.parametrize(("end", "code"), [("sendeof", 0), ("sendintr", 130)])
def test_ctrl_d_and_ctrl_c_at_the_prompt(end: str, code: int) -> None:
    terminal = Terminal("assist", *SHAPE)
    terminal.read(until="(0,0) shows:")
    getattr(terminal.process, end)()
    text = terminal.read()
    assert text.splitlines()[-1] == "stopped"
    assert "Traceback" not in text
    assert terminal.process.wait() == code


@pytest.mark.parametrize("name", ["game.json", "game.jsonl"])
def test_a_stopped_game_is_saved_as_stopped(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    name: str,
) -> None:
    path = str(tmp_path / name)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"1,0=1 1,1=2\nq\n")))
    lines = ok(capsys, "assist", "2x4/2 1???/????", "--save", path).splitlines()
    assert lines[-1] == "stopped"
    (record,) = mp.replays.read(path)
    assert record.outcome == "stopped"
    assert not record.won
    for command in ("review", "influence"):
        assert "exact clues: stopped" in ok(capsys, command, path)
    assert ok(capsys, "replay", path).splitlines()[-1] == "stopped"


def test_a_game_for_a_score_is_saved_with_the_score_shown(talk, tmp_path: Path) -> None:
    path = str(tmp_path / "game.json")
    shape = ["--rows", "1", "--cols", "4", "--mines", "2", "--on-mine", "continue"]
    lines = talk("0,0=1\n0,1=mine\n0,2=2\n", *shape, "--opening", "any", "--save", path)
    assert lines[-1] == "lost, score 0.500"
    (record,) = mp.replays.read(path)
    assert record.outcome == "score 0.500"
    assert [move.action for move in record.moves][-1] == "flag"
