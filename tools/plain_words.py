"""Find private words in what people read: help, messages, documents, the web app, and the code.

`python -m tools.plain_words` (part of `make check`) prints every place with a word from
tools/plain_words.toml in texts, comments and names, and what to write instead. Names of files or
folders restrict it to these; `--count` prints the number of words of prose in the documents.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
LIST = Path(__file__).with_suffix(".toml")
READ = (
    "*.md", "docs/**/*.md", "docs/*.toml", "Makefile", "examples/**/*.py", "benchmarks/**/*.py",
    "src/mineproof/**/*.py", "src/mineproof/**/*.toml", "src/mineproof/web/static/**/*.js",
    "src/mineproof/web/static/**/*.json", "src/mineproof/web/static/**/*.html",
    "native/python/**/*.cpp", "native/src/**/*.cpp", "native/runtime/**/*.cpp",
)  # fmt: skip
"""The files that have something for users."""
CODE = ("src/**/*.py", "tests/**/*.py", "tools/**/*.py", "benchmarks/**/*.py", "examples/**/*.py",
        "src/mineproof/web/static/**/*.js", "native/**/*.cpp", "native/**/*.hpp")  # fmt: skip
"""The files whose comments and names are checked."""

_COMMENT = re.compile(r"<!--.*?-->", re.S)
_FENCE = re.compile(r"^```(?!console|text)\w*\n.*?^```$", re.S | re.M)
_CODE = re.compile(r"`[^`\n]+`|\"[\w.]+\"|\]\([^)\s]*\)|\$\{[^{}]*\}")  # also a "field" of JSON
_LITERAL = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?P<double>(?:\\.|[^"\\\n])*)"|'(?P<single>(?:\\.|[^'\\\n])*)'"""
    r"|`(?P<template>(?:\\.|[^`\\])*)`",
    re.S,
)
_NAME = re.compile(r"[A-Za-z_]\w*")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


class Word(NamedTuple):
    """A word to avoid, and what to write instead."""

    find: re.Pattern[str]
    say: str


class Finding(NamedTuple):
    """A place that contains such a word."""

    file: str
    line: int
    word: str
    say: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.word!r} (say: {self.say}): {self.text.strip()}"


def words() -> list[Word]:
    """The words of the list; a space in a pattern also matches a line break and its indentation."""
    listed = tomllib.loads(LIST.read_text(encoding="utf-8"))["word"]
    space = r"(?: |[ \t]*\n[ \t]*)"
    return [Word(re.compile(one["find"].replace(" ", space), re.I), one["say"]) for one in listed]


def names() -> list[Word]:
    """The words of the list that may not be part of a name in the code."""
    listed = tomllib.loads(LIST.read_text(encoding="utf-8"))["name"]
    return [Word(re.compile(one["find"], re.I), one["say"]) for one in listed]


def allowed() -> dict[str, list[str]]:
    """By file, texts that allow every word on their lines."""
    found = tomllib.loads(LIST.read_text(encoding="utf-8"))["allow"]
    return {str(file): list(texts) for file, texts in found.items()}


def files(patterns: tuple[str, ...] = READ) -> list[Path]:
    """All files with something for users, or others."""
    found = {path for pattern in patterns for path in ROOT.glob(pattern)}
    return sorted(path for path in found if "node_modules" not in path.parts)


def findings(path: Path) -> Iterator[Finding]:
    """The findings in the texts of one file."""
    name = path.relative_to(ROOT).as_posix()
    source = path.read_text(encoding="utf-8")
    lines, allow = source.splitlines(), allowed().get(name, [])
    for start, text in _texts(path, source):
        for word in words():
            for place in word.find.finditer(text):
                line = start + text.count("\n", 0, place.start())
                shown = lines[min(line, len(lines)) - 1]
                if not any(one in shown for one in allow):
                    yield Finding(name, line, " ".join(place[0].split()), word.say, shown)


