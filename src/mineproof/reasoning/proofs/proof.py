"""The result of `mp.explain`: a proof in words, or what is known about an undecided cell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from math import isclose
from typing import Any, NamedTuple

from mineproof.errors import EngineError
from mineproof.phrases import Phrase, say
from mineproof.reasoning.posterior import BUDGET, Posterior, ViewSettings, evidence_of
from mineproof.reasoning.proofs import opening
from mineproof.reasoning.proofs.proof_writer import ProofWriter
from mineproof.reasoning.proofs.statements import (
    COUNT,
    CaseLine,
    FoundProof,
    Inference,
    count_statement,
    gather_statements,
)
from mineproof.world.clues import Exact
from mineproof.world.geometry import Cell
from mineproof.world.view import FLAGGED, View

_FOLDED = 6
"""More consecutive single-clue steps than this share one line."""


class ProofStep(NamedTuple):
    """One step of a proof: its kind, its clues, the cells it proves, and its phrase."""

    kind: str
    """clue, pattern, subset, pair, sum, count or cases (from easy to hard)."""
    clues: tuple[Cell, ...]
    count_used: bool
    settled: tuple[tuple[Cell, bool], ...]
    """The cells that it proves and that later steps use, and whether they are mines."""
    why: Phrase
    inference: Inference
    """The same with cells as indices, the signs of a sum and the lines of an argument by cases."""

    @property
    def words(self) -> str:
        """The step in words."""
        return str(self.why)


@dataclass(frozen=True, repr=False)
class Proof:
    """Why a cell is safe or a mine, or what is known about it if it is undecided.

    `mine` is True, False, or None if the cell is undecided. `clues` are the cells whose clues the
    proof uses, and `count_used` says whether it also needs the mine count. `least` is True if no
    smaller set of clues proves the cell (together with the count if it is used), `irreducible` if
    neither any of the clues nor the count can be left out. Cells marked as known safe and exploded
    mines are taken as given. `str()` returns the proof in words.
    """

    view: View
    cell: Cell
    mine: bool | None
    clues: tuple[Cell, ...] = ()
    count_used: bool = False
    least: bool = True
    irreducible: bool = True
    risk: float = 0.0
    """The mine probability; 0 or 1 if the cell is certain."""
    found: FoundProof | None = None
    """The finder's result, with cells as indices; None if the cell is undecided or known safe."""
    estimated: bool = False
    """Whether the risk is an estimate; then no configurations are counted or shown."""
    _setting: ViewSettings = field(
        default_factory=lambda: ViewSettings(Exact(), None, False, BUDGET)
    )
    _odds: Posterior | None = field(default=None, compare=False)
    """The posterior of the view, if it was computed for this proof."""

    @cached_property
    def steps(self) -> tuple[ProofStep, ...]:
        """The steps of the proof, from the clues to the cell."""
        if self.found is None:
            return ()
        evidence, grid = evidence_of(self.view, self._setting), self.view.grid
        count = count_statement(evidence)
        statements = gather_statements(evidence) + ([] if count is None else [count])
        writer = ProofWriter(self.view, statements)
        return tuple(
            ProofStep(
                step.kind.name.lower(),
                tuple(grid.cell(clue) for clue in step.clues if clue != COUNT),
                COUNT in step.clues,
                tuple((grid.cell(cell), mine) for cell, mine in step.settled),
                writer.phrase(step),
                step,
            )
            for step in self.found.steps
        )

    @property
    def ease(self) -> str:
        """The kind of the hardest step; empty if there are no steps."""
        steps = self.found.steps if self.found is not None else ()
        return max(step.kind for step in steps).name.lower() if steps else ""

    @cached_property
    def arrangements(self) -> tuple[int, int] | None:
        """The number of configurations with a mine in the cell, and the number without one.

        None if there are too many to count within about a second.
        """
        return opening.arrangements(self.view, self._setting, self.cell, self._odds)

    @cached_property
    def witnesses(self) -> tuple[tuple[Cell, ...], tuple[Cell, ...]] | None:
        """The mines of two configurations: one with a mine in the cell, one without.

        None if the cell is certain, or if there are too many cases to draw from.
        """
        if self.mine is not None or self.estimated:
            return None
        return opening.witnesses(self.view, self._setting, self.cell)

    @cached_property
    def settler(self) -> tuple[Cell, float] | None:
        """The cell whose opening would most likely decide this one, and the probability of that.

        Cells up to two steps away are tried. None if none of them can decide it, or if there are
        too many cases.
        """
        if self.mine is not None or self.estimated:
            return None
        return opening.settler(self.view, self._setting, self.cell)

    @property
    def refutes_flag(self) -> bool:
        """Whether the cell is flagged although it is safe."""
        return self.mine is False and self.view.state(self.cell) == FLAGGED

    def __repr__(self) -> str:
        return f"<proof: {self.headline}>"

    @property
    def headline(self) -> str:
        """One line: the verdict and the clues that prove it."""
        return str(self._verdict())

    def _verdict(self) -> Phrase:
        if self.mine is None:
            about = {"estimated": self.estimated, "percent": f"{100 * self.risk:.4g}"}
            return Phrase("proof.undecided", {"cell": self.cell, **about})
        about = {"wrong_flag": self.refutes_flag, "why": self._rests_on()}
        return Phrase("proof.headline", {"cell": self.cell, "mine": self.mine, **about})

    def _rests_on(self) -> Phrase:
        if self.found is None:
            return Phrase("proof.known-safe")
        if not self.clues:
            return Phrase("proof.by-count" if self.count_used else "proof.none-found")
        fewer = "none" if self.least else "all" if self.irreducible else "unknown"
        if self.least and len(self.clues) == 1:
            fewer = "obvious"
        about = {"count_used": self.count_used, "clues": self.clues, "fewer": fewer}
        return Phrase("proof.by-clues", about)

    def __str__(self) -> str:
        if self.mine is None:
            return "\n".join([f"{self.headline}.", *map(str, self._left_open())])
        return "\n".join([f"{self.headline}.", *self._lines()])

    def to_svg(self) -> str:
        """Draw the proof on the board, or two configurations if the cell is undecided."""
        from mineproof.render import proof_svg, witness_svg  # imports rich, which few callers need

        words = str(self).split("\n")
        if self.witnesses is None:
            steps = [dict(step.settled) for step in self.steps]
            return proof_svg(self.view, self.cell, self.clues, steps, words)
        return witness_svg(self.view, self.cell, self.witnesses, words)

    def _repr_svg_(self) -> str | None:
        """The picture for a notebook; None if the board is too large for one."""
        from mineproof.render.notebook import if_small

        return if_small(self.view.grid, self.to_svg)

    def _left_open(self) -> Iterator[Phrase]:
        """What can be counted about an undecided cell."""
        if self.estimated:
            yield Phrase("proof.too-many-cases")
            return
        with suppress(EngineError):
            if self.arrangements is None:
                yield Phrase("proof.too-many")
                return
            mine, safe = self.arrangements
            numbers = {"mine": _number(mine, start=True), "safe": _number(safe)}
            flags = {"one_mine": mine == 1, "one_safe": safe == 1}
            flags["uneven"] = not self._equally_likely(mine, safe)
            yield Phrase("proof.configurations", numbers | flags)
            if self.settler is None:
                yield Phrase("proof.decides-none")
            else:
                cell, chance = self.settler
                yield Phrase("proof.decides", {"cell": cell, "percent": f"{100 * chance:.4g}"})

    def _equally_likely(self, mine: int, safe: int) -> bool:
        """Whether the mine probability is the share of configurations with a mine there."""
        return isclose(self.risk, mine / (mine + safe), rel_tol=1e-6)

    def _lines(self) -> list[str]:
        """The numbered steps; many consecutive single-clue steps share one line."""
        lines: list[str] = []
        if self.found is not None and not self.steps and (self.clues or self.count_used):
            lines.append(say("proof.no-steps"))
        number = 1
        for single, group in groupby(self.steps, key=lambda step: step.kind == "clue"):
            steps = list(group)
            last = number + len(steps) - 1
            if single and len(steps) > _FOLDED:
                together = say("proof.one-by-one", steps="; ".join(map(_folded, steps)))
                lines.append(f"{number}-{last}. {together}")
            else:
                lines += [f"{n}. {step.words}" for n, step in enumerate(steps, start=number)]
            number = last + 1
        return lines

    def to_json(self) -> dict[str, Any]:
        """Return the proof as JSON data; cells are pairs."""
        data: dict[str, Any] = {"cell": self.cell, "mine": self.mine, "risk": self.risk}
        if self.mine is None:
            ways, settler = None if self.estimated else self.arrangements, self.settler
            data["arrangements"] = None if ways is None else {"mine": ways[0], "safe": ways[1]}
            data["witnesses"] = self.witnesses
            data["settler"] = (
                None if settler is None else {"cell": settler[0], "chance": settler[1]}
            )
            data["notes"] = [one.to_json() for one in self._left_open()]
        else:
            names = ("clues", "count_used", "least", "irreducible", "ease", "refutes_flag")
            data |= {name: getattr(self, name) for name in names}
            data["steps"] = [_step_json(self.view, step) for step in self.steps]
        data |= {"verdict": self._verdict().to_json(), "words": str(self)}
        return data


