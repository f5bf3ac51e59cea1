"""Write the tables that Python, the kernel and the web app share (part of `make docs`).

The kernel gets the fields of a budget from Python. The web app's worker and the kernel exchange
rows of numbers; their meanings are read from the compiled engine, so JavaScript need not repeat
them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mineproof import _engine
from mineproof.agents.budget import BUDGETS, LIMITS, Limits
from mineproof.agents.builtin import RECIPES
from mineproof.agents.champion import CONFIDENT, FEW, MOST_TREE_CELLS
from mineproof.boards.generation import MOVES, REPAIRS, TRIES
from mineproof.errors import MineproofError
from mineproof.games.analysis import BUDGET, GAMES, LARGE, QUICK
from mineproof.reasoning.posterior import BUDGET as BUDGET_OF_STATES
from mineproof.reasoning.posterior import MOVE_BUDGET
from mineproof.reasoning.proofs import PROOF_BUDGET
from mineproof.web.app import STATIC
from mineproof.web.limits import CELLS
from mineproof.world.clues import MODELS, Exact
from mineproof.world.geometry import MAX_SIDE
from mineproof.world.view import FLAGGED, write_state

FIELDS = Path(__file__).parents[1] / "native" / "include" / "mineproof" / "budget.def"
TABLES = STATIC / "kernel" / "tables.json"
_TYPES = {bool: "bool", int: "std::int32_t", float: "double"}


def budget() -> str:
    """Return the content of `budget.def`, one line per field."""
    fields = " \\\n".join(_field(name, limits) for name, limits in LIMITS.items())
    return (
        "// The fields of a Budget: type, name, default, least, most. Written by\n"
        "// tools/kernel_tables.py from src/mineproof/agents/budget.py.\n"
        f"#define BUDGET_FIELDS(FIELD) \\\n{fields}\n"
    )


def _field(name: str, limits: Limits) -> str:
    kind = "std::int64_t" if limits.most >= 2**31 else _TYPES[limits.kind]
    values = (getattr(BUDGETS["fast"], name), limits.least, limits.most)
    usual = ", ".join(map(json.dumps, values))
    return f"  /* {limits.about} */ \\\n  FIELD({kind}, {name}, {usual})"


def tables() -> str:
    """Return the content of `tables.json`, one line per table or agent."""
    if not _engine.is_native():
        raise MineproofError("the tables of the kernel need the compiled engine")
    native = _engine.native
    parts: dict[str, Any] = {
        "symbols": "".join(map(write_state, range(FLAGGED + 1))),
        "states": {one.name: one.value for one in native.State},
        "actions": [*map(_engine.text_of, native.Action)],
        "rules": [*map(_engine.text_of, native.Rule)],
        "methods": [*map(_engine.text_of, native.Method)],
        "outcomes": _names(native.Outcome),
        "verdicts": _names(native.Verdict),
        "faults": _names(native.Fault),
        "beyond": _names(native.AdvancedRule),
        "guessers": _names(native.Guesser),
        "openings": _names(native.Opening),
        "luck": _names(native.Luck),
        "reasoning": _names(native.Reasoning),
        "steps": _names(native.Inference.Kind),
        "lines": _names(native.Line.What),
        "clues": [*MODELS],
        "longest_side": MAX_SIDE,
        "most_cells": CELLS,
        "confident": CONFIDENT,
        "proof_budget": PROOF_BUDGET,
        "count_budgets": {"position": BUDGET_OF_STATES, "move": MOVE_BUDGET},
        "most_tree_cells": MOST_TREE_CELLS,
        "few_mines": FEW,
        "playouts": {"win": GAMES, "opinion": BUDGET, "quick": QUICK, "most_cells": LARGE},
        "search": {"deals": TRIES, "repairs": REPAIRS, "moves": MOVES},
        "budgets": {name: one._asdict() for name, one in BUDGETS.items()},
        "agents": {name: _row(recipe.twin) for name, recipe in RECIPES.items() if _plays(recipe)},
    }
    lines = ",\n".join(f'  "{name}": {_written(part)}' for name, part in parts.items())
    return f"{{\n{lines}\n}}\n"


def _names(enum: Any) -> list[str]:
    return [one.name for one in enum]


def _plays(recipe: Any) -> bool:
    """Return whether the page plays an agent itself; it has no reasons for shares."""
    return _engine.compiles(recipe, Exact()) and recipe.twin.shares is None


def _row(twin: Any) -> dict[str, Any]:
    """Return how an agent plays; its first cell is an index, or null."""
    if twin.start not in {None, (0, 0)}:
        raise MineproofError("a first cell must be (0,0) to be an index on every board")
    first = None if twin.start is None else 0
    return {
        "local": twin.local,
        "pairs": twin.pairs,
        "beyond": twin.beyond,
        "guesser": twin.guesser,
        "first": first,
    }


def _written(part: Any) -> str:
    if not isinstance(part, dict) or not any(isinstance(one, dict) for one in part.values()):
        return json.dumps(part)
    inner = ",\n".join(f'    "{name}": {json.dumps(one)}' for name, one in part.items())
    return f"{{\n{inner}\n  }}"


def _write(path: Path, text: str) -> None:
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.name}")


if __name__ == "__main__":
    _write(FIELDS, budget())
    _write(TABLES, tables())
