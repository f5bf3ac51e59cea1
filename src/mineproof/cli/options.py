"""Options that commands share, and what people type made into values."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from mineproof.errors import InvalidInput, MineproofError, quoted, shorten, unknown_name
from mineproof.formats.reading import exists, read_bytes, read_text

if TYPE_CHECKING:
    from mineproof.games.record import Record
    from mineproof.positions import GivenPosition
    from mineproof.world.board import Deal, Opening
    from mineproof.world.clues import ClueModel
    from mineproof.world.geometry import Cell, Grid
    from mineproof.world.rules import Rules
    from mineproof.world.view import Dots, View

DEFAULT_LEVEL, DEFAULT_AGENT = "beginner", "exact"
"""The board and the agent of every command that is given none."""
YOU = "me"
"""The player of `play` who is no agent."""
OPENINGS = ("any", "safe", "clear")
_DIGITS = 18


class Named(click.ParamType):  # type: ignore[type-arg]
    """A value read by a function; its errors become usage errors; its names complete."""

    def __init__(
        self, name: str, read: Callable[[str], Any], names: Callable[[], list[str]] = list
    ) -> None:
        self.name = name
        self._read = read
        self._names = names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read what was typed."""
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
        """Names that begin so."""
        # Of a list, the part after the last comma is what is being typed.
        done, comma, rest = incomplete.rpartition(",")
        return [
            CompletionItem(f"{done}{comma}{name}")
            for name in self._names()
            if name.startswith(rest)
        ]


class Whole(click.types.IntParamType):
    """A whole number that any part of us can hold: one of 64 bits."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read what was typed."""
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
    from mineproof.agents.named import split

    return [_agent(part) for part in split(text)]


def _grid(text: str) -> Grid:
    from mineproof.world.geometry import Grid

    rows, _, cols = text.partition("x")
    if not (rows.isdecimal() and cols.isdecimal()):
        raise InvalidInput(f"a shape is ROWSxCOLS, as 16x30, got {quoted(text)}")
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
        raise InvalidInput(f"a cell is ROW,COL, got {shorten(text)!r}") from None


def _seed(text: str) -> int:
    from mineproof.world.chance import check_seed

    try:
        if len(text) > 20:
            raise InvalidInput(f"a seed is from 0 to 2**64 - 1, got {shorten(text)}")
        return check_seed(int(text))
    except ValueError as error:
        if isinstance(error, MineproofError):
            raise
        raise InvalidInput(f"a seed is a whole number, got {shorten(text)!r}") from None


LEVEL = Named("level", _level, _levels)
AGENT = Named("agent", _agent, _agent_names)
PLAYER = Named("agent", _player, lambda: [YOU, *_agent_names()])
AGENTS = Named("agents", _agents, _agent_names)
CLUES = Named("model", _clues, _clue_names)
CELL = Named("row,col", _cell)
SEED = Named("number", _seed)
WHOLE = Whole()


clues_option = click.option(
    "--clues",
    type=CLUES,
    default="exact",
    show_default=True,
    help="exact, sometimes:P, optimistic, cautious, table:FILE.",
)
dots_option = click.option(
    "--dots",
    type=click.Choice(["hidden", "safe"]),
    help="What `.` is where it could be either: a hidden cell, or one known to be safe.",
)
shape_option = click.option(
    "--shape",
    type=Named("rowsxcols", _grid),
    metavar="ROWSxCOLS",
    help="The shape of the board in a picture, where it is not found.",
)
on_mine_option = click.option(
    "--on-mine",
    type=click.Choice(["end", "continue"]),
    default="end",
    show_default=True,
    help="A mine ends the game, or play goes on for a score.",
)


seconds_option = click.option(
    "--seconds",
    type=float,
    help="What an agent of your own may take for a move; longer is its fault. [default: 60]",
)


def position_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """A position, how it is read, and what is known of its clues and mines."""
    for option in (
        click.option("--density", type=float, help="Mine density, where no count is known."),
        clues_option,
        shape_option,
        dots_option,
        click.option("--mines", type=WHOLE, help="Mine count, where the position has none."),
        click.argument("position", required=False),
    ):
        function = option(function)
    return function


def shape_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """How large a board: a level, or rows and columns; and how many mines."""
    for option in (
        click.option("--mines", type=WHOLE, help="How many mines."),
        click.option("--cols", type=WHOLE, help="How many columns."),
        click.option("--rows", type=WHOLE, help="How many rows."),
        click.option(
            "--level",
            type=LEVEL,
            help=f"beginner, intermediate or expert. [default: {DEFAULT_LEVEL}]",
        ),
    ):
        function = option(function)
    return function


