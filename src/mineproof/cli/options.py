"""Options that commands share, and the conversion of what users type into values."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from mineproof.errors import InvalidInput, MineproofError, quote, shorten, unknown_name
from mineproof.formats.input_files import exists, read_bytes, read_text

if TYPE_CHECKING:
    from mineproof.games.record import Record
    from mineproof.positions import GivenPosition
    from mineproof.world.board import Deal, Opening
    from mineproof.world.clues import ClueModel
    from mineproof.world.geometry import Cell, Grid
    from mineproof.world.rules import Rules
    from mineproof.world.view import Dots, View

DEFAULT_LEVEL, DEFAULT_AGENT = "beginner", "exact"
"""The default board and agent of every command."""
YOU = "me"
"""The value of `--agent` in `play` with which the user plays."""
OPENINGS = ("any", "safe", "clear")
_DIGITS = 18


class NamedType(click.ParamType):  # type: ignore[type-arg]
    """A type of value read by a function; its errors become usage errors, its names complete."""

    def __init__(
        self, name: str, read: Callable[[str], Any], names: Callable[[], list[str]] = list
    ) -> None:
        self.name = name
        self._read = read
        self._names = names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert what was typed."""
        if not isinstance(value, str):
            return value
        try:
            return self._read(value)
        except MineproofError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        """Return the names that begin with what was typed."""
        # In a list, the part after the last comma is being typed.
        done, comma, rest = incomplete.rpartition(",")
        return [
            CompletionItem(f"{done}{comma}{name}")
            for name in self._names()
            if name.startswith(rest)
        ]


class WholeNumber(click.types.IntParamType):
    """A whole number that fits into 64 bits."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert what was typed."""
        if isinstance(value, str) and len(value.strip()) > _DIGITS:
            self.fail(f"{shorten(value)!r} is not a number of at most {_DIGITS} digits", param, ctx)
        return super().convert(value, param, ctx)


def _levels() -> list[str]:
    from mineproof.world.board import LEVELS

    return list(LEVELS)


def _level(text: str) -> str:
    if text not in _levels():
        raise unknown_name("level", text, _levels())
    return text


def _agent_names() -> list[str]:
    from mineproof import agents

    return agents.names()


def _agent(text: str) -> str:
    from mineproof import agents

    name: str = agents.get(text).name
    return name


def _player(text: str) -> str:
    return YOU if text == YOU else _agent(text)


def _agents(text: str) -> list[str]:
    from mineproof.agents.registry import split

    return [_agent(part) for part in split(text)]


def _grid(text: str) -> Grid:
    from mineproof.world.geometry import Grid

    rows, _, cols = text.partition("x")
    if not (rows.isdecimal() and cols.isdecimal()):
        raise InvalidInput(f"a shape must be ROWSxCOLS, such as 16x30, got {quote(text)}")
    return Grid(int(rows[:9]), int(cols[:9]))


def _clues(text: str) -> ClueModel:
    from mineproof.world import clues

    if text.startswith("table:") and not text.startswith("table:["):
        text = f"table:{read_text(text.removeprefix('table:'))}"
    return clues.parse(text)


def _clue_names() -> list[str]:
    return ["exact", "sometimes:0.5", "optimistic", "cautious", "table:"]


def _cell(text: str) -> Cell:
    row, comma, col = text.partition(",")
    try:
        if not comma:
            raise ValueError
        return int(row), int(col)
    except ValueError:
        raise InvalidInput(f"a cell must be ROW,COL, such as 0,3, got {shorten(text)!r}") from None


def _seed(text: str) -> int:
    from mineproof.world.chance import check_seed

    try:
        if len(text) > 20:
            raise InvalidInput(f"a seed must be from 0 to 2**64 - 1, got {shorten(text)}")
        return check_seed(int(text))
    except ValueError as error:
        if isinstance(error, MineproofError):
            raise
        raise InvalidInput(f"a seed must be a whole number, got {shorten(text)!r}") from None


LEVEL = NamedType("level", _level, _levels)
AGENT = NamedType("agent", _agent, _agent_names)
PLAYER = NamedType("agent", _player, lambda: [YOU, *_agent_names()])
AGENTS = NamedType("agents", _agents, _agent_names)
CLUES = NamedType("model", _clues, _clue_names)
CELL = NamedType("row,col", _cell)
SEED = NamedType("number", _seed)
WHOLE = WholeNumber()
FILE = click.Path(dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)


