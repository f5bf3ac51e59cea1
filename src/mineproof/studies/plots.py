"""Charts drawn by matplotlib: lines with bands or bars, or names with dots and bars."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, inf, isfinite, log10
from typing import TYPE_CHECKING, Any

from mineproof.studies.charts import Chart, Line, Panel
from mineproof.studies.looks import FAINT, INK, look

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SETTINGS: Any = {
    "axes.edgecolor": INK,
    "axes.facecolor": "none",
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.facecolor": "none",
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "grid.color": FAINT,
    "grid.linewidth": 0.7,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}
_MANY = 16
"""With more dots than this a line gets a band and few markers, else bars and all of them."""


def settings(salt: str) -> Any:
    """How everything looks, for as long as it is drawn; names in it depend on the salt alone."""
    import matplotlib as mpl

    return mpl.rc_context({**_SETTINGS, "svg.hashsalt": salt})


def new_figure(width: float, height: float) -> Figure:
    """An empty one, in inches; no window and no global state."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def height_of(chart: Chart, panel: Panel) -> float:
    """How high a panel must be, in inches."""
    if chart.is_numeric:
        return 3.2
    places = {dot.x for line in panel.lines for dot in line.dots}
    return max(1.8, 0.8 + len(places) * (0.22 + 0.1 * min(len(panel.lines), 4)))


def sheet(chart: Chart) -> Figure:
    """All panels, at most three abreast, with one legend below."""
    from matplotlib.lines import Line2D

    columns = min(3 if len(chart.panels) > 4 else 2, len(chart.panels)) or 1
    rows = ceil(len(chart.panels) / columns) or 1
    height = max((height_of(chart, panel) for panel in chart.panels), default=3.2)
    width = 4.2 * columns if len(chart.panels) > 1 else 6.4
    legend = ceil(len(chart.labels) / max(1, int(width / 2.2))) * 0.22 + 0.3
    figure = new_figure(width, rows * height + legend + 0.3)
    figure.suptitle(chart.title, fontsize=11)
    axes = figure.subplots(rows, columns, squeeze=False).flatten()
    for place, ax in enumerate(axes):
        if place < len(chart.panels):
            draw(ax, chart, chart.panels[place])
        else:
            ax.set_axis_off()
    handles = [_handle(style) for style in range(len(chart.labels))]
    labels = list(chart.labels)
    if any(row.published is not None for row in chart.rows):
        handles.append(Line2D([], [], color=INK, marker="d", mfc="none", ls="none", ms=7))
        labels.append("published")
    figure.legend(handles, labels, loc="outside lower center", ncols=max(1, int(width / 2.2)))
    return figure


def _handle(style: int) -> Any:
    from matplotlib.lines import Line2D

    one, dash = look(style)
    return Line2D([], [], color=one.light, marker=one.marker, ls=dash, ms=5)


def draw(ax: Axes, chart: Chart, panel: Panel) -> None:
    """Draw a panel into its frame."""
    if panel.title:
        ax.set_title(panel.title, fontsize=9, loc="left")
    ax.grid(visible=True)
    ax.set_axisbelow(True)
    if chart.is_numeric:
        _draw_lines(ax, chart, panel)
    else:
        _draw_names(ax, chart, panel)


def _draw_lines(ax: Axes, chart: Chart, panel: Panel) -> None:
    """Numbers across, the measure upwards."""
    if chart.plot.x == "claimed":
        ax.plot([0, 1], [0, 1], color=INK, lw=0.8, ls=(0, (1, 2)))
    if chart.log_x:
        ax.set_xscale("log")
    if chart.log_y:
        ax.set_yscale("log")
    for line in panel.lines:
        _draw_line(ax, line, _aside(chart, panel, line))
    ax.set_xlabel(chart.x_label)
    ax.set_ylabel(chart.y.label)
    _write_units(ax.yaxis, chart)
    ax.set_ylim(*limits(chart, panel))


def limits(chart: Chart, panel: Panel) -> tuple[float, float]:
    """From where to where the measure is drawn: alike in all panels, unless one were flat."""
    whole = _span(chart, chart.panels)
    own = _span(chart, [panel])
    spans = [high - low for low, high in (_span(chart, [one]) for one in chart.panels)]
    low, high = whole if min(spans) > (whole[1] - whole[0]) / 4 else own
    if chart.log_y:
        return 10 ** (low - 0.15), 10 ** (high + 0.15)
    margin = 0.05 * (high - low) or 0.05
    return low - margin, high + margin


