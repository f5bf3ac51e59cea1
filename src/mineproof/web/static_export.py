"""The web app as a folder for any static web host; the kernel runs in a Web Worker.

    python -m mineproof.web.static_export build/play

All addresses in it are relative, so that any path works; it sends no requests to other hosts.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

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
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
)
"""The content security policy: the server's, without WebSockets but with WebAssembly."""
_HEAD = '<meta charset="utf-8">'
_WORKER = f"kernel/worker.js?version={__version__}"


def write(folder: Path, kernel: Path = KERNEL) -> int:
    """Write the folder from scratch and return its size in bytes."""
    if not kernel.is_file():
        raise MineproofError(f"there is no {kernel}: build it with `make wasm`")
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    if page.count(_HEAD) != 1:
        raise MineproofError(f"index.html must contain {_HEAD} exactly once")
    more = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    more += f'\n<meta name="mineproof-worker" content="{_WORKER}">'
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(STATIC, folder)
    (folder / "index.html").write_text(page.replace(_HEAD, f"{_HEAD}\n{more}"), encoding="utf-8")
    shutil.copyfile(kernel, folder / "kernel" / "mineproof.wasm")
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


if __name__ == "__main__":
    print(f"wrote {sys.argv[1]} ({write(Path(sys.argv[1])):,} bytes)")
