"""A finished game: moves with their reasons, outcome, score, seconds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, get_args

from mineproof import clues as clue_models
from mineproof.board import Board
from mineproof.clues import ClueModel
from mineproof.errors import FormatError, InvalidInput, shorten
from mineproof.game import Action, Game
from mineproof.geometry import Cell, as_cell
from mineproof.rules import Rules
from mineproof.view import Event, View

FORMAT = "mineproof-record-1"


@dataclass(frozen=True, slots=True)
class Move:
    """What a player did and why.

    `risk` is the chance, as the player saw it, that the action is wrong; None if
    the player made no estimate. `certain` means proved. `asked` says that cells
    without a clue were asked again before the move (see `clues.Sometimes`).
    """

    cell: Cell
    action: Action
    risk: float | None
    certain: bool
    reason: str
    asked: bool = False


@dataclass(frozen=True)
class Record:
    """A finished game. Its moves, played again, give the same game."""

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

    @property
    def guesses(self) -> int:
        """How many cells were opened without being certain."""
        return sum(move.action == "open" and not move.certain for move in self.moves)

    @property
    def outcome(self) -> str:
        """`won` or `lost`; where play goes on after a mine, the score."""
        if self.score is not None:
            return f"score {self.score:.3f}"
        return "won" if self.won else "lost"

    def replay(self) -> Iterator[tuple[Move, list[Event], Game]]:
        """Play the game again, move by move: the move, what changed, the game after it."""
        game = Game(self.board, self.rules, self.clues, start=self.start, seed=self.seed)
        for move in self.moves:
            if move.asked:
                game.ask_again()
            yield move, game.play(move.cell, move.action), game

    @property
    def view(self) -> View:
        """What the player saw at the end."""
        game = Game(self.board, self.rules, self.clues, start=self.start, seed=self.seed)
        for _, _, game in self.replay():  # noqa: B007
            pass
        return game.view

    def to_json(self) -> dict[str, Any]:
        """The record as JSON data."""
        return {
            "format": FORMAT,
            "agent": self.agent,
            "board": self.board.to_text(),
            "rules": self.rules.to_json(),
            "clues": str(self.clues),
            "seed": self.seed,
            "start": self.start,
            "won": self.won,
            "score": self.score,
            "right": self.right,
            "wrong": self.wrong,
            "exploded": self.exploded,
            "guesses": self.guesses,
            "seconds": self.seconds,
            "moves": [asdict(move) for move in self.moves],
        }

    @classmethod
    def from_json(cls, data: str | dict[str, Any]) -> Record:
        """Read a record from JSON text or data; errors name the place."""
        if isinstance(data, str):
            try:
                data = json.loads(data)
            except (ValueError, RecursionError) as error:
                raise FormatError(f"not JSON: {error} in {shorten(str(data))!r}") from None
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise FormatError(f"not a record: expected an object with 'format': {FORMAT!r}")
        return _Reader(data).record()


class _Reader:
    """Takes a record's fields out of JSON data, each checked."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    def record(self) -> Record:
        data = self.data
        try:
            rules = Rules(**self.take("rules", dict))
        except TypeError as error:
            raise FormatError(f"in a record's rules: {error}") from None
        start = data.get("start")
        return Record(
            agent=self.take("agent", str),
            board=Board.from_text(self.take("board", str)),
            rules=rules,
            clues=clue_models.parse(self.take("clues", str)),
            seed=self.take("seed", int),
            start=None if start is None else as_cell(start),
            moves=tuple(self.move(i, move) for i, move in enumerate(self.take("moves", list))),
            won=self.take("won", bool),
            score=self.take("score", (float, int, type(None))),
            right=self.take("right", int),
            wrong=self.take("wrong", int),
            exploded=self.take("exploded", int),
            seconds=float(self.take("seconds", (float, int))),
        )

    def take(self, name: str, kind: type | tuple[type, ...]) -> Any:
        if name not in self.data:
            raise FormatError(f"a record needs {name!r}")
        value = self.data[name]
        if not isinstance(value, kind):
            raise FormatError(f"in a record, {name!r} cannot be {shorten(repr(value))}")
        return value

    @staticmethod
    def move(number: int, data: Any) -> Move:
        try:
            if data["action"] not in get_args(Action):
                raise InvalidInput(f"unknown action {data['action']!r}")
            risk = None if data["risk"] is None else float(data["risk"])
            return Move(
                cell=as_cell(data["cell"]),
                action=data["action"],
                risk=risk,
                certain=bool(data["certain"]),
                reason=str(data["reason"]),
                asked=bool(data.get("asked", False)),
            )
        except (KeyError, TypeError, ValueError) as error:
            what = f"no {error}" if isinstance(error, KeyError) else str(error)
            raise FormatError(f"in a record, move {number}: {what}") from None
