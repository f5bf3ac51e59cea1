"""In a notebook values display themselves: pictures, tables, and a player for games."""

from __future__ import annotations

import asyncio
import html
import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import numpy as np
import pytest
from hypothesis import given, settings

import mineproof as mp
from mineproof.errors import MineproofError
from mineproof.extras import how_to_install
from mineproof.render.appearance import judged, zeros_written
from tests.replayed import replayed
from tests.strategies import seeds

EXAMPLE = Path(__file__).parents[1] / "examples" / "notebook.ipynb"
POSITION = mp.View.from_text("5x8/8 ????????/?2122???/?1001???/?2112???/????????")
HOSTILE = "</script><script>alert(1)</script>\"'&<b>\x1b[31m"


def beginner(seed: int, agent: str = "exact", **rules: Any) -> mp.Record:
    given_rules = mp.Rules(opening="safe", **rules)
    return mp.play(mp.Deal(9, 9, 10), agent, rules=given_rules, seed=seed)


@pytest.fixture(scope="module")
def record() -> mp.Record:
    return beginner(18)


def page_of(record: mp.Record) -> str:
    """The page within the frame that a notebook shows."""
    shown = record._repr_html_()
    assert shown is not None
    found = re.fullmatch(r'<iframe srcdoc="([^"]*)" sandbox="allow-scripts"[^<>]*></iframe>', shown)
    assert found
    return html.unescape(found[1])


def moves_of(page: str) -> Any:
    (found,) = re.findall(r'<script type="application/json" id="moves">(.*?)</script>', page, re.S)
    return json.loads(found)


def test_boards_odds_proofs_and_chains_are_shown_as_pictures(record: mp.Record) -> None:
    proved, undecided = mp.explain(POSITION, (0, 1)), mp.explain(POSITION, (0, 0))
    for value in (POSITION, record.board, mp.posterior(POSITION), proved, undecided, record,
                  record.influence):  # fmt: skip
        picture = value._repr_svg_()
        assert picture is not None
        assert Xml.fromstring(picture).tag == "{http://www.w3.org/2000/svg}svg"
    assert "275 configurations" in str(mp.posterior(POSITION)._repr_svg_())
    assert "no smaller set" in str(proved._repr_svg_())
    assert "Two configurations" in str(undecided._repr_svg_())


def test_values_too_large_for_a_picture_are_shown_as_text() -> None:
    large = mp.play(mp.Deal(101, 100, 0), "baseline", start=(0, 0))
    for value in (large.board, large.view, mp.posterior(large.view), large, large.influence):
        assert value._repr_svg_() is None
    assert large._repr_html_() is None


def test_standings_are_shown_as_a_table(record: mp.Record) -> None:
    class Named:
        name = HOSTILE

        def decide(self, view: mp.View, **_: Any) -> Any:
            raise ValueError("no")

    shown = mp.arena([Named(), "baseline"], mp.Deal(4, 4, 2), games=5, workers=1)._repr_html_()
    rows = re.findall(r"<tr>(.*?)</tr>", shown)
    assert len(rows) == 5  # two agents and one difference, with their header rows
    assert "forfeited 5 of 5 games" in shown
    assert not re.search(r"<(script|b)>", shown)
    assert "\x1b" not in shown
    Xml.fromstring(f"<div>{shown}</div>")


@settings(max_examples=15, deadline=None)
@given(seeds)
def test_the_player_shows_what_was_visible_after_every_move(seed: int) -> None:
    record = beginner(seed, "baseline", on_mine="continue")
    known = moves_of(page_of(record))
    grid, looks, frames = record.board.grid, list(known["looks"]), known["frames"]
    assert bytes(looks) == zeros_written(grid, record.first.states)
    assert frames[0]["changes"] == []
    assert len(frames) == len(record.moves) + 2  # before the first move, and the end
    for one, (move, _, view) in zip(frames[1:], replayed(record), strict=False):
        for cell, look in one["changes"]:
            looks[cell] = look
        assert bytes(looks) == zeros_written(grid, judged(view, record.board))
        assert one["marked"] == list(move.cell)
        assert move.reason in one["caption"]
    assert [*known["mined"]] == [str(mined) for mined in record.board.mined]
    assert {str(look) for look in looks if look} <= set(known["shapes"])
    assert frames[-1]["caption"] == f"{record.outcome}, by baseline"


