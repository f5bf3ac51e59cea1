"""Figures in documents come from stored results of studies, and nobody types them.

`docs/figures.csv` keeps what the pages show of runs of studies. `python -m tests.figures` writes
the figures of all pages anew from it (`make docs` does), and with folders of studies, as in

    mineproof study run report000-cap report004-threshold
    python -m tests.figures studies

first takes what the pages show from these runs, each study's whole and in place of what was kept
of an earlier run. The tests compare. A table stands between two comments:

    <!-- figures: report000-cap flag_rate rows=size,density columns=agent -->
    <!-- end of figures -->

A name and a value choose some rows (`agent=brute`). A single figure stands in a sentence:

    <!-- figure: report000-cap flag_rate agent=brute board=20x20/0.3 less=linalg -->...<!-- end -->

with `less` a difference, paired by games. Every figure has its n and its 95 % interval.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tests.recorder import PAGES, ROOT

STORE = ROOT / "docs" / "figures.csv"
AWAITED = (
    "report000-agents", "report003-density", "report003-pattern",
    "report004-success",
)  # fmt: skip
"""Studies of which no run is kept yet: their figures stay as an earlier run had them."""
KEYS = ("agent", "board", "size", "density", "opening", "clues", "count_known")
COLUMNS = (
    "study", "version", "date", *KEYS, "measure", "less",
    "n", "mean", "low", "high", "published", "apart",
)  # fmt: skip
BEYOND = 3.0
"""Published figures further away than so many combined standard errors are marked."""

_TABLE = re.compile(
    r"(<!-- figures: (?P<asked>[^>]*?) -->\n)(?P<body>.*?)(<!-- end of figures -->)", re.S
)
_FIGURE = re.compile(r"(<!-- figure: (?P<asked>[^>]*?) -->)(?P<body>.*?)(<!-- end -->)", re.S)

Row = dict[str, str]


class Asked:
    """What a comment asks for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.study, self.measure, *rest = text.split()
        options = dict(word.split("=", 1) for word in rest)
        self.rows = options.pop("rows", "size,density").split(",")
        self.columns = options.pop("columns", "agent")
        self.less = options.pop("less", "")
        self.fixed = options

    def takes(self, row: Row) -> bool:
        """Whether a stored row is one of those."""
        less = f"agent={self.less}" if self.less else ""
        here = (row["study"], row["measure"], row["less"]) == (self.study, self.measure, less)
        here &= row["board"] != "all" or self.fixed.get("board") == "all"
        return here and all(row[key] in value.split("|") for key, value in self.fixed.items())

    def found(self, rows: Iterable[Row]) -> list[Row]:
        """The rows that are asked for."""
        found = [row for row in rows if self.takes(row)]
        if not found:
            raise LookupError(f"no stored figure for {self.text!r}: run the study, then take it")
        return found


def stored() -> list[Row]:
    """All that is kept."""
    with STORE.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def filled(text: str, rows: list[Row]) -> str:
    """A page with all its figures as they are kept."""
    text = _TABLE.sub(lambda place: _put(place, "\n{}\n\n", _table, rows), text)
    return _FIGURE.sub(lambda place: _put(place, "{}", _one, rows), text)


def _put(
    place: re.Match[str], form: str, told: Callable[[Asked, list[Row]], str], rows: list[Row]
) -> str:
    asked = Asked(place["asked"])
    if asked.study in AWAITED:
        return place[0]
    return f"{place[1]}{form.format(told(asked, rows))}{place[4]}"


def _one(asked: Asked, rows: list[Row]) -> str:
    """A figure in a sentence."""
    (row,) = asked.found(rows)
    mean, low, high = (_number(row, row[name], signed=bool(asked.less)) for name in _INTERVAL)
    return f"{mean} ({low} to {high}, n = {int(row['n']):,})"


_INTERVAL = ("mean", "low", "high")


def _line(asked: Asked, row: Row) -> tuple[str, ...]:
    return tuple(row[key] for key in asked.rows)


def _table(asked: Asked, rows: list[Row]) -> str:
    """A table of some keys by another, with what was published in brackets."""
    found = asked.found(rows)
    columns = list(dict.fromkeys(row[asked.columns] for row in found))
    lines = list(dict.fromkeys(_line(asked, row) for row in found))
    place = {(_line(asked, row), row[asked.columns]): row for row in found}
    heads = [*asked.rows, *(f"`{column}`" for column in columns), "n"]
    out = [f"| {' | '.join(heads)} |", f"| {' | '.join('---' for _ in heads)} |"]
    for line in lines:
        here = [place.get((line, column)) for column in columns]
        games = sorted({int(row["n"]) for row in here if row is not None})
        numbers = " to ".join(str(n) for n in dict.fromkeys((games[0], games[-1])))
        cells = ["" if row is None else _cell(row, signed=bool(asked.less)) for row in here]
        out.append(f"| {' | '.join((*line, *cells, numbers))} |")
    return "\n".join([*out, "", _source(asked, found[0])])


