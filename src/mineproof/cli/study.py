"""`mineproof study`: list, run, report and verify experiments."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mineproof.cli.options import WHOLE, NamedType, json_option
from mineproof.cli.study_verify import verify_studies
from mineproof.errors import InvalidInput, plural
from mineproof.printable import printable

if TYPE_CHECKING:
    from mineproof.studies.spec import Study
    from mineproof.studies.study_folder import StudyResults


def _names() -> list[str]:
    from mineproof.studies.catalogue import names

    return ["all", *names()]


def _begin_so(text: str) -> list[Study]:
    """Return the study of this name, or those whose names begin with it."""
    from mineproof.studies.catalogue import get, names

    if text in names():
        return [get(text)]
    return [get(name) for name in names() if name.startswith(text)] or [get(text)]


STUDY = NamedType("study", str, _names)
STUDIES = NamedType("study", _begin_so, _names)
_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.group("study")
def command() -> None:
    """Run experiments and show their results.

    Start with `study list`, then `study run NAME`, then `study report DIR`.
    """


@command.command("list")
@click.argument("name", required=False, type=STUDIES)
@click.option("--long", is_flag=True, help="Also show each study's points, games and question.")
@json_option
def list_studies(name: list[Study] | None, long: bool, as_json: bool) -> None:
    """List the studies, or describe some of them.

    NAME is a study, or a prefix shared by several.

    JSON: {"studies": [{"name", "title", "question", "source", "points", "games"}]}.
    """
    from mineproof.studies.catalogue import get, names

    found = [get(one) for one in names()] if name is None else name
    if as_json:
        click.echo(json.dumps({"studies": [_described(study) for study in found]}, indent=2))
    elif name is not None:
        _show_each(found)
    elif long:
        _show_long(found)
    else:
        _show_short(found)


def _show_short(found: list[Study]) -> None:
    """Print one line per own study, and the names of those that repeat a report."""
    from rich.console import Console

    from mineproof.cli.position_text import say
    from mineproof.cli.terminal_tables import TableColumn, show_table

    console = Console(highlight=False)
    reports = [study.name for study in found if study.source.startswith("report")]
    columns = [TableColumn("study", 0), TableColumn("what it shows", 1, prose=True)]
    ours = [[study.name, study.title] for study in found if study.name not in reports]
    show_table(columns, ours, console=console)
    say(console, "experiments repeated from the student reports:")
    width = max(map(len, reports)) + 2
    abreast = max(1, (min(console.width, 80) - 1) // width)
    for first in range(0, len(reports), abreast):
        row = "".join(f"{name:<{width}}" for name in reports[first : first + abreast])
        say(console, f" {row}".rstrip(), style="bold")
    say(console, "Try next: mineproof study list NAME (or --long)")


def _show_long(found: list[Study]) -> None:
    from mineproof.cli.terminal_tables import TableColumn, show_table

    columns = [TableColumn("study", 0), TableColumn("points", 3), TableColumn("games", 2)]
    columns.append(TableColumn("question", 1, prose=True))
    rows = [[study.name, *map(str, _size(study)), _asks(study)] for study in found]
    show_table(columns, rows, fold=True)


def _show_each(found: list[Study]) -> None:
    """Print everything about some studies."""
    from rich.console import Console

    from mineproof.cli.position_text import say

    console = Console(highlight=False)
    for study in found:
        points, games = _size(study)
        say(console, f"{study.name}: {study.title}", style="bold")
        for head, text in (
            ("question", study.question),
            ("source", study.source),
            ("size", f"{plural(points, 'point')}, {plural(games, 'game')}"),
            ("agents", ", ".join(dict.fromkeys(point.agent for point in study.points()))),
            ("about", " ".join(study.about.split())),
        ):
            if text:
                say(console, f"  {head:<10}{text}")


@command.command("run")
@click.argument("studies", nargs=-1, required=True, type=STUDY, metavar="NAME... | all | FILE.toml")
@click.option("--games", type=WHOLE, help="Games per point. [default: as the study says]")
@click.option("--quick", is_flag=True, help="Play fewer games, for a first look in under a minute.")
@click.option(
    "--out",
    type=_FOLDER,
    help="Output folder, with a subfolder per study. [default: studies, or studies-quick]",
)
@click.option("--workers", type=WHOLE, help="Number of processes. [default: one per core]")
@click.option(
    "--dask",
    metavar="ADDRESS",
    help="Use the Dask cluster at this address, such as tcp://host:8786.",
)
@click.option("--fresh", is_flag=True, help="Delete the results of earlier runs first.")
@json_option
def run_studies(
    studies: Sequence[str],
    games: int | None,
    quick: bool,
    out: Path | None,
    workers: int | None,
    dask: str | None,
    fresh: bool,
    as_json: bool,
) -> int:
    """Run studies, or continue them.

    You can stop at any time, with Ctrl-C or by switching the computer off, and run the same
    command again to continue: finished chunks of games are kept. Results of another version, engine
    or number of games are never mixed in.

    JSON: {"studies": [{"name", "folder", "finished", "seconds"}], "interrupted"}; seconds are
    summed over all workers.
    """
    from mineproof.cli.progress import watch
    from mineproof.extras import need
    from mineproof.studies.study_run import StudyRun

    for package in ("matplotlib", "jinja2"):  # for the page: do not fail after hours of games
        need(package, "studies")
    if games is not None and quick:
        raise InvalidInput("give --games or --quick, not both")
    chosen = _chosen(studies)
    if games is not None:
        chosen = [study.with_games(games) for study in chosen]
    if quick:
        chosen = [study.quick() for study in chosen]
    out = out or Path("studies-quick" if quick else "studies")
    with StudyRun(
        chosen, out, workers=workers, dask=dask, fresh=fresh, command=_command_line()
    ) as running:
        for what in running.damaged:
            click.echo(f"{what}: it will be rebuilt", err=True)
        if not running.left:
            click.echo("all games were already played", err=True)
        interrupted = watch(running.work())
        folders = running.folders()
    _show_results(folders, out, interrupted=interrupted, as_json=as_json)
    return 130 if interrupted else 0


@command.command("report")
@click.argument("folder", type=_FOLDER, metavar="DIR")
@click.option(
    "--csv",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write the results as CSV to this file.",
)
def report_studies(folder: Path, csv: Path | None) -> None:
    """Write the report of a study, or of all studies in a folder."""
    from mineproof.studies.report import report

    page: Any = report(folder, csv=csv)
    click.echo(printable(f"{page}"))


command.add_command(verify_studies)


def _chosen(names: Sequence[str]) -> list[Study]:
    from mineproof.studies import catalogue
    from mineproof.studies.spec import Study

    found: list[Study] = []
    for name in names:
        if name == "all":
            found += [catalogue.get(one) for one in catalogue.names()]
        elif name.endswith(".toml"):
            found.append(Study.from_toml(name))
        else:
            found.append(catalogue.get(name))
    return found


def _command_line() -> str:
    """Return the command line, for the manifest."""
    context = click.get_current_context()
    words = ["mineproof", "study", "run", *context.params["studies"]]
    for name, value in context.params.items():
        if name in {"studies", "as_json"} or not value:
            continue
        words += [f"--{name}"] if value is True else [f"--{name}", str(value)]
    return shlex.join(words)


def _show_results(
    folders: list[StudyResults], out: Path, *, interrupted: bool, as_json: bool
) -> None:
    """Print what has been finished, and what to do next."""
    if as_json:
        rows = [
            {
                "name": folder.study.name,
                "folder": str(folder.path),
                "finished": folder.finished,
                "seconds": folder.manifest.seconds,
            }
            for folder in folders
        ]
        click.echo(json.dumps({"studies": rows, "interrupted": interrupted}, indent=2))
        return
    done = sum(folder.finished for folder in folders)
    if interrupted:
        click.echo(
            f"interrupted: finished games are kept in {printable(str(out))} "
            f"({done} of {plural(len(folders), 'study', 'studies')} complete); "
            "run the same command again to continue"
        )
        click.echo(f"Report so far: mineproof study report {printable(shlex.quote(str(out)))}")
        return
    for folder in folders:
        points, games = _size(folder.study)
        seconds = folder.manifest.seconds
        size = f"{plural(points, 'point')}, {plural(games, 'game')}"
        click.echo(f"{printable(str(folder.path))}: {size}, {seconds:.1f} s of computing time")
    place = folders[0].path if len(folders) == 1 else out
    click.echo(f"Next: mineproof study report {printable(shlex.quote(str(place)))}")


def _described(study: Study) -> dict[str, Any]:
    points, games = _size(study)
    return {
        "name": study.name,
        "title": study.title,
        "question": study.question,
        "source": study.source,
        "points": points,
        "games": games,
    }


def _size(study: Study) -> tuple[int, int]:
    points = study.points()
    return len(points), sum(point.games for point in points)


def _asks(study: Study) -> str:
    return study.question or study.title
