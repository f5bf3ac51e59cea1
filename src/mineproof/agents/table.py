"""The agents, one line each, and how they are asked for by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple, get_type_hints

from mineproof.agents.champion import BUDGET_FIELDS, BUDGETS, Budget, Champion
from mineproof.agents.guessers import (
    LeastShare,
    LikelyClear,
    corners_then_edges,
    corners_then_edges_by_index,
    in_order,
    least_clue_ratio,
    least_clue_sum,
    least_exact,
    least_local_probability,
)
from mineproof.agents.recipes import (
    EXACT,
    LARGEST_SUM,
    PROGRAMMES,
    ROWS,
    ROWS_WITH_COUNT,
    ROWS_WITH_SLACK,
    SUBSETS,
    SUBSETS_UNTIL_FOUND,
    Recipe,
)
from mineproof.errors import InvalidInput, share, unknown_name
from mineproof.reasoning.local import local
from mineproof.reasoning.once import once
from mineproof.reasoning.one_two import one_two, one_two_raw
from mineproof.reasoning.pairs import pairs
from mineproof.world.naming import read_options

# fmt: off
_TABLE = (
    # name, reasoners, what they find beyond, when nothing is certain, origin, what it does
    Recipe("random", (), None, in_order, "-", "opens cells in a random order, and learns nothing"),
    Recipe("simple", (once,), None, in_order, "report 003", "the local rules, tried once on the cell just opened", remembers=True),  # noqa: E501
    Recipe("baseline", (local,), None, in_order, "reports 000, 004", "the local rules on all that is known, until nothing follows", options=("lazy", "stop")),  # noqa: E501
    Recipe("baseline-selection", (local,), None, least_clue_sum, "report 004", "as baseline; guesses where the clues around sum to the least"),  # noqa: E501
    Recipe("one-two", (once, one_two), None, in_order, "report 003", "as simple, and the pattern of a 1 beside a 2", remembers=True, options=("raw",)),  # noqa: E501
    Recipe("one-two-corners", (once, one_two), None, corners_then_edges, "report 003", "as one-two; guesses corners, then edges", remembers=True, options=("raw", "fixed")),  # noqa: E501
    Recipe("csp", (local,), SUBSETS, least_clue_ratio, "report 001", "the local rules and subsets; guesses beside the clue with the least share of mines", start=(0, 0)),  # noqa: E501
    Recipe("csp-count", (local,), SUBSETS_UNTIL_FOUND, least_clue_ratio, "report 001", "as csp; opens the rest once all mines are found", start=(0, 0)),  # noqa: E501
    Recipe("gauss", (local,), ROWS, in_order, "report 002", "the local rules and Gaussian elimination", options=("impute", "slack")),  # noqa: E501
    Recipe("probability", (local,), None, least_local_probability, "report 002", "the local rules; guesses by single clues' chances", options=("impute",)),  # noqa: E501
    Recipe("linalg", (local,), ROWS, in_order, "report 000", "the local rules and reduced rows"),
    Recipe("linalg-count", (local,), ROWS_WITH_COUNT, in_order, "report 000", "as linalg, with the mine count as one more row", options=("stop",)),  # noqa: E501
    Recipe("brute", (local,), None, LeastShare(count=True), "report 000", "the local rules; guesses by listing all arrangements of small components", options=("cap", "stop")),  # noqa: E501
    Recipe("linalg-brute", (local,), ROWS_WITH_COUNT, LeastShare(count=True), "report 000", "as linalg-count; guesses as brute", options=("cap", "stop")),  # noqa: E501
    Recipe("linalg-brute-nocount", (local,), ROWS, LeastShare(count=False), "report 000", "as linalg; guesses as brute, without the mine count", options=("cap",)),  # noqa: E501
    Recipe("mean", (local,), SUBSETS, LikelyClear(in_order), "report 004", "the local rules and subsets; guesses by equations added up", options=("threshold", "joint")),  # noqa: E501
    Recipe("mean-selection", (local,), SUBSETS, LikelyClear(least_clue_sum), "report 004", "as mean; else guesses where the clues around sum to the least", options=("threshold", "joint")),  # noqa: E501
    Recipe("linopt", (local,), PROGRAMMES, LeastShare(count=True), "report 000", "the local rules and linear programmes with the mine count; guesses as brute", costly=True, options=("sum",)),  # noqa: E501
    Recipe("exact", (local, pairs), EXACT, least_exact, "beyond", "all that follows from all clues and the count; guesses the least exact chance of a mine"),  # noqa: E501
    Recipe("champion", (local, pairs), EXACT, Champion(), "beyond", "as exact; but plays to win: perfect endgames, looks ahead, plays games out (budget=fast, default or max)", costly=True, options=("budget", *Budget._fields)),  # noqa: E501
)
# fmt: on
RECIPES: dict[str, Recipe] = {recipe.name: recipe for recipe in _TABLE}


class Option(NamedTuple):
    """What may follow an agent's name: the kind of its value, and what it makes of a recipe.

    `about` explains it in a sentence, `origin` names the report that it comes from.
    """

    kind: type
    apply: Callable[[Recipe, Any], Recipe]
    about: str
    origin: str = "beyond"


def _naive(recipe: Recipe, naive: bool) -> Recipe:
    return replace(recipe, naive=naive)


def _raw(recipe: Recipe, raw: bool) -> Recipe:
    """The pattern as in the report."""
    return replace(recipe, reasoners=(once, one_two_raw), sound=False) if raw else recipe


def _fixed(recipe: Recipe, fixed: bool) -> Recipe:
    """Corners and edges in the order in which report 003 queues them."""
    return replace(recipe, guess=corners_then_edges_by_index) if fixed else recipe


def _lazy(recipe: Recipe, lazy: bool) -> Recipe:
    """Report 000's order of play."""
    return replace(recipe, lazy=lazy)


