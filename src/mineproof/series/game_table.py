"""Finished games as a table with one read-only array per column, and its construction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from mineproof.extras import need
from mineproof.printable import printable
from mineproof.series.columns import (
    GAMES,
    KERNEL_ONLY,
    KEYS,
    PROVED,
    RULE_OF,
    Array,
    Arrays,
    column_of_rule,
)

if TYPE_CHECKING:
    from mineproof.games.record import Record
    from mineproof.world.rules import Rules

_KNOWN = {column.name: column for column in (*KEYS, *GAMES)}


@dataclass(frozen=True, eq=False, repr=False)
class GameTable:
    """A table of games, one array per column (see `columns`), such as `games["won"]`.

    `agents` are the names that the column `agent` indexes. In addition to the listed columns,
    there is one per rule of the user's own agents that deduced a move.
    """

    agents: tuple[str, ...]
    columns: Arrays

    def __post_init__(self) -> None:
        columns = {name: self.columns[name] for name in _KNOWN}
        columns |= {name: it for name, it in self.columns.items() if name not in _KNOWN}
        for array in columns.values():
            array.flags.writeable = False
        object.__setattr__(self, "columns", MappingProxyType(columns))

    def __len__(self) -> int:
        return len(self.columns["board"])

    def __getitem__(self, name: str) -> Array:
        return self.columns[name]

    def __repr__(self) -> str:
        return f"Games({len(self)} of {', '.join(map(printable, self.agents))})"

    def __reduce__(self) -> tuple[type[GameTable], tuple[object, ...]]:
        return GameTable, (self.agents, dict(self.columns))

    @property
    def measured(self) -> Arrays:
        """The measured columns, without those that identify the games."""
        names = {column.name for column in KEYS}
        return {name: it for name, it in self.columns.items() if name not in names}

    @property
    def proved(self) -> dict[str, Array]:
        """The number of moves that each rule deduced, by rule."""
        found = ((name, it) for name, it in self.columns.items() if name.startswith(PROVED))
        by_rule = {RULE_OF.get(name, name.removeprefix(PROVED)): it for name, it in found}
        return dict(sorted(by_rule.items()))

    def of(self, agent: str) -> GameTable:
        """Return the games of one agent."""
        if self.agents == (agent,):
            return self
        mine = self["agent"] == self.agents.index(agent)
        columns = {name: array[mine] for name, array in self.columns.items()}
        return GameTable((agent,), columns | {"agent": np.zeros(int(mine.sum()), np.int16)})

    def part(self, first: int, last: int) -> GameTable:
        """Return rows `first` to `last - 1`."""
        if (first, last) == (0, len(self)):
            return self
        return GameTable(self.agents, {name: it[first:last] for name, it in self.columns.items()})

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield one dictionary per game: agents by name, None for unknown values."""
        lists = [plain(column) for column in self.columns.values()]
        for values in zip(*lists, strict=True):
            row = dict(zip(self.columns, values, strict=True))
            yield row | {"agent": self.agents[row["agent"]]}

    def to_pandas(self) -> Any:
        """Return a `pandas.DataFrame`: agents by name, NaN for unknown values."""
        pandas = need("pandas", "tables")
        names = pandas.Categorical.from_codes(self["agent"], list(self.agents))
        return pandas.DataFrame(dict(self.columns) | {"agent": names})

    def to_arrow(self) -> Any:
        """Return a `pyarrow.Table`: agents by name, null for unknown values."""
        arrow = need("pyarrow", "tables")
        columns = {name: arrow.array(it, from_pandas=True) for name, it in self.columns.items()}
        columns["agent"] = arrow.DictionaryArray.from_arrays(self["agent"], list(self.agents))
        return arrow.table(columns)

    @classmethod
    def from_kernel(cls, agent: str, first: int, arrays: Arrays, rules: Rules) -> GameTable:
        """Return the games of one agent, from number `first` on, as the kernel filled them in."""
        n = len(arrays["seed"])
        columns: dict[str, Array] = {
            "board": np.arange(first, first + n),
            "agent": np.zeros(n, np.int16),
            **{name: it for name, it in arrays.items() if name not in KERNEL_ONLY},
        }
        for column in GAMES:
            if column.derive is not None:
                columns[column.name] = column.derive(arrays, rules)
        return cls((agent,), columns)

    @classmethod
    def joined(cls, agents: tuple[str, ...], parts: Sequence[GameTable]) -> GameTable:
        """Return the concatenation of these tables, all of which have these agents."""
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return cls(agents, {name: np.zeros(0, it.dtype) for name, it in _KNOWN.items()})
        names = dict.fromkeys(name for part in parts for name in part.columns)
        columns = {name: np.concatenate([_array(part, name) for part in parts]) for name in names}
        return cls(agents, columns)

    @classmethod
    def by_board(cls, parts: Sequence[GameTable]) -> GameTable:
        """Merge the games of several agents on the same boards: by board, then by agent."""
        if len(parts) == 1:
            return parts[0]
        names = dict.fromkeys(name for part in parts for name in part.columns)
        columns = {
            name: np.stack([_array(part, name) for part in parts], axis=1).ravel() for name in names
        }
        boards = len(parts[0])
        columns["agent"] = np.tile(np.arange(len(parts), dtype=np.int16), boards)
        return cls(tuple(part.agents[0] for part in parts), columns)


def plain(array: Array) -> list[Any]:
    """Return the values as Python objects; None for unknown ones."""
    values: list[Any] = array.tolist()
    if array.dtype.kind == "f" and np.isnan(array).any():
        return [None if value != value else value for value in values]  # noqa: PLR0124
    return values


def _array(games: GameTable, name: str) -> Array:
    """Return a column; zeros if its rule deduced no move."""
    found = games.columns.get(name)
    return np.zeros(len(games), np.int32) if found is None else found


class GameTableBuilder:
    """Builds the table of one agent's games from their records."""

    def __init__(self, agent: str) -> None:
        self._agent = agent
        self._rows: list[dict[str, Any]] = []

    def append(self, board: int, seed: int, record: Record, cpu_seconds: float) -> None:
        """Add a game."""
        row: dict[str, Any] = {"board": board, "seed": seed, "cpu_seconds": cpu_seconds}
        for column in GAMES:
            if column.read is not None:
                row[column.name] = column.read(record)
        row |= {column_of_rule(rule): n for rule, n in record.deductions.items()}
        self._rows.append(row)

    def games(self) -> GameTable:
        """Return the table."""
        names = dict.fromkeys((*_KNOWN, *(name for row in self._rows for name in row)))
        return GameTable((self._agent,), {name: self._column(name) for name in names})

    def _column(self, name: str) -> Array:
        dtype = _KNOWN[name].dtype if name in _KNOWN else "i4"
        unknown = np.nan if dtype == "f8" else 0
        values = (row.get(name, 0) for row in self._rows)
        return np.array([unknown if value is None else value for value in values], dtype)


def kernel_columns(n: int) -> dict[str, Array]:
    """Return empty columns for the kernel to fill in, with room for `n` games."""
    names = (
        {"seed": "u8"} | KERNEL_ONLY | {one.name: one.dtype for one in GAMES if one.derive is None}
    )
    return {name: np.zeros(n, dtype) for name, dtype in names.items()}
