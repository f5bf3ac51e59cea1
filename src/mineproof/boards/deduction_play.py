"""Play a board by deduction alone: how far that gets, and which reasoning it takes.

Each level of reasoning includes the levels before it. At every position the lowest level that
proves a hidden cell safe is used, and all cells that it proves safe are opened; proved mines are
remembered. So the result does not depend on any order. The twin of `native/src/deduction_play.cpp`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mineproof import _engine
from mineproof.arguments import one_of
from mineproof.errors import InvalidInput
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
    "pairs": "two overlapping clues",
    "subset": "differences of sets of cells",
    "gauss": "linear algebra, without the mine count",
    "exact": "everything that follows from the clues and the mine count",
}
"""The levels of reasoning, from the weakest to the strongest, and what each adds."""


class DeductionResult(NamedTuple):
    """How far a board can be played without guessing."""

    solved: bool
    """Whether every safe cell was opened."""
    opened: int
    times: tuple[int, ...]
    """By level: the number of positions that needed it to prove a hidden cell safe."""

    @property
    def highest(self) -> str:
        """The highest level that was needed; local if none was."""
        needed = [name for name, times in zip(REASONING, self.times, strict=True) if times]
        return needed[-1] if needed else "local"


def check_reasoning(name: str) -> str:
    """Return the name of a level of reasoning, or raise an error."""
    return one_of(name, "reasoning", REASONING)


def deduce(
    board: Board, start: Cell, *, opening: Opening = "safe", reasoning: str = "exact"
) -> DeductionResult:
    """Play a board from a safe start with this level of reasoning, without guessing."""
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
            return DeductionResult(found.solved, found.opened, tuple(found.times))
        except native.Overflow:  # integers are unlimited in Python
            pass
    return DeductionPlayer(board, start, opening).play(list(REASONING)[: _rank(reasoning) + 1])


def check_start(board: Board, start: Cell, opening: Opening) -> None:
    """Raise an error if the start is a mine or breaks the opening rule."""
    if board.is_mine(start):
        raise InvalidInput(
            f"the first cell must be safe, but {name_cell(start)} is a mine: choose another cell"
        )
    if not board.keeps(opening, start):
        raise InvalidInput(
            f"the board breaks the opening rule {opening!r} at {name_cell(start)}: "
            "choose another first cell or another rule"
        )


def _rank(name: str) -> int:
    return list(REASONING).index(name)


class DeductionPlayer:
    """A game played by deduction, in Python. A mine does not end it."""

    def __init__(self, board: Board, start: Cell, opening: Opening) -> None:
        rules = Rules(opening=opening, on_mine="continue")
        self._game = Game(board, rules, start=start)
        self._safe = board.grid.size - board.mine_count
        self.knowledge = Knowledge(self._game.view, rules)
        self._everything = Everything()
        self.open(start)
        self._open_all()  # what follows from the opening rule

    @property
    def opened(self) -> int:
        """The number of open safe cells."""
        return self.knowledge.grid.size - self.knowledge.covered - self._game.exploded

    @property
    def done(self) -> bool:
        """Whether all safe cells are open."""
        return self.opened == self._safe

    def open(self, cell: Cell) -> None:
        """Open a cell, whether it is certain or not."""
        self.knowledge.observe(self._game.play(cell, "open"))

    def play(self, levels: Iterable[str]) -> DeductionResult:
        """Open what these levels prove safe; each is used only if those before it prove nothing."""
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
        return DeductionResult(self.done, self.opened, tuple(times.values()))

    def _close(self, levels: list[str]) -> None:
        """Reason with these levels until nothing more follows."""
        simple = [reasoner for name, reasoner in _SIMPLE.items() if name in levels]
        while True:
            for _ in close(self.knowledge, simple):
                pass
            further = (self._find(name) for name in levels if name not in _SIMPLE)
            found = next((deductions for deductions in further if deductions), None)
            if found is None:
                return
            for deduction in found:
                self.knowledge.deduce(deduction)

    def _find(self, level: str) -> list[Deduction]:
        """Return the new deductions of a level."""
        knowledge = self.knowledge
        found: Iterable[Deduction]
        if level == "exact":
            found = self._everything(knowledge).values()
        else:
            found = self._by_component((local, _FURTHER[level]))
        index = knowledge.grid.index
        return [one for one in found if knowledge.is_open(index(one.cell))]

    def _by_component(self, reasoners: tuple[Reasoner, ...]) -> Iterator[Deduction]:
        knowledge = self.knowledge
        for linked in knowledge.components_of(list(knowledge.equations.values())):
            if linked[0].cells:
                yield from close(Excerpt(knowledge, linked), reasoners)

    def _open_all(self) -> bool:
        """Open all known safe cells; return whether there were any."""
        safe = self.covered_safe()
        for index in safe:
            if self.knowledge.states[index] in COVERED:
                self.open(self.knowledge.grid.cell(index))
        return bool(safe)

    def covered_safe(self) -> list[int]:
        """Return the known safe cells that are not open yet."""
        knowledge = self.knowledge
        return [
            index
            for index, deduction in knowledge.settled.items()
            if not deduction.mine and knowledge.states[index] in COVERED
        ]


_SIMPLE: dict[str, Reasoner] = {"local": local, "pairs": pairs}
_FURTHER: dict[str, Reasoner] = {"subset": subset, "gauss": gauss}
