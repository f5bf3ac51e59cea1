"""The record of an assisted game, reconstructed from the user's answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from mineproof.errors import InvalidInput
from mineproof.games.assistant import Assistant
from mineproof.games.record import Record
from mineproof.phrases import Phrase
from mineproof.reasoning.posterior import posterior, sample
from mineproof.world.board import Board
from mineproof.world.clues import Exact
from mineproof.world.game import Game
from mineproof.world.geometry import Cell
from mineproof.world.move import Move
from mineproof.world.turn import Turn
from mineproof.world.view import COVERED, EXPLODED, UNTOUCHED, View

NAME = "assist"
"""The player's name in records of assisted games."""


class ReconstructedGame(NamedTuple):
    """A record, and the cells of its board that the answers leave undecided.

    Those cells hold one possible configuration of mines: opening the same cells in the same order
    shows the same clues.
    """

    record: Record
    unsettled: tuple[Cell, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON data, with `unsettled` if there are undecided cells."""
        return self.record.to_json() | self.more

    @property
    def more(self) -> dict[str, Any]:
        """JSON fields that are not part of the record."""
        return {"unsettled": self.unsettled} if self.unsettled else {}


def reconstruct(assistant: Assistant) -> ReconstructedGame:
    """Return the record of an assisted game; an unfinished one ends with a stop.

    If play goes on after a mine, the proved mines count as flagged.
    """
    if not isinstance(assistant.clues, Exact):
        raise InvalidInput("games with uncertain clues cannot be recorded: they cannot be replayed")
    board, unsettled = _board(assistant)
    opened = list(_opened(assistant))
    if not opened:
        raise InvalidInput("there is nothing to record: no cell was opened")
    rules = assistant.rules
    if not board.keeps(rules.opening, opened[0].cell):
        rules = replace(rules, opening="any")  # it began before the assistant was asked
    game = Game(board, rules)
    turns: list[Turn] = []
    flags = _flags(assistant) if rules.on_mine == "continue" else ()
    for move in (*opened, *flags):
        allowed = COVERED if move.action == "open" else UNTOUCHED
        if not game.over and game.view.state(move.cell) in allowed:
            turns.append(game.turn(Turn(move, NAME)))
    if not game.over:
        end = Move(turns[-1].cell, "stop", None, False, "the answers end here")
        turns.append(game.turn(Turn(end, NAME)))
    return ReconstructedGame(Record.of(game, NAME, turns, 0.0), unsettled)


def _board(assistant: Assistant) -> tuple[Board, tuple[Cell, ...]]:
    """A board with the known mines, and with possible ones elsewhere; the undecided cells."""
    view, odds = assistant.view, assistant.odds
    settled = {*odds.safe, *odds.mined}
    open_cells = tuple(cell for cell in view.cells(*COVERED) if cell not in settled)
    if not open_cells:
        return Board.from_mines(view.rows, view.cols, [*odds.mined, *view.cells(EXPLODED)]), ()
    density = assistant.rules.density if view.mines is None else None
    return sample(view, 1, assistant.clues, density=density)[0], open_cells


def _opened(assistant: Assistant) -> Iterator[Move]:
    """Every opened cell in order; in each answer, exploded mines come last.

    A cell that was corrected counts once, with its final value.
    """
    first, last = assistant.first, assistant.view
    reason = Phrase("move.already-open")
    for cell in first.grid.cells(range(first.grid.size)):
        if first.state(cell) not in COVERED:
            yield Move(cell, "open", None, False, reason)
    for before, answered in assistant.course:
        cells = [cell for cell in answered if before.state(cell) in COVERED]
        cells.sort(key=lambda cell: last.state(cell) == EXPLODED)
        yield from _moves(assistant, before, cells)


def _flags(assistant: Assistant) -> Iterator[Move]:
    """Flags on the mines that the answers prove."""
    for cell in assistant.odds.mined:
        yield Move(cell, "flag", 0.0, True, Phrase("assist.mine"), "exact")


def _moves(assistant: Assistant, before: View, cells: list[Cell]) -> Iterator[Move]:
    """The moves of one answer, each with its risk."""
    if not cells:
        return
    density = assistant.rules.density if before.mines is None else None
    odds = posterior(before, assistant.clues, density=density)
    begins = assistant.rules.opening != "any" and len(before.cells(*COVERED)) == before.grid.size
    safe = set(odds.safe)
    for place, cell in enumerate(cells):
        certain = cell in safe or (begins and place == 0)
        risk = 0.0 if certain else float(odds.risk[cell])
        why = Phrase("assist.opened", {"certain": certain, "risk": risk})
        yield Move(cell, "open", risk, certain, why)