def _source(asked: Asked, row: Row) -> str:
    less = f" less that of `{asked.less}`, paired" if asked.less else ""
    run = f"`mineproof study run {asked.study}`, mineproof {row['version']}, {row['date']}"
    return f"({asked.measure.replace('_', ' ')}{less}, ± half of a 95 % interval; {run})"


def _cell(row: Row, *, signed: bool) -> str:
    half = (float(row["high"]) - float(row["low"])) / 2
    text = f"{_number(row, row['mean'], signed=signed)} ± {_number(row, str(half))}"
    if not row["published"]:
        return text
    mark = " ≠" if row["apart"] and abs(float(row["apart"])) > BEYOND else ""
    return f"{text} ({_number(row, row['published'])}{mark})"


def _number(row: Row, text: str, *, signed: bool = False) -> str:
    """A share with three digits, wins in percent, seconds in units that suit them."""
    value, sign = float(text), "+" if signed else ""
    if row["measure"] == "win":
        return f"{100 * value:{sign}.1f} %".replace("-", "−")
    if row["measure"] == "cpu_seconds":
        unit, factor = next(u for u in _UNITS if abs(value) * u[1] >= 1 or u[0] == "µs")
        return f"{value * factor:{sign}.3g} {unit}".replace("-", "−")
    return f"{value:{sign}.3f}".replace("-", "−")


_UNITS = (("s", 1.0), ("ms", 1e3), ("µs", 1e6))


def asked_for() -> list[Asked]:
    """What all pages ask for."""
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    return [
        Asked(match["asked"]) for text in texts for kind in (_TABLE, _FIGURE)
        for match in kind.finditer(text)
    ]  # fmt: skip


def take(folders: Iterable[Path]) -> None:
    """Keep what the pages show of the studies in some folders, in place of what was kept."""
    from mineproof.studies.manifest import MANIFEST
    from mineproof.studies.store import open_folder
    from mineproof.studies.summary import summarise
    from mineproof.studies.summary_csv import lines

    wanted, kept = asked_for(), stored() if STORE.exists() else []
    for path in sorted(p.parent for folder in folders for p in folder.rglob(MANIFEST)):
        folder = open_folder(path)
        run: dict[str, Any] = dict(folder.manifest)
        about = {"version": run["versions"]["mineproof"], "date": run["started"][:10]}
        kept = [row for row in kept if row["study"] != run["name"]]
        for line in lines(summarise(folder)):
            line["apart"] = line.get("standard_errors_apart", "")
            row = {name: str(line.get(name, "")) for name in COLUMNS} | about
            both = [row, _reversed(row)] if row["less"].startswith("agent=") else [row]
            kept += [one for one in both if any(asked.takes(one) for asked in wanted)]
        kept += [row for row in _averages(folder, about) if any(a.takes(row) for a in wanted)]
    with STORE.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(kept, key=lambda row: row["study"]))


def _averages(folder: Any, about: Row) -> Iterable[Row]:
    """The figures that reports give over all boards of a study, with ours: `board=all`."""
    from mineproof.studies.published import WHOLE_RANGE, distance, figures_of
    from mineproof.studies.summary import averages, summarise

    summary = summarise(folder)
    agents = dict.fromkeys(row.point.agent for row in summary.rows)
    for measure in ("flag_rate", "score"):
        for agent in agents:
            for one in averages(summary, measure, agent):
                row = dict.fromkeys(COLUMNS, "") | about
                row |= {"study": summary.study.name, "agent": agent, "board": "all"}
                row |= {"measure": measure, "n": str(one.n)}
                row |= {name: str(getattr(one, name)) for name in _INTERVAL}
                for figure in figures_of(summary.study.name, summary.study.source):
                    same = (figure.agent, figure.measure) == (agent, measure)
                    if same and figure.density == WHOLE_RANGE and figure.value is not None:
                        apart = distance(one.mean, one.spread, one.n, figure)
                        row |= {"published": str(figure.value), "apart": str(apart or "")}
                yield row


def _reversed(row: Row) -> Row:
    """A difference the other way round."""
    turned = {"agent": row["less"].removeprefix("agent="), "less": f"agent={row['agent']}"}
    mean, low, high = (str(-float(row[name])) for name in _INTERVAL)
    return row | turned | {"mean": mean, "low": high, "high": low}


def main(arguments: list[str]) -> None:
    """Take what is new, then write all pages."""
    if arguments:
        take(map(Path, arguments))
    rows = stored()
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if (new := filled(text, rows)) != text:
            page.write_text(new, encoding="utf-8")
            print(f"{page.name}: figures written anew")


if __name__ == "__main__":
    main(sys.argv[1:])
