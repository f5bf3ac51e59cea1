"""Reconstructs the chain of influence of a finished game from its moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mineproof.agents.recipes import Recipe, RecipePlayer
from mineproof.messages.files import InfluenceEntry, Kind
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.influence import Influence
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.premises import PremiseFinder, Premises
from mineproof.reasoning.smallest_premises import SmallestPremiseFinder
from mineproof.world.chance import player_seed
from mineproof.world.clues import ClueModel
from mineproof.world.geometry import Cell
from mineproof.world.move import Move
from mineproof.world.rules import Rules
from mineproof.world.turn import Turn
from mineproof.world.view import KNOWN_SAFE, UNKNOWN, Event, View, is_clue


def trace(
    first: View,
    rules: Rules,
    clues: ClueModel,
    seed: int,
    turns: Sequence[Turn],
    agent: Recipe | None,
    *,
    smallest: bool = False,
) -> Influence:
    """Return the chain of influence of a game, from its first view and its turns.

    The agent's own reasoners see the same events again. Without an agent, each certain move rests
    on an irreducible set of clues. With `smallest`, each cell rests on a smallest set of clues that
    proves it and on the known cells that these clues need.
    """
    knowledge = Knowledge(first, rules, clues)
    player = None
    if agent is not None:
        player = agent.begin(first, rules=rules, clues=clues, seed=player_seed(seed))
    tracer = _Tracer(player, knowledge if player is None else player.knowledge, turns, smallest)
    for turn in turns:
        for move, events in zip(turn.moves, turn.changes, strict=True):
            tracer.before(move)
            tracer.after(events)
    return Influence(tracer.knowledge.view, tuple(tracer.nodes.values()), tracer.claimed)


class _Tracer:
    """Adds a node per cell as soon as the cell is known."""

    def __init__(
        self,
        player: RecipePlayer | None,
        knowledge: Knowledge,
        turns: Sequence[Turn],
        smallest: bool,
    ) -> None:
        self.nodes: dict[Cell, InfluenceEntry] = {}
        self.knowledge = knowledge
        self._player = player
        self._clues = knowledge.clues
        self._smallest = smallest
        self._depths: dict[Cell, int] = {}
        self.claimed = False
        """Whether a cell rests on the premises of an agent that is not sound."""
        self._noted = 0
        """The number of deductions processed so far."""
        opened = (turn.cell for turn in turns if turn.action == "open")
        self._first = next(opened, None)
        if self._first is not None:
            self._add(self._first, "choice")
            self._promise(knowledge.view.cells(KNOWN_SAFE))

    def before(self, move: Move) -> None:
        """Add what was known before a move, and the reason of the move."""
        begun = self.knowledge.covered < self.knowledge.grid.size
        if move.certain and begun and self._player is not None:
            self._player.decide()
            found = self.knowledge.deductions
            self._prove(found[self._noted :])
            self._noted = len(found)
            self._prove(self._player.beyond.values())
        if move.cell in self.nodes or move.action not in {"open", "flag"}:
            return
        if move.certain:
            self._prove([Deduction(move.cell, move.action == "flag", move.rule)])
        else:
            self._add(move.cell, "choice")

    def after(self, events: Sequence[Event]) -> None:
        """Add the cells that a move opened by zeros, each with its first neighbouring zero."""
        grid = self.knowledge.grid
        zeros: dict[int, int] = {}
        for event in events:
            index, state = grid.index(event.cell), event.state
            if state == KNOWN_SAFE:
                self._promise([event.cell])
            elif state not in UNKNOWN and event.cell not in self.nodes:
                near = (zero for zero in grid.neighbours(index) if zero in zeros)
                zero = grid.cell(min(near, key=zeros.__getitem__))
                self._add(event.cell, "flood", parent=zero)
            if is_clue(state) and self._clues.opens_around(
                state, grid.neighbour_count(index), event.bound
            ):
                zeros.setdefault(index, len(zeros))
        (self._player or self.knowledge).observe(events)

    def _prove(self, deductions: Iterable[Deduction]) -> None:
        """Add the cells that were proved at one moment.

        A cell proved by the mine count rests on everything known before, but not on other cells
        that the count proved at the same moment.
        """
        prover: PremiseFinder | SmallestPremiseFinder | None = None
        by_count: set[Cell] = set()
        for deduction in deductions:
            cell, mine, rule = deduction[:3]
            if cell in self.nodes:
                continue
            rests_on: Deduction | Premises | None = deduction
            named = deduction.clues or deduction.count_used
            if self._smallest or deduction.every_clue or not named:
                prover = prover or self._prover()
                rests_on = prover.premises(cell, mine=mine)
            elif self._player is not None:
                self.claimed |= not self._player.proves
            if rests_on is None:
                self._add(cell, "choice")
                continue
            parents = [*rests_on.clues, *rests_on.known]
            if rests_on.count_used and not self._smallest:
                parents += [other for other in self.nodes if other not in by_count]
                by_count.add(cell)
            kind: Kind = "mine" if mine else "safe"
            clues, counted = len(rests_on.clues), rests_on.count_used
            self._note(
                InfluenceEntry(cell, kind, rule, tuple(dict.fromkeys(parents)), clues, counted)
            )

    def _prover(self) -> PremiseFinder | SmallestPremiseFinder:
        knowledge = self.knowledge
        density = knowledge.rules.density if knowledge.mines is None else None
        if self._smallest:
            return SmallestPremiseFinder(
                knowledge.view, knowledge.clues, density=density, depths=self._depths
            )
        return PremiseFinder(knowledge.view, knowledge.clues, density=density)

    def _promise(self, cells: Iterable[Cell]) -> None:
        """Add the cells that the opening rule makes safe; their parent is the first cell."""
        assert self._first is not None
        for cell in cells:
            if cell not in self.nodes:
                self._add(cell, "told", "opening", self._first)

    def _add(self, cell: Cell, kind: Kind, rule: str = "", parent: Cell | None = None) -> None:
        """Add a cell that was not proved."""
        self._note(InfluenceEntry(cell, kind, rule, () if parent is None else (parent,)))

    def _note(self, node: InfluenceEntry) -> None:
        self.nodes[node.cell] = node
        self._depths[node.cell] = 1 + max((self._depths[cell] for cell in node.parents), default=-1)
