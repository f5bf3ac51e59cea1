"""Tables of a study's page as HTML: our mean, interval and n next to the published figure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isfinite

from mineproof.printable import escape
from mineproof.series.columns import Unit
from mineproof.studies.charts import Chart, name
from mineproof.studies.findings import change, primary
from mineproof.studies.findings_by_measure import wants_table, wins_by_place
from mineproof.studies.line_styles import key
from mineproof.studies.published import BEYOND
from mineproof.studies.summary import Difference, Row, Summary
from mineproof.studies.tasks import MEASURES
from mineproof.studies.wording import write, write_interval

_MOST = 240
"""At most this many paired differences are shown; the CSV has all."""


def chart_table(chart: Chart) -> str:
    """The numbers of a chart: one row per x value and panel, one column per line."""
    panels = [", ".join(chart.plot.panels)] if any(panel.title for panel in chart.panels) else []
    heads = [*panels, chart.plot.x]
    keyed = (f"{key(style)} {escape(label)}" for style, label in enumerate(chart.labels))
    lines = ["<table><thead><tr>", *(f"<th>{escape(head)}</th>" for head in heads)]
    lines += [*(f"<th>{head}</th>" for head in keyed), "</tr></thead><tbody>"]
    for panel in chart.panels:
        at: dict[object, dict[int, Row]] = {}
        for line in panel.lines:
            for dot in line.dots:
                at.setdefault(_place(dot.x), {})[line.style] = dot.row
        for place, rows in at.items():
            title = f"<th>{escape(panel.title)}</th>" if panel.title else ""
            lines.append(f"<tr>{title}<th>{escape(str(place))}</th>")
            lines += [_cell(rows.get(style), chart.y.unit) for style in range(len(chart.labels))]
            lines.append("</tr>")
    return _framed([*lines, "</tbody></table>"])


def wins_table(summary: Summary) -> str:
    """Win rates on many boards: one row per board, the best in bold."""
    groups = wins_by_place(summary)
    if not wants_table(groups):
        return ""
    agents = list(dict.fromkeys(row.point.agent for rows in groups.values() for row in rows))
    lines = ["<table><thead><tr><th>games won</th>"]
    lines += [*(f"<th>{escape(name('agent', agent))}</th>" for agent in agents), "</tr></thead>"]
    for place, rows in groups.items():
        best = max(row.mean for row in rows)
        found = {row.point.agent: row for row in rows}
        lines.append(f"<tr><th>{escape(place)}</th>")
        lines += [_win(found.get(agent), best) for agent in agents]
        lines.append("</tr>")
    least, most = (pick(row.n for row in summary.of("win")) for pick in (min, max))
    n = f"n = {least}" if least == most else f"n = {least} to {most}"
    return f"{_framed([*lines, '</table>'])}<p class=tag>With 95 % CI, {n} games each.</p>"


def _win(row: Row | None, best: float) -> str:
    if row is None:
        return "<td>no games</td>"
    rate, interval = write(row.mean, "percent"), write_interval(row.low, row.high, "percent")
    told = f"<b>{rate}</b>" if row.mean == best else rate
    return f"<td>{told}<small>{interval}</small></td>"


def _place(x: object) -> str:
    return f"{x:.4g}" if isinstance(x, float) else str(x)


def _cell(row: Row | None, unit: Unit) -> str:
    if row is None:
        return "<td></td>"
    interval = write_interval(row.low, row.high, unit) if isfinite(row.high - row.low) else "-"
    told = f"<b>{write(row.mean, unit)}</b> <small>{interval}, n&nbsp;{row.n}</small>"
    if row.published is None:
        return f"<td>{told}</td>"
    far = row.distance is not None and abs(row.distance) > BEYOND and unit != "seconds"
    mark = " ≠" if far else ""
    title = "" if row.figure is None else escape(f"{row.figure.source}. {row.figure.note}".strip())
    return (
        f'<td>{told} <span class="theirs{" far" if far else ""}" title="{title}">'
        f"◇&nbsp;{write(row.published, unit)}{mark}</span></td>"
    )


def difference_table(summary: Summary) -> str:
    """Paired differences of the study's main measure, between points with the same boards."""
    of = primary(summary)
    found = [one for one in summary.differences if one.measure == of]
    if not found:
        return ""
    unit = MEASURES[of].unit
    heads = ("board", "first", "minus second", "difference", "95 % CI", "n")
    lines = ["<table><thead><tr>", *(f"<th>{head}</th>" for head in heads), "</tr></thead><tbody>"]
    for one in found[:_MOST]:
        lines.append(_difference(one, unit))
    lines.append("</tbody></table>")
    more = f"<p>{len(found) - _MOST} more are in the CSV.</p>" if len(found) > _MOST else ""
    return (
        f"<p>Measure: {escape(MEASURES[of].label)}. Differences are computed game by game on the "
        f"same boards; significant ones are bold.</p>{_framed(lines)}{more}"
    )


def _difference(one: Difference, unit: Unit) -> str:
    first, second = (_told(one, point) for point in (one.first, one.second))
    setting = ", ".join(_setting(one))
    clear = one.low > 0 or one.high < 0
    value = change(one.mean, unit)
    interval = f"{change(one.low, unit)} to {change(one.high, unit)}"
    return (
        f"<tr><th>{escape(setting)}</th><td>{escape(first)}</td><td>{escape(second)}</td>"
        f"<td>{f'<b>{value}</b>' if clear else value}</td>"
        f"<td>{interval if isfinite(one.high) else '-'}</td><td>{one.n}</td></tr>"
    )


def _told(one: Difference, point: object) -> str:
    return name(one.by, getattr(point, one.by))


def _setting(one: Difference) -> Iterator[str]:
    yield one.first.board
    if one.by != "agent":
        yield name("agent", one.first.agent)
    if one.by != "clues" and one.first.clues != "exact":
        yield one.first.clues
    if one.first.opening != "any":
        yield name("opening", one.first.opening)


def said_table(summary: Summary) -> str:
    """The figures that the report states in words, with our notes."""
    said = [one for one in summary.figures if not one.is_of_a_point]
    if not said:
        return ""
    items = (
        f"<li><b>{escape(one.source)}</b>, {escape(name('agent', one.agent))}"
        f"{'' if one.clues == 'exact' else f' with {escape(one.clues)}'}"
        f"{'' if one.value is None else f': {one.value:.2f}'}. {escape(_sentence(one.note))}</li>"
        for one in said
    )
    return f"<ul>{''.join(items)}</ul>"


def _sentence(note: str) -> str:
    return f"{note[:1].upper()}{note[1:]}."


def _framed(lines: Iterable[str]) -> str:
    """Put a table in a frame that scrolls, so that the page need not."""
    return f'<div class="frame">{"".join(lines)}</div>'
