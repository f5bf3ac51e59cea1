"""Show a game live on a terminal, or as plain lines."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from time import monotonic, sleep
from typing import TYPE_CHECKING, NamedTuple

import click
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mineproof import phrases
from mineproof.cli.play.outlook import Outlook, look
from mineproof.errors import plural
from mineproof.printable import printable
from mineproof.render import Room, draw, is_poor, side_by_side
from mineproof.world.conditions import Conditions, name_board
from mineproof.world.geometry import Grid, name_cell
from mineproof.world.view import COVERED, EXPLODED, FLAGGED, HIDDEN, View, is_opened

if TYPE_CHECKING:
    from mineproof.cli.play.outlook import Watched
    from mineproof.world.board import Board
    from mineproof.world.geometry import Cell
    from mineproof.world.move import Move
    from mineproof.world.turn import Turn
    from mineproof.world.view import Event

_SIDE = 36
"""The columns that the reason needs next to the board."""
_GAP = 2
"""The columns between the board and the reason."""
_BELOW = 6
"""The lines of text below the board, so that an expert board and a hint fit into 24."""


def show(
    match: Watched,
    turns: Iterable[Turn],
    *,
    delay: float,
    plain: bool,
    truth: bool = False,
    in_time: bool = False,
) -> int | None:
    """Play the match, turn by turn, on the screen; return the exit code if Ctrl-C stopped it.

    With `truth`, the true board is shown next to what the agent knows. With `in_time`, the game
    takes no longer than its delays on slow machines either: some certain moves are not drawn.
    """
    console = Console(highlight=False)
    try:
        if plain or not console.is_terminal:
            _print_moves(match, turns, truth)
        else:
            _animate(match, turns, console, delay, truth, in_time)
    except KeyboardInterrupt:
        say_stopped(len(match.turns), match.view)
        return 130
    return None


def say_stopped(moves: int, view: View) -> None:
    """Print how far the game was when it was stopped."""
    click.echo(f"\nstopped after {plural(moves, 'move')}: {_progress(view)}")


class GamePosition(NamedTuple):
    """A game after some of its moves."""

    agent: str
    view: View
    conditions: Conditions
    moves: int = 0
    latest: Move | None = None
    guesses: int = 0
    outlook: Outlook | None = None
    truth: Board | None = None
    """The true board, if it is to be shown next to the view."""

    @classmethod
    def first(cls, match: Watched) -> GamePosition:
        """Return a game before its first move."""
        return cls(match.agent.name, match.view, conditions_of(match))

    def after(
        self,
        move: Move,
        view: View,
        outlook: Outlook | None = None,
        truth: Board | None = None,
    ) -> GamePosition:
        """Return the same game one move later."""
        guesses = self.guesses + (move.action in {"open", "chord"} and not move.certain)
        return self._replace(
            view=view,
            moves=self.moves + 1,
            latest=move,
            guesses=guesses,
            outlook=outlook,
            truth=truth,
        )


def conditions_of(match: Watched) -> Conditions:
    """Return the conditions of a game: board, rules and clue model."""
    return Conditions(name_board(match.view), match.rules, match.clues)


def _animate(
    match: Watched,
    turns: Iterable[Turn],
    console: Console,
    delay: float,
    truth: bool,
    in_time: bool,
) -> None:
    position, due = GamePosition.first(match), monotonic()
    undrawn: list[Event] = []
    with Live(console=console, auto_refresh=False, transient=True) as screen:
        for turn in turns:
            move, board = turn.asked, match.truth if truth else None
            # A guess is worth a longer look.
            pause = delay if move.certain else min(6 * delay, 1.0)
            due = (due if in_time else monotonic()) + pause
            undrawn += turn.events
            if in_time and move.certain and monotonic() > due:
                position = position.after(move, match.view, position.outlook, board)
                continue
            outlook = look(match, undrawn, position.outlook)
            position = position.after(move, match.view, outlook, board)
            screen.update(frame(position, console), refresh=True)
            undrawn = []
            sleep(max(due - monotonic(), 0))


def frame(position: GamePosition, console: Console, more: int = 0) -> RenderableType:
    """Return the board and the text about its latest move, next to it if there is room.

    `more` lines remain free below both.
    """
    view, move = position.view, position.latest
    marked = None if move is None else move.cell
    if position.truth is not None:
        return _with_truth(position, position.truth, marked, console)
    space, aside = layout(console, view.grid, more=more)
    board = draw(view, marked=marked, ascii_only=is_poor(console), room=space)
    return placed(board, describe(position), console, aside)


def _with_truth(
    position: GamePosition, truth: Board, marked: Cell | None, console: Console
) -> RenderableType:
    """Return the true board next to the view, or above it on a narrow screen, with text below."""
    grid, poor = truth.grid, is_poor(console)
    states = bytes(HIDDEN if mine else n for mine, n in zip(truth.mined, truth.counts, strict=True))
    solved = View(grid, states, truth.mine_count)
    columns = len(str(grid.rows - 1)) + 2 + 2 * grid.cols
    lines = max(console.height - _BELOW - 1, 1)
    side_by_side = console.width >= 2 * columns + _GAP
    space = Room(lines, columns) if side_by_side else Room(max(lines // 2 - 1, 1), console.width)
    boards = (
        Group(Text("true board", "dim"), draw(solved, truth=truth, ascii_only=poor, room=space)),
        Group(
            Text("what the agent sees", "dim"),
            draw(position.view, marked=marked, ascii_only=poor, room=space),
        ),
    )
    words = describe(position).lines(max(console.width, 5), _BELOW, ascii_only=poor)
    if not side_by_side:
        return Group(*boards, *words)
    table = Table.grid(padding=(0, _GAP, 0, 0))
    table.add_column(width=columns, no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_row(*boards)
    return Group(table, *words)


def layout(console: Console, grid: Grid, width: int = 2, more: int = 0) -> tuple[Room, bool]:
    """Return the room for a board with cells of this width, and whether text goes next to it.

    It does not depend on anything that changes from move to move, so nothing jumps. `more` lines
    remain free below.
    """
    columns = len(str(grid.rows - 1)) + 2 + width * grid.cols
    lines = max(console.height - more, 1)
    if console.width >= columns + _GAP + _SIDE and grid.rows < lines:
        return Room(lines, columns), True
    return Room(max(lines - _BELOW, 1), max(console.width, 1)), False


class PositionText(NamedTuple):
    """The text about a position."""

    title: Text
    move: Text
    reason: str
    outlook: Outlook | None
    state: Text

    def lines(self, width: int, most: int, *, ascii_only: bool) -> list[Text]:
        """Return all of it; a reason that is too long for `most` lines is cut off with dots."""
        last, dots = [self.state], " ..." if ascii_only else " …"
        if self.outlook is not None:
            last = [self.outlook.words(width, ascii_only=ascii_only), self.state]
        taken = sum(
            len(textwrap.wrap(text.plain, width)) for text in (self.title, self.move, *last)
        )
        reason = textwrap.wrap(self.reason, width, max_lines=max(most - taken, 1), placeholder=dots)
        return [self.title, self.move, Text("\n".join(reason)), *last]


def placed(board: Text, words: PositionText, console: Console, aside: bool) -> RenderableType:
    """Return a board with text next to it or below; the text never pushes a cell out."""
    poor, lines = is_poor(console), board.plain.split("\n")
    if not aside:
        return Group(board, *words.lines(max(console.width, 5), _BELOW, ascii_only=poor))
    width = max(map(len, lines))
    # Padded on the right only: otherwise rich before 14.3 cuts off part of the last column.
    table = Table.grid(padding=(0, _GAP, 0, 0))
    table.add_column(width=width, no_wrap=True)
    table.add_column()
    said = words.lines(console.width - width - _GAP, len(lines) - 1, ascii_only=poor)
    table.add_row(board, Padding(Group(*said), (1, 0, 0, 0)))
    return table


def describe(position: GamePosition) -> PositionText:
    """Return the agent, the latest move, its reason, the win probability and the progress."""
    view, move = position.view, position.latest
    title = Text(f"{position.agent} on {position.conditions}", style="bold")
    if move is None:
        return PositionText(title, Text("before the first move"), "", None, Text(""))
    if move.claimed:
        kind = Text("claimed", style="bold yellow")
    elif move.certain:
        kind = Text("certain", style="bold green")
    elif move.risk is None and not move.reason:  # a person's move
        kind = Text("")
    else:
        risk = "none" if move.risk is None else move.risk
        kind = Text(phrases.say("live.guess", risk=risk), style="bold yellow")
    what = Text(f"move {position.moves}: {move.action} {name_cell(move.cell)}  ")
    guesses = plural(position.guesses, "guess", "guesses")
    state = Text(f"{_progress(view)}, {guesses}", style="dim")
    reason = move.reason[:1].upper() + move.reason[1:]
    return PositionText(title, what.append_text(kind), reason, position.outlook, state)


def _print_moves(match: Watched, turns: Iterable[Turn], truth: bool) -> None:
    """Print every guess, and one line for the deductions or claims after it.

    With `truth`, both boards are printed after each guess.
    """
    click.echo(printable(f"{match.agent.name} on {conditions_of(match)}"))
    opened = flagged = 0
    claimed = False
    for number, turn in enumerate(turns, start=1):
        move, events = turn.asked, turn.events
        if move.certain and move.action in {"open", "flag"}:
            flagged += move.action == "flag"
            opened += sum(event.state not in COVERED for event in events)
            claimed |= move.claimed
            continue
        _print_certain(opened, flagged, claimed)
        opened = flagged = 0
        claimed = False
        hit = any(event.state == EXPLODED for event in events)
        shown = "a mine" if hit else _done(move, events)
        why = f"; {move.reason}" if move.reason else ""
        click.echo(printable(f"move {number}: {move.action} {name_cell(move.cell)}: {shown}{why}"))
        if truth and match.truth is not None:
            click.echo(side_by_side(match.truth, match.view))
    _print_certain(opened, flagged, claimed)
    if truth and match.truth is not None:
        click.echo(side_by_side(match.truth, match.view))
    click.echo()


def _done(move: Move, events: Sequence[Event]) -> str:
    if move.action not in {"open", "chord"}:
        return "done"
    return f"{plural(max(len(events), 1), 'cell')} opened"


def _print_certain(opened: int, flagged: int, claimed: bool) -> None:
    if opened or flagged:
        about = {"claimed": claimed, "opened": opened, "flagged": flagged}
        click.echo(f"  {phrases.say('live.deduced', **about)}")


def _progress(view: View) -> str:
    states = view.states
    hit, opened = states.count(EXPLODED), sum(map(is_opened, states))
    about = {"opened": opened, "flagged": states.count(FLAGGED), "hit": hit}
    return phrases.say("live.progress", **about)
