"""The check of wording finds private words in what people read, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import plain_words


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(plain_words, "ROOT", tmp_path)
    return tmp_path


def found(project: Path, name: str, text: str) -> list[tuple[int, str]]:
    path = project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    assert path in plain_words.files()
    return [(finding.line, finding.word) for finding in plain_words.findings(path)]


def test_words_are_found_in_documents(project: Path) -> None:
    text = (
        "# A\n\nIt tells\nthat 5\nless 3 is `told`.\n<!-- anew -->\n```python\ntell()\n```\nAnew.\n"
    )
    assert found(project, "docs/lab/a.md", text) == [(3, "tells"), (5, "less"), (10, "Anew")]


def test_words_are_found_in_python(project: Path) -> None:
    text = '"""First.\n\nIt tells all.\n"""\n'
    text += 'told = f(told="told", x=f"{told} games a second")  # anew\n'
    assert found(project, "src/mineproof/a.py", text) == [(3, "tells"), (5, "games a second")]


def test_words_are_found_across_a_line_break(project: Path) -> None:
    text = "Half less\n  than that, and\n  games\n  a second.\n"
    assert found(project, "docs/lab/a.md", text) == [(3, "games a second")]


def test_words_are_found_in_javascript_and_cpp(project: Path) -> None:
    text = "// anew\nconst told = `a ${told}\nsays of b`; /* anew */ f('beside it');\n"
    words = [(3, "says of"), (3, "beside")]
    assert found(project, "src/mineproof/web/static/a.js", text) == words
    assert found(project, "native/src/a.cpp", 'f("fewer will not do"); // anew\n')


def found_in_code(project: Path, name: str, text: str) -> list[tuple[int, str]]:
    path = project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    assert path in plain_words.files(plain_words.CODE)
    return [(finding.line, finding.word) for finding in plain_words.findings_in_code(path)]


def test_words_are_found_in_comments_and_names(project: Path) -> None:
    """Each part of a name counts, not its letters: `retell` is found, `intellect` is not."""
    text = '"""It tells."""\nintellect = _not_told  # anew\nx = "told"\nclass Settles: ...\n'
    words = [(2, "told"), (2, "anew"), (4, "Settles")]
    assert sorted(found_in_code(project, "src/mineproof/a.py", text)) == sorted(words)
    text = '// anew\nconst stepsTold = `${1} told`;\n/* less 3\n   is beside */ f("told");\n'
    words = [(1, "anew"), (2, "Told"), (3, "less"), (3, "beside")]
    assert sorted(found_in_code(project, "native/src/a.cpp", text)) == sorted(words)


def test_words_are_found_in_a_makefile(project: Path) -> None:
    text = "all:  ## write it anew\n\t# told\n\t@echo told\n"
    assert found(project, "Makefile", text) == [(1, "anew"), (3, "told")]


def test_a_line_can_be_allowed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_words, "allowed", lambda: {"README.md": ["tell them apart"]})
    text = "One can tell them apart.\nOne can tell.\n"
    assert found(project, "README.md", text) == [(2, "tell")]


@pytest.mark.parametrize(
    "text",
    ["5 is less than 6", "something else", "as many as 5", "games per second", "a game"],
)
def test_plain_text_passes(project: Path, text: str) -> None:
    assert not found(project, "README.md", text)


def test_words_of_prose_are_counted() -> None:
    text = "# A title\n\nSome [words](x.md).\n\n| a | b |\n\n```text\nno\n```\n<!-- no -->\n"
    assert plain_words.prose(text) == 4
