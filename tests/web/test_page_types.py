"""Wherever the web app handles messages, they are typed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mineproof.web.app import STATIC

MODULES = [
    path
    for path in sorted(STATIC.rglob("*.js"))
    if re.search(r"\bclient\b|\bClient\b|messages\.js", path.read_text("utf-8"))
]


def uses_any(line: str) -> bool:
    """Whether a type in JSDoc contains `any`, except that of a browser event."""
    types = re.sub(r'"[^"]*"|\{any\} \*/ (event|\((event|this\.dropping)\))', "", line)
    return any(re.search(r"@\w+ \{.*\bany\b.*\}", part) for part in types.split("*/"))


def test_any_is_found() -> None:
    for line in ("/** @param {any} x */", "/** @type {Record<string, any>} */", "@type {{a: any}}"):
        assert uses_any(line), line
    for line in ('@type {{a: "any" | "safe"}}', "/** @type {any} */ event", "@param {string} any"):
        assert not uses_any(line), line


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(STATIC).as_posix())
def test_no_module_that_handles_messages_uses_any(path: Path) -> None:
    assert [line for line in path.read_text("utf-8").splitlines() if uses_any(line)] == []
