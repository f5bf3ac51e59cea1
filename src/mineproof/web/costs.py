"""An estimate of the cost of a request before anything is computed."""

from __future__ import annotations

from typing import Any

from mineproof.agents import RECIPES
from mineproof.protocol import method_of
from mineproof.web import limits
from mineproof.web.scheduling import Lane

_SMALL = frozenset({"odds", "explain", "reasoners", "go", "new", "position", "show", "undo"})


def lane_of(message: dict[str, Any], usual: str) -> Lane:
    """Return the lane of a request to a solver: small for a quick method on an ordinary board.

    `usual` is the default agent. Invalid values count as small, because they are refused at once.
    """
    method = method_of(message)
    quick_agent = method != "go" or _is_quick(message.get("agent") or usual)
    is_small = (
        method in _SMALL
        and quick_agent
        and not message.get("win")
        and message.get("budget") in (None, "fast")
        and _size(message.get("view")) <= limits.SMALL_TEXT
        and all(_size(message.get(name)) <= limits.SMALL_CELLS for name in ("shows", "events"))
        and _cells(message.get("deal")) <= limits.SMALL_CELLS
    )
    return Lane.SMALL if is_small else Lane.LARGE


def _is_quick(agent: Any) -> bool:
    """Whether this is a built-in agent without look-ahead."""
    return isinstance(agent, str) and agent in RECIPES and agent != "champion"


def _size(value: Any) -> int:
    return len(value) if isinstance(value, (str, list)) else 0


def _cells(deal: Any) -> int:
    if not isinstance(deal, dict):
        return 0
    sides = [deal.get(name) for name in ("rows", "cols")]
    rows, cols = (side if isinstance(side, int) else 0 for side in sides)
    return rows * cols
