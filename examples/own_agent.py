"""Your own agent: it opens the safest cell; among equals, the one with the most open neighbours."""

import mineproof as mp
from mineproof import State
from mineproof.agents import Decision


class Careful:
    """Use it with any command: --agent examples/own_agent.py:Careful."""

    def __init__(self, bold: float = 0.0) -> None:
        self.bold = bold  # risks that differ by no more than this count as equal

    def decide(self, view, *, rules, clues, **_):
        """Return the next move, given what the player sees."""
        odds = mp.posterior(view, clues, density=rules.density)
        cells = view.cells(State.HIDDEN, State.SAFE)
        least = min(odds.risk[cell] for cell in cells)
        alike = [cell for cell in cells if odds.risk[cell] <= least + self.bold + 1e-9]
        cell = min(alike, key=lambda one: (hidden_around(view, one), one))
        risk, certain = float(odds.risk[cell]), cell in odds.safe
        if risk > 0.5 and rules.on_mine == "continue":  # the remaining cells are probably mines
            return Decision(cell, "flag", 1 - risk, cell in odds.mined, "more likely a mine")
        return Decision(cell, "open", 0.0 if certain else risk, certain, f"risk {risk:.1%}")


def hidden_around(view, cell):
    """Return the number of hidden neighbours of a cell."""
    covered = (State.HIDDEN, State.SAFE, State.FLAGGED)
    return sum(view.states[near] in covered for near in view.grid.neighbours(view.grid.index(cell)))
