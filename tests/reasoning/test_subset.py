"""The subset rule: all constraints on the same cells narrow one range."""

from __future__ import annotations

from itertools import permutations

import pytest

from mineproof.reasoning.deductions import Entry
from mineproof.reasoning.equations import Equation, System, is_one_sided
from mineproof.reasoning.subset import subset
from mineproof.world.geometry import Grid
from mineproof.world.view import HIDDEN

Range = tuple[set[int], int, int]


def system_of(*ranges: Range) -> System:
    """Constraints from clues in the second row on sets of cells in the first."""
    system = System(Grid(2, 8), bytearray([HIDDEN]) * 16)
    for number, (cells, least, most) in enumerate(ranges):
        system._add(Equation(8 + number, set(cells), [], least, most))
    return system


def deduced(*ranges: Range) -> dict[int, bool]:
    return {one.cell[1]: one.mine for one in subset(system_of(*ranges))}


TWO_OR_MORE: Range = ({0, 1, 2}, 2, 3)
TWO_OR_LESS: Range = ({0, 1, 2}, 0, 2)


@pytest.mark.parametrize("both", list(permutations([TWO_OR_MORE, TWO_OR_LESS])))
def test_two_ranges_of_the_same_cells_are_intersected(both: tuple[Range, Range]) -> None:
    """At least two and at most two make exactly two; both bounds lead to deductions."""
    assert deduced(*both, ({0, 1}, 1, 1)) == {2: True}
    assert deduced(*both, ({0, 1}, 2, 2)) == {0: True, 1: True, 2: False}


def test_one_sided_bounds_are_all_lower_or_all_upper() -> None:
    least, most, both = ({0, 1}, 1, 2), ({1, 2}, 0, 1), ({0, 1, 2}, 1, 2)
    for some, expected in (
        ([least, least], True),
        ([most, most], True),
        ([least, most], False),
        ([both], False),
        ([], True),
    ):
        assert is_one_sided(system_of(*some).equations.values()) is expected


def test_a_subtraction_is_logged_once_and_a_contradictory_one_never() -> None:
    shown: list[Entry] = []
    system = system_of(({0, 1, 2}, 2, 2), ({0, 1}, 1, 1))
    system.report = shown.append
    assert [one.cell for one in subset(system)] == [(0, 2)]
    assert list(map(str, shown)) == [
        "from (0,0) + (0,1) + (0,2) = 2 subtract (0,0) + (0,1) = 1: (0,2) = 1"
    ]
    broken = system_of(({0, 1, 2}, 1, 1), ({0, 1}, 1, 1), ({2}, 1, 1))
    broken.report = shown.append
    assert [one.cell for one in subset(broken)] == [(0, 2)]
    assert len(shown) == 1
