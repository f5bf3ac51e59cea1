"""The local rules as report 003 used them: tried once, on the cell just opened."""

from __future__ import annotations

from collections.abc import Iterator

from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.equations import System
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.local import apply
from mineproof.world.view import COVERED


def once(knowledge: System) -> Iterator[Deduction]:
    """Apply the local rules to the latest clue, once.

    It may deduce mines; safe cells are used only next to a zero. They wait to be opened and
    count as hidden until then: a clue next to such a cell that needs all its other cells to be
    mines does not notice. So the order of play matters.
    """
    assert isinstance(knowledge, Knowledge)  # only a game has a latest clue
    equation = knowledge.latest
    if equation is None:
        return
    sees_mines = equation.least > 0 and not any(waits(knowledge, near) for near in equation.known)
    if sees_mines or knowledge.states[equation.clue] == 0:
        yield from apply(knowledge, equation)


def waits(system: System, index: int) -> bool:
    """Return whether a cell is known to be safe and still covered."""
    settled = system.settled.get(index)
    return settled is not None and not settled.mine and system.states[index] in COVERED
