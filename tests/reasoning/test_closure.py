"""What reasoners find together: who is asked when, and what the count adds."""

from __future__ import annotations

from collections.abc import Iterator

import mineproof as mp
from mineproof.reasoning.closure import Reasoner, UntilAllAreFound, close
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.equations import System
from mineproof.reasoning.knowledge import Knowledge
from mineproof.world.geometry import Grid
from mineproof.world.view import HIDDEN


def finding(name: str, asked: list[str], *cells: int | None) -> Reasoner:
    """Finds these cells, one each time it is asked, None for nothing; then nothing more."""
    left = iter(cells)

    def reasoner(_: System) -> Iterator[Deduction]:
        asked.append(name)
        cell = next(left, None)
        if cell is not None:
            yield Deduction((0, cell), False, name)

    return reasoner


def test_the_first_is_asked_again_whenever_a_later_one_found_something() -> None:
    system = System(Grid(1, 8), bytearray([HIDDEN]) * 8)
    asked: list[str] = []
    one = finding("one", asked, None, 1)
    two = finding("two", asked, 0)
    three = finding("three", asked, 2, 2)
    assert [(d.cell[1], d.rule) for d in close(system, (one, two, three))] == [
        (0, "two"),
        (1, "one"),
        (2, "three"),
    ]
    assert asked == ["one", "two", "one", "one", "two", "three", "one", "two", "three"]


def test_once_all_mines_are_found_the_rest_is_safe() -> None:
    knowledge = Knowledge(mp.View.from_text("1x6/2 *?????"))
    mine, safe = Deduction((0, 2), True, "inner"), Deduction((0, 4), False, "inner")
    found = UntilAllAreFound(lambda _: {2: mine, 4: safe})(knowledge)
    assert (found.pop(2), found.pop(4)) == (mine, safe)
    assert sorted(found) == [1, 3, 5]
    for index, one in found.items():
        assert one.cell == (0, index)
        assert (one.mine, one.rule, one.count_used) == (False, "count", True)
        assert one.why == "all 2 mines are found: the rest is safe"
    assert UntilAllAreFound(lambda _: {4: safe})(knowledge) == {4: safe}, "a mine is missing"
    untold = Knowledge(mp.View.from_text("1x6 *?????"))
    assert UntilAllAreFound(lambda _: {2: mine})(untold) == {2: mine}
