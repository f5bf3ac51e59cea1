"""Tables and figures of studies in documents are those of the stored results."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import figures
from tests.recorder import PAGES, ROOT

ROW = {
    "study": "s", "version": "1", "date": "2026-01-01", "agent": "a", "board": "9x9/0.1",
    "size": "9x9", "density": "0.1", "opening": "any", "clues": "exact", "count_known": "true",
    "measure": "score", "less": "", "n": "200", "mean": "0.5", "low": "0.4", "high": "0.6",
    "published": "0.9", "apart": "-4",
}  # fmt: skip


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_a_page_has_the_figures_that_are_stored(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert figures.filled(text, figures.stored()) == text, "`make docs` writes it anew"


def test_nothing_is_stored_that_no_page_shows() -> None:
    asked = figures.asked_for()
    assert all(any(one.takes(row) for one in asked) for row in figures.stored())


def test_a_study_is_awaited_only_until_a_run_is_kept() -> None:
    assert not {row["study"] for row in figures.stored()} & set(figures.AWAITED)
    assert {one.study for one in figures.asked_for()} >= set(figures.AWAITED)


def test_a_table_has_intervals_numbers_of_games_and_what_was_published() -> None:
    text = "<!-- figures: s score rows=size columns=agent -->\nold\n<!-- end of figures -->"
    other = ROW | {"agent": "b", "n": "20", "published": "", "apart": ""}
    new = figures.filled(text, [ROW, other])
    assert "| size | `a` | `b` | n |" in new
    assert "| 9x9 | 0.500 ± 0.100 (0.900 ≠) | 0.500 ± 0.100 | 20 to 200 |" in new
    assert "mineproof study run s" in new
    assert "old" not in new
    assert figures.filled(new, [ROW, other]) == new


def test_a_figure_in_a_sentence() -> None:
    text = "It scores <!-- figure: s score agent=a less=b -->?<!-- end -->, then."
    difference = ROW | {"less": "agent=b", "mean": "-0.1", "low": "-0.2", "high": "0"}
    assert figures.filled(text, [ROW, difference]) == (
        "It scores <!-- figure: s score agent=a less=b -->−0.100 (−0.200 to +0.000, n = 200)"
        "<!-- end -->, then."
    )


def test_a_figure_that_is_not_stored_is_an_error() -> None:
    with pytest.raises(LookupError, match="run the study"):
        figures.filled("<!-- figure: s win agent=a -->?<!-- end -->", [ROW])


def test_make_docs_writes_them() -> None:
    assert "tests.figures" in (ROOT / "Makefile").read_text()