def test_the_player_is_self_contained(record: mp.Record) -> None:
    page = record.to_html()
    assert "default-src 'none'" in page
    addresses = set(re.findall(r"https?://[^\"' ]+", page))
    assert addresses == {"http://www.w3.org/2000/svg"}
    assert not re.findall(r'(?:src|href)="[^#]', page)
    named = set(re.findall(r'href="#([^"]+)"', page)) | set(moves_of(page)["shapes"].values())
    assert named <= set(re.findall(r'id="([^"]+)"', page))


def test_texts_of_a_record_cannot_break_the_page(record: mp.Record) -> None:
    first, *rest = record.turns
    turn = first._replace(asked=replace(first.asked, reason=HOSTILE))
    hostile = replace(record, agent=HOSTILE, turns=(turn, *rest))
    page = page_of(hostile)
    assert page.count("<script") == page_of(record).count("<script") == 2
    assert "\x1b" not in page
    known = moves_of(page)
    assert known["frames"][1]["caption"].endswith("\"'&<b>\\x1b[31m")
    assert "<b>" not in page


def test_games_convert_to_pandas(record: mp.Record) -> None:
    pandas = pytest.importorskip("pandas")
    games = mp.arena(["simple", "exact"], mp.Deal(9, 9, 10), games=30, workers=1).games
    table = games.to_pandas()
    assert isinstance(table, pandas.DataFrame)
    assert list(table.columns) == list(games.columns)
    assert table.agent.tolist() == ["simple", "exact"] * 30
    for name, column in games.columns.items():
        if name != "agent":
            assert table[name].dtype == column.dtype
            np.testing.assert_array_equal(table[name].to_numpy(), column)
    won = table.groupby("agent", observed=True).won.sum()
    assert won["exact"] == games.of("exact")["won"].sum()
    table.loc[0, "guesses"] = 99  # a copy: the games do not change
    assert games["guesses"][0] != 99


def test_games_convert_to_arrow() -> None:
    pytest.importorskip("pyarrow")
    games = mp.arena(["simple", "exact"], mp.Deal(9, 9, 10), games=30, workers=1).games
    assert games.to_arrow().to_pylist() == list(games.rows())
    assert games.to_arrow()["score"].null_count == 60  # a mine ended these games: no score
    scored = mp.arena(
        ["simple"], mp.Deal(9, 9, 10), games=3, workers=1, rules=mp.Rules(on_mine="continue")
    )
    assert scored.games.to_arrow()["score"].null_count == 0


@pytest.mark.parametrize("module", ["pandas", "pyarrow"])
def test_a_missing_package_is_named(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    games = mp.arena(["simple"], mp.Deal(4, 4, 2), games=2, workers=1).games
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MineproofError, match=f"this needs {module}") as error:
        games.to_pandas() if module == "pandas" else games.to_arrow()
    assert how_to_install("tables") in str(error.value)


def test_an_influence_graph_is_printed_in_words(record: mp.Record) -> None:
    lines = str(record.influence).splitlines()
    assert lines[0].startswith("81 known cells: 3 by choice, ")
    assert max(map(len, lines)) <= 80


@pytest.mark.filterwarnings("default")  # from the packages that run notebooks
@pytest.mark.timeout(120)
def test_the_example_runs_and_shows_everything() -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    book = nbformat.read(EXAMPLE, as_version=4)
    assert not any(cell.get("outputs") for cell in book.cells), "it is kept without outputs"
    asyncio.run(nbclient.NotebookClient(book, timeout=90).async_execute())
    shown = [
        next(kind for kind in ("text/html", "image/svg+xml") if kind in output["data"])
        for cell in book.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    ]
    svg, page = "image/svg+xml", "text/html"
    assert shown == [svg, svg, svg, page, svg, page, page]
