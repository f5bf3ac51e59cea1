"""What `exact` scores with uncertain clues beside the best that any player could expect.

    python benchmarks/flags.py [--clues MODEL ...]

On small boards the whole game tree can be gone through: every cell that may be opened, and all
that it may show. The score is right less wrong flags, a mine.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

import mineproof as mp
from mineproof.world.clues import ClueModel, parse
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, NO_CLUE

BOARDS = [(2, 3, 2), (1, 6, 2), (2, 4, 2)]
RULES = mp.Rules(on_mine="continue", flood=False)
SURE = 1e-12


def changed(view: mp.View, cell: mp.Cell, state: int) -> mp.View:
    """The view with a cell that shows something else."""
    index = view.grid.index(cell)
    return mp.View(
        view.grid, bytes([*view.states[:index], state, *view.states[index + 1 :]]), view.mines
    )


def outcomes(view: mp.View, cell: mp.Cell, clues: ClueModel) -> Iterator[tuple[float, mp.View]]:
    """What opening a cell may lead to, and how likely that is."""
    odds = mp.value_odds(view, cell, clues)
    for clue, chance in (*odds.shown.items(), (EXPLODED, odds.risk)):
        if chance > SURE:
            yield chance, changed(view, cell, NO_CLUE if clue is None else clue)


class Tree:
    """The worth of every position, if `choose` says which cells are worth a try."""

    def __init__(self, clues: ClueModel, choose: Callable[[mp.View], list[mp.Cell]]) -> None:
        self.clues, self.choose = clues, choose
        self.known: dict[bytes, float] = {}

    def worth(self, view: mp.View) -> float:
        """Expected flags, right less wrong, from here on."""
        if view.states not in self.known:
            risk = mp.posterior(view, self.clues).risk
            hidden = view.cells(HIDDEN)
            worth = sum(max(0.0, 2 * float(risk[cell]) - 1) for cell in hidden)
            safe = [cell for cell in hidden if risk[cell] <= SURE]
            unsure = [cell for cell in hidden if SURE < risk[cell] < 1 - SURE]
            for cell in (safe[:1] or self.choose(view)) if unsure else ():
                opened = outcomes(view, cell, self.clues)
                worth = max(worth, sum(chance * self.worth(after) for chance, after in opened))
            self.known[view.states] = worth
        return self.known[view.states]


def choice_of(agent: str, clues: ClueModel) -> Callable[[mp.View], list[mp.Cell]]:
    """The cell that an agent opens, if it does, once all certain mines are flagged."""

    def choose(view: mp.View) -> list[mp.Cell]:
        while True:
            decision = mp.agents.get(agent).decide(view, rules=RULES, clues=clues)
            if decision.action == "flag" and decision.certain:
                view = changed(view, decision.cell, FLAGGED)
            else:
                return [decision.cell] if decision.action == "open" else []

    return choose


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clues", nargs="+", default=["sometimes:0.5", "optimistic", "cautious"])
    parser.add_argument("--agent", default="exact")
    given = parser.parse_args()
    print(f"| board | clues | best | `{given.agent}` | positions |")
    print("| --- | --- | --- | --- | --- |")
    for rows, cols, mines in BOARDS:
        for name in given.clues:
            clues = parse(name)
            view = mp.View.hidden(rows, cols, mines)
            every = Tree(clues, lambda seen: seen.cells(HIDDEN))
            own = Tree(clues, choice_of(given.agent, clues))
            best, found = every.worth(view) / mines, own.worth(view) / mines
            board = f"{rows}x{cols}/{mines}"
            print(f"| {board} | {name} | {best:.4f} | {found:.4f} | {len(every.known):,} |")


if __name__ == "__main__":
    main()
