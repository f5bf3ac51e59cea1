"""Figures in documents come from stored results of studies, and nobody types them.

`docs/figures.csv` keeps what the pages show of runs of studies. `python -m tests.figures` writes
the figures of all pages anew from it (`make docs` does), and with folders of studies, as in

    mineproof study run report000-cap report004-threshold
    python -m tests.figures studies

first takes what the pages show from these runs, each study's whole and in place of what was kept
of an earlier run, and draws its pictures. The tests compare. A table stands between two comments:

    <!-- figures: report000-cap flag_rate rows=size,density columns=agent -->
    <!-- end of figures -->

A name and a value choose some rows (`agent=brute`, or one of several: `agent=brute|linalg`).
Several measures make a table with `columns=measure`. A figure stands in a sentence:

    <!-- figure: report000-cap flag_rate agent=brute board=20x20/0.3 less=linalg -->...<!-- end -->

with `less` a difference, paired by games (to an agent; `less=count_known=false` to another
setting; `less=any` to all). Every figure has its n and its 95 % interval. Of several rows,

- `pick=most`, `pick=least` tells the one with the highest, the lowest mean, and its board
- `pick=range` both of these means; `pick=mean` the average, each row counting alike
- `pick=total` the sum over all games; `pick=n` how many games or claims there were
- `pick=miss` how far claims of risk were off on average, in points (more mines than claimed: +)
- `pick=faster` how many times as fast as published
- `count=above`, `below`, `same`: in how many rows a difference is beyond its error, or not
- `count=near`, `apart`: how many published figures lie within three standard errors, or not
- `count=true`: in how many bins of claimed risk the claim lies in the interval
- `count=ahead:AGENT`: at how many points this agent has the highest mean

`<!-- runs -->` to `<!-- end of runs -->` is a table of all runs: when, which version, how
many games; `<!-- apart: report000 -->` to `<!-- end of apart -->` one of all published figures of
that report that do not agree.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.figures_kept import KEYS, RUN, Row, stored, take
from tests.figures_written import average, miss, name, number, points, short, speed, with_interval
from tests.recorder import PAGES, ROOT

BEYOND = 3.0
"""Published figures further away than so many combined standard errors are marked."""
PICTURES = ROOT / "docs" / "images" / "results"

_TABLE = re.compile(
    r"(<!-- figures: (?P<asked>[^>]*?) -->\n)(?P<body>.*?)(<!-- end of figures -->)", re.S
)
_FIGURE = re.compile(r"(<!-- figure: (?P<asked>[^>]*?) -->)(?P<body>.*?)(<!-- end -->)", re.S)
_APART = re.compile(
    r"(<!-- apart: (?P<report>[\w-]+) -->\n)(?P<body>.*?)(<!-- end of apart -->)", re.S
)
_RUNS = re.compile(r"(<!-- runs -->\n)(.*?)(<!-- end of runs -->)", re.S)


class Asked:
    """What a comment asks for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.study, measures, *rest = text.split()
        self.measures = measures.split("|")
        options = dict(word.split("=", 1) for word in rest)
        self.rows = options.pop("rows", "size,density").split(",")
        self.columns = options.pop("columns", "agent")
        self.pick = options.pop("pick", "")
        self.count = options.pop("count", "")
        less = options.pop("less", "")
        by = less.split("=")[0]
        self.less = less if by in KEYS or less in {"", "any"} else f"agent={less}"
        self.fixed = options

    def takes(self, row: Row) -> bool:
        """Whether a stored row is one of those."""
        here = row["study"] == self.study and row["measure"] in self.measures
        here &= row["less"].startswith("agent=") if self.less == "any" else row["less"] == self.less
        here &= (
            row["board"] != "all"
            or row["measure"] not in {"flag_rate", "score"}
            or (self.fixed.get("board") == "all")
        )
        return here and all(_is(row[key], value) for key, value in self.fixed.items())

    def found(self, rows: Iterable[Row]) -> list[Row]:
        """The rows that are asked for."""
        found = [row for row in rows if self.takes(row)]
        if not found:
            raise LookupError(f"no stored figure for {self.text!r}: run the study, then take it")
        return found


def _is(value: str, asked: str) -> bool:
    """One of the values asked for, or none of those after `not:`."""
    if asked.startswith("not:"):
        return value not in asked.removeprefix("not:").split("|")
    return value in asked.split("|")


def filled(text: str, rows: list[Row]) -> str:
    """A page with all its figures as they are kept."""
    text = _TABLE.sub(lambda place: _put(place, "\n{}\n\n", _table, rows), text)
    text = _RUNS.sub(lambda place: f"{place[1]}\n{_runs(rows)}\n\n{place[3]}", text)
    text = _APART.sub(
        lambda place: f"{place[1]}\n{_apart(rows, place['report'])}\n\n{place[4]}", text
    )
    return _FIGURE.sub(lambda place: _put(place, "{}", _one, rows), text)


