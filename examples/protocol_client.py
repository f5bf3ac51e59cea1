"""A client of `mineproof engine` in fifty lines: it plays a board of its own by its advice.

The board is here, as it would be in your game or on another screen; the engine only hears what
the opened cells show. Run: python examples/protocol_client.py
"""

import json
import random
import subprocess
import sys

ROWS, COLS, MINES = 9, 9, 10


class Engine:
    """A question, an answer: a line of JSON each."""

    def __init__(self) -> None:
        command, pipe = [sys.executable, "-m", "mineproof", "engine"], subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def ask(self, verb: str, **fields: object) -> dict:
        """The answer to a message; an error where it is one."""
        print(json.dumps({"do": verb, **fields}), file=self._process.stdin, flush=True)
        answer = json.loads(self._process.stdout.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])
        return answer


def main(seed: int) -> str:
    """Play one board; how it ended."""
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
        known = engine.ask("tell", shows=[[[row, col], shows]])
        if known["over"]:
            engine.ask("quit")
            return str(known["over"]["outcome"])


if __name__ == "__main__":
    print(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2))
