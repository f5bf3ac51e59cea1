"""Write the figures in documents from stored results of studies, so that none is typed by hand.

`docs/figures.csv` keeps the results that the pages show. `python -m tools.figures` (part of
`make docs`) writes the figures of all pages from it. With folders of studies, as in

    mineproof study run report000-cap report004-threshold
    python -m tools.figures studies

it first replaces the stored results of these studies by those of the new runs and redraws their
pictures. The tests compare pages and stored results.

A generated table is enclosed in two comments:

    <!-- figures: report000-cap flag_rate rows=size,density columns=agent -->
    <!-- end of figures -->

Figures in sentences are plain text. A comment at the end of the page lists them in the order in
which they appear, each with the query that produces it:

    <!-- figures in the text:
    0.123 (0.120 to 0.126, n = 200) | report000-cap flag_rate agent=brute board=20x20/0.3
    -->

To add a figure, write any text for it, such as `FIGURE`, both in the sentence and in the list;
`make docs` replaces both.

A query names a study and a measure (several, separated by `|`, make a table with
`columns=measure`) and selects rows: `agent=brute`, `agent=brute|linalg`, `agent=not:champion`.
`minus` asks for a paired difference (to an agent; `minus=count_known=false` to another setting;
`minus=any` to all). Every figure has its n and its 95 % interval. Of several rows,

- `pick=most`, `pick=least` shows the one with the highest or lowest mean, and its board
- `pick=range` shows both of these means; `pick=mean` the unweighted average
- `pick=total` shows the sum over all games; `pick=n` the number of games or claims
- `pick=miss` shows how far claims of risk were off on average, in points (more mines: +)
- `pick=faster` shows how many times as fast as published
- `count=above`, `below`, `same` counts rows whose difference is beyond its error, or is not
- `count=near`, `apart` counts published figures within three standard errors, or outside
- `count=true` counts bins of claimed risk whose interval contains the claim
- `count=ahead:AGENT` counts the points at which this agent has the highest mean

`<!-- runs -->` to `<!-- end of runs -->` is a table of all runs with date, version and number of
games; `<!-- apart: report000 -->` to `<!-- end of apart -->` lists the published figures of that
report that do not agree.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from tools.figures_kept import KEYS, RUN, Row, stored, take
from tools.figures_written import average, miss, name, number, points, short, speed, with_interval
from tools.recorder import PAGES, ROOT

BEYOND = 3.0
"""Published figures more than this many combined standard errors away are marked."""
PICTURES = ROOT / "docs" / "images" / "results"

_TABLE = re.compile(
    r"(<!-- figures: (?P<asked>[^>]*?) -->\n)(?P<body>.*?)(<!-- end of figures -->)", re.S
)
_LIST = re.compile(r"(?<=<!-- figures in the text:\n)(?P<items>.*?)(?=-->)", re.S)
_APART = re.compile(
    r"(<!-- apart: (?P<report>[\w-]+) -->\n)(?P<body>.*?)(<!-- end of apart -->)", re.S
)
_RUNS = re.compile(r"(<!-- runs -->\n)(.*?)(<!-- end of runs -->)", re.S)


class Asked:
    """The query of a comment."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.study, measures, *rest = text.split()
        self.measures = measures.split("|")
        options = dict(word.split("=", 1) for word in rest)
        self.rows = options.pop("rows", "size,density").split(",")
        self.columns = options.pop("columns", "agent")
        self.pick = options.pop("pick", "")
        self.count = options.pop("count", "")
        minus = options.pop("minus", "")
        by = minus.split("=")[0]
        self.minus = minus if by in KEYS or minus in {"", "any"} else f"agent={minus}"
        self.fixed = options

    def takes(self, row: Row) -> bool:
        """Whether a stored row matches."""
        here = row["study"] == self.study and row["measure"] in self.measures
        here &= (
            row["minus"].startswith("agent=") if self.minus == "any" else row["minus"] == self.minus
        )
        here &= (
            row["board"] != "all"
            or row["measure"] not in {"flag_rate", "score"}
            or (self.fixed.get("board") == "all")
        )
        return here and all(_is(row[key], value) for key, value in self.fixed.items())

    def found(self, rows: Iterable[Row]) -> list[Row]:
        """Return the matching rows."""
        found = [row for row in rows if self.takes(row)]
        if not found:
            raise LookupError(
                f"no stored figure for {self.text!r}: run the study, then `python -m tools.figures`"
            )
        return found


def _is(value: str, asked: str) -> bool:
    """Whether a value is one of those asked for, or none of those after `not:`."""
    if asked.startswith("not:"):
        return value not in asked.removeprefix("not:").split("|")
    return value in asked.split("|")


