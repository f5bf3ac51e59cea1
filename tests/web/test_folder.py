"""The export for static hosts: the complete web app, relative links, and its policy in the page."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from mineproof.errors import MineproofError
from mineproof.web.static_export import STATIC, Sizes, write


@pytest.fixture
def wasm(tmp_path: Path) -> Path:
    path = tmp_path / "any.wasm"
    path.write_bytes(b"\0asm" * 100)
    return path


def names_in(folder: Path) -> set[str]:
    """All files but the compressed copies."""
    names = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
    return {name for name in names if not name.endswith(".gz")}


def assets_of(folder: Path) -> Path:
    (assets,) = folder.glob("assets-*")
    return assets


def test_it_contains_the_web_app_and_the_kernel(tmp_path: Path, wasm: Path) -> None:
    folder = tmp_path / "page"
    sizes = write(folder, wasm)
    assets = assets_of(folder)
    assert sizes.plain > 100_000
    root = {"index.html", "serviceWorker.js"}
    assert names_in(folder) == root | {f"{assets.name}/{name}" for name in names_in(assets)}
    types = {"messages.d.ts"}
    assert names_in(assets) == (names_in(STATIC) | {"kernel/mineproof.wasm"}) - root - types
    assert (assets / "kernel" / "mineproof.wasm").read_bytes() == wasm.read_bytes()


def test_all_links_of_the_page_are_relative_and_lead_to_a_file(tmp_path: Path, wasm: Path) -> None:
    folder = tmp_path / "page"
    write(folder, wasm)
    page = (folder / "index.html").read_text()
    links = re.findall(r'(?:src|href|mineproof-worker" content)="([^#"?]+)', page)
    assert len(links) > 20
    assert all((folder / link).is_file() for link in links), links
    assert {"manifest.webmanifest", "worker.js", "offline.js"} <= {
        Path(link).name for link in links
    }
    for allowed in ("'wasm-unsafe-eval'", "worker-src 'self'", "manifest-src 'self'"):
        assert allowed in page
    assets = assets_of(folder)
    manifest = json.loads((assets / "manifest.webmanifest").read_text())
    assert (assets / manifest["start_url"]).resolve() == folder
    assert (assets / manifest["scope"]).resolve() == folder
    assert all((assets / icon["src"]).is_file() for icon in manifest["icons"])


def test_the_service_worker_has_the_names_of_all_files(tmp_path: Path, wasm: Path) -> None:
    folder = tmp_path / "page"
    write(folder, wasm)
    first = (folder / "serviceWorker.js").read_text().splitlines()[0]
    release = json.loads(first.removeprefix("self.release = ").removesuffix(";"))
    assert release["folder"] == assets_of(folder).name
    assert set(release["files"]) == names_in(assets_of(folder))


def test_scripts_have_no_comments_but_all_their_code(tmp_path: Path, wasm: Path) -> None:
    write(tmp_path / "page", wasm)
    for path in assets_of(tmp_path / "page").rglob("*.js"):
        original = (STATIC / path.relative_to(assets_of(tmp_path / "page"))).read_text()
        lines = path.read_text().splitlines()
        assert not [line for line in lines if re.match(r"\s*(//|\* |/\*\*.*\*/$)", line)], path
        left = iter(original.splitlines())
        assert all(line in left for line in lines), path  # in the same order


def test_the_same_files_have_the_same_address_and_others_another(
    tmp_path: Path, wasm: Path
) -> None:
    def address() -> str:
        write(tmp_path / "page", wasm)
        return assets_of(tmp_path / "page").name

    first = address()
    assert address() == first
    wasm.write_bytes(b"\0asm other")
    assert address() != first


def test_compressed_copies_have_the_same_content(tmp_path: Path, wasm: Path) -> None:
    folder = tmp_path / "page"
    sizes = write(folder, wasm)
    copies = {path.with_suffix(""): path for path in folder.rglob("*.gz")}
    for path, copy in copies.items():
        assert gzip.decompress(copy.read_bytes()) == path.read_bytes()
        assert copy.stat().st_size < path.stat().st_size
    files = [folder / name for name in names_in(folder)]
    assert sizes == Sizes(
        sum(path.stat().st_size for path in files),
        sum(copies.get(path, path).stat().st_size for path in files),
    )
    assert {folder / "index.html", assets_of(folder) / "kernel" / "mineproof.wasm"} <= set(copies)


def test_without_a_kernel_it_says_how_to_build_one(tmp_path: Path) -> None:
    with pytest.raises(MineproofError, match="make wasm"):
        write(tmp_path / "page", tmp_path / "none.wasm")
    assert not (tmp_path / "page").exists()
