"""The server from start to end."""

from __future__ import annotations

import os
import socket
import threading
import warnings
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import click
import uvicorn
from starlette.applications import Starlette

from mineproof import interrupts
from mineproof.errors import InvalidInput
from mineproof.web import app, limits
from mineproof.web.connections import Connection, Listener, Socket, raise_file_limit
from mineproof.web.database import name_of, read_place
from mineproof.web.settings import Settings
from mineproof.web.store import Store, usual_path

_BACKLOG = 2048
"""Connections that the system keeps until they are accepted."""


@contextmanager
def _startable() -> Iterator[None]:
    """Treat Ctrl-C during the start as such, and not as a failure to start."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "coroutine .* was never awaited", RuntimeWarning)
        try:
            yield
        except SystemExit:
            if interrupts.came():
                raise KeyboardInterrupt from None
            raise


@_startable()
def serve(
    host: str,
    port: int,
    *,
    store: str | None,
    workers: int,
    names: tuple[str, ...],
    agents: tuple[str, ...],
    seconds: float,
    studies: Path,
    browser: bool,
) -> int:
    """Run the server until Ctrl-C and return the exit code."""
    place = usual_path() if store is None else None if store == "none" else read_place(store)
    if place is None and workers > 1:
        raise InvalidInput(
            "several workers need a store that they can share: use --workers 1 or another --store"
        )
    Store(place).close()  # report problems here, once
    raise_file_limit()
    listener = _listen(host, port)
    # At least one per lane, so that neither an arena nor a search delays small requests.
    engines = max(3, (os.cpu_count() or 1) // workers)
    port = listener.getsockname()[1]
    settings = Settings(
        host, port, place, workers, names, studies.absolute(), engines, agents, seconds
    )
    _announce(settings)
    if browser:
        threading.Timer(1.0, webbrowser.open, (_address(settings),)).start()
    settings.to_environment()
    _run(
        app.make(settings) if workers == 1 else "mineproof.web.app:from_environment",
        listener,
        workers,
    )
    return 0


def _run(application: Starlette | str, listener: Listener, workers: int) -> None:
    options: dict[str, Any] = {
        "factory": workers > 1,
        "workers": workers,
        "log_level": "warning",
        "access_log": False,
        "http": Connection,
        "ws": Socket,
        # Larger messages close the connection; between our limit and this, they get an error.
        "ws_max_size": limits.MESSAGE + limits.HEAVY,
        "ws_max_queue": 4,
        "ws_ping_interval": 20.0,
        "ws_ping_timeout": 20.0,
        "timeout_graceful_shutdown": 2,
        "lifespan": "on",
    }
    if workers > 1:
        uvicorn.run(application, fd=listener.fileno(), backlog=_BACKLOG, **options)
        return
    with suppress(KeyboardInterrupt):
        uvicorn.Server(uvicorn.Config(application, **options)).run([listener])


def _listen(host: str, port: int) -> Listener:
    """Return the socket that all processes share."""
    try:
        family, kind, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = Listener(family, kind)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(where)
        listener.listen(_BACKLOG)  # early connections wait until the processes are ready
        listener.set_inheritable(True)
    except OSError as error:
        why = error.strerror or error
        raise InvalidInput(f"cannot listen on {host} port {port}: {why}") from None
    return listener


def _address(settings: Settings) -> str:
    host = "localhost" if settings.host in {"0.0.0.0", "::"} else settings.host
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}/"


def _announce(settings: Settings) -> None:
    click.echo(f"mineproof is running at {_address(settings)} (press Ctrl-C to stop)")
    if not settings.is_local:
        click.echo(
            "anyone who can reach this computer over the network can play and use its processor; "
            "without --host, only you can"
        )
    kept = settings.store
    click.echo(
        f"games are kept {'until the server stops' if kept is None else f'in {name_of(kept)}'}"
    )
