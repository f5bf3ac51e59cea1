"""`mineproof play`: you play in the terminal; with `--agent`, an agent does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
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
)
from mineproof.cli.play.agent_game import GIVEN, Showing, agent_options
from mineproof.errors import InvalidInput


def game_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """What is played, and where it is kept."""
    for option in (
        click.option(
            "--save",
            type=click.Path(dir_okay=False, path_type=Path),
            help="Write the game to this file: .jsonl (appends), .rawvf, otherwise JSON.",
        ),
        rule_options,
        click.option("--seed", type=SEED, help="Random seed (default: a new one)."),
        click.option("--no-guess", is_flag=True, help="Deal a board that needs no guess."),
        click.option(
            "--nth", type=WHOLE, help="With --board: its number in the file. [default: 1]"
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
    help=f"Who plays: {YOU}, or an agent that you watch. [default: {YOU}; an example's own agent]",
)
@game_options
@click.option("--practice", is_flag=True, help="Allow undo; the record says so.")
@click.option("--vi", is_flag=True, help="Move with h j k l; the hint is H then.")
@agent_options
def command(agent: str | None, practice: bool, vi: bool, **options: Any) -> int:
    """Play Minesweeper in the terminal, or watch an agent play.

    You play with the arrow keys: space opens, f flags, c chords, h gives a hint in steps, o shows
    mine probabilities, w says why, ? shows all keys; the mouse works, too. With --on-mine continue
    play goes on for a score. With uncertain clues (--clues) the board is 9x9 with 6 mines unless
    you choose one: with 10, hardly any game can be won.

    With --agent NAME an agent plays and says why it moves where it does ('mineproof watch' is the
    same). The options from --seconds on are for an agent's game: given without --agent, they let
    `exact` play. A board of the reports (--board report004-7x7) brings its agent, rules and
    choices; --agent me lets you play it. The last line says `won`, `lost` or `stopped`; with
    --on-mine continue, the score. JSON is the record: board, rules, moves with their reasons,
    outcome. The exit code is 1 if the agent forfeits.
    """
    from mineproof.cli.play import agent_game, setup

    showing, save = Showing.take(options), options.pop("save")
    player = _player(agent, options["board"], human=_given({"practice": "", "vi": ""}))
    if player == YOU:
        from mineproof.cli import human

        game = setup.read(options)
        return human.run(game, save=save, practice=practice, vi=vi)
    showing.check()
    return agent_game.run(setup.read(options), player, showing, save)


def _player(agent: str | None, board: str | None, *, human: list[str]) -> str | None:
    """Who plays: you, an agent by its name, or None for the agent of an example."""
    shown = [GIVEN[name] for name in _given(GIVEN)]
    if agent not in (None, YOU) and human:
        raise InvalidInput(f"--{human[0]} is for a game that you play: not with --agent {agent}")
    if agent == YOU or human:
        if shown:
            raise InvalidInput(f"{shown[0]} is for an agent's game: not for one that you play")
        return YOU
    if agent is None and board is not None and is_example(board):
        return None
    return agent or (DEFAULT_AGENT if shown else YOU)


def _given(names: dict[str, str]) -> list[str]:
    """Which of these parameters were typed."""
    source = click.get_current_context().get_parameter_source
    return [name for name in names if source(name) is ParameterSource.COMMANDLINE]
