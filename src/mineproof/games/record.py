"""Records of finished games: moves with their reasons, outcome, score, times."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from types import NoneType
from typing import TYPE_CHECKING, Any, get_args

from mineproof.agents.table import find, proves
from mineproof.errors import (
    FormatError,
    InvalidInput,
    counted,
    quoted,
    share,
    shorten,
)
from mineproof.formats.labelled_json import read_labelled
from mineproof.games.chain import trace
from mineproof.given import each, of_type
from mineproof.printable import printable
from mineproof.reasoning.influence import Influence
from mineproof.world import clues as clue_models
from mineproof.world.board import Board
from mineproof.world.chance import seed_from_json, seed_to_json
from mineproof.world.clues import ClueModel
from mineproof.world.conditions import Conditions, name_board
from mineproof.world.game import Game
from mineproof.world.geometry import Cell, Grid, cells_of, name_cell
from mineproof.world.move import Action, Move, Why
from mineproof.world.rules import Rules, as_rules
from mineproof.world.view import Event, View

if TYPE_CHECKING:
    from mineproof.render import Frame

__all__ = ["FORMAT", "Move", "Record"]

FORMAT = "mineproof-record-1"
LONGEST = 10**9
"""The most seconds that a game may take: thirty years."""


@dataclass(frozen=True, repr=False)
class Record:
    """A finished game; replaying its moves gives the same game."""

    agent: str
    board: Board
    rules: Rules
    clues: ClueModel
    seed: int
    start: Cell | None
    moves: tuple[Move, ...]
    won: bool
    score: float | None
    right: int
    wrong: int
    exploded: int
    seconds: float
    fault: str = ""
    """What the agent did wrong, if that lost the game."""
    times: tuple[float, ...] = ()
    """The time of each move in seconds, if known, as for games played by people."""
    clicks: int | None = None
    """The number of mouse clicks, if known."""
    undone: int | None = None
    """How often a move was undone; None unless it was a practice game."""

    @classmethod
    def of(cls, game: Game, agent: str, moves: Iterable[Move], seconds: float) -> Record:
        """Return the record of a finished game."""
        of_type(game, Game, "game")
        return cls(
            agent=agent,
            board=game.board,
            rules=game.rules,
            clues=game.clues,
            seed=game.seed,
            start=game.start,
            moves=tuple(each(moves, Move, "moves")),
            won=game.won,
            score=game.score,
            right=game.right,
            wrong=game.wrong,
            exploded=game.exploded,
            seconds=seconds,
        )

    @property
    def guesses(self) -> int:
        """The number of cells opened without being certainly safe."""
        return sum(move.action == "open" and not move.certain for move in self.moves)

    @property
    def estimates(self) -> int:
        """The number of moves whose risk is an estimate."""
        return sum(move.estimated for move in self.moves)

    @property
    def expected_score(self) -> float | None:
        """The score that the player expected of its flags when it set them; None without a score.

        A flag counts 1 if right and -1 if wrong; removing it subtracts the same. A flag without a
        risk counts as certain. The sum is rounded, because engines differ in the last digits of a
        risk.
        """
        if self.score is None:
            return None
        mines = self.board.mine_count
        marks = [move for move in self.moves if move.action in {"flag", "unflag"}]
        worth = math.fsum(1 - 2 * (move.risk or 0.0) for move in marks)
        return round(worth, 10) / mines if mines else 1.0

    @property
    def deductions(self) -> dict[str, int]:
        """The number of moves that each rule proved."""
        return dict(sorted(Counter(move.rule for move in self.moves if move.rule).items()))

    @property
    def wrong_claims(self) -> int:
        """The number of certain moves that were wrong; 0 if the agent is sound."""
        certain = [move for move in self.moves if move.certain and move.action in {"open", "flag"}]
        return sum(self.board.is_mine(move.cell) == (move.action == "open") for move in certain)

    @property
    def outcome(self) -> str:
        """`won`, `lost` or `stopped`; if play goes on after a mine, the score."""
        if self.score is not None:
            return f"score {self.score:.3f}"
        if self.won:
            return "won"
        return "stopped" if self.stopped else "lost"

    @property
    def stopped(self) -> bool:
        """Whether the player ended the game with a stop."""
        last = self.moves[-1].action if self.moves else None
        return last == "stop" and not self.fault

    @property
    def conditions(self) -> Conditions:
        """The board size, rules and clue model of the game."""
        return Conditions(name_board(self.board), self.rules, self.clues, self.start)

    def __repr__(self) -> str:
        return f"<record of {self._title}>"

    def __str__(self) -> str:
        """The title, the final view with all mines, and counts of moves and flags."""
        from mineproof.render import plain  # brings rich, and few print

        figures = (
            f"{counted(len(self.moves), 'move')}, {counted(self.guesses, 'guess', 'guesses')}; "
            f"{self.right} of {counted(self.board.mine_count, 'mine')} flagged, "
            f"{counted(self.wrong, 'wrong flag')}, {self.exploded} hit"
        )
        return "\n".join([self._title, plain(self.view, truth=self.board, columns=80), figures])

    def frames(self) -> Iterator[Frame]:
        """Yield animation frames: one per move, with its reason, then the outcome."""
        from mineproof.render import Frame

        marked = None
        for number, (move, events, _) in enumerate(self.replay(), start=1):
            marked = move.cell
            words = f"move {number}, {move.action} {name_cell(marked)}: {move.reason}"
            yield Frame(marked, words, events)
        yield Frame(marked, f"{self.outcome}, by {self.agent}")

    def to_html(self) -> str:
        """Return a self-contained HTML page with a slider over the moves."""
        from mineproof.render import player_html

        return player_html(self.board, self.begin().view, self.frames(), title=self._title)

    def to_svg(self) -> str:
        """Return the end of the game as SVG: the truth on the left, what was known on the right."""
        from mineproof.render import game_svg

        *_, last = self.frames()
        return game_svg(self.board, self.view, marked=last.marked, caption=last.caption)

    def _repr_html_(self) -> str | None:
        """The HTML page for notebooks; None if the board is too large."""
        from mineproof.render.notebook import if_small
        from mineproof.render.player import framed

        grid = self.board.grid
        return if_small(grid, lambda: framed(self.to_html(), grid))

    def _repr_svg_(self) -> str | None:
        """The final picture, for notebooks that show no HTML; None if the board is too large."""
        from mineproof.render.notebook import if_small

        return if_small(self.board.grid, self.to_svg)

    @property
    def _title(self) -> str:
        fault = f" by forfeit ({printable(self.fault)})" if self.fault else ""
        practice = "" if self.undone is None else f" (practice game, {self.undone} undone)"
        end = f"{self.outcome}{fault}{practice}"
        return f"{printable(self.agent)} on {self.conditions}, seed {self.seed}: {end}"

    def begin(self) -> Game:
        """Return the game before its first move."""
        return Game(self.board, self.rules, self.clues, start=self.start, seed=self.seed)

    def replay(self) -> Iterator[tuple[Move, list[Event], Game]]:
        """Replay the game; yield each move, what it changed, and the game after it."""
        game = self.begin()
        for move in self.moves:
            yield move, game.play(move.cell, move.action), game

    @property
    def view(self) -> View:
        """The player's view at the end."""
        game = self.begin()
        for move in self.moves:
            game.play(move.cell, move.action)
        return game.view

    @cached_property
    def influence(self) -> Influence:
        """The chain of influence: what each deduced cell rests on, back to the guesses.

        The built-in agent named in the record deduces everything again.
        """
        return trace(self.begin(), self.moves, find(self.agent))

    @cached_property
    def smallest_influence(self) -> Influence:
        """The chain of influence with the premises of smallest proofs, so chains are shortest.

        Each cell is deduced when it was in the game, but from the fewest clues that prove it.
        """
        return trace(self.begin(), self.moves, find(self.agent), smallest=True)

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON data."""
        wrong = self.wrong_claims
        return {
            "format": FORMAT,
            "agent": self.agent,
            "board": self.board.to_text(),
            "rules": self.rules.to_json(),
            "clues": str(self.clues),
            "seed": seed_to_json(self.seed),
            "start": self.start,
            "won": self.won,
            "score": self.score,
            "right": self.right,
            "wrong": self.wrong,
            "exploded": self.exploded,
            "guesses": self.guesses,
            "estimates": self.estimates,
            "deductions": self.deductions,
            **({"wrong_claims": wrong} if wrong or not proves(self.agent, self.clues) else {}),
            "seconds": self.seconds,
            **({"fault": self.fault} if self.fault else {}),
            **({"times": list(self.times)} if self.times else {}),
            **({} if self.clicks is None else {"clicks": self.clicks}),
            **({} if self.undone is None else {"undone": self.undone}),
            "moves": [move.to_json() for move in self.moves],
        }

    @classmethod
    def from_json(cls, data: str | dict[str, Any]) -> Record:
        """Return the record of JSON text or data; errors name the place."""
        return _Reader(read_labelled(data, FORMAT, "a record")).record()


class _Reader:
    """Reads and checks the fields of a record in JSON data."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    def record(self) -> Record:
        try:
            return self._record()
        except FormatError:
            raise
        except InvalidInput as error:
            raise FormatError(f"in a record: {error}") from None

    def _record(self) -> Record:
        board = Board.from_text(self.take("board", str))
        start = self.data.get("start")
        moves = self.take("moves", list)
        return Record(
            agent=self.take("agent", str),
            board=board,
            rules=as_rules(self.take("rules", dict), dealt=False),
            clues=clue_models.parse(self.take("clues", str)),
            seed=seed_from_json(self.take("seed", (int, str))),
            start=None if start is None else board.grid.cell(board.grid.index(start)),
            moves=tuple(self.move(i, move, board.grid) for i, move in enumerate(moves)),
            won=self.take("won", bool),
            score=self.number("score", none=True),
            right=self.count("right"),
            wrong=self.count("wrong"),
            exploded=self.count("exploded"),
            seconds=self.number("seconds") or 0.0,
            fault=self.take("fault", str) if "fault" in self.data else "",
            times=self.times(len(moves)),
            clicks=self.count("clicks") if "clicks" in self.data else None,
            undone=self.count("undone") if "undone" in self.data else None,
        )

    def take(self, name: str, kind: type | tuple[type, ...]) -> Any:
        if name not in self.data:
            raise FormatError(f"in a record, {name!r} is missing")
        value = self.data[name]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise FormatError(f"in a record, {name!r} cannot be {quoted(value)}")
        return value

    def count(self, name: str) -> int:
        value: int = self.take(name, int)
        if value < 0:
            raise FormatError(f"in a record, {name!r} cannot be {quoted(value)}")
        return value

    def times(self, moves: int) -> tuple[float, ...]:
        given = self.take("times", list) if "times" in self.data else []
        if given and len(given) != moves:
            raise FormatError(
                f"in a record, 'times' must have one entry per move: expected {moves}, "
                f"got {len(given)}"
            )
        latest = 0.0
        for value in given:
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if not number or not latest <= value <= LONGEST:
                raise FormatError(
                    f"in a record, 'times' must be seconds in increasing order, got {quoted(value)}"
                )
            latest = float(value)
        return tuple(map(float, given))

    def number(self, name: str, *, none: bool = False) -> float | None:
        value = self.take(name, (float, int, NoneType) if none else (float, int))
        try:
            return None if value is None else float(value)
        except OverflowError:
            raise FormatError(f"in a record, {name!r} is too large") from None

    @staticmethod
    def move(number: int, data: Any, grid: Grid) -> Move:
        where = f"in a record, move {number}"
        if not isinstance(data, dict):
            raise FormatError(f"{where} cannot be {quoted(data)}")
        for name in ("cell", "action", "risk", "certain", "reason"):
            if name not in data:
                raise FormatError(f"{where}: {name!r} is missing")
        if data["action"] not in get_args(Action):
            raise FormatError(f"{where}: unknown action {quoted(data['action'])}")
        if not isinstance(data["certain"], bool) or not isinstance(data["reason"], str):
            raise FormatError(f"{where}: 'certain' must be true or false, and 'reason' a string")
        try:
            return Move(
                cell=grid.cell(grid.index(data["cell"])),
                action=data["action"],
                risk=None if data["risk"] is None else share(data["risk"], "risk"),
                certain=data["certain"],
                reason=_why(data["why"], grid) if "why" in data else data["reason"],
                rule=str(data.get("rule", "")),
                estimated=bool(data.get("estimated", False)),
            )
        except InvalidInput as error:
            raise FormatError(f"{where}: {error}") from None


def _why(data: Any, grid: Grid) -> Why:
    try:
        why = Why.from_json(data)
        cells_of(grid, [*why.clues, *why.known], "why")
    except ValueError as error:
        raise FormatError(f"'why' cannot be {quoted(data)}: {shorten(str(error))}") from None
    return why
