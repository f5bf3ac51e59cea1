"""Write the page and the pictures of one or more studies."""

from __future__ import annotations

from pathlib import Path

from mineproof.arguments import file_path
from mineproof.extras import need
from mineproof.studies.atomic_files import write_bytes, write_text, writing
from mineproof.studies.chart_files import chart_files
from mineproof.studies.charts import chart
from mineproof.studies.study_folder import StudyResults, open_folders
from mineproof.studies.study_page import Section, page
from mineproof.studies.summary import Summary, summarise
from mineproof.studies.summary_csv import write_csv

PAGE, FIGURES = "report.html", "figures"


def report(folder: str | Path, *, csv: str | Path | None = None) -> Path:
    """Write the page of a study's folder, or of all studies in a folder; return its path.

    `report.html` is self-contained; the folder `figures` next to it has each figure as SVG and
    PNG. All numbers are written to the file `csv`, if it is given.
    """
    for package in ("duckdb", "matplotlib", "jinja2"):
        need(package, "studies")
    folder = file_path(folder, "folder")
    sections = [
        Section(summarise(one), one.manifest) for one in sorted(open_folders(folder), key=_order)
    ]
    summaries = [section.summary for section in sections]
    with writing(folder):
        (folder / FIGURES).mkdir(exist_ok=True)
        for summary in summaries:
            _draw(summary, folder / FIGURES)
        write_text(folder / PAGE, page(sections))
    if csv is not None:
        write_csv(summaries, file_path(csv, "csv"))
    return folder / PAGE


def _order(folder: StudyResults) -> tuple[bool, str]:
    """Studies that repeat a report come first."""
    return not folder.study.source.startswith("report"), folder.study.name


def _draw(summary: Summary, place: Path) -> None:
    for number, plot in enumerate(summary.study.plots, 1):
        one = chart(summary, plot)
        if one.rows:
            name = f"{summary.study.name}-{number}"
            svg, png = chart_files(one, name)
            write_text(place / f"{name}.svg", svg)
            write_bytes(place / f"{name}.png", png)