def _put(
    place: re.Match[str], form: str, told: Callable[[Asked, list[Row]], str], rows: list[Row]
) -> str:
    asked = Asked(place["asked"])
    return f"{place[1]}{form.format(told(asked, rows))}{place[4]}"


def _one(asked: Asked, rows: list[Row]) -> str:
    """A figure in a sentence."""
    found, signed = asked.found(rows), bool(asked.less)
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
    told = " to ".join(short(row, signed=signed) for row in (least, most))
    return f"{told} (n = {_games(rows)})"


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
    """In how many of the rows something is so."""
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
    """A table of some keys by another, with what was published in brackets."""
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
        cells = ["" if row is None else _cell(row, signed=bool(asked.less)) for row in here]
        games = _games([row for row in here if row is not None])
        out.append(f"| {' | '.join((*line, *cells, games))} |")
    return "\n".join([*out, "", _source(asked, found[0])])


def _source(asked: Asked, row: Row) -> str:
    less = f" minus that of {_other(asked.less)}, paired" if asked.less else ""
    run = f"`mineproof study run {asked.study}`, mineproof {row['version']}, {row['date']}"
    measures = ", ".join(map(name, asked.measures))
    less += f", in{points(row)}" if points(row) else ""
    return f"({measures}{less}, ± half of a 95 % interval; {run})"


def _other(less: str) -> str:
    """What a difference is taken from: an agent, or another setting."""
    key, _, value = less.partition("=")
    return f"`{value}`" if key == "agent" else f"`{less}`"


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
    """What was run, when, by which version."""
    out = ["| study | mineproof | date | games | games per point | CPU time |"]
    out += ["| --- | --- | --- | --- | --- | --- |"]
    for study, mine in _by_study(rows).items():
        run = next((row for row in mine if row["measure"] == RUN), None)
        points = _games([row for row in mine if row["claimed"] == "" and row["board"] != "all"])
        games, seconds = "", ""
        if run is not None:
            points = " to ".join(f"{int(n):,}" for n in dict.fromkeys((run["low"], run["high"])))
            games, seconds = f"{int(run['n']):,}", f"{math.ceil(_mean(run)):,} s"
        told = (study, mine[0]["version"], mine[0]["date"], games, points, seconds)
        out.append(f"| {' | '.join(told)} |")
    found = [row for row in rows if row["measure"] == RUN]
    games, seconds = sum(int(row["n"]) for row in found), sum(map(_mean, found))
    return "\n".join([*out, f"| all | | | {games:,} | | {seconds:,.0f} s |"])


def differs(row: Row) -> bool:
    """Whether a published figure lies further from ours than errors tell; times aside."""
    timed = row["measure"].endswith("_seconds")
    return bool(row["apart"]) and not timed and abs(float(row["apart"])) > BEYOND


def _apart(rows: list[Row], report: str) -> str:
    """The published figures of one report that do not agree."""
    found = [row for row in rows if row["study"].startswith(report) and differs(row)]
    if not found:
        return "(none)"
    out = ["| study | agent | board | measure | ours | published | standard errors | n |"]
    out.append("| --- " * 8 + "|")
    for row in found:
        theirs = number(row, float(row["published"]))
        measure = name(row["measure"])
        told = (row["study"], row["agent"], _place(row), measure, short(row), theirs)
        apart = f"{float(row['apart']):+.1f}".replace("-", "−")
        out.append(f"| {' | '.join((*told, apart, row['n']))} |")
    return "\n".join(out)


def asked_for() -> list[Asked]:
    """What all pages ask for."""
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    return [
        Asked(match["asked"]) for text in texts for kind in (_TABLE, _FIGURE)
        for match in kind.finditer(text)
    ]  # fmt: skip


def wanted(asked: list[Asked]) -> Callable[[Row], bool]:
    """Whether a page shows a row: of every run when it was, of all others what was asked for."""
    always = (lambda row: row["measure"] == RUN), differs
    return lambda row: any(one(row) for one in (*always, *(each.takes for each in asked)))


def draw(summaries: Iterable[object]) -> None:
    """Draw the pictures of some studies that pages show."""
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
    """Take what is new, then write all pages."""
    if arguments:
        draw(take(map(Path, arguments), wanted(asked_for())))
    rows = stored()
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if (new := filled(text, rows)) != text:
            page.write_text(new, encoding="utf-8")
            print(f"{page.name}: figures written anew")


if __name__ == "__main__":
    main(sys.argv[1:])
