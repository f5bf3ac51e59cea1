"""How far a run is: a bar with rate and time left on a terminal, else a line at times."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from time import monotonic
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console

    from mineproof.studies.running import Progress, Running

Tick = Callable[["Progress"], None]


def watch(running: Running) -> bool:
    """Let the work be done, and tell how far it is; whether Ctrl-C ended it early."""
    from rich.console import Console

    console = Console(stderr=True)
    try:
        with closing(running.work()) as work:
            # The workers are there before the bar: its thread must not be forked.
            first = next(work, None)
            if first is None:
                click.echo("all of it was there already", err=True)
                return False
            with _bar(console, first) if console.is_terminal else nullcontext(_lines()) as tick:
                for progress in work:
                    tick(progress)
    except KeyboardInterrupt:
        return True
    return False


@contextmanager
def _bar(console: Console, first: Progress) -> Iterator[Tick]:
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    begun = monotonic()
    columns = BarColumn(), MofNCompleteColumn(), TextColumn("games {task.fields[pace]}")
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("games", total=first.all_games, pace="")

        def tick(progress: Progress) -> None:
            bar.update(task, completed=progress.games, pace=_pace(progress, monotonic() - begun))

        yield tick


def _lines(every: float = 5.0) -> Tick:
    begun = told = monotonic()

    def tick(progress: Progress) -> None:
        nonlocal told
        if monotonic() - told >= every:
            told = monotonic()
            pace = _pace(progress, told - begun)
            click.echo(f"{progress.games} of {progress.all_games} games {pace}", err=True)

    return tick


def _pace(progress: Progress, seconds: float) -> str:
    """The rate and the time left, as far as one can tell."""
    if not progress.games:
        return ""
    left = seconds * (1 - progress.part) / progress.part if progress.part else 0.0
    minutes, rest = divmod(round(left), 60)
    return f"({progress.games / max(seconds, 1e-9):.0f}/s, {minutes}:{rest:02} left)"
