"""What `mp.explain` answers: a proof in words, or what there is to say of an undecided cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from mineproof.errors import EngineError
from mineproof.reasoning.posterior import BUDGET, Posterior, Setting, evidence_of
from mineproof.reasoning.proofs import opening
from mineproof.reasoning.proofs.phrases import listing
from mineproof.reasoning.proofs.statements import (
    COUNT,
    Found,
    Inference,
    Line,
    count_statement,
    gather_statements,
)
from mineproof.reasoning.proofs.words import Teller
from mineproof.world.clues import Exact
from mineproof.world.geometry import Cell, name_cell
from mineproof.world.view import FLAGGED, View

_FOLDED = 6
"""More steps in a row than this that are by one clue each are told in one line."""


class ProofStep(NamedTuple):
    """One step of a proof: by what, from which clues, what it settles, in words."""

    kind: str
    """clue, pattern, subset, pair, sum, count or cases: the easiest first."""
    clues: tuple[Cell, ...]
    count_used: bool
    settled: tuple[tuple[Cell, bool], ...]
    """The cells that it settles and that later steps use, with whether they are mines."""
    words: str
    inference: Inference
    """The same by index, with the signs of a sum and the lines of an argument by cases."""


@dataclass(frozen=True, repr=False)
class Proof:
    """Why a cell is safe or a mine, or what there is to say if it is undecided.

    `mine` is True, False, or None where it is undecided. `clues` are the cells whose clues it rests
    on, `count_used` whether the mine count is needed besides. `least` says that no fewer clues
    prove it (with the count only where it is used), `irreducible` that none of these can be left
    out, nor the count. What is told safe or exploded is taken for granted. `str()` tells it in
    words.
    """

    view: View
    cell: Cell
    mine: bool | None
    clues: tuple[Cell, ...] = ()
    count_used: bool = False
    least: bool = True
    irreducible: bool = True
    risk: float = 0.0
    """The chance of a mine; 0 or 1 where it is certain."""
    found: Found | None = None
    """What the finder answered, by index; None where the cell is undecided or was told."""
    estimated: bool = False
    """Whether the risk is an estimate: then nothing is told of arrangements."""
    _setting: Setting = field(default_factory=lambda: Setting(Exact(), None, False, BUDGET))
    _odds: Posterior | None = field(default=None, compare=False)
    """Of the view, where they were counted for this."""

    @cached_property
    def steps(self) -> tuple[ProofStep, ...]:
        """From the clues to the cell."""
        if self.found is None:
            return ()
        evidence, grid = evidence_of(self.view, self._setting), self.view.grid
        count = count_statement(evidence)
        statements = gather_statements(evidence) + ([] if count is None else [count])
        teller = Teller(self.view, statements)
        return tuple(
            ProofStep(
                step.kind.name.lower(),
                tuple(grid.cell(clue) for clue in step.clues if clue != COUNT),
                COUNT in step.clues,
                tuple((grid.cell(cell), mine) for cell, mine in step.settled),
                teller.tell(step),
                step,
            )
            for step in self.found.steps
        )

    @property
    def ease(self) -> str:
        """The kind of its hardest step; empty where there is none."""
        steps = self.found.steps if self.found is not None else ()
        return max(step.kind for step in steps).name.lower() if steps else ""

    @cached_property
    def arrangements(self) -> tuple[int, int] | None:
        """How many arrangements of mines have one here, and how many have none.

        None where they are too many to be counted in about a second.
        """
        return opening.arrangements(self.view, self._setting, self.cell, self._odds)

    @cached_property
    def witnesses(self) -> tuple[tuple[Cell, ...], tuple[Cell, ...]] | None:
        """The mines of two arrangements that fit: with one here, and with none.

        None where the cell is certain, or where there are too many cases to draw from.
        """
        if self.mine is not None or self.estimated:
            return None
        return opening.witnesses(self.view, self._setting, self.cell)

    @cached_property
    def settler(self) -> tuple[Cell, float] | None:
        """The cell whose opening would most likely settle an undecided one, and that chance.

        Cells up to two steps away are tried; None if none of them can, or if there are too many
        cases.
        """
        if self.mine is not None or self.estimated:
            return None
        return opening.settler(self.view, self._setting, self.cell)

    @property
    def refutes_flag(self) -> bool:
        """Whether there is a flag on the cell that cannot be right."""
        return self.mine is False and self.view.state(self.cell) == FLAGGED

    def __repr__(self) -> str:
        return f"<proof: {self.headline}>"

    @property
    def headline(self) -> str:
        """What is proved, and from how much, in a line."""
        where = name_cell(self.cell)
        if self.mine is None:
            about = "about " if self.estimated else ""
            return f"{where} is undecided: a mine with a chance of {about}{100 * self.risk:.4g} %"
        verdict = "a mine" if self.mine else "safe"
        if self.found is None:
            return f"{where} is {verdict}: it was told"
        wrong = "; the flag on it is wrong" if self.refutes_flag else ""
        return f"{where} is {verdict}{wrong}: {self._rests_on()}"

    def _rests_on(self) -> str:
        number = len(self.clues)
        if not number and not self.count_used:
            return "every arrangement that fits says so; a proof was not found within the budget"
        if not number:
            return "by the mine count alone"
        count = "the mine count and " if self.count_used else ""
        rests = f"{count}{number} clue{'s' * (number != 1)}, {listing(self.clues)}"
        if number == 1 and self.least:
            return f"by {rests}"
        if self.least:
            return f"by {rests}; fewer will not do"
        if self.irreducible:
            return f"by {rests}; none can be left out"
        return f"by {rests}; perhaps not all are needed, the search was given up"

    def __str__(self) -> str:
        if self.mine is None:
            return "\n".join([f"{self.headline}.", *self._left_open()])
        return "\n".join([f"{self.headline}.", *self._told()])

    def to_svg(self) -> str:
        """A picture: the board with the proof on it, or two arrangements where it is undecided."""
        from mineproof.render import proof_svg, witness_svg  # bring rich, and few draw

        words = str(self).split("\n")
        if self.witnesses is None:
            steps = [dict(step.settled) for step in self.steps]
            return proof_svg(self.view, self.cell, self.clues, steps, words)
        return witness_svg(self.view, self.cell, self.witnesses, words)

    def _repr_svg_(self) -> str | None:
        """What a notebook shows; None where the board is too large for a picture."""
        from mineproof.render.notebook import if_small

        return if_small(self.view.grid, self.to_svg)

    def _left_open(self) -> Iterator[str]:
        """What is known of an undecided cell, as far as it can be counted."""
        if self.estimated:
            yield "There are too many cases to count: it may be certain and nobody can tell."
            return
        with suppress(EngineError):
            if self.arrangements is None:
                yield "Its arrangements are too many to be counted within the budget."
                return
            mine, safe = self.arrangements
            have, others = "have" if mine != 1 else "has", "have" if safe != 1 else "has"
            counted = f"{_number(mine)} arrangement{'s' * (mine != 1)} of mines that fit"
            yield f"{counted} {have} a mine there, {_number(safe)} {others} none."
            if self.settler is None:
                yield "No cell near it would settle it by itself."
            else:
                cell, chance = self.settler
                where = name_cell(cell)
                yield f"Opening {where} would settle it with a chance of {100 * chance:.4g} %."

    def _told(self) -> list[str]:
        """The steps, numbered; many in a row by one clue each are told in one line."""
        lines: list[str] = []
        if self.found is not None and not self.steps and (self.clues or self.count_used):
            lines.append("The steps were not found within the budget.")
        number = 1
        for single, group in groupby(self.steps, key=lambda step: step.kind == "clue"):
            steps = list(group)
            last = number + len(steps) - 1
            if single and len(steps) > _FOLDED:
                lines.append(f"{number}-{last}. One clue at a time: {_folded(steps)}.")
            else:
                lines += [f"{n}. {step.words}" for n, step in enumerate(steps, start=number)]
            number = last + 1
        return lines

    def to_json(self) -> dict[str, Any]:
        """The proof as JSON values; cells are pairs."""
        told: dict[str, Any] = {"cell": self.cell, "mine": self.mine, "risk": self.risk}
        if self.mine is None:
            ways, settler = None if self.estimated else self.arrangements, self.settler
            told["arrangements"] = None if ways is None else {"mine": ways[0], "safe": ways[1]}
            told["witnesses"] = self.witnesses
            told["settler"] = (
                None if settler is None else {"cell": settler[0], "chance": settler[1]}
            )
        else:
            names = ("clues", "count_used", "least", "irreducible", "ease", "refutes_flag")
            told |= {name: getattr(self, name) for name in names}
            told["steps"] = [_step_json(self.view, step) for step in self.steps]
        told["words"] = str(self)
        return told


def _number(count: int) -> str:
    return (
        str(count) if count < 10**9 else f"about {float(count):.3g}" if count < 10**300 else "many"
    )


def _folded(steps: Sequence[ProofStep]) -> str:
    parts = []
    for step in steps:
        cells = listing([cell for cell, _ in step.settled])
        verdict = "mined" if step.settled[0][1] else "safe"
        parts.append(f"{name_cell(step.clues[0])} makes {cells} {verdict}")
    return "; ".join(parts)


def _step_json(view: View, step: ProofStep) -> dict[str, Any]:
    told: dict[str, Any] = {
        "kind": step.kind,
        "clues": step.clues,
        "count_used": step.count_used,
        "settled": [{"cell": cell, "mine": mine} for cell, mine in step.settled],
    }
    if step.kind in {"subset", "pair", "sum", "count"}:
        told["signs"] = step.inference.signs
    if step.kind == "cases":
        told["lines"] = [_line_json(view, line) for line in step.inference.lines]
    return told | {"words": step.words}


def _line_json(view: View, line: Line) -> dict[str, Any]:
    clues = [None if clue == COUNT else view.grid.cell(clue) for clue in line.clues]
    told = {"what": line.what.name.lower(), "depth": line.depth, "clues": clues}
    return told | {"cells": view.grid.cells(line.cells), "mine": line.mine}
