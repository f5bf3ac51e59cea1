"""Valid files and the commands that read them, from which the hazards make damaged ones."""

from __future__ import annotations

import json
from functools import cache
from typing import NamedTuple

from tools.chaos.harness import run

STUDY = """title = "Small"
games = 2
seed = 3

[[block]]
agents = ["baseline", "csp"]
boards = ["4x4/3", "5x5/0.2"]
on_mine = ["end", "continue"]
opening = "safe"
clues = ["exact", "sometimes:0.5"]

[[plot]]
y = "win"
x = "density"
"""
TABLE = (
    "["
    + ",".join(
        "[" + ",".join("0.9" if clue == count else "0.0125" for clue in range(9)) + "]"
        for count in range(9)
    )
    + "]"
)
_GAME = "play --rows 5 --cols 5 --mines 5 --seed 2 --agent csp --json"
VIDEO = """RawVF_Version: Rev6
Player: Ann
Width: 5
Height: 3
Mines: 2
Marks: On
Board:
0*000
00000
0000*
Events:
0.10 mv 3 1 (40 10)
0.50 lc 3 1 (40 10)
0.55 lr 3 1 (40 10)
0.90 rc 2 1 (20 10)
0.95 rr 2 1 (20 10)
1.20 mc 3 1 (40 10)
1.25 mr 3 1 (40 10)
2.00 lc 1 1 (3 3)
2.05 lr 1 1 (3 3)
2.50 lc 1 3 (3 40)
2.55 lr 1 3 (3 40)
"""


class Sample(NamedTuple):
    """A file and the commands that read it; `{}` is its path, `{out}` a path for output."""

    name: str
    content: bytes
    commands: tuple[str, ...]


@cache
def samples() -> list[Sample]:
    """A valid file of every kind."""
    view = b"4x4/4 01?1/12?1/??32/????"
    board = made("generate --rows 5 --cols 5 --mines 5 --seed 1 --count 2")
    reads = ("analyse {}", "analyse {} --json", "explain {}", "explain {} --json", "reasoners {}")
    return [
        Sample("view.txt", view, (*reads, "analyse {} --agent exact", "explain {} --cell 0,2")),
        Sample("lines.txt", b"3x5/3\n?????\n?12??\n?????\n", (*reads, "analyse - < {}")),
        Sample(
            "typed.txt",
            b"1\nwhy 1,1\nboard\n2,2 1\nflag 0,0\nundo\nmine\nhelp\n0\nq\n",
            ("assist --rows 4 --cols 4 --mines 3 < {}", "assist --level beginner --json < {}"),
        ),
        Sample(
            "messages.txt",
            b'{"do": "new", "deal": {"rows": 4, "cols": 4, "mines": 3}}\n{"do": "go"}\n'
            b'{"do": "tell", "shows": [[null, 1]]}\n{"do": "odds", "zeros": true, "id": 3}\n'
            b'{"do": "explain", "view": "3x5/3 ?????/?12??/?????"}\n{"do": "undo"}\n'
            b'{"do": "position", "events": [[0, 0, "1"]]}\n{"do": "stop"}\n{"do": "quit"}\n',
            ("engine < {}", "assist --level beginner --json < {}"),
        ),
        Sample(
            "board.txt",
            board,
            ("play --board {} --plain --delay 0", "play --board {} --json", "grade {}"),
        ),
        Sample(
            "boards.json",
            made("generate --rows 5 --cols 5 --mines 5 --seed 1 --count 2 --json"),
            ("play --board {} --plain --index 2 --delay 0",),
        ),
        Sample(
            "corpus.txt",
            made("generate --rows 5 --cols 5 --mines 5 --seed 1 --count 3 --format corpus"),
            (
                "arena --boards {} --agents baseline,exact --workers 1",
                "arena --boards {} --agents random --games 2 --workers 2 --json",
                "play --board {} --plain --delay 0",
            ),
        ),
        Sample(
            "game.json",
            made(_GAME),
            (
                "influence {}",
                "influence {} --graphml {out}/x.xml",
                "influence {} --svg {out}/x.svg --clues",
                "review {} --svg {out}/c.svg",
                "review {} --no-win --json",
                "replay {} --save {out}/x.rawvf",
                "replay {} --json --png {out}/x.png --at 2",
                "play --board {} --plain --delay 0",
            ),
        ),
        Sample(
            "games.jsonl",
            2 * (json.dumps(json.loads(made(_GAME))) + "\n").encode(),
            ("replay {} --index 2", "review {} --no-win"),
        ),
        Sample(
            "game.rawvf",
            VIDEO.encode(),
            (
                "replay {}",
                "review {} --no-win",
                "replay {} --json --save {out}/x.jsonl",
                "grade {}",
            ),
        ),
        Sample(
            "links.txt",
            made("generate --rows 5 --cols 5 --mines 5 --seed 1 --count 2 --format link"),
            ("grade {}", "play --board {} --json", "arena --boards {} --agents exact --workers 1"),
        ),
        Sample(
            "board.mbf",
            bytes((5, 4, 0, 3, 1, 0, 2, 3, 4, 1)),
            ("grade {}", "play --board {} --json", "arena --boards {} --agents exact --workers 1"),
        ),
        Sample(
            "study.toml",
            STUDY.encode(),
            (
                "study run {} --quick --workers 1 --out {out}",
                "study run {} --games 1 --workers 2 --fresh --json --out {out}",
            ),
        ),
        Sample(
            "table.json",
            TABLE.encode(),
            (
                "play --clues table:{} --plain --rows 4 --cols 4 --mines 3 --delay 0",
                "arena --clues table:{} --rows 4 --cols 4 --mines 3 --games 4 --workers 1",
                "assist --clues table:{} --rows 4 --cols 4 --mines 3",
            ),
        ),
    ]


WORDS = (
    "watch --seed 1 --rows 4 --cols 5 --mines 3 --start 0,0 --delay 0 --plain",
    "play --seed 1 --rows 4 --cols 5 --density 0.2 --svg {out}/svg --svg-every 3 --log {out}/log",
    "assist --rows 4 --cols 4 --mines 3 --clues exact",
    "analyse 2x3/2_???/121 --top 2 --clues exact --svg {out}/a.svg",
    "explain 2x3/2_???/121 --cell 0,0 --budget 100 --svg {out}/e.svg",
    "reasoners 2x3/2_???/121 --mines 2",
    "generate --rows 4 --cols 4 --mines 3 --format png --out {out}/board.png",
    "arena --agents random,csp --rows 4 --cols 4 --mines 2 --games 6 --workers 1 --seed 5",
    "arena --agents gauss:impute=true --clues sometimes:0.5 --games 2 --per-game {out}/a.csv",
    "agents csp --json",
    "examples report002-corner",
    "demo --seed 31",
    "reports 003 --json",
    "check-agent random --games 3 --seed 1",
    "solve 2 3 1 --memory 100 --opening safe",
    "generate --rows 4 --cols 4 --mines 3 --count 2 --start 1,1 --out {out}/boards",
    "study list levels --json",
    "completion bash",
)
"""Command lines whose words are mutated; `_` is a blank."""


def made(line: str) -> bytes:
    """The output of a command."""
    answer = run(line.split())
    assert answer.code == 0, answer
    return answer.out.encode()


def split(line: str, **places: object) -> list[str]:
    """The arguments of a command line."""
    return [
        word.format(**places).replace("_", " ") if "/2_" in word else word.format(**places)
        for word in line.split()
    ]
