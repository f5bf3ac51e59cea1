"""Nothing parses English: where code needs a fact, the data has a field for it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import mineproof as mp

SOURCE = Path(mp.__file__).parent
STATIC = SOURCE / "web" / "static"

SEARCHES = {
    *("startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition"),
    *("find", "rfind", "index", "rindex", "split", "rsplit", "count", "replace"),
    *("compile", "match", "fullmatch", "search", "findall", "finditer", "sub", "subn"),
}
JS_SEARCHES = re.compile(
    r"""(?:\.(?:startsWith|endsWith|includes|indexOf|split|replace(?:All)?|match|search)\(\s*
    |textContent\s*[!=]==?\s*|(?<=[=(,:?\s])(?=/[^/*\s]))("[^"\n]*"|'[^'\n]*'|/(?:\\.|[^/\n])+/)""",
    re.VERBOSE,
)
ENGLISH = re.compile(
    r"(?<![\\\w.\[({|])[A-Za-z]{2,}(?= )|(?<= )[A-Za-z]{2,}(?![\w.\])|=])|[a-z]{3,}…"
)
"""A word with a space at one side: names of fields, options and files have none."""

MARKUP = {"studies/chart_files.py"}

FORMATS = {
    ("studies/published.py", "report "),  # a citation in the source of a study: report 003
    ("web/database.py", "CREATE TABLE"),
}
"""What is searched for in texts with a format, which are not words for people."""

STILL_SEARCHED = {
    ("testing.py", "agent "),
}
"""Words that are searched for until there is a field; nothing may be added here."""


def in_python(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        sought: list[ast.expr] = []
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            sought = node.args if node.func.attr in SEARCHES else []
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            sought = [node.left]
        for one in sought:
            for part in ast.walk(one):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value


def in_script(path: Path) -> Iterator[str]:
    code = re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", path.read_text("utf-8"), flags=re.DOTALL)
    yield from (found[1][1:-1] for found in JS_SEARCHES.finditer(code))


FILES = [
    path
    for path in [*SOURCE.rglob("*.py"), *STATIC.rglob("*.js")]
    if str(path.relative_to(SOURCE)) not in MARKUP
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_code_searches_for_words(path: Path) -> None:
    name = str(path.relative_to(SOURCE))
    searched = in_script(path) if path.suffix == ".js" else in_python(path)
    words = [one for one in searched if ENGLISH.search(one)]
    assert [one for one in words if (name, one) not in FORMATS | STILL_SEARCHED] == []


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("one.py", 'if "is safe" in reason: pass'),
        ("one.py", "re.search(r\" in '[^']*'$\", message)"),
        ("one.py", 'reason.partition(" because ")'),
        ("one.js", "message.replace(/ in '[^']*'$/, '')"),
        ("one.js", 'line.startsWith("deduced by ")'),
        ("one.js", 'if (body.textContent === "Thinking…") reset();'),
    ],
)
def test_it_would_find_such_code(tmp_path: Path, name: str, code: str) -> None:
    path = tmp_path / name
    path.write_text(code)
    found = in_script(path) if path.suffix == ".js" else in_python(path)
    assert [one for one in found if ENGLISH.search(one)]
