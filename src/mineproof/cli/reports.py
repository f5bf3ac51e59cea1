"""`mineproof reports`: the five student reports and how to repeat them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.cli.options import FOLDER, NamedType, json_option
from mineproof.errors import InvalidInput

if TYPE_CHECKING:
    from rich.console import Console

    from mineproof.reports import Report


def _numbers() -> list[str]:
    from mineproof.reports import NUMBERS

    return list(NUMBERS)


def _report(text: str) -> Report:
    from mineproof.reports import get

    return get(text)


REPORT = NamedType("number", _report, _numbers)


@click.command("reports")
@click.argument("report", required=False, type=REPORT, metavar="[NUMBER]")
@click.option("--run", is_flag=True, help="Replay the games, run the studies, write an HTML page.")
@click.option("--full", is_flag=True, help="With --run: play all games of the studies.")
@click.option(
    "--out",
    type=FOLDER,
    help="With --run: output folder. [default: report-NUMBER]",
)
@json_option
def command(report: Report | None, run: bool, full: bool, out: Path | None, as_json: bool) -> int:
    """Show the five student reports next to our results.

    With NUMBER (000 to 004), show one report: its agents under the names used here, its printed
    games, its questions with our answers, where our results differ, and commands to try.

    With --run, replay the printed games and run the studies with a few games per point (--full:
    all games), and write everything to one HTML page. You can interrupt it at any time; run it
    again to continue.

    JSON: {"reports": [{"number", "title", "summary", "play", "agents", "examples", "studies",
    "questions", "differences"}]}; with --run {"page", "games": {name: outcome}, "interrupted"}.
    """
    from mineproof import reports

    if not run and (full or out is not None):
        raise InvalidInput("--full and --out need --run")
    if run and report is None:
        raise InvalidInput("--run needs a report's number, as in 'mineproof reports 003 --run'")
    if run and report is not None:
        return _run(report, full, out or Path(f"report-{report.number}"), as_json)
    shown = [reports.get(one) for one in reports.NUMBERS] if report is None else [report]
    if as_json:
        click.echo(json.dumps({"reports": [one.to_json() for one in shown]}, indent=2))
    elif report is None:
        _list(shown)
    else:
        _show(report)
    return 0


def _list(shown: list[Report]) -> None:
    from rich.console import Console

    from mineproof.cli.position_text import say
    from mineproof.cli.terminal_tables import TableColumn, show_table

    console = Console(highlight=False)
    columns = [
        TableColumn("report", 0),
        TableColumn("about", 2, prose=True),
        TableColumn("agents", 1, prose=True),
    ]
    rows = [[one.number, one.title, ", ".join(a.name for a in one.agents)] for one in shown]
    show_table(columns, rows, console=console, fold=True)
    say(console, "Try next: mineproof reports 003, mineproof reports 003 --run")


def _show(report: Report) -> None:
    from rich.console import Console

    from mineproof.cli.examples import commands
    from mineproof.cli.position_text import aligned, say
    from mineproof.formats import examples

    console = Console(highlight=False)
    say(console, f"Report {report.number}: {report.title}", style="bold")
    say(console, report.summary)
    _head(console, "Agents")
    say(console, f"  mineproof play {report.play} --agent NAME")
    _lines(console, aligned([(one.name, one.called) for one in report.agents]))
    if report.examples:
        _head(console, "Printed games and positions")
        firsts = [commands(examples.get(name))[0][0] for name in report.examples]
        abouts = [examples.get(name).about for name in report.examples]
        _lines(console, aligned(list(zip(firsts, abouts, strict=True))))
    _head(console, "Questions")
    for question, answer in report.questions:
        say(console, question, style="bold")
        say(console, f"  {answer}")
    if report.differences:
        _head(console, "What differs")
        for claim, finding in report.differences:
            say(console, f"The report: {claim}")
            say(console, f"  Here: {finding}")
    _head(console, "Tables and plots")
    studies = [(f"mineproof study run {name} --quick", _title(name)) for name in report.studies]
    run = (f"mineproof reports {report.number} --run", "write everything to one page")
    _lines(console, aligned([*studies, run]))


def _title(name: str) -> str:
    from mineproof.studies.catalogue import get

    return get(name).title


def _head(console: Console, title: str) -> None:
    from mineproof.cli.position_text import say

    say(console, "")
    say(console, title, style="bold underline")


def _lines(console: Console, lines: list[str]) -> None:
    from mineproof.cli.position_text import say

    for line in lines:
        say(console, line)


def _run(report: Report, full: bool, out: Path, as_json: bool) -> int:
    """Play the games, run the studies and write the page; return the exit code."""
    from mineproof.cli.progress import watch
    from mineproof.extras import need
    from mineproof.reports.report_page import play_games, write_page
    from mineproof.studies.catalogue import get
    from mineproof.studies.study_run import StudyRun

    for package in ("duckdb", "matplotlib", "jinja2"):
        need(package, "studies")
    outcomes = {name: record.outcome for name, record in play_games(report).items()}
    if not as_json:
        for name, outcome in outcomes.items():
            click.echo(f"{name}: {outcome}")
    studies = [get(name) for name in report.studies]
    if not full:
        studies = [study.quick() for study in studies]
    words = f"mineproof reports {report.number} --run{' --full' * full}"
    with StudyRun(studies, out, command=words) as running:
        interrupted = watch(running.work())
        folders = running.folders()
    page = out / "report.html"
    write_page(report, folders, page)
    if as_json:
        data = {"page": str(page), "games": outcomes, "interrupted": interrupted}
        click.echo(json.dumps(data, indent=2))
    else:
        click.echo(
            f"{page}{' (interrupted; run the same command again to continue)' * interrupted}"
        )
    return 130 if interrupted else 0
