"""Values that cross the borders between Python, C++ and JavaScript mean the same on each side."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from mineproof import _engine
from mineproof.agents.budget import BUDGETS, LIMITS
from mineproof.agents.builtin import RECIPES
from mineproof.boards.deduction_play import REASONING
from mineproof.errors import InvalidInput
from mineproof.gym.vector import RENEWALS
from mineproof.messages.proofs import CaseLineData, StepKind
from mineproof.reasoning.proofs.statements import CaseLineKind, InferenceKind
from mineproof.world.board import OPENINGS
from mineproof.world.chance import Purpose
from mineproof.world.geometry import MAX_SIDE
from mineproof.world.move import Action
from mineproof.world.view import State
from tools import kernel_tables

compiled = pytest.mark.skipif(not _engine.is_native(), reason="the engine is not compiled")
native: Any = _engine.native
ROOT = Path(__file__).parents[1]


def names(enum: Any) -> list[str]:
    return [one.name.lower() for one in enum]


def numbers(enum: Any) -> dict[str, int]:
    return {one.name.lower(): int(one.value) for one in enum}


def test_the_kernel_has_the_fields_of_a_budget() -> None:
    written = kernel_tables.FIELDS.read_text(encoding="utf-8")
    assert written == kernel_tables.budget(), "run python -m tools.kernel_tables"


@compiled
def test_the_web_app_has_the_tables_of_the_kernel() -> None:
    written = kernel_tables.TABLES.read_text(encoding="utf-8")
    assert written == kernel_tables.tables(), "run python -m tools.kernel_tables"


def test_the_docs_list_the_budgets() -> None:
    text = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|.*?\| (\S+) \| (\S+) \| (\S+) \|$", text, re.MULTILINE)
    listed = {name: values for name, *values in rows if name in LIMITS}
    for name, (kind, *_) in LIMITS.items():
        values = [getattr(BUDGETS[budget], name) for budget in ("fast", "default", "max")]
        assert listed[name] == [f"{one:,}" if kind is int else str(one).lower() for one in values]


@compiled
def test_enumerators_have_the_same_names_and_values() -> None:
    assert names(native.Opening) == list(OPENINGS)
    assert names(native.Reasoning) == list(REASONING)
    assert names(native.Autoreset) == list(RENEWALS.values())
    assert names(native.Inference.Kind) == names(InferenceKind) == list(get_args(StepKind))
    lines = get_args(get_type_hints(CaseLineData)["what"])
    assert names(native.Line.What) == names(CaseLineKind) == list(lines)
    assert numbers(native.Purpose) == numbers(Purpose)
    assert numbers(native.State) == {
        "known_safe" if name == "safe" else name: value for name, value in numbers(State).items()
    }
    assert {_engine.text_of(one) for one in native.Action} == set(get_args(Action))


@compiled
def test_the_maximum_board_side_is_the_same() -> None:
    with pytest.raises(InvalidInput, match=f"must be from 1 to {MAX_SIDE}, got {MAX_SIDE + 1}"):
        native.count_mines(MAX_SIDE + 1, 1, b"")


@compiled
def test_every_rule_of_the_kernel_has_a_column() -> None:
    rules = set(names(native.Rule)) - {"none"}
    assert {f"proved_{rule}" for rule in rules} <= native.columns().keys()


@compiled
def test_the_kernel_plays_every_compiled_agent() -> None:
    twins = [recipe.twin for recipe in RECIPES.values() if recipe.twin is not None]
    assert set(names(native.Guesser)) == {twin.guesser for twin in twins}
    assert set(names(native.AdvancedRule)) == {twin.beyond for twin in twins}
