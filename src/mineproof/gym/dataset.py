"""Datasets of positions: observations, exact mine probabilities, moves and outcomes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mineproof import _engine
from mineproof.agents import as_agent
from mineproof.arguments import file_path
from mineproof.errors import InvalidInput, check_integer
from mineproof.extras import need
from mineproof.games.match import Match
from mineproof.reasoning.posterior import BUDGET, check_budget, posteriors
from mineproof.world.board import Deal, DealLike, as_deal
from mineproof.world.chance import check_seed, game_seed
from mineproof.world.clues import ClueModel, Exact, as_clues
from mineproof.world.rules import Rules, RulesLike, as_rules
from mineproof.world.view import View

_AT_ONCE = 64
"""The number of games per call of the compiled code."""
_PART_BYTES = 64 << 20
"""The uncompressed size of the positions in one file."""

Columns = dict[str, Any]


class Written(NamedTuple):
    """The folder and files of a dataset, and its size."""

    folder: Path
    files: tuple[Path, ...]
    positions: int
    games: int


def write_dataset(
    folder: str | PathLike[str],
    deal: DealLike,
    agent: Any = "exact",
    *,
    games: int = 1000,
    rules: RulesLike = Rules(),
    clues: ClueModel | str = Exact(),
    seed: int = 0,
    budget: int = BUDGET,
) -> Written:
    """Play games and write the position before every cell that the agent opened, as Parquet.

    A row is a position: `states` (one byte per cell as in a view, without flags), `risk` (one
    32-bit float per cell, the mine probability; nan if open), `exact` (False if these are
    estimates), `cell` (the index of the cell that the agent opened), `move` (the number of cells
    it opened before), `game` (its number in the series, as in `mp.arena`), `seed` (of this game),
    `mines`, `won`. `budget` is that of `mp.posterior`. The folder must be new or empty; its files
    `part-00000.parquet` and so on form one table.
    """
    deal = as_deal(deal)
    clues = as_clues(clues, deal.grid)
    rules = as_rules(rules, dealt=True)
    duckdb = need("duckdb", "gym")
    if rules.on_mine != "end":
        raise InvalidInput("a dataset needs rules under which a mine ends the game (on_mine='end')")
    if rules.luck != "dealt":
        raise InvalidInput(
            "a dataset needs boards that are fixed when they are dealt (luck='dealt')"
        )
    seed, games = check_seed(seed), check_integer(games, "games", 1, 10**9)
    deal.check(rules.opening)
    target = file_path(folder, "folder")
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InvalidInput(f"{target} already exists: give a new or an empty folder")
    target.mkdir(parents=True, exist_ok=True)
    blocks = _blocks(deal, as_agent(agent), games, rules, clues, seed, check_budget(budget))
    # Before 1.5, DuckDB reads an array of bytes as one of texts.
    in_hex = tuple(map(int, duckdb.__version__.split(".")[:2])) < (1, 5)
    files: list[Path] = []
    rows = 0
    with duckdb.connect() as connection:
        connection.execute("SET threads = 1")
        for part in _parts(blocks, deal.grid.size):
            file = target / f"part-{len(files):05}.parquet"
            _write(connection, part, file, in_hex=in_hex)
            files.append(file)
            rows += len(part["cell"])
    return Written(target, tuple(files), rows, games)


def _write(connection: Any, part: Columns, file: Path, *, in_hex: bool) -> None:
    """Write a file with these columns; it is renamed to `file` when it is complete."""
    replaced = "exact != 0 AS exact, won != 0 AS won"
    if in_hex:
        for name in ("states", "risk"):
            part[name] = _rows([row.hex() for row in part[name]])
            replaced += f", unhex({name}) AS {name}"
    made = file.with_suffix(".part")
    target = str(made).replace("'", "''")
    connection.register("part", part)
    connection.execute(
        f"COPY (SELECT * REPLACE ({replaced}) FROM part) "
        f"TO '{target}' (FORMAT parquet, COMPRESSION snappy, DICTIONARY_SIZE_LIMIT 1)"
    )
    connection.unregister("part")
    made.replace(file)


def _parts(blocks: Iterator[Columns], size: int) -> Iterator[Columns]:
    """Join blocks until they fill a file, and split their bytes into rows."""
    waiting: list[Columns] = []
    most = max(_PART_BYTES // (5 * size), 1)
    for block in blocks:
        waiting.append(block)
        if sum(len(one["cell"]) for one in waiting) >= most:
            yield _joined(waiting, size)
            waiting = []
    if waiting:
        yield _joined(waiting, size)


def _joined(blocks: list[Columns], size: int) -> Columns:
    lengths = {"states": size, "risk": 4 * size}
    joined: Columns = {
        name: _rows([row for one in blocks for row in _cut(one[name], length)])
        for name, length in lengths.items()
    }
    others = (name for name in blocks[0] if name not in lengths)
    return joined | {name: np.concatenate([one[name] for one in blocks]) for name in others}


def _cut(whole_bytes: bytes, length: int) -> list[bytes]:
    return [whole_bytes[i : i + length] for i in range(0, len(whole_bytes), length)]


def _rows(rows: Sequence[bytes | str]) -> NDArray[np.object_]:
    array = np.empty(len(rows), object)
    array[:] = rows
    return array


def _blocks(
    deal: Deal, agent: Any, games: int, rules: Rules, clues: ClueModel, seed: int, budget: int
) -> Iterator[Columns]:
    """Yield the positions of all games in blocks, in C++ if the agent supports it."""
    strategy = _engine.strategy_of(agent, clues, deal.grid)
    for first in range(0, games, _AT_ONCE):
        count = min(_AT_ONCE, games - first)
        if strategy is None:
            yield _played(deal, agent, range(first, first + count), rules, clues, seed, budget)
            continue
        native = _engine.native
        ground = native.GameSetup(
            deal.rows, deal.cols, mines=deal.mine_count or 0, threshold=deal.threshold
        )
        yield native.positions(
            ground,
            _engine.rules_of(rules),
            _engine.model_of(clues),
            strategy,
            -1,
            seed,
            first,
            count,
            budget,
        )


def _played(
    deal: Deal, agent: Any, games: range, rules: Rules, clues: ClueModel, seed: int, budget: int
) -> Columns:
    """The same in Python, for agents without a twin."""
    views: list[View] = []
    rows: list[tuple[int, ...]] = []
    for number in games:
        own = game_seed(seed, number)
        match = Match(deal, agent, rules=rules, clues=clues, seed=own)
        before, begun, opened = match.view.unflagged(), len(rows), 0
        for turn in match:
            if turn.action == "open":
                views.append(before)
                rows.append((number, own, opened, deal.grid.index(turn.cell)))
                opened += 1
            before = match.view.unflagged()
        record = match.record()
        end = (int(record.won), record.board.mine_count)
        rows[begun:] = [(*row, *end) for row in rows[begun:]]
    density = None if rules.count_known else rules.density
    found = posteriors(views, clues, density=density, budget=budget)
    game, seeds, move, cell, won, mines = (np.array(column) for column in zip(*rows, strict=True))
    return {
        "states": b"".join(view.states for view in views),
        "risk": b"".join(one.risk.astype(np.float32).tobytes() for one in found),
        "game": game.astype(np.uint64),
        "seed": seeds.astype(np.uint64),
        "move": move.astype(np.int32),
        "cell": cell.astype(np.int32),
        "exact": np.array([one.exact for one in found], np.uint8),
        "won": won.astype(np.uint8),
        "mines": mines.astype(np.int32),
    }
