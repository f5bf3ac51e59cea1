"""A small client of `mineproof engine`: it deals a board and plays it on the engine's advice.

The board stays here, as in your own game; the engine only learns what opened cells show.

    python examples/protocol_client.py [SEED]
"""

import json
import random
import subprocess
import sys

ROWS, COLS, MINES = 9, 9, 10


class Engine:
    """A connection to the engine: one line of JSON per request and response."""

    def __init__(self) -> None:
        command, pipe = [sys.executable, "-m", "mineproof", "engine"], subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def ask(self, method: str, **fields: object) -> dict:
        """Send a request; return the response, or raise an error."""
        print(json.dumps({"method": method, **fields}), file=self._process.stdin, flush=True)
        response = json.loads(self._process.stdout.readline())
        if "error" in response:
            raise RuntimeError(response["error"]["message"])
        return response


def main(seed: int) -> str:
    """Play one board, and return the outcome."""
    cells = [(row, col) for row in range(ROWS) for col in range(COLS)]
    mines = set(random.Random(seed).sample(cells, MINES))
    engine = Engine()
    deal = {"rows": ROWS, "cols": COLS, "mines": MINES}
    engine.ask("new", deal=deal, rules={"opening": "any"}, agent="exact")
    while True:
        move = engine.ask("go")
        row, col = move["cell"]
        near = {(r, c) for r in range(row - 1, row + 2) for c in range(col - 1, col + 2)}
        shows = "mine" if (row, col) in mines else len(near & mines)
        print(f"open ({row},{col}), risk {move['risk']:.2f}: {shows}")
        known = engine.ask("show", shows=[[[row, col], shows]])
        if known["over"]:
            engine.ask("quit")
            return str(known["over"]["outcome"])


if __name__ == "__main__":
    print(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2))
