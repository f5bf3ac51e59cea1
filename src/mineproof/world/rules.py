"""What a mine does, what the first move is promised, and what is known of the count."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from mineproof.errors import InvalidInput, share
from mineproof.given import one_of
from mineproof.world.board import OPENINGS, Opening

OnMine = Literal["end", "continue"]
ON_MINE: tuple[OnMine, ...] = ("end", "continue")


@dataclass(frozen=True)
class Rules:
    """The rules of a game.

    `on_mine`: a hit mine ends the game, or is learnt and play goes on.
    `opening`: the first cell may be `any`thing, is `safe`, or is `clear` (no mine
    around it either); part of the deal, so no mine is ever moved.
    `count_known`: whether the player is told the number of mines; if not, a
    `density` may be told instead. `flood`: trusted zeros open their surroundings.
    """

    on_mine: OnMine = "end"
    opening: Opening = "any"
    count_known: bool = True
    density: float | None = None
    flood: bool = True

    def __post_init__(self) -> None:
        one_of(self.on_mine, "value of on_mine", ON_MINE)
        one_of(self.opening, "opening rule", OPENINGS)
        if self.density is not None:
            if self.count_known:
                raise InvalidInput("a density is told only where the count is not known")
            object.__setattr__(self, "density", share(self.density, "a density"))
        for name in ("count_known", "flood"):
            if not isinstance(getattr(self, name), bool):
                raise InvalidInput(f"{name} is true or false, got {getattr(self, name)!r}")

    def to_json(self) -> dict[str, Any]:
        """The rules as JSON data."""
        return asdict(self)
