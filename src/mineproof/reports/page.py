"""The page of a report: its agents, games played again, questions, and studies."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from pathlib import Path

from mineproof.formats import examples
from mineproof.formats.writing import write_text
from mineproof.games.printed import printed_game
from mineproof.games.record import Record
from mineproof.printable import escape
from mineproof.render import view_svg
from mineproof.reports import Report
from mineproof.studies.page import Section, page
from mineproof.studies.store import Folder
from mineproof.studies.summary import summarise
from mineproof.world.view import View


def write_page(report: Report, folders: Iterable[Folder], path: Path) -> None:
    """Write the page of a report from the folders of its studies."""
    sections = [Section(summarise(one), one.manifest) for one in folders]
    title = f"Report {report.number}: {report.title}"
    write_text(path, page(sections, title=title, introduction="\n".join(_introduction(report))))


def play_games(report: Report) -> dict[str, Record]:
    """Play the printed games of a report again; return the records by name."""
    boards = (name for name in report.examples if examples.get(name).board is not None)
    return {name: printed_game(name).play() for name in boards}


def _introduction(report: Report) -> Iterator[str]:
    yield f"<p>{escape(report.summary)}</p>"
    yield f"<h2>Agents</h2><p><code>mineproof play {escape(report.play)} --agent NAME</code></p>"
    yield "<ul class=facts>"
    for agent in report.agents:
        yield f"<li>{escape(agent.called)}: <code>{escape(agent.name)}</code></li>"
    yield "</ul>"
    yield from _games(report)
    yield "<h2>Questions</h2>"
    for question, answer in report.questions:
        yield f"<h3>{escape(question)}</h3><p>{escape(answer)}</p>"
    if report.differences:
        yield "<h2>Differences</h2><ul class=facts>"
        for claim, finding in report.differences:
            yield f"<li><b>Report:</b> {escape(claim)} <b>Our result:</b> {escape(finding)}</li>"
        yield "</ul>"
    yield "<h2>Tables and plots</h2>"


def _games(report: Report) -> Iterator[str]:
    """Its printed games as animations, and its printed positions as pictures."""
    if report.examples:
        yield "<h2>Printed games and positions</h2>"
    played = play_games(report)
    for name in report.examples:
        example = examples.get(name)
        yield f"<h3>{escape(name)}: {escape(example.about)}</h3><p>{escape(example.says)}</p>"
        if name in played:
            record = played[name]
            yield _picture(record.to_film(), name)
            yield f"<p>{escape(example.agent)}: {escape(record.outcome)}. "
            yield f"<code>mineproof play --board {escape(name)}</code></p>"
        else:
            yield _picture(view_svg(View.from_text(example.position)), name)
            yield f"<p><code>mineproof analyse {escape(name)}</code></p>"


def _picture(svg: str, name: str) -> str:
    data = b64encode(svg.encode()).decode()
    source = f"data:image/svg+xml;base64,{data}"
    return f'<p><img style="max-width:100%" alt="{escape(name)}" src="{source}"></p>'
