"""Were the averages in the first table of report 000 divided by one game too few?

The report plays 100 to 200 games per table cell, and has averages above 1. This compares its
figures with ours (`docs/figures.csv`, study `report000-flag-rate`), as published and as corrected
for a division of 200 or 100 games by 199 or 99. For each size it prints the sum, over six
densities, of squared distances in combined standard errors: 6 is expected, and more than 22.5
occurs once in a thousand times.

    python benchmarks/divisor.py
"""

from __future__ import annotations

import csv
from pathlib import Path

from mineproof.series.intervals import Z
from mineproof.studies.published import figures_of

STORE = Path(__file__).parents[1] / "docs" / "figures.csv"
STUDY = "report000-flag-rate"
WAYS = {"as published": (150, 1.0), "200 by 199": (200, 199 / 200), "100 by 99": (100, 99 / 100)}


def distances(rows: list[dict[str, str]], games: int, factor: float) -> float:
    """The sum of squared distances if the report played `games` games, scaled by `factor`."""
    rounding = figures_of(STUDY)[0].rounding
    total = 0.0
    for row in rows:
        error = (float(row["high"]) - float(row["low"])) / 2 / Z
        theirs = error * (int(row["n"]) / games) ** 0.5
        apart = factor * float(row["published"]) - float(row["mean"])
        total += apart**2 / (error**2 + theirs**2 + rounding**2)
    return total


def main() -> None:
    with STORE.open(newline="", encoding="utf-8") as file:
        kept = [row for row in csv.DictReader(file) if row["study"] == STUDY and row["published"]]
    rows = [row for row in kept if row["measure"] == "flag_rate"]
    print(f"{'size':8}", *(f"{way:>13}" for way in WAYS))
    for size in dict.fromkeys(row["size"] for row in rows):
        mine = [row for row in rows if row["size"] == size]
        print(f"{size:8}", *(f"{distances(mine, *way):13.1f}" for way in WAYS.values()))


if __name__ == "__main__":
    main()
