"""What a board takes: which reasoning, the largest proof, guesses, the chance to win."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

from mineproof.boards.deducing import REASONING, Deducer, check_start
from mineproof.errors import counted
from mineproof.games.analysis import best_moves
from mineproof.games.match import play
from mineproof.given import of_type, one_of
from mineproof.reasoning.closure import close
from mineproof.reasoning.knowledge import Knowledge
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
    """What it takes to play a board from a start.

    Play opens what is certain, by the lowest level of reasoning that proves anything; where
    nothing is, the cell of least exact risk, and goes on if that is a mine.
    """

    board: Board
    start: Cell
    opening: Opening
    times: dict[str, int]
    """By level: positions at which no level before it proves a covered cell safe, and it does."""
    risks: tuple[float, ...]
    """Of the guesses that were needed, in order."""
    proof: Proof | None
    """The largest proof that is needed: whoever always opens the cell with the fewest clues to
    think of comes to this one. None where zeros open everything."""
    chain: int
    """Cells of the longest chain of influence, by smallest proofs, in a game of `exact`."""

    @property
    def reasoning(self) -> str:
        """The level that is needed: local, pairs, subset, gauss or exact."""
        return [name for name, times in self.times.items() if times or name == "local"][-1]

    @property
    def steps(self) -> int:
        """Positions at which that level is needed."""
        return self.times[self.reasoning]

    @property
    def guesses(self) -> int:
        """How many guesses were needed."""
        return len(self.risks)

    @property
    def chance(self) -> float:
        """The chance to survive all guesses: 1 where none is needed."""
        return prod(1 - risk for risk in self.risks)

    @property
    def clues(self) -> int:
        """How many clues the largest proof has."""
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
        """The grade as JSON data."""
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
    """Tell what it takes to play a board from a safe start; the mine count is known."""
    of_type(board, Board, "board")
    one_of(opening, "opening rule", OPENINGS)
    check_start(board, start, opening)
    start = board.grid.cell(board.grid.index(start))
    times = dict.fromkeys(REASONING, 0)
    risks: list[float] = []
    deducer = Deducer(board, start, opening)
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
    proof = _Walk(board, start, opening).largest()
    chain = len(record.smallest_influence.longest)
    return Grade(board, start, opening, times, tuple(risks), proof, chain)


def _guess(view: View, odds: Posterior | None = None) -> tuple[Cell, float]:
    """Where nothing is certainly safe: the cell of least exact risk, and that."""
    move = best_moves(odds or posterior(view), 1)[0]
    assert move.risk is not None
    return move.cell, move.risk


class _Walk:
    """Play that always opens what the smallest proofs prove.

    Knowledge only grows and so do the proofs at hand: what must be thought of at most, in any
    order of play, is the largest of these smallest.
    """

    def __init__(self, board: Board, start: Cell, opening: Opening) -> None:
        self._deducer = Deducer(board, start, opening)
        self._resting: dict[int, frozenset[int]] = {}
        self._largest: Proof | None = None

    def largest(self) -> Proof | None:
        """The largest proof that is needed."""
        while not self._deducer.done:
            if not self._open_at_once():
                self._open_by_proof()
        return self._largest

    @property
    def _allowed(self) -> tuple[bool, int]:
        return _size(self._largest) if self._largest else (False, 0)

    def _open_at_once(self) -> bool:
        """Open what follows from no more clues than were needed before, where that is plain.

        One clue, or two that overlap, prove a cell with the clues that their known neighbours
        rest on: as many as that will do, perhaps fewer.
        """
        knowledge = self._deducer.knowledge
        place = knowledge.grid.index
        for deduction in close(knowledge, (local, pairs)):
            clues = {place(clue) for clue in deduction.clues}
            for known in map(place, deduction.known):
                if knowledge.states[known] in COVERED:  # what is open needs no proof
                    clues |= self._resting.get(known, frozenset())
            self._resting[place(deduction.cell)] = frozenset(clues)
        opened = [
            index
            for index in self._covered_safe(knowledge)
            if (False, len(self._resting[index])) <= self._allowed
        ]
        for index in opened:
            self._open(index)
        return bool(opened)

    def _open_by_proof(self) -> None:
        """Open what the smallest proof proves, or guess."""
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
        """Of the safe cells, those first that seem to need least."""

        def seems(cell: Cell) -> int:
            resting = self._resting.get(view.grid.index(cell))
            return view.grid.size if resting is None else len(resting)

        return (explain(view, cell) for cell in sorted(odds.safe, key=seems))

    def _open(self, index: int) -> None:
        knowledge = self._deducer.knowledge
        if knowledge.states[index] in COVERED:
            self._deducer.open(knowledge.grid.cell(index))

    @staticmethod
    def _covered_safe(knowledge: Knowledge) -> list[int]:
        return [
            index
            for index, deduction in knowledge.settled.items()
            if not deduction.mine and knowledge.states[index] in COVERED
        ]


def _size(proof: Proof) -> tuple[bool, int]:
    """Clues alone come before any with the mine count."""
    return proof.count_used, len(proof.clues)


def _proof_json(proof: Proof) -> dict[str, Any]:
    names = ("cell", "clues", "count_used", "least", "ease")
    told: dict[str, Any] = {name: getattr(proof, name) for name in names}
    return {**told, "size": len(proof.clues), "view": proof.view.to_text()}


def describe(found: Grade) -> Iterator[str]:
    """A grade in words, line by line."""
    board = found.board
    mines = counted(board.mine_count, "mine")
    shape = f"{board.rows}x{board.cols} with {mines}, from {name_cell(found.start)}"
    yield f"{shape}: {'no guess is needed' if not found.risks else _guesses(found)}"
    yield f"reasoning: {found.reasoning} ({REASONING[found.reasoning]})"
    used = (f"{name} at {times}" for name, times in found.times.items() if times)
    yield f"positions that need it: {', '.join(used) or 'none'}"
    yield f"largest proof: {_largest(found.proof)}"
    yield f"longest chain of influence: {found.chain} cells"


def _guesses(found: Grade) -> str:
    risks = ", ".join(f"{100 * risk:.3g} %" for risk in found.risks)
    number = f"{found.guesses} guess{'es are' if found.guesses != 1 else ' is'} needed"
    return f"{number} (risk {risks}), survived with {100 * found.chance:.3g} %"


def _largest(proof: Proof | None) -> str:
    if proof is None:
        return "none, zeros open everything"
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
