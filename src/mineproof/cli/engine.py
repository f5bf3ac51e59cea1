"""`mineproof engine`: for programs, messages on pipes."""

from __future__ import annotations

import click

from mineproof.cli.options import AGENT, DEFAULT_AGENT


@click.command("engine")
@click.option(
    "--agent",
    type=AGENT,
    default=DEFAULT_AGENT,
    show_default=True,
    help="Who plays where none is named.",
)
def command(agent: str) -> None:
    """Answer requests from other programs, as lines of JSON.

    For example {"do": "odds", "view": "2x3/2 ???/121"}; {"do": "hello"} tells what can be
    asked, docs/protocol.md has every message. An error is an answer. {"do": "stop"} ends what
    runs; {"do": "quit"}, or the end of input, ends this.
    """
    from mineproof.cli.conversing import Conversing
    from mineproof.protocol import Session

    Conversing(Session(agent=agent)).run()
