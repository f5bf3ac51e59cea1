"""The studies that come with mineproof, as TOML files in this folder."""

from __future__ import annotations

from importlib.resources import files

from mineproof.arguments import of_type
from mineproof.errors import unknown_name
from mineproof.studies.spec import Study

_HERE = files("mineproof.studies.catalogue")


def names() -> list[str]:
    """Return the names of all studies."""
    return sorted(
        entry.name.removesuffix(".toml")
        for entry in _HERE.iterdir()
        if entry.name.endswith(".toml")
    )


def get(name: str) -> Study:
    """Return the study with this name."""
    of_type(name, str, "a study's name")
    if name not in names():
        raise unknown_name("study", name, names())
    return Study.from_text(name, (_HERE / f"{name}.toml").read_text(encoding="utf-8"))
