"""The game in words, for language models: rules, positions and moves as text."""

from __future__ import annotations

import re
from typing import Any

import gymnasium
from gymnasium import spaces

from mineproof.errors import InvalidInput, plural, shorten
from mineproof.gym.env_config import EnvConfig
from mineproof.gym.environment import base_of
from mineproof.gym.episodes import NotBegun
from mineproof.render.board_text import plain
from mineproof.world.view import FLAGGED, HIDDEN, KNOWN_SAFE, NO_CLUE, View

_MOVE = re.compile(r"\b(open|flag|unflag)\s*\(?\s*(\d+)\s*[,\s]\s*(\d+)\s*\)?", re.IGNORECASE)
_LONGEST = 200_000
_LETTERS = frozenset(map(chr, (10, *range(32, 127))))
_OPENINGS = {
    "any": "The first cell may be a mine.",
    "safe": "The first cell that you open is not a mine.",
    "clear": "The first cell that you open is not a mine, and neither are its neighbours.",
}
_CLUES = {
    "exact": "An open cell shows how many of its neighbours (up to eight) are mines.",
    "sometimes": "An open cell either shows how many of its neighbours are mines, or is blank.",
    "optimistic": "An open cell shows a number that is at most the number of mines around it.",
    "cautious": "An open cell shows a number that is at least the number of mines around it.",
    "table": "An open cell shows a number that may differ from the number of mines around it.",
}


def rules_in_words(task: EnvConfig) -> str:
    """Return the rules of the game, and how to write a move."""
    mines = task.deal.mine_count if task.deal else None
    count = "an unknown number of mines"
    if mines is not None and task.rules.count_known:
        count = plural(mines, "mine")
    lines = [
        f"Minesweeper: {task.grid.rows} rows and {task.grid.cols} columns of cells, with {count}.",
        _CLUES[task.clues.name],
        _OPENINGS[task.rules.opening],
    ]
    if task.rules.flood:
        lines.append("Opening a 0 also opens all its neighbours.")
    if task.rules.on_mine == "end":
        lines.append("You lose if you open a mine, and win when all other cells are open.")
    else:
        lines.append(
            "Opening a mine does not end the game, but you can no longer flag that mine. Play ends "
            "when every cell is open or flagged. Your score is correct flags minus wrong flags."
        )
    lines.append("Rows and columns count from 0. Write a move as row, column: open 3,4")
    if task.flags:
        lines.append("Flag a mine with: flag 3,4. Remove the flag with: unflag 3,4")
    return "\n".join(lines)


def position_in_words(view: View) -> str:
    """Return the board with one line per row, and the meaning of its symbols."""
    signs = {HIDDEN: "? hidden", KNOWN_SAFE: "s known to be safe", FLAGGED: "F your flag"}
    signs |= {NO_CLUE: "- open, without a number"}
    meanings = [text for state, text in signs.items() if state in view.states]
    head = [", ".join(meanings)] if meanings else []
    if view.mines is not None:
        head.append(plural(view.mines, "mine"))
    return "; ".join(head) + "\n" + plain(view)


def move_in_words(task: EnvConfig, action: int) -> str:
    """Return a move as text: `open 3,4`."""
    row, col = task.grid.cell(action % task.grid.size)
    return f"{'open' if action < task.grid.size else 'flag'} {row},{col}"


def read_move(task: EnvConfig, text: str) -> int:
    """Return the last move in a text, which may contain anything else."""
    found = _MOVE.findall(text[-_LONGEST:])
    if not found:
        raise InvalidInput(f"expected a move such as 'open 3,4', got {shorten(text)!r}")
    action, row, col = found[-1]
    index = task.grid.index((int(row), int(col)))
    if action.lower() == "open":
        return index
    if not task.flags:
        raise InvalidInput(f"there are no flags here: open a cell instead of {action} {row},{col}")
    return task.grid.size + index


class TextWrapper(gymnasium.Wrapper[str, Any, Any, Any]):
    """An environment with text observations and text actions.

    The first observation of a game includes the rules. A text without a valid move changes
    nothing; the next observation gives the reason.
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        base = base_of(env)
        super().__init__(env)
        self._base = base
        self._info: dict[str, Any] | None = None
        self.observation_space = spaces.Text(_LONGEST, charset=_LETTERS)
        self.action_space = spaces.Text(_LONGEST, charset=_LETTERS)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Start the next game; return the rules and the first position."""
        _, info = self.env.reset(seed=seed, options=options)
        self._info = info
        return f"{rules_in_words(self._base.task)}\n\n{self._now()}", info

    def step(self, action: str) -> tuple[str, Any, bool, bool, dict[str, Any]]:
        """Make the last move in a text."""
        if self._info is None:
            raise NotBegun
        try:
            move = read_move(self._base.task, str(action))
        except InvalidInput as error:
            text = f"That is not a valid move: {error}.\n\n{self._now()}"
            return text, 0.0, False, False, dict(self._info)
        words = move_in_words(self._base.task, move)
        possible = self._base.action_masks()[move]
        said = "" if possible else f"Nothing changed: {words} is not possible.\n\n"
        _, reward, over, cut, info = self.env.step(move)
        self._info = info
        if over:
            said = "You won.\n\n" if info["won"] else "The game is over; you did not win.\n\n"
        return said + self._now(), reward, over, cut, info

    def _now(self) -> str:
        return position_in_words(self._base.view)
