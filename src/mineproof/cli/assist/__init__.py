"""`mineproof assist`: advice for a board in another program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from mineproof.cli.options import (
    AGENT,
    DEFAULT_AGENT,
    DEFAULT_LEVEL,
    clues_option,
    dots_option,
    json_option,
    on_mine_option,
    opening_option,
    save_option,
    seen_position,
    shape_option,
    shape_options,
    take_shape,
)
from mineproof.errors import InvalidInput, check_probability, plural

if TYPE_CHECKING:
    from mineproof.cli.assist.dialogue import AssistantDialogue
    from mineproof.games.assistant import Assistant
    from mineproof.world.board import Opening
    from mineproof.world.clues import ClueModel
    from mineproof.world.geometry import Grid
    from mineproof.world.rules import OnMine, Rules
    from mineproof.world.view import Dots, View

    Shape = tuple[int, int, int | None]

_Value = TypeVar("_Value")


@click.command("assist")
@click.argument("position", required=False)
@shape_options
@click.option("--density", type=float, help="Mine density, if the mine count is unknown.")
@dots_option
@shape_option
@opening_option("Your board's guarantee for the first cell: none, no mine, or a zero.")
@on_mine_option
@clues_option
@click.option(
    "--agent",
    type=AGENT,
    default=DEFAULT_AGENT,
    show_default=True,
    help="Agent that suggests cells.",
)
@save_option
@json_option
def command(
    position: str | None,
    mines: int | None,
    density: float | None,
    dots: Dots | None,
    opening: Opening,
    on_mine: OnMine,
    clues: ClueModel,
    agent: str,
    save: Path | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Get advice for a board in another program.

    It suggests a cell to open, with its risk and the reason, and lists all other safe cells. Open
    the suggested cell and type what it shows: `0` to `8`, `-` (no clue) or `mine`. For any other
    cell that you open, give its position too: `2,3=1 2,4=0`. `help` lists all commands. An answer
    that contradicts the others is taken back, and the conflicting clues are marked. Unless you give
    the size and the mine count, it asks for them. For a game in progress, give POSITION: a view, a
    screenshot, or anything else that `mineproof analyse -h` lists. The last line is the outcome:
    `won`, `lost` or `stopped`.

    JSON, for programs: the protocol of `mineproof engine`, with the game already set up.
    """
    from mineproof.world.rules import Rules

    seen = _read(position, dots, options.pop("shape"))
    start = _StartPosition(take_shape(options), seen, mines, density, opening)
    start.check()
    if save is not None and not clues.is_exact:
        raise InvalidInput(
            "--save needs exact clues: games with uncertain clues cannot be replayed"
        )

    def rules(view: View) -> Rules:
        return Rules(on_mine, opening, count_known=view.mines is not None, density=density)

    if as_json:
        return _answer(start, rules, clues, agent, save)
    return _help(start, rules, clues, agent, save)


def _read(position: str | None, dots: Dots | None, shape: Grid | None) -> View | None:
    if position is None:
        return None
    if position == "-":
        raise InvalidInput(
            "standard input is for your answers: give the position as text or as a file"
        )
    return seen_position(position, "assist", None, dots, shape)


class _StartPosition(NamedTuple):
    """What the options say about the board."""

    shape: Shape | None
    seen: View | None
    mines: int | None
    density: float | None
    opening: Opening

    def check(self) -> None:
        """Raise `InvalidInput` for options that contradict each other."""
        if self.mines is not None and self.density is not None:
            raise InvalidInput("give either the number of mines or their density, not both")
        if self.density is not None:
            check_probability(self.density, "a density")
        if self.seen is not None and self.shape is not None:
            raise InvalidInput("POSITION already has a size: leave out --level, --rows and --cols")
        self.view()

    def view(self) -> View | None:
        """The first view, or None if the size is not given; raises if the mines do not fit."""
        if self.seen is not None:
            return self._counted(self.seen)
        return None if self.shape is None else self.hidden(self.shape, self.mines)

    def lacks_count(self, shape: Shape) -> bool:
        """Whether neither mine count nor density is given."""
        return self.mines is None and self.density is None and shape[2] is None

    def hidden(self, shape: Shape, mines: int | None) -> View:
        """The view before the first move."""
        from mineproof.world.board import Deal
        from mineproof.world.view import View

        rows, cols, usual = shape
        if mines is None and self.density is None:
            mines = usual
        if mines is not None:
            Deal(rows, cols, mines).check(self.opening)
        return View.hidden(rows, cols, mines)

    def _counted(self, view: View) -> View:
        if view.mines is not None and self.density is not None:
            raise InvalidInput("POSITION already has a mine count: leave out --density")
        if view.mines is not None and self.mines not in {None, view.mines}:
            mines = plural(view.mines, "mine")
            raise InvalidInput(f"POSITION has {mines}, but --mines is {self.mines}")
        if view.mines is not None:
            return view
        return replace(view, mines=self.mines)


