"""The page of one or more studies: one self-contained HTML file, light or dark as the system is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mineproof.errors import counted
from mineproof.messages.study_files import Manifest
from mineproof.printable import escape
from mineproof.studies.chart_files import panel_svg
from mineproof.studies.charts import Chart, chart, conditions
from mineproof.studies.findings import findings
from mineproof.studies.line_styles import key, recolour, style_sheet
from mineproof.studies.spec import Study
from mineproof.studies.summary import Summary
from mineproof.studies.tables import chart_table, difference_table, said_table, wins_table
from mineproof.studies.toml import write_toml

_STYLE = """
*{box-sizing:border-box}
html{color-scheme:light dark}
body{margin:0 auto;max-width:66rem;padding:1.2rem;background:var(--paper);color:var(--ink);
font:16px/1.55 system-ui,sans-serif}
h1{font-size:1.7rem;line-height:1.2}
h2{margin:3.2rem 0 .2rem;font-size:1.35rem;line-height:1.25;border-top:2px solid var(--faint);
padding-top:1.4rem}
h3{margin:1.6rem 0 .3rem;font-size:1.02rem}
a{color:var(--line0)}
code,pre{font:.86em/1.45 ui-monospace,monospace}
pre{overflow-x:auto;padding:.8rem;border:1px solid var(--faint);border-radius:6px}
.tag{font-size:.82rem;opacity:.8;overflow-wrap:anywhere}
.asked{font-size:1.08rem;font-style:italic;margin:.4rem 0}
.facts li{margin:.3rem 0}
figure{margin:.6rem 0 1rem}
.panels{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,25rem),1fr));gap:.6rem}
.panels svg{width:100%;max-width:34rem;height:auto;display:block}
.alone svg{max-width:none}
.many{grid-template-columns:repeat(auto-fit,minmax(min(100%,17rem),1fr))}
.missing{border-left:4px solid var(--line1);padding:.3rem .8rem;font-weight:600}
.legend{display:flex;flex-wrap:wrap;gap:.15rem 1.1rem;font-size:.87rem;margin:.3rem 0}
.key{width:1.75rem;height:.875rem;vertical-align:-.1em}
.frame{overflow-x:auto;max-height:32rem;overflow-y:auto;border:1px solid var(--faint);
border-radius:6px}
table{border-collapse:collapse;font-size:.84rem;font-variant-numeric:tabular-nums;width:100%}
th,td{padding:.28rem .6rem;text-align:left;border-bottom:1px solid var(--faint);
vertical-align:top;white-space:nowrap}
thead th{position:sticky;top:0;background:var(--paper)}
tbody th{font-weight:normal}
td small{display:block;opacity:.75}
ul{padding-left:1.3rem}
.theirs{border:1px solid var(--faint);border-radius:4px;padding:0 .3rem}
.far{border-color:var(--line1);color:var(--line1);font-weight:600}
details{margin:.4rem 0}
summary{cursor:pointer;font-size:.9rem}
nav ol{columns:22rem;column-gap:3rem;padding-left:1.8rem;font-size:.92rem}
@media print{details{display:none}h2{break-before:page}figure{break-inside:avoid}}
"""


class Section(NamedTuple):
    """The part of the page for one study: its summary and the manifest of its folder."""

    summary: Summary
    manifest: Manifest


def page(
    sections: Sequence[Section], command: str = "", *, title: str = "", introduction: str = ""
) -> str:
    """Return the page as HTML; `introduction` is HTML that comes before the studies."""
    one = len(sections) == 1 and not introduction
    title = title or (_title(sections[0].summary.study) if one else "mineproof: studies")
    games = sum(section.summary.games for section in sections)
    parts = [
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>{escape(title)}</title><style>{style_sheet()}{recolour()}{_STYLE}</style></head>",
        "<body>",
        f"<h1>{escape(title)}</h1>",
        introduction,
        f"<p>{games:,} games. Values are means over games with 95 % confidence intervals (CI): "
        "Wilson intervals for rates, Student intervals for means. Agents are compared on the same "
        "boards; a difference is called significant if its 95 % CI excludes 0. A hollow diamond ◇ "
        "is a published figure; ≠ marks those more than three combined standard errors from ours."
        "</p>",
        "" if one else _contents(sections),
        *(_section(section, headed=not one) for section in sections),
        f"<p class=tag>{escape(command)}</p>" if command else "",
        "</body></html>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _title(study: Study) -> str:
    return study.title or study.name


def _contents(sections: Sequence[Section]) -> str:
    items, missing = [], 0
    for section in sections:
        study, mark = section.summary.study, ""
        if not section.manifest.finished:
            missing += 1
            mark = "not finished" if section.summary.games else "no games yet"
            mark = f" <strong class=tag>{mark}</strong>"
        items.append(
            f'<li><a href="#{escape(study.name)}">{escape(_title(study))}</a> '
            f"<span class=tag>{escape(study.name)}</span>{mark}</li>"
        )
    note = f"<p class=missing>Not finished: {missing} of {len(sections)} studies.</p>"
    return f"{note if missing else ''}<nav><ol>{''.join(items)}</ol></nav>"


def _section(section: Section, *, headed: bool) -> str:
    summary, study = section.summary, section.summary.study
    facts = "".join(f"<li>{escape(fact)}</li>" for fact in findings(summary))
    charts = [chart(summary, plot) for plot in study.plots]
    drawn = (_figure(one, f"{study.name}-{number}") for number, one in enumerate(charts, 1))
    said, differences = said_table(summary), difference_table(summary)
    done = section.manifest.finished
    parts = [
        f'<section id="{study.name}">',
        f"<h2>{escape(_title(study))}</h2>" if headed else "",
        f"<p class=tag>{escape(study.name)} · {escape(study.source)} · {summary.games:,} games"
        f"{'' if done else ' · not finished'}</p>",
        f"<p class=tag>{escape(conditions(study.points()))}</p>",
        _missing(section),
        f"<p class=asked>{escape(study.question)}</p>" if study.question else "",
        wins_table(summary),
        f"<ul class=facts>{facts}</ul>" if facts else "",
        f"<p>{escape(study.about.strip())}</p>" if study.about.strip() else "",
        *drawn,
        f"<h3>What the reports state in words</h3>{said}" if said else "",
        _folded("Paired differences", differences) if differences else "",
        _folded("How to reproduce it", _made(section)),
        "</section>",
    ]
    return "\n".join(part for part in parts if part)


def _missing(section: Section) -> str:
    """A note on the games that are still missing, and how to continue."""
    if section.manifest.finished:
        return ""
    summary, points = section.summary, section.summary.study.points()
    played = summary.played
    none = sum(point.index not in played for point in points)
    fewer = sum(0 < played.get(point.index, 0) < point.games for point in points)
    planned = sum(point.games for point in points)
    have = "has" if none == 1 else "have"
    return (
        f"<p class=missing>Not finished: {summary.games:,} of {planned:,} games are shown. Of "
        f"{counted(len(points), 'point')} {none} {have} no games yet and {fewer} fewer than "
        "planned. To continue: "
        f"<code>{escape(section.manifest.command or _command(section))}</code></p>"
    )


def _figure(one: Chart, salt: str) -> str:
    if not one.rows:
        return f"<h3>{escape(one.title)}</h3><p>No games yet.</p>"
    items = [f"<span>{key(style)} {escape(label)}</span>" for style, label in enumerate(one.labels)]
    if any(row.published is not None for row in one.rows):
        items.append("<span>◇ published</span>")
    panels = (
        panel_svg(one, panel, f"{salt}-{number}") for number, panel in enumerate(one.panels, 1)
    )
    kind = {1: " alone", 2: "", 3: "", 4: ""}.get(len(one.panels), " many")
    return (
        f"<h3>{escape(one.title)}</h3><figure>"
        f'<div class="legend">{"".join(items)}</div>'
        f'<div class="panels{kind}">{"".join(panels)}</div></figure>'
        f"{_folded(f'Table of these {len(one.rows)} values', chart_table(one))}"
    )


def _folded(title: str, text: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{text}</details>"


def _made(section: Section) -> str:
    manifest = section.manifest
    versions = ", ".join(f"{name} {it}" for name, it in manifest.versions.items())
    told = [
        f"<p><code>{escape(manifest.command or _command(section))}</code></p>",
        f"<p>{escape(versions)}; engine {escape(manifest.engine)}; "
        f"{escape(str(manifest.machine.get('platform', '')))}, "
        f"{escape(str(manifest.machine.get('cores', '?')))} cores; "
        f"{manifest.seconds:,.0f} seconds of computing time.</p>",
        f"<pre>{escape(write_toml(manifest.spec))}</pre>",
    ]
    return "".join(told)


def _command(section: Section) -> str:
    return f"mineproof study run {section.summary.study.name}"