def _number(count: int, *, start: bool = False) -> int | Phrase:
    if count < 10**9:
        return count
    if count >= 10**300:
        return Phrase("proof.many", {"start": start})
    return Phrase("proof.about", {"number": f"{float(count):.3g}", "start": start})


def _folded(step: ProofStep) -> str:
    cells, mine = [cell for cell, _ in step.settled], step.settled[0][1]
    return say("proof.makes", clue=step.clues[0], cells=cells, mine=mine)


def _step_json(view: View, step: ProofStep) -> dict[str, Any]:
    data: dict[str, Any] = {
        "kind": step.kind,
        "clues": step.clues,
        "count_used": step.count_used,
        "settled": [{"cell": cell, "mine": mine} for cell, mine in step.settled],
    }
    if step.kind in {"subset", "pair", "sum", "count"}:
        data["signs"] = step.inference.signs
    if step.kind == "cases":
        data["lines"] = [_line_json(view, line) for line in step.inference.lines]
    return data | {"why": step.why.to_json(), "words": step.words}


def _line_json(view: View, line: CaseLine) -> dict[str, Any]:
    clues = [None if clue == COUNT else view.grid.cell(clue) for clue in line.clues]
    data = {"what": line.what.name.lower(), "depth": line.depth, "clues": clues}
    return data | {"cells": view.grid.cells(line.cells), "mine": line.mine}
