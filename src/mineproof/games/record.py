"""Records of finished games: turns with their reasons, outcome, score, times."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mineproof.agents.builtin import proves
from mineproof.arguments import each, of_type
from mineproof.errors import check_integer, plural
from mineproof.games.turn_data import turn_json
from mineproof.messages.records import FORMAT
from mineproof.printable import printable
from mineproof.reasoning.influence import Influence
from mineproof.world.board import Board
from mineproof.world.chance import seed_to_json
from mineproof.world.clues import ClueModel
from mineproof.world.conditions import Conditions, name_board
from mineproof.world.fair import DrawnBoard, on_final_board
from mineproof.world.game import Game
from mineproof.world.geometry import Cell
from mineproof.world.move import Move
from mineproof.world.rules import Rules
from mineproof.world.turn import Turn
from mineproof.world.view import View

__all__ = ["Move", "Record", "Turn"]


@dataclass(frozen=True, repr=False)
class Record:
    """A finished game; playing its turns again gives the same game."""

    agent: str
    board: Board
    rules: Rules
    clues: ClueModel
    seed: int
    start: Cell | None
    turns: tuple[Turn, ...]
    won: bool
    score: float | None
    right: int
    wrong: int
    exploded: int
    seconds: float
    fault: str = ""
    """What the agent did wrong, if that lost the game."""
    clicks: int | None = None
    """The number of mouse clicks, if known."""
    undone: int | None = None
    """How often a turn was undone; None unless it was a practice game."""
    drawn: tuple[DrawnBoard, ...] = ()
    """The boards that replaced the one before, with the rule `luck="fair"`. `board` is the last."""

    @classmethod
    def of(cls, game: Game, agent: str, turns: Iterable[Turn], seconds: float) -> Record:
        """Return the record of a finished game with these turns."""
        of_type(game, Game, "game")
        return cls(
            agent=agent,
            board=game.board,
            rules=game.rules,
            clues=game.clues,
            seed=game.seed,
            start=game.start,
            turns=tuple(each(turns, Turn, "turns")),
            won=game.won,
            score=game.score,
            right=game.right,
            wrong=game.wrong,
            exploded=game.exploded,
            seconds=seconds,
            drawn=game.drawn,
        )

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The moves of all turns; a chord is several openings."""
        return tuple(move for turn in self.turns for move in turn.moves)

    @cached_property
    def first(self) -> View:
        """The player's view before the first turn."""
        rules = on_final_board(self.rules)
        return Game(self.board, rules, self.clues, start=self.start, seed=self.seed).view

    @cached_property
    def view(self) -> View:
        """The player's view at the end."""
        return self.view_at(len(self.turns))

    def view_at(self, number: int) -> View:
        """Return the player's view after the first `number` turns."""
        number = check_integer(number, "the number of turns", 0, len(self.turns))
        return self.first.after(event for turn in self.turns[:number] for event in turn.events)

    def positions(self) -> Iterator[tuple[View, Turn]]:
        """Yield every turn with the player's view before it."""
        view = self.first
        for turn in self.turns:
            yield view, turn
            view = view.after(turn.events)

    @property
    def time(self) -> float | None:
        """When the last turn was made, in seconds since the first, if known."""
        return self.turns[-1].seconds if self.turns else None

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
        """The score that the player expected from its flags when it set them; None without a score.

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
        last = self.turns[-1].action if self.turns else None
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
            f"{plural(len(self.turns), 'move')}, {plural(self.guesses, 'guess', 'guesses')}; "
            f"{self.right} of {plural(self.board.mine_count, 'mine')} flagged, "
            f"{plural(self.wrong, 'wrong flag')}, {self.exploded} hit"
        )
        return "\n".join([self._title, plain(self.view, truth=self.board, columns=80), figures])

    def to_html(self) -> str:
        """Return a self-contained HTML page with a slider over the moves."""
        from mineproof.render import player_html

        ending = self._ending
        return player_html(self.board, self.first, self.turns, ending=ending, title=self._title)

    def to_film(self) -> str:
        """Return the whole game as an animated SVG."""
        from mineproof.render import film_svg

        return film_svg(self.board, self.first, self.turns, ending=self._ending)

    def to_svg(self) -> str:
        """Return the end of the game as SVG: the truth on the left, what was known on the right."""
        from mineproof.render import game_svg

        marked = self.turns[-1].cell if self.turns else None
        return game_svg(self.board, self.view, marked=marked, caption=self._ending)

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

    @property
    def _ending(self) -> str:
        return f"{self.outcome}, by {self.agent}"

    @cached_property
    def influence(self) -> Influence:
        """The chain of influence: what each deduced cell rests on, back to the guesses.

        The built-in agent named in the record deduces everything again.
        """
        return self._trace(smallest=False)

    @cached_property
    def smallest_influence(self) -> Influence:
        """The chain of influence with the premises of smallest proofs, so chains are shortest.

        Each cell is deduced when it was in the game, but from the fewest clues that prove it.
        """
        return self._trace(smallest=True)

    def _trace(self, *, smallest: bool) -> Influence:
        from mineproof.agents.builtin import find
        from mineproof.games.influence_trace import (
            trace,  # brings the search for proofs, and few need it
        )

        setting = self.first, self.rules, self.clues, self.seed
        return trace(*setting, self.turns, find(self.agent), smallest=smallest)

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
            **({} if self.clicks is None else {"clicks": self.clicks}),
            **({} if self.undone is None else {"undone": self.undone}),
            **({"drawn": [*map(_drawn_json, self.drawn)]} if self.drawn else {}),
            "moves": [turn_json(turn) for turn in self.turns],
        }

    @classmethod
    def from_json(cls, data: str | dict[str, Any]) -> Record:
        """Return the record of JSON text or data, of this version or the one before.

        An error names the field. The turns are played once to see what they changed.
        """
        from mineproof.games.record_file import read

        return cls(**read(data))


def _drawn_json(drawn: DrawnBoard) -> dict[str, Any]:
    return {**drawn._asdict(), "board": drawn.board.to_text()}
