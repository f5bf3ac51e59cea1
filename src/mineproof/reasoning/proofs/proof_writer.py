"""Proofs in words: each step so short that it can be checked by looking at the board."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mineproof.phrases import Phrase
from mineproof.reasoning.patterns import Reduced, pair_name
from mineproof.reasoning.proofs.case_writer import argument
from mineproof.reasoning.proofs.namer import Namer, are_apart
from mineproof.reasoning.proofs.statements import COUNT, Inference, InferenceKind


class ProofWriter(Namer):
    """Words for the steps of one proof, in order: later steps may use what earlier ones prove."""

    def phrase(self, step: Inference) -> Phrase:
        """Return a step as a phrase and take what it proves as known."""
        key, values = _PHRASES[step.kind](self, step)
        phrase = Phrase(key, {**values, "verdict": self.verdict(dict(step.settled))})
        if step.kind in {InferenceKind.SUBSET, InferenceKind.PAIR} and (
            name := self._pattern(*step.clues)
        ):
            phrase = Phrase("proof.named", {"name": name, "sentence": phrase})
        self.learn(dict(step.settled))
        return phrase

    # One kind of step each.

    def by_clue(self, step: Inference) -> Phrase:
        """One clue has all its mines, or needs all its cells."""
        clue = step.clues[0]
        cells, low, _, mines = self.left(clue)
        about: dict[str, Any] = {"clue": self.name(clue, start=True), "mines": self.cells(mines)}
        if not step.settled[0][1]:
            return Phrase("proof.clue-safe", about)
        named = len(cells) > len(step.settled)
        about |= {"low": low, "cells": self.cells(cells), "named": named}
        return Phrase("proof.clue-mines", about)

    def by_pattern(self, step: Inference) -> Phrase:
        """Clues in a row along a wall."""
        numbers = [self.left(clue)[1] for clue in step.clues]
        reduced = numbers != [self._view.states[clue] for clue in step.clues]
        return Phrase(
            "proof.pattern",
            {
                "clues": self.cells(step.clues),
                "reduced": reduced,
                "numbers": "-".join(map(str, numbers)),
            },
        )

    def by_two(self, step: Inference) -> Phrase:
        """One clue needs more mines than another allows in the cells that they share."""
        one, two = step.clues
        cells, low, _, found = self.left(one)
        others, _, high, has = self.left(two)
        shared = [cell for cell in cells if cell in others]
        own = [cell for cell in cells if cell not in shared]
        about: dict[str, Any] = {
            "clue": self.name(one, start=True),
            "other": self.name(two),
            "low": low,
            "known": bool(found),
            "shared": self.cells(shared),
            "has": self.cells(has),
        }
        if not own:
            return Phrase("proof.subset", about)
        about |= {
            "high": high,
            "at": self.at(two),
            "own": self.cells(own),
            "full": not all(mine for _, mine in step.settled),
        }
        return Phrase("proof.pair", about)

    def _pattern(self, one: int, two: int) -> str | None:
        """The players' name of two neighbouring clues."""
        first, second = self.left(one), self.left(two)
        cells = Reduced(first.low, frozenset(first.cells))
        others = Reduced(second.high, frozenset(second.cells))
        return pair_name(self._view.grid, one, cells, two, others)

    def by_sum(self, step: Inference) -> Phrase:
        """Equations added and subtracted."""
        return Phrase("proof.sum", self._terms(step, len(step.clues)))

    def _terms(self, step: Inference, number: int) -> dict[str, Any]:
        """The first clues of a sum, by sign, and the equation that all of them give."""
        signed = list(zip(step.clues, step.signs, strict=True))[:number]
        return {
            "added": [self.name(clue) for clue, sign in signed if sign > 0],
            "taken": [self.name(clue) for clue, sign in signed if sign < 0],
            "equation": self.equation(step.clues, step.signs),
        }

    def by_count(self, step: Inference) -> Phrase:
        """The mine count minus the mines of some clues."""
        cells, left, _, mines = self.left(COUNT)
        count = Phrase("proof.left", {"left": left, "found": len(mines)})
        taken = step.clues[:-1]
        if not taken:
            return Phrase("proof.count", {"count": count, "left": left})
        parts = [self.left(clue) for clue in taken]
        if not are_apart(parts) or any(sign > 0 for sign in step.signs[:-1]):
            return Phrase("proof.count-sum", {"count": count} | self._terms(step, len(taken)))
        room = len(cells) - sum(len(part.cells) for part in parts)
        first, is_mine = step.settled[0]
        mine = is_mine == all(first not in part.cells for part in parts)
        held = [self._held(clue, step) for clue in taken]
        about = {"count": count, "held": held, "others": room if mine else 0}
        return Phrase("proof.count-apart", about)

    def _held(self, clue: int, step: Inference) -> Phrase:
        """The number of mines around a clue, or its bound on the side that the step needs."""
        _, low, high, _ = self.left(clue)
        cells = self._statements[clue].cells
        most = next((mine for cell, mine in step.settled if cell not in cells), False)
        bound = "" if low == high else "most" if most else "least"
        about = {"bound": bound, "number": high if most else low, "clue": self.name(clue)}
        return Phrase("proof.held", about)

    def by_cases(self, step: Inference) -> Phrase:
        """The opposite leads to a contradiction."""
        (cell,), mine = step.lines[0].cells, step.lines[0].mine
        why = argument(self.supposing(cell, mine), step.lines[1:])
        return Phrase("proof.cases", {"cell": self.at(cell), "mine": mine, "argument": why})


_PHRASES: dict[InferenceKind, Callable[[ProofWriter, Inference], Phrase]] = {
    InferenceKind.CLUE: ProofWriter.by_clue,
    InferenceKind.PATTERN: ProofWriter.by_pattern,
    InferenceKind.SUBSET: ProofWriter.by_two,
    InferenceKind.PAIR: ProofWriter.by_two,
    InferenceKind.SUM: ProofWriter.by_sum,
    InferenceKind.COUNT: ProofWriter.by_count,
    InferenceKind.CASES: ProofWriter.by_cases,
}