def _span(chart: Chart, panels: Sequence[Panel]) -> tuple[float, float]:
    """The least and the greatest of means, published figures and bounds that are not far off."""
    dots = [dot for panel in panels for line in panel.lines for dot in line.dots]
    means = [dot.row.mean for dot in dots]
    theirs = [dot.row.published for dot in dots if dot.row.published is not None]
    ends = [end for dot in dots for end in _ends(dot)]
    if chart.log_y:
        low = min(*means, *theirs, *(end for end in ends if end > min(means) / 4))
        return log10(max(low, 1e-7)), log10(max(*means, *theirs, *ends))
    natural = (0.0, 1.0) if chart.y.unit in {"share", "percent"} else (0.0, inf)
    low, high = min(*means, *theirs), max(*means, *theirs)
    least, most = min(ends), max(ends)
    return (
        min(low, max(least, natural[0])) if low >= 0 else least,
        max(high, min(most, natural[1])) if high <= natural[1] else most,
    )


def _aside(chart: Chart, panel: Panel, line: Line) -> float:
    """How far a line's dots stand aside, so that bars at one place do not hide each other."""
    if chart.log_x or chart.plot.x == "claimed" or len(line.dots) > _MANY:
        return 0.0
    middle = (len(panel.lines) - 1) / 2
    return float((chart.places[-1] - chart.places[0]) * 0.007 * (panel.lines.index(line) - middle))


def _draw_line(ax: Axes, line: Line, aside: float) -> None:
    one, dash = look(line.style)
    xs = [dot.x + aside for dot in line.dots]
    means = [dot.row.mean for dot in line.dots]
    lows, highs = zip(*map(_ends, line.dots), strict=True)
    marks: Any = {"marker": one.marker, "ms": 4.5, "lw": 1.4, "ls": dash, "color": one.light}
    if len(xs) > _MANY:
        ax.fill_between(xs, lows, highs, color=one.light, alpha=0.22, lw=0)
        ax.plot(xs, means, markevery=(2 * line.style % 7, 7), **marks)
    else:
        reach = [
            [mean - low for mean, low in zip(means, lows, strict=True)],
            [high - mean for mean, high in zip(means, highs, strict=True)],
        ]
        ax.errorbar(xs, means, yerr=reach, capsize=2.2, elinewidth=1.1, **marks)
    theirs = [
        (dot.x + aside, dot.row.published) for dot in line.dots if dot.row.published is not None
    ]
    if theirs:
        ax.plot(*zip(*theirs, strict=True), "d", color=one.light, mfc="none", ms=8, mew=1.2)


def _ends(dot: Any) -> tuple[float, float]:
    """The interval, where it is known; else nothing about the mean."""
    low, high = dot.row.low, dot.row.high
    return (low, high) if isfinite(low) and isfinite(high) else (dot.row.mean, dot.row.mean)


def _draw_names(ax: Axes, chart: Chart, panel: Panel) -> None:
    """Names downwards, the measure across: a dot and its interval."""
    if chart.log_y:
        ax.set_xscale("log")
    used = {dot.x for line in panel.lines for dot in line.dots}
    places = {value: number for number, value in enumerate(v for v in chart.places if v in used)}
    step = 0.7 / max(1, len(panel.lines))
    for number, line in enumerate(panel.lines):
        one, _ = look(line.style)
        shift = (number - (len(panel.lines) - 1) / 2) * step
        for dot in line.dots:
            at, (low, high), mean = places[dot.x] + shift, _ends(dot), dot.row.mean
            reach = [[mean - low], [high - mean]]
            ax.errorbar(mean, at, xerr=reach, marker=one.marker, ms=5, color=one.light, capsize=2.2)
            if dot.row.published is not None:
                ax.plot(dot.row.published, at, "d", color=one.light, mfc="none", ms=9, mew=1.2)
    ax.set_yticks(list(places.values()), labels=[str(value) for value in places])
    ax.set_ylim(len(places) - 0.4, -0.6)
    ax.grid(visible=False, axis="y")
    ax.set_xlabel(chart.y.label)
    _write_units(ax.xaxis, chart)


def _write_units(axis: Any, chart: Chart) -> None:
    from matplotlib.ticker import FuncFormatter, NullLocator, PercentFormatter

    if chart.y.unit == "percent":
        axis.set_major_formatter(PercentFormatter(1, decimals=0))
    elif chart.log_y:
        axis.set_major_formatter(FuncFormatter(lambda value, _: _short_seconds(value)))
        axis.set_minor_locator(NullLocator())


def _short_seconds(value: float) -> str:
    for scale, unit in ((1, "s"), (1e3, "ms")):
        if value * scale >= 0.999:
            return f"{value * scale:g} {unit}"
    return f"{value * 1e6:g} µs"
