"""`mineproof assist` names cells, takes in what they show, and catches slips."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import mineproof as mp
from mineproof.cli import main
from mineproof.cli.assist.typed import read_answer, read_count, read_shape
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, NO_CLUE, TOLD_SAFE, View

from .test_cli import MINEPROOF, Terminal, refused

SHAPE = ["--rows", "4", "--cols", "6", "--mines", "4"]


# What is typed


@pytest.mark.parametrize(
    ("text", "told"),
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
        ('{"cell": [2, 3], "shows": 3}', [((2, 3), 3)]),
        ('{"shows": "mine"}', [(None, EXPLODED)]),
        ('{"shows": null}', [(None, NO_CLUE)]),
        ('[{"cell": [0, 1], "shows": "2"}, {"shows": 0}]', [((0, 1), 2), (None, 0)]),
    ],
)
def test_answers_are_read(text: str, told: list[tuple[Any, int]]) -> None:
    assert read_answer(text) == told


@pytest.mark.parametrize("command", ["undo", "board", "why", "quit", "help", " Undo "])
def test_commands_are_read(command: str) -> None:
    assert read_answer(command) == command.strip().lower()


@pytest.mark.parametrize(
    "text",
    [
        *("", "9", "10", "x", "2,3", "2,3=", "2,3=9", "2,3=12", "2,3:0x1", "-1,2=3", "2;3=1"),
        *("1,2,3=1", "undo 1", "mines", "é", "2,3=１", f"{'9' * 5000},1=1", "9" * 5000),
        *("{", '{"cell": [1, 2]}', '{"shows": 9}', '{"shows": true}', '{"shows": 1, "x": 2}'),
        *('{"cell": 3, "shows": 1}', '{"cell": [1.5, 2], "shows": 1}', "[3]", "[" * 100_000),
        '{"shows": [1]}',
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(text: str) -> None:
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


# A program at the other end


class Program:
    """The command in a process of its own, spoken to line by line."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*MINEPROOF, "assist", "--json", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def hear(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.stderr and self.process.stderr.read()
        found: dict[str, Any] = json.loads(line)
        return found

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()


@pytest.fixture
def program() -> Iterator[Any]:
    running: list[Program] = []

    def start(*arguments: str) -> Program:
        running.append(Program(*arguments))
        return running[-1]

    yield start
    for one in running:
        one.stop()


def test_whole_games_are_played_by_a_program(program) -> None:
    """One cell at a time, as a number; the view is what was told, with flags on proved mines."""
    board = mp.Board.random(9, 9, 10, seed=2)
    assistant = program("--level", "beginner", "--opening", "any")
    opened: dict[tuple[int, int], int] = {}
    while "ask" in (line := assistant.hear()):
        cell = tuple(line["ask"])
        view = View.from_text(line["view"])
        assert {c: view.state(c) for c in view.cells(*range(9))} == opened
        assert all(map(board.is_mine, view.cells(FLAGGED)))
        assert set(line) == {"ask", "action", "risk", "certain", "reason", "view"}
        assert (line["action"], view.state(cell)) == ("open", HIDDEN)
        if board.is_mine(cell):
            assert line["risk"] > 0
            assistant.say("mine")
        else:
            opened[cell] = board.clue(cell)
            assistant.say(str(opened[cell]))
    expected = "won" if len(opened) == 71 else "lost"
    assert (line["over"], line["hit"]) == (expected, int(expected == "lost"))
    assert assistant.process.wait(timeout=10) == 0


@pytest.mark.parametrize(
    ("options", "form"),
    [
        (["--mines", "8"], "typed"),
        (["--mines", "8", "--opening", "clear", "--agent", "baseline"], "json"),
        (["--density", "0.15", "--on-mine", "continue"], "list"),
        ([], "typed"),
    ],
)
def test_floods_are_told_at_once(program, options: list[str], form: str) -> None:
    on_mine = "continue" if "continue" in options else "end"
    opening = "clear" if "clear" in options else "safe"
    rules = mp.Rules(on_mine=on_mine, opening=opening)
    deal = mp.Deal(8, 8, 8)
    game = mp.Game(deal, rules, seed=6)
    assistant = program("--rows", "8", "--cols", "8", *options)
    while "ask" in (line := assistant.hear()):
        first, *others = [event for event in game.open(line["ask"]) if event.state != TOLD_SAFE]
        told = [first, *others]
        if first.state == EXPLODED:
            assistant.say('{"shows": "mine"}')
        elif form == "typed":
            assistant.say(" ".join(f"{e.cell[0]},{e.cell[1]}={e.state}" for e in told))
        else:
            objects = [{"cell": event.cell, "shows": event.state} for event in told]
            assistant.say(json.dumps(objects if form == "list" or others else objects[0]))
    if on_mine == "end":
        assert line["over"] == ("won" if game.won else "lost")
    else:
        assert line["score"] == pytest.approx((8 - game.exploded) / 8)
    assert line["hit"] == game.exploded
    assert assistant.process.wait(timeout=10) == 0