def findings_in_code(path: Path) -> Iterator[Finding]:
    """The findings in the comments and names of one file."""
    name = path.relative_to(ROOT).as_posix()
    source = path.read_text(encoding="utf-8")
    lines, allow = source.splitlines(), allowed().get(name, [])
    for line, text, wanted in _code(path, source):
        for word in wanted:
            for place in word.find.finditer(text):
                shown = lines[line + text.count("\n", 0, place.start()) - 1]
                if not any(one in shown for one in allow):
                    yield Finding(name, line, place[0], word.say, shown)


def _code(path: Path, source: str) -> Iterator[tuple[int, str, list[Word]]]:
    """Comments and names of a file, each with its line and the words to look for."""
    in_texts, in_names = words(), names()
    if path.suffix == ".py":
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], _blank(token.string, _CODE), in_texts
            elif token.type == tokenize.NAME:
                yield token.start[0], " ".join(_PART.findall(token.string)), in_names
        return
    rest = 0
    for place in [*_LITERAL.finditer(source), None]:
        start = len(source) if place is None else place.start()
        line = source.count("\n", 0, rest) + 1
        for offset, row in enumerate(source[rest:start].split("\n")):
            for one in _NAME.findall(row):
                yield line + offset, " ".join(_PART.findall(one)), in_names
        if place is not None and place[0].startswith("/"):
            yield source.count("\n", 0, start) + 1, _blank(place[0], _CODE), in_texts
        rest = len(source) if place is None else place.end()


def _texts(path: Path, source: str) -> Iterator[tuple[int, str]]:
    """The texts that users read in a file, each with its first line."""
    match path.suffix:
        case ".py":
            found = _python(source)
        case ".js" | ".cpp":
            found = _literals(source)
        case ".md":
            found = iter([(1, _blank(_blank(source, _COMMENT), _FENCE))])
        case "":
            found = _makefile(source)
        case _:
            found = iter([(1, source)])
    return ((line, _blank(text, _CODE)) for line, text in found)


def _blank(text: str, pattern: re.Pattern[str]) -> str:
    """Blank out what matches; the lines keep their numbers."""
    return pattern.sub(lambda place: "\n" * place[0].count("\n") or "`", text)


def _python(source: str) -> Iterator[tuple[int, str]]:
    """String literals of more than one word, including docstrings."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value


def _literals(source: str) -> Iterator[tuple[int, str]]:
    """The same for JavaScript and C++."""
    for place in _LITERAL.finditer(source):
        text = place["double"] or place["single"] or place["template"] or ""
        if " " in text:
            yield source.count("\n", 0, place.start()) + 1, text


def _makefile(source: str) -> Iterator[tuple[int, str]]:
    """The output of `make help` and of recipes."""
    for number, line in enumerate(source.splitlines(), 1):
        if " ## " in line or "echo" in line:
            yield number, line


def prose(text: str) -> int:
    """The number of words of a document outside tables, code and comments."""
    for pattern in (_COMMENT, re.compile(r"^```.*?^```$", re.S | re.M)):
        text = pattern.sub("", text)
    text = re.sub(r"^\|.*$|\]\([^)]*\)", "", text, flags=re.M)
    return sum(1 for word in text.split() if re.search(r"\w", word))


def main(arguments: list[str]) -> int:
    """Print all findings; the exit code is 1 if there are any."""
    if arguments == ["--count"]:
        counts = [
            (prose(path.read_text("utf-8")), path) for path in files() if path.suffix == ".md"
        ]
        for count, path in counts:
            print(f"{count:7,} {path.relative_to(ROOT)}")
        print(f"{sum(count for count, _ in counts):7,} in all")
        return 0
    chosen = [ROOT / one for one in arguments] or [ROOT]
    found = [
        finding for path in files() if any(path.is_relative_to(one) for one in chosen)
        for finding in findings(path)
    ] + [
        finding for path in files(CODE) if any(path.is_relative_to(one) for one in chosen)
        for finding in findings_in_code(path)
    ]  # fmt: skip
    for finding in found:
        print(finding)
    if found:
        print(f"{len(found)} places to reword; tools/plain_words.toml has the list")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
