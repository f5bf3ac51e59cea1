"""The exact posterior: the chance of a mine in every unknown cell of a view.

The same question goes to the compiled engine or to the Python one (`counting`,
which is the reference); both give the same answer. Where counting would need more
states than the budget, the answer is an estimate and says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from math import exp, log
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from mineproof import _engine
from mineproof.errors import (
    Contradiction,
    EngineError,
    MineproofError,
    counted,
    shorten,
    whole,
)
from mineproof.given import each, of_type, wrong_type
from mineproof.reasoning import contradiction, counting
from mineproof.reasoning.evidence import Evidence, check_density, gather
from mineproof.reasoning.sweep import OverBudget
from mineproof.world.board import Board
from mineproof.world.chance import Purpose, Stream, check_seed
from mineproof.world.clues import ClueModel, Exact, as_clues
from mineproof.world.geometry import Cell
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, NO_CLUE, TOLD_SAFE, View

if TYPE_CHECKING:
    from mineproof import _native

BUDGET = 1_000_000
"""States of one component that are counted before an estimate takes over."""


MOVE_BUDGET = 30_000
"""The same for every move of a game with uncertain clues, which settle little: almost all of
the board stays one component. 10x10 is counted exactly so, and no slower than by less."""

PYTHON_BUDGET = 300_000
"""The same for the Python engine, which takes some microseconds a state."""
MOST_THREADS = 1024
_MOST_BOARDS = 10**7
"""That are drawn at once."""


class Setting(NamedTuple):
    """How a view is read: the clue model, the prior where no count is known, the flags."""

    clues: ClueModel
    density: float | None
    trust_flags: bool
    budget: int


class _Found(Protocol):
    """What an engine found; `safe` and `mined` are indices, rising."""

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
    """What the Python engine found."""

    exact: bool
    risk: bytes
    safe: list[int]
    mined: list[int]
    log_weight: float
    error: float


_ANY_LINES = 1_000_000


class Posterior:
    """What a view implies: the risk of every cell, and what is certain.

    `risk` is a read-only array of rows and columns, nan where a cell is opened or exploded.
    `safe` and `mined` list the covered cells that are proved, never what merely came
    out as 0 or 1. `log_weight` is the natural logarithm of the weight of all
    arrangements that fit: with exact clues and a known count, of their number.
    `exact` is False where an estimate was needed; `error` is then the largest
    standard error of a risk: never 0, and one half or more where hardly anything is known.
    """

    __slots__ = ("__dict__", "_found", "_risk", "_setting", "view")

    def __init__(self, view: View, setting: Setting, found: _Found) -> None:
        self.view = view
        self._setting = setting
        self._found = found
        self._risk: NDArray[np.float64] | None = None

    def __reduce__(self) -> tuple[type[Posterior], tuple[object, ...]]:
        """To pickle and copy: what the compiled engine found becomes what Python's would have."""
        found = _Counted(*(getattr(self._found, name) for name in _Counted._fields))
        return Posterior, (self.view, self._setting, found)

    @property
    def log_weight(self) -> float:
        """The natural logarithm of the weight of all arrangements that fit."""
        return self._found.log_weight

    @property
    def error(self) -> float:
        """The largest standard error of a risk; 0 where everything is exact, and only there."""
        return self._found.error

    @property
    def exact(self) -> bool:
        """Whether everything was counted; else the risks are estimates."""
        return self._found.exact

    @property
    def risk(self) -> NDArray[np.float64]:
        """The chance of a mine, by row and column; nan where opened or exploded."""
        if self._risk is None:
            grid = self.view.grid
            self._risk = np.frombuffer(self._found.risk).reshape(grid.rows, grid.cols)
        return self._risk

    def __repr__(self) -> str:
        kind = "exact" if self.exact else "estimated"
        return f"<{kind} posterior of {shorten(self.view.to_text())!r}>"

    def __str__(self) -> str:
        """The board with the risk of every covered cell, for people to read."""
        from mineproof.render import Room, draw_odds  # brings rich, and few print

        drawn = draw_odds(self, ascii_only=True, room=Room(_ANY_LINES, 80)).plain
        board = "\n".join(line.rstrip() for line in drawn.split("\n"))
        signs = [sign for sign in ("s safe", "m mine", "F flag") if sign[0] in board]
        title = ", ".join(["two digits: the chance of a mine in %", *signs])
        return f"{title}\n{board}\n{self._weight()}"

    def _repr_svg_(self) -> str | None:
        """What a notebook shows; None where the board is too large for a picture."""
        from mineproof.render import odds_svg
        from mineproof.render.notebook import if_small

        return if_small(self.view.grid, odds_svg, self, caption=self._weight())

    def _weight(self) -> str:
        """How much was weighed, in words."""
        if not self.exact:
            return f"an estimate: standard errors up to {100 * self.error:.2g} %"
        if self.view.mines is None or not isinstance(self._setting.clues, Exact):
            return "exact: all arrangements that fit were weighed"
        if self.log_weight < 20:
            fit = round(exp(self.log_weight))
            return "exact: 1 arrangement fits" if fit == 1 else f"exact: {fit} arrangements fit"
        return f"exact: about 10^{self.log_weight / log(10):.1f} arrangements fit"

    def seen_as(self, view: View) -> Posterior:
        """The same odds for a view that differs in nothing but flags, where they are marks."""
        return Posterior(view, self._setting, self._found)

    @cached_property
    def safe(self) -> list[Cell]:
        """The covered cells that are proved safe, by index; told-safe ones too."""
        return self._proved(self._found.safe, TOLD_SAFE)

    @cached_property
    def mined(self) -> list[Cell]:
        """The covered cells that are proved mined, by index; trusted flags too."""
        return self._proved(self._found.mined, FLAGGED if self._setting.trust_flags else None)

    def _proved(self, proved: list[int], told: int | None) -> list[Cell]:
        """These and all that show what was told, by index."""
        states = self.view.states
        if told is not None and told in states:
            shown = {index for index, state in enumerate(states) if state == told}
            proved = sorted(shown.union(proved))
        return self.view.grid.cells(proved)

    @cached_property
    def arrangements(self) -> int:
        """How many arrangements of mines fit: an exact whole number, counted when asked for.

        Raises `MineproofError` where that takes more than about a second.
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
                f"too many cases to count the arrangements of {where!r} within the budget; "
                "log_weight is the logarithm of what they weigh"
            ) from None


def posterior(
    view: View,
    clues: ClueModel | str = Exact(),
    *,
    density: float | None = None,
    trust_flags: bool = False,
    budget: int = BUDGET,
) -> Posterior:
    """The exact posterior of a view.

    The prior is the view's mine count; without one, a `density` of mines; without
    that, every total is as likely as any other. Raises `Contradiction` where no
    arrangement fits.
    """
    setting = setting_of(view, clues, density, trust_flags, budget)
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
    """The posteriors of many views at once; natively on as many threads as are given."""
    seen = each(views, View, "views")
    clues = _reading(clues, trust_flags)
    threads = whole(threads, "threads", 1, MOST_THREADS, "are")
    if density is not None:
        for view in seen:
            density = check_density(view, density)
    setting = Setting(clues, density, trust_flags, check_budget(budget))
    if not _engine.is_native():
        return [_counted(view, setting, None) for view in seen]
    own = (
        [own_likelihoods(view, clues) for view in seen] if any(view.bounds for view in seen) else []
    )
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
    """Boards drawn exactly from the posterior of a view.

    The same seed draws the same boards again, on the same engine.
    """
    setting = setting_of(view, clues, density, trust_flags, budget)
    seed = check_seed(seed)
    n = whole(n, "a number of boards", 0, _MOST_BOARDS)
    if _engine.is_native():
        native = _engine.native
        drawn = native.sample(*asked(view, setting), n, seed)
        if drawn.outcome is native.Outcome.contradiction:
            raise _contradiction(view, setting)
        if drawn.outcome is native.Outcome.estimate:
            raise MineproofError(
                f"too large to draw from exactly within a budget of {budget} states"
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


def setting_of(
    view: View, clues: ClueModel | str, density: float | None, trust_flags: bool, budget: int
) -> Setting:
    """How a view is read, checked."""
    if not isinstance(view, View):
        raise wrong_type(view, "view", View)
    clues = _reading(clues, trust_flags)
    return Setting(clues, check_density(view, density), trust_flags, check_budget(budget))


def _reading(clues: ClueModel | str, trust_flags: bool) -> ClueModel:
    if trust_flags is not False:
        of_type(trust_flags, bool, "trust_flags")
    # Asked first: to ask for an abstract class costs more.
    return clues if type(clues) is Exact else as_clues(clues)


def check_budget(budget: int) -> int:
    """What a question may cost, in its own unit."""
    return whole(budget, "a budget", 0, 10**12)


def evidence_of(view: View, setting: Setting) -> Evidence:
    """What a view says, as the Python engine takes it."""
    clues, density, trust_flags, _ = setting
    return gather(view, clues, density=density, trust_flags=trust_flags)


_Own = tuple[int, tuple[float, ...]]


def own_likelihoods(view: View, clues: ClueModel) -> list[_Own]:
    """The likelihoods of the clues that have a bound."""
    return [
        (index, clues.likelihood(view.states[index], view.grid.degree(index), bound))
        for index, bound in view.bounds
    ]


Asked = tuple[View, "_native.Model | None", Sequence[_Own], float | None, bool, int, int | None]
"""A view, and how it is read, as the compiled engine takes it."""


def asked(
    view: View, setting: Setting, mines: int | None = None, extra: Sequence[_Own] = ()
) -> Asked:
    """What to ask of the compiled engine; clues with a bound bring their own likelihood."""
    clues, density, trust_flags, budget = setting
    own = [*own_likelihoods(view, clues), *extra] if view.bounds or extra else ()
    return view, _engine.model_of(clues), own, density, trust_flags, budget, mines


def _answer(view: View, setting: Setting, found: _native.Solution) -> Posterior:
    if not found.fits:
        raise _contradiction(view, setting)
    return Posterior(view, setting, found)


def solve_in_python(
    evidence: Evidence, setting: Setting, cache: counting.Cache | None = None
) -> counting.Solution | None:
    """The Python engine, held to the budget: it counts or it says that it cannot."""
    budget = min(setting.budget, PYTHON_BUDGET)
    try:
        return counting.solve(evidence, cache, budget=budget)
    except OverBudget:
        raise EngineError(
            f"this view takes more than {budget} states to count, or more memory than they may: "
            "the native engine can estimate it, the Python one cannot"
        ) from None


def _counted(view: View, setting: Setting, cache: counting.Cache | None) -> Posterior:
    """The Python engine's answer."""
    evidence = evidence_of(view, setting)
    solution = solve_in_python(evidence, setting, cache)
    if solution is None:
        raise _contradiction(view, setting)
    risk = np.full(view.grid.size, np.nan)
    for index, chance in solution.risk.items():
        risk[index] = float(chance)
    risk[list(evidence.told_safe)] = 0.0
    risk[list(evidence.mined)] = 1.0
    safe, mined = sorted(solution.safe), sorted(solution.mined)
    found = _Counted(True, risk.tobytes(), safe, mined, solution.log_weight, 0.0)
    return Posterior(view, setting, found)


