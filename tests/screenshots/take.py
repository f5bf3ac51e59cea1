"""Take real screenshots of programs under Xvfb: `python -m tests.screenshots.take FOLDER`.

It needs the Debian packages sgt-puzzles, gnome-mines, kmines, xvfb, xdotool, imagemagick and dbus.
Simon Tatham's program loads a game with its moves, so its position is known and written next to the
picture. gnome-mines and kmines deal their boards themselves: the script clicks a few cells, and
`python -m tests.screenshots.label` writes the positions.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

import mineproof as mp
from mineproof.screenshots.picture_files import decode
from mineproof.screenshots.tiling import Lattice, even
from mineproof.world.geometry import Cell, Grid
from mineproof.world.view import HIDDEN
from tests.screenshots.boxes import note_box

DISPLAY = ":78"
SCREEN = "1100x800"


@contextmanager
def screen() -> Iterator[None]:
    """A virtual screen."""
    server = subprocess.Popen(
        ["Xvfb", DISPLAY, "-screen", "0", f"{SCREEN}x24"], stderr=subprocess.DEVNULL
    )
    os.environ["DISPLAY"] = DISPLAY
    time.sleep(1)
    try:
        yield
    finally:
        server.terminate()
        server.wait()


@contextmanager
def program(*command: str, name: str, size: tuple[int, int], **more: str) -> Iterator[None]:
    """A program, once its window is open, in the upper left corner of the screen."""
    process = subprocess.Popen(
        command,
        env={**os.environ, **more},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        time.sleep(4)
        for window in xdotool("search", "--name", name).split():
            xdotool("windowsize", window, *map(str, size))
        time.sleep(1.5)
        yield
    finally:
        os.killpg(process.pid, signal.SIGTERM)  # including the D-Bus daemon that was started for it
        process.wait()
        time.sleep(0.5)


def xdotool(*words: str) -> str:
    done = subprocess.run(["xdotool", *words], capture_output=True, text=True, check=False)
    return done.stdout


def click(x: float, y: float, button: int = 1) -> None:
    xdotool("mousemove", str(round(x)), str(round(y)))
    xdotool("click", str(button))
    time.sleep(0.2)


def shoot(path: Path) -> None:
    """The whole screen."""
    time.sleep(0.6)
    subprocess.run(["import", "-window", "root", str(path)], check=True)
    print(path, flush=True)


# Simon Tatham's Mines


SIDES = (16, 18, 20, 21, 23, 26, 28, 30, 33, 34, 37, 40, 43, 47)
"""Cell sizes in pixels in the windows that are used for training."""


class Game(NamedTuple):
    """A game for Simon Tatham's program: its window, its board, and the share that stays hidden."""

    name: str
    board: mp.Board
    start: Cell
    share: float
    size: tuple[int, int]


def saved(board: mp.Board, start: Cell, moves: list[str]) -> str:
    """An unfinished game in the format in which his programs save it."""
    params = f"{board.cols}x{board.rows}n{board.mine_count}"
    number = str(len(moves) + 1)
    fields = [
        ("SAVEFILE", "Simon Tatham's Portable Puzzle Collection"),
        ("VERSION", "1"),
        ("GAME", "Mines"),
        ("PARAMS", params),
        ("CPARAMS", params),
        ("DESC", mp.game_ids.write(board, start).partition(":")[2]),
        ("UI", "D0"),
        ("TIME", "0"),
        ("NSTATES", number),
        ("STATEPOS", number),
        *(("MOVE", move) for move in moves),
    ]
    return "".join(f"{name:8}:{len(value)}:{value}\n" for name, value in fields)


