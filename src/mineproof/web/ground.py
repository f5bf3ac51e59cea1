"""The conditions of a game, as they are requested and stored."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from mineproof.errors import InvalidInput
from mineproof.messages.game_requests import NewGameRequest
from mineproof.messages.requests import Size
from mineproof.phrases import say
from mineproof.web import limits
from mineproof.world import clues as clue_models
from mineproof.world.board import LEVELS, Board, Deal
from mineproof.world.chance import fresh_seed, seed_from_json
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.game import Game
from mineproof.world.geometry import Cell, Grid
from mineproof.world.rules import Rules


@dataclass(frozen=True)
class Ground:
    """A board or deal, rules, clues, start and seed; together with the moves, the whole game."""

    board: Board | Deal
    rules: Rules
    clues: ClueModel
    seed: int
    start: Cell | None = None

    def begin(self) -> Game:
        """Return the game before its first move."""
        return Game(self.board, self.rules, self.clues, start=self.start, seed=self.seed)

    @property
    def grid(self) -> Grid:
        """The shape of the board."""
        return self.board.grid

    @property
    def level(self) -> str | None:
        """The name of the level, if the game is played at one with standard rules and clues."""
        rules = self.rules
        if rules.on_mine != "end" or not rules.count_known or rules.luck == "fair":
            return None
        if self.clues != Exact():
            return None
        mines = self.board.mine_count
        shape = self.grid.rows, self.grid.cols, mines
        return next((name for name, level in LEVELS.items() if tuple(level) == shape), None)

    def to_text(self) -> str:
        """Return the text for the store."""
        board = self.board
        data = {
            "board": board.to_text() if isinstance(board, Board) else vars(board),
            "rules": self.rules.to_json(),
            "clues": str(self.clues),
            "seed": str(self.seed),
            "start": self.start,
        }
        return json.dumps(data, separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> Ground:
        """Return the ground of a text from the store."""
        data = json.loads(text)
        board, start = data["board"], data["start"]
        return cls(
            Board.from_text(board) if isinstance(board, str) else Deal(**board),
            Rules(**data["rules"]),
            clue_models.parse(data["clues"]),
            int(data["seed"]),
            None if start is None else tuple(start),
        )

    @classmethod
    def asked(cls, request: NewGameRequest) -> Ground:
        """Return the ground that a request describes; the default is a beginner board."""
        rules = {} if request.rules is None else request.rules.given()
        board: Board | Deal = (request.deal or Size(level="beginner")).deal()
        if request.board is not None:
            if request.deal is not None:
                raise InvalidInput(say("refusal.board-or-deal"))
            board = Board.from_text(request.board)
            rules.setdefault("opening", "any" if request.start is None else "safe")
        check_size(board.grid)
        clues = Exact() if request.clues is None else clue_models.parse(request.clues)
        seed = fresh_seed() if request.seed is None else seed_from_json(request.seed)
        ground = cls(board, complete(rules, board), clues, seed, request.start)
        ground.begin()  # raises an error if it cannot be played
        return ground


def complete(rules: dict[str, Any], board: Board | Deal) -> Rules:
    """Return all rules where some are given; by default the first cell is safe.

    With independent mines the count is unknown; the density is known unless `count_known` is
    given as false.
    """
    if isinstance(board, Deal) and board.independent:
        shown = rules.get("count_known", True)
        density = {"density": board.density} if shown else {}
        rules = {**density, **rules, "count_known": False}
    return Rules(**{"opening": "safe", **rules})


def check_size(grid: Grid) -> None:
    """Raise an error if a board is too large for the server."""
    if grid.size > limits.CELLS:
        shape = {"rows": grid.rows, "cols": grid.cols}
        raise InvalidInput(say("refusal.large", most=limits.CELLS, **shape))