def board_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """What kind of board: a level, or a shape and its mines."""
    for option in (
        click.option("--independent", is_flag=True, help="Mine each cell by itself (--density)."),
        click.option("--density", type=float, help="Mines as a share of the cells, 0 to 1."),
        shape_options,
    ):
        function = option(function)
    return function


def rule_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The rules of the game and the clue model."""
    for option in (
        clues_option,
        click.option("--no-flood", is_flag=True, help="Zeros do not open their surroundings."),
        click.option("--no-count", is_flag=True, help="Do not tell the number of mines."),
        on_mine_option,
        click.option("--start", type=CELL, help="The first cell (default: the player's choice)."),
        click.option(
            "--opening",
            type=click.Choice(OPENINGS),
            help="What the first cell is promised. [default: safe]",
        ),
    ):
        function = option(function)
    return function


def opening_option(about: str, default: Opening = "safe") -> Callable[..., Any]:
    """`--opening` where the rule stands alone."""
    return click.option(
        "--opening",
        type=click.Choice(OPENINGS),
        default=default,
        show_default=True,
        help=about,
    )


def json_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def refuse_shape(options: dict[str, Any], given: str) -> None:
    """Ready boards have their own shape and mines: options for those do not go with them."""
    shape = ("level", "rows", "cols", "mines", "density", "independent")
    for name in shape:
        if options.pop(name):
            raise InvalidInput(f"{given} has its own shape and mines: not with --{name}")


def take_shape(options: dict[str, Any]) -> tuple[int, int, int | None] | None:
    """Rows, columns and, of a level, its mines; None if no shape was given."""
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
    """The deal that the board options describe."""
    from mineproof.world.board import LEVELS, Deal

    rows, cols, usual = take_shape(options) or LEVELS[DEFAULT_LEVEL]
    mines, density = options.pop("mines"), options.pop("density")
    independent = options.pop("independent")
    if mines is None and density is None:
        mines = usual
    if mines is None and density is None:
        raise InvalidInput(f"how many mines on {rows}x{cols}? give --mines or --density")
    return Deal(rows, cols, mines, density=density, independent=independent)


def take_rules(options: dict[str, Any], deal: Deal | None, opening: Opening = "safe") -> Rules:
    """The rules that the rule options describe.

    Where cells are mined independently the count cannot be told; the density is.
    """
    from mineproof.world.rules import Rules

    told = not options.pop("no_count")
    independent = deal is not None and deal.independent
    return Rules(
        on_mine=options.pop("on_mine"),
        opening=options.pop("opening") or opening,
        count_known=told and not independent,
        density=deal.density if deal is not None and independent and told else None,
        flood=not options.pop("no_flood"),
    )


def override_rules(rules: Rules, options: dict[str, Any]) -> Rules:
    """These rules, with what was typed in their place."""
    from dataclasses import replace

    typed = click.get_current_context().get_parameter_source
    changes: dict[str, Any] = {}
    if typed("on_mine") is ParameterSource.COMMANDLINE:
        changes["on_mine"] = options["on_mine"]
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
    """The position that was typed, of a file, an example or a pipe (`-`, or nothing)."""
    from mineproof import positions

    piped = sys.stdin is not None and not sys.stdin.isatty()
    if position is None and not piped:
        raise InvalidInput(
            f"which position? give one, or a file, or pipe one in (see 'mineproof {command} -h')"
        )
    return positions.read(position or "-", mines, dots=dots, shape=shape)


def seen_position(
    position: str | None, command: str, mines: int | None, dots: Dots | None, shape: Grid | None
) -> View:
    """The view of a position; of a picture it is said on stderr how sure the reading is."""
    found = read_position(position, command, mines, dots, shape)
    if found.reading is not None:
        click.echo(found.reading.words, err=True)
    return found.view


nth_option = click.option("--nth", type=WHOLE, help="Which game of a file with many. [default: 1]")


def read_game(path: str, nth: int | None) -> Record:
    """The game of a file, the first unless another is asked for; then it says so."""
    from mineproof.games import replays

    games = replays.read(path)
    if nth is not None and not 1 <= nth <= len(games):
        raise InvalidInput(f"--nth is from 1 to {len(games)} here, got {nth}")
    if nth is None and len(games) > 1:
        click.echo(f"game 1 of {len(games)}; --nth takes another", err=True)
    return games[(nth or 1) - 1]


def read_boards(name: str) -> str | bytes:
    """What a file with boards holds, else the board of the example of this name."""
    if is_example(name):
        from mineproof.formats.examples import board_text

        return board_text(name)
    return read_bytes(name)


def is_example(name: str) -> bool:
    """Whether an example has this name, and no file."""
    from mineproof.formats import examples

    return examples.is_example(name) and not exists(name)
