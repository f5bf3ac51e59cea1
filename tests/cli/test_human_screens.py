"""A person's game on a real terminal: keys, mouse, colours, sizes, and terminal state."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pexpect
import pytest

import mineproof as mp
from mineproof.world.game import Game
from mineproof.world.view import HIDDEN

from .test_cli import MINEPROOF, Terminal

BOARD = "4x6/4 *...../....../.....*/..*..*"
SAFE = "(2,0)"
"""The first safe cell that a hint names, after the chord on (0,1)."""
SIZES = [(24, 60), (24, 80), (30, 120), (50, 200)]


class Player(Terminal):
    """A player at a terminal, whose size is not overridden by the environment."""

    def __init__(self, *arguments: str, rows: int = 24, cols: int = 80, **environment: str) -> None:
        unset = dict.fromkeys(("LINES", "COLUMNS", "NO_COLOR"), "")
        super().__init__("play", *arguments, rows=rows, cols=cols, **(unset | environment))

    def see(self, text: str) -> str:
        """Wait until a text is on the screen and output pauses; return the screen."""
        shown, quiet = "", False
        for _ in range(300):
            try:
                part = self.process.read_nonblocking(4096, timeout=0.1)
            except pexpect.TIMEOUT:
                quiet = True
            else:
                quiet = False
                self.raw += part
                self.stream.feed(part)
            shown = "\n".join(line.rstrip() for line in self.screen.display).rstrip()
            if quiet and text in shown:
                return shown
        raise AssertionError(f"{text!r} is not on the screen:\n{shown}")

    def type(self, keys: str, text: str) -> str:
        """Press keys, and wait for the text that they bring up."""
        self.process.send(keys)
        return self.see(text)

    def click(self, button: int, line: int, column: int) -> None:
        """Press and release a button at a place on the screen, from 0."""
        place = f"{column + 1};{line + 1}"
        self.process.send(f"\x1b[<{button};{place}M\x1b[<{button};{place}m")

    def place(self, row: int, col: int) -> tuple[int, int]:
        """The screen position of a cell, if cells are 3 columns wide."""
        line = next(n for n, text in enumerate(self.screen.display) if re.match(rf" ?{row} ", text))
        return line, self.screen.display[line].index(str(row)) + 3 + 3 * col

    def resize(self, rows: int, cols: int) -> None:
        """Change the size of the window."""
        self.screen.resize(rows, cols)
        self.process.setwinsize(rows, cols)

    def leave(self, key: str = "q") -> str:
        """Press the key that ends the game, and read the remaining output."""
        self.process.send(key)
        return self.read()


@pytest.fixture
def board(tmp_path: Path) -> str:
    """A board with four mines, in a file."""
    (tmp_path / "board.txt").write_text(BOARD)
    return str(tmp_path / "board.txt")


def go(row: int, col: int) -> str:
    """The keys that move the cursor to a cell."""
    return "\x1b[A" * 3 + "\x1b[H" + "\x1b[B" * row + "\x1b[C" * col


def solution() -> list[tuple[int, int]]:
    """Cells to open that clear the board; none is opened by an earlier flood."""
    truth = mp.Board.from_text(BOARD)
    game, cells = Game(truth, mp.Rules(opening="any")), []
    for cell in truth.grid.cells(range(truth.grid.size)):
        if not truth.is_mine(cell) and game.view.state(cell) == HIDDEN:
            game.open(cell)
            cells.append(cell)
    return cells


def cooked(terminal: Player) -> bool:
    """Whether the terminal is back in cooked mode, with echo."""
    flags = termios.tcgetattr(terminal.process.child_fd)[3]
    return bool(flags & termios.ECHO and flags & termios.ICANON)


def is_restored(terminal: Player) -> None:
    raw = terminal.raw
    for on, off in ((b"\x1b[?1049h", b"\x1b[?1049l"), (b"\x1b[?25l", b"\x1b[?25h")):
        assert raw.rindex(off) > raw.rindex(on)
    assert raw.rindex(b"\x1b[?1000l") > raw.rindex(b"\x1b[?1000h")
    assert raw.rindex(b"\x1b[?1006l") > raw.rindex(b"\x1b[?1006h")


@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("size", SIZES)
def test_a_game_is_played_by_keys_at_every_width(
    board: str, size: tuple[int, int], colour: bool
) -> None:
    environment = {} if colour else {"NO_COLOR": "1"}
    terminal = Player("--board", board, rows=size[0], cols=size[1], **environment)
    text = terminal.see("q quit")
    assert "4x6 · 4 of 4 mines left · 0:00" in text
    assert "first cell may be a mine · exact clues" in text
    assert "[·]" in text
    for keys, expected in [
        ("\x1b[A\x1b[A\x1b[A\x1b[D\x1b[D ", "0  · [1]"),
        ("\x1bODf", "3 of 4 mines left"),
        ("\x1b[Cc", "0  ⚑ [1]"),
        ("o", "Numbers are mine probabilities in %"),
        ("o\x1b[B", "1  1 [1]"),
        ("h", "safe cell"),
        ("h", f"{SAFE} is safe."),
        ("h", f"{SAFE} is safe: "),
        ("w", f"{SAFE} is safe: "),
        ("?", "any key: back to the board"),
        ("x", f"{SAFE} is safe: "),
    ]:
        assert expected in terminal.type(keys, expected), keys
    assert (b"\x1b[38;" in terminal.raw) == colour
    end = terminal.leave()
    assert end.splitlines()[-1] == "stopped"
    assert terminal.process.wait() == 0
    is_restored(terminal)


def test_a_game_is_won_saved_and_reviewed(board: str, tmp_path: Path) -> None:
    game = str(tmp_path / "game.json")
    terminal = Player("--board", board, "--save", game, rows=30, cols=200)
    terminal.see("q quit")
    for cell in solution():
        terminal.type(f"{go(*cell)} ", "[")  # this takes long enough for the time to show
    text = terminal.see("Won!")
    assert re.search(r"Won! Time \d+\.\d s\.", text)
    assert re.search(r"3BV \d+, 3BV/s [\d.]+, \d+ clicks, efficiency \d+ %", text)
    assert "Saved. To review it: mineproof review" in " ".join(text.split())
    assert "n new game" in text
    end = terminal.leave()
    assert end.splitlines()[-1] == "won"
    done = subprocess.run(
        [*MINEPROOF, "review", game, "--no-win"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("you on 4x6/4, opening any, exact clues: won")
    assert "3BV/s" in done.stdout
    assert mp.Record.from_json(Path(game).read_text()).time


def test_a_mine_loses_and_then_the_mines_are_shown(board: str) -> None:
    terminal = Player("--board", board)
    text = terminal.see("q quit")
    assert "●" not in text
    text = terminal.type(f"{go(0, 0)} ", "Lost: (0,0) was a mine")
    assert text.count("●") == 3
    assert "[✹]" in text
    text = terminal.type("r", "4 of 4 mines left · 0:00")
    assert "●" not in text
    terminal.type("n", "first cell safe")
    assert terminal.leave().splitlines()[-1] == "lost"


def test_the_mouse_opens_flags_and_chords(board: str) -> None:
    terminal = Player("--board", board)
    terminal.see("q quit")
    terminal.click(0, *terminal.place(0, 1))
    terminal.see("0  · [1]")
    terminal.click(2, *terminal.place(0, 0))
    assert "[⚑]" in terminal.see("3 of 4 mines left")
    terminal.click(0, *terminal.place(0, 1))
    terminal.see("0  ⚑ [1]")
    terminal.see("1  1  1        1  1")
    terminal.click(0, 0, 0)  # outside the board: no effect
    terminal.leave()
    assert terminal.process.wait() == 0


def test_undo_needs_practice_and_the_record_says_practice(board: str, tmp_path: Path) -> None:
    terminal = Player("--board", board)
    terminal.see("q quit")
    assert "start with --practice" in terminal.type(" u", "Only practice games have undo")
    terminal.leave()
    game = tmp_path / "game.jsonl"
    terminal = Player("--board", board, "--practice", "--save", str(game))
    assert "practice" in terminal.see("u undo")
    terminal.type(f"{go(0, 0)} ", "Lost: (0,0)")
    assert "4 of 4 mines left" in terminal.type("u", "1 undone")
    end = terminal.leave()
    assert "no game was played" in end
    assert not game.exists()
    terminal = Player("--board", board, "--practice", "--save", str(game))
    terminal.see("u undo")
    terminal.type(f"{go(0, 0)} u\x1b[C ", "0  · [1]")
    assert "Practice: 1 move undone." in terminal.leave()
    (line,) = game.read_text().splitlines()
    assert json.loads(line)["undone"] == 1


def test_for_a_score_play_goes_on_after_a_mine_and_a_key_finishes(board: str) -> None:
    terminal = Player("--board", board, "--on-mine", "continue")
    assert "play on after a mine" in terminal.see("s finish")
    terminal.type(f"{go(0, 0)} ", "That was a mine")
    assert "1 hit" in terminal.type("s", "Finish here?")
    terminal.type("s", "Score 0.000.")
    assert terminal.leave().splitlines()[-1] == "score 0.000"


def test_games_with_uncertain_clues_and_levels_can_be_played() -> None:
    terminal = Player("--clues", "optimistic", "--seed", "1")
    assert "9x9 · 6 of 6 mines left" in terminal.see("optimistic clues")
    terminal.type(" hh", "mine probability")
    terminal.leave()
    terminal = Player("--level", "expert", "--seed", "1", cols=120)
    assert "Expert 16x30 · 99 of 99" in terminal.see("q quit")
    assert "Beginner 9x9" in terminal.type("1", "Beginner 9x9")
    terminal.leave()


@pytest.mark.skipif(mp.engine == "python", reason="the search is compiled")
def test_a_no_guess_board_can_be_played() -> None:
    terminal = Player("--no-guess", "--seed", "1")
    assert "no-guess board" in terminal.see("q quit")
    for _ in range(3):
        terminal.type(" hh", " is safe.")
        terminal.type(" \x1b", "q quit")
    terminal.leave()
    assert terminal.process.wait() == 0


def test_vi_keys_move_left_by_h(board: str) -> None:
    terminal = Player("--board", board, "--vi")
    assert "H hint" in terminal.see("q quit")
    terminal.type("hhkk ", "0  · [1]")
    terminal.type("H", "have to guess")
    terminal.leave()


@pytest.mark.parametrize("cols", [60, 80, 120, 200])
def test_a_resized_window_is_redrawn(cols: int) -> None:
    terminal = Player("--level", "expert", "--seed", "1", rows=30, cols=100)
    terminal.see("q quit")
    terminal.resize(20, cols)
    terminal.type(" ", "0:00")
    terminal.process.send("o")
    text = terminal.see("Numbers are mine")
    lines = text.split("\n")
    assert len(lines) == 20
    assert lines[-1].endswith("q quit")
    assert max(map(len, lines)) > 50
    terminal.resize(6, 30)
    terminal.see("[")
    assert "q quit" not in terminal.type("\x1b[B", "Expert 16x30")
    terminal.leave()
    assert terminal.process.wait() == 0


@pytest.mark.parametrize("size", [(24, 80), (10, 40), (5, 20)])
def test_the_cursor_stays_visible_on_a_small_terminal(size: tuple[int, int]) -> None:
    terminal = Player("--level", "expert", "--seed", "1", rows=size[0], cols=size[1])
    terminal.see("[·]")
    for keys in ("\x1b[B" * 20, "\x1b[F", "\x1b[A" * 20, "\x1b[H"):
        terminal.process.send(keys)
    corner = terminal.type("", " 0 [·]")
    assert len(corner.split("\n")) <= size[0]
    terminal.type("\x1b[B" * 20, "15 [·]")
    terminal.leave()
    assert terminal.process.wait() == 0


def test_ctrl_c_restores_the_terminal(board: str) -> None:
    terminal = Player("--board", board)
    terminal.see("q quit")
    assert not cooked(terminal)
    terminal.type(f"{go(0, 1)} ", "0  · [1]")
    end = terminal.leave("\x03")
    assert terminal.process.wait() == 130
    assert end.splitlines()[-1] == "stopped"
    assert "Traceback" not in end
    is_restored(terminal)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_termination_signal_restores_the_terminal_and_saves_the_game(
    board: str, tmp_path: Path, number: signal.Signals
) -> None:
    game = tmp_path / "game.json"
    terminal = Player("--board", board, "--save", str(game))
    terminal.see("q quit")
    terminal.type(f"{go(0, 1)} ", "0  · [1]")
    os.kill(terminal.process.pid, number)
    terminal.read()
    assert terminal.process.wait() == 128 + number
    is_restored(terminal)
    assert mp.Record.from_json(game.read_text()).outcome == "stopped"


def test_ctrl_z_suspends_the_game_and_restores_the_terminal(board: str) -> None:
    words = " ".join([*MINEPROOF, "play", "--board", board])
    environment = os.environ | {"TERM": "xterm-256color", "LANG": "C.UTF-8"}
    shell = pexpect.spawn("bash", ["--norc", "-i"], env=environment, timeout=20)
    shell.sendline("PS1='READY> '")
    shell.expect("READY> ")
    shell.sendline(words)
    shell.expect("q quit")
    shell.send("\x1a")
    shell.expect("Stopped")
    assert b"\x1b[?1000l" in shell.before
    assert b"\x1b[?1049l" in shell.before
    shell.expect("READY> ")
    shell.sendline("echo back at the $((1+1))nd shell")
    shell.expect("back at the 2nd shell")
    shell.sendline("fg")
    shell.expect("q quit")
    shell.send("q")
    shell.expect("no game was played")
    shell.sendline("exit")
    shell.expect(pexpect.EOF)


def test_ctrl_d_ends_the_game(board: str) -> None:
    terminal = Player("--board", board)
    terminal.see("q quit")
    terminal.process.send("\x04")
    assert "no game was played" in terminal.read()
    assert terminal.process.wait() == 0


# Without a terminal


def test_without_a_terminal_the_error_says_what_to_do() -> None:
    done = subprocess.run(
        [*MINEPROOF, "play"], input="", capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "mineproof watch --agent exact" in done.stderr
    assert "mineproof serve" in done.stderr


def test_a_dumb_terminal_is_refused() -> None:
    terminal = Player(TERM="dumb")
    text = terminal.read()
    assert "TERM=dumb cannot move the cursor" in " ".join(text.split())
    assert terminal.process.wait() == 2


def test_a_limited_terminal_gets_an_ascii_board(board: str) -> None:
    terminal = Player(
        "--board", board, LANG="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii", LC_ALL="C"
    )
    assert "4x6 | 4 of 4 mines left" in terminal.see("q quit")
    terminal.leave()
    assert terminal.raw.isascii()


def test_an_unusable_file_for_the_game_is_refused_at_the_start(board: str, tmp_path: Path) -> None:
    for options, message in [
        (["--save", str(tmp_path / "x.rawvf"), "--on-mine", "continue"], "save as .json"),
        (["--save", str(tmp_path / "none" / "x.json")], "does not exist"),
    ]:
        done = subprocess.run(
            [sys.executable, "-m", "mineproof", "play", "--board", board, *options],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2
        assert message in done.stderr
