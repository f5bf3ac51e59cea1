"""The definition of a study in TOML or Python: a grid of games, a question and plots."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import structs

from mineproof.arguments import file_path, of_type
from mineproof.errors import FormatError, check_integer, shorten
from mineproof.formats.input_files import read_text
from mineproof.messages.study_files import QUICK_GAMES, StudyFile
from mineproof.studies.grid import Point, points
from mineproof.studies.spec_fields import read_fields

_PLAIN = ("title", "question", "source", "about", "games", "seed")


class Study(StudyFile, frozen=True, kw_only=True):
    """A study: a grid of games with a name, a question and plots.

    Create it with `from_toml` or `from_dict`, which check it; `to_json` returns what
    `from_dict` accepts.
    """

    name: str

    @classmethod
    def from_toml(cls, path: str | Path) -> Study:
        """Read a study from a TOML file; it is named after the file."""
        return cls.from_text(file_path(path).stem, read_text(path))

    @classmethod
    def from_text(cls, name: str, text: str) -> Study:
        """Read a study from TOML text."""
        of_type(name, str, "a study's name")
        of_type(text, str, "text")
        try:
            found = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            words = {
                RecursionError: "it is nested too deeply",
                ValueError: "a number in it has too many digits",  # thousands
            }
            what = words.get(type(error), error)
            raise FormatError(f"study {shorten(name)!r} is not valid TOML: {what}") from None
        return cls.from_dict(name, found)

    @classmethod
    def from_dict(cls, name: str, data: Mapping[str, Any]) -> Study:
        """Make a study from the keys of a TOML file, and check it."""
        return cls(name=name, **structs.asdict(read_fields(name, data)))

    def to_json(self) -> dict[str, Any]:
        """Return the study as JSON data, with all defaults."""
        return {
            **{key: getattr(self, key) for key in _PLAIN},
            **({"findings": list(self.findings)} if self.findings else {}),
            **({} if self.quick_games == QUICK_GAMES else {"quick_games": self.quick_games}),
            "block": [_listed(structs.asdict(block)) for block in self.blocks],
            "plot": [_listed(structs.asdict(plot)) for plot in self.plots],
        }

    def points(self) -> tuple[Point, ...]:
        """Return all points, one per agent and setting, in a fixed order."""
        every = (point for block in self.blocks for point in points(block, self.games))
        return tuple(point._replace(index=index) for index, point in enumerate(every))

    def with_games(self, games: int) -> Study:
        """Return the same study with this number of games at every point."""
        blocks = tuple(structs.replace(block, games=None) for block in self.blocks)
        return structs.replace(
            self, games=check_integer(games, "games per point", 1, 10**9), blocks=blocks
        )

    def quick(self) -> Study:
        """Return the study with fewer games per point; costly blocks may be left out."""
        blocks = tuple(
            structs.replace(block, games=min(block.games or self.games, most), quick_games=None)
            for block in self.blocks
            if (most := self.quick_games if block.quick_games is None else block.quick_games)
        )
        return structs.replace(self, blocks=blocks)


def _listed(fields: dict[str, Any]) -> dict[str, Any]:
    """Convert tuples to lists for JSON, and leave out keys without a value."""
    return {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in fields.items()
        if value is not None
    }
