"""Draw charts with matplotlib: lines with bands or error bars, or names with dots and bars."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, inf, isfinite, log10, nan
from typing import TYPE_CHECKING, Any

from mineproof.printable import printable
from mineproof.studies.charts import Chart, Panel, PlotLine
from mineproof.studies.line_styles import FAINT, INK, line_style

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
"""A line with more dots than this gets a band and few markers, otherwise bars and all markers."""


def settings(salt: str) -> Any:
    """A context with our matplotlib settings; ids in an SVG depend only on `salt`."""
    import matplotlib as mpl

    return mpl.rc_context({**_SETTINGS, "svg.hashsalt": salt})


def _figure(width: float, height: float) -> Figure:
    """An empty figure, with its size in inches; it needs no window and no global state."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height))
    FigureCanvasAgg(figure)
    return figure


_BELOW, _ABOVE = 0.5, 0.27
"""Inches below a frame, for numbers and a label, and above it, for a title."""


def _left(chart: Chart) -> float:
    """Inches at the left of a frame: estimated, because measuring the labels is slower."""
    if chart.is_numeric:
        return 0.82 if chart.log_y else 0.66
    return 0.15 + 0.076 * max((len(str(place)) for place in chart.places), default=0)


def _height(chart: Chart, panel: Panel) -> float:
    """The height of a panel in inches."""
    if chart.is_numeric:
        return 4.2 if len(chart.panels) == 1 else 3.2
    places = {dot.x for line in panel.lines for dot in line.dots}
    return max(1.8, 0.8 + len(places) * (0.22 + 0.1 * min(len(panel.lines), 4)))


def single(chart: Chart, panel: Panel) -> Figure:
    """Draw one panel."""
    alone = len(chart.panels) == 1
    width, height = (9.0 if alone else 4.5), _height(chart, panel)
    figure = _figure(width, height)
    bounds = (_left(chart) / width, _BELOW / height)
    top = _ABOVE if panel.title else 0.08
    frame = (1 - bounds[0] - 0.1 / width, 1 - bounds[1] - top / height)
    _draw(figure.add_axes((*bounds, *frame)), chart, panel)
    return figure


