"""What the docs say is true: code runs, pictures are what the program draws, commands exist."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

import mineproof as mp
from mineproof import studies
from mineproof.cli import COMMANDS, cli, main
from tests.studying import small
from tools import api_page, recorder
from tools.drawn_pictures import DRAWN, IMAGES, draw

ROOT = recorder.ROOT
PAGES = pytest.mark.parametrize(
    "path", recorder.PAGES, ids=lambda path: str(path.relative_to(ROOT))
)
recorded = pytest.mark.skipif(
    mp.engine != "native", reason="the pages were recorded with the compiled engine"
)


def stale(path: Path, *, slow: bool = False) -> list[str]:
    """What a page shows, and what was printed instead."""
    return [
        f"{step.kind}: {step.source}shown: {step.shown}\nprinted: {step.printed}"
        for step in recorder.run(path, slow=slow)
        if step.stale
    ]


@recorded
@PAGES
def test_recorded_outputs_are_up_to_date(path: Path) -> None:
    assert not stale(path), "`make docs` rewrites it"


SLOW = [
    path for path in recorder.PAGES if any(step.slow for step in recorder.steps(path.read_text()))
]


@recorded
@pytest.mark.slow
@pytest.mark.parametrize("path", SLOW, ids=lambda path: path.name)
def test_slow_recorded_outputs_are_up_to_date(path: Path) -> None:
    assert not stale(path, slow=True), "`make docs-all` rewrites it"


@PAGES
def test_no_output_escapes_the_recorder(path: Path) -> None:
    text = path.read_text()
    ours = {step.source for step in recorder.steps(text) if step.kind == "console"}
    prompts = re.findall(r"^\s*\$ (.*\n)", text, re.M)
    assert all(any(source.startswith(line) for source in ours) for line in prompts)


@cache
def help_of(*command: str) -> str:
    return CliRunner().invoke(cli, [*command, "--help"]).output


@PAGES
def test_commands_in_the_documents_exist(path: Path) -> None:
    """Commands in code spans, and those on a separate line of a code block."""
    text = path.read_text()
    lines = re.findall(r"`mineproof ([a-z][^`]*)`", text)
    blocks = "".join(re.findall(r"^```\w*\n.*?^```$|^ {4}[^\n]*\n", text, re.S | re.M))
    lines += re.findall(r"^(?:\$ | {4})?mineproof ([a-z][^\n#|>\\]*)", blocks, re.M)
    for line in lines:
        words = shlex.split(line)
        assert words[0] in COMMANDS, line
        options = {word for word in words if word.startswith("--")}
        command = words[: 2 if words[0] == "study" and len(words) > 1 else 1]
        assert all(option in help_of(*command) for option in options), line


@recorded
@pytest.mark.slow
def test_the_commands_in_the_tables_of_the_readme_work(tmp_path: Path) -> None:
    """From first to last, in one folder; interactive ones are on another page."""
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    rows = re.findall(r"^\|[^`\n]*`([^`]*mineproof [^`]*)`", (ROOT / "README.md").read_text(), re.M)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for row in rows:
        done = subprocess.run(
            ["bash", "-c", row],
            cwd=tmp_path,
            env={**os.environ, "PATH": path, "TERM": "dumb"},
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == (2 if row == "mineproof play" else 0), f"{row}\n{done.stderr}"


@PAGES
def test_links_in_the_documents_have_targets(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text()):
        assert (path.parent / target).exists(), target


def test_links_on_the_landing_page_have_targets() -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", recorder.LANDING.read_text())
    assert len(targets) > 10
    for target in set(targets) - {"play/index.html"}:
        assert (ROOT / target).exists(), target


def test_the_first_page_of_the_documents_links_to_all_others() -> None:
    """Each link has a sentence, and no group links to a page twice."""
    groups = (ROOT / "docs" / "README.md").read_text().split("\n## ")[1:]
    found = []
    for group in groups:
        rows = re.findall(r"^\| \[[^]]+\]\(([^)]+)\) \| (.+) \|$", group, re.M)
        assert len({target for target, _ in rows}) == len(rows)
        assert all(sentence.endswith(".") for _, sentence in rows)
        found += [target for target, _ in rows]
    docs = ROOT / "docs"
    pages = {path.relative_to(docs).as_posix() for path in docs.rglob("*.md")}
    pages = {page for page in pages if not page.startswith(("reports/", "site/"))} - {"README.md"}
    outside = {"../CONTRIBUTING.md", "../CHANGELOG.md", "../LICENSE"}
    assert set(found) == pages | outside


_OPEN = {"deductions", "times", "values"}
"""Objects whose keys are data: rules, numbers of a phrase."""


def keys(data: object) -> set[str]:
    """The field names in JSON data, except rules and levels (a dict with numbers)."""
    if isinstance(data, list):
        return set().union(*map(keys, data))
    if not isinstance(data, dict):
        return set()
    inner = (keys(value) for name, value in data.items() if name not in _OPEN)
    return {*data}.union(*inner)


@pytest.mark.parametrize(
    "command",
    [
        "play --level beginner --seed 1 --json",
        "analyse docs/images/position.txt --json",
        "analyse docs/images/position.txt --cell 0,0 --budget 20 --json",
        "arena --agents exact,csp --level beginner --games 3 --seed 1 --json",
        "agents --json",
        "solve 3 3 2 --json",
        "generate --level beginner --seed 1 --json",
        "grade board.txt --json",
        "replay record.json --json",
        "review record.json --json",
        "explain docs/images/position.txt --json",
        "explain docs/images/position.txt --all --json",
        "explain docs/images/position.txt --cell 0,0 --json",
        "reasoners docs/images/position.txt --json",
        "study list --json",
        "study verify small --sample 1 --json",
    ],
)
def test_every_json_field_is_documented(
    command: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    record = mp.play(mp.Deal(5, 5, 4), "exact", seed=1)
    (tmp_path / "record.json").write_text(json.dumps(record.to_json()))
    (tmp_path / "board.txt").write_text("4x4/1 ..../..../..../...*")
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)
    if command.startswith("study verify"):
        studies.run(small(), tmp_path, workers=1)
    assert main(command.split()) == 0
    document = (ROOT / "docs" / "formats.md").read_text()
    rows = dict(re.findall(r"^\| `([a-z ]+) --json` (.*)", document, re.M))
    rows["play"] = document  # another section describes records
    (known,) = [row for name, row in rows.items() if command.startswith(name)]
    found = keys(json.loads(capsys.readouterr().out)) - set(vars(mp.Rules()))
    assert not {key for key in found if f"`{key}`" not in known}


def test_every_column_of_a_game_is_documented(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.csv"
    assert main(["arena", "--agents", "exact", "--games", "2", "--per-game", str(path)]) == 0
    document = (ROOT / "docs" / "formats.md").read_text()
    (row,) = re.findall(r"^\| `arena --per-game FILE` .*", document, re.M)
    columns = path.read_text().splitlines()[0].split(",")
    assert not [name for name in columns if f"`{name}`" not in row]


def test_every_public_name_is_documented() -> None:
    assert sorted(api_page.entries()) == sorted(api_page.names())


@recorded
@pytest.mark.parametrize("name", api_page.names())
def test_documented_signatures_are_up_to_date(name: str) -> None:
    assert api_page.entries()[name] == api_page.described(name), "`make docs` rewrites it"


@recorded
@pytest.mark.slow
@pytest.mark.parametrize("column", range(len(mp.LEVELS)))
def test_the_win_rates_in_the_readme_are_those_of_the_arena(column: int) -> None:
    """`mineproof arena --level LEVEL --games 10000 --seed 1 --agents ...`."""
    text = (ROOT / "README.md").read_text()
    rows = re.findall(r"^\| `([\w:=]+)`[^|\n]*\|([^|\n]*)\|([^|\n]*)\|([^|\n]*)\|$", text, re.M)
    shown = {agent: cells[column].strip() for agent, *cells in rows}
    deal = mp.Deal(*list(mp.LEVELS.values())[column])
    rules = mp.Rules(opening="safe")
    found = mp.arena(list(shown), deal, games=10_000, rules=rules, seed=1).agents
    assert shown == {
        one.name: "{:.2f} ({:.2f} - {:.2f})".format(
            *(100 * rate for rate in (one.win_rate, *one.win_interval))
        )
        for one in found
    }


def test_the_study_in_the_document_can_be_run() -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "studies.md").read_text(), re.S)
    assert len(mp.studies.Study.from_text("corners", text).points()) == 16


def test_every_page_is_on_the_site() -> None:
    pages = (ROOT / "mkdocs.yml").read_text()
    assert all(
        f": {path.relative_to(ROOT).as_posix()}\n" in pages
        for folder in ("docs", "docs/reports")
        for path in (ROOT / folder).glob("*.md")
    )


@recorded
@pytest.mark.parametrize("name", DRAWN)
def test_pictures_are_up_to_date(name: str) -> None:
    assert draw(name) == (IMAGES / name).read_text(), "`make docs` draws it again"


def test_make_help_names_every_target() -> None:
    done = subprocess.run(
        ["make", "help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
    )
    for target in ("run", "test", "check", "sanitize", "bench", "docs", "site"):
        assert f"make {target} " in done.stdout
