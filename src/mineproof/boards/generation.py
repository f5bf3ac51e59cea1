"""Boards in numbers."""

from __future__ import annotations

from collections.abc import Iterator

from mineproof.errors import InvalidInput, whole
from mineproof.world.board import Board, Deal, Opening
from mineproof.world.chance import check_seed, fresh_seed, game_seed
from mineproof.world.geometry import Cell


def generate(
    rows: int,
    cols: int,
    mines: int | None = None,
    *,
    density: float | None = None,
    independent: bool = False,
    count: int = 1,
    seed: int | None = None,
    start: Cell | None = None,
    opening: Opening = "any",
) -> Iterator[Board]:
    """Random boards, one by one, uniform among those that keep the opening rule at `start`.

    Board i is the one that game i of an arena with this seed is played on, if it
    begins at `start`.
    """
    deal = Deal(rows, cols, mines, density=density, independent=independent)
    count = whole(count, "a count of boards", 0, 10**12)
    if opening != "any" and start is None:
        raise InvalidInput(f"the opening rule {opening!r} needs a start cell")
    deal.check(opening, start)
    series = check_seed(fresh_seed() if seed is None else seed)
    return (
        deal.board(game_seed(series, number), start=start, opening=opening)
        for number in range(count)
    )
