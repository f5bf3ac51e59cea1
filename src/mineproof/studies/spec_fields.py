"""Read the fields of a study from the data of its TOML file, and check them together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from msgspec import structs

from mineproof.agents import registry
from mineproof.errors import InvalidInput, MineproofError, shorten, unknown_name
from mineproof.messages.decoding import decode
from mineproof.messages.study_files import LISTS, Block, Plot, StudyFile
from mineproof.studies import tasks
from mineproof.studies.grid import Point, points, read_board
from mineproof.world import clues, fair
from mineproof.world.chance import check_seed

T = TypeVar("T")

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


def read_fields(name: str, data: Mapping[str, Any]) -> StudyFile:
    """Return the fields of a study (without its name) after checking them together."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidInput(
            f"a study's name may contain only letters, digits, '-', '_' and '.', "
            f"got {shorten(repr(name))}"
        )
    with _at(f"study {name!r}"):
        found = decode(StudyFile, _tables(data), "the study")
        with _at("'seed'"):
            check_seed(found.seed)
        _check_lists(found, "")
        blocks = tuple(
            _check_block(block, f"block[{number}]") for number, block in enumerate(found.blocks)
        )
        _check_points(blocks)
        measures = sorted({name for block in blocks for name in tasks.find(block.task).measures})
        for number, plot in enumerate(found.plots):
            _check_lists(plot, f"plot[{number}].")
            if plot.y not in measures:
                raise unknown_name(f"measure in 'plot[{number}].y'", plot.y, measures)
    return structs.replace(found, blocks=blocks)


def _tables(data: Any) -> Any:
    """Return the data of a study with a list for every single value that stands for one."""
    data = _table(data)
    if isinstance(data, dict):
        for key in data.keys() & {"block", "plot"}:
            if isinstance(data[key], (list, tuple)):
                data[key] = [_table(one) for one in data[key]]
    return data


def _table(data: Any) -> Any:
    if not isinstance(data, Mapping):
        return data
    return {
        key: [value] if key in LISTS and isinstance(value, (str, bool)) else value
        for key, value in data.items()
    }


def _check_block(block: Block, at: str) -> Block:
    """Check the names in a block; return it with the full names of its agents."""
    _check_lists(block, f"{at}.")
    with _at(f"'{at}.task'"):
        tasks.find(block.task)
    _each(block.clues, f"{at}.clues", clues.parse)
    _each(
        block.boards, f"{at}.boards", lambda text: read_board(text, independent=block.independent)
    )
    # This loads no agent: reading a study must not run code.
    return structs.replace(block, agents=_each(block.agents, f"{at}.agents", registry.check))


def _check_lists(table: StudyFile | Block | Plot, at: str) -> None:
    """Check that no value occurs twice in a list."""
    for key in LISTS:
        values = getattr(table, key, ())
        for place, one in enumerate(values):
            if one in values[:place]:
                raise InvalidInput(f"'{at}{key}[{place}]': {one!r} occurs twice")


def _each(values: Sequence[str], at: str, read: Callable[[str], T]) -> tuple[T, ...]:
    """Read every value of a list; errors name the place."""
    found = []
    for place, value in enumerate(values):
        with _at(f"'{at}[{place}]'"):
            found.append(read(value))
    return tuple(found)


def _check_points(blocks: Sequence[Block]) -> None:
    """Refuse points that cannot be played or occur twice."""
    seen: dict[Point, str] = {}
    for number, block in enumerate(blocks):
        at = f"'block[{number}]'"
        with _at(at):
            for point in points(block, games=1):
                point.deal.check(point.opening, point.start)
                point.clue_model.check(point.deal.grid)
                fair.check(point.rules, point.clue_model)
                key = point._replace(games=0)
                if key in seen:
                    raise InvalidInput(
                        f"{point.agent!r} on {point.board!r} with the same rules and clues is "
                        f"already in {seen[key]}"
                    )
                seen[key] = at


@contextmanager
def _at(where: str) -> Iterator[None]:
    """Prefix the messages of errors with where they occurred."""
    try:
        yield
    except MineproofError as error:
        error.args = (f"{where}: {error}", *error.args[1:])
        raise
