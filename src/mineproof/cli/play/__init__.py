"""`mineproof play`: you play in the terminal; with `--agent`, an agent does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
from click.core import ParameterSource

from mineproof.cli.options import (
    DEFAULT_AGENT,
    PLAYER,
    SEED,
    WHOLE,
    YOU,
    board_options,
    is_example,
    rule_options,
    save_option,
)
from mineproof.cli.play.agent_game import GIVEN, DisplayOptions, agent_options
from mineproof.errors import InvalidInput


def game_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that set up a game and save it."""
    for option in (
        save_option,
        rule_options,
        click.option("--seed", type=SEED, help="Random seed. [default: a new one]"),
        click.option("--no-guess", is_flag=True, help="Deal a board that needs no guess."),
        click.option(
            "--index",
            type=WHOLE,
            help="With --board: which board of the file to play. [default: 1]",
        ),
        click.option(
            "--board",
            type=click.Path(),
            help="Play this board: a text file, - for stdin, or an example's name.",
        ),
        board_options,
    ):
        function = option(function)
    return function


@click.command("play")
@click.option(
    "--agent",
    type=PLAYER,
    help=f"Who plays: {YOU}, or an agent to watch. [default: {YOU}; on an example board, its "
    "agent]",
)
@game_options
@click.option("--practice", is_flag=True, help="Allow undo, and note it in the record.")
@click.option("--vi", is_flag=True, help="Move with h j k l; H then gives a hint.")
@agent_options
def command(agent: str | None, practice: bool, vi: bool, **options: Any) -> int:
    """Play Minesweeper in the terminal, or watch an agent play.

    You play with the arrow keys or the mouse: space opens, f flags, c chords, h gives a hint step
    by step, o shows mine probabilities, w explains a cell, ? shows all keys. With --on-mine
    continue, the game continues after a mine and ends with a score. With uncertain clues (--clues),
    the default board is 9x9 with 6 mines, because with 10 hardly any game can be won.

    With --agent NAME, an agent plays and explains its moves, as in `mineproof watch`.
    --move-timeout and the options listed after it are for an agent's game; if you give one without
    --agent, `exact` plays. The exit code is 1 if the agent forfeits.

    A board from the student reports (--board report004-7x7) is played as in its report, with the
    same agent, rules and guesses; to play it yourself, use --agent me.

    The last line is `won`, `lost` or `stopped`, or the score with --on-mine continue.

    JSON: the record of the game, with its board, rules, moves with their reasons, and outcome.
    """
    from mineproof.cli.play import agent_game, game_setup

    showing, save = DisplayOptions.take(options), options.pop("save")
    player = _player(agent, options["board"], human=_given({"practice": "", "vi": ""}))
    if player == YOU:
        from mineproof.cli import human

        game = game_setup.read(options)
        return human.run(game, save=save, practice=practice, vi=vi)
    showing.check()
    return agent_game.run(game_setup.read(options), player, showing, save)


def _player(agent: str | None, board: str | None, *, human: list[str]) -> str | None:
    """Return who plays: you, an agent by name, or None for the agent of an example."""
    shown = [GIVEN[name] for name in _given(GIVEN)]
    if agent not in (None, YOU) and human:
        raise InvalidInput(f"--{human[0]} is only for games you play: leave out --agent {agent}")
    if agent == YOU or human:
        if shown:
            raise InvalidInput(
                f"{shown[0]} is only for an agent's game: choose an agent with --agent"
            )
        return YOU
    if agent is None and board is not None and is_example(board):
        return None
    return agent or (DEFAULT_AGENT if shown else YOU)


def _given(names: dict[str, str]) -> list[str]:
    """Return which of these parameters were given on the command line."""
    source = click.get_current_context().get_parameter_source
    return [name for name in names if source(name) is ParameterSource.COMMANDLINE]
