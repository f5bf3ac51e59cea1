"""What a mine does, what the first move guarantees, what is known, and whether luck decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, cast

from mineproof.arguments import one_of
from mineproof.errors import InvalidInput, WrongType, check_probability, quote, unknown_name
from mineproof.phrases import say
from mineproof.world.board import OPENINGS, Opening

OnMine = Literal["end", "continue"]
ON_MINE: tuple[OnMine, ...] = ("end", "continue")
Luck = Literal["dealt", "fair"]
LUCK: tuple[Luck, ...] = ("dealt", "fair")


class _Unstated(str):
    """The default opening rule: boards that are dealt follow it, boards that are given do not.

    Equal to a plain string with the same text.
    """

    __slots__ = ()


_DEFAULT = cast("Opening", _Unstated("safe"))


@dataclass(frozen=True)
class Rules:
    """The rules of a game.

    `on_mine`: whether opening a mine ends the game (`end`) or play continues (`continue`).
    `opening`: whether the first cell can be a mine (`any`), is safe (`safe`), or has no mines
    among its neighbours either (`clear`). Boards are dealt accordingly. The default is `safe` for
    boards that are dealt and `any` for a board or a position that is given.
    `count_known`: whether the player knows the mine count; if not, a `density` may be known
    instead. `flood`: whether zeros open their neighbours (if the clue model makes them certain).
    `luck`: whether the board is fixed when it is dealt (`dealt`), or every loss is a mistake
    (`fair`): opening a cell that could be a mine is fatal if another cell was provably safe, and
    safe otherwise. This needs the native engine, exact clues, and `on_mine="end"`.
    """

    on_mine: OnMine = "end"
    opening: Opening = _DEFAULT
    count_known: bool = True
    density: float | None = None
    flood: bool = True
    luck: Luck = "dealt"

    def __post_init__(self) -> None:
        one_of(self.on_mine, "value of on_mine", ON_MINE)
        one_of(self.opening, "opening rule", OPENINGS)
        one_of(self.luck, "value of luck", LUCK)
        if self.luck == "fair" and self.on_mine != "end":
            raise InvalidInput(say("refusal.fair-goes-on"))
        if self.density is not None:
            if self.count_known:
                raise InvalidInput(say("refusal.density-of-known-count"))
            object.__setattr__(self, "density", check_probability(self.density, "a density"))
        for name in ("count_known", "flood"):
            if not isinstance(getattr(self, name), bool):
                raise InvalidInput(
                    f"{name} must be True or False, got {quote(getattr(self, name))}"
                )

    def stated(self, *, dealt: bool) -> Rules:
        """Return these rules with the default opening rule resolved: `safe` if dealt, or `any`."""
        if not isinstance(self.opening, _Unstated):
            return self
        return replace(self, opening="safe" if dealt else "any")

    def to_json(self) -> dict[str, Any]:
        """Return the rules as JSON data; `luck` only if it is not the default."""
        data = {**asdict(self), "opening": str(self.opening)}
        if self.luck == "dealt":  # as in files of earlier versions
            del data["luck"]
        return data


RulesLike = Rules | Mapping[str, Any]
"""Rules, or a dictionary of their fields."""
_FIELDS = tuple(field.name for field in fields(Rules))


def as_rules(rules: RulesLike | None, *, dealt: bool) -> Rules:
    """Return the given or the default rules, with the default opening rule resolved."""
    if rules is None:
        rules = Rules()
    elif not isinstance(rules, Rules):
        rules = _from_fields(rules)
    return rules.stated(dealt=dealt)


def _from_fields(given: object) -> Rules:
    if not isinstance(given, Mapping):
        example = "{'on_mine': 'continue'}"
        raise WrongType(f"rules must be Rules or a dictionary like {example}, got {quote(given)}")
    for name in given:
        if not isinstance(name, str):
            raise WrongType(f"the name of a rule must be a string, got {quote(name)}")
        if name not in _FIELDS:
            raise unknown_name("rule", name, _FIELDS)
    return Rules(**given)
