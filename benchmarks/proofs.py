"""The time of explanations: for one cell, and for all certain cells of a position.

Positions come from expert games that go on after a mine: before each guess of an agent that
sees only local rules (`baseline`) or subsets (`csp`), and every twentieth view of `exact`.
`python benchmarks/proofs.py [GAMES]`
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from time import perf_counter

import mineproof as mp


def positions(agent: str, games: int) -> Iterator[mp.View]:
    rows, cols, mines = mp.LEVELS["expert"]
    start, rules = (rows // 2, cols // 2), mp.Rules(opening="clear", on_mine="continue")
    for seed in range(games):
        board = mp.Board.random(rows, cols, mines, seed=seed, start=start, opening="clear")
        record = mp.play(board, agent, rules=rules, start=start, seed=seed)
        for place, (view, turn) in enumerate(record.positions(), start=-1):
            wanted = place % 20 == 10 if agent == "exact" else not turn.asked.certain
            if place >= 0 and wanted:
                yield view


def spread(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    at = [ordered[int(share * (len(ordered) - 1))] for share in (0.5, 0.95, 0.99, 1)]
    return "  ".join(f"{1000 * t:8.2f}" for t in at)


def main(games: int) -> None:
    print("milliseconds:                        median      95 %      99 %       max")
    for agent in ("baseline", "csp", "exact"):
        every, single = [], []
        kinds: Counter[str] = Counter()
        sizes: Counter[str] = Counter()
        for view in positions(agent, games):
            begun = perf_counter()
            found = mp.proofs(view)
            every.append(perf_counter() - begun)
            for proof in found:
                kinds[proof.ease] += 1
                shown = "count" if proof.count_used else str(min(len(proof.clues), 9))
                sizes[shown + ("" if proof.least else " (not proved smallest)")] += 1
            for proof in found[:: max(len(found) // 5, 1)]:
                begun = perf_counter()
                mp.explain(view, proof.cell)
                single.append(perf_counter() - begun)
        print(f"{agent:>9}: one of {sum(kinds.values()):6} cells      {spread(single)}")
        print(f"{agent:>9}: all, of {len(every):4} positions    {spread(every)}")
        print(f"{'':11}hardest step: {dict(kinds.most_common())}")
        print(f"{'':11}clues: {dict(sorted(sizes.items()))}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 12)
