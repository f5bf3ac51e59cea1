"""The local rules as report 003 used them: tried once, on the cell just opened."""

from __future__ import annotations

from collections.abc import Iterator

from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.equations import System
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.local import apply


def once(knowledge: System) -> Iterator[Deduction]:
    """The clue that came last is looked at now, and never again.

    It may settle mines; of the safe cells only the neighbours of a zero are used.
    What was open at that moment matters, so the order of play does, too.
    """
    assert isinstance(knowledge, Knowledge)  # what came last is known of a game alone
    equation = knowledge.latest
    if equation is not None and (equation.least > 0 or knowledge.states[equation.clue] == 0):
        yield from apply(knowledge, equation)
