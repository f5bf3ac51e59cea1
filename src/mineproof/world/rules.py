"""What a mine does, what the first move guarantees, and what is known of the mine count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, cast

from mineproof.errors import InvalidInput, WrongType, quoted, share, unknown_name
from mineproof.given import one_of
from mineproof.world.board import OPENINGS, Opening

OnMine = Literal["end", "continue"]
ON_MINE: tuple[OnMine, ...] = ("end", "continue")


class _Unstated(str):
    """An opening rule that was not asked for: boards that are dealt follow it, given ones do not.

    Equal to the text that it is.
    """

    __slots__ = ()


_DEFAULT = cast("Opening", _Unstated("safe"))


@dataclass(frozen=True)
class Rules:
    """The rules of a game.

    `on_mine`: a hit mine ends the game, or is learnt and play goes on.
    `opening`: the first cell may be `any`thing, is `safe`, or is `clear` (no mine
    around it either). It is part of the deal, so no mine is ever moved. Boards are dealt
    `safe` by default; a board or a position that is given is taken as it is, `any`.
    `count_known`: whether the player knows the number of mines; if not, a
    `density` may be known instead. `flood`: trusted zeros open their surroundings.
    """

    on_mine: OnMine = "end"
    opening: Opening = _DEFAULT
    count_known: bool = True
    density: float | None = None
    flood: bool = True

    def __post_init__(self) -> None:
        one_of(self.on_mine, "value of on_mine", ON_MINE)
        one_of(self.opening, "opening rule", OPENINGS)
        if self.density is not None:
            if self.count_known:
                raise InvalidInput("a density goes with count_known=False: the count says more")
            object.__setattr__(self, "density", share(self.density, "a density"))
        for name in ("count_known", "flood"):
            if not isinstance(getattr(self, name), bool):
                raise InvalidInput(f"{name} is true or false, got {getattr(self, name)!r}")

    def stated(self, *, dealt: bool) -> Rules:
        """These rules with the opening rule that holds: its default depends on who deals."""
        if not isinstance(self.opening, _Unstated):
            return self
        return replace(self, opening="safe" if dealt else "any")

    def to_json(self) -> dict[str, Any]:
        """The rules as JSON data."""
        return {**asdict(self), "opening": str(self.opening)}


RulesLike = Rules | Mapping[str, Any]
"""Rules, or their fields as a dictionary."""
_FIELDS = tuple(field.name for field in fields(Rules))


def as_rules(rules: RulesLike | None, *, dealt: bool) -> Rules:
    """The rules as given, or the default ones, with the opening rule that holds."""
    if rules is None:
        rules = Rules()
    elif not isinstance(rules, Rules):
        rules = _from_fields(rules)
    return rules.stated(dealt=dealt)


def _from_fields(given: object) -> Rules:
    if not isinstance(given, Mapping):
        example = "{'on_mine': 'continue'}"
        raise WrongType(f"rules must be Rules or a dictionary like {example}, got {quoted(given)}")
    for name in given:
        if not isinstance(name, str):
            raise WrongType(f"a rule has a text for a name, got {quoted(name)}")
        if name not in _FIELDS:
            raise unknown_name("rule", name, _FIELDS)
    return Rules(**given)
