"""The page as a folder that any static host serves: the kernel in a worker is its brain.

    python -m mineproof.web.folder build/wasm/mineproof.wasm build/site/play

Every address in it is relative, so it may lie anywhere; it asks no server for anything.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from mineproof import __version__
from mineproof.errors import MineproofError

STATIC = Path(__file__).with_name("static")
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
"""As the server's, but that nothing is asked of a server and WebAssembly may be compiled."""
_HEAD = '<meta charset="utf-8">'
_BRAIN = f"kernel/worker.js?version={__version__}"


def write(wasm: Path, folder: Path) -> int:
    """Write the folder anew; how many bytes it has."""
    if not wasm.is_file():
        raise MineproofError(f"there is no {wasm}: `make wasm` builds it")
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    if page.count(_HEAD) != 1:
        raise MineproofError(f"index.html has no {_HEAD}")
    more = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    more += f'\n<meta name="mineproof-brain" content="{_BRAIN}">'
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(STATIC, folder)
    (folder / "index.html").write_text(page.replace(_HEAD, f"{_HEAD}\n{more}"), encoding="utf-8")
    shutil.copyfile(wasm, folder / "kernel" / "mineproof.wasm")
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


if __name__ == "__main__":
    print(f"wrote {sys.argv[2]} ({write(Path(sys.argv[1]), Path(sys.argv[2])):,} bytes)")
