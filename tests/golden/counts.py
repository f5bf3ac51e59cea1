"""Recount the golden positions: `python -m tests.golden.counts`.

A changed number is a bug, unless the position was changed.
"""

from __future__ import annotations

import json
from pathlib import Path

import mineproof as mp
from mineproof.reasoning.counting import arrangements
from mineproof.reasoning.evidence import gather

COUNTS = Path(__file__).parent / "counts.json"


def count(golden: dict[str, str]) -> int:
    """The number of configurations consistent with a golden position."""
    view, clues = mp.View.from_text(golden["view"]), mp.clues.parse(golden["clues"])
    return arrangements(gather(view, clues))


if __name__ == "__main__":
    positions = json.loads(COUNTS.read_text())
    for golden in positions:
        golden["arrangements"] = str(count(golden))
    COUNTS.write_text(json.dumps(positions, indent=2) + "\n")
