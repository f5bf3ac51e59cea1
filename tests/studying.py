"""Small studies, their rows without times so that they can be compared, and how to forge them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb

from mineproof.studies import Study, open_folder
from mineproof.studies.parquet import UNSEALED, sealed

SMALL: dict[str, Any] = {
    "games": 3,
    "block": [{"agents": ["baseline", "random"], "boards": ["5x5/4", "4x4/2"]}],
}
TINY: dict[str, Any] = {
    "title": "Tiny",
    "games": 40,
    "seed": 7,
    "block": [
        {
            "agents": ["baseline", "one-two"],
            "boards": ["9x9/10", "8x8/0.2"],
            "on_mine": ["end", "continue"],
            "opening": "any",
        },
        {"agents": "exact", "boards": "5x5/0.2", "independent": True, "opening": "safe"},
    ],
    "plot": [{"y": "win", "x": "density", "panels": ["size"]}],
}
STEADY = """
games = 1000
[[block]]
agents = ["one-two", "baseline"]
boards = ["9x9/10"]
opening = "safe"
"""
"""Some seconds of work in many chunks."""


TIMES = ("_seconds", "_per_cpu_second")


def tiny() -> Study:
    return Study.from_dict("tiny", TINY)


def small() -> Study:
    return Study.from_dict("small", SMALL)


def edit_manifest(folder: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    """Change the manifest in place."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    edit(manifest)
    path.write_text(json.dumps(manifest))


def forge(folder: Path, name: str, query: str) -> None:
    """Replace a chunk with the result of a query on it (`{}`), with a valid checksum."""
    path = folder / "chunks" / name
    other = path.with_name("other")
    duckdb.sql(
        f"COPY ({query.replace('{}', repr(str(path)))}) TO '{other}' "
        f"(FORMAT parquet, KV_METADATA {{mineproof: '{UNSEALED}'}})"
    )
    run = open_folder(folder).manifest.fingerprint
    path.write_bytes(sealed(other.read_bytes(), run, name))
    other.unlink()


def rows(path: Path) -> list[tuple[Any, ...]]:
    """All rows of a study's folder, in order, without the columns of times."""
    chunks = [str(chunk) for chunk in open_folder(path).chunks()]
    query = f"FROM read_parquet({chunks}, union_by_name = true) ORDER BY point, game"
    with duckdb.connect() as database:
        found = database.execute(query)
        names = [column[0] for column in found.description or ()]
        kept = [i for i, name in enumerate(names) if not name.endswith(TIMES)]
        return [tuple(row[i] for i in kept) for row in found.fetchall()]
