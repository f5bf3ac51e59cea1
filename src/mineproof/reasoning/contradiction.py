"""Why a view is impossible: an irreducible set of clues that contradict each other.

Most contradictions are local. So windows of the board are checked first, from small to large. In an
inconsistent window all sets of up to three clues are tried; if none of them is inconsistent, clues
are left out, far ones first, many at a time, then one by one. The mine count is used only if all
clues are consistent without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from mineproof import _engine
from mineproof.reasoning.consistency import Consistency
from mineproof.reasoning.counting import only_total
from mineproof.reasoning.evidence import Constraint, Evidence, components
from mineproof.reasoning.sweep import OverBudget
from mineproof.reasoning.totals import Core, WorkBudget, between, sums, totals

BUDGET = 500_000
"""The cost limit of an explanation: about half a second."""

ANY = -1
"""The set of all totals."""

_SIDE = 8
"""The side of the smallest windows. They overlap by half a side, so that any three clues of which
one shares cells with both others are together in one window."""

_READ, _ASK, _FEW = 10, 20, 2
"""The costs of reading a clue, of a consistency check, and of looking at two or three clues."""

_NODE = {"native": 0.2, "python": 6}
"""The cost of a node of a consistency check, by engine."""


class Clash(NamedTuple):
    """Why a view is impossible."""

    clues: tuple[int, ...]
    """The indices of the cells whose clues contradict each other."""
    count_used: bool
    """Whether the mine count is part of the contradiction."""
    irreducible: bool
    """Whether the others are consistent without any one of the clues (and all clues without the
    count, if it is used). False if the budget ran out: fewer clues may be enough, or, if there are
    no clues, they were not found."""


def explain(evidence: Evidence, *, budget: float = BUDGET) -> Clash:
    """Return clues that contradict each other, for evidence of an impossible view.

    If the count is not used and there are three clues or fewer, no smaller set is inconsistent.
    """
    clues, work = evidence.constraints, WorkBudget(budget)
    lone = next((clue for clue in clues if not any(clue.table)), None)
    if lone is not None:
        return Clash((lone.clue,), False, True)
    total, alone_hold = only_total(evidence), True
    try:
        found = _CoreSearch(evidence, work).run()
    except OverBudget:
        found, alone_hold = None, False
    if found is not None:
        return found
    if total is None:
        if alone_hold:
            raise ValueError("there is no contradiction: the view is possible")
        return Clash((), False, False)
    if (apart := _apart(evidence, total)) is not None:
        return _clash(apart, True)
    try:
        return _clash(_with_count(evidence, total, work), True)
    except OverBudget:
        return Clash((), alone_hold, False)


def core(evidence: Evidence, *, budget: float = BUDGET) -> Clash:
    """Return a contradiction by a single pass through all clues, not necessarily a smallest one.

    It is faster than `explain` if there are few clues. Raises `OverBudget`.
    """
    work = WorkBudget(budget)
    broken = [group for group in components(evidence.constraints) if not totals(group, work)]
    if broken:
        return _clash(Core(min(broken, key=len), ANY, work).needed, False)
    total = only_total(evidence)
    if total is None:
        raise ValueError("there is no contradiction: the view is possible")
    return _clash(_with_count(evidence, total, work), True)


def fits(evidence: Evidence, work: WorkBudget | None = None) -> bool:
    """Whether any configuration is possible."""
    work = work or WorkBudget()
    found, free = 1, len(evidence.unknown)
    for group in components(evidence.constraints):
        found = sums(found, totals(group, work))
        free -= len({cell for clue in group for cell in clue.cells})
    total = only_total(evidence)
    return bool(found) and (total is None or between(found, total - free, total))


def _clash(clues: Iterable[Constraint], count_used: bool, irreducible: bool = True) -> Clash:
    return Clash(tuple(sorted(clue.clue for clue in clues)), count_used, irreducible)


class _ClueConstraint(NamedTuple):
    """The constraint of a clue."""

    cells: tuple[int, ...]
    allowed: int


class _CoreSearch:
    """Searches for clues that contradict each other without the count; clues are given by place."""

    def __init__(self, evidence: Evidence, work: WorkBudget) -> None:
        self.grid, self.clues, self.work = evidence.grid, evidence.constraints, work
        work.spend(_READ * len(self.clues))
        said = [
            _ClueConstraint(
                clue.cells, sum(1 << n for n, entry in enumerate(clue.table) if entry > 0)
            )
            for clue in self.clues
        ]
        self.consistency = (
            _engine.native.Consistency(said, self.grid.size)
            if _engine.is_native()
            else Consistency(said)
        )

    def run(self) -> Clash | None:
        """Return None if all clues are consistent. Raises `OverBudget` if that is not known."""
        for side in self._sides():
            broken = [window for window in self._windows(side) if self._clash(window)]
            if broken:
                return self._smallest(broken)
        if self.consistency.gave_up:
            raise OverBudget
        return None

    def _sides(self) -> Iterator[int]:
        """The sides of windows, from the smallest to the whole board."""
        side = _SIDE
        while side < max(self.grid.rows, self.grid.cols):
            yield side
            side += side // 4 * 2
        yield side

    def _clash(self, places: list[int]) -> bool:
        self.work.spend(_ASK + len(places))
        clash = self.consistency.clash(places)
        self.work.spend(_NODE[_engine.name()] * self.consistency.nodes)
        return clash

    def _windows(self, side: int) -> list[list[int]]:
        """The clues of every window with clues."""
        found: dict[tuple[int, int], list[int]] = {}
        half = side // 2
        rows, cols = (max(-(-n // half) - 2, 0) for n in (self.grid.rows, self.grid.cols))
        for place, clue in enumerate(self.clues):
            row, col = self.grid.cell(clue.clue)
            for i in {min(max(row // half - 1, 0), rows), min(row // half, rows)}:
                for j in {min(max(col // half - 1, 0), cols), min(col // half, cols)}:
                    found.setdefault((i, j), []).append(place)
        return [found[window] for window in sorted(found)]

    def _smallest(self, broken: list[list[int]]) -> Clash:
        """Up to three clues of inconsistent windows; otherwise the smallest window, reduced."""
        every = sorted({place for window in broken for place in window})
        kept = min(broken, key=len)
        try:
            if few := next(_few([self.clues[place] for place in every], self.work), None):
                return _clash(few, False)
            for fewer in self._reduce(kept):
                kept = fewer
            sure = not self.consistency.gave_up
        except OverBudget:
            sure = False
        return _clash([self.clues[place] for place in kept], False, sure)

    def _reduce(self, places: list[int]) -> Iterator[list[int]]:
        """Yield smaller and smaller inconsistent sets; clues at the edge are left out first."""
        kept = self._from_the_middle(places)
        size = 1 << (len(kept).bit_length() - 1)
        while size:
            for end in range(len(kept), 0, -size):
                tried = kept[: max(end - size, 0)] + kept[end:]
                if self._clash(tried):
                    kept = tried
                    yield kept
            size //= 2

    def _from_the_middle(self, places: list[int]) -> list[int]:
        cells = {place: self.grid.cell(self.clues[place].clue) for place in places}
        row, col = (sum(numbers) / len(cells) for numbers in zip(*cells.values(), strict=True))

        def distance(place: int) -> tuple[float, int]:
            return max(abs(cells[place][0] - row), abs(cells[place][1] - col)), place

        return sorted(places, key=distance)


def _few(clues: list[Constraint], work: WorkBudget) -> Iterator[Sequence[Constraint]]:
    """Yield inconsistent sets of two, then of three clues; each clue alone is consistent.

    If three clues are inconsistent and any two of them are not, one shares cells with both others.
    """
    near = _neighbours(clues)
    clash = _ThreeClues(clues, work)
    pairs = [(one, two) for one, others in enumerate(near) for two in others if one < two]
    triples = (
        (middle, one, two)
        for middle, others in enumerate(near)
        for one, two in combinations(others, 2)
    )
    yield from ([clues[one], clues[two]] for one, two in pairs if clash(one, two, two))
    yield from ([clues[i] for i in three] for three in triples if clash(*three))


def _neighbours(clues: list[Constraint]) -> list[list[int]]:
    """For each clue, the others that share cells with it, as positions."""
    holding: dict[int, list[int]] = {}
    for place, clue in enumerate(clues):
        for cell in clue.cells:
            holding.setdefault(cell, []).append(place)
    return [
        sorted({other for cell in clue.cells for other in holding[cell]} - {place})
        for place, clue in enumerate(clues)
    ]


class _ThreeClues:
    """Whether three clues contradict each other.

    That depends only on their tables and on the numbers of cells that they share, so results are
    reused for similar triples.
    """

    def __init__(self, clues: list[Constraint], work: WorkBudget) -> None:
        self.clues, self.work = clues, work
        self.kinds = [tuple(map(bool, clue.table)) for clue in clues]
        self.cells = [frozenset(clue.cells) for clue in clues]
        self.known: dict[object, bool] = {}

    def __call__(self, one: int, two: int, three: int) -> bool:
        self.work.spend(_FEW)
        a, b, c = self.cells[one], self.cells[two], self.cells[three]
        ab = a & b
        key = (
            *(self.kinds[one], self.kinds[two], self.kinds[three]),
            *(len(ab), len(a & c), len(b & c), len(ab & c)),
        )
        if key not in self.known:
            clues = [self.clues[place] for place in {one, two, three}]
            self.known[key] = not all(totals(group, self.work) for group in components(clues))
        return self.known[key]


def _apart(evidence: Evidence, total: int) -> list[Constraint] | None:
    """Find clues without shared cells that need more mines than there are, or fewer.

    Returns None if there are none. Clues that need the most mines (or allow the fewest) are taken
    first, until the total is exceeded; so none of them can be left out.
    """
    if not 0 <= total <= len(evidence.unknown):
        return []
    for most, room in ((False, total), (True, len(evidence.unknown) - total)):
        left = room
        needs = []
        for clue in evidence.constraints:
            table = clue.table[::-1] if most else clue.table
            needs.append((-next(n for n, entry in enumerate(table) if entry > 0), clue))
        taken: set[int] = set()
        found = []
        for need, clue in sorted(needs):
            if need == 0 or not taken.isdisjoint(clue.cells):
                continue
            taken.update(clue.cells)
            found.append(clue)
            left += need
            if left < 0:
                return found
    return None


def _with_count(evidence: Evidence, total: int, work: WorkBudget) -> Iterator[Constraint]:
    """Yield an irreducible set of clues that contradict the count.

    Components are reduced one by one; the totals of the others are computed once.
    """
    groups = list(components(evidence.constraints))
    sizes = [len({cell for clue in group for cell in clue.cells}) for group in groups]
    free = len(evidence.unknown) - sum(sizes)
    later = [1]
    for group in reversed(groups):
        later.append(sums(later[-1], totals(group, work)))
    before = 1
    for group, size in zip(groups, sizes, strict=True):
        later.pop()
        others = sums(before, later[-1])
        good = sum(
            1 << mines
            for mines in range(size + 1)
            if between(others, total - mines - free, total - mines)
        )
        needed = Core(group, good, work)
        yield from needed.needed
        before = sums(before, needed.totals)
