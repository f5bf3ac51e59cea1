"""The kernel as WebAssembly in node, compared with the native one: microseconds per position.

Expert positions without a safe cell, as in posterior.py. Run `make wasm` first.

    python benchmarks/wasm.py [--positions N]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from mineproof.series.intervals import mean
from posterior import kernel, stuck

ROOT = Path(__file__).parents[1]
WASM = ROOT / "src" / "mineproof" / "web" / "static" / "kernel" / "mineproof.wasm"
SCRIPT = ROOT / "tests" / "wasm" / "solve.mjs"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=500)
    count = parser.parse_args().positions
    if not WASM.exists():
        sys.exit(f"{WASM} does not exist: run `make wasm`")
    views = list(stuck(count))
    with TemporaryDirectory() as folder:
        asked = Path(folder) / "positions.json"
        asked.write_text(
            json.dumps(
                [
                    {
                        "rows": view.grid.rows,
                        "cols": view.grid.cols,
                        "states": list(view.states),
                        "mines": view.mines,
                    }
                    for view in views
                ]
            )
        )
        command = ["node", str(SCRIPT), str(WASM), str(asked), "5"]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
    native = mean([1e6 * seconds for seconds in kernel(views)])
    node = mean(json.loads(run.stdout))
    print(f"{count} stuck expert positions: native {native[0]:.1f} us, node {node[0]:.1f} us")


if __name__ == "__main__":
    main()
