"""Read a study from TOML or a dictionary; every key and name is checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from mineproof.agents import named
from mineproof.errors import InvalidInput, MineproofError, shorten, unknown_name, whole
from mineproof.studies import tasks
from mineproof.studies.grid import COLUMNS, Block, Plot, Point, read_board
from mineproof.world import clues
from mineproof.world.board import OPENINGS
from mineproof.world.chance import check_seed
from mineproof.world.geometry import Cell
from mineproof.world.rules import ON_MINE

TEXTS = ("title", "question", "source", "about")
FINDINGS = ("growth", "hardness")
"""Optional findings of a study: how time grows with the board (growth), and at which density games
become hard by each report's definition (hardness)."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_BLOCK = tuple(Block.__dataclass_fields__)
_PLOT = tuple(Plot.__dataclass_fields__)


def read_fields(name: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a study (without its name) after checking them together."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidInput(
            f"a study's name may contain only letters, digits, '-', '_' and '.', "
            f"got {shorten(repr(name))}"
        )
    with _at(f"study {name!r}"):
        found = _fields(data)
        _check_points(found["blocks"])
    return found


def _fields(data: Mapping[str, Any]) -> dict[str, Any]:
    """Check each field separately."""
    data = _table(data, (*TEXTS, "games", "quick_games", "seed", "findings", "block", "plot"))
    found: dict[str, Any] = {key: _text(key, data[key]) for key in TEXTS if key in data}
    checks = {
        "games": check_games,
        "quick_games": check_games,
        "seed": check_seed,
        "findings": _findings,
    }
    for key, check in checks.items():
        if key in data:
            with _at(f"key {key!r}"):
                found[key] = check(data[key])
    found["blocks"] = tuple(_read_each(data, "block", _read_block))
    if not found["blocks"]:
        raise InvalidInput("a study needs at least one [[block]]")
    if all(block.quick_games == 0 for block in found["blocks"]):
        raise InvalidInput("a quick run needs at least one [[block]] whose 'quick_games' is not 0")
    found["plots"] = tuple(_read_each(data, "plot", _read_plot))
    known = sorted({name for block in found["blocks"] for name in tasks.find(block.task).measures})
    for number, plot in enumerate(found["plots"], 1):
        with _at(f"plot {number}: key 'y'"):
            if plot.y not in known:
                raise unknown_name("measure", plot.y, known)
    return found


def _read_each(data: Mapping[str, Any], key: str, read: Any) -> Iterator[Any]:
    tables = data.get(key, [])
    if not isinstance(tables, (list, tuple)):
        raise InvalidInput(f"key {key!r}: expected [[{key}]] tables, got {shorten(repr(tables))}")
    for number, table in enumerate(tables, 1):
        with _at(f"{key} {number}"):
            yield read(table)


def _read_block(data: Mapping[str, Any]) -> Block:
    data = _table(data, _BLOCK)
    for key in ("agents", "boards"):
        if key not in data:
            raise InvalidInput(f"key {key!r} is missing")
    found: dict[str, Any] = {}
    for key, value in data.items():
        with _at(f"key {key!r}"):
            found[key] = _BLOCK_KEYS[key](value)
    block = Block(**found)
    with _at("key 'boards'"):
        for board in block.boards:
            read_board(board, independent=block.independent)
    return block


def _read_plot(data: Mapping[str, Any]) -> Plot:
    data = _table(data, _PLOT)
    for key in ("y", "x"):
        if key not in data:
            raise InvalidInput(f"key {key!r} is missing")
    found: dict[str, Any] = {key: _text(key, data[key]) for key in ("y", "title") if key in data}
    for key in ("x", "lines", "panels"):
        if key in data:
            with _at(f"key {key!r}"):
                columns = _several(data[key], _column, some=False)
                found[key] = columns[0] if key == "x" and len(columns) == 1 else columns
    if not isinstance(found["x"], str):
        raise InvalidInput(f"key 'x': expected one column, got {shorten(repr(data['x']))}")
    return Plot(**found)


def _check_points(blocks: Sequence[Block]) -> None:
    """Refuse points that cannot be played or occur twice."""
    seen: dict[Point, int] = {}
    for number, block in enumerate(blocks, 1):
        with _at(f"block {number}"):
            for point in block.points(games=1):
                point.deal.check(point.opening, point.start)
                key = point._replace(games=0)
                if key in seen:
                    raise InvalidInput(
                        f"{point.agent!r} on {point.board!r} with the same rules and clues is "
                        f"already in block {seen[key]}"
                    )
                seen[key] = number


@contextmanager
def _at(where: str) -> Iterator[None]:
    """Prefix the messages of errors with where they occurred."""
    try:
        yield
    except MineproofError as error:
        error.args = (f"{where}: {error}", *error.args[1:])
        raise


def _table(data: Any, known: Sequence[str]) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise InvalidInput(f"expected a table, got {shorten(repr(data))}")
    for key in data:
        if key not in known:
            raise unknown_name("key", str(key), known)
    return data


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"key {key!r} must be text, got {shorten(repr(value))}")
    return value


def _several(value: Any, read: Any, *, some: bool = True) -> tuple[Any, ...]:
    """Read one value or a list of different values."""
    values = value if isinstance(value, (list, tuple)) else [value]
    found = tuple(read(one) for one in values)
    if some and not found:
        raise InvalidInput("at least one is needed, got an empty list")
    for place, one in enumerate(found):
        if one in found[:place]:
            raise InvalidInput(f"{one!r} occurs twice")
    return found


def check_games(value: Any) -> int:
    """Check a number of games per point."""
    number = whole(value, "games")
    if not 1 <= number <= 10**9:
        raise InvalidInput(f"games per point must be from 1 to 10**9, got {number}")
    return number


def _findings(value: Any) -> tuple[str, ...]:
    return _several(value, _one_of("finding", FINDINGS), some=False)


def _agent(value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"expected the name of an agent, got {shorten(repr(value))}")
    return named.check(value)  # loads no agent: reading a study must not run code


def _clues(value: Any) -> str:
    clues.parse(_text("clues", value))
    return str(value)


def _board(value: Any) -> str:
    return value if isinstance(value, str) else _text("boards", value)


def _column(value: Any) -> str:
    if value not in COLUMNS:
        raise unknown_name("column", str(value), COLUMNS)
    return str(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise InvalidInput(f"expected true or false, got {shorten(repr(value))}")
    return value


def _start(value: Any) -> Cell | None:
    if value is None:
        return None
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise InvalidInput(f"expected a cell as [row, col], got {shorten(repr(value))}")
    return whole(value[0], "a row"), whole(value[1], "a column")


def _one_of(kind: str, known: Sequence[str]) -> Any:
    def read(value: Any) -> str:
        if value not in known:
            raise unknown_name(kind, str(value), known)
        return str(value)

    return read


_BLOCK_KEYS: dict[str, Any] = {
    "task": tasks.check,
    "agents": lambda value: _several(value, _agent),
    "boards": lambda value: _several(value, _board),
    "independent": _flag,
    "on_mine": lambda value: _several(value, _one_of("value of on_mine", ON_MINE)),
    "opening": lambda value: _several(value, _one_of("opening rule", OPENINGS)),
    "count_known": lambda value: _several(value, _flag),
    "flood": lambda value: _several(value, _flag),
    "clues": lambda value: _several(value, _clues),
    "start": _start,
    "games": lambda value: None if value is None else check_games(value),
    "quick_games": lambda value: value if value in (None, 0) else check_games(value),
}
