"""The highlights of a finished game: an instructive deduction, and the hardest guess."""

from __future__ import annotations

from typing import NamedTuple

from mineproof import agents
from mineproof.agents.champion import Advice, Candidate, Champion
from mineproof.games.record import Record
from mineproof.reasoning.posterior import Posterior, posterior
from mineproof.reasoning.proofs import Proof, explain
from mineproof.world.move import Move
from mineproof.world.view import EXPLODED, View

_FEWEST, _MOST, _BEST = 2, 4, 3
"""The fewest, most and best number of clues in an instructive proof: not trivial and not long."""
_REACH = (3, 5)
"""Rows and columns around the cell that a drawing of the proof shows."""
_PLAIN = frozenset(("", "local"))
"""Rules of moves that need at most one clue."""
_HARD_TO_READ = frozenset(("sum", "count", "cases"))


class HighlightedDeduction(NamedTuple):
    """A certain move, with its proof."""

    number: int
    """The number of the move, from 1."""
    proof: Proof


class HighlightedGuess(NamedTuple):
    """A cell that was opened although it could have been a mine."""

    number: int
    """The number of the move, from 1."""
    view: View
    """The position before it."""
    move: Move
    odds: Posterior
    """The posterior of that position."""
    advice: Advice | None
    """The cells that the champion compared; None for other agents."""
    hit: bool
    """Whether it was a mine."""
    followed: int
    """The number of certain moves between this guess and the next."""

    @property
    def compared(self) -> tuple[Candidate, ...]:
        """Return the candidates with a known win probability, in the champion's order."""
        candidates = () if self.advice is None else self.advice.candidates
        return tuple(one for one in candidates if one.win is not None)

    @property
    def safest(self) -> Candidate | None:
        """Return the safest of these; among equals, the one with the highest win probability."""
        ranked = sorted(self.compared, key=lambda one: (round(one.risk, 9), -(one.win or 0.0)))
        return ranked[0] if ranked else None

    @property
    def takes_a_risk(self) -> bool:
        """Return whether a safer cell was compared and rejected because it wins less often."""
        if self.safest is None or self.compared[0].cell != self.move.cell:
            return False
        chosen = self.compared[0]
        safer = self.safest.risk < chosen.risk - 1e-9
        return safer and (self.safest.win or 0.0) < (chosen.win or 0.0)


def instructive_proof(record: Record) -> HighlightedDeduction | None:
    """Return the most instructive deduction of a game: short, but from more than one clue.

    Of all proofs from two to four clues near the cell, without the mine count, it prefers safe
    cells to mines, three clues to two or four, steps in words to sums, and then the shortest.
    """
    positions = enumerate(record.positions(), start=1)
    moves = ((number, view, turn.asked) for number, (view, turn) in positions)
    harder = [one for one in moves if one[2].certain and one[2].rule not in _PLAIN]
    for action in ("open", "flag"):  # mines only if no safe cell has an instructive proof
        found = [
            HighlightedDeduction(number, proof)
            for number, view, move in harder
            if move.action == action
            for proof in [explain(view, move.cell, record.clues)]
            if _is_instructive(proof)
        ]
        if found:
            return min(found, key=_rank)
    return None


def _is_instructive(proof: Proof) -> bool:
    few = _FEWEST <= len(proof.clues) <= _MOST and not proof.count_used
    if not few or proof.ease in {"", "clue"}:
        return False
    settled = (cell for step in proof.steps for cell, _ in step.settled)
    return all(
        abs(cell[axis] - proof.cell[axis]) <= _REACH[axis]
        for cell in (*proof.clues, *settled)
        for axis in (0, 1)
    )


def _rank(one: HighlightedDeduction) -> tuple[object, ...]:
    proof = one.proof
    return (
        abs(len(proof.clues) - _BEST),
        proof.ease in _HARD_TO_READ,
        len(str(proof)),
        one.number,
    )


def hardest_guess(record: Record) -> HighlightedGuess | None:
    """Return the hardest guess of a game; None if every move was certain.

    It prefers guesses in which the champion rejected a safer cell because it wins less often, then
    those with the most cells compared, then the riskiest.
    """
    found = [
        (number, view, turn.asked)
        for number, (view, turn) in enumerate(record.positions(), start=1)
        if turn.action == "open" and not turn.asked.certain
    ]
    guesses = [_guess(record, *one) for one in found]
    return max(
        guesses,
        key=lambda one: (one.takes_a_risk, len(one.compared), one.move.risk or 0.0, -one.number),
        default=None,
    )


def _guess(record: Record, number: int, view: View, move: Move) -> HighlightedGuess:
    champion = getattr(agents.get(record.agent), "guess", None)
    advice = None
    if isinstance(champion, Champion):
        advice = champion.advise(view, record.rules, record.clues)
    followed = 0
    for later in record.turns[number:]:
        if not later.asked.certain:
            break
        followed += 1
    last = number == len(record.turns)
    return HighlightedGuess(
        number,
        view,
        move,
        posterior(view, record.clues),
        advice,
        last and record.view.state(move.cell) == EXPLODED,
        followed,
    )
