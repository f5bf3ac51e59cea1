"""The five reports are listed, shown, and run to produce one page each."""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path

import pytest

import mineproof as mp
from mineproof import reports
from mineproof.formats import examples

from .test_cli import ok, refused

PAGES = Path(__file__).parents[2] / "docs" / "reports"


@pytest.mark.parametrize("number", reports.NUMBERS)
def test_a_report_names_existing_agents_games_and_studies(
    number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    report = reports.get(number)
    for agent in report.agents:
        assert mp.agents.get(agent.name)
    words = ("play", *report.play.split(), "--agent", report.agents[0].name, "--seed", "1")
    assert ok(capsys, *words).splitlines()[-1].startswith(("won", "lost", "score"))
    assert report.studies
    assert all(name.startswith(f"report{number}-") for name in report.examples)
    assert all(one.answer.endswith(".") for one in report.questions)


@pytest.mark.parametrize("number", reports.NUMBERS)
def test_a_page_has_every_question_and_answer_verbatim(number: str) -> None:
    page = (PAGES / f"{number}.md").read_text()
    for question, answer in reports.get(number).questions:
        assert f"### {question}\n\n**{answer}**\n" in page


def test_every_example_belongs_to_a_report() -> None:
    of_reports = [name for number in reports.NUMBERS for name in reports.get(number).examples]
    assert of_reports == examples.names()


def test_reports_are_listed_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    listed = ok(capsys, "reports")
    assert all(number in listed for number in reports.NUMBERS)
    shown = ok(capsys, "reports", "4")
    assert "mineproof play --board report004-7x7" in shown
    assert "mineproof reports 004 --run" in shown
    data = json.loads(ok(capsys, "reports", "--json"))["reports"]
    assert [one["number"] for one in data] == list(reports.NUMBERS)


def test_running_a_report_writes_one_page(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ("reports", "002", "--run", "--out", str(tmp_path / "002"), "--json")
    found = json.loads(ok(capsys, *words))
    assert found["games"] == {"report002-16x30": "won"}
    assert not found["interrupted"]
    page = unescape(Path(found["page"]).read_text())
    report = reports.get("002")
    assert all(one.question in page for one in report.questions)
    assert all(f'id="{name}"' in page for name in report.studies)
    assert page.count("data:image/svg+xml") == len(report.examples)


def test_conflicting_arguments_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "unknown report '7'" in refused(capsys, "reports", "7")
    assert "--run needs a report's number" in refused(capsys, "reports", "--run")
    assert "need --run" in refused(capsys, "reports", "003", "--full")
