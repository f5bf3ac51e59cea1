"""The report of a study is one self-contained file, identical for identical results."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

pytest.importorskip("duckdb")
pytest.importorskip("jinja2")
pytest.importorskip("matplotlib")

from mineproof.errors import FormatError
from mineproof.studies import Study, get, names, run
from mineproof.studies.charts import chart
from mineproof.studies.findings import findings
from mineproof.studies.line_styles import DARK, LIGHT, LINE_STYLES
from mineproof.studies.report import report
from mineproof.studies.study_run import StudyRun
from mineproof.studies.summary import Summary, SummaryRow, summarise
from mineproof.studies.toml import write_toml
from tests.pictures import unresolved

SMALL = {
    "title": "A <small> study",
    "question": "Which & why?",
    "source": "report 004",
    "games": 10,
    "seed": 1,
    "block": [
        {
            "agents": ["baseline", "baseline-selection"],
            "boards": ["25x25/0.10", "25x25/0.30", "9x9/0.2"],
            "on_mine": "continue",
        },
        {"agents": "exact", "boards": ["beginner"], "opening": ["any", "safe"], "games": 4},
    ],
    "plot": [
        {"y": "score", "x": "density", "panels": ["size"]},
        {"y": "win", "x": "board", "lines": ["agent", "opening"]},
        {"y": "cpu_seconds", "x": "cells"},
    ],
}


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two finished studies."""
    out = tmp_path_factory.mktemp("studies")
    run(Study.from_dict("small", SMALL), out, workers=1)
    wins = get("report002-wins")
    run(wins, out, games=3, workers=1)
    return out


@pytest.fixture(scope="module")
def page(out: Path) -> str:
    return report(out, csv=out / "all.csv").read_text(encoding="utf-8")


