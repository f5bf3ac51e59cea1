"""The map in CONTRIBUTING.md names exactly the folders and top-level modules that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAP = (ROOT / "CONTRIBUTING.md").read_text().split("## Where things are")[1].split("\n## ")[0]
BASES = {"src/mineproof/": ROOT / "src" / "mineproof", "native/": ROOT / "native"}


def rows(base: str) -> list[str]:
    """The rows of a table: those after the heading that names its folder."""
    table = MAP.split(f"| in `{base}` |")[1].split("\n\n")[0]
    return table.splitlines()[2:]


def folders(base: Path) -> set[str]:
    found = (path for path in base.rglob("*") if path.is_dir() and path.name != "__pycache__")
    return {f"{path.relative_to(base).as_posix()}/" for path in found if any(path.iterdir())}


@pytest.mark.parametrize("base", BASES)
def test_every_folder_and_every_top_level_module_has_a_row(base: str) -> None:
    first = [re.findall(r"`([^`]+)`", row.split("|")[1]) for row in rows(base)]
    named = [name for names in first for name in names]
    assert len(set(named)) == len(named)
    top = {path.name for path in BASES[base].glob("*.py")}
    assert set(named) == top | folders(BASES[base])


def test_the_modules_of_a_row_are_in_its_folder() -> None:
    for row in rows("src/mineproof/"):
        _, where, *about = row.split("|")
        home = BASES["src/mineproof/"] / re.findall(r"`([^`]+)`", where)[0]
        for name in re.findall(r"`(\w+\.py)`", "".join(about)):
            assert (home / name).is_file(), f"{name} is not in {home}"


def test_every_module_of_the_library_is_described() -> None:
    """Except private modules, and folders whose row describes all modules together."""
    for folder in ("world", "formats", "render", "reasoning", "agents", "agents/guessers", "games"):
        row = next(row for row in rows("src/mineproof/") if row.startswith(f"| `{folder}/`"))
        for path in (BASES["src/mineproof/"] / folder).glob("[!_]*.py"):
            assert f"`{path.name}`" in row, f"{folder}/{path.name} is not on the map"
