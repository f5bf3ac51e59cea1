"""Tables and figures of studies in documents are those of the stored results."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mineproof.studies import catalogue
from mineproof.studies.spec import Study
from mineproof.studies.study_run import run
from mineproof.studies.summary import summarise
from tools import figures
from tools.figures_kept import RUN, rows_of, stored, turned
from tools.recorder import PAGES, ROOT

ROW = {
    "study": "s", "version": "1", "date": "2026-01-01", "agent": "a", "board": "9x9/0.1",
    "size": "9x9", "density": "0.1", "opening": "any", "clues": "exact", "count_known": "true",
    "measure": "score", "minus": "", "n": "200", "mean": "0.5", "low": "0.4", "high": "0.6",
    "claimed": "", "published": "0.9", "apart": "-4",
}  # fmt: skip
OTHER = ROW | {"agent": "b", "n": "20", "mean": "0.7", "low": "0.65", "high": "0.75", "apart": "1"}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_a_page_has_the_figures_that_are_stored(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert figures.filled(text, stored()) == text, "`make docs` writes it anew"


def test_nothing_is_stored_that_no_page_shows() -> None:
    assert all(map(figures.wanted(figures.asked_for()), stored()))


def test_every_study_of_the_catalogue_was_run_and_says_when() -> None:
    runs = {row["study"]: row for row in stored()}
    assert set(runs) == set(catalogue.names())
    text = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    for row in runs.values():
        assert f"| {row['study']} | {row['version']} | {row['date']} |" in text


_GENERATED = re.compile(r"<!-- (figures: |runs|apart).*?<!-- end of \w+ -->|```.*?```", re.S)
_LISTED = re.compile(r"<!-- figures in the text:.*?-->", re.S)


def typed(text: str) -> str:
    """What is left of a page without everything that is generated."""
    begin = 0
    left = []
    for start, end in figures.places(text):
        left.append(text[begin:start])
        begin = end
    return _GENERATED.sub("", _LISTED.sub("", "".join(left) + text[begin:]))


REPORTS = sorted((ROOT / "docs" / "reports").glob("*.md"))
MEASURED = [ROOT / "docs" / name for name in ("results.md", "reports.md", "uncertainty.md")]


@pytest.mark.parametrize("page", [*MEASURED, *REPORTS], ids=lambda path: path.name)
def test_no_figure_with_an_error_is_typed(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.findall(r"n = \d|\d ± \d|\d to \d\S*, n ", typed(text))


def test_every_study_with_a_published_figure_that_differs_is_spoken_of() -> None:
    for row in filter(figures.differs, stored()):
        report = row["study"].removeprefix("report").split("-")[0]
        text = (ROOT / "docs" / "reports" / f"{report}.md").read_text(encoding="utf-8")
        assert f"`{row['study']}`" in typed(text)


def asked(text: str, *rows: dict[str, str]) -> str:
    page = f"It was FIGURE.\n\n<!-- figures in the text:\nFIGURE | {text}\n-->\n"
    found = figures.filled(page, list(rows))
    figure = found.splitlines()[0].removeprefix("It was ").removesuffix(".")
    assert f"\n{figure} | {text}\n" in found
    assert figures.filled(found, list(rows)) == found
    return figure


def test_figures_in_the_text_are_found_in_the_order_of_the_list() -> None:
    page = "First 1 of 2 and then 1 of 2; 11 of 2.\n<!-- figures in the text:\n{}-->\n"
    near, ahead = "1 of 2 | s score count=near\n", "1 of 2 | s score count=above\n"
    new = figures.filled(page.format(near + ahead), [ROW, OTHER])
    assert new.startswith("First 1 of 2 and then 2 of 2; 11 of 2.")
    for wrong in (near + ahead + near, "3 of 2 | s score count=near\n"):
        with pytest.raises(LookupError, match="not in the text"):
            figures.filled(page.format(wrong), [ROW, OTHER])


def test_a_table_has_intervals_numbers_of_games_and_what_was_published() -> None:
    text = "<!-- figures: s score rows=size columns=agent -->\nold\n<!-- end of figures -->"
    other = ROW | {"agent": "b", "n": "20", "published": "", "apart": ""}
    new = figures.filled(text, [ROW, other])
    assert "| size | `a` | `b` | n |" in new
    assert "| 9x9 | 0.500 ± 0.100 (0.900 ≠) | 0.500 ± 0.100 | 20 to 200 |" in new
    assert "mineproof study run s" in new
    assert "old" not in new
    assert figures.filled(new, [ROW, other]) == new


def test_a_table_of_several_measures() -> None:
    text = (
        "<!-- figures: s score|cpu_seconds rows=agent columns=measure -->\n<!-- end of figures -->"
    )
    seconds = ROW | {"measure": "cpu_seconds", "mean": "0.002", "low": "0.001", "high": "0.003"}
    new = figures.filled(text, [ROW, seconds | {"published": ""}])
    assert "| agent | average final score | CPU seconds per game | n |" in new
    assert "| a | 0.500 ± 0.100 (0.900 ≠) | 2 ms ± 1 ms | 200 |" in new


def test_a_figure_in_a_sentence() -> None:
    difference = ROW | {"minus": "agent=b", "mean": "-0.1", "low": "-0.2", "high": "0"}
    shown = asked("s score agent=a minus=b", ROW, difference)
    assert shown == "−0.100 (−0.200 to +0.000, n = 200)"


@pytest.mark.parametrize(
    ("ask", "shown"),
    [
        ("pick=most", "0.700 (0.650 to 0.750, n = 20, 9x9/0.1)"),
        ("pick=least", "0.500 (0.400 to 0.600, n = 200, 9x9/0.1)"),
        ("pick=range", "0.500 ± 0.100 to 0.700 ± 0.050 (n = 20 to 200)"),
        ("pick=mean", "0.600 (0.544 to 0.656, n = 220)"),
        ("pick=total", "114"),
        ("pick=n", "220"),
        ("pick=faster", "1 to 2"),
        ("count=near", "1 of 2"),
        ("count=apart", "1 of 2"),
        ("count=above", "2 of 2"),
        ("count=below", "0 of 2"),
        ("count=ahead:b", "1 of 1"),
        ("agent=not:a", "0.700 (0.650 to 0.750, n = 20)"),
    ],
)
def test_figures_of_several_rows(ask: str, shown: str) -> None:
    assert asked(f"s score {ask}", ROW, OTHER) == shown


def test_claims_against_fate() -> None:
    claims = {"measure": "mined", "published": "", "apart": ""}
    true, false = ROW | claims | {"claimed": "0.45"}, OTHER | claims | {"claimed": "0.6"}
    assert asked("s mined count=true", true, false) == "1 of 2"
    # (200 * 0.05 + 20 * 0.1) / 220 more than claimed.
    assert asked("s mined pick=miss", true, false).startswith("+5.5 points (−1.")


def test_all_of_a_report_that_is_apart_is_listed() -> None:
    other = "<!-- apart: t -->\n<!-- end of apart -->"
    assert "(none)" in figures.filled(other, [ROW, OTHER])
    new = figures.filled("<!-- apart: s -->\n<!-- end of apart -->", [ROW, OTHER])
    assert "| s | a | 9x9/0.1 | average final score | 0.500 ± 0.100 | 0.900 | −4.0 | 200 |" in new
    assert "| b |" not in new


def test_a_figure_that_is_not_stored_is_an_error() -> None:
    with pytest.raises(LookupError, match="run the study"):
        asked("s win agent=a", ROW)
    with pytest.raises(LookupError, match="say which"):
        asked("s score", ROW, OTHER)


def test_a_difference_has_two_sides() -> None:
    row = ROW | {"minus": "clues=optimistic", "mean": "0.1", "low": "0", "high": "0.3"}
    other = turned(row)
    assert (other["clues"], other["minus"]) == ("optimistic", "clues=exact")
    assert (other["mean"], other["low"], other["high"]) == ("-0.1", "-0.3", "-0.0")
    assert turned(other) | {"low": "0"} == row


def test_what_is_taken_of_a_run(tmp_path: Path) -> None:
    """A small study: what clues cost, shares, growth, the run itself."""
    pytest.importorskip("duckdb")
    block = {
        "agents": ["baseline:naive=true"], "boards": ["5x5/0.2", "6x6/0.2", "7x7/0.2"],
        "on_mine": "continue", "clues": ["exact", "optimistic"],
    }  # fmt: skip
    data = {"games": 6, "findings": "growth", "block": [block]}
    folder = run(Study.from_dict("s", data), tmp_path, workers=1)
    rows = list(rows_of(folder, summarise(folder)))
    (total,) = [row for row in rows if row["measure"] == RUN]
    assert (total["n"], total["low"], total["high"]) == ("36", "6", "6")
    assert sum(row["measure"] == "growth" for row in rows) == 1
    flags = {
        row["clues"]: row
        for row in rows
        if row["measure"] == "flags_per_mine" and row["board"] == "6x6/0.2"
    }
    (lost,) = [
        row for row in rows if row["measure"] == "flags_per_mine_lost" and row["board"] == "6x6/0.2"
    ]
    share = 1 - float(flags["optimistic"]["mean"]) / float(flags["exact"]["mean"])
    assert float(lost["mean"]) == pytest.approx(share)
    assert float(lost["low"]) < share < float(lost["high"])


def test_make_docs_writes_them() -> None:
    assert "tools.figures" in (ROOT / "Makefile").read_text()
