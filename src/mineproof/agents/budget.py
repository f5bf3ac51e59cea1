"""The champion's budgets: the one table of what limits the cost of a decision.

`python -m tools.kernel_tables` writes it for C++ (`native/include/mineproof/budget.def`) and for
the page (`kernel/tables.json`); the options of the agent `champion` are read from it.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, get_type_hints


# fmt: off
class Budget(NamedTuple):
    """What a decision may cost, in units of work and not in time, so results are reproducible.

    By field: type, least, most, meaning; the defaults are the budget `fast`. Playouts stop as soon
    as more are not expected to improve the choice.
    """

    arrangements: Annotated[int, 0, 50_000, "Play perfectly once at most this many configurations are left."] = 500  # noqa: E501
    work: Annotated[int, 0, 10**12, "Maximum work per search of the game tree, in cells times configurations."] = 500_000  # noqa: E501
    parts: Annotated[int, 0, 50_000, "Solve independent parts with at most this many configurations exactly."] = 200  # noqa: E501
    candidates: Annotated[int, 1, 1000, "Compare this many cells; 1 takes the safest."] = 18
    premium: Annotated[float, 0.0, 1.0, "Look-ahead bonus for cells that will be proved safe."] = 0.1  # noqa: E501
    leaves: Annotated[int, 0, 50_000, "Evaluate possible clues exactly if at most this many configurations are left."] = 0  # noqa: E501
    playouts: Annotated[int, 0, 10**8, "Maximum number of playouts per move, for all cells together; 0 for none."] = 0  # noqa: E501
    fifties: Annotated[bool, False, True, "Take a 50/50 that nothing can resolve at once, not last."] = True  # noqa: E501
    further: Annotated[bool, False, True, "Look one step further ahead between close cells, if nothing else compares them."] = True  # noqa: E501
    learned: Annotated[bool, False, True, "Rank close cells by the trained network; requires fifties=true."] = True  # noqa: E501
# fmt: on


BUDGETS = {
    "fast": Budget(),
    "default": Budget(1000, 2_000_000, candidates=24, leaves=500, playouts=1400),
    "max": Budget(4000, 50_000_000, 1000, candidates=32, leaves=2000, playouts=10_000),
}


class Limits(NamedTuple):
    """What a field of a budget may be, and what it does, in one sentence."""

    kind: type
    least: float
    most: float
    about: str


LIMITS = {
    name: Limits(hint.__origin__, *hint.__metadata__)
    for name, hint in get_type_hints(Budget, include_extras=True).items()
}
"""The limits of every field of a budget, by name."""
