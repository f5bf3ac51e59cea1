"""The web app as a folder for any static web host; the kernel runs in a Web Worker.

    python -m mineproof.web.static_export build/play

All addresses in it are relative, so that any path works; it sends no requests to other hosts. The
page and its service worker keep their names. All other files are in a folder named by the hash of
everything, so they never change and may be cached for ever. Each file that gzip makes smaller has
a compressed copy next to it (`app.js.gz`), for hosts that send these. Scripts lose their comments.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
import sys
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from mineproof import __version__
from mineproof.errors import MineproofError

STATIC = Path(__file__).with_name("static")
KERNEL = STATIC / "kernel" / "mineproof.wasm"
"""The compiled kernel: part of a wheel; `make wasm` builds it."""
POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "worker-src 'self'",
        "manifest-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
)
"""The content security policy: the server's, without WebSockets but with WebAssembly."""
_PAGE, _SERVICE_WORKER = "index.html", "serviceWorker.js"
_HEAD = '<meta charset="utf-8">'
_MORE = f"""
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="mineproof-worker" content="kernel/worker.js?version={__version__}">
<link rel="manifest" href="manifest.webmanifest">
<script type="module" src="offline.js"></script>"""
_COMMENT = re.compile(r"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*)\n", re.MULTILINE)
"""Comments that fill whole lines: a fifth of the compressed scripts."""
_ADDRESS = re.compile(r'((?:src|href)="|name="mineproof-worker" content=")(?!#)')


class Sizes(NamedTuple):
    """The bytes of all files of an exported folder."""

    plain: int
    compressed: int
    """As a host sends them that has the compressed copies."""


def write(folder: Path, kernel: Path = KERNEL) -> Sizes:
    """Write the folder from scratch and return its size."""
    if not kernel.is_file():
        raise MineproofError(f"there is no {kernel}: build it with `make wasm`")
    files = {
        path.relative_to(STATIC).as_posix(): _content(path)
        for path in STATIC.rglob("*")
        if path.is_file() and not path.name.endswith(".d.ts")  # types, which no browser reads
    }
    files["kernel/mineproof.wasm"] = kernel.read_bytes()
    files[_PAGE] = _with_head(files[_PAGE].decode()).encode()
    assets = f"assets-{_hash(files)}"
    page, script = files.pop(_PAGE).decode(), files.pop(_SERVICE_WORKER)
    release = json.dumps({"folder": assets, "files": sorted(files)})
    shutil.rmtree(folder, ignore_errors=True)
    written = {
        _PAGE: _ADDRESS.sub(rf"\g<1>{assets}/", page).encode(),
        _SERVICE_WORKER: f"self.release = {release};\n".encode() + script,
        **{f"{assets}/{name}": content for name, content in files.items()},
    }
    sizes = [_write_file(folder / name, content) for name, content in written.items()]
    return Sizes(sum(map(len, written.values())), sum(sizes))


def _content(path: Path) -> bytes:
    content = path.read_bytes()
    return _COMMENT.sub("", content.decode()).encode() if path.suffix == ".js" else content


def _with_head(page: str) -> str:
    if page.count(_HEAD) != 1:
        raise MineproofError(f"{_PAGE} must contain {_HEAD} exactly once")
    return page.replace(_HEAD, _HEAD + _MORE)


def _hash(files: dict[str, bytes]) -> str:
    found = sha256()
    for name in sorted(files):
        found.update(f"{name} {len(files[name])}\n".encode() + files[name])
    return found.hexdigest()[:16]


def _write_file(path: Path, content: bytes) -> int:
    """Write a file, and its compressed copy if that is smaller; return the smaller size."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    compressed = gzip.compress(content, mtime=0)
    if len(compressed) >= len(content):
        return len(content)
    path.with_name(f"{path.name}.gz").write_bytes(compressed)
    return len(compressed)


if __name__ == "__main__":
    sizes = write(Path(sys.argv[1]))
    print(f"wrote {sys.argv[1]} ({sizes.plain:,} bytes, {sizes.compressed:,} compressed)")
