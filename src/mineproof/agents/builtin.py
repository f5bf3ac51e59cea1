"""All agents, one line each, and how a name and its options become an agent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from mineproof.agents.budget import BUDGETS, LIMITS
from mineproof.agents.champion import Champion
from mineproof.agents.guessers import (
    LeastShare,
    LikelyClear,
    always_in_order,
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
from mineproof.errors import InvalidInput, MineproofError, check_probability, unknown_name
from mineproof.reasoning.local import local
from mineproof.reasoning.once import once
from mineproof.reasoning.one_two import one_two, one_two_raw
from mineproof.reasoning.pairs import pairs
from mineproof.world.clues import ClueModel
from mineproof.world.naming import read_options

# fmt: off
_TABLE = (
    # name, title, reasoners, what reasons further, guesser, origin, what it does
    Recipe("random", "Random", (), None, always_in_order, "-", "opens cells in random order and deduces nothing"),  # noqa: E501
    Recipe("simple", "Simple rules", (once,), None, in_order, "report 003", "applies the two local rules once, to the cell just opened; guesses at random", remembers=True),  # noqa: E501
    Recipe("baseline", "Baseline", (local,), None, in_order, "reports 000, 004", "applies the two local rules until nothing new follows; guesses at random", options=("lazy", "stop")),  # noqa: E501
    Recipe("baseline-selection", "Baseline with selection", (local,), None, least_clue_sum, "report 004", "reasons like baseline; guesses where the surrounding clues have the lowest sum"),  # noqa: E501
    Recipe("one-two", "One-two pattern", (once, one_two), None, in_order, "report 003", "reasons like simple and knows the pattern of a 1 next to a 2; guesses at random", remembers=True, options=("raw",)),  # noqa: E501
    Recipe("one-two-corners", "One-two, corners first", (once, one_two), None, corners_then_edges, "report 003", "reasons like one-two; guesses corners first, then edges", remembers=True, options=("raw", "fixed")),  # noqa: E501
    Recipe("csp", "Subsets", (local,), SUBSETS, least_clue_ratio, "report 001", "combines clues by the subset rule; guesses next to the clue with the lowest share of mines", start=(0, 0)),  # noqa: E501
    Recipe("csp-count", "Subsets and mine count", (local,), SUBSETS_UNTIL_FOUND, least_clue_ratio, "report 001", "reasons and guesses like csp; opens all other cells once every mine is found", start=(0, 0)),  # noqa: E501
    Recipe("gauss", "Gaussian elimination", (local,), ROWS, in_order, "report 002", "solves the clues as linear equations; guesses at random", options=("impute", "slack")),  # noqa: E501
    Recipe("probability", "Local probabilities", (local,), None, least_local_probability, "report 002", "applies the local rules; guesses the cell with the lowest risk, judged by single clues", options=("impute",)),  # noqa: E501
    Recipe("linalg", "Linear algebra", (local,), ROWS, in_order, "report 000", "row-reduces the equations of the clues; guesses at random"),  # noqa: E501
    Recipe("linalg-count", "Linear algebra with mine count", (local,), ROWS_WITH_COUNT, in_order, "report 000", "reasons like linalg, with the mine count as one more equation; guesses at random", options=("stop",)),  # noqa: E501
    Recipe("brute", "Brute force", (local,), None, LeastShare(count=True), "report 000", "applies the local rules; guesses by listing all configurations of small components", options=("cap", "stop")),  # noqa: E501
    Recipe("linalg-brute", "Linear algebra and brute force", (local,), ROWS_WITH_COUNT, LeastShare(count=True), "report 000", "reasons like linalg-count; guesses like brute", options=("cap", "stop")),  # noqa: E501
    Recipe("linalg-brute-nocount", "Linear algebra and brute force, no mine count", (local,), ROWS, LeastShare(count=False), "report 000", "reasons like linalg; guesses like brute, both without the mine count", options=("cap",)),  # noqa: E501
    Recipe("mean", "M.E.A.N.", (local,), SUBSETS, LikelyClear(in_order), "report 004", "combines clues by the subset rule; guesses cells that are safe in most solutions of the summed equations", options=("threshold", "joint")),  # noqa: E501
    Recipe("mean-selection", "M.E.A.N. with selection", (local,), SUBSETS, LikelyClear(least_clue_sum), "report 004", "reasons like mean; guesses like mean or, failing that, like baseline-selection", options=("threshold", "joint")),  # noqa: E501
    Recipe("linopt", "Linear programming", (local,), PROGRAMMES, LeastShare(count=True), "report 000", "solves linear programmes over all clues and the mine count; guesses like brute", costly=True, options=("sum",)),  # noqa: E501
    Recipe("exact", "Exact inference", (local, pairs), EXACT, least_exact, "beyond", "deduces everything that follows from all clues and the mine count; guesses the cell with the lowest risk"),  # noqa: E501
    Recipe("champion", "Champion", (local, pairs), EXACT, Champion(), "beyond", "deduces like exact, but plays to win: perfect endgames, look-ahead and playouts (budget=fast, default or max)", costly=True, options=("budget", *LIMITS)),  # noqa: E501
)
# fmt: on
RECIPES: dict[str, Recipe] = {recipe.name: recipe for recipe in _TABLE}


class Option(NamedTuple):
    """An option of an agent: the type of its value, and how it changes the recipe.

    `about` explains it in a sentence; `origin` names the report that it comes from.
    """

    kind: type
    apply: Callable[[Recipe, Any], Recipe]
    about: str
    origin: str = "beyond"


def _naive(recipe: Recipe, naive: bool) -> Recipe:
    return replace(recipe, naive=naive)


def _raw(recipe: Recipe, raw: bool) -> Recipe:
    """Apply the pattern as in the report."""
    return replace(recipe, reasoners=(once, one_two_raw), sound=False) if raw else recipe


def _fixed(recipe: Recipe, fixed: bool) -> Recipe:
    """Try corners and edges in the order in which report 003 queues them."""
    return replace(recipe, guess=corners_then_edges_by_index) if fixed else recipe


def _lazy(recipe: Recipe, lazy: bool) -> Recipe:
    """Play in the order of report 000."""
    return replace(recipe, lazy=lazy)


def _impute(recipe: Recipe, impute: bool) -> Recipe:
    """Replace missing clues by the number expected when the cell opens (report 002)."""
    return replace(recipe, imputes=True, remembers=True, sound=False) if impute else recipe


def _slack(recipe: Recipe, slack: bool) -> Recipe:
    """Handle clues that give only bounds as report 002 does."""
    return replace(recipe, beyond=ROWS_WITH_SLACK) if slack else recipe


def _sum(recipe: Recipe, largest: bool) -> Recipe:
    """Treat one solution with the largest sum as the truth, as report 000 tried."""
    return replace(recipe, beyond=LARGEST_SUM, sound=False) if largest else recipe


def _stop(recipe: Recipe, stop: bool) -> Recipe:
    """Stop after the last mine if the mine count is known (report 000)."""
    return replace(recipe, stops=stop)


def _cap(recipe: Recipe, cap: int) -> Recipe:
    """Limit the size of the components that are listed; 0 for no limit."""
    assert isinstance(recipe.guess, LeastShare)
    if cap < 0:
        raise InvalidInput(f"{recipe.name}:cap must be at least 0 (no limit), got {cap}")
    return replace(recipe, guess=replace(recipe.guess, cap=cap))


def _threshold(recipe: Recipe, threshold: float) -> Recipe:
    """Open a cell that is safe in more than this share of the solutions."""
    assert isinstance(recipe.guess, LikelyClear)
    return replace(
        recipe, guess=replace(recipe.guess, enough=check_probability(threshold, "threshold"))
    )


def _joint(recipe: Recipe, joint: bool) -> Recipe:
    """Count the solutions of all equations instead of those of their sum."""
    assert isinstance(recipe.guess, LikelyClear)
    return replace(recipe, guess=replace(recipe.guess, joint=joint))


def _budget(recipe: Recipe, name: str) -> Recipe:
    """Choose a budget by name."""
    if name not in BUDGETS:
        raise unknown_name("budget", name, BUDGETS)
    return replace(recipe, guess=Champion(BUDGETS[name]))


def _within(field: str) -> Callable[[Recipe, Any], Recipe]:
    """Return what sets one field of the budget."""

    def apply(recipe: Recipe, value: Any) -> Recipe:
        assert isinstance(recipe.guess, Champion)
        return replace(recipe, guess=Champion(recipe.guess.budget._replace(**{field: value})))

    return apply


_FOR_ALL = ("naive",)
_OPTIONS = {
    "raw": Option(
        bool,
        _raw,
        "Apply the pattern to clues as shown, not reduced by known mines; this sets wrong flags.",
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
        "Take one solution with the largest sum as the truth, as the report's simplex did.",
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
        "List configurations of components with at most this many cells (default 20, 0: any).",
        "report 000",
    ),
    "threshold": Option(
        float,
        _threshold,
        "Open a cell that is safe in more than this share of the solutions (default 0.85).",
        "report 004",
    ),
    "joint": Option(bool, _joint, "Count solutions of all equations together, not of their sum."),
    "budget": Option(str, _budget, "How much a move may cost: fast, default or max."),
    **{
        field: Option(limits.kind, _within(field), limits.about) for field, limits in LIMITS.items()
    },
    "naive": Option(
        bool, _naive, "Treat every clue as exact, whatever the clue model says.", "report 000"
    ),
}
"""In the order of application: the name of a budget before its numbers."""


def options_of(recipe: Recipe) -> dict[str, Option]:
    """Return the options of an agent, by name."""
    return {name: _OPTIONS[name] for name in (*recipe.options, *_FOR_ALL)}


def names() -> list[str]:
    """Return the names of all agents."""
    return list(RECIPES)


def get(text: str) -> Recipe:
    """Return the agent of this name; options may follow a colon."""
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
    """Return the agent that a record names; None for a user's own agent."""
    return get(text) if text.partition(":")[0] in RECIPES else None


def proves(name: str, clues: ClueModel) -> bool:
    """Return whether the agent with this name proves its certain moves with these clues.

    False if it is one of ours and only claims them.
    """
    try:
        agent = find(name)
    except MineproofError:
        return True
    return agent is None or agent.proves(clues)
