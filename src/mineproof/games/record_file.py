"""Read records: JSON data is checked by its type, then played once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isclose
from typing import Any

from mineproof.errors import FormatError, InvalidInput, MineproofError
from mineproof.formats.labelled_json import decode_labelled
from mineproof.games.turn_data import as_turn
from mineproof.messages.records import OldRecordData, RecordData, TurnData
from mineproof.phrases import say
from mineproof.world import clues as clue_models
from mineproof.world import fair
from mineproof.world.board import Board
from mineproof.world.chance import seed_from_json
from mineproof.world.fair import DrawnBoard
from mineproof.world.game import Game
from mineproof.world.rules import as_rules


def read(data: str | dict[str, Any] | RecordData) -> dict[str, Any]:
    """Return the fields of a record from JSON text or data; the game is played again once.

    An error names the field. A record whose moves do not lead to its outcome is refused.
    """
    if not isinstance(data, RecordData):
        data = decode_labelled(RecordData, data, "a record", OldRecordData)
    try:
        return _read(data)
    except FormatError:
        raise
    except InvalidInput as error:
        raise FormatError(f"in a record: {error}") from None


def _read(data: RecordData) -> dict[str, Any]:
    rules = as_rules(data.rules.given(), dealt=False)
    game = Game(
        Board.from_text(data.board),
        fair.on_final_board(rules),
        clue_models.parse(data.clues),
        start=data.start,
        seed=seed_from_json(data.seed),
    )
    fair.check(rules, game.clues)
    turns = []
    for number, asked in enumerate(_asked(data)):
        try:
            turns.append(game.turn(as_turn(asked, game.grid)))
        except MineproofError as error:
            raise FormatError(f"in a record, 'moves[{number}]': {error}") from None
    _check_outcome(data, game)
    return {
        "agent": data.agent,
        "board": game.board,
        "rules": rules,
        "clues": game.clues,
        "seed": game.seed,
        "start": game.start,
        "turns": tuple(turns),
        "won": data.won,
        "score": data.score,
        "right": data.right,
        "wrong": data.wrong,
        "exploded": data.exploded,
        "seconds": data.seconds,
        "fault": data.fault,
        "clicks": data.clicks,
        "undone": data.undone,
        "drawn": tuple(_drawn(data, game)),
    }


def _drawn(data: RecordData, game: Game) -> Iterator[DrawnBoard]:
    """Yield the boards that were drawn; the last one must be the record's board."""
    for number, each in enumerate(data.drawn):
        board = Board.from_text(each.board)
        if board.grid != game.grid:
            raise FormatError(f"in a record, 'drawn[{number}].board' must have the size of 'board'")
        yield DrawnBoard(each.move, board, each.kind)
    if data.drawn and board != game.board:
        raise FormatError("in a record, the last board of 'drawn' must be 'board'")


def _asked(data: RecordData) -> Iterator[TurnData]:
    """Yield the turns of a record of either version, with their times in order.

    In version 1, moves with a risk or a reason are the agent's.
    """
    old = data if isinstance(data, OldRecordData) else None
    times: Sequence[float | None] = [turn.seconds for turn in data.moves]
    if old is not None and old.times:
        times = old.times
    if len(times) != len(data.moves):
        raise FormatError(
            f"in a record, 'times' must have one entry per move: expected {len(data.moves)}, "
            f"got {len(times)}"
        )
    latest = 0.0
    for turn, seconds in zip(data.moves, times, strict=True):
        if seconds is not None and seconds < latest:
            raise FormatError(f"in a record, times must not decrease, got {seconds} after {latest}")
        latest = latest if seconds is None else seconds
        turn.seconds = seconds
        if old is not None and (turn.reason or turn.certain or turn.risk is not None):
            turn.by = data.agent
        yield turn


def _check_outcome(data: RecordData, game: Game) -> None:
    """Refuse a record whose moves lead to another outcome."""
    if not game.over:
        if not data.fault:
            raise FormatError("in a record, the moves do not end the game")
        game.stop()
    lost = bool(data.fault)
    score = game.score if game.score is None or not lost else min(game.score, 0.0)
    found: dict[str, Any] = {"won": game.won and not lost, "score": score}
    found |= {name: getattr(game, name) for name in ("right", "wrong", "exploded")}
    for name, value in found.items():
        given = getattr(data, name)
        if given != value and (None in (given, value) or not isclose(given, value, abs_tol=1e-9)):
            raise FormatError(say("refusal.outcome", name=repr(name), given=given, found=value))