def _contradiction(view: View, setting: Setting) -> Contradiction:
    """The error for a view that nothing fits, with the clues that clash."""
    found = contradiction.explain(evidence_of(view, setting))
    cells = tuple(view.grid.cells(found.clues))
    mines = "mines" if view.mines is None else counted(view.mines, "mine")
    where = shorten(view.to_text())
    return Contradiction(
        f"no arrangement of {mines} fits: {_why(view, found)} in {where!r}",
        cells,
        found.count_used,
        found.irreducible,
    )


def _why(view: View, found: contradiction.Clash) -> str:
    """Which clues clash, in words."""
    indices, count_used, irreducible = found
    if not indices and not irreducible:
        clash = "clues contradict the mine count; which of them"
        whom = clash if count_used else "which clues clash"
        return f"{whom} was not found within the budget"
    if not indices:
        return "there is no room for them"
    shown = (view.states[index] for index in indices)
    said = [
        f"{view.grid.name(index)}={'-' if state == NO_CLUE else state}"
        for index, state in zip(indices, shown, strict=True)
    ]
    count = " given the mine count" if count_used else ""
    if len(said) == 1:
        return f"the clue at {said[0]} cannot hold{count}"
    named = ", ".join(said[:6]) + (f" and {len(said) - 6} more" if len(said) > 6 else "")
    fewer = "" if irreducible else ", perhaps fewer of them,"
    return f"the clues at {named}{fewer} contradict each other{count}"


