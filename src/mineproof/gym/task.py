"""What an environment plays: boards, rules, clues, and moves as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mineproof.errors import InvalidInput, WrongType, quoted
from mineproof.given import listed, of_type, one_of
from mineproof.world.board import LEVELS, Board, Deal, Opening
from mineproof.world.chance import Purpose, Stream
from mineproof.world.clues import ClueModel, as_clues
from mineproof.world.game import Game
from mineproof.world.geometry import Cell, Grid
from mineproof.world.rules import Rules, RulesLike, as_rules

Started = tuple[Board, Cell | None]
"""A ready board, and the cell that is opened when its game begins."""


@dataclass(frozen=True)
class Task:
    """What all games of an environment have in common, checked.

    Boards are dealt (`deal`), or each game takes one of `boards`, by its seed.
    """

    grid: Grid
    rules: Rules
    clues: ClueModel
    flags: bool
    start: Cell | None
    deal: Deal | None
    boards: tuple[Started, ...] = ()

    @property
    def moves(self) -> int:
        """How many moves there are, legal or not: to open each cell, and to turn its flag."""
        return self.grid.size * (2 if self.flags else 1)

    def game(self, seed: int) -> Game:
        """The game of this seed, its start opened where there is one."""
        board: Board | Deal | None = self.deal
        start = self.start
        if board is None:
            board, start = self.boards[Stream(seed, Purpose.BOARD).below(len(self.boards))]
        game = Game(board, self.rules, self.clues, start=start, seed=seed)
        if start is not None:
            game.open(start)
        return game


def task_of(
    level: str | None = None,
    *,
    rows: int | None = None,
    cols: int | None = None,
    mines: int | None = None,
    density: float | None = None,
    opening: Opening | None = None,
    rules: RulesLike | None = None,
    clues: ClueModel | str | None = None,
    start: Cell | None = None,
    boards: Sequence[Board] | None = None,
    flags: bool | None = None,
) -> Task:
    """The task that these arguments of an environment describe."""
    by = _rules(rules, opening, dealt=boards is None)
    how = as_clues(clues)
    if how.redraw:
        raise InvalidInput("no move asks a cell again: clues without redraw are needed")
    turn = by.on_mine == "continue" if flags is None else of_type(flags, bool, "flags")
    if boards is not None:
        if any(one is not None for one in (level, rows, cols, mines, density, start)):
            raise InvalidInput("boards have their own size, mines and starts: give nothing else")
        ready = tuple(_started(board, by) for board in listed(boards, "boards"))
        if not ready or len({board.grid for board, _ in ready}) > 1:
            raise InvalidInput("boards are one or more, all of one size")
        return Task(ready[0][0].grid, by, how, turn, None, None, ready)
    deal = _deal(level, rows, cols, mines, density)
    _check_deal(deal, by, start)
    first = None if start is None else deal.grid.cell(deal.grid.index(start))
    return Task(deal.grid, by, how, turn, first, deal)


def _rules(rules: RulesLike | None, opening: Opening | None, *, dealt: bool) -> Rules:
    if rules is not None and opening is not None:
        raise InvalidInput("the opening rule is one of the rules: give it there, or no rules")
    return as_rules({"opening": opening} if opening is not None else rules, dealt=dealt)


def _deal(
    level: str | None, rows: int | None, cols: int | None, mines: int | None, density: float | None
) -> Deal:
    given = any(one is not None for one in (rows, cols, mines, density))
    if level is None and not given:
        level = "beginner"
    if level is None:
        if rows is None or cols is None:
            raise InvalidInput("give a level, or rows and cols with mines or density")
        return Deal(rows, cols, mines, density=density)
    if given:
        raise InvalidInput("a level has its own size and mines: give it alone, or none")
    return Deal(*LEVELS[one_of(level, "level", LEVELS)])


def _check_deal(deal: Deal, rules: Rules, start: Cell | None) -> None:
    deal.check(rules.opening)
    if deal.mine_count == deal.grid.size:
        raise InvalidInput("a board of an environment needs a safe cell")
    if start is not None and (rules.opening == "any" or deal.mine_count == 0):
        raise InvalidInput("a start needs mines, and the opening rule safe or clear")


def _started(board: Board, rules: Rules) -> Started:
    """A board that can be played by the rules, from the start that it was generated with."""
    if not isinstance(board, Board):
        raise WrongType(f"boards are mp.Board, got {quoted(board)}")
    start: Cell | None = getattr(board, "start", None)
    if board.mine_count == board.grid.size:
        raise InvalidInput("a board of an environment needs a safe cell")
    if start is None:
        if rules.opening != "any":
            raise InvalidInput(
                f"the opening rule {rules.opening!r} needs boards with a start, as mp.generate "
                "makes them: give such, or the opening rule any"
            )
    elif not board.keeps(rules.opening, start) or board.is_mine(start):
        raise InvalidInput(f"a board breaks the opening rule {rules.opening!r} at its start")
    return board, start
