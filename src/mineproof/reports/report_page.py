"""The page of a report: its agents, games played again, questions, and studies."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mineproof.formats import examples
from mineproof.formats.output_files import write_text
from mineproof.games.printed import printed_game
from mineproof.games.record import Record
from mineproof.render import view_svg
from mineproof.reports import Report
from mineproof.studies.study_folder import StudyResults
from mineproof.studies.study_page import Section, page
from mineproof.studies.summary import summarise
from mineproof.studies.templating import fill_in
from mineproof.world.view import View


def write_page(report: Report, folders: Iterable[StudyResults], path: Path) -> None:
    """Write the page of a report from the folders of its studies."""
    sections = [Section(summarise(one), one.manifest) for one in folders]
    title = f"Report {report.number}: {report.title}"
    introduction = fill_in(
        "mineproof.reports", "introduction.html", report=report, examples=_examples(report)
    )
    write_text(path, page(sections, title=title, introduction=introduction))


def play_games(report: Report) -> dict[str, Record]:
    """Play the printed games of a report again; return the records by name."""
    boards = (name for name in report.examples if examples.get(name).board is not None)
    return {name: printed_game(name).play() for name in boards}


def _examples(report: Report) -> list[dict[str, Any]]:
    """Its printed games as animations, and its printed positions as pictures."""
    played = play_games(report)
    found = []
    for name in report.examples:
        example, record = examples.get(name), played.get(name)
        svg = view_svg(View.from_text(example.position)) if record is None else record.to_film()
        picture = b64encode(svg.encode()).decode()
        found.append({"name": name, "example": example, "record": record, "picture": picture})
    return found
