"""`report`: a study's folder, or many, as one page and its pictures."""

from __future__ import annotations

from pathlib import Path

from mineproof.errors import FormatError
from mineproof.extras import need
from mineproof.given import file_path
from mineproof.studies.chart_files import chart_files
from mineproof.studies.charts import chart
from mineproof.studies.files import write_text, writing
from mineproof.studies.manifest import MANIFEST
from mineproof.studies.page import Section, page
from mineproof.studies.store import Folder, open_folder
from mineproof.studies.summary import Summary, summarise
from mineproof.studies.summary_csv import write_csv

PAGE, FIGURES = "report.html", "figures"


def report(folder: str | Path, *, csv: str | Path | None = None) -> Path:
    """Write the page of a study's folder, or of all studies in a folder; gives its path.

    `report.html` has everything in it; `figures` beside it has each figure as SVG and
    PNG; `csv` names a file for all numbers.
    """
    need("duckdb", "studies")
    need("matplotlib", "studies")
    folder = file_path(folder, "folder")
    sections = [
        Section(summarise(one), dict(one.manifest)) for one in sorted(_found(folder), key=_order)
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


def _found(folder: Path) -> list[Folder]:
    if (folder / MANIFEST).exists():
        return [open_folder(folder)]
    inside = sorted(path.parent for path in folder.glob(f"*/{MANIFEST}"))
    if not inside:
        raise FormatError(f"no study in {str(folder)!r}, nor in a folder in it")
    return [open_folder(path) for path in inside]


def _order(folder: Folder) -> tuple[bool, str]:
    """Those that redo a report first."""
    return not folder.study.source.startswith("report"), folder.study.name


def _draw(summary: Summary, place: Path) -> None:
    for number, plot in enumerate(summary.study.plots, 1):
        one = chart(summary, plot)
        if one.rows:
            name = f"{summary.study.name}-{number}"
            svg, png = chart_files(one, name)
            (place / f"{name}.svg").write_text(svg, encoding="utf-8")
            (place / f"{name}.png").write_bytes(png)