def played(given: Game) -> tuple[mp.View, list[str]]:
    """The view after some moves, and the moves as his programs write them."""
    random, board = Random(1), given.board
    game = mp.Game(board, mp.Rules(on_mine="end", opening="any"))
    game.open(given.start)
    moves = []
    cells = [board.grid.cell(index) for index in range(board.grid.size)]
    for cell in random.sample(cells, len(cells)):
        hidden = game.view.states.count(HIDDEN)
        if game.over or hidden < given.share * len(cells):
            break
        if game.view.state(cell) != HIDDEN:
            continue
        row, col = cell
        if not board.is_mine(cell):
            game.open(cell)
            moves.append(f"O{col},{row}")
        elif random.random() < 0.4:
            game.flag(cell)
            moves.append(f"F{col},{row}")
    return game.view, moves


def sgt_games() -> Iterator[Game]:
    """Boards that together contain every clue, in windows of several sizes."""
    for seed in range(10**6):
        board = mp.Board.random(10, 12, 62, seed=seed, start=(5, 6), opening="safe")
        if set(range(1, 9)) <= set(played(Game("", board, (5, 6), 0.58, (0, 0)))[0].states):
            for side in SIDES:
                size = (15 * side + 10, 13 * side + 72)
                yield Game(f"sgt-every-{side}", board, (5, 6), 0.58, size)
            break
    for number, (level, share, size) in enumerate(
        [
            ("beginner", 0.6, (240, 302)),
            ("beginner", 0.5, (500, 560)),
            ("intermediate", 0.5, (400, 462)),
            ("intermediate", 0.35, (640, 700)),
            ("expert", 0.5, (660, 442)),
            ("expert", 0.4, (1020, 620)),
        ]
    ):
        rows, cols, mines = mp.LEVELS[level]
        start = (rows // 2, cols // 2)
        board = mp.Board.random(rows, cols, mines, seed=number, start=start, opening="clear")
        yield Game(f"sgt-{level}-{size[0]}", board, start, share, size)


def sgt(folder: Path) -> None:
    with TemporaryDirectory() as scratch:
        for game in sgt_games():
            view, moves = played(game)
            file = Path(scratch) / "game.sav"
            file.write_text(saved(game.board, game.start, moves))
            with program("/usr/games/sgt-mines", str(file), name="Mines", size=game.size):
                xdotool("mousemove", "1090", "790")
                shoot(folder / f"{game.name}.png")
            seen = mp.View(view.grid, view.states).to_text(lines=True)
            (folder / f"{game.name}.txt").write_text(f"{seen}\n")
            note_box(folder, game.name, sgt_place(game))


def sgt_place(game: Game) -> Lattice:
    """Where the board is in a window: between the menu above and the status line below."""
    (width, height), grid = game.size, game.board.grid
    inner = height - 25 - 37
    side = min(width // (grid.cols + 3), inner // (grid.rows + 3))
    corner = (width - side * grid.cols) // 2, 25 + (inner - side * grid.rows) // 2
    return even(*corner, side, grid)


# GNOME's and KDE's


class Deal(NamedTuple):
    """What a program deals: theme, shape, density in %, window; number of games, clicks in each."""

    name: str
    theme: str
    shape: tuple[int, int]
    mines: int
    size: tuple[int, int]
    games: int
    opens: int
    flags: int
    questions: int = 0
    again: int = 0
    """How far down gnome-mines has the button that begins a new game."""


class Box(NamedTuple):
    """Where a board is on the screen."""

    x: float
    y: float
    side: float


def play(deal: Deal, box: Box, random: Random) -> None:
    """Open a cell in the middle and some random ones, then flag some."""
    rows, cols = deal.shape
    anywhere = iter(lambda: (random.randrange(rows), random.randrange(cols)), None)
    opened = [(rows // 2, cols // 2), *islice(anywhere, deal.opens)]
    flagged = list(islice(anywhere, deal.flags))
    questioned = list(islice(anywhere, deal.questions))  # two clicks: a question mark
    for button, cells in ((1, opened), (3, flagged), (3, questioned), (3, questioned)):
        for cell in cells:
            click_cell(box, cell, button)


def click_cell(box: Box, cell: Cell, button: int = 1) -> None:
    row, col = cell
    click(box.x + (col + 0.5) * box.side, box.y + (row + 0.5) * box.side, button)


def gnome(folder: Path, deal: Deal) -> None:
    """Games of gnome-mines, whose board fills the left part of its window."""
    (rows, cols), (width, height) = deal.shape, deal.size
    settings = f"""[org/gnome/Mines]
theme='{deal.theme}'
mode=3
xsize={cols}
ysize={rows}
nmines={rows * cols * deal.mines // 100}
use-animations=false
window-width={width}
window-height={height}
"""
    random = Random(deal.name)
    with TemporaryDirectory() as config:
        place = Path(config) / "glib-2.0" / "settings"
        place.mkdir(parents=True)
        (place / "keyfile").write_text(settings)
        more = {"XDG_CONFIG_HOME": config, "GSETTINGS_BACKEND": "keyfile"}
        command = ("dbus-run-session", "/usr/games/gnome-mines")
        with program(*command, name="Mines", size=deal.size, **more):
            click(width * 0.68, height * 0.75)  # a custom board
            time.sleep(0.5)
            click(width / 2, (height + 52) / 2 + 43)  # play
            time.sleep(1)
            inner = width - 44 - 190, height - 52 - 40
            side = min(inner[0] / cols, inner[1] / rows)
            box = Box(34 + (inner[0] - side * cols) / 2, 70 + (inner[1] - side * rows) / 2, side)
            for number in range(deal.games):
                play(deal, box, random)
                xdotool("mousemove", str(width - 110), "230")
                path = folder / f"{deal.name}-{number}.png"
                shoot(path)
                note_box(folder, path.stem, gnome_place(path, deal))
                click(width - 110, deal.again)  # start over, or play again
                time.sleep(0.3)


def gnome_place(path: Path, deal: Deal) -> Lattice:
    """Where cells are in gnome-mines: gaps are four pixels wide, some one pixel more."""
    width, height = deal.size
    colours = decode(path.read_bytes())[56 : height - 8, 8 : width - 195].astype(int)
    drawn = np.abs(colours - (0xF6, 0xF5, 0xF4)).max(axis=2) > 20
    starts = []
    for axis, count, first in ((0, deal.shape[1], 8), (1, deal.shape[0], 56)):
        there = np.concatenate([[False], drawn.mean(axis=axis) > 0.2])
        begins = np.flatnonzero(~there[:-1] & there[1:]) + first - 2.0
        starts.append(begins[:count])
    return Lattice(*starts, float(np.median(np.diff(starts[0]))))


@contextmanager
def kmines(deal: Deal) -> Iterator[Box]:
    """Games of KMines, whose board is in the middle of its window, one cell from the edge."""
    (rows, cols), (width, height) = deal.shape, deal.size
    settings = f"""[Options]
custom height={rows}
custom mines={rows * cols * deal.mines // 100}
custom width={cols}

[KgDifficulty]
Level=Custom

[KgTheme]
Theme=themes/{deal.theme}.desktop

[MainWindow]
{SCREEN} screen: Height={height}
{SCREEN} screen: Width={width}
"""
    with TemporaryDirectory() as config:
        (Path(config) / "kminesrc").write_text(settings)
        command = ("dbus-run-session", "/usr/games/kmines")
        with program(*command, name="KMines", size=deal.size, XDG_CONFIG_HOME=config):
            inner = width, height - 54 - 30
            side = min(inner[0] // (cols + 2), inner[1] // (rows + 2))
            x, y = (width - side * cols + 1) // 2, (inner[1] - side * rows + 1) // 2
            yield Box(x, 54 + y, side)


def kmines_game(folder: Path, deal: Deal) -> None:
    """One game of KMines."""
    for number in range(deal.games):
        with kmines(deal) as box:
            play(deal, box, Random(f"{deal.name}-{number}"))
            xdotool("mousemove", "150", str(deal.size[1] - 14))
            shoot(folder / f"{deal.name}-{number}.png")
            note_box(folder, f"{deal.name}-{number}", even(*box, Grid(*deal.shape)))


def kmines_dense(folder: Path, deal: Deal) -> None:
    """A dense board, which is lost and then played again with the same mines.

    Cells with the most mines around them are opened: no other pictures have sevens and eights.
    """
    path = folder / f"{deal.name}-0.png"
    with kmines(deal) as box:
        asked: list[str] = []
        for col in range(deal.shape[1]):
            if not asked:
                click_cell(box, (0, col))
                time.sleep(0.7)
                asked = xdotool("search", "--name", "Reset").split()  # the same board again?
        xdotool("windowmove", asked[0], "800", "600")
        time.sleep(5)  # for a while a message above the board says that the game is lost
        shoot(path)
        board = shown_mines(path, box, Grid(*deal.shape))
        click(851, 662)  # yes
        time.sleep(1)
        grid = board.grid
        safe = [index for index in range(grid.size) if not board.mined[index]]
        safe.sort(key=lambda index: -sum(board.mined[one] for one in grid.neighbours(index)))
        for index in safe[:14]:
            click_cell(box, grid.cell(index))
        for index in [index for index, mine in enumerate(board.mined) if mine][: deal.flags]:
            click_cell(box, grid.cell(index), 3)
        xdotool("mousemove", "150", str(deal.size[1] - 14))
        shoot(path)
        note_box(folder, path.stem, even(*box, grid))


def shown_mines(path: Path, box: Box, grid: Grid) -> mp.Board:
    """The mines of a lost game of KMines: a mine is black below its middle."""
    seen = decode(path.read_bytes())
    mined = []
    for row, col in map(grid.cell, range(grid.size)):
        y, x = round(box.y + (row + 0.62) * box.side), round(box.x + (col + 0.5) * box.side)
        mined.append(seen[y - 2 : y + 3, x - 2 : x + 3].mean() < 70)
    return mp.Board(grid, bytes(mined))


GNOME = [
    Deal("gnome-small-610", "bgcolors", (8, 8), 16, (610, 482), 1, 0, 5),
    Deal("gnome-small-760", "bgcolors", (8, 8), 16, (760, 590), 1, 0, 5),
    Deal("gnome-medium-900", "bgcolors", (16, 16), 15, (900, 720), 1, 0, 9),
    Deal("gnome-medium-780", "bgcolors", (16, 16), 15, (780, 600), 1, 0, 9),
    Deal("gnome-big-1000", "bgcolors", (16, 30), 20, (1000, 560), 1, 0, 9),
    Deal("gnome-big-1090", "bgcolors", (16, 30), 20, (1090, 600), 1, 0, 9),
    Deal("gnome-marks-26", "bgcolors", (16, 30), 20, (1000, 560), 1, 0, 5, 5),
    Deal("gnome-marks-42", "bgcolors", (12, 12), 15, (720, 590), 1, 0, 5, 5),
    Deal("gnome-dense", "bgcolors", (10, 14), 70, (800, 600), 50, 1, 1, 0, 370),
]
KMINES = [
    Deal("kmines-easy", "default", (9, 9), 12, (512, 360), 3, 0, 5),
    Deal("kmines-medium", "default", (16, 16), 15, (760, 700), 3, 0, 8),
    Deal("kmines-hard", "default", (16, 30), 20, (1000, 640), 3, 0, 8),
    Deal("kmines-dense", "default", (10, 14), 75, (700, 560), 1, 0, 4),
]
"""Only dense boards have clues of 6 and more; most of those games are lost at once."""


def main() -> None:
    """Take all screenshots."""
    folder = Path(sys.argv[1])
    with screen():
        sgt(folder)
        for deal in GNOME:
            gnome(folder, deal)
        for deal in KMINES[:-1]:
            kmines_game(folder, deal)
        kmines_dense(folder, KMINES[-1])


if __name__ == "__main__":
    main()