def filled(text: str, rows: list[Row]) -> str:
    """Return a page with all its figures as stored."""
    text = _TABLE.sub(
        lambda place: f"{place[1]}\n{_table(Asked(place['asked']), rows)}\n\n{place[4]}", text
    )
    text = _RUNS.sub(lambda place: f"{place[1]}\n{_runs(rows)}\n\n{place[3]}", text)
    text = _APART.sub(
        lambda place: f"{place[1]}\n{_apart(rows, place['report'])}\n\n{place[4]}", text
    )
    shown = [(figure, query, _one(Asked(query), rows)) for figure, query in listed(text)]
    new, end = [], 0
    for (_, _, now), (begin, after) in zip(shown, places(text), strict=True):
        new += [text[end:begin], now]
        end = after
    items = "".join(f"{now} | {query}\n" for _, query, now in shown)
    return "".join(new) + _LIST.sub(lambda _: items, text[end:])


def listed(text: str) -> list[tuple[str, str]]:
    """Return the figures in a page's sentences with their queries, as the page lists them."""
    lines = (line for found in _LIST.finditer(text) for line in found["items"].splitlines())
    return [(figure, query) for figure, _, query in (line.partition(" | ") for line in lines)]


def places(text: str) -> list[tuple[int, int]]:
    """Find the listed figures in the sentences, in order."""
    found, end = [], 0
    for figure, query in listed(text):
        place = re.compile(rf"(?<![\w.,+−]){re.escape(figure)}(?!\w|[.,]\d)").search(text, end)
        if place is None or place.start() > text.index("<!-- figures in the text:"):
            raise LookupError(
                f"{figure!r} ({query}) is listed but not in the text, or not in order"
            )
        found.append(place.span())
        end = place.end()
    return found


def _one(asked: Asked, rows: list[Row]) -> str:
    """Format a figure for a sentence."""
    found, signed = asked.found(rows), bool(asked.minus)
    if asked.count:
        return _counted(asked.count, found)
    if asked.pick:
        return _PICKS[asked.pick](found, signed)
    if len(found) > 1:
        raise LookupError(f"{len(found)} stored figures for {asked.text!r}: say which")
    return with_interval(found[0], signed=signed)


def _mean(row: Row) -> float:
    return float(row["mean"])


def _games(rows: list[Row]) -> str:
    games = sorted({int(row["n"]) for row in rows})
    return " to ".join(f"{n:,}" for n in dict.fromkeys((games[0], games[-1])))


def _place(row: Row) -> str:
    clues = row["clues"] not in {"", "exact"}
    return f"{row['clues']} at {row['board']}" if clues else row["board"]


def _extreme(row: Row, signed: bool) -> str:
    return with_interval(row, signed=signed, at=_place(row))


def _range(rows: list[Row], signed: bool) -> str:
    least, most = min(rows, key=_mean), max(rows, key=_mean)
    known = " to ".join(short(row, signed=signed) for row in (least, most))
    return f"{known} (n = {_games(rows)})"


_PICKS: dict[str, Callable[[list[Row], bool], str]] = {
    "most": lambda rows, signed: _extreme(max(rows, key=_mean), signed),
    "least": lambda rows, signed: _extreme(min(rows, key=_mean), signed),
    "range": _range,
    "mean": lambda rows, signed: with_interval(average(rows), signed=signed),
    "total": lambda rows, _: f"{sum(int(row['n']) * _mean(row) for row in rows):,.0f}",
    "n": lambda rows, _: f"{sum(int(row['n']) for row in rows):,}",
    "miss": lambda rows, _: miss(rows),
    "faster": lambda rows, _: speed(rows),
}


def _counted(kind: str, rows: list[Row]) -> str:
    """Count the rows with a property."""
    if kind.startswith("ahead:"):
        points: dict[tuple[str, ...], list[Row]] = {}
        for row in rows:
            points.setdefault(tuple(row[key] for key in KEYS if key != "agent"), []).append(row)
        best = [max(some, key=_mean)["agent"] for some in points.values() if len(some) > 1]
        return f"{best.count(kind.removeprefix('ahead:'))} of {len(best)}"
    if kind in {"near", "apart"}:
        rows = [row for row in rows if row["apart"]]
    return f"{sum(map(_COUNTS[kind], rows))} of {len(rows)}"


_COUNTS: dict[str, Callable[[Row], bool]] = {
    "above": lambda row: float(row["low"]) > 0,
    "below": lambda row: float(row["high"]) < 0,
    "same": lambda row: float(row["low"]) <= 0 <= float(row["high"]),
    "near": lambda row: abs(float(row["apart"])) <= BEYOND,
    "apart": lambda row: abs(float(row["apart"])) > BEYOND,
    "true": lambda row: float(row["low"]) <= float(row["claimed"]) <= float(row["high"]),
}


def _line(asked: Asked, row: Row) -> tuple[str, ...]:
    return tuple(name(row[key]) if key == "measure" else row[key] for key in asked.rows)