clues_option = click.option(
    "--clues",
    type=CLUES,
    default="exact",
    show_default=True,
    help="Clue model: exact, sometimes:P, optimistic, cautious or table:FILE.",
)
dots_option = click.option(
    "--dots",
    type=click.Choice(["hidden", "safe"]),
    help="Read an ambiguous `.` as a hidden cell, or as one known to be safe.",
)
shape_option = click.option(
    "--shape",
    type=NamedType("rowsxcols", _grid),
    metavar="ROWSxCOLS",
    help="Shape of the board in a screenshot, if it is not recognised.",
)
on_mine_option = click.option(
    "--on-mine",
    type=click.Choice(["end", "continue"]),
    default="end",
    show_default=True,
    help="When a mine is hit, end the game, or continue for a score.",
)


save_option = click.option(
    "--save",
    type=FILE,
    help="Write the game to this file: .jsonl (appends), .rawvf, otherwise JSON.",
)
seconds_option = click.option(
    "--move-timeout",
    "seconds",
    type=float,
    help="Time limit per move for your own agents; exceeding it forfeits the game. [default: 60]",
)


def position_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the argument POSITION, how to read it, and what is known about its clues and mines."""
    for option in (
        click.option("--density", type=float, help="Mine density, if the mine count is unknown."),
        clues_option,
        shape_option,
        dots_option,
        click.option("--mines", type=WHOLE, help="Mine count, if the position does not give it."),
        click.argument("position", required=False),
    ):
        function = option(function)
    return function


def shape_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add options for the size of a board: a level, or rows and columns; and its mines."""
    for option in (
        click.option("--mines", type=WHOLE, help="Number of mines."),
        click.option("--cols", type=WHOLE, help="Number of columns."),
        click.option("--rows", type=WHOLE, help="Number of rows."),
        click.option(
            "--level",
            type=LEVEL,
            help=f"Level: beginner, intermediate or expert. [default: {DEFAULT_LEVEL}]",
        ),
    ):
        function = option(function)
    return function


def board_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add options for the kind of board: a level, or a shape and its mines."""
    for option in (
        click.option(
            "--independent", is_flag=True, help="With --density: decide each cell independently."
        ),
        click.option("--density", type=float, help="Mines as a fraction of the cells, 0 to 1."),
        shape_options,
    ):
        function = option(function)
    return function


def rule_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add options for the rules of the game and the clue model."""
    for option in (
        clues_option,
        click.option("--no-flood", is_flag=True, help="Do not open the neighbours of a zero."),
        click.option("--no-count", is_flag=True, help="Hide the mine count."),
        click.option(
            "--luck",
            type=click.Choice(["dealt", "fair"]),
            default="dealt",
            show_default=True,
            help="Fix the board when it is dealt, or make every loss a mistake.",
        ),
        on_mine_option,
        click.option("--start", type=CELL, help="First cell. [default: the player's choice]"),
        click.option(
            "--opening",
            type=click.Choice(OPENINGS),
            help="Guarantee for the first cell: none, no mine, or a zero. [default: safe]",
        ),
    ):
        function = option(function)
    return function


def opening_option(about: str, default: Opening = "safe") -> Callable[..., Any]:
    """Return a decorator that adds `--opening` alone, without the other rules."""
    return click.option(
        "--opening",
        type=click.Choice(OPENINGS),
        default=default,
        show_default=True,
        help=about,
    )


def json_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def refuse_shape(options: dict[str, Any], given: str) -> None:
    """Raise InvalidInput if options for shape or mines were given along with ready boards."""
    shape = ("level", "rows", "cols", "mines", "density", "independent")
    for name in shape:
        if options.pop(name):
            raise InvalidInput(f"{given} already sets shape and mines: leave out --{name}")


