"""`mineproof assist`: it names a cell, you say what it showed."""

from __future__ import annotations

from collections.abc import Callable
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
    seen_position,
    shape_option,
    shape_options,
    take_shape,
)
from mineproof.errors import InvalidInput, share

if TYPE_CHECKING:
    from mineproof.cli.assist.screen import Screen
    from mineproof.games.dialogue import Dialogue
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
@click.option("--density", type=float, help="Without a count: the chance of a mine in a cell.")
@dots_option
@shape_option
@opening_option("What your board promises of the first cell.")
@on_mine_option
@clues_option
@click.option(
    "--agent", type=AGENT, default=DEFAULT_AGENT, show_default=True, help="Who names cells."
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write what was played to this file in the end: .jsonl (a line more), .rawvf, else JSON.",
)
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
    """Get advice for a board that is in another program.

    It names a cell and says why and at what risk, and every other that is safe; you open them
    and type what they showed: 0 to 8, - (no clue) or mine. Others go with it, as `2,3=1 2,4=0`;
    `help` tells more. An answer that cannot be is taken back, and the clues that
    clash are marked. The shape and the mines are asked for unless given; POSITION, a view, a
    picture of your screen or what else 'mineproof analyse -h' names, is where a game under way
    stands. The last line says `won`, `lost` or `stopped`.

    JSON, for programs: the messages of 'mineproof engine', the game already set up.
    """
    from mineproof.world.rules import Rules

    seen = _read(position, dots, options.pop("shape"))
    given = _Given(take_shape(options), seen, mines, density, opening)
    given.check()
    if save is not None and not clues.is_exact:
        raise InvalidInput("--save goes with exact clues: others cannot be played again")

    def rules(view: View) -> Rules:
        return Rules(on_mine, opening, count_known=view.mines is not None, density=density)

    if as_json:
        return _answer(given, rules, clues, agent, save)
    return _help(given, rules, clues, agent, save)


def _read(position: str | None, dots: Dots | None, shape: Grid | None) -> View | None:
    if position is None:
        return None
    if position == "-":
        raise InvalidInput("standard input is for your answers: give the position or a file")
    return seen_position(position, "assist", None, dots, shape)


class _Given(NamedTuple):
    """What the options tell of the board."""

    shape: Shape | None
    seen: View | None
    mines: int | None
    density: float | None
    opening: Opening

    def check(self) -> None:
        """Refuse at once what no answer could mend."""
        if self.mines is not None and self.density is not None:
            raise InvalidInput("give the number of mines or their density, and not both")
        if self.density is not None:
            share(self.density, "a density")
        if self.seen is not None and self.shape is not None:
            raise InvalidInput("a position has its own shape: not with --level, --rows or --cols")
        self.view()

    def view(self) -> View | None:
        """The view to begin with, as far as it is told; refuses mines that do not fit."""
        if self.seen is not None:
            return self._counted(self.seen)
        return None if self.shape is None else self.hidden(self.shape, self.mines)

    def lacks_count(self, shape: Shape) -> bool:
        """Whether nothing tells how many mines there are."""
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
        from mineproof.world.view import View

        if view.mines is not None and self.density is not None:
            raise InvalidInput("the position tells the number of mines: not with --density")
        if view.mines is not None and self.mines not in {None, view.mines}:
            raise InvalidInput(f"the position has {view.mines} mines, not {self.mines}")
        if view.mines is not None:
            return view
        return View(view.grid, view.states, self.mines, view.bounds)


# Programs


def _answer(
    given: _Given,
    rules: Callable[[View], Rules],
    clues: ClueModel,
    agent: str,
    save: Path | None,
) -> int:
    """Messages, of the game that the options set up."""
    from mineproof.cli.conversing import Conversing
    from mineproof.protocol import Session

    session = Session(agent=agent)
    view = given.view()
    if view is not None:
        session.look_at(view, rules(view), clues)
    Conversing(session).run()
    if save is not None and session.is_told:
        _save(session.dialogue, save)
    return 0


# People


def _help(
    given: _Given,
    rules: Callable[[View], Rules],
    clues: ClueModel,
    agent: str,
    save: Path | None,
) -> int:
    from mineproof.cli.assist.screen import Screen, Stopped
    from mineproof.games.dialogue import Dialogue, Over

    screen, code = Screen(), 0
    dialogue: Dialogue | None = None
    try:
        view = _begin(screen, given)
        dialogue = Dialogue(view, agent, rules=rules(view), clues=clues)
        _talk(dialogue, screen)
    except Stopped as stopped:
        screen.end(Over("stopped", str(stopped)), dialogue)
    except KeyboardInterrupt:
        screen.end(Over("stopped", "interrupted"), dialogue)
        code = 130
    if save is not None and dialogue is not None:
        _save(dialogue, save)
    return code


def _save(dialogue: Dialogue, path: Path) -> None:
    from mineproof.errors import counted
    from mineproof.games import replays
    from mineproof.games.retelling import retell

    if not dialogue.begun:
        click.echo("no cell was opened: no record is written", err=True)
        return
    retold = retell(dialogue)
    replays.write(path, [retold.record], **retold.more)
    if retold.unsettled:
        cells = counted(len(retold.unsettled), "cell")
        click.echo(
            f"{cells} never came to be known: the record has an arrangement that fits", err=True
        )


def _begin(screen: Screen, given: _Given) -> View:
    """The view before the first answer; what no option tells is asked for."""
    from mineproof.cli.assist.typed import read_count, read_shape

    def shape_of(text: str) -> Shape:
        found = read_shape(text.strip() or DEFAULT_LEVEL)
        given.hidden(found, given.mines)
        return found

    if given.seen is not None:
        view = given.view()
        assert view is not None
        return view
    where = f"which shape? (as 16x30/99, or a level; nothing for {DEFAULT_LEVEL}) "
    shape = given.shape or _heard(screen, where, shape_of)
    if given.lacks_count(shape):
        count = "how many mines? (nothing if you do not know) "
        return _heard(screen, count, lambda text: given.hidden(shape, read_count(text)))
    return given.hidden(shape, given.mines)


def _heard(screen: Screen, prompt: str, read: Callable[[str], _Value]) -> _Value:
    """An answer, asked for until it can be read."""
    while True:
        try:
            return read(_unless_quit(screen.hear(prompt)))
        except InvalidInput as error:
            screen.complain(error)


def _unless_quit(line: str) -> str:
    from mineproof.cli.assist.screen import Stopped
    from mineproof.cli.assist.typed import QUIT

    if line.strip().lower() in QUIT:
        raise Stopped("as you wish")
    return line


def _talk(dialogue: Dialogue, screen: Screen) -> None:
    """Ask and hear until the game is over."""
    from mineproof.cli.assist.typed import Why, read_answer
    from mineproof.games.dialogue import Over, Slip

    screen.begin(dialogue)
    while not isinstance(advice := dialogue.advise(), Over):
        try:
            answer = read_answer(_unless_quit(screen.ask(dialogue, advice)))
            if answer == "undo":
                dialogue.undo()
            elif isinstance(answer, Why):
                screen.explain(dialogue, answer.cell)
            elif isinstance(answer, str):
                screen.help(dialogue, advice, answer)
            else:
                dialogue.answer(answer)
        except Slip as slip:
            screen.refuse(slip)
        except InvalidInput as error:
            screen.complain(error)
    screen.end(advice, dialogue)
