"""No text from outside controls a terminal, breaks XML or injects HTML."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import mineproof as mp
from mineproof.cli import main
from mineproof.cli.position_text import say
from mineproof.cli.terminal_tables import TableColumn, show_table
from mineproof.messages.files import InfluenceEntry
from mineproof.printable import escape, printable
from mineproof.testing import check_agent
from mineproof.world.view import UNTOUCHED

HOSTILE = "a\x1b]0;owned\x07\x1b[2J\x9b31m\r\b\0\x7f\u202e\u2028\ufffe\udc1b\ud800<script>'\"&$\\x"
ACTS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\ud800-\udfff\ufffe\uffff]")
SHOWN = r"a\x1b]0;owned\x07\x1b[2J\x9b31m\r\x08\x00\x7f\u202e\u2028\ufffe\udc1b\ud800"


class Hostile:
    """An agent all of whose texts are hostile."""

    name = HOSTILE

    def decide(self, view: mp.View, **_: Any) -> mp.Move:
        cell = view.cells(*UNTOUCHED)[0]
        return mp.Move(cell, "open", None, True, f"{HOSTILE}\nand more", f"rule {HOSTILE}")


@pytest.fixture
def record() -> mp.Record:
    return mp.play(mp.Deal(3, 3, 2), Hostile(), seed=1)


@given(st.text(st.characters()))
def test_printable_text_is_unchanged_and_the_rest_is_escaped(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    assert not ACTS.search(shown)
    if text.isprintable():
        assert shown == text
    assert printable(shown) == shown
    lines = printable(text, lines=True)
    assert lines.count("\n") == text.count("\n")
    assert not ACTS.search(lines)
    Xml.fromstring(f"<a b='{escape(text)}'>{escape(text, quote=False)}</a>".encode())


def test_a_hostile_name_is_escaped() -> None:
    assert printable(HOSTILE).startswith(SHOWN)
    assert "<" not in escape(HOSTILE)
    assert '"' not in escape(HOSTILE)


def test_printed_values_are_escaped(record: mp.Record) -> None:
    standings = mp.arena([Hostile(), "random"], mp.Deal(3, 3, 2), games=3, workers=1)
    for value in (record, standings, standings.games):
        for text in (str(value), repr(value)):
            assert not ACTS.search(text)
    assert SHOWN in str(record)
    assert SHOWN in str(standings)


@pytest.mark.parametrize("level", ["moves", "all"])
def test_a_log_is_escaped(level: Any) -> None:
    out = io.StringIO()
    for _ in mp.PlayByPlay(mp.Match(mp.Deal(3, 3, 2), Hostile(), seed=1), out, level):
        pass
    assert SHOWN in out.getvalue()
    assert not ACTS.search(out.getvalue())


def test_pictures_are_escaped(record: mp.Record) -> None:
    pictures = [
        mp.render.game_svg(record.board, record.view, caption=HOSTILE),
        mp.render.film_svg(record.board, record.first, record.turns, ending=HOSTILE),
        record.influence.to_svg(),
    ]
    for picture in pictures:
        assert not ACTS.search(picture)
        assert "<script" not in picture
        Xml.fromstring(picture.encode())


def hostile_json(record: mp.Record) -> str:
    data = record.to_json()
    for move in data["moves"]:
        why = {"phrase": "gauss.cell", "values": {"row": HOSTILE}, "clues": [], "known": []}
        move |= {"reason": HOSTILE, "rule": HOSTILE, "why": why | {"count_used": False}}
    return json.dumps(data | {"agent": HOSTILE})


def test_a_record_from_a_file_is_escaped(
    record: mp.Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "game.json"
    source.write_text(hostile_json(record))
    graph, picture = tmp_path / "a.graphml", tmp_path / "a.svg"
    assert main(["influence", str(source), "--graphml", str(graph), "--svg", str(picture)]) == 0
    known = capsys.readouterr().out
    assert SHOWN in known
    for text in (known, graph.read_text(), picture.read_text()):
        assert not ACTS.search(text)
    Xml.fromstring(graph.read_bytes())
    Xml.fromstring(picture.read_bytes())
    again = mp.Record.from_json(source.read_text())
    assert again.agent == HOSTILE  # the content is unchanged; only its display is escaped
    assert not ACTS.search(str(again))


def test_a_graph_is_escaped() -> None:
    nodes = (InfluenceEntry((0, 0), "choice"), InfluenceEntry((0, 1), "safe", HOSTILE, ((0, 0),)))
    graph = mp.Influence(mp.View.hidden(2, 2, 1), nodes).to_graphml()
    assert SHOWN in graph
    assert not ACTS.search(graph)
    Xml.fromstring(graph.encode())


ODD_NAME = "b\x1b[31m\x07\u202e\udc9b.txt"


def commands(path: str) -> Iterator[list[str]]:
    yield ["arena", "--boards", path]
    yield ["play", "--board", path]
    yield ["analyse", path]
    yield ["explain", path, "--cell", "0,0"]
    yield ["reasoners", path]
    yield ["influence", path]
    yield ["review", path]
    yield ["study", "run", f"{path}.toml"]
    yield ["study", "report", path]
    yield ["play", "--clues", f"table:{path}"]
    yield ["play", "--agent", path]
    yield ["arena", "--agents", path]
    yield ["generate", "--out", f"{path}/x"]
    yield [path]
    yield ["play", "--level", path]
    yield ["play", "--seed", path]
    yield ["arena", "--salt", path]
    yield ["study", "run", "report004-success", "--dask", path]


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("number", range(len(list(commands("")))))
def test_errors_escape_the_values_they_quote(
    number: int,
    there: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    if there:
        Path(ODD_NAME).write_bytes(b"\x1b[31m 3 3 1 \x9b 0\x07\n\x1b[2J")
    command = list(commands(ODD_NAME))[number]
    assert main(command) in {2, 70}
    out, err = capsys.readouterr()
    assert not ACTS.search(out + err)
    assert err.count("\n") == 1


def test_boards_after_the_header_are_escaped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / ODD_NAME
    path.write_bytes(b"3 3 1 0 0\nzz\x1b[2J\x9b\n")
    assert main(["arena", "--boards", str(path), "--workers", "1"]) == 2
    assert not ACTS.search(capsys.readouterr().err)
    with pytest.raises(mp.FormatError) as caught:
        list(mp.corpus.parse("3 3 1 0 0\n\x1b[2J", ODD_NAME)[1])
    assert not ACTS.search(str(caught.value))


@pytest.mark.parametrize("terminal", [True, False])
def test_both_ways_to_write_to_a_terminal_escape(
    terminal: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=200, color_system=None)
    say(console, HOSTILE)
    columns = [TableColumn("name", 0), TableColumn("prose", 1, prose=True)]
    show_table(columns, [[HOSTILE] * 2], console=console)
    text = out.getvalue() + capsys.readouterr().out
    assert SHOWN in text
    assert not ACTS.search(text)


def test_reports_of_check_agent_are_escaped() -> None:
    class Raising(Hostile):
        def decide(self, view: mp.View, **_: Any) -> mp.Move:
            raise RuntimeError(HOSTILE)

    with pytest.raises(mp.AgentFault) as caught:
        check_agent(Raising())
    assert SHOWN in str(caught.value)
    assert not ACTS.search(str(caught.value))


class _Scripts(HTMLParser):
    found = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.found += tag == "script"


def test_the_report_of_a_study_is_escaped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("duckdb")
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    hostile = HOSTILE.replace("\udc1b\ud800", "")  # TOML cannot contain lone surrogates
    study: dict[str, Any] = dict.fromkeys(["title", "question", "source", "about"], hostile)
    study |= {
        "games": 3,
        "block": [{"agents": "random", "boards": ["3x3/2"]}],
        "plot": [{"y": "win", "x": "board", "title": hostile}],
    }
    folder = mp.studies.run(mp.studies.Study.from_dict("mine", study), tmp_path, workers=1)
    assert main(["study", "report", str(folder.path)]) == 0
    known = capsys.readouterr().out
    assert not ACTS.search(known)
    pages = [*tmp_path.rglob("*.html"), *tmp_path.rglob("*.svg")]
    assert len(pages) > 1
    for path in pages:
        text = path.read_text()
        assert not ACTS.search(text), path
        scripts = _Scripts()
        scripts.feed(text)
        assert scripts.found == 0
        if path.suffix == ".svg":
            Xml.fromstring(text.encode())
