"""`mineproof serve`: the page, on this computer."""

from __future__ import annotations

from pathlib import Path

import click

from mineproof.cli.options import AGENT, DEFAULT_AGENT, WHOLE
from mineproof.errors import InvalidInput
from mineproof.extras import need


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=WHOLE, default=8010, show_default=True, help="0: any that is free.")
@click.option("--no-browser", is_flag=True, help="Do not open the page.")
@click.option(
    "--store",
    help="Keep games in this file, at postgresql://..., or in none. [default: your data folder]",
)
@click.option("--workers", type=WHOLE, default=1, show_default=True, help="Processes that answer.")
@click.option(
    "--agent",
    "agents",
    type=AGENT,
    multiple=True,
    help="Who plays where none is named; given again, others of your own to choose from. "
    f"[default: {DEFAULT_AGENT}]",
)
@click.option(
    "--seconds", type=float, default=30, show_default=True, help="To think about one request."
)
@click.option(
    "--studies",
    type=click.Path(file_okay=False, path_type=Path),
    default="studies",
    show_default=True,
    help="Where studies were run, to open their reports.",
)
@click.option("--name", "names", multiple=True, help="A name of this server behind a proxy.")
def command(
    host: str,
    port: int,
    no_browser: bool,
    store: str | None,
    workers: int,
    agents: tuple[str, ...],
    seconds: float,
    studies: Path,
    names: tuple[str, ...],
) -> int:
    """Open the web app in your browser.

    Only this computer reaches it, unless --host says otherwise: with --host 0.0.0.0, everybody
    who reaches this computer over the network can play and let it think. Games are kept in your
    data folder; --store FILE keeps them elsewhere, --store postgresql://HOST/NAME on a server, and
    --store none as long as this runs.
    Agents of the table can always be chosen on the page, your own only if they are given here:
    --agent exact --agent my_file.py:Name. Other programs ask it by POST /api/VERB or the
    WebSocket /ws; /docs tells how.
    """
    for module in ("starlette", "uvicorn", "websockets"):
        need(module, "web")
    if not 0 <= port <= 65535:
        raise InvalidInput(f"--port is from 0 to 65535, got {port}")
    if not 1 <= workers <= 256:
        raise InvalidInput(f"--workers is from 1 to 256, got {workers}")
    if not 0 < seconds <= 86400:
        raise InvalidInput(f"--seconds is above 0, up to a day, got {seconds}")
    from mineproof.agents import named, table
    from mineproof.web import running

    agents = agents or (DEFAULT_AGENT,)
    for text in agents:  # what is wrong with one is told here, once
        named.get(text) if named.is_own(text) else table.get(text).check()

    return running.serve(
        host,
        port,
        store=store,
        workers=workers,
        names=names,
        agents=agents,
        seconds=seconds,
        studies=studies,
        browser=not no_browser,
    )
