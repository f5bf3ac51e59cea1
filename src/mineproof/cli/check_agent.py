"""`mineproof check-agent`: whether an agent keeps its contract."""

from __future__ import annotations

import click

from mineproof.cli.options import AGENT, SEED, WHOLE, seconds_option


@click.command("check-agent")
@click.argument("agent", type=AGENT)
@click.option("--games", type=WHOLE, default=40, show_default=True, help="How many small games.")
@click.option("--seed", type=SEED, default=0, show_default=True, help="Names the series of games.")
@click.option("--salt", help="Play the games of an earlier check again: the salt that it told.")
@seconds_option
def command(agent: str, games: int, seed: int, salt: str | None, seconds: float | None) -> None:
    """Check that an agent keeps the contract of all agents.

    It plays small games under all rules and clue models. AGENT is any that can be named:
    `module:Name`, `path/to/file.py:Name`, `"engine:./my-solver --fast"`, or one of ours. Its moves
    must be legal and have a reason, the same input must get the same decision, nothing called
    certain may be wrong, nothing may depend on mines that nobody sees, and no move may take longer
    than --seconds. The first fault is told, with the position; the exit code is then 2.
    """
    from mineproof.errors import counted
    from mineproof.testing import check_agent

    check_agent(agent, games=games, seed=seed, salt=salt, seconds=seconds)
    click.echo(f"{agent} keeps the contract in {counted(games, 'game')}")
