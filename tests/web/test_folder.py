"""The export for static hosts: the complete web app, relative links, and its policy in the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mineproof.errors import MineproofError
from mineproof.web.static_export import STATIC, write


def test_it_contains_the_web_app_and_the_kernel(tmp_path: Path) -> None:
    wasm = tmp_path / "any.wasm"
    wasm.write_bytes(b"\0asm")
    size = write(tmp_path / "page", wasm)
    names = {file.relative_to(STATIC) for file in STATIC.rglob("*") if file.is_file()}
    copies = {
        file.relative_to(tmp_path / "page")
        for file in (tmp_path / "page").rglob("*")
        if file.is_file()
    }
    assert copies == names | {Path("kernel/mineproof.wasm")}
    assert size > 100_000
    page = (tmp_path / "page" / "index.html").read_text()
    assert "wasm-unsafe-eval" in page
    assert 'name="mineproof-worker"' in page
    assert not re.search(r'(?:src|href)="(?:/|https?:)', page)


def test_without_a_kernel_it_says_how_to_build_one(tmp_path: Path) -> None:
    with pytest.raises(MineproofError, match="make wasm"):
        write(tmp_path / "page", tmp_path / "none.wasm")
    assert not (tmp_path / "page").exists()
