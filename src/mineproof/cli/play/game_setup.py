"""Set up the game that the options of `play` and `watch` describe."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mineproof.cli.options import (
    is_example,
    override_rules,
    refuse_shape,
    take_deal,
    take_rules,
)
from mineproof.errors import InvalidInput
from mineproof.world.board import LEVELS, Board, Deal
from mineproof.world.chance import fresh_seed
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.game import Game
from mineproof.world.geometry import Cell
from mineproof.world.rules import Rules

if TYPE_CHECKING:
    from mineproof.games.match import Match

UNCERTAIN = 9, 9, 6
"""The default size and mines with uncertain clues. With the 10 mines of a beginner's board,
`exact` won 0 of 300 games with optimistic clues and 16 with sometimes:0.5; with 6 mines, 29 and
85."""
_FIRST = (0, 0)
"""The first cell of an agent on a no-guess board, as in `generate`."""


@dataclass(frozen=True)
class GameSetup:
    """A board or a deal, rules, clue model, first cell and seed."""

    board: Board | Deal
    rules: Rules
    clues: ClueModel
    seed: int
    start: Cell | None = None
    no_guess: bool = False
    """Whether the board must be solvable without guessing."""
    agent: Any = None
    """The agent of an example's own game."""

    def begin(self) -> Game:
        """Return the game before its first move."""
        return Game(self.board, self.rules, self.clues, start=self.start, seed=self.seed)

    def match(self, agent: Any, seconds: float | None) -> Match:
        """Return the game of the given agent, or of the example's own agent."""
        from mineproof.games.match import Match

        setup = self.without_guess(self.start or _FIRST) if self.no_guess else self
        return Match(
            setup.board,
            agent or setup.agent,
            rules=setup.rules,
            clues=setup.clues,
            start=setup.start,
            seed=setup.seed,
            seconds=seconds,
            forfeits=True,
        )

    def without_guess(self, first: Cell) -> GameSetup:
        """Return the same setup with a board that can be solved without guessing."""
        from mineproof.boards.generation import generate

        assert isinstance(self.board, Deal)
        asked: dict[str, Any] = {"opening": self.rules.opening, "no_guess": True}
        board = next(generate(self.board, seed=self.seed, start=first, **asked))
        plain = Board(board.grid, board.mined)
        return replace(self, board=plain, start=first, no_guess=False)

    def again(self, board: Board, first: Cell | None) -> GameSetup:
        """Return a setup for the same board; the guarantee for its first cell applies again."""
        start = first if self.rules.opening != "any" else self.start
        return replace(self, board=board, start=start, no_guess=False)

    def dealt_again(self, level: str | None = None) -> GameSetup:
        """Return a setup for another board of the same kind, or of a level."""
        if level is None and isinstance(self.board, Board):
            return self._of_its_kind()
        board = self.board if level is None else Deal(*LEVELS[level])
        if level is None:
            return replace(self, board=board, seed=fresh_seed())
        counted = self.rules.count_known or self.rules.density is not None
        rules = replace(self.rules, density=None, count_known=counted)
        return replace(self, board=board, rules=rules, seed=fresh_seed(), start=None, agent=None)

    def _of_its_kind(self) -> GameSetup:
        """Return a deal with the mines of a given board, its first cell safe if possible."""
        assert isinstance(self.board, Board)
        deal = Deal(self.board.rows, self.board.cols, self.board.mine_count)
        full = self.board.mine_count == deal.grid.size
        opening = "any" if full else ("safe" if self.rules.opening == "any" else self.rules.opening)
        rules = replace(self.rules, opening=opening)
        return replace(self, board=deal, rules=rules, seed=fresh_seed(), start=None, agent=None)

    @property
    def level(self) -> str | None:
        """Return the name of the level with the board's size and mines, if there is one."""
        grid, mines = self.board.grid, self.board.mine_count
        shape = grid.rows, grid.cols, mines
        return next((name for name, level in LEVELS.items() if tuple(level) == shape), None)


def read(options: dict[str, Any]) -> GameSetup:
    """Remove the options that describe the game, and return the setup."""
    board, index, seed = options.pop("board"), options.pop("index"), options.pop("seed")
    no_guess = options.pop("no_guess")
    if board is not None and no_guess:
        raise InvalidInput("--no-guess deals a board, so it cannot be combined with --board")
    if board is not None and is_example(board):
        return _read_example(board, index, 0 if seed is None else seed, options)
    seed = fresh_seed() if seed is None else seed
    if board is not None:
        return _read_board(board, index, seed, options)
    if index is not None:
        raise InvalidInput("--index needs --board")
    setup = _read_deal(seed, options)
    if no_guess:
        _check_no_guess(setup)
    return replace(setup, no_guess=no_guess)


def _read_example(name: str, index: int | None, seed: int, options: dict[str, Any]) -> GameSetup:
    """Return the board of a report with its rules, changed by the options."""
    from mineproof.games.printed import printed_game

    refuse_shape(options, "--board")
    if index not in (None, 1):
        raise InvalidInput(f"there is no board {index} in {name}: it has 1 board")
    game = printed_game(name)
    rules = override_rules(game.rules, options)
    return GameSetup(game.board, rules, options["clues"], seed, options["start"], agent=game.agent)


def _read_board(path: str, index: int | None, seed: int, options: dict[str, Any]) -> GameSetup:
    from mineproof.cli.play import board_choice

    refuse_shape(options, "--board")
    board, named = board_choice.choose(path, index)
    start = options["start"] or named
    rules = take_rules(options, None, "any" if start is None else "safe")
    return GameSetup(board, rules, options["clues"], seed, start)


def _read_deal(seed: int, options: dict[str, Any]) -> GameSetup:
    clues = options["clues"]
    if not isinstance(clues, Exact) and not (options["level"] or options["rows"]):
        options["rows"], options["cols"], mines = UNCERTAIN
        if options["mines"] is None and options["density"] is None:
            options["mines"] = mines
    deal = take_deal(options)
    return GameSetup(deal, take_rules(options, deal), clues, seed, options["start"])


def _check_no_guess(setup: GameSetup) -> None:
    """Refuse rules with which no-guess boards cannot be found."""
    if not isinstance(setup.clues, Exact):
        raise InvalidInput("--no-guess needs exact clues: leave out --clues")
    if not setup.rules.count_known:
        raise InvalidInput("--no-guess needs the mine count: leave out --no-count")
    if setup.rules.opening == "any":
        raise InvalidInput("--no-guess needs a safe first cell: use --opening safe or clear")