def _table(asked: Asked, rows: list[Row]) -> str:
    """A table of some keys by another, with published figures in brackets."""
    found = asked.found(rows)
    columns = (
        asked.measures
        if asked.columns == "measure"
        else dict.fromkeys(row[asked.columns] for row in found)
    )
    lines = list(dict.fromkeys(_line(asked, row) for row in found))
    place = {(_line(asked, row), row[asked.columns]): row for row in found}
    named = (name(c) if asked.columns == "measure" else f"`{c}`" for c in columns)
    heads = [*asked.rows, *named, "n"]
    out = [f"| {' | '.join(heads)} |", f"| {' | '.join('---' for _ in heads)} |"]
    for line in lines:
        here = [place.get((line, column)) for column in columns]
        cells = ["" if row is None else _cell(row, signed=bool(asked.minus)) for row in here]
        games = _games([row for row in here if row is not None])
        out.append(f"| {' | '.join((*line, *cells, games))} |")
    return "\n".join([*out, "", _source(asked, found[0])])


def _source(asked: Asked, row: Row) -> str:
    minus = f" compared with {_other(asked.minus)}, paired" if asked.minus else ""
    run = f"`mineproof study run {asked.study}`, mineproof {row['version']}, {row['date']}"
    measures = ", ".join(map(name, asked.measures))
    minus += f", in{points(row)}" if points(row) else ""
    return f"({measures}{minus}, ± half of a 95 % interval; {run})"


def _other(minus: str) -> str:
    """What is subtracted in a difference: an agent or another setting."""
    key, _, value = minus.partition("=")
    return f"`{value}`" if key == "agent" else f"`{minus}`"


def _cell(row: Row, *, signed: bool) -> str:
    text = short(row, signed=signed)
    if not row["published"]:
        return text
    mark = " ≠" if row["apart"] and abs(float(row["apart"])) > BEYOND else ""
    return f"{text} ({number(row, float(row['published']))}{mark})"


def _by_study(rows: list[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["study"], []).append(row)
    return found


def _runs(rows: list[Row]) -> str:
    """The table of all runs: study, version, date and games."""
    out = ["| study | mineproof | date | games | games per point | CPU time |"]
    out += ["| --- | --- | --- | --- | --- | --- |"]
    for study, mine in _by_study(rows).items():
        run = next((row for row in mine if row["measure"] == RUN), None)
        points = _games([row for row in mine if row["claimed"] == "" and row["board"] != "all"])
        games, seconds = "", ""
        if run is not None:
            points = " to ".join(f"{int(n):,}" for n in dict.fromkeys((run["low"], run["high"])))
            games, seconds = f"{int(run['n']):,}", f"{math.ceil(_mean(run)):,} s"
        known = (study, mine[0]["version"], mine[0]["date"], games, points, seconds)
        out.append(f"| {' | '.join(known)} |")
    found = [row for row in rows if row["measure"] == RUN]
    games, seconds = sum(int(row["n"]) for row in found), sum(map(_mean, found))
    return "\n".join([*out, f"| all | | | {games:,} | | {seconds:,.0f} s |"])


def differs(row: Row) -> bool:
    """Whether a published figure differs from ours beyond the errors; times do not count."""
    timed = row["measure"].endswith("_seconds")
    return bool(row["apart"]) and not timed and abs(float(row["apart"])) > BEYOND


def _apart(rows: list[Row], report: str) -> str:
    """The published figures of one report that disagree with ours."""
    found = [row for row in rows if row["study"].startswith(report) and differs(row)]
    if not found:
        return "(none)"
    out = ["| study | agent | board | measure | ours | published | standard errors | n |"]
    out.append("| --- " * 8 + "|")
    for row in found:
        theirs = number(row, float(row["published"]))
        measure = name(row["measure"])
        known = (row["study"], row["agent"], _place(row), measure, short(row), theirs)
        apart = f"{float(row['apart']):+.1f}".replace("-", "−")
        out.append(f"| {' | '.join((*known, apart, row['n']))} |")
    return "\n".join(out)


def asked_for() -> list[Asked]:
    """Return the queries of all pages."""
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    tables = (place["asked"] for text in texts for place in _TABLE.finditer(text))
    figures = (query for text in texts for _, query in listed(text))
    return [Asked(query) for query in (*tables, *figures)]


def wanted(asked: list[Asked]) -> Callable[[Row], bool]:
    """Return whether a row is stored: every run, and everything that a page shows."""
    always = (lambda row: row["measure"] == RUN), differs
    return lambda row: any(one(row) for one in (*always, *(each.takes for each in asked)))


def draw(summaries: Iterable[object]) -> None:
    """Draw the pictures of these studies that pages show."""
    from mineproof.studies.chart_files import chart_files
    from mineproof.studies.charts import chart
    from mineproof.studies.summary import Summary

    for summary in summaries:
        assert isinstance(summary, Summary)
        for count, plot in enumerate(summary.study.plots, 1):
            name = f"{summary.study.name}-{count}"
            if (PICTURES / f"{name}.svg").exists():
                svg, _ = chart_files(chart(summary, plot), name)
                (PICTURES / f"{name}.svg").write_text(svg, encoding="utf-8")


def main(arguments: list[str]) -> None:
    """Store new results, if any, then write all pages."""
    if arguments:
        draw(take(map(Path, arguments), wanted(asked_for())))
    rows = stored()
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if (new := filled(text, rows)) != text:
            page.write_text(new, encoding="utf-8")
            print(f"{page.name}: figures updated")


if __name__ == "__main__":
    main(sys.argv[1:])
