"""`mineproof engine`: the JSON protocol on standard input and output."""

from __future__ import annotations

import click

from mineproof.cli.options import AGENT, DEFAULT_AGENT


@click.command("engine")
@click.option(
    "--agent",
    type=AGENT,
    default=DEFAULT_AGENT,
    show_default=True,
    help="Agent that plays if a request names none.",
)
def command(agent: str) -> None:
    """Answer requests from other programs, as lines of JSON.

    For example: {"method": "odds", "view": "2x3/2 ???/121"}. {"method": "hello"} lists all
    methods; docs/protocol.md describes them. Errors are responses, too. {"method": "stop"} cancels
    what is running; {"method": "quit"} or the end of input ends the engine.
    """
    from mineproof.cli.pipe_session import PipeSession
    from mineproof.protocol import Session

    PipeSession(Session(agent=agent)).run()
