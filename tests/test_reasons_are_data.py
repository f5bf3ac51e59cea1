"""No code parses English: where it needs a fact, the data has a field."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import mineproof as mp

SOURCE = Path(mp.__file__).parent
STATIC = SOURCE / "web" / "static"
NATIVE = Path(__file__).parents[1] / "native"


def name_of(path: Path) -> str:
    """The path of a file as it is listed here."""
    return str(path.relative_to(SOURCE if path.is_relative_to(SOURCE) else NATIVE.parent))


SEARCHES = {
    *("startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition"),
    *("find", "rfind", "index", "rindex", "split", "rsplit", "count", "replace"),
    *("compile", "match", "fullmatch", "search", "findall", "finditer", "sub", "subn"),
}
LITERAL = r"""("[^"\n]*"|'[^'\n]*'|`[^`]*`)"""
PATTERN = r"(/(?:\\.|[^/\n])+/)"
JS_SEARCHES = re.compile(
    rf"""\.(?:startsWith|endsWith|includes|indexOf|split|replace(?:All)?|match|search|test)\(\s*
    (?:{LITERAL}|{PATTERN})
    |(?:new\ RegExp\(\s*|[!=]==?\s*|\bcase\s+){LITERAL}
    |{LITERAL}\s*[!=]==|(?<=[=(,:?\s])(?=/[^/*\s]){PATTERN}
    |\[([^\[\]]*["'`][^\[\]]*)\]\.includes\(""",
    re.VERBOSE,
)
CPP_SEARCHES = re.compile(
    r"""(?:\b(?:find|rfind|starts_with|ends_with|contains|compare|regex|strcmp|strstr)\s*\([^")]*
    |[!=]=\s*)"((?:\\.|[^"\\\n])*)\"""",
    re.VERBOSE,
)
ENGLISH = re.compile(
    r"(?<![\\\w.\[({|])[A-Za-z]{2,}(?= )|(?<= )[A-Za-z]{2,}(?![\w.\])|=])|[a-z]{3,}…"
)
"""A word next to a space: names of fields, options and files contain none."""
WORDS_OF = {"reason", "words", "caption", "textContent", "innerText", "headline"}
"""Names of text for people: comparing one with anything, even a single word, is a search."""

MARKUP = {"studies/chart_files.py"}

FORMATS = {
    ("studies/published.py", "report "),  # a citation in the source of a study: report 003
    ("web/database.py", "CREATE TABLE"),
}
"""Search strings for formatted data, which is not text for people."""


def literals(*places: ast.AST) -> Iterator[str]:
    for place in places:
        for part in ast.walk(place):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.value


def holds_words(place: ast.AST) -> bool:
    """Whether this is a field or variable with text for people."""
    return any(
        (isinstance(part, ast.Attribute) and part.attr in WORDS_OF)
        or (isinstance(part, ast.Name) and part.id in WORDS_OF)
        for part in ast.walk(place)
    )


def in_python(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield from (
                filter(ENGLISH.search, literals(*node.args)) if (node.func.attr in SEARCHES) else ()
            )
        elif isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            wordy = any(map(holds_words, sides))
            given = [one for one in sides if not isinstance(one, (ast.Call, ast.Attribute))]
            yield from (one for one in literals(*given) if one and (wordy or ENGLISH.search(one)))
        elif isinstance(node, ast.match_case):
            yield from filter(ENGLISH.search, literals(node.pattern))


def in_script(path: Path) -> Iterator[str]:
    code = re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", path.read_text("utf-8"), flags=re.DOTALL)
    if path.suffix == ".html":
        code = "\n".join(re.findall(r"<script[^>]*>(.*?)</script>", code, re.DOTALL))
    for found in JS_SEARCHES.finditer(code):
        text = next(filter(None, found.groups()), "")
        yield from (one for one in [text.strip("\"'`/")] if ENGLISH.search(one))
    fields = "|".join(WORDS_OF)
    compared = re.compile(rf"\b(?:{fields})\s*[!=]==?\s*[\"'`](\w[^\"'`]*)")
    yield from compared.findall(code)


def in_cpp(path: Path) -> Iterator[str]:
    code = re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", path.read_text("utf-8"), flags=re.DOTALL)
    yield from filter(ENGLISH.search, CPP_SEARCHES.findall(code))


def searched(path: Path) -> Iterator[str]:
    """Text for people that the code searches."""
    if path.suffix == ".py":
        return in_python(path)
    return in_cpp(path) if path.suffix in {".cpp", ".hpp"} else in_script(path)


FILES = [
    path
    for path in [
        *SOURCE.rglob("*.py"),
        *STATIC.rglob("*.js"),
        SOURCE / "render" / "player.html",
        *(path for path in NATIVE.rglob("*.[ch]pp") if "tests" not in path.parts),
    ]
    if name_of(path) not in MARKUP
]


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_no_code_searches_text_for_people(path: Path) -> None:
    assert [one for one in searched(path) if (name_of(path), one) not in FORMATS] == []


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("one.py", 'if "is safe" in reason: pass'),
        ("one.py", "re.search(r\" in '[^']*'$\", message)"),
        ("one.py", 'reason.partition(" because ")'),
        ("one.py", 'if move.reason == "certain": pass'),
        ("one.py", 'if text == "no safe cell": pass'),
        ("one.py", 'if text in ("is safe", "is a mine"): pass'),
        ("one.py", 'if "safe" in reason: pass'),
        ("one.py", 'match text:\n    case "is safe": pass'),
        ("one.js", "message.replace(/ in '[^']*'$/, '')"),
        ("one.js", 'line.startsWith("deduced by ")'),
        ("one.js", 'if (body.textContent === "Thinking…") reset();'),
        ("one.js", 'if (move.reason === "certain") draw();'),
        ("one.js", 'if (text === "is safe") draw();'),
        ("one.js", 'if (["is safe", "is a mine"].includes(text)) draw();'),
        ("one.js", 'switch (text) { case "is safe": draw(); }'),
        ("one.js", "if (text.includes(`is a ${what}`)) draw();"),
        ("one.js", 'new RegExp("is safe$").exec(text);'),
        ("one.html", '<script>if (text === "is safe") draw();</script>'),
        ("one.cpp", 'if (error.find("do not fit") != npos) return;'),
        ("one.cpp", 'if (message == "do not fit") return;'),
    ],
)
def test_such_code_would_be_found(tmp_path: Path, name: str, code: str) -> None:
    path = tmp_path / name
    path.write_text(code)
    assert list(searched(path))