# Programs


def _answer(
    start: _StartPosition,
    rules: Callable[[View], Rules],
    clues: ClueModel,
    agent: str,
    save: Path | None,
) -> int:
    """Answer requests about the game that the options set up."""
    from mineproof.cli.pipe_session import PipeSession
    from mineproof.protocol import Session

    session = Session(agent=agent)
    view = start.view()
    if view is not None:
        session.look_at(view, rules(view), clues)
    PipeSession(session).run()
    if save is not None and session.is_assisting:
        _save(session.assistant, save)
    return 0


# People


def _help(
    start: _StartPosition,
    rules: Callable[[View], Rules],
    clues: ClueModel,
    agent: str,
    save: Path | None,
) -> int:
    from mineproof.cli.assist.dialogue import AssistantDialogue, InputEnded
    from mineproof.games.assistant import Assistant, GameEnd

    screen, code = AssistantDialogue(), 0
    assistant: Assistant | None = None
    try:
        view = _begin(screen, start)
        assistant = Assistant(view, agent, rules=rules(view), clues=clues)
        _converse(assistant, screen)
    except InputEnded as stopped:
        screen.end(GameEnd("stopped", str(stopped)), assistant)
    except KeyboardInterrupt:
        screen.end(GameEnd("stopped", "interrupted"), assistant)
        code = 130
    if save is not None and assistant is not None:
        _save(assistant, save)
    return code


def _save(assistant: Assistant, path: Path) -> None:
    from mineproof.games import replays
    from mineproof.games.reconstruction import reconstruct

    if not assistant.begun:
        click.echo("no record written: no cell was opened", err=True)
        return
    found = reconstruct(assistant)
    replays.write(path, [found.record], **found.more)
    if found.unsettled:
        cells = plural(len(found.unsettled), "cell")
        click.echo(
            f"{cells} still unknown at the end: the record assumes one possible configuration",
            err=True,
        )


def _begin(screen: AssistantDialogue, start: _StartPosition) -> View:
    """The view before the first answer; asks for what the options leave open."""
    from mineproof.cli.assist.parsing import read_count, read_shape

    def shape_of(text: str) -> Shape:
        found = read_shape(text.strip() or DEFAULT_LEVEL)
        start.hidden(found, start.mines)
        return found

    if start.seen is not None:
        view = start.view()
        assert view is not None
        return view
    where = f"board size? (such as 16x30/99, or a level; Enter for {DEFAULT_LEVEL}) "
    shape = start.shape or _heard(screen, where, shape_of)
    if start.lacks_count(shape):
        count = "how many mines? (Enter if unknown) "
        return _heard(screen, count, lambda text: start.hidden(shape, read_count(text)))
    return start.hidden(shape, start.mines)


def _heard(screen: AssistantDialogue, prompt: str, read: Callable[[str], _Value]) -> _Value:
    """Ask until the answer can be read, and return it."""
    while True:
        try:
            return read(_unless_quit(screen.hear(prompt)))
        except InvalidInput as error:
            screen.complain(error)


def _unless_quit(line: str) -> str:
    from mineproof.cli.assist.dialogue import InputEnded
    from mineproof.cli.assist.parsing import QUIT

    if line.strip().lower() in QUIT:
        raise InputEnded("you quit the game")
    return line


def _converse(assistant: Assistant, screen: AssistantDialogue) -> None:
    """Suggest cells and read answers until the game is over."""
    from mineproof.cli.assist.parsing import CellQuestion, read_answer
    from mineproof.games.assistant import GameEnd, InconsistentClue

    screen.begin(assistant)
    while not isinstance(advice := assistant.advise(), GameEnd):
        try:
            answer = read_answer(_unless_quit(screen.ask(assistant, advice)))
            if answer == "undo":
                assistant.undo()
            elif isinstance(answer, CellQuestion):
                screen.explain(assistant, answer.cell)
            elif isinstance(answer, str):
                screen.help(assistant, advice, answer)
            else:
                assistant.answer(answer)
        except InconsistentClue as clash:
            screen.refuse(clash)
        except InvalidInput as error:
            screen.complain(error)
    screen.end(advice, assistant)
