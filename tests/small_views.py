"""Views of small boards, and a judge of what premises prove there.

A set of mine configurations is one large integer with one bit per configuration. A premise (a clue
or the mine count) is the set of configurations that satisfy it. Premises prove a cell if the cell
has the opposite value in no configuration of their intersection. So every set of premises can be
tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from random import Random

from mineproof.world.geometry import Cell, Grid
from mineproof.world.view import EXPLODED, HIDDEN, KNOWN_SAFE, View

Premise = Cell | None
"""A clue by its cell; None is the mine count."""


class Small:
    """All mine configurations on one grid of a dozen cells or fewer."""

    def __init__(self, rows: int, cols: int) -> None:
        self.grid = Grid(rows, cols)
        size = self.grid.size
        self.every = (1 << (1 << size)) - 1
        self.mined = [0] * size
        self.shows = [[0] * 9 for _ in range(size)]
        self.counts = [0] * (size + 1)
        for mines in range(1 << size):
            bit = 1 << mines
            self.counts[mines.bit_count()] |= bit
            for cell in range(size):
                self.mined[cell] |= bit * (mines >> cell & 1)
                self.shows[cell][self._around(cell, mines)] |= bit

    def _around(self, cell: int, mines: int) -> int:
        return sum(mines >> near & 1 for near in self.grid.neighbours(cell))

    def views(self) -> Iterator[View]:
        """Every possible view of opened and hidden cells, with and without the mine count."""
        seen = set()
        for kinds in product("mhs", repeat=self.grid.size):  # mined, hidden or shown
            states, mines = self._states("".join(kinds))
            seen |= {(states, mines), (states, -1)}
        for states, mines in sorted(seen):
            yield View(self.grid, states, None if mines < 0 else mines)

    def later_views(self, number: int) -> Iterator[View]:
        """Random views (always the same), also with exploded mines and cells known to be safe."""
        random = Random(number)
        for _ in range(number):
            odds = [random.random() for _ in "mhsxt"]
            kinds = "".join(random.choices("mhsxt", odds, k=self.grid.size))
            states, mines = self._states(kinds)
            yield View(self.grid, states, random.choice([mines, mines, None]))

    def _states(self, kinds: str) -> tuple[bytes, int]:
        mines = sum(1 << cell for cell, kind in enumerate(kinds) if kind in "mx")
        covered = {"m": HIDDEN, "h": HIDDEN, "x": EXPLODED, "t": KNOWN_SAFE}
        states = [covered.get(kind, self._around(n, mines)) for n, kind in enumerate(kinds)]
        return bytes(states), mines.bit_count()

    def made_up_views(self) -> Iterator[View]:
        """Every combination of possible clues and mine counts, contradictory ones included."""
        states = [[HIDDEN, *range(len(self.grid.neighbours(n)) + 1)] for n in range(self.grid.size)]
        for one in product(*states):
            for mines in (None, *range(one.count(HIDDEN) + 1)):
                yield View(self.grid, bytes(one), mines)

    def twisted_views(self, number: int) -> Iterator[View]:
        """Some views in which one or two clues or the mine count are wrong."""
        random = Random(number)
        for view in self.later_views(number):
            states, mines = bytearray(view.states), view.mines
            shown = [index for index, state in enumerate(states) if state <= 8]
            for index in random.sample(shown, min(len(shown), random.randint(0, 2))):
                states[index] = random.randint(0, len(self.grid.neighbours(index)))
            if mines is not None and random.random() < 0.5:
                hit = states.count(EXPLODED)
                mines = random.randint(hit, hit + states.count(HIDDEN))
            yield View(self.grid, bytes(states), mines)


class Judge:
    """Tries premises of one view of a small board."""

    def __init__(self, small: Small, view: View) -> None:
        self._small, self._grid = small, view.grid
        self._seen = small.every
        """Configurations in which opened and known-safe cells are safe, and exploded ones mines."""
        self._premises: dict[Premise, int] = {}
        for cell, state in enumerate(view.states):
            if state == EXPLODED:
                self._seen &= small.mined[cell]
            elif state != HIDDEN:
                self._seen &= ~small.mined[cell]
            if state <= 8:
                self._premises[view.grid.cell(cell)] = small.shows[cell][state]
        self._clues: list[Premise] = [*self._premises]
        if view.mines is not None:
            self._premises[None] = small.counts[view.mines]

    def opposite(self, cell: Cell, mine: bool) -> int:
        """The configurations in which a cell is not what is claimed."""
        mined = self._small.mined[self._grid.index(cell)]
        return self._small.every & ~mined if mine else mined

    def anything(self) -> int:
        """All configurations: premises that refute this are contradictory."""
        return self._small.every

    def refute(self, premises: Iterable[Premise], supposed: int) -> bool:
        """Whether no configuration satisfies these premises."""
        for premise in premises:
            supposed &= self._premises[premise]
        return not supposed & self._seen

    def idle(self, clues: Iterable[Cell], count_used: bool, supposed: int) -> str:
        """What is wrong with premises, each of which should be needed to refute `supposed`."""
        premises: list[Premise] = [*clues, *([None] if count_used else [])]
        if not self.refute(premises, supposed):
            return "it does not follow"
        for idle in premises:
            if self.refute((one for one in premises if one != idle), supposed):
                return f"{idle or 'the count'} is not needed"
        return ""

    def smaller(self, clues: tuple[Cell, ...], count_used: bool, supposed: int) -> str:
        """Which premises are simpler: fewer clues, clues alone, or the count before two clues."""
        count: list[Premise] = [None] if count_used else []
        sets = combinations(self._clues, len(clues) - 1) if clues else ()
        if any(self.refute([*few, *count], supposed) for few in sets):
            return "fewer clues do"
        if count_used and self.refute(self._clues, supposed):
            return "the clues do without the count"
        if len(clues) > 1 and None in self._premises and self.refute([None], supposed):
            return "the count alone does"
        return ""