def test_a_program_may_slip_undo_and_ask(program) -> None:
    assistant = program(*SHAPE)
    first = assistant.hear()
    assistant.say("0,0:01 1,0:01 2,0:11")
    second = assistant.hear()
    assert second["view"] == "4x6/4 01F???/01????/11????/??????"
    assistant.say("1,2=0")
    error = assistant.hear()
    assert (error["clues"], error["count_used"]) == ([[0, 1], [1, 2]], False)
    assert "contradict each other" in error["error"]
    assert assistant.hear() == second
    for bad in ("x", "", '{"shows": 12}', "99,99=1", "-"):
        assistant.say(bad)
        assert set(line := assistant.hear()) == {"error", "clues"}
        assert line["clues"] == []
        assert assistant.hear() == second
    assistant.say("why")
    odds = mp.posterior(View.from_text(second["view"]))
    assert assistant.hear()["why"]["mined"] == [list(cell) for cell in odds.mined]
    assert assistant.hear() == second
    assistant.say("board")
    assert assistant.hear()["board"][1:3] == ["01F???", "01????"]
    assert assistant.hear() == second
    assistant.say("help")
    assert any("undo" in line for line in assistant.hear()["help"])
    assert assistant.hear() == second
    assistant.say("undo")
    assert assistant.hear() == first
    assistant.say("undo")
    assert assistant.hear()["error"] == "there is no answer to take back"
    assert assistant.hear() == first
    assistant.say("quit")
    line = assistant.hear()
    assert (line["over"], line["view"]) == ("stopped", first["view"])
    assert assistant.process.wait(timeout=10) == 0


def test_the_end_of_input_and_ctrl_c_end_cleanly(program) -> None:
    assistant = program(*SHAPE)
    assistant.hear()
    assistant.process.stdin.close()
    assert assistant.hear()["over"] == "stopped"
    assert assistant.process.wait(timeout=10) == 0
    assistant = program(*SHAPE)
    assistant.hear()
    assistant.process.send_signal(signal.SIGINT)
    assert assistant.hear()["over"] == "stopped"
    assert assistant.process.wait(timeout=10) == 130
    assert assistant.process.stderr.read() == ""


def test_a_program_that_goes_away_is_no_error(program) -> None:
    assistant = program(*SHAPE)
    assistant.hear()
    assistant.process.stdout.close()
    assistant.say("0")
    assistant.process.wait(timeout=10)
    assert assistant.process.stderr.read() == ""


# People


