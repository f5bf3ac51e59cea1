"""Is brute force faster here than linear algebra because it counts instead of listing?

Report 000 lists the configurations of every component before each guess, and brute force alone is
its slowest agent; ours counts configurations, and does not count unchanged components again. For
each agent on the same boards, this prints CPU time, and the number of assignments that listing
would have to try (2 to the number of cells of every component before every guess), as means per
game with 95 % CI.

    python benchmarks/listing.py [--games N]
"""

from __future__ import annotations

import argparse
from time import process_time

import mineproof as mp
from mineproof.agents.guessers import by_configurations
from mineproof.series.intervals import mean

BOARDS = ((10, 0.3), (10, 0.5), (20, 0.3), (20, 0.5))
AGENTS = ("brute", "linalg-brute")
RULES = mp.Rules(on_mine="continue", opening="any")


class Counting:
    """Counts configurations as usual, and adds up the assignments that listing would try."""

    def __init__(self) -> None:
        self.count_all = by_configurations.count_all
        self.tried = 0

    def __call__(
        self, said: tuple[by_configurations.IndexedEquation, ...]
    ) -> by_configurations.ByConfigurations:
        """Count configurations."""
        self.tried += 2 ** len({index for equation in said for index in equation.cells})
        return self.count_all(said)


def played(
    counting: Counting, agent: str, size: int, density: float, games: int
) -> list[tuple[float, int]]:
    """CPU milliseconds and number of assignments of each game."""
    found = []
    for seed in range(games):
        counting.count_all.cache_clear()
        counting.tried, begun = 0, process_time()
        mp.play(mp.Deal(size, size, density=density), agent, rules=RULES, seed=seed)
        found.append((1000 * (process_time() - begun), counting.tried))
    return found


def output(values: list[float]) -> str:
    found = mean(values)
    assert found is not None
    return f"{found.mean:,.1f} ± {found.interval.high - found.mean:,.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20)
    games = parser.parse_args().games
    by_configurations.count_all = counting = Counting()  # type: ignore[assignment]
    print(f"n = {games}")
    for size, density in BOARDS:
        for agent in AGENTS:
            found = played(counting, agent, size, density, games)
            ms, thousands = output([one for one, _ in found]), output([n / 1000 for _, n in found])
            print(f"{size}x{size} at {density}, {agent:12}  {ms} ms  {thousands} thousand to try")


if __name__ == "__main__":
    main()
