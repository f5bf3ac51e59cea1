"""Grading a board: the reasoning, the largest proof and the guesses that it needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

from mineproof.arguments import of_type, one_of
from mineproof.boards.deduction_play import REASONING, DeductionPlayer, check_start
from mineproof.errors import plural
from mineproof.games.analysis import best_moves
from mineproof.games.match import play
from mineproof.reasoning.closure import close
from mineproof.reasoning.local import local
from mineproof.reasoning.pairs import pairs
from mineproof.reasoning.posterior import Posterior, posterior
from mineproof.reasoning.proofs import Proof, explain
from mineproof.world.board import OPENINGS, Board, Opening
from mineproof.world.geometry import Cell, name_cell
from mineproof.world.rules import Rules
from mineproof.world.view import COVERED, View


@dataclass(frozen=True, repr=False)
class Grade:
    """What it takes to solve a board from a given start.

    At each step the grader uses the lowest level of reasoning that proves a cell safe. If none
    does, it opens the cell with the lowest exact mine probability, and continues even if that is
    a mine.
    """

    board: Board
    start: Cell
    opening: Opening
    times: dict[str, int]
    """By level: the number of positions that need it to prove a hidden cell safe."""
    risks: tuple[float, ...]
    """The mine probabilities of the forced guesses, in order."""
    proof: Proof | None
    """The largest proof that is needed, even if the cell with the smallest proof is always opened
    next. None if zeros open the whole board."""
    chain: int
    """The length of the longest chain of influence, by smallest proofs, when `exact` plays."""

    @property
    def reasoning(self) -> str:
        """The highest level that is needed: local, pairs, subset, gauss or exact."""
        return [name for name, times in self.times.items() if times or name == "local"][-1]

    @property
    def steps(self) -> int:
        """The number of positions that need that level."""
        return self.times[self.reasoning]

    @property
    def guesses(self) -> int:
        """The number of forced guesses."""
        return len(self.risks)

    @property
    def chance(self) -> float:
        """The probability of surviving all guesses; 1 if there are none."""
        return prod(1 - risk for risk in self.risks)

    @property
    def clues(self) -> int:
        """The number of clues in the largest proof."""
        return 0 if self.proof is None else len(self.proof.clues)

    def __repr__(self) -> str:
        return f"<grade of {self.board.rows}x{self.board.cols}/{self.board.mine_count}: {self}>"

    def __str__(self) -> str:
        guesses = f"{self.guesses} guess{'es' * (self.guesses != 1)}"
        return (
            f"needs {self.reasoning} at {self.steps} position{'s' * (self.steps != 1)}, "
            f"proofs of up to {self.clues} clue{'s' * (self.clues != 1)}, {guesses}"
        )

    def to_json(self) -> dict[str, Any]:
        """Return JSON data."""
        return {
            "board": self.board.to_text(),
            "start": self.start,
            "opening": self.opening,
            "no_guess": not self.risks,
            "reasoning": self.reasoning,
            "steps": self.steps,
            "times": self.times,
            "proof": None if self.proof is None else _proof_json(self.proof),
            "chain": self.chain,
            "guesses": self.guesses,
            "risks": self.risks,
            "chance": self.chance,
            **self.board.figures._asdict(),
        }


def grade(board: Board, start: Cell, *, opening: Opening = "safe") -> Grade:
    """Grade a board from a safe start, with the mine count known."""
    of_type(board, Board, "board")
    one_of(opening, "opening rule", OPENINGS)
    check_start(board, start, opening)
    start = board.grid.cell(board.grid.index(start))
    times = dict.fromkeys(REASONING, 0)
    risks: list[float] = []
    deducer = DeductionPlayer(board, start, opening)
    while True:
        for name, more in zip(REASONING, deducer.play(REASONING).times, strict=True):
            times[name] += more
        if deducer.done:
            break
        cell, risk = _guess(deducer.knowledge.view)
        risks.append(risk)
        deducer.open(cell)
    rules = Rules(opening=opening, on_mine="continue")
    record = play(board, "exact", rules=rules, start=start)
    proof = _SmallestProofPlay(board, start, opening).largest()
    chain = len(record.smallest_influence.longest)
    return Grade(board, start, opening, times, tuple(risks), proof, chain)


def _guess(view: View, odds: Posterior | None = None) -> tuple[Cell, float]:
    """Return the cell with the lowest exact mine probability, and that probability."""
    move = best_moves(odds or posterior(view), 1)[0]
    assert move.risk is not None
    return move.cell, move.risk


class _SmallestProofPlay:
    """Plays by always opening the cell with the smallest proof.

    Opened cells only add proofs, so every order of play needs a proof at least as large as the
    largest of these smallest proofs.
    """

    def __init__(self, board: Board, start: Cell, opening: Opening) -> None:
        self._deducer = DeductionPlayer(board, start, opening)
        self._resting: dict[int, frozenset[int]] = {}
        self._largest: Proof | None = None

    def largest(self) -> Proof | None:
        """Return the largest proof that is needed."""
        while not self._deducer.done:
            if not self._open_at_once():
                self._open_by_proof()
        return self._largest

    @property
    def _allowed(self) -> tuple[bool, int]:
        return _size(self._largest) if self._largest else (False, 0)

    def _open_at_once(self) -> bool:
        """Open cells that quick rules prove from no more clues than were needed before.

        One clue, or two that overlap, prove a cell together with the clues on which their known
        neighbours rest. The smallest proof may have fewer clues, but not more.
        """
        knowledge = self._deducer.knowledge
        place = knowledge.grid.index
        for deduction in close(knowledge, (local, pairs)):
            clues = {place(clue) for clue in deduction.clues}
            for known in map(place, deduction.known):
                if knowledge.states[known] in COVERED:  # an open cell needs no proof
                    clues |= self._resting.get(known, frozenset())
            self._resting[place(deduction.cell)] = frozenset(clues)
        opened = [
            index
            for index in self._deducer.covered_safe()
            if (False, len(self._resting[index])) <= self._allowed
        ]
        for index in opened:
            self._open(index)
        return bool(opened)

    def _open_by_proof(self) -> None:
        """Open the cell with the smallest proof, or guess."""
        view = self._deducer.knowledge.view
        odds = posterior(view)
        if not odds.safe:
            cell, _ = _guess(view, odds)
            self._open(view.grid.index(cell))
            return
        best: Proof | None = None
        for proof in self._proofs(view, odds):
            if best is None or _size(proof) < _size(best):
                best = proof
            if _size(best) <= self._allowed:
                break
        assert best is not None
        if self._largest is None or _size(best) > _size(self._largest):
            self._largest = best
        self._open(view.grid.index(best.cell))

    def _proofs(self, view: View, odds: Posterior) -> Iterator[Proof]:
        """Yield proofs of the safe cells, first those that seem to need the fewest clues."""

        def seems(cell: Cell) -> int:
            resting = self._resting.get(view.grid.index(cell))
            return view.grid.size if resting is None else len(resting)

        return (explain(view, cell) for cell in sorted(odds.safe, key=seems))

    def _open(self, index: int) -> None:
        knowledge = self._deducer.knowledge
        if knowledge.states[index] in COVERED:
            self._deducer.open(knowledge.grid.cell(index))


def _size(proof: Proof) -> tuple[bool, int]:
    """Return a sort key: proofs by clues alone come before those with the mine count."""
    return proof.count_used, len(proof.clues)


def _proof_json(proof: Proof) -> dict[str, Any]:
    names = ("cell", "clues", "count_used", "least", "ease")
    data: dict[str, Any] = {name: getattr(proof, name) for name in names}
    return {**data, "size": len(proof.clues), "view": proof.view.to_text()}


def describe(found: Grade) -> Iterator[str]:
    """Yield a description of a grade, line by line."""
    board = found.board
    mines = plural(board.mine_count, "mine")
    shape = f"{board.rows}x{board.cols} with {mines}, from {name_cell(found.start)}"
    yield f"{shape}: {'no guess needed' if not found.risks else _guesses(found)}"
    yield f"reasoning: {found.reasoning} ({REASONING[found.reasoning]})"
    used = (f"{name} {times}" for name, times in found.times.items() if times)
    yield f"positions by reasoning: {', '.join(used) or 'none'}"
    yield f"largest proof: {_largest(found.proof)}"
    yield f"longest chain of influence: {found.chain} cells"


def _guesses(found: Grade) -> str:
    risks = ", ".join(f"{100 * risk:.3g} %" for risk in found.risks)
    number = f"{found.guesses} forced guess{'es' * (found.guesses != 1)}"
    return f"{number} (risk {risks}), survived with probability {100 * found.chance:.3g} %"


def _largest(proof: Proof | None) -> str:
    if proof is None:
        return "none, because zeros open the whole board"
    number = len(proof.clues)
    most = "" if proof.least else "at most "
    count = " and the mine count" if proof.count_used else ""
    verdict = f"for {name_cell(proof.cell)}, {_EASE[proof.ease]}"
    return f"{most}{number} clue{'s' * (number != 1)}{count}, {verdict}"


_EASE = {
    "clue": "one clue at a time",
    "pattern": "by a pattern",
    "subset": "two clues at a time",
    "pair": "two clues at a time",
    "sum": "by a sum of clues",
    "count": "by a sum with the mine count",
    "cases": "by cases",
}
