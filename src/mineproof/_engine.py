"""The choice of engine: compiled (C++) or Python. Both give the same results.

`MINEPROOF_ENGINE=python|native` chooses; the default is the native engine if it was built. Only
this module loads the compiled part (`native`) and converts rules, clue models, agents and
budgets to its types. It imports none of the modules that define these, and relies on
their attributes only.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from mineproof.errors import EngineError, unknown_name
from mineproof.interrupts import undisturbed

if TYPE_CHECKING:
    from mineproof import _native as native
else:
    native = None
    """The compiled module, if the engine is native."""

__all__ = [
    "ENGINES",
    "Twin",
    "budget_of",
    "compiles",
    "counts",
    "is_native",
    "model_of",
    "name",
    "native",
    "rules_of",
    "strategy_of",
    "text_of",
    "twin",
    "twin_of",
    "using",
]

ENGINES = ("native", "python")


def _load() -> None:
    """Load `native`; raise an error that explains why if that fails."""
    global native  # noqa: PLW0603
    if native is not None:
        return
    if find_spec("mineproof._native") is None:
        raise EngineError(
            "the native engine was requested, but this installation has no compiled part: "
            "reinstall with a C++20 compiler and MINEPROOF_REQUIRE_NATIVE=1"
        )
    try:
        with undisturbed():  # interrupted halfway, it would crash the process
            native = import_module("mineproof._native")
    except ImportError as error:
        raise EngineError(
            f"the compiled part is installed but cannot be loaded ({error}): "
            "reinstall mineproof, or set MINEPROOF_ENGINE=python"
        ) from error


def _chosen(wanted: str | None) -> str:
    if wanted is not None and wanted not in ENGINES:
        raise unknown_name("engine in MINEPROOF_ENGINE", wanted, ENGINES)
    engine = wanted or ("native" if find_spec("mineproof._native") else "python")
    if engine == "native":
        _load()
    return engine


_engine = _chosen(os.environ.get("MINEPROOF_ENGINE") or None)


def name() -> str:
    """Return the engine in use: `native` or `python`."""
    return _engine


def is_native() -> bool:
    """Return whether the engine is native; if so, `native` is loaded."""
    return _engine == "native"


@contextmanager
def using(engine: str) -> Iterator[None]:
    """Use this engine within a `with` block (for tests and comparisons; not thread-safe)."""
    global _engine  # noqa: PLW0603
    before = _engine
    _engine = _chosen(engine)
    try:
        yield
    finally:
        _engine = before


# The attributes of Python objects that are used here.


class _Rules(Protocol):
    @property
    def on_mine(self) -> str: ...
    @property
    def opening(self) -> str: ...
    @property
    def count_known(self) -> bool: ...
    @property
    def flood(self) -> bool: ...
    @property
    def density(self) -> float | None: ...
    @property
    def luck(self) -> str: ...


class _Clues(Hashable, Protocol):
    @property
    def is_exact(self) -> bool: ...
    @property
    def drawn(self) -> str | None: ...
    @property
    def redraw(self) -> bool: ...
    @property
    def known(self) -> bool: ...
    def likelihood(self, shown: int | None, degree: int) -> Sequence[float]: ...


class _Grid(Protocol):
    @property
    def size(self) -> int: ...
    def index(self, cell: tuple[int, int]) -> int: ...


class Twin(NamedTuple):
    """The compiled counterpart of an agent: the names of its parts in the compiled engine.

    `start` is the cell that the agent opens first, `budget` the limits of its search by name. A
    `naive` agent takes every clue for exact. With uncertain clues, the twin plays boards with more
    than `tree` cells only, as it cannot search whole game trees. `shares` says whether the guesser
    `least_share` uses the mine count, and the most cells of a component that it counts.
    """

    local: bool
    pairs: bool
    beyond: str
    guesser: str
    start: tuple[int, int] | None = None
    budget: Mapping[str, float] | None = None
    naive: bool = False
    tree: int = 0
    shares: tuple[bool, int] | None = None


_Marked = TypeVar("_Marked", bound=Callable[..., object])
_TWIN = "native_twin"


def twin(name: str) -> Callable[[_Marked], _Marked]:
    """Mark a reasoner or a guesser that the compiled engine also has, under this name."""

    def mark(function: _Marked) -> _Marked:
        setattr(function, _TWIN, name)
        return function

    return mark


def twin_of(function: object) -> str | None:
    """Return the name of a reasoner or a guesser in the compiled engine, or None."""
    return getattr(function, _TWIN, None)


def compiles(agent: object, clues: _Clues) -> bool:
    """Return whether the compiled engine could play an agent's games, if it is installed."""
    plays: Twin | None = getattr(agent, "twin", None)
    return plays is not None and clues.drawn is not None


def counts(agent: object) -> bool:
    """Return whether an agent's twin counts configurations: slow if clues are uncertain."""
    plays: Twin | None = getattr(agent, "twin", None)
    return plays is not None and plays.beyond == "exact"


def strategy_of(agent: object, clues: _Clues, grid: _Grid) -> native.Strategy | None:
    """Return the compiled form of an agent; None if it has none or the engine is not native."""
    if not is_native() or not compiles(agent, clues):
        return None
    plays: Twin = agent.twin  # type: ignore[attr-defined]
    if not clues.is_exact and not plays.naive and grid.size <= plays.tree:
        return None
    return native.Strategy(
        local=plays.local,
        pairs=plays.pairs,
        beyond=native.AdvancedRule[plays.beyond],
        guesser=native.Guesser[plays.guesser],
        first=None if plays.start is None else grid.index(plays.start),
        budget=None if plays.budget is None else budget_of(plays.budget),
        naive=plays.naive,
        shares=plays.shares,
    )


def budget_of(numbers: Mapping[str, float]) -> native.Budget:
    """Return the compiled form of a budget."""
    return native.Budget(**numbers)  # type: ignore[arg-type]


def rules_of(rules: _Rules) -> native.GameRules:
    """Return the compiled form of rules."""
    return native.GameRules(
        mine_ends=rules.on_mine == "end",
        opening=native.Opening[rules.opening],
        count_known=rules.count_known,
        flood=rules.flood,
        density=rules.density,
        luck=native.Luck[rules.luck],
    )


def model_of(clues: _Clues) -> native.ClueModel | None:
    """Return the compiled form of a clue model; None for exact clues, which need none."""
    return None if clues.is_exact else _model(clues)


@lru_cache(maxsize=64)
def _model(clues: _Clues) -> native.ClueModel:
    import numpy as np

    table = np.zeros((10, 9, 9))
    for shown in range(10):
        for degree in range(9):
            chances = clues.likelihood(None if shown == 9 else shown, degree)
            table[shown, degree, : degree + 1] = chances
    drawn = native.ClueDraw[clues.drawn or "likelihood"]
    return native.ClueModel(table, drawn, clues.redraw, clues.known)


def text_of(member: native.Rule | native.Action | native.Method) -> str:
    """Return the Python name of a rule, an action or a method of the compiled engine."""
    return "" if member.name == "none" else member.name.replace("_", "-")
