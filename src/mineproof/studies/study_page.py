"""The page of one or more studies: one self-contained HTML file, light or dark as the system is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from mineproof.errors import plural
from mineproof.messages.study_files import Manifest
from mineproof.studies.chart_files import panel_svg
from mineproof.studies.charts import Chart, chart, conditions
from mineproof.studies.findings import findings
from mineproof.studies.html_tables import difference_table, wins_table
from mineproof.studies.line_styles import recolour, style_sheet
from mineproof.studies.summary import Summary
from mineproof.studies.templating import fill_in
from mineproof.studies.toml import write_toml


class Section(NamedTuple):
    """The part of the page for one study: its summary and the manifest of its folder."""

    summary: Summary
    manifest: Manifest


def page(sections: Sequence[Section], *, title: str = "", introduction: str = "") -> str:
    """Return the page as HTML; `introduction` is HTML that comes before the studies."""
    headed = len(sections) != 1 or bool(introduction)
    values = [_section(section) for section in sections]
    return fill_in(
        "mineproof.studies",
        "page.html",
        title=title or ("mineproof: studies" if headed else values[0]["title"]),
        colours=style_sheet() + recolour(),
        introduction=introduction,
        games=sum(section.summary.games for section in sections),
        headed=headed,
        sections=values,
        unfinished=sum(not section.manifest.finished for section in sections),
    )


def _section(section: Section) -> dict[str, Any]:
    """The values of a study in the template."""
    summary, manifest = section
    study = summary.study
    return {
        "name": study.name,
        "title": study.title or study.name,
        "study": study,
        "games": summary.games,
        "finished": manifest.finished,
        "command": manifest.command or f"mineproof study run {study.name}",
        "conditions": conditions(study.points()),
        "missing": _missing(summary),
        "wins": wins_table(summary),
        "findings": findings(summary),
        "figures": [
            _figure(chart(summary, plot), f"{study.name}-{number}")
            for number, plot in enumerate(study.plots, 1)
        ],
        "said": [one for one in summary.figures if not one.is_of_a_point],
        "differences": difference_table(summary),
        "made": _made(manifest),
        "spec": write_toml(manifest.spec),
    }


def _missing(summary: Summary) -> str:
    """A note on the games that are still missing."""
    points, played = summary.study.points(), summary.played
    none = sum(point.index not in played for point in points)
    fewer = sum(0 < played.get(point.index, 0) < point.games for point in points)
    planned = sum(point.games for point in points)
    have = "has" if none == 1 else "have"
    return (
        f"Not finished: {summary.games:,} of {planned:,} games are shown. Of "
        f"{plural(len(points), 'point')} {none} {have} no games yet and {fewer} fewer than "
        "planned."
    )


def _figure(one: Chart, salt: str) -> dict[str, Any]:
    """The values of a plot in the template."""
    return {
        "chart": one,
        "published": any(row.published is not None for row in one.rows),
        "layout": {1: "alone", 2: "", 3: "", 4: ""}.get(len(one.panels), "many"),
        "panels": [
            panel_svg(one, panel, f"{salt}-{number}") for number, panel in enumerate(one.panels, 1)
        ],
    }


def _made(manifest: Manifest) -> str:
    """The versions, the engine, the machine and the time of a run."""
    versions = ", ".join(f"{name} {it}" for name, it in manifest.versions.items())
    return (
        f"{versions}; engine {manifest.engine}; {manifest.machine.get('platform', '')}, "
        f"{manifest.machine.get('cores', '?')} cores; {manifest.seconds:,.0f} seconds of "
        "computing time."
    )
