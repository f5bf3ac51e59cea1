"""Python and the web app format phrases identically, and the catalogue is complete."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
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
    """In Python, cells are tuples and phrases are Phrase objects; in JSON, lists and objects."""

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
def test_phrases_are_formatted_in_python(phrase: str, values: dict[str, Any], words: str) -> None:
    assert phrases.fill(phrases.parse(phrase), cells_as_tuples(values)) == words


@pytest.mark.parametrize("phrase", CASES["wrong"])
def test_an_invalid_phrase_is_refused_in_python(phrase: str) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(phrase))):
        phrases.parse(phrase)


def test_phrases_are_formatted_in_the_web_app(tmp_path: Path) -> None:
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
    """Every key that the code uses, or that looks like a key of a group."""
    groups = "|".join({key.partition(".")[0] for key in CATALOGUE})
    keys = rf"""\b(?:say|[Pp]hrase)\(\s*["']([\w.-]+)["']|["']((?:{groups})\.[a-z][a-z-]*)["']"""
    return {one or other for one, other in re.findall(keys, CODE)}


def test_no_phrase_is_missing() -> None:
    assert named() <= CATALOGUE.keys()


def test_no_phrase_is_unused() -> None:
    assert [key for key in CATALOGUE if not re.search(rf"""["']{re.escape(key)}["']""", CODE)] == []


def places_of(parts: phrases.Parts) -> set[str]:
    """Every value that a phrase may show."""
    found: set[str] = set()
    for place in parts:
        if isinstance(place, phrases.Placeholder):
            found |= {
                place.name,
                *(name for one in place.cases.values() for name in places_of(one)),
            }
    return found


ADDED_LATER = {"verdict"}
"""The values that every step of a proof shares are added to all steps."""
PLACES = {key: places_of(phrases.parse(text)) for key, text in CATALOGUE.items()}


def calls_in_python(code: str) -> Iterator[tuple[str, set[str]]]:
    """Each phrase with its values, where the code names all of them."""
    for node in ast.walk(ast.parse(code)):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        key, *rest = node.args
        if name not in {"Phrase", "say"} or not isinstance(key, ast.Constant):
            continue
        values = {word.arg for word in node.keywords}
        if name == "Phrase" and rest:
            if not isinstance(rest[0], ast.Dict):
                continue
            values = {one.value if isinstance(one, ast.Constant) else None for one in rest[0].keys}
        if None not in values:
            yield key.value, {str(one) for one in values}


def calls_in_script(code: str) -> Iterator[tuple[str, set[str]]]:
    """The same for JavaScript: the names in `phrase("key", { name, other: value })`."""
    for call in re.finditer(r"""\b(?:say|phrase)\(\s*["']([\w.-]+)["']\s*(,\s*\{|\))""", code):
        if call[2] == ")":
            yield call[1], set()
            continue
        depth, fields = 1, [""]
        for letter in code[call.end() :]:
            depth += (letter in "{([") - (letter in "})]")
            if not depth:
                break
            if letter == "," and depth == 1:
                fields.append("")
            else:
                fields[-1] += letter
        names = {field.partition(":")[0].strip() for field in fields} - {""}
        if not any(name.startswith("...") for name in names):
            yield call[1], names


CALLS = [
    *(call for path in PACKAGE.rglob("*.py") for call in calls_in_python(path.read_text("utf-8"))),
    *(call for path in STATIC.rglob("*.js") for call in calls_in_script(path.read_text("utf-8"))),
]


@pytest.mark.parametrize("key", sorted({key for key, _ in CALLS}))
def test_every_call_passes_the_values_of_its_phrase(key: str) -> None:
    for given in (values for called, values in CALLS if called == key):
        assert given >= PLACES[key] - (ADDED_LATER if key.startswith("proof.") else set())


def test_a_call_with_missing_values_is_found() -> None:
    python = 'Phrase("list.and", {"first": 1}), say("list.or", first=1, last=2), Phrase(k, {})'
    both = {"first", "last"}
    assert list(calls_in_python(python)) == [("list.and", {"first"}), ("list.or", both)]
    script = 'phrase("list.and", { first, last: f(a, { b }) }); say("hint.no"); say("x", { ...y })'
    assert list(calls_in_script(script)) == [("list.and", both), ("hint.no", set())]
    assert len(CALLS) > 200
