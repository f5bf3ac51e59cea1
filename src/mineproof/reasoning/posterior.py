"""The exact posterior: the mine probability of every unknown cell of a view.

It is computed by the compiled engine or by the Python one (`counting`, the reference); both give
the same result. If counting would need more states than the budget, the result is an estimate and
says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import exp, log
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from mineproof import _engine
from mineproof.arguments import each, of_type, wrong_type
from mineproof.errors import (
    Contradiction,
    EngineError,
    MineproofError,
    check_integer,
    in_position,
    plural,
    shorten,
)
from mineproof.phrases import Phrase
from mineproof.reasoning import contradiction, counting
from mineproof.reasoning.evidence import Evidence, check_density, gather
from mineproof.reasoning.sweep import OverBudget
from mineproof.world.board import Board
from mineproof.world.chance import Purpose, Stream, check_seed
from mineproof.world.clues import ClueModel, Exact, Likelihood, as_clues
from mineproof.world.geometry import Cell, Grid
from mineproof.world.view import EXPLODED, FLAGGED, KNOWN_SAFE, NO_CLUE, View

if TYPE_CHECKING:
    from mineproof import _native

BUDGET = 1_000_000
"""The most states of one component that are counted; beyond it, the result is an estimate."""


MOVE_BUDGET = 30_000
"""The same per move of a game with uncertain clues. These decide few cells, so almost all of the
board stays one component. It is enough to count 10x10 exactly; a smaller budget is no faster."""

PYTHON_BUDGET = 300_000
"""The same for the Python engine, which takes several microseconds per state."""
MOST_THREADS = 1024
_MOST_BOARDS = 10**7
"""The most boards that one call of `sample` draws."""


class ViewSettings(NamedTuple):
    """How to interpret a view: the clue model, the prior if the count is unknown, the flags."""

    clues: ClueModel
    density: float | None
    trust_flags: bool
    budget: int


class _Found(Protocol):
    """The result of an engine; `safe` and `mined` are indices in increasing order."""

    @property
    def exact(self) -> bool: ...
    @property
    def risk(self) -> bytes: ...
    @property
    def safe(self) -> list[int]: ...
    @property
    def mined(self) -> list[int]: ...
    @property
    def log_weight(self) -> float: ...
    @property
    def error(self) -> float: ...


class _Counted(NamedTuple):
    """The result of the Python engine."""

    exact: bool
    risk: bytes
    safe: list[int]
    mined: list[int]
    log_weight: float
    error: float


_ANY_LINES = 1_000_000


class Posterior:
    """The mine probability of every hidden cell of a view, and the certain cells.

    `risk` is a read-only array of rows and columns with nan for opened and exploded cells. `safe`
    and `mined` list the hidden cells that are proved safe or proved mines, never cells whose
    estimated risk happens to be 0 or 1. `log_weight` is the natural logarithm of the total weight
    of all configurations; with exact clues and a known count, of their number. `exact` is False if
    the result is an estimate; `error` is then the largest standard error of a risk: never 0, and
    0.5 or more where hardly anything is known.
    """

    __slots__ = ("__dict__", "_found", "_risk", "_setting", "view")

    def __init__(self, view: View, setting: ViewSettings, found: _Found) -> None:
        self.view = view
        self._setting = setting
        self._found = found
        self._risk: NDArray[np.float64] | None = None

    def __reduce__(self) -> tuple[type[Posterior], tuple[object, ...]]:
        """Support pickle and copy by converting the result of the compiled engine to Python."""
        found = _Counted(*(getattr(self._found, name) for name in _Counted._fields))
        return Posterior, (self.view, self._setting, found)

    @property
    def log_weight(self) -> float:
        """The natural logarithm of the total weight of all configurations."""
        return self._found.log_weight

    @property
    def error(self) -> float:
        """The largest standard error of a risk; 0 if and only if the result is exact."""
        return self._found.error

    @property
    def exact(self) -> bool:
        """Whether everything was counted; otherwise the risks are estimates."""
        return self._found.exact

    @property
    def risk(self) -> NDArray[np.float64]:
        """The mine probability by row and column; nan for opened and exploded cells."""
        if self._risk is None:
            grid = self.view.grid
            self._risk = np.frombuffer(self._found.risk).reshape(grid.rows, grid.cols)
        return self._risk

    def __repr__(self) -> str:
        kind = "exact" if self.exact else "estimated"
        return f"<{kind} posterior of {shorten(self.view.to_text())!r}>"

    def __str__(self) -> str:
        """The board with the risk of every hidden cell, as readable text."""
        from mineproof.render import Room, draw_odds  # imports rich, which few callers need

        drawn = draw_odds(self, ascii_only=True, room=Room(_ANY_LINES, 80)).plain
        board = "\n".join(line.rstrip() for line in drawn.split("\n"))
        signs = [sign for sign in ("s safe", "m mine", "F flag") if sign[0] in board]
        title = ", ".join(["two digits: mine probability in %", *signs])
        return f"{title}\n{board}\n{self._weight()}"

    def _repr_svg_(self) -> str | None:
        """The picture for a notebook; None if the board is too large for one."""
        from mineproof.render import odds_svg
        from mineproof.render.notebook import if_small

        return if_small(self.view.grid, odds_svg, self, caption=self._weight())

    def _weight(self) -> str:
        """Whether the result is exact, and the number of configurations, in words."""
        if not self.exact:
            return f"estimate: standard errors up to {100 * self.error:.2g} %"
        if self.view.mines is None or not isinstance(self._setting.clues, Exact):
            return "exact: every configuration was counted"
        if self.log_weight < 20:
            fit = round(exp(self.log_weight))
            return f"exact: {plural(fit, 'configuration')}"
        return f"exact: about 10^{self.log_weight / log(10):.1f} configurations"

    def seen_as(self, view: View) -> Posterior:
        """Return the same posterior for a view that differs only in flags (not trusted)."""
        return Posterior(view, self._setting, self._found)

    @cached_property
    def safe(self) -> list[Cell]:
        """The hidden cells that are proved safe or marked as known safe, by index."""
        return self._proved(self._found.safe, KNOWN_SAFE)

    @cached_property
    def mined(self) -> list[Cell]:
        """The hidden cells that are proved mines, and trusted flags, by index."""
        return self._proved(self._found.mined, FLAGGED if self._setting.trust_flags else None)

    def _proved(self, proved: list[int], marked: int | None) -> list[Cell]:
        """These cells and those that are marked by the view, by index."""
        states = self.view.states
        if marked is not None and marked in states:
            found = {index for index, state in enumerate(states) if state == marked}
            proved = sorted(found.union(proved))
        return self.view.grid.cells(proved)

    @cached_property
    def arrangements(self) -> int:
        """The exact number of configurations, counted on first access.

        Raises `MineproofError` if that would take more than about a second.
        """
        setting = self._setting
        evidence = gather(
            self.view, setting.clues, density=setting.density, trust_flags=setting.trust_flags
        )
        known = dict.fromkeys(self._found.safe, False) | dict.fromkeys(self._found.mined, True)
        try:
            return counting.arrangements(evidence, known=known, budget=counting.BUDGET)
        except OverBudget:
            where = shorten(self.view.to_text())
            raise MineproofError(
                f"too many cases to count the configurations of {where!r} within the budget; "
                "log_weight is the logarithm of their total weight"
            ) from None


def posterior(
    view: View,
    clues: ClueModel | str = Exact(),
    *,
    density: float | None = None,
    trust_flags: bool = False,
    budget: int = BUDGET,
) -> Posterior:
    """Return the exact posterior of a view.

    The prior is the mine count of the view. If the count is unknown, it is the mine `density`; if
    that is not given either, every total is equally likely. Raises `Contradiction` if no
    configuration is possible.
    """
    setting = view_settings(view, clues, density, trust_flags, budget)
    if _engine.is_native():
        return _answer(view, setting, _engine.native.posterior(*asked(view, setting)))
    return _counted(view, setting, None)


def posteriors(
    views: Iterable[View],
    clues: ClueModel | str = Exact(),
    *,
    density: float | None = None,
    trust_flags: bool = False,
    budget: int = BUDGET,
    threads: int = 1,
) -> list[Posterior]:
    """Return the posteriors of many views; the compiled engine uses several threads."""
    seen = each(views, View, "views")
    clues = _reading(clues, trust_flags)
    threads = check_integer(threads, "threads", 1, MOST_THREADS)
    if density is not None:
        for view in seen:
            density = check_density(view, density)
    if not clues.is_exact:
        for view in seen:
            clues.check(view.grid)
    setting = ViewSettings(clues, density, trust_flags, check_budget(budget))
    if not _engine.is_native():
        return [_counted(view, setting, None) for view in seen]
    own = [list(clues.overrides(view).items()) for view in seen]
    found = _engine.native.posteriors(
        seen, _engine.model_of(clues), own, density, trust_flags, setting.budget, threads
    )
    return [_answer(view, setting, one) for view, one in zip(seen, found, strict=True)]


def sample(
    view: View,
    n: int,
    clues: ClueModel | str = Exact(),
    *,
    seed: int = 0,
    density: float | None = None,
    trust_flags: bool = False,
    budget: int = BUDGET,
) -> list[Board]:
    """Draw `n` boards from the exact posterior of a view.

    The same seed gives the same boards on the same engine.
    """
    setting = view_settings(view, clues, density, trust_flags, budget)
    seed = check_seed(seed)
    n = check_integer(n, "n", 0, _MOST_BOARDS)
    if _engine.is_native():
        native = _engine.native
        drawn = native.sample(*asked(view, setting), n, seed)
        if drawn.outcome is native.Outcome.contradiction:
            raise _contradiction(view, setting)
        if drawn.outcome is native.Outcome.estimate:
            raise MineproofError(
                f"too many cases to draw from exactly within a budget of {budget} states"
            )
        return [Board(view.grid, mined) for mined in drawn.boards]
    evidence = evidence_of(view, setting)
    solution = solve_in_python(evidence, setting)
    if solution is None:
        raise _contradiction(view, setting)
    fixed = [i for i, state in enumerate(view.states) if state == EXPLODED]
    fixed += evidence.mined
    streams = (Stream(seed, Purpose.PLAYOUT, i) for i in range(n))
    return [
        Board.from_mines(view.rows, view.cols, view.grid.cells([*fixed, *solution.sample(stream)]))
        for stream in streams
    ]


def view_settings(
    view: View, clues: ClueModel | str, density: float | None, trust_flags: bool, budget: int
) -> ViewSettings:
    """Check the arguments that say how to interpret a view."""
    if not isinstance(view, View):
        raise wrong_type(view, "view", View)
    clues = _reading(clues, trust_flags, view.grid)
    return ViewSettings(clues, check_density(view, density), trust_flags, check_budget(budget))


def _reading(clues: ClueModel | str, trust_flags: bool, grid: Grid | None = None) -> ClueModel:
    if trust_flags is not False:
        of_type(trust_flags, bool, "trust_flags")
    # Checked first, because the check for an abstract class is slower.
    return clues if type(clues) is Exact else as_clues(clues, grid)


def check_budget(budget: int) -> int:
    """Return a budget, or raise an error."""
    return check_integer(budget, "budget", 0, 10**12)


def evidence_of(
    view: View, setting: ViewSettings, mines: int | None = None, own: Mapping[int, Likelihood] = {}
) -> Evidence:
    """The constraints and the prior of a view, for the Python engine; see `gather`."""
    clues, density, trust_flags, _ = setting
    return gather(view, clues, density=density, trust_flags=trust_flags, mines=mines, own=own)


_Own = Sequence[tuple[int, Likelihood]]
Asked = tuple[View, "_native.ClueModel | None", _Own, float | None, bool, int, int | None]
"""The arguments of the compiled engine: a view and how to interpret it."""


def asked(
    view: View, setting: ViewSettings, mines: int | None = None, own: Mapping[int, Likelihood] = {}
) -> Asked:
    """Return the same for the compiled engine."""
    clues, density, trust_flags, budget = setting
    overrides = [*{**clues.overrides(view), **own}.items()] if view.bounds or own else ()
    return view, _engine.model_of(clues), overrides, density, trust_flags, budget, mines


def _answer(view: View, setting: ViewSettings, found: _native.Solution) -> Posterior:
    if not found.fits:
        raise _contradiction(view, setting)
    return Posterior(view, setting, found)


def solve_in_python(
    evidence: Evidence, setting: ViewSettings, cache: counting.Cache | None = None
) -> counting.CountedSolution | None:
    """Count with the Python engine; raise `EngineError` if the budget is too small."""
    budget = min(setting.budget, PYTHON_BUDGET)
    try:
        return counting.solve(evidence, cache, budget=budget)
    except OverBudget:
        raise EngineError(
            f"counting the configurations takes more than {budget} states, or too much memory; "
            "use the native engine, which can estimate it"
        ) from None


def _counted(view: View, setting: ViewSettings, cache: counting.Cache | None) -> Posterior:
    """The posterior by the Python engine."""
    evidence = evidence_of(view, setting)
    solution = solve_in_python(evidence, setting, cache)
    if solution is None:
        raise _contradiction(view, setting)
    risk = np.full(view.grid.size, np.nan)
    for index, chance in solution.risk.items():
        risk[index] = float(chance)
    risk[list(evidence.known_safe)] = 0.0
    risk[list(evidence.mined)] = 1.0
    safe, mined = sorted(solution.safe), sorted(solution.mined)
    found = _Counted(True, risk.tobytes(), safe, mined, solution.log_weight, 0.0)
    return Posterior(view, setting, found)


def _contradiction(view: View, setting: ViewSettings) -> Contradiction:
    """Return the error for an impossible view, with the contradicting clues."""
    found = contradiction.explain(evidence_of(view, setting))
    cells = tuple(view.grid.cells(found.clues))
    mines = "unknown" if view.mines is None else view.mines
    what = Phrase("refusal.contradiction", {"mines": mines, "why": _why(view, found)})
    where = in_position(what, view.to_text())
    return Contradiction(where, cells, found.count_used, found.irreducible)


def _why(view: View, found: contradiction.Clash) -> Phrase:
    """Which clues contradict each other."""
    indices, count_used, irreducible = found
    if not indices:
        known = Phrase("refusal.clues-unknown", {"count_used": count_used})
        return Phrase("refusal.no-clues") if irreducible else known
    shown = (view.states[index] for index in indices)
    named = [
        Phrase(
            "subset.term",
            {"at": view.grid.cell(index), "clue": "-" if state == NO_CLUE else state},
        )
        for index, state in zip(indices, shown, strict=True)
    ]
    if len(named) > _NAMED:
        named[_NAMED:] = [Phrase("refusal.more", {"more": len(named) - _NAMED})]
    about = {"clues": named, "irreducible": irreducible, "count_used": count_used}
    return Phrase("refusal.clue" if len(named) == 1 else "refusal.clues", about)


_NAMED = 6
"""The most contradicting clues that a message names."""


class Tracker:
    """Computes the posteriors of one game; components that a move does not change are reused."""

    def __init__(self, clues: ClueModel, density: float | None) -> None:
        self._clues, self._density = clues, density
        self._cache: counting.Cache = {}
        self._engine: _native.Engine | None = None
        self._seen: View | None = None
        self._latest: Posterior | None = None

    def posterior(self, view: View) -> Posterior:
        """Return the posterior of the current view; nothing is counted twice."""
        # A flag is a mark, not evidence, so it does not change the posterior.
        seen = view.unflagged()
        if self._latest is None or self._seen != seen:
            self._latest = self._count(view)
            self._seen = seen
        elif self._latest.view != view:
            self._latest = self._latest.seen_as(view)
        return self._latest

    def _count(self, view: View) -> Posterior:
        density = None if view.mines is not None else self._density
        setting = view_settings(view, self._clues, density, False, BUDGET)
        if not _engine.is_native():
            return _counted(view, setting, self._cache)
        if not isinstance(self._clues, Exact):
            setting = setting._replace(budget=MOVE_BUDGET)
        if self._engine is None:
            self._engine = _engine.native.Engine()
        return _answer(view, setting, self._engine.posterior(*asked(view, setting)))
