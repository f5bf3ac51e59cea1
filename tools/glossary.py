"""Write docs/glossary.md from docs/glossary.toml (part of `make docs`)."""

from __future__ import annotations

import tomllib
from typing import Any

from tools.recorder import ROOT

TABLE = ROOT / "docs" / "glossary.toml"
PAGE = ROOT / "docs" / "glossary.md"
INTRODUCTION = """\
# Glossary

The terms that mineproof uses, one for each concept, with what they are called in Python.
"""


def groups() -> list[dict[str, Any]]:
    """The groups of terms, each in alphabetical order."""
    found: list[dict[str, Any]] = tomllib.loads(TABLE.read_text(encoding="utf-8"))["group"]
    return found


def page() -> str:
    """The page generated from the table."""
    parts = [INTRODUCTION]
    for group in groups():
        rows = "".join(map(_row, group["term"]))
        parts.append(f"\n## {group['title']}\n\n| term | meaning |\n| --- | --- |\n{rows}")
    return "".join(parts)


def _row(term: dict[str, str]) -> str:
    code = f" In Python: `{term['code']}`." if "code" in term else ""
    return f"| [{term['name']}]({term['see']}) | {term['meaning']}{code} |\n"


if __name__ == "__main__":
    if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page():
        PAGE.write_text(page(), encoding="utf-8")
        print("glossary.md: written")
