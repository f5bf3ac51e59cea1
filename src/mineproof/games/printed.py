"""The games printed in the reports, played again by the reports' own agents."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from mineproof.agents import Recipe, get
from mineproof.agents.guessers.picks import Picks
from mineproof.formats import examples
from mineproof.games.match import Match
from mineproof.games.record import Record
from mineproof.world.board import Board
from mineproof.world.rules import Rules


class PrintedGame(NamedTuple):
    """A board of a report, with the agent and the rules of the report's game.

    If no cell is certain, the agent opens the cell that the report's agent opened.
    """

    board: Board
    agent: Recipe
    rules: Rules

    def play(self) -> Record:
        """Play the report's game again, and return its record."""
        match = Match(self.board, self.agent, rules=self.rules)
        for _ in match:
            pass
        return match.record()


def printed_game(name: str) -> PrintedGame:
    """Return the game of the example with this name; an example with only a position is refused."""
    example = examples.get(name)
    board = Board.from_text(examples.board_text(name))
    agent: Recipe = get(example.agent)
    cells = tuple((row, col) for row, col in example.picks)
    return PrintedGame(
        board, replace(agent, guess=Picks(cells, agent.guess)), Rules(**example.rules)
    )
