"""`mineproof assist`: it names a cell, you say what it showed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from mineproof.cli.options import (
    AGENT,
    clues_option,
    json_option,
    on_mine_option,
    opening_option,
    shape_options,
    take_shape,
)
from mineproof.errors import InvalidInput, share

if TYPE_CHECKING:
    from mineproof.cli.assist.voices import Voice
    from mineproof.games.dialogue import Dialogue
    from mineproof.world.board import Opening
    from mineproof.world.clues import ClueModel
    from mineproof.world.rules import OnMine
    from mineproof.world.view import View

    Shape = tuple[int, int, int | None]

_Value = TypeVar("_Value")


@click.command("assist")
@shape_options
@click.option("--density", type=float, help="Without a count: the chance of a mine in a cell.")
@opening_option("What your board promises of the first cell.", "safe")
@on_mine_option
@clues_option
@click.option("--agent", type=AGENT, default="exact", show_default=True, help="Who names cells.")
@json_option
def command(
    mines: int | None,
    density: float | None,
    opening: Opening,
    on_mine: OnMine,
    clues: ClueModel,
    agent: str,
    as_json: bool,
    **options: Any,
) -> int:
    """Help with a board that you have in mind, or on another screen.

    It names a cell and says why and at what risk; you open it and type what it
    showed: 0 to 8, - (no clue) or mine. Others go with it, as `2,3=1 2,4=0`;
    `help` tells more. An answer that cannot be is taken back, and the clues that
    clash are marked. The shape and the mines are asked for unless given. The last
    line says `won`, `lost` or `stopped`.

    JSON, for programs: a line out is {"ask": [ROW, COL], "action": "open", "risk",
    "certain", "reason", "view"}, and a line in answers it, as typed or as {"cell":
    [ROW, COL], "shows": 3}. Other lines out are {"error", "clues"}, after which it
    asks again, and {"over": "won", "lost" or "stopped", ...}.
    """
    from mineproof.cli.assist.voices import Lines, Screen, Stopped
    from mineproof.games.dialogue import Dialogue, Over
    from mineproof.world.rules import Rules

    given = _Given(take_shape(options), mines, density, opening)
    given.check(ask=not as_json)
    voice: Voice = Lines() if as_json else Screen()
    dialogue: Dialogue | None = None
    try:
        view = _begin(voice, given, ask=not as_json)
        rules = Rules(on_mine, opening, count_known=view.mines is not None, density=density)
        dialogue = Dialogue(view, agent, rules=rules, clues=clues)
        _talk(dialogue, voice)
    except Stopped as stopped:
        voice.end(Over("stopped", str(stopped)), dialogue)
    except KeyboardInterrupt:
        voice.end(Over("stopped", "interrupted"), dialogue)
        return 130
    return 0


class _Given(NamedTuple):
    """What the options tell of the board."""

    shape: Shape | None
    mines: int | None
    density: float | None
    opening: Opening

    def check(self, *, ask: bool) -> None:
        """Refuse at once what no answer could mend."""
        if self.mines is not None and self.density is not None:
            raise InvalidInput("give the number of mines or their density, and not both")
        if self.density is not None:
            share(self.density, "a density")
        if self.shape is not None:
            self.view(self.shape, self.mines)
        elif not ask:
            raise InvalidInput("which shape? with --json give --level, or --rows and --cols")

    def lacks_count(self, shape: Shape) -> bool:
        """Whether nothing tells how many mines there are."""
        return self.mines is None and self.density is None and shape[2] is None

    def view(self, shape: Shape, mines: int | None) -> View:
        """The view before the first move; refuses mines that do not fit."""
        from mineproof.world.board import Deal
        from mineproof.world.view import View

        rows, cols, usual = shape
        if mines is None and self.density is None:
            mines = usual
        if mines is not None:
            Deal(rows, cols, mines).check(self.opening)
        return View.hidden(rows, cols, mines)


def _begin(voice: Voice, given: _Given, *, ask: bool) -> View:
    """The view before the first move; what no option tells is asked for."""
    from mineproof.cli.assist.typed import read_count, read_shape

    def shape_of(text: str) -> Shape:
        found = read_shape(text)
        given.view(found, given.mines)
        return found

    where = "which shape? (as 9x9, 16x30/99, or a level as expert) "
    shape = given.shape or _heard(voice, where, shape_of)
    if ask and given.lacks_count(shape):
        count = "how many mines? (nothing if you do not know) "
        return _heard(voice, count, lambda text: given.view(shape, read_count(text)))
    return given.view(shape, given.mines)


def _heard(voice: Voice, prompt: str, read: Callable[[str], _Value]) -> _Value:
    """An answer, asked for until it can be read."""
    while True:
        try:
            return read(_unless_quit(voice.hear(prompt)))
        except InvalidInput as error:
            voice.complain(error)


def _unless_quit(line: str) -> str:
    from mineproof.cli.assist.typed import QUIT
    from mineproof.cli.assist.voices import Stopped

    if line.strip().lower() in QUIT:
        raise Stopped("as you wish")
    return line


def _talk(dialogue: Dialogue, voice: Voice) -> None:
    """Ask and hear until the game is over."""
    from mineproof.cli.assist.typed import Why, read_answer
    from mineproof.games.dialogue import Over, Slip

    voice.begin(dialogue)
    while not isinstance(advice := dialogue.advise(), Over):
        try:
            answer = read_answer(_unless_quit(voice.ask(dialogue, advice)))
            if answer == "undo":
                dialogue.undo()
            elif isinstance(answer, Why):
                voice.explain(dialogue, answer.cell)
            elif isinstance(answer, str):
                voice.help(dialogue, advice, answer)
            else:
                dialogue.answer(answer)
        except Slip as slip:
            voice.refuse(slip)
        except InvalidInput as error:
            voice.complain(error)
    voice.end(advice, dialogue)
