"""`mineproof check-agent`: check that an agent keeps the contract."""

from __future__ import annotations

import click

from mineproof.cli.options import AGENT, SEED, WHOLE, seconds_option


@click.command("check-agent")
@click.argument("agent", type=AGENT)
@click.option("--games", type=WHOLE, default=40, show_default=True, help="Number of small games.")
@click.option("--seed", type=SEED, default=0, show_default=True, help="Random seed for the games.")
@click.option("--salt", help="Repeat an earlier check, given the salt that it printed.")
@seconds_option
def command(agent: str, games: int, seed: int, salt: str | None, seconds: float | None) -> None:
    """Check that an agent meets the agent contract.

    It plays small games under all rules and clue models. AGENT is a built-in agent or your own:
    `module:Name`, `path/to/file.py:Name` or `"engine:./my-solver --fast"`. Its moves must be legal
    and have a reason, the same input must produce the same decision, moves marked certain must be
    right, nothing may depend on hidden mines, and no move may take longer than --move-timeout. The
    check prints the first violation with its position, and the exit code is then 2.
    """
    from mineproof.errors import plural
    from mineproof.testing import check_agent

    check_agent(agent, games=games, seed=seed, salt=salt, seconds=seconds)
    click.echo(f"{agent} meets the agent contract in {plural(games, 'game')}")