@pytest.fixture
def talk(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """What is printed when these lines are piped in."""

    def run(answers: str | bytes, *arguments: str) -> list[str]:
        typed = answers if isinstance(answers, bytes) else answers.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed)))
        assert main(["assist", *arguments]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        assert out.isascii()
        return out.splitlines()

    return run


def test_shape_and_mines_are_asked_for_until_they_can_be(talk) -> None:
    lines = talk("exprt\n9y9\n3x3\nmany\n10\n\n1,1=8\n")
    text = "\n".join(lines)
    assert "unknown level 'exprt': did you mean 'expert'?" in text
    assert "a shape is ROWSxCOLS, as 9x9 or 16x30/99, got '9y9'" in text
    assert "a number of mines is needed, or nothing, got 'many'" in text
    assert "10 mines do not fit: 3x3 has 9 cells" in text
    assert text.count("which shape?") == 3
    assert text.count("how many mines?") == 3
    assert "3x3, mine count unknown, clues exact" in text
    assert lines[-2:] == ["every safe cell is open", "won"]


def test_only_what_options_do_not_tell_is_asked(talk) -> None:
    assert talk("3x3/1\nquit\n")[-2:] == ["as you wish", "stopped"]
    for answers, options in {
        "": ["--level", "beginner"],
        " ": ["--rows", "9", "--cols", "9", "--density", "0.2"],
        "\n": ["--rows", "9", "--cols", "9"],
        "9x9\n": ["--mines", "12"],
        "9x9": ["--density", "0.1"],
    }.items():
        lines = talk(answers, *options)
        assert sum("which shape?" in line for line in lines) == answers.count("9x9")
        assert sum("how many mines?" in line for line in lines) == (answers == "\n")
        assert lines[-2:] == ["end of input", "stopped"]


@pytest.mark.parametrize("answers", ["", "quit\n", "9x9", "9x9\nquit"])
def test_questions_may_stay_unanswered(talk, answers: str) -> None:
    assert talk(answers)[-1] == "stopped"


def test_slips_and_bad_input_get_their_lines_and_the_question_again(talk) -> None:
    lines = talk(b"0,0:01 1,0:01 2,0:11\n1,2=0\nx\n\xff\n\n:smile:\nundo\nundo\n", *SHAPE)
    at = lines.index("(1,2) shows: 1,2=0")
    assert lines[at + 2 : at + 4] == ["0  0 [1] F  ?  ?  ?", "1  0  1 [0] ?  ?  ?"]
    assert lines[at + 6] == "[ ] these clues clash"
    assert "(0,1)=1, (1,2)=0 contradict each other" in lines[at + 7]
    assert lines[at + 8].startswith("the answer is taken back")
    assert lines[at + 9] == "(1,2) shows: x"
    assert lines[at + 10].startswith("cannot read 'x': ")
    assert lines[at + 11] == "(1,2) shows: \\ufffd"
    assert lines[at + 12].startswith("cannot read '\\ufffd': ")
    assert lines[at + 14] == "nothing was typed: 0 to 8, - or mine is needed, or help"
    assert lines[at + 16].startswith("cannot read ':smile:': ")
    assert "there is no answer to take back" in lines
    assert lines[-1] == "stopped"


def test_why_board_and_help_answer_and_ask_again(talk) -> None:
    lines = talk("0,0:01 1,0:01 2,0:11\nwhy\nboard\nhelp\nmine\n", *SHAPE)
    assert "certainly mined (1): (0,2)" in lines
    assert "best moves:" in lines
    assert lines.count("1    1[?]? ? ?") == 2
    assert any(line.startswith("undo  ") for line in lines)
    # A mine on a safe cell is a slip, and nothing is lost.
    assert lines[-2:] == ["end of input", "stopped"]


def test_a_mine_ends_the_game_or_not(talk) -> None:
    assert talk("mine\n", *SHAPE, "--opening", "any")[-2:] == ["(0,0) was a mine", "lost"]
    three = ["--rows", "1", "--cols", "3", "--mines", "1", "--on-mine", "continue"]
    three += ["--opening", "any"]
    lines = talk("mine\n0\n", *three)
    assert "open (0,1): safe" in "\n".join(lines)
    told = "0,0=mine 0,1=1 0,2=0"
    lines = talk(told, *three)
    assert lines[-2:] == ["every safe cell is open; mines hit: 1", "lost, score 0.000"]


def test_the_first_cell_is_promised_to_be_safe_unless_told_otherwise(talk) -> None:
    assert "open (0,0): safe" in talk("q\n", *SHAPE)
    assert "open (0,0): risk 16.67 %" in talk("q\n", *SHAPE, "--opening", "any")


@pytest.mark.parametrize("word", ["q", "quit", "exit", " Q "])
def test_there_are_some_ways_to_stop(talk, word: str) -> None:
    assert talk(f"{word}\n", *SHAPE)[-2:] == ["as you wish", "stopped"]
    assert talk(f"{word}\n")[-2:] == ["as you wish", "stopped"], "also before the first cell"


def test_why_tells_of_a_cell(talk) -> None:
    """Four cells in a row beside a clue: the one beside it is mined, the rest is safe."""
    asked = "1\nwhy 0,3\nwhy 0,0\nwhy (0, 4)\nwhy 0,9\nq\n"
    said = talk(asked, "--rows", "1", "--cols", "5", "--mines", "1")
    view = mp.View.from_text("1x5/1 ????1")
    for cell, verdict in (
        ((0, 3), "a mine: by 1 clue, (0,4)"),
        ((0, 0), "safe: by the mine count"),
    ):
        proof = str(mp.explain(view, cell)).splitlines()
        assert proof[0].startswith(f"(0,{cell[1]}) is {verdict}")
        assert len(proof) > 1
        assert set(proof) <= set(said), "as explain tells it"
    assert "(0,4) is opened and shows 1" in said
    assert "cell (0,9) is outside the board: rows 0 to 0, columns 0 to 4" in said
    said = talk("why 0,1\nq\n", "--rows", "1", "--cols", "5", "--mines", "1")
    assert "(0,1) is open: a mine with a chance of 20 %." in said


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--json", "which shape? with --json give --level, or --rows and --cols"),
        ("--rows 3", "a shape needs both --rows and --cols"),
        ("--level expert --rows 3 --cols 3", "give a level or a shape"),
        ("--rows 3 --cols 3 --mines 10", "10 mines do not fit: 3x3 has 9 cells"),
        ("--rows 0 --cols 3", "a board has 1 to 1000 rows, got 0"),
        ("--mines 3 --density 0.1", "give the number of mines or their density, and not both"),
        ("--density 1.5", "a density is from 0 to 1, got 1.5"),
        ("--rows 3 --cols 3 --mines 1 --opening clear", "1 mine does not fit"),
        ("--agent exat", "unknown agent 'exat': did you mean 'exact'"),
        ("--clues exat", "unknown clue model 'exat'"),
    ],
)
def test_bad_options_get_one_clear_line(
    capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    assert message in refused(capsys, "assist", *line.split())


# A terminal


def test_a_game_on_a_terminal() -> None:
    terminal = Terminal("assist")
    terminal.read(until="which shape?")
    terminal.process.sendline("4x6/4")
    terminal.read(until="(0,0) shows:")
    terminal.process.sendline("0,0:01 1,0:01 2,0:11")
    terminal.read(until="(1,2) shows:")
    terminal.process.sendline("0")
    during = terminal.read(until="the answer is taken back")
    assert "[ ] these clues clash" in during
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
