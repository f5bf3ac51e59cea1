"""Games as CSV."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mineproof.series.columns import GAMES, KEYS, PROVED, Column
from mineproof.series.game_table import GameTable, plain

_COLUMNS = tuple(one for one in (*KEYS, *GAMES) if not one.name.startswith(PROVED))
_PROVED = "deductions"
"""The column with the number of moves that each rule deduced: `local:12 subset:3`."""


def csv_head(salt: str | None = None) -> list[str]:
    """Return the names of the columns; the last one is the salt, if the games were sealed."""
    return [*(column.name for column in _COLUMNS), _PROVED, *([] if salt is None else ["salt"])]


def csv_lines(games: GameTable, salt: str | None = None) -> Iterator[tuple[Any, ...]]:
    """Yield one line per game, in the order of the table."""
    columns = [_written(column, games) for column in _COLUMNS]
    salts = [] if salt is None else [[salt] * len(games)]
    return zip(*columns, _deductions(games), *salts, strict=True)


def _written(column: Column, games: GameTable) -> list[Any]:
    if column.name == "agent":
        return [games.agents[place] for place in games["agent"]]
    values = plain(games[column.name])
    if column.unit == "seconds":
        return [f"{value:.6f}" for value in values]
    return [int(value) for value in values] if column.dtype == "?" else values


def _deductions(games: GameTable) -> Iterator[str]:
    proved = {rule: moves.tolist() for rule, moves in games.proved.items() if moves.any()}
    for place in range(len(games)):
        found = ((rule, moves[place]) for rule, moves in proved.items())
        yield " ".join(f"{rule}:{n}" for rule, n in found if n)