def sheet(chart: Chart) -> Figure:
    """Draw all panels, at most three per row, under a title, with one legend below."""
    columns = min(2 if len(chart.panels) in {2, 4} else 3, len(chart.panels)) or 1
    rows = ceil(len(chart.panels) / columns) or 1
    high = max((_height(chart, panel) for panel in chart.panels), default=3.2)
    wide = 4.2 if len(chart.panels) > 1 else 6.4
    abreast = max(1, int(wide * columns / (0.6 + 0.08 * max(map(len, chart.labels), default=9))))
    keys = len(chart.labels) + any(row.published is not None for row in chart.rows)
    foot, head = 0.15 + 0.2 * ceil(keys / abreast), 0.35
    width, height = wide * columns, rows * high + foot + head
    figure = _figure(width, height)
    title = printable(chart.title)
    figure.suptitle(title, parse_math=False, fontsize=11, y=1 - 0.1 / height, va="top")
    for place, panel in enumerate(chart.panels):
        left = (place % columns) * wide + _left(chart)
        bottom = foot + (rows - 1 - place // columns) * high + _BELOW
        size = (wide - _left(chart) - 0.1, high - _BELOW - _ABOVE)
        bounds = (left / width, bottom / height, size[0] / width, size[1] / height)
        _draw(figure.add_axes(bounds), chart, panel)
    _add_legend(figure, chart, abreast)
    return figure


def _add_legend(figure: Figure, chart: Chart, abreast: int) -> None:
    from matplotlib.lines import Line2D

    handles = [_handle(style) for style in range(len(chart.labels))]
    labels = list(map(printable, chart.labels))
    if any(row.published is not None for row in chart.rows):
        handles.append(Line2D([], [], color=INK, marker="d", mfc="none", ls="none", ms=7))
        labels.append("published")
    figure.legend(handles, labels, loc="lower center", ncols=abreast)


def _handle(style: int) -> Any:
    from matplotlib.lines import Line2D

    one, dash = line_style(style)
    return Line2D([], [], color=one.light, marker=one.marker, ls=dash, ms=5)


def _draw(ax: Axes, chart: Chart, panel: Panel) -> None:
    """Draw a panel into its axes."""
    if panel.title:
        ax.set_title(printable(panel.title), parse_math=False, fontsize=9, loc="left")
    ax.grid(visible=True)
    ax.set_axisbelow(True)
    if chart.is_numeric:
        _draw_lines(ax, chart, panel)
    else:
        _draw_names(ax, chart, panel)


def _draw_lines(ax: Axes, chart: Chart, panel: Panel) -> None:
    """Draw lines: numbers on the x axis, the measure on the y axis."""
    places = [dot.x for line in panel.lines for dot in line.dots]
    if chart.plot.x == "claimed":
        ax.plot([0, 1], [0, 1], color=INK, lw=0.8, ls=(0, (1, 2)))
    if chart.log_x:
        ax.set_xscale("log")
        least, most = min(places), max(places)
        if least == most:  # matplotlib would take what rounding leaves for a range
            ax.set_xlim(least / 2, 2 * most)
    if chart.log_y:
        ax.set_yscale("log")
    for line in panel.lines:
        _draw_line(ax, line, _aside(chart, panel, line), joined=chart.plot.x != "claimed")
    ax.set_xlabel(chart.x_label)
    ax.set_ylabel(chart.y.label)
    _write_units(ax.yaxis, chart)
    ax.set_ylim(*limits(chart, panel))


def limits(chart: Chart, panel: Panel) -> tuple[float, float]:
    """The limits of the measure's axis: the same in all panels, unless one would look flat."""
    whole = _span(chart, chart.panels)
    own = _span(chart, [panel])
    spans = [high - low for low, high in (_span(chart, [one]) for one in chart.panels)]
    low, high = whole if min(spans) > (whole[1] - whole[0]) / 4 else own
    if chart.log_y:
        return 10 ** (low - 0.15), 10 ** (high + 0.15)
    margin = 0.05 * (high - low) or 0.05
    return low - margin, high + margin


def _span(chart: Chart, panels: Sequence[Panel]) -> tuple[float, float]:
    """The range of means, published figures and those interval bounds that are not far off."""
    dots = [dot for panel in panels for line in panel.lines for dot in line.dots]
    means = [dot.row.mean for dot in dots]
    theirs = [dot.row.published for dot in dots if dot.row.published is not None]
    ends = [end for dot in dots for end in _ends(dot)]
    if chart.log_y:
        low = min([*means, *theirs, *(end for end in ends if end > min(means) / 4)])
        return log10(max(low, 1e-7)), log10(max([*means, *theirs, *ends, 1e-7]))
    natural = (0.0, 1.0) if chart.y.unit in {"share", "percent"} else (0.0, inf)
    low, high = min(means + theirs), max(means + theirs)
    least, most = min(ends), max(ends)
    return (
        min(low, max(least, natural[0])) if low >= 0 else least,
        max(high, min(most, natural[1])) if high <= natural[1] else most,
    )


def _aside(chart: Chart, panel: Panel, line: PlotLine) -> float:
    """The horizontal shift of a line's dots, so that bars at the same x do not overlap."""
    if chart.log_x or chart.plot.x == "claimed" or len(line.dots) > _MANY:
        return 0.0
    middle = (len(panel.lines) - 1) / 2
    return float((chart.places[-1] - chart.places[0]) * 0.007 * (panel.lines.index(line) - middle))


def _draw_line(ax: Axes, line: PlotLine, aside: float, *, joined: bool) -> None:
    """Draw dots with their intervals; claims are not joined, as there is nothing between them."""
    one, dash = line_style(line.style)
    places = [(dot.x + aside, dot.row.mean, *_ends(dot)) for dot in line.dots]
    places += [(gap + aside, nan, nan, nan) for gap in line.gaps]  # where the line breaks
    xs, means, lows, highs = zip(*sorted(places), strict=True)
    marks: Any = {
        "marker": one.marker,
        "ms": 4.5,
        "lw": 1.4,
        "ls": dash if joined else "none",
        "color": one.light,
    }
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
    """The interval where it is known, otherwise just the mean."""
    low, high = dot.row.low, dot.row.high
    return (low, high) if isfinite(low) and isfinite(high) else (dot.row.mean, dot.row.mean)


def _draw_names(ax: Axes, chart: Chart, panel: Panel) -> None:
    """Draw a dot and its interval per name, with the names on the y axis."""
    if chart.log_y:
        ax.set_xscale("log")
    used = {dot.x for line in panel.lines for dot in line.dots}
    places = {value: number for number, value in enumerate(v for v in chart.places if v in used)}
    step = 0.7 / max(1, len(panel.lines))
    for number, line in enumerate(panel.lines):
        one, _ = line_style(line.style)
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
    ax.set_xlim(*limits(chart, panel))
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
