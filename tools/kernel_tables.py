"""Write the tables by which the page's worker and the kernel understand each other (`make docs`).

They exchange rows of numbers. What a number stands for is read here from the compiled engine, so it
is not typed a second time in JavaScript.
"""

from __future__ import annotations

import json
from typing import Any

from mineproof import _engine
from mineproof.agents.champion import BUDGETS
from mineproof.agents.table import RECIPES
from mineproof.boards.generation import MOVES, REPAIRS, TRIES
from mineproof.errors import MineproofError
from mineproof.reasoning.proofs.statements import Kind, What
from mineproof.web.app import STATIC
from mineproof.world.clues import Exact
from mineproof.world.view import FLAGGED, write_state

TABLES = STATIC / "kernel" / "tables.json"
_NONE = -1


def tables() -> str:
    """Return the content of `tables.json`, one line per table or agent."""
    if not _engine.is_native():
        raise MineproofError("the tables of the kernel need the compiled engine")
    native = _engine.native
    parts: dict[str, Any] = {
        "symbols": "".join(map(write_state, range(FLAGGED + 1))),
        "actions": [*map(_engine.text_of, native.Action)],
        "rules": [*map(_engine.text_of, native.Rule)],
        "methods": [*map(_engine.text_of, native.Method)],
        "outcomes": [one.name for one in native.Outcome],
        "guessers": [one.name for one in native.Guesser],
        "steps": [kind.name.lower() for kind in Kind],
        "lines": [what.name.lower() for what in What],
        "search": {"deals": TRIES, "repairs": REPAIRS, "moves": MOVES},
        "budgets": {name: [*budget] for name, budget in BUDGETS.items()},
        "agents": {name: _row(recipe.twin) for name, recipe in RECIPES.items() if _plays(recipe)},
    }
    lines = ",\n".join(f'  "{name}": {_written(part)}' for name, part in parts.items())
    return f"{{\n{lines}\n}}\n"


def _plays(recipe: Any) -> bool:
    return _engine.compiles(recipe, Exact())


def _row(twin: Any) -> list[int]:
    """Return how an agent plays: local rules, pairs, what is beyond, guesser, first cell or -1."""
    native = _engine.native
    beyond, guesser = native.Beyond[twin.beyond].value, native.Guesser[twin.guesser].value
    if twin.start not in {None, (0, 0)}:
        raise MineproofError("a first cell must be (0,0) to be an index on every board")
    return [int(twin.local), int(twin.pairs), beyond, guesser, _NONE if twin.start is None else 0]


def _written(part: Any) -> str:
    if not isinstance(part, dict):
        return json.dumps(part)
    inner = ",\n".join(f'    "{name}": {json.dumps(one)}' for name, one in part.items())
    return f"{{\n{inner}\n  }}"


if __name__ == "__main__":
    if not TABLES.exists() or TABLES.read_text(encoding="utf-8") != tables():
        TABLES.write_text(tables(), encoding="utf-8")
        print("wrote tables.json")
