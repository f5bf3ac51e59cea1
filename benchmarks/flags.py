"""The expected scores of agents on small boards, compared with optimal play.

    python benchmarks/flags.py [--clues MODEL ...] [--agents A,B]

It searches the whole game tree: the cell that the agent opens, and everything it may show. The
score is right minus wrong flags, per mine; the best is what `mineproof solve --score` finds.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

import mineproof as mp
from mineproof.world.clues import ClueModel, parse
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, NO_CLUE

BOARDS = [(2, 3, 2), (1, 6, 2), (2, 4, 2)]
RULES = mp.Rules(on_mine="continue", opening="any", flood=False)
MODELS = ["exact", "sometimes:0.5", "optimistic", "cautious"]
SURE = 1e-12


def changed(view: mp.View, cell: mp.Cell, state: int) -> mp.View:
    """Return the view with another state in a cell."""
    index = view.grid.index(cell)
    return mp.View(
        view.grid, bytes([*view.states[:index], state, *view.states[index + 1 :]]), view.mines
    )


def outcomes(view: mp.View, cell: mp.Cell, clues: ClueModel) -> Iterator[tuple[float, mp.View]]:
    """Yield the views that opening a cell may lead to, with their probabilities."""
    odds = mp.value_odds(view, cell, clues)
    for clue, chance in (*odds.shown.items(), (EXPLODED, odds.risk)):
        if chance > SURE:
            yield chance, changed(view, cell, NO_CLUE if clue is None else clue)


class Tree:
    """The expected result of an agent in every position it may reach."""

    def __init__(self, clues: ClueModel, choose: Callable[[mp.View], mp.Cell | None]) -> None:
        self.clues, self.choose = clues, choose
        self.known: dict[bytes, float] = {}

    def worth(self, view: mp.View) -> float:
        """The expected right minus wrong flags from here on."""
        if view.states not in self.known:
            risk = mp.posterior(view, self.clues).risk
            hidden = view.cells(HIDDEN)
            worth = sum(max(0.0, 2 * float(risk[cell]) - 1) for cell in hidden)
            if any(SURE < risk[cell] < 1 - SURE for cell in hidden):
                safe = next((cell for cell in hidden if risk[cell] <= SURE), None)
                cell = self.choose(view) if safe is None else safe
                if cell is not None:
                    opened = outcomes(view, cell, self.clues)
                    worth = sum(chance * self.worth(after) for chance, after in opened)
            self.known[view.states] = worth
        return self.known[view.states]


def choice_of(agent: str, clues: ClueModel) -> Callable[[mp.View], mp.Cell | None]:
    """The cell that an agent opens, if any, once all certain mines are flagged."""

    def choose(view: mp.View) -> mp.Cell | None:
        while True:
            decision = mp.agents.get(agent).decide(view, rules=RULES, clues=clues)
            if decision.action == "flag" and decision.certain:
                view = changed(view, decision.cell, FLAGGED)
            else:
                return decision.cell if decision.action == "open" else None

    return choose


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clues", nargs="+", default=MODELS)
    parser.add_argument("--agents", default="exact,champion", help="separated by commas")
    given = parser.parse_args()
    agents = given.agents.split(",")
    heads = [f"`{name}` | % of best" for name in agents]
    print(f"| board | clues | best | {' | '.join(heads)} |")
    print(f"| {' | '.join(['---'] * (3 + 2 * len(agents)))} |")
    for rows, cols, mines in BOARDS:
        for name in given.clues:
            clues = parse(name)
            view = mp.View.hidden(rows, cols, mines)
            best = float(mp.solve_score(rows, cols, mines, opening="any", clues=clues).score)
            found = [Tree(clues, choice_of(one, clues)).worth(view) / mines for one in agents]
            shares = [f"{score:.4f} | {score / best:.1%}" for score in found]
            print(f"| {rows}x{cols}/{mines} | {name} | {best:.4f} | {' | '.join(shares)} |")


if __name__ == "__main__":
    main()