_FLAGGED, _HIDDEN = bytes([FLAGGED]), bytes([HIDDEN])


class Tracker:
    """Posteriors of the views of one game: what a move did not touch is not counted again."""

    def __init__(self, clues: ClueModel, density: float | None) -> None:
        self._clues, self._density = clues, density
        self._cache: counting.Cache = {}
        self._engine: _native.Engine | None = None
        self._seen: object = None
        self._latest: Posterior | None = None

    def posterior(self, view: View) -> Posterior:
        """The posterior of the game's present view; what is seen is counted once."""
        # A flag is a mark, not evidence: with it or without the same is seen.
        seen = view.states.replace(_FLAGGED, _HIDDEN), view.bounds, view.mines
        if self._latest is None or self._seen != seen:
            self._latest = self._count(view)
            self._seen = seen
        elif self._latest.view != view:
            self._latest = self._latest.seen_as(view)
        return self._latest

    def _count(self, view: View) -> Posterior:
        density = None if view.mines is not None else self._density
        setting = setting_of(view, self._clues, density, False, BUDGET)
        if not _engine.is_native():
            return _counted(view, setting, self._cache)
        if not isinstance(self._clues, Exact):
            setting = setting._replace(budget=MOVE_BUDGET)
        if self._engine is None:
            self._engine = _engine.native.Engine()
        return _answer(view, setting, self._engine.posterior(*asked(view, setting)))
