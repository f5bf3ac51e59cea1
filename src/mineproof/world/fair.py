"""The rule without luck: what a player could prove decides an opening, and the board follows.

The compiled engine judges (`fair.hpp`), so games are the same in Python and in the kernel.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from mineproof import _engine
from mineproof.errors import EngineError, InvalidInput
from mineproof.phrases import say
from mineproof.world.board import Board
from mineproof.world.clues import ClueModel
from mineproof.world.rules import Rules
from mineproof.world.view import View


class DrawnBoard(NamedTuple):
    """A board that replaced another during a game, to follow from a ruling."""

    move: int
    """The number of moves before it; each opening of a chord is a move."""
    board: Board
    kind: bool = False
    """Whether there was too much to count: the move passed as a guess, whatever could be proved."""


def check(rules: Rules, clues: ClueModel) -> None:
    """Raise an error if games with this clue model cannot have these rules."""
    if rules.luck == "fair" and not clues.is_exact:
        raise InvalidInput(say("refusal.fair-clues", clues=str(clues)))


def on_final_board(rules: Rules) -> Rules:
    """Return the rules by which a finished game is replayed on its final board.

    Nothing is judged there: everything that was shown is true of that board.
    """
    return replace(rules, luck="dealt")


class Judge:
    """Judges the openings of one game."""

    def __init__(self, rules: Rules, seed: int) -> None:
        if not _engine.is_native():
            raise EngineError(
                "the rule luck='fair' needs the compiled engine, and this is the Python engine: "
                "install a C++ compiler and reinstall mineproof, or use luck='dealt'"
            )
        self._density = rules.density
        self._seed = seed
        self._dealt_mines: int | None = None

    def judge(self, view: View, index: int, board: Board, move: int) -> DrawnBoard | None:
        """Return the board that replaces `board` before cell `index` is opened; None if it stays.

        If the judge is kind, the board may be the same.
        """
        if self._dealt_mines is None:
            self._dealt_mines = board.mine_count
        drawn, kind = _engine.native.judge_opening(
            view, self._density, index, board.mined, self._dealt_mines, self._seed, move
        )
        if drawn is None and not kind:
            return None
        return DrawnBoard(move, board if drawn is None else Board(board.grid, drawn), kind)