def take_shape(options: dict[str, Any]) -> tuple[int, int, int | None] | None:
    """Return rows, columns and (for a level) mines; None if no shape was given."""
    from mineproof.world.board import LEVELS

    level, rows, cols = options.pop("level"), options.pop("rows"), options.pop("cols")
    shaped = rows is not None or cols is not None
    if shaped and level is not None:
        raise InvalidInput("give a level or a shape (--rows and --cols), not both")
    if shaped and (rows is None or cols is None):
        raise InvalidInput("a shape needs both --rows and --cols")
    if shaped:
        return rows, cols, None
    return None if level is None else LEVELS[level]


def take_deal(options: dict[str, Any]) -> Deal:
    """Return the deal that the board options describe."""
    from mineproof.world.board import LEVELS, Deal

    rows, cols, usual = take_shape(options) or LEVELS[DEFAULT_LEVEL]
    mines, density = options.pop("mines"), options.pop("density")
    independent = options.pop("independent")
    if mines is None and density is None:
        mines = usual
    if mines is None and density is None:
        raise InvalidInput(
            f"the {rows}x{cols} board needs a number of mines: give --mines or --density"
        )
    return Deal(rows, cols, mines, density=density, independent=independent)


def take_rules(options: dict[str, Any], deal: Deal | None, opening: Opening = "safe") -> Rules:
    """Return the rules that the rule options describe.

    If mines are placed independently, the player knows their density instead of their count.
    """
    from mineproof.world.rules import Rules

    shown = not options.pop("no_count")
    independent = deal is not None and deal.independent
    return Rules(
        on_mine=options.pop("on_mine"),
        opening=options.pop("opening") or opening,
        count_known=shown and not independent,
        density=deal.density if deal is not None and independent and shown else None,
        flood=not options.pop("no_flood"),
        luck=options.pop("luck"),
    )


def override_rules(rules: Rules, options: dict[str, Any]) -> Rules:
    """Return these rules, changed by the options that were typed."""
    from dataclasses import replace

    typed = click.get_current_context().get_parameter_source
    changes: dict[str, Any] = {}
    if typed("on_mine") is ParameterSource.COMMANDLINE:
        changes["on_mine"] = options["on_mine"]
    if options["luck"] != "dealt":
        changes["luck"] = options["luck"]
    if options["opening"] is not None:
        changes["opening"] = options["opening"]
    if options["no_count"]:
        changes |= {"count_known": False}
    if options["no_flood"]:
        changes["flood"] = False
    return replace(rules, **changes)


def read_position(
    position: str | None,
    command: str,
    mines: int | None = None,
    dots: Dots | None = None,
    shape: Grid | None = None,
) -> GivenPosition:
    """Read the position that was typed, or that of a file, an example or a pipe (`-` or None)."""
    from mineproof import positions

    piped = sys.stdin is not None and not sys.stdin.isatty()
    if position is None and not piped:
        raise InvalidInput(
            "no position given: type one, name a file or pipe one in "
            f"(see 'mineproof {command} -h')"
        )
    return positions.read(position or "-", mines, dots=dots, shape=shape)


def seen_position(
    position: str | None, command: str, mines: int | None, dots: Dots | None, shape: Grid | None
) -> View:
    """Return the view of a position; for a picture, print on stderr how sure the reading is."""
    found = read_position(position, command, mines, dots, shape)
    if found.reading is not None:
        click.echo(found.reading.words, err=True)
    return found.view


index_option = click.option(
    "--index", type=WHOLE, help="Which game in the file to use. [default: 1]"
)


def read_game(path: str, index: int | None) -> Record:
    """Return game `index` of a file (default: the first, with a note if there are more)."""
    from mineproof.games import replays

    games = replays.read(path)
    if index is not None and not 1 <= index <= len(games):
        raise InvalidInput(f"--index must be from 1 to {len(games)} for this file, got {index}")
    if index is None and len(games) > 1:
        click.echo(f"game 1 of {len(games)} (choose another with --index)", err=True)
    return games[(index or 1) - 1]


def read_boards(name: str) -> str | bytes:
    """Return the content of a file with boards, or the board of the example of this name."""
    if is_example(name):
        from mineproof.formats.examples import board_text

        return board_text(name)
    return read_bytes(name)


def is_example(name: str) -> bool:
    """Whether an example has this name and no file does."""
    from mineproof.formats import examples

    return examples.is_example(name) and not exists(name)