class Reader(HTMLParser):
    """Notes tags, what they load, and whether they are closed."""

    VOID = frozenset({"meta", "br", "img", "link", "input", "hr"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> has no start tag"
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    return reader


def test_a_page_loads_nothing(page: str, read: Reader) -> None:
    assert not read.tags.keys() & {"script", "link", "img", "iframe", "object", "base"}
    for tag, name, value in read.attributes:
        assert name not in {"src", "srcset", "data", "poster", "background"}, tag
        if name in {"href", "xlink:href"}:
            assert value.startswith("#"), value
    assert "http" not in page
    assert "@import" not in page
    assert set(re.findall(r"url\((.)", page)) <= {"#"}


def test_ids_are_unique_and_links_have_targets(read: Reader) -> None:
    ids = Counter(value for _, name, value in read.attributes if name == "id")
    assert [name for name, times in ids.items() if times > 1] == []
    wanted = {value[1:] for _, name, value in read.attributes if name == "href"}
    wanted |= {
        found
        for _, name, value in read.attributes
        if name in {"clip-path", "style"}
        for found in re.findall(r"url\(#([^)]*)\)", value)
    }
    assert wanted <= ids.keys()


def test_a_page_shows_figures_tables_question_spec_and_command(page: str, read: Reader) -> None:
    assert read.tags["figure"] == 4
    assert page.count('role="img"') == 2 + 1 + 1 + 1
    assert "A &lt;small&gt; study" in page
    assert "Which &amp; why?" in page
    assert "◇&nbsp;0.990" in page
    assert "[[block]]" in page
    assert "mineproof study run report002-wins" in page
    assert "exact minus gauss, games won" in page
    assert "not finished" not in page


def test_every_drawn_colour_is_in_the_palette_and_has_a_dark_variant(page: str) -> None:
    assert LIGHT.keys() == DARK.keys()
    style, _, drawn = page.partition("</style>")
    found = re.findall(r"#[0-9a-fA-F]{6}\b", re.sub(r"&#x?\w+;", "", drawn))
    assert set(found) <= set(LIGHT.values())
    dark = style.partition("prefers-color-scheme:dark")[2]
    for attribute, colour in set(re.findall(r'(fill|stroke)="(#\w+)"', drawn)):
        assert f'[{attribute}="{colour}"]{{{attribute}:#' in dark
    assert len({style.marker for style in LINE_STYLES}) == len(LINE_STYLES)


def test_the_same_results_give_the_same_bytes(out: Path, page: str) -> None:
    pictures = {path: path.read_bytes() for path in (out / "figures").iterdir()}
    assert report(out).read_text(encoding="utf-8") == page
    assert {path: path.read_bytes() for path in (out / "figures").iterdir()} == pictures


def test_figures_are_standalone_pictures(out: Path, page: str) -> None:
    assert page
    svgs = sorted((out / "figures").glob("*.svg"))
    assert [path.name for path in svgs] == [
        "report002-wins-1.svg",
        "small-1.svg",
        "small-2.svg",
        "small-3.svg",
    ]
    for path in svgs:
        text = path.read_text(encoding="utf-8")
        assert Xml.fromstring(text).tag.endswith("svg")
        assert "prefers-color-scheme" in text
        assert unresolved(text) == []
        assert "published" in text or path.name in {"small-2.svg", "small-3.svg"}
        assert path.with_suffix(".png").read_bytes().startswith(b"\x89PNG")


def test_csv_has_every_row_and_every_difference(out: Path, page: str) -> None:
    assert page
    lines = (out / "all.csv").read_text(encoding="utf-8").splitlines()
    found = [summarise(folder) for folder in map(open_in, sorted(out.glob("*/manifest.json")))]
    assert len(lines) == 1 + sum(len(one.rows) + len(one.differences) for one in found)


@pytest.mark.parametrize("y", ["win", "cpu_seconds", "guesses"])
@pytest.mark.parametrize("x", ["density", "cells", "agent"])
@pytest.mark.parametrize("games", [1, 3])
def test_a_plot_of_a_single_point_is_drawn(y: str, x: str, games: int, tmp_path: Path) -> None:
    block = {"agents": "baseline", "boards": "32x32/0.15"}
    data = {"games": games, "block": [block], "plot": [{"y": y, "x": x}]}
    folder = run(Study.from_dict("single", data), tmp_path, workers=1)
    assert "<figure>" in report(folder.path).read_text(encoding="utf-8")


def stop_and_report(name: str, chunks: int, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A study's report after `chunks` chunks, together with a finished study."""
    monkeypatch.setattr("mineproof.series.parallel._LOAD", 0.0)  # chunks are saved one by one
    with (
        StudyRun([get(name).with_games(1)], out, workers=1) as running,
        closing(running.work()) as work,
    ):
        for _ in range(chunks and chunks + 1):
            next(work)
    assert len(running.folders()[0].chunks()) == chunks
    run(Study.from_dict("small", SMALL), out, games=1, workers=1)
    text = report(out, csv=out / "all.csv").read_text(encoding="utf-8")
    assert "Not finished: 1 of 2 studies." in text
    assert text.count("no games yet</strong>") == (chunks == 0)
    assert text.count("not finished") == 1 + (chunks > 0)  # in its section and the contents


@pytest.mark.parametrize("chunks", [0, 2])
@pytest.mark.parametrize("name", ["calibration", "hardness", "influence", "scaling", "surprises"])
def test_a_stopped_study_has_a_report(
    name: str, chunks: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_and_report(name, chunks, tmp_path, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("chunks", [0, 1, 2])
@pytest.mark.parametrize("name", names())
def test_every_stopped_study_has_a_report(
    name: str, chunks: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_and_report(name, chunks, tmp_path, monkeypatch)


def open_in(manifest: Path):  # type: ignore[no-untyped-def]
    from mineproof.studies import open_folder

    return open_folder(manifest.parent)


def test_the_folder_of_one_study_gets_its_own_report(out: Path) -> None:
    text = report(out / "small").read_text(encoding="utf-8")
    assert "<title>A &lt;small&gt; study</title>" in text
    assert "<h2>" not in text


def test_a_folder_without_studies_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no study in"):
        report(tmp_path)


@pytest.mark.parametrize("name", names())
def test_a_study_as_toml_reads_back_the_same(name: str) -> None:
    study = get(name)
    assert Study.from_text(name, write_toml(study.to_json())) == study


@pytest.mark.parametrize("name", ["report002-wins", "mine-count", "report001-density", "levels"])
def test_a_study_of_the_catalogue_has_a_report(name: str, tmp_path: Path) -> None:
    look_at(name, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_every_study_of_the_catalogue_has_a_report(name: str, tmp_path: Path) -> None:
    look_at(name, tmp_path)


def look_at(name: str, out: Path) -> None:
    """Run it with two games per point: every plot has lines, and the questions have answers."""
    folder = run(get(name), out, games=2)
    summary = summarise(folder)
    assert findings(summary)
    for plot in summary.study.plots:
        assert chart(summary, plot).rows, plot
    assert report(folder.path).stat().st_size < 4e6
    assert len(list((folder.path / "figures").iterdir())) == 2 * len(summary.study.plots)


def test_no_line_is_drawn_across_missing_points() -> None:
    """A study of three densities without its middle one: the line has a gap there."""
    boards = ["5x5/0.1", "5x5/0.2", "5x5/0.3"]
    study = Study.from_dict(
        "three",
        {
            "block": [{"agents": ["baseline"], "boards": boards}],
            "plot": [{"y": "win", "x": "density"}],
        },
    )
    points = study.points()
    rows = tuple(
        SummaryRow(point, "win", 9, 0.5, 0.4, 0.6, 0.5) for point in (points[0], points[2])
    )
    [panel] = chart(Summary(study, rows, (), ()), study.plots[0]).panels
    assert panel.lines[0].gaps == (0.2,)
