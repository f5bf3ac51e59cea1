"""Step through a game with keys, forwards and backwards, with probabilities and reasons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from mineproof.cli.keyboard import Keyboard, is_terminal, typing
from mineproof.cli.play.live import GamePosition, describe, frame, layout, placed, say_stopped
from mineproof.cli.play.outlook import look
from mineproof.cli.position_text import name_risk
from mineproof.errors import InvalidInput, MineproofError
from mineproof.games.analysis import best_moves
from mineproof.phrases import say
from mineproof.reasoning.posterior import Posterior, posterior
from mineproof.reasoning.premises import PremiseFinder
from mineproof.render import draw_odds, draw_proof, is_poor
from mineproof.world.geometry import name_cell

if TYPE_CHECKING:
    from mineproof.cli.play.outlook import Watched
    from mineproof.world.geometry import Cell
    from mineproof.world.move import Move
    from mineproof.world.turn import Turn
    from mineproof.world.view import View

_KEYS = {
    **dict.fromkeys((" ", "enter", "n", "right"), "next"),
    **dict.fromkeys(("b", "backspace", "left"), "back"),
    "o": "odds",
    "w": "why",
    **dict.fromkeys(("q", "\x04"), "quit"),
}
"""The action of each key."""
_HELP = "space {next}   b back   o odds   w why   q quit"
_BEST = 5
"""The number of cells listed for a guess."""


def check_terminal() -> None:
    """Raise an error unless input and output are a terminal."""
    if not is_terminal():
        raise InvalidInput("--step reads keys, so input and output must be a terminal")


def show(match: Watched, turns: Iterable[Turn]) -> int | None:
    """Step through the match with keys; return the exit code if it was left before its end."""
    console = Console(highlight=False)
    walk = _Stepper(match, turns)
    try:
        with (
            typing() as keyboard,
            Live(console=console, auto_refresh=False, transient=True) as screen,
        ):
            screen.update(walk.frame(console), refresh=True)
            for key in _keys(keyboard):
                if not walk.press(key):
                    break
                screen.update(walk.frame(console), refresh=True)
    except KeyboardInterrupt:
        walk.say_stopped()
        return 130
    if match.over:
        return None
    walk.say_stopped()
    return 0


def _keys(keyboard: Keyboard) -> Iterator[str]:
    """Yield the action of each key pressed."""
    while (pressed := keyboard.pressed()) is not None:
        for key in pressed:
            if isinstance(key, str) and (asked := _KEYS.get(key) or _KEYS.get(key.lower())):
                yield asked


class _Stepper:
    """The positions of a game so far, and which one is on the screen."""

    def __init__(self, match: Watched, turns: Iterable[Turn]) -> None:
        self._match = match
        self._turns = iter(turns)
        self._positions = [GamePosition.first(match)]
        self._at = 0
        self._shown = "board"

    def press(self, key: str) -> bool:
        """Perform an action; return False to leave."""
        if key == "quit":
            return False
        if key == "next":
            return self._forth()
        if key == "back":
            self._at = max(self._at - 1, 0)
        else:
            self._shown = "board" if self._shown == key else key
        return True

    def frame(self, console: Console) -> RenderableType:
        """Return what is on the screen now."""
        if self._shown == "board":
            shown = frame(self._positions[self._at], console, more=1)
        else:
            shown = self._explained(console)
        over = self._match.over and self._at == len(self._positions) - 1
        help_line = _HELP.format(next="the end" if over else "next")
        return Group(shown, Text(help_line, style="dim", no_wrap=True, overflow="ellipsis"))

    def say_stopped(self) -> None:
        """Print how far the game was."""
        last = self._positions[-1]
        say_stopped(last.moves, last.view)

    def _forth(self) -> bool:
        self._at += 1
        if self._at < len(self._positions):
            return True
        turn = next(self._turns, None)
        if turn is None:
            return False
        last = self._positions[-1]
        outlook = look(self._match, turn.events, last.outlook)
        self._positions.append(last.after(turn.asked, self._match.view, outlook))
        return True

    def _explained(self, console: Console) -> RenderableType:
        """Return the position before the latest move, with its risks or the clues that prove it."""
        position = self._positions[self._at]
        before = self._positions[max(self._at - 1, 0)]
        view, move, poor = before.view, position.latest, is_poor(console)
        said = describe(position._replace(outlook=before.outlook))
        space, side_by_side = layout(console, view.grid, 3, 1)
        try:
            if self._shown == "why" and move is not None and move.certain:
                clues, how = self._premises(view, move)
                if how:
                    board = draw_proof(view, move.cell, clues, ascii_only=poor, room=space)
                    said = said._replace(state=Text(how, style="dim"))
                    return placed(board, said, console, side_by_side)
            odds = self._odds(view)
        except MineproofError as error:
            position = position._replace(latest=None)
            error_line = Text(say("odds.none", error=error), no_wrap=True)
            return Group(frame(position, console, more=2), error_line)
        cell = None if move is None else move.cell
        board = draw_odds(odds, marked=cell, ascii_only=poor, room=space)
        how = _before(position)
        if self._shown == "why":
            how = say("hint.opening-rule") if _guaranteed(move) else _least(odds)
        return placed(board, said._replace(state=Text(how, style="dim")), console, side_by_side)

    def _premises(self, view: View, move: Move) -> tuple[Sequence[Cell], str]:
        """Return the clues that the move rests on, or others that prove it, with a text."""
        if move.why is not None and move.why.clues and not move.why.every_clue:
            return move.why.clues, say("proof.marked-used", clues=move.why.clues)
        found = self._prover(view).premises(move.cell, mine=move.action == "flag")
        if found is None:
            return (), ""
        if not found.clues:
            return (), say("proof.by-count")
        how = say("proof.marked", clues=found.clues, count_used=found.count_used)
        return found.clues, how

    def _odds(self, view: View) -> Posterior:
        return posterior(view, self._match.clues, density=self._density(view))

    def _prover(self, view: View) -> PremiseFinder:
        return PremiseFinder(view, self._match.clues, density=self._density(view))

    def _density(self, view: View) -> float | None:
        return self._match.rules.density if view.mines is None else None


def _guaranteed(move: Move | None) -> bool:
    """Whether the opening rule makes a move safe."""
    return move is not None and move.why is not None and move.why.phrase.key == "first.guaranteed"


def _before(position: GamePosition) -> str:
    return say("odds.what", moves=position.moves)


def _least(odds: Posterior) -> str:
    moves = best_moves(odds, _BEST)
    named = (f"{name_cell(move.cell)} {name_risk(move.risk, move.certain)}" for move in moves)
    return say("odds.lowest", risks=", ".join(named))
