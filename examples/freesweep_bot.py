"""Play Debian's `freesweep`: read its screen, choose a move, press its keys.

    python examples/freesweep_bot.py --level intermediate --games 5

It needs `freesweep` (`apt-get install freesweep`) and, from PyPI, `pexpect` and `pyte`. Certain
cells are opened first, nearest to the cursor; when there are none, the agent chooses a guess.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

try:
    import pexpect
    import pyte
except ModuleNotFoundError as missing:
    sys.exit(f"this example needs {missing.name}, not installed here: pip install pexpect pyte")

import mineproof as mp
from mineproof.games.analysis import opinion
from mineproof.world.view import COVERED, FLAGGED

PROGRAM = shutil.which("freesweep", path=f"{os.environ.get('PATH', '')}:/usr/games")
SIGNS = {"-": "?", " ": "0", "#": "F", "*": "*", "o": "?"}
"""Freesweep's symbols for cells, and ours; `o` is a mine that was not hit."""
WON, LOST = "You Win!", "BOOM!"
RULES = mp.Rules(opening="clear")
"""The cursor starts in the middle, where the cell and its neighbours are safe."""


class Freesweep:
    """The game in its own virtual terminal, large enough for the whole board."""

    def __init__(self, rows: int, cols: int, mines: int) -> None:
        if PROGRAM is None:
            raise FileNotFoundError(
                "freesweep is not installed; on Debian: apt-get install freesweep"
            )
        self.rows, self.cols = rows, cols
        height, width = max(rows, 14) + 6, 3 * cols + 60
        self._screen = pyte.Screen(width, height)
        self._stream = pyte.Stream(self._screen)
        self._home = tempfile.TemporaryDirectory()  # its settings and best times, not yours
        settings = f"height={rows}\nwidth={cols}\nmines={mines}\nfast=1\n"
        (Path(self._home.name) / ".sweeprc").write_text(settings)
        self._game = pexpect.spawn(
            PROGRAM,
            ["--fast"],
            env={"HOME": self._home.name, "TERM": "vt100", "PATH": "/usr/bin"},
            dimensions=(height, width),
            encoding="utf-8",
            timeout=10,
        )
        self._game.delaybeforesend = None
        self._wait(lambda: self._text_after("Mines: ") and self._text_after("Loc: "))
        self.mines = int(self._text_after("Mines: "))

    def __enter__(self) -> Freesweep:
        return self

    def __exit__(self, *_: object) -> None:
        self._game.close(force=True)
        self._home.cleanup()

    @property
    def view(self) -> mp.View:
        """The board as the screen shows it."""
        lines = self._screen.display[1 : 1 + self.rows]
        shown = ("".join(line[2 : 2 + 3 * self.cols : 3]) for line in lines)
        rows = ("".join(SIGNS.get(sign, sign) for sign in line) for line in shown)
        return mp.View.from_text(f"{self.rows}x{self.cols}/{self.mines} {'/'.join(rows)}")

    @property
    def cursor(self) -> mp.Cell:
        """The cell under the cursor; the screen shows its column and row."""
        col, row = map(int, self._text_after("Loc: ").split(","))
        return row, col

    @property
    def outcome(self) -> str | None:
        """`won` or `lost`; None while the game goes on."""
        text = "\n".join(self._screen.display)
        return "won" if WON in text else "lost" if LOST in text else None

    def open(self, cell: mp.Cell) -> None:
        """Move to a cell and open it."""
        self._press(" ", cell)

    def flag(self, cell: mp.Cell) -> None:
        """Move to a cell and flag it; the game is won when all mines are flagged."""
        self._press("f", cell)

    def _press(self, key: str, cell: mp.Cell) -> None:
        """Press a key at a cell, one at a time, because the game discards keys typed ahead."""
        while (here := self.cursor) != cell:
            down, right = cell[0] - here[0], cell[1] - here[1]
            self._game.send("j" if down > 0 else "k" if down else "l" if right > 0 else "h")
            self._wait(lambda at=here: self.cursor != at)  # type: ignore[misc]
        before = self.view
        self._game.send(key)
        self._wait(lambda: self.outcome is not None or self.view != before)

    def new_game(self) -> None:
        """Start the next game, on another board."""
        self._game.send("n")
        self._wait(lambda: self.outcome is None and set(self.view.states) == {9})

    def _text_after(self, label: str) -> str:
        """Return the text after a label in its panel, or an empty string."""
        for line in self._screen.display:
            if label in line:
                return line.split(label)[1].split("|")[0].strip()
        return ""

    def _wait(self, done: Callable[[], bool], seconds: float = 10.0) -> None:
        """Read its output until `done` returns True."""
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                raise TimeoutError("freesweep did not respond:\n" + "\n".join(self._screen.display))
            try:
                self._stream.feed(self._game.read_nonblocking(65536, timeout=0.2))
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                raise TimeoutError("freesweep has ended") from None
        try:  # the rest of its output
            while True:
                self._stream.feed(self._game.read_nonblocking(65536, timeout=0.005))
        except pexpect.TIMEOUT:
            pass


def play(game: Freesweep, agent: str) -> str:
    """Play one game, and return `won` or `lost`."""
    game.open(game.cursor)
    while game.outcome is None:
        view = game.view
        odds = mp.posterior(view)
        if odds.safe:
            game.open(nearest(odds.safe, game.cursor))
        elif len(odds.mined) == len(view.cells(*COVERED)):
            game.flag(
                nearest([one for one in odds.mined if view.state(one) != FLAGGED], game.cursor)
            )
        else:
            game.open(opinion(mp.agents.get(agent), view, rules=RULES).move.cell)
    return game.outcome


def nearest(cells: list[mp.Cell], at: mp.Cell) -> mp.Cell:
    """Return the cell closest to the cursor."""
    return min(cells, key=lambda cell: abs(cell[0] - at[0]) + abs(cell[1] - at[1]))


def main(arguments: list[str] | None = None) -> int:
    """Play some games and print the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--level", choices=mp.LEVELS, default="beginner", help="Level.")
    parser.add_argument("--agent", default="champion:budget=fast", help="Agent that guesses.")
    parser.add_argument("--games", type=int, default=3, help="Number of games.")
    asked = parser.parse_args(arguments)
    rows, cols, mines = mp.LEVELS[asked.level]
    won = 0
    with Freesweep(rows, cols, mines) as game:
        for number in range(asked.games):
            if number:
                game.new_game()
            outcome = play(game, asked.agent)
            won += outcome == "won"
            print(f"game {number + 1}: {outcome}", flush=True)
    print(f"{won} of {asked.games} won")
    return 0


if __name__ == "__main__":
    sys.exit(main())
