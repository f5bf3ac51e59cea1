"""A board played by what is certain and nothing else: how far that comes, and what it takes.

The levels of reasoning add up: each has all before it. At every position the lowest level that
proves a covered cell safe is asked, and all that it proves safe is opened; what was proved to be
a mine stays known. So the answer does not depend on any order. The twin of
`native/src/deducing.cpp`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mineproof import _engine
from mineproof.errors import InvalidInput
from mineproof.given import one_of
from mineproof.reasoning.closure import Everything, Reasoner, close
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.equations import Excerpt
from mineproof.reasoning.gauss import gauss
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.local import local
from mineproof.reasoning.pairs import pairs
from mineproof.reasoning.subset import subset
from mineproof.world.board import Board, Opening
from mineproof.world.game import Game
from mineproof.world.geometry import Cell, name_cell
from mineproof.world.rules import Rules
from mineproof.world.view import COVERED

REASONING = {
    "local": "one clue at a time",
    "pairs": "and two clues that overlap",
    "subset": "and sets taken from sets",
    "gauss": "and linear algebra",
    "exact": "all that follows, with the mine count",
}
"""The levels, from the narrowest on, and what each adds."""


class Deduced(NamedTuple):
    """How far a board can be played by what is certain."""

    solved: bool
    """Whether every safe cell was opened."""
    opened: int
    times: tuple[int, ...]
    """By level: positions at which none before it proved a covered cell safe, and it did."""

    @property
    def highest(self) -> str:
        """The highest level that was needed; local where none was."""
        needed = [name for name, times in zip(REASONING, self.times, strict=True) if times]
        return needed[-1] if needed else "local"


def check_reasoning(name: str) -> str:
    """The name of a level, if it is one."""
    return one_of(name, "reasoning", REASONING)


def deduce(
    board: Board, start: Cell, *, opening: Opening = "safe", reasoning: str = "exact"
) -> Deduced:
    """Play a board from a safe start with this reasoning and all below it; never guess."""
    check_reasoning(reasoning)
    check_start(board, start, opening)
    if _engine.is_native():
        native = _engine.native
        try:
            found = native.deduce(
                board.rows,
                board.cols,
                board.mined,
                board.grid.index(start),
                native.Opening[opening],
                native.Reasoning[reasoning],
            )
            return Deduced(found.solved, found.opened, tuple(found.times))
        except native.Overflow:  # whole numbers have no end in Python
            pass
    return Deducer(board, start, opening).play(list(REASONING)[: _rank(reasoning) + 1])


def check_start(board: Board, start: Cell, opening: Opening) -> None:
    """Raise an error unless play can begin at this cell without a guess."""
    if board.is_mine(start):
        raise InvalidInput(f"play begins at a safe cell, and {name_cell(start)} is a mine")
    if not board.keeps(opening, start):
        raise InvalidInput(f"the board breaks the opening rule {opening!r} at {name_cell(start)}")


def _rank(name: str) -> int:
    return list(REASONING).index(name)


class Deducer:
    """A game played by what is certain, in Python. A mine does not end it."""

    def __init__(self, board: Board, start: Cell, opening: Opening) -> None:
        rules = Rules(opening=opening, on_mine="continue")
        self._game = Game(board, rules, start=start)
        self._safe = board.grid.size - board.mine_count
        self.knowledge = Knowledge(self._game.view, rules)
        self._everything = Everything()
        self.open(start)
        self._open_all()  # what the opening rule told

    @property
    def opened(self) -> int:
        """Safe cells that are open."""
        return self.knowledge.grid.size - self.knowledge.covered - self._game.exploded

    @property
    def done(self) -> bool:
        """Whether all of them are."""
        return self.opened == self._safe

    def open(self, cell: Cell) -> None:
        """Open a cell, be it certain or not."""
        self.knowledge.observe(self._game.play(cell, "open"))

    def play(self, levels: Iterable[str]) -> Deduced:
        """Open what these levels prove, each used where those before it prove nothing."""
        levels = list(levels)
        times = dict.fromkeys(REASONING, 0)
        stuck = False
        while not stuck and not self.done:
            stuck = True
            for place, level in enumerate(levels):
                self._close(levels[: place + 1])
                if self._open_all():
                    times[level] += 1
                    stuck = False
                    break
        return Deduced(self.done, self.opened, tuple(times.values()))

    def _close(self, levels: list[str]) -> None:
        """Reason with these levels until no more follows."""
        simple = [reasoner for name, reasoner in _SIMPLE.items() if name in levels]
        while True:
            for _ in close(self.knowledge, simple):
                pass
            further = (self._find(name) for name in levels if name not in _SIMPLE)
            found = next((deductions for deductions in further if deductions), None)
            if found is None:
                return
            for deduction in found:
                self.knowledge.settle(deduction)

    def _find(self, level: str) -> list[Deduction]:
        """What a level settles beyond what is known."""
        knowledge = self.knowledge
        found: Iterable[Deduction]
        if level == "exact":
            found = self._everything(knowledge).values()
        else:
            found = self._by_component((local, _FURTHER[level]))
        index = knowledge.grid.index
        return [one for one in found if knowledge.is_open(index(one.cell))]

    def _by_component(self, reasoners: tuple[Reasoner, ...]) -> Iterator[Deduction]:
        seen: set[int] = set()
        for equation in list(self.knowledge.equations.values()):
            if equation.cells and equation.clue not in seen:
                linked = self.knowledge.component(equation)
                seen.update(other.clue for other in linked)
                yield from close(Excerpt(self.knowledge, linked), reasoners)

    def _open_all(self) -> bool:
        """Open all that is known to be safe; whether there was anything."""
        knowledge = self.knowledge
        safe = [
            index
            for index, deduction in knowledge.settled.items()
            if not deduction.mine and knowledge.states[index] in COVERED
        ]
        for index in safe:
            if knowledge.states[index] in COVERED:
                self.open(knowledge.grid.cell(index))
        return bool(safe)


_SIMPLE: dict[str, Reasoner] = {"local": local, "pairs": pairs}
_FURTHER: dict[str, Reasoner] = {"subset": subset, "gauss": gauss}
