"""Tables keep the column that names a row at every width, and lists fit a screen."""

from __future__ import annotations

import io
import json
import re

import pytest
from rich.console import Console

from mineproof import agents, studies
from mineproof.cli import main
from mineproof.cli.terminal_tables import TableColumn, fit, show_table

WIDTHS = [60, 80, 110, 200]
LINES = 24


def shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], width: int, *words: str
) -> list[str]:
    """The lines on a terminal of this width, without colours."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("LINES", str(LINES))
    assert main(list(words)) == 0
    plain = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    lines = [line.rstrip() for line in plain.splitlines()]
    assert max(map(len, lines)) <= width
    return lines


@pytest.mark.parametrize("width", WIDTHS)
def test_an_arena_names_its_agents(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    who = ["champion:budget=fast", "champion:budget=max", "linalg-brute-nocount"]
    words = ["arena", "--rows", "5", "--cols", "5", "--mines", "3", "--on-mine", "continue"]
    words += ["--games", "4", "--workers", "1", "--agents", ",".join(who)]
    lines = shown(monkeypatch, capsys, width, *words)
    assert lines[0] == "5x5/3, opening safe, exact clues, for a score"
    assert [line.split()[0] for line in lines[2:5]] == who
    assert "score" in lines[1]
    assert "won %" in lines[1]
    assert ("not enough room for: " in lines[5]) == (width < 200)
    assert "…" not in "".join(lines)
    differences = lines[lines.index("") + 1 :]
    assert differences[0].split() == ["paired", "difference", "mean", "95", "%", "CI"]
    assert (
        len(re.findall(r"[+-][\d.]+ +[+-][\d.]+ to [+-][\d.]+$", "\n".join(differences), re.M)) == 3
    )
    assert all(" ".join(differences).count(name) == 2 for name in who)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_agents_fit_a_screen(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = shown(monkeypatch, capsys, width, "agents")
    assert [line.split()[0] for line in lines[1 : 1 + len(agents.names())]] == agents.names()
    assert len(lines) < LINES
    long = shown(monkeypatch, capsys, width, "agents", "--long")
    assert {line.split()[0] for line in long[1:] if line.split()} >= set(agents.names())


@pytest.mark.parametrize("width", WIDTHS)
def test_the_studies_fit_a_screen(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = shown(monkeypatch, capsys, width, "study", "list")
    assert set(studies.names()) <= set(" ".join(lines).split())
    assert len(lines) < LINES
    long = shown(monkeypatch, capsys, width, "study", "list", "--long")
    assert set(studies.names()) <= set(" ".join(long).split())


def test_a_single_agent_is_shown_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agents", "csp"]) == 0
    said = capsys.readouterr().out
    for word in (
        "least_clue_ratio",
        "report 001",
        "subset",
        "naive         Treat every clue as exact",
    ):
        assert word in said
    assert main(["agents", "one-two:raw=true", "--json"]) == 0
    [one] = json.loads(capsys.readouterr().out)["agents"]
    assert one["name"] == "one-two:raw=true"
    assert not one["sound"]
    assert main(["agents", "cps"]) == 2
    assert "did you mean 'csp'" in capsys.readouterr().err


def test_studies_are_selected_by_prefix(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "list", "report004"]) == 0
    said = capsys.readouterr().out
    assert said.count("  question") == 3
    assert main(["study", "list", "levels"]) == 0
    assert "question  How often" in capsys.readouterr().out
    assert main(["study", "list", "level5"]) == 2
    assert "did you mean 'levels'" in capsys.readouterr().err


COLUMNS = [
    TableColumn("who", 0),
    TableColumn("a", 2),
    TableColumn("b", 1),
    TableColumn("why", 3, prose=True),
]


def test_the_least_important_column_is_dropped_first() -> None:
    natural = [10, 6, 6, 50]
    assert list(fit(COLUMNS, natural, 80)) == [0, 1, 2, 3]
    assert fit(COLUMNS, natural, 60)[3] == 60 - 28 - 2, "prose gets the remaining width"
    assert list(fit(COLUMNS, natural, 53)) == [0, 1, 2]
    assert list(fit(COLUMNS, natural, 27)) == [0, 2]
    assert list(fit(COLUMNS, natural, 12)) == [0]
    assert fit(COLUMNS, natural, 7) == {0: 5}, "a name is folded, never truncated"


def test_if_no_column_may_be_dropped_the_widest_is_folded() -> None:
    stay = [
        TableColumn("who", 0),
        TableColumn("a", 0, number=True),
        TableColumn("b", 0, number=True),
    ]
    assert fit(stay, [40, 6, 18], 80) == {0: 40, 1: 6, 2: 18}
    assert fit(stay, [40, 6, 18], 50) == {0: 20, 1: 6, 2: 18}
    assert fit(stay, [40, 30, 6], 40) == {0: 14, 1: 14, 2: 6}


def test_a_name_wider_than_the_screen_is_not_truncated() -> None:
    file = io.StringIO()
    console = Console(file=file, width=10, force_terminal=True, color_system=None)
    show_table([TableColumn("who", 0)], [["champion:budget=fast"]], console=console)
    assert "champion:budget=fast" in "".join(file.getvalue().split())


def test_a_pipe_gets_the_whole_table() -> None:
    file = io.StringIO()
    rows = [["x" * 150, "1", "2", "y" * 150]]
    show_table(COLUMNS, rows, console=Console(file=file, width=80))
    assert all(text in file.getvalue() for text in rows[0])
