"""`mineproof watch`: an agent plays a game, shown live."""

from __future__ import annotations

from typing import Any

import click

from mineproof.cli.options import DEFAULT_AGENT, PLAYER, YOU, is_example
from mineproof.cli.play import game_options
from mineproof.cli.play.agent_game import DisplayOptions, agent_options
from mineproof.errors import InvalidInput


@click.command("watch")
@click.option(
    "--agent",
    type=PLAYER,
    help=f"The agent that plays. [default: {DEFAULT_AGENT}; on an example board, its agent]",
)
@game_options
@agent_options
def command(agent: str | None, **options: Any) -> int:
    """Watch an agent play a game and explain its moves.

    The same as `mineproof play --agent NAME`. A board from the student reports
    (--board report004-7x7) is played as in its report, with the same agent, rules and guesses;
    options override each of these. With uncertain clues (--clues), the default board is 9x9 with 6
    mines.

    The last line is `won`, `lost` or `stopped`, or the score with --on-mine continue. The exit code
    is 1 if the agent forfeits: it raises an exception, makes an illegal move or takes too long.

    JSON: the record of the game, with its board, rules, moves with their reasons, and outcome.
    """
    from mineproof.cli.play import agent_game, game_setup

    if agent == YOU:
        raise InvalidInput("'watch' shows an agent's game: use 'mineproof play' to play yourself")
    showing, save = DisplayOptions.take(options), options.pop("save")
    showing.check()
    board = options["board"]
    if agent is None and not (board is not None and is_example(board)):
        agent = DEFAULT_AGENT
    return agent_game.run(game_setup.read(options), agent, showing, save)
