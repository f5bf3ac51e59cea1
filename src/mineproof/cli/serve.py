"""`mineproof serve`: the web app on this computer."""

from __future__ import annotations

from pathlib import Path

import click

from mineproof.cli.options import AGENT, DEFAULT_AGENT, FOLDER, WHOLE
from mineproof.errors import InvalidInput
from mineproof.extras import need


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=WHOLE, default=8010, show_default=True, help="Port; 0 chooses a free one."
)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.option(
    "--store",
    help="Where to keep games: FILE, postgresql://HOST/NAME or none. [default: your data folder]",
)
@click.option("--workers", type=WHOLE, default=1, show_default=True, help="Number of processes.")
@click.option(
    "--agent",
    "agents",
    type=AGENT,
    multiple=True,
    help="Default agent; repeat the option to offer your own agents, too. "
    f"[default: {DEFAULT_AGENT}]",
)
@click.option(
    "--request-timeout",
    "seconds",
    type=float,
    default=30,
    show_default=True,
    help="Time limit per request.",
)
@click.option(
    "--studies",
    type=FOLDER,
    default="studies",
    show_default=True,
    help="Folder with the studies whose reports can be opened.",
)
@click.option(
    "--name", "names", multiple=True, help="Host name of this server behind a proxy; repeatable."
)
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

    By default only this computer can reach it. With --host 0.0.0.0, everyone who can reach this
    computer over the network can play and use its processor.

    Games are kept in your data folder. --store FILE keeps them in a file, and --store
    postgresql://HOST/NAME in a database. With --store none, they are lost when the server stops.

    Built-in agents can always be chosen in the web app, your own agents only if you list them here:
    --agent exact --agent my_file.py:Name. Other programs send requests to POST /api/METHOD or the
    WebSocket /ws; /docs describes both.
    """
    for module in ("starlette", "uvicorn", "websockets"):
        need(module, "web")
    if not 0 <= port <= 65535:
        raise InvalidInput(f"--port must be from 0 to 65535, got {port}")
    if not 1 <= workers <= 256:
        raise InvalidInput(f"--workers must be from 1 to 256, got {workers}")
    if not 0 < seconds <= 86400:
        raise InvalidInput(
            f"--request-timeout must be above 0 and at most 86400 (a day), got {seconds}"
        )
    from mineproof.agents import builtin, registry
    from mineproof.web import server

    agents = agents or (DEFAULT_AGENT,)
    for text in agents:  # so that errors are reported here, once
        registry.get(text) if registry.is_own(text) else builtin.get(text).check()

    return server.serve(
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
