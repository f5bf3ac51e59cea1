"""What reasoners find together, where the local rules find no more.

The local rules, and pairs of clues where a recipe compares them, keep the knowledge of a
game up to date; all else works on copies of components of it. So what is found depends on
what is seen and on nothing else: not on the way there, and not on what was concluded before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from mineproof.errors import counted
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.describing import some
from mineproof.reasoning.equations import Excerpt, System
from mineproof.reasoning.knowledge import Knowledge

Reasoner = Callable[[System], Iterator[Deduction]]


class Finder(Protocol):
    """Finds, in one game, all that follows beyond the local rules: by index."""

    def __call__(self, knowledge: Knowledge) -> dict[int, Deduction]:
        """What follows now."""
        ...


def close(system: System, reasoners: Iterable[Reasoner]) -> Iterator[Deduction]:
    """Reason to the fixpoint: a later reasoner is asked when the earlier ones have no more."""
    progress = True
    while progress:
        progress = False
        for reasoner in reasoners:
            for deduction in reasoner(system):
                if system.is_open(system.grid.index(deduction.cell)):
                    system.settle(deduction)
                    progress = True
                    yield deduction
            if progress:
                break


class ByComponent:
    """Closes every component that changed since the last time, each by itself."""

    def __init__(self, *reasoners: Reasoner) -> None:
        self._reasoners = reasoners
        self._reader = " ".join(["components", *(one.__name__ for one in reasoners)])
        self._found: dict[int, Deduction] = {}

    def __call__(self, knowledge: Knowledge) -> dict[int, Deduction]:
        """What follows now."""
        seen: set[int] = set()
        for equation in knowledge.fresh(self._reader):
            if equation.clue in seen or not equation.cells:
                continue
            linked = knowledge.component(equation)
            seen.update(other.clue for other in linked)
            cells = {index for other in linked for index in other.cells}
            if knowledge.tell is not None:
                shown = some(knowledge.grid, (other.clue for other in linked))
                knowledge.tell(f"component of the clues {shown}: {counted(len(cells), 'cell')}")
            for index in cells:
                self._found.pop(index, None)
            self._keep(close(Excerpt(knowledge, linked), self._reasoners), knowledge)
        for index in [i for i in self._found if not knowledge.is_open(i)]:
            del self._found[index]
        return self._found

    def _keep(self, deductions: Iterable[Deduction], knowledge: Knowledge) -> None:
        for deduction in deductions:
            self._found[knowledge.grid.index(deduction.cell)] = deduction


class WithCount:
    """Closes everything at once, with the equation of the mine count."""

    def __init__(self, *reasoners: Reasoner) -> None:
        self._reasoners = reasoners
        self._found: dict[int, Deduction] = {}
        self._version = -1

    def __call__(self, knowledge: Knowledge) -> dict[int, Deduction]:
        """What follows now."""
        if self._version != knowledge.version:
            self._version = knowledge.version
            count = knowledge.count()
            equations = [e for e in knowledge.equations.values() if e.cells]
            everything = Excerpt(knowledge, [*equations, *([count] if count else [])])
            if knowledge.tell is not None:
                counted = "and the count" if count else "without a count"
                knowledge.tell(f"all clues with undecided cells ({len(equations)}), {counted}")
            index = knowledge.grid.index
            self._found = {index(d.cell): d for d in close(everything, self._reasoners)}
        return self._found


class UntilAllAreFound:
    """Once as many mines are known as there are in all, the rest is safe, without a thought.

    That is looked at before anything else is: where the local rules found the last mine, no
    component is gone through.
    """

    def __init__(self, inner: Finder) -> None:
        self._inner = inner

    def __call__(self, knowledge: Knowledge) -> dict[int, Deduction]:
        """What follows now."""
        left = knowledge.mines_left
        found = {} if left == 0 else self._inner(knowledge)
        if left is None or left != sum(deduction.mine for deduction in found.values()):
            return found
        all_found = "the mine is" if knowledge.mines == 1 else f"all {knowledge.mines} mines are"
        why = f"{all_found} found: the rest is safe"
        rest = (index for index in range(knowledge.grid.size) if knowledge.is_open(index))
        cell = knowledge.grid.cell
        safe = {
            i: Deduction(cell(i), False, "count", why=why, count_used=True)
            for i in rest
            if i not in found
        }
        return found | safe


class Everything:
    """All that follows from all clues and the count together: the exact posterior."""

    def __init__(self) -> None:
        self._found: dict[int, Deduction] = {}
        self._version = -1

    def __call__(self, knowledge: Knowledge) -> dict[int, Deduction]:
        """What follows now."""
        if self._version != knowledge.version:
            self._version = knowledge.version
            index = knowledge.grid.index
            posterior = knowledge.posterior()
            if posterior is None:  # clues that are not what they are taken for prove nothing
                self._found = {}
                return self._found
            self._found = {
                index(cell): Deduction(cell, mine, "exact", why=f"{verdict} {_EVERYWHERE}")
                for mine, cells in ((True, posterior.mined), (False, posterior.safe))
                for cell in cells
                for verdict in ("mined" if mine else "safe",)
            }
            if knowledge.tell is not None:
                safe, mined = len(posterior.safe), len(posterior.mined)
                kind = "all clues together" if posterior.exact else "an estimate"
                knowledge.tell(f"{kind}: {safe} covered cells proved safe, {mined} mined")
        return self._found


_EVERYWHERE = "in every arrangement that fits all clues and what is known of the count"
