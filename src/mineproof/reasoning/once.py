"""The local rules as report 003 used them: tried once, on the cell just opened."""

from __future__ import annotations

from collections.abc import Iterator

from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.equations import System
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.local import apply
from mineproof.world.view import COVERED


def once(knowledge: System) -> Iterator[Deduction]:
    """The clue that came last is looked at now, and never again.

    It may settle mines; of the safe cells only the neighbours of a zero are used. These wait
    to be opened, and until they are, they count as hidden: a clue beside one of them that
    needs all its other cells mined does not see it. So the order of play matters.
    """
    assert isinstance(knowledge, Knowledge)  # what came last is known of a game alone
    equation = knowledge.latest
    if equation is None:
        return
    sees_mines = equation.least > 0 and not any(waits(knowledge, near) for near in equation.known)
    if sees_mines or knowledge.states[equation.clue] == 0:
        yield from apply(knowledge, equation)


def waits(system: System, index: int) -> bool:
    """Whether a cell is known to be safe, and still covered."""
    settled = system.settled.get(index)
    return settled is not None and not settled.mine and system.states[index] in COVERED
