"""The game in words, for language models: rules, positions and moves as text."""

from __future__ import annotations

import re
from typing import Any

import gymnasium
from gymnasium import spaces

from mineproof.errors import InvalidInput, counted, shorten
from mineproof.gym.environment import base_of
from mineproof.gym.play import NotBegun
from mineproof.gym.task import Task
from mineproof.render.terminal import plain
from mineproof.world.view import FLAGGED, HIDDEN, NO_CLUE, TOLD_SAFE, View

_MOVE = re.compile(r"\b(open|flag|unflag)\s*\(?\s*(\d+)\s*[,\s]\s*(\d+)\s*\)?", re.IGNORECASE)
_LONGEST = 200_000
_LETTERS = frozenset(map(chr, (10, *range(32, 127))))
_OPENINGS = {
    "any": "The first cell may be a mine, too.",
    "safe": "The first cell that you open is no mine.",
    "clear": "The first cell that you open is no mine, and none is beside it.",
}
_CLUES = {
    "exact": "An open cell shows how many of its up to eight neighbours are mines.",
    "sometimes": "An open cell shows how many of its up to eight neighbours are mines, or nothing.",
    "optimistic": "An open cell shows a number that is at most that of the mines around it.",
    "cautious": "An open cell shows a number that is at least that of the mines around it.",
    "table": "An open cell shows a number that may differ from that of the mines around it.",
}


def rules_in_words(task: Task) -> str:
    """What is played, and how a move is written."""
    mines = task.deal.mine_count if task.deal else None
    told = "an unknown number of mines" if mines is None else counted(mines, "mine")
    if not task.rules.count_known:
        told = "mines, nobody says how many"
    lines = [
        f"Minesweeper: {task.grid.rows} rows and {task.grid.cols} columns of cells, with {told}.",
        _CLUES[task.clues.name],
        _OPENINGS[task.rules.opening],
    ]
    if task.rules.flood:
        lines.append("A 0 opens all cells around it.")
    if task.rules.on_mine == "end":
        lines.append("To open a mine loses; to open every other cell wins.")
    else:
        lines.append(
            "A mine that you open costs you its flag, and play goes on until every cell is open "
            "or flagged; flags on mines count for you, all others against you."
        )
    lines.append("Rows and columns count from 0, the row first. Write a move as: open 3,4")
    if task.flags:
        lines.append("A flag marks a mine: flag 3,4. It is taken back by: unflag 3,4")
    return "\n".join(lines)


def position_in_words(view: View) -> str:
    """The board, a line a row, and what its signs mean."""
    signs = {HIDDEN: "? hidden", TOLD_SAFE: "s told to be safe", FLAGGED: "F your flag"}
    signs |= {NO_CLUE: "- open, without a number"}
    told = [text for state, text in signs.items() if state in view.states]
    head = [", ".join(told)] if told else []
    if view.mines is not None:
        head.append(counted(view.mines, "mine"))
    return "; ".join(head) + "\n" + plain(view)


def move_in_words(task: Task, action: int) -> str:
    """A move as it is written: `open 3,4`."""
    row, col = task.grid.cell(action % task.grid.size)
    return f"{'open' if action < task.grid.size else 'flag'} {row},{col}"


def read_move(task: Task, text: str) -> int:
    """The last move that a text names; the rest of it may be anything, as models write it."""
    found = _MOVE.findall(text[-_LONGEST:])
    if not found:
        raise InvalidInput(f"no move such as 'open 3,4' in {shorten(text)!r}")
    action, row, col = found[-1]
    index = task.grid.index((int(row), int(col)))
    if action.lower() == "open":
        return index
    if not task.flags:
        raise InvalidInput(f"there are no flags here: open a cell, not {action} {row},{col}")
    return task.grid.size + index


class TextWrapper(gymnasium.Wrapper[str, Any, Any, Any]):
    """Texts for observations and for actions.

    The first observation of a game has the rules. A text without a move, or with one that there
    is not, changes nothing: the next observation says why.
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
        """The rules and the first position of the next game."""
        _, info = self.env.reset(seed=seed, options=options)
        self._info = info
        return f"{rules_in_words(self._base.task)}\n\n{self._now()}", info

    def step(self, action: str) -> tuple[str, Any, bool, bool, dict[str, Any]]:
        """Make the move that a text names."""
        if self._info is None:
            raise NotBegun
        try:
            move = read_move(self._base.task, str(action))
        except InvalidInput as error:
            told = f"That is no move: {error}.\n\n{self._now()}"
            return told, 0.0, False, False, dict(self._info)
        words = move_in_words(self._base.task, move)
        possible = self._base.action_masks()[move]
        said = "" if possible else f"Nothing changed: {words} is not possible there.\n\n"
        _, reward, over, cut, info = self.env.step(move)
        self._info = info
        if over:
            said = "You won.\n\n" if info["won"] else "The game is over, and not won.\n\n"
        return said + self._now(), reward, over, cut, info

    def _now(self) -> str:
        return position_in_words(self._base.view)
