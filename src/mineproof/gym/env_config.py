"""What an environment plays: boards, rules, clues, and numbered moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mineproof.arguments import listed, of_type, one_of
from mineproof.errors import InvalidInput, WrongType, quote
from mineproof.world import fair
from mineproof.world.board import LEVELS, Board, Deal, Opening
from mineproof.world.chance import Purpose, Stream
from mineproof.world.clues import ClueModel, as_clues
from mineproof.world.game import Game
from mineproof.world.geometry import Cell, Grid
from mineproof.world.rules import Rules, RulesLike, as_rules

Started = tuple[Board, Cell | None]
"""A given board, and the cell that is opened when its game starts."""


@dataclass(frozen=True)
class EnvConfig:
    """The checked settings that all games of an environment share.

    Boards are dealt (`deal`), or each game picks one of `boards` by its seed.
    """

    grid: Grid
    rules: Rules
    clues: ClueModel
    flags: bool
    start: Cell | None
    deal: Deal | None
    boards: tuple[Started, ...] = ()

    def __post_init__(self) -> None:
        self.clues.check(self.grid)

    @property
    def moves(self) -> int:
        """The number of moves, legal or not: open each cell and, with flags, toggle its flag."""
        return self.grid.size * (2 if self.flags else 1)

    def game(self, seed: int) -> Game:
        """Return the game with this seed; its start, if any, is opened."""
        board: Board | Deal | None = self.deal
        start = self.start
        if board is None:
            board, start = self.boards[Stream(seed, Purpose.BOARD).below(len(self.boards))]
        game = Game(board, self.rules, self.clues, start=start, seed=seed)
        if start is not None:
            game.open(start)
        return game


def env_config_of(
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
) -> EnvConfig:
    """Create a task from the arguments of an environment."""
    by = _rules(rules, opening, dealt=boards is None)
    how = as_clues(clues)
    fair.check(by, how)
    if how.redraw:
        raise InvalidInput(
            "environments do not support clues with redraw: no action asks for a clue again"
        )
    turn = by.on_mine == "continue" if flags is None else of_type(flags, bool, "flags")
    if boards is not None:
        if any(one is not None for one in (level, rows, cols, mines, density, start)):
            raise InvalidInput(
                "boards have their own size, mines and starts: "
                "leave out level, rows, cols, mines, density and start"
            )
        ready = tuple(_started(board, by) for board in listed(boards, "boards"))
        if not ready or len({board.grid for board, _ in ready}) > 1:
            raise InvalidInput("give one or more boards, all of the same size")
        return EnvConfig(ready[0][0].grid, by, how, turn, None, None, ready)
    deal = _deal(level, rows, cols, mines, density)
    _check_deal(deal, by, start)
    first = None if start is None else deal.grid.cell(deal.grid.index(start))
    return EnvConfig(deal.grid, by, how, turn, first, deal)


def _rules(rules: RulesLike | None, opening: Opening | None, *, dealt: bool) -> Rules:
    if rules is not None and opening is not None:
        raise InvalidInput("give the opening rule either as opening or within rules, not both")
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
        raise InvalidInput(
            "a level has its own size and mines: leave out rows, cols, mines and density"
        )
    return Deal(*LEVELS[one_of(level, "level", LEVELS)])


def _check_deal(deal: Deal, rules: Rules, start: Cell | None) -> None:
    deal.check(rules.opening)
    if deal.mine_count == deal.grid.size:
        raise InvalidInput("a board of an environment needs a safe cell")
    if start is not None and (rules.opening == "any" or deal.mine_count == 0):
        raise InvalidInput("a start needs mines and the opening rule 'safe' or 'clear'")


def _started(board: Board, rules: Rules) -> Started:
    """Check that a board can be played under the rules, and return it with its start."""
    if not isinstance(board, Board):
        raise WrongType(f"expected mp.Board objects, got {quote(board)}")
    start: Cell | None = getattr(board, "start", None)
    if board.mine_count == board.grid.size:
        raise InvalidInput("a board of an environment needs a safe cell")
    if start is None:
        if rules.opening != "any":
            raise InvalidInput(
                f"the opening rule {rules.opening!r} needs boards with a start, as mp.generate "
                "makes them; otherwise use the opening rule 'any'"
            )
    elif not board.keeps(rules.opening, start) or board.is_mine(start):
        raise InvalidInput(f"a board breaks the opening rule {rules.opening!r} at its start")
    return board, start
