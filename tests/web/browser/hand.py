"""Use a page as a person does, and read it by its accessible names."""

from __future__ import annotations

import re
from typing import Any

import mineproof as mp
from mineproof.world.geometry import Cell

_SYMBOLS = {
    "hidden": "?",
    "known safe": "s",
    "no clue": "-",
    "exploded mine": "*",
    "flag": "F",
    "mine": "?",
    "wrong flag": "F",
} | {str(clue): str(clue) for clue in range(9)}
READ = """
all => [...document.querySelectorAll('[role=grid]')[all].querySelectorAll('[role=gridcell]')]
  .map(cell => [cell.dataset.cell, cell.getAttribute('aria-label')])
"""


class Hand:
    """A page in a browser."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def cell(self, row: int, col: int, board: int = 0) -> Any:
        grid = self.page.get_by_role("grid").nth(board)
        return grid.locator(f'[data-cell="{row},{col}"]')

    def words(self, cell: Cell, board: int = 0) -> str:
        """What the accessible name of a cell says."""
        label = self.cell(*cell, board).get_attribute("aria-label")
        return label.split(": ", 1)[1]

    def seen(self, mines: int | None = None, board: int = 0) -> mp.View:
        """The board as a screen reader reads it."""
        self.wait_until_idle()
        rows: dict[int, dict[int, str]] = {}
        for where, label in self.page.evaluate(READ, board):
            row, col = map(int, where.split(","))
            rows.setdefault(row, {})[col] = _SYMBOLS[re.split(r": |, risk", label)[1]]
        lines = [rows[row] for row in sorted(rows)]
        text = "/".join("".join(line[col] for col in sorted(line)) for line in lines)
        head = f"{len(rows)}x{len(rows[0])}" + ("" if mines is None else f"/{mines}")
        return mp.View.from_text(f"{head} {text}")

    def wait_until_idle(self) -> None:
        """Wait until all requests are answered and drawn."""
        self.page.wait_for_function("() => window.mineproof?.idle() ?? false")
        self.page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")

    def click(self, cell: Cell, **options: Any) -> None:
        self.cell(*cell).click(**options)
        self.wait_until_idle()

    def key(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
        self.wait_until_idle()

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name).first.click()
        self.wait_until_idle()

    def begin(self, seed: int, level: str = "Beginner") -> None:
        """Start the game with a seed."""
        self.page.get_by_role("grid").wait_for()
        self.wait_until_idle()
        self.page.get_by_text("More options").click()
        self.page.get_by_label("Seed").fill(str(seed))
        self.page.get_by_label("Seed").press("Tab")
        self.level(level)
        self.begin_again()

    def level(self, name: str) -> None:
        self.page.get_by_role("radio", name=name, exact=True).check()

    def choose(self, label: str, option: str) -> None:
        """Choose an option of a list."""
        self.page.get_by_role("combobox", name=label, exact=True).select_option(option)

    def begin_again(self) -> None:
        """Start a game with the chosen options."""
        self.wait_until_idle()
        self.press("Start")

    def solve(self, mines: int, start: Cell) -> None:
        """Play certain moves only, until the game is won."""
        self.click(start)
        while not self.page.locator(".state").inner_text():
            safe = mp.posterior(self.seen(mines)).safe
            assert safe, "this game needs a guess"
            for cell in safe:
                if self.words(cell).startswith("hidden"):
                    self.click(cell)
