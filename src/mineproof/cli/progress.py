"""Progress of a run: a bar with rate and time left on a terminal, otherwise a line now and then."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, nullcontext
from time import monotonic
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console

    from mineproof.series.parallel import Progress

Tick = Callable[["Progress"], None]


def watch(work: Generator[Progress, None, None]) -> bool:
    """Do the work and show its progress; return whether Ctrl-C ended it early."""
    from rich.console import Console

    console = Console(stderr=True)
    try:
        with closing(work):
            # Start the workers before the bar: its thread must not be forked.
            first = next(work, None)
            if first is None:
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
    begun = shown = monotonic()

    def tick(progress: Progress) -> None:
        nonlocal shown
        if monotonic() - shown >= every:
            shown = monotonic()
            of = "" if progress.all_games is None else f" of {progress.all_games}"
            click.echo(f"{progress.games}{of} games {_pace(progress, shown - begun)}", err=True)

    return tick


def _pace(progress: Progress, seconds: float) -> str:
    """Return the rate and the estimated time left, as far as they are known."""
    if not progress.games:
        return ""
    rate = f"{progress.games / max(seconds, 1e-9):.0f}/s"
    if not progress.part:
        return f"({rate})"
    minutes, rest = divmod(round(seconds * (1 - progress.part) / progress.part), 60)
    return f"({rate}, {minutes}:{rest:02} left)"