def _impute(recipe: Recipe, impute: bool) -> Recipe:
    """What is expected when a cell opens, and not later (report 002)."""
    return replace(recipe, imputes=True, remembers=True, sound=False) if impute else recipe


def _slack(recipe: Recipe, slack: bool) -> Recipe:
    """Report 002's way with clues that give only bounds."""
    return replace(recipe, beyond=ROWS_WITH_SLACK) if slack else recipe


def _sum(recipe: Recipe, largest: bool) -> Recipe:
    """Report 000's own attempt: one solution, of the largest sum, is taken for the truth."""
    return replace(recipe, beyond=LARGEST_SUM, sound=False) if largest else recipe


def _stop(recipe: Recipe, stop: bool) -> Recipe:
    """Where the count is known, not a cell is opened after the last mine (report 000)."""
    return replace(recipe, stops=stop)


def _cap(recipe: Recipe, cap: int) -> Recipe:
    """The size of the components that are listed; 0 for any."""
    assert isinstance(recipe.guess, LeastShare)
    if cap < 0:
        raise InvalidInput(f"{recipe.name}:cap is at least 0 (none), got {cap}")
    return replace(recipe, guess=replace(recipe.guess, cap=cap))


def _threshold(recipe: Recipe, threshold: float) -> Recipe:
    """From what share of solutions on a cell is taken for clear."""
    assert isinstance(recipe.guess, LikelyClear)
    return replace(recipe, guess=replace(recipe.guess, enough=share(threshold, "threshold")))


def _joint(recipe: Recipe, joint: bool) -> Recipe:
    """The solutions of all equations, in place of those of their sum."""
    assert isinstance(recipe.guess, LikelyClear)
    return replace(recipe, guess=replace(recipe.guess, joint=joint))


def _budget(recipe: Recipe, name: str) -> Recipe:
    """How much a move may cost, by name."""
    if name not in BUDGETS:
        raise unknown_name("budget", name, BUDGETS)
    return replace(recipe, guess=Champion(BUDGETS[name]))


def _within(field: str) -> Callable[[Recipe, Any], Recipe]:
    """One of the numbers of a budget."""

    def apply(recipe: Recipe, number: Any) -> Recipe:
        assert isinstance(recipe.guess, Champion)
        return replace(recipe, guess=Champion(recipe.guess.budget._replace(**{field: number})))

    return apply


_FOR_ALL = ("naive",)
_OPTIONS = {
    "raw": Option(
        bool,
        _raw,
        "Use the pattern on clues as shown, not reduced by known mines; it sets wrong flags.",
        "report 003",
    ),
    "fixed": Option(
        bool, _fixed, "Try corners and edges in a fixed order, row by row.", "report 003"
    ),
    "impute": Option(
        bool,
        _impute,
        "Replace a missing clue by the number of mines expected there, rounded down.",
        "report 002",
    ),
    "slack": Option(
        bool,
        _slack,
        "Turn clues that are only bounds into equations with a slack variable.",
        "report 002",
    ),
    "sum": Option(
        bool,
        _sum,
        "Take one solution with the largest sum for the truth, as the report's simplex did.",
        "report 000",
    ),
    "lazy": Option(
        bool, _lazy, "Play everything deduced before going through all clues again.", "report 000"
    ),
    "stop": Option(
        bool,
        _stop,
        "Stop as soon as flags and exploded mines add up to the mine count.",
        "report 000",
    ),
    "cap": Option(
        int,
        _cap,
        "List configurations of components of up to this many cells (default 20, 0 for any).",
        "report 000",
    ),
    "threshold": Option(
        float,
        _threshold,
        "Open a cell that is clear in more than this share of the solutions (default 0.85).",
        "report 004",
    ),
    "joint": Option(bool, _joint, "Count solutions of all equations together, not of their sum."),
    "budget": Option(str, _budget, "How much a move may cost: fast, default or max."),
    **{
        field: Option(kind, _within(field), BUDGET_FIELDS[field])
        for field, kind in get_type_hints(Budget).items()
    },
    "naive": Option(
        bool, _naive, "Take every clue at its word, whatever the clue model says.", "report 000"
    ),
}
"""In the order in which they are applied: a budget by its name before its numbers."""


def options_of(recipe: Recipe) -> dict[str, Option]:
    """What may follow an agent's name, with what each option does."""
    return {name: _OPTIONS[name] for name in (*recipe.options, *_FOR_ALL)}


def names() -> list[str]:
    """The agents there are."""
    return list(RECIPES)


def get(text: str) -> Recipe:
    """The agent of this name; options may follow a colon."""
    name, _, rest = text.strip().partition(":")
    if name not in RECIPES:
        raise unknown_name("agent", name, RECIPES)
    recipe = RECIPES[name]
    kinds = {option: how.kind for option, how in options_of(recipe).items()}
    given = read_options(rest, kinds, name)
    for option, how in _OPTIONS.items():
        if option in given:
            recipe = how.apply(recipe, given[option])
    return replace(recipe, name=text.strip()) if given else recipe


def find(text: str) -> Recipe | None:
    """The agent that a record names; None if it was played by one of somebody's own."""
    return get(text) if text.partition(":")[0] in RECIPES else None
