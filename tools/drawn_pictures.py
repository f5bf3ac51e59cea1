"""The pictures in docs/images that commands draw; `make docs` draws those that changed."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from tools.recorder import ROOT

IMAGES = ROOT / "docs" / "images"
_GAME = "play --level beginner --agent csp --seed 3 --json > game.json"
DRAWN = {
    "film.svg": ["play --level beginner --agent champion --seed 18 --svg ."],
    "odds.svg": ["analyse position.txt --svg odds.svg"],
    "influence.svg": [_GAME, "influence game.json --svg influence.svg"],
    "influence-cell.svg": [
        _GAME,
        "influence game.json --smallest --cell 8,8 --svg influence-cell.svg",
    ],
    "generation/proof.svg": [
        "generate --rows 9 --cols 9 --mines 14 --opening clear --start 4,4 --needs gauss --seed 1 "
        "--format id --out board.txt",
        "grade board.txt --svg proof.svg",
    ],
    "proofs/glance.svg": ['explain "3x5 ?????/s121s/00000" --cell 0,2 --svg glance.svg'],
    "proofs/cases.svg": [
        'explain "5x5/5 ??21?/2??1?/2?211/?????/?11??" --cell 4,0 --svg cases.svg'
    ],
    "proofs/chain.svg": ["explain chain.txt --cell 0,5 --svg chain.svg"],
    "proofs/open.svg": ['explain "3x5/3 ?????/?12??/?????" --cell 0,0 --svg open.svg'],
}
"""By file, the commands that draw it, in a folder with the positions that lie next to it."""


def draw(name: str) -> str:
    """Return the picture as the program draws it now."""
    with tempfile.TemporaryDirectory() as folder:
        for position in (IMAGES / name).parent.glob("*.txt"):
            shutil.copy(position, folder)
        for command in DRAWN[name]:
            words, _, output = command.partition(" > ")
            program = str(ROOT / ".venv" / "bin" / "mineproof")
            done = subprocess.run(
                [program, *shlex.split(words)], cwd=folder, capture_output=True, check=True
            )
            if output:
                Path(folder, output).write_bytes(done.stdout)
        drawn = Path(folder, Path(name).name)
        return (drawn if drawn.exists() else drawn.with_name("game.svg")).read_text("utf-8")


if __name__ == "__main__":
    for name in DRAWN:
        new = draw(name)
        if new != (IMAGES / name).read_text("utf-8"):
            (IMAGES / name).write_text(new, encoding="utf-8")
            print(f"{name}: drawn again")
