"""Phrases become the same words in Python and in the page, and the catalogue is complete."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from mineproof import phrases

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "mineproof"
STATIC = PACKAGE / "web" / "static"
CASES = json.loads((ROOT / "tests" / "phrase_cases.json").read_text("utf-8"))
CATALOGUE: dict[str, str] = json.loads(phrases.CATALOGUE.read_text("utf-8"))


def cells_as_tuples(values: dict[str, Any]) -> dict[str, Any]:
    """Python has cells as tuples and phrases as such, JSON lists and objects."""

    def cell(value: Any) -> Any:
        if isinstance(value, dict):
            return phrases.Phrase(value["phrase"], cells_as_tuples(value["values"]))
        if not isinstance(value, list):
            return value
        if len(value) == 2 and all(isinstance(one, int) for one in value):
            return tuple(value)
        return [cell(one) for one in value]

    return {name: cell(value) for name, value in values.items()}


@pytest.mark.parametrize(("phrase", "values", "words"), CASES["right"])
def test_in_python(phrase: str, values: dict[str, Any], words: str) -> None:
    assert phrases.fill(phrases.parse(phrase), cells_as_tuples(values)) == words


@pytest.mark.parametrize("phrase", CASES["wrong"])
def test_a_wrong_phrase_is_refused_in_python(phrase: str) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(phrase))):
        phrases.parse(phrase)


def test_in_the_page(tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed (apt-get install nodejs)")
    for name in ("phrases.js", "phrases.json"):
        shutil.copy(STATIC / name, tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "cases.json").write_text(json.dumps(CASES))
    script = tmp_path / "cases.js"
    script.write_text(
        """
import cases from "./cases.json" with { type: "json" };
import { fill, parse, say } from "./phrases.js";
const refused = (phrase) => { try { parse(phrase); return false; } catch { return true; } };
console.log(JSON.stringify({
  right: cases.right.map(([phrase, values]) => fill(parse(phrase), values)),
  wrong: cases.wrong.map(refused),
  said: say("list.and", { first: "a", last: "b" }),
}));
"""
    )
    run = subprocess.run(["node", script], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert found["right"] == [words for _, _, words in CASES["right"]]
    assert all(found["wrong"])
    assert found["said"] == phrases.say("list.and", first="a", last="b")


@pytest.mark.parametrize("key", CATALOGUE)
def test_every_phrase_can_be_parsed(key: str) -> None:
    assert phrases.parse(CATALOGUE[key])


CODE = "\n".join(
    path.read_text("utf-8") for path in [*PACKAGE.rglob("*.py"), *STATIC.rglob("*.js")]
)


def named() -> set[str]:
    """Every key that the code names: whatever is said, or looks like a key of a group."""
    groups = "|".join({key.partition(".")[0] for key in CATALOGUE})
    keys = rf"""\b(?:say|[Pp]hrase)\(\s*["']([\w.-]+)["']|["']((?:{groups})\.[a-z][a-z-]*)["']"""
    return {one or other for one, other in re.findall(keys, CODE)}


def test_no_phrase_is_missing() -> None:
    assert named() <= CATALOGUE.keys()


def test_no_phrase_is_unused() -> None:
    assert [key for key in CATALOGUE if not re.search(rf"""["']{re.escape(key)}["']""", CODE)] == []
