"""Games per CPU second with uncertain clues, played by the kernel and in Python.

Both play the same games in one process, in turn; in Python, the compiled engine still computes
the probabilities, as it did before the kernel knew clue models. Each is measured several times,
and the best time counts, because other load on the machine only makes times longer.

    python benchmarks/uncertain_games.py [--seconds S] [--rounds N] [AGENT ...]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import process_time

import mineproof as mp
from mineproof import _engine
from mineproof.series import agent_series
from mineproof.series.agent_series import AgentSeries
from mineproof.series.game_table import GameTable
from mineproof.world.clues import parse

AGENTS = ["baseline:naive=true", "csp", "gauss", "brute", "exact"]
MODELS = [
    "sometimes:0.5",
    "sometimes:0.02,redraw=true",
    "optimistic",
    "cautious",
    "cautious:known=true",
]
RULES = mp.Rules(on_mine="continue", opening="safe")
DEAL = mp.Deal(10, 10, density=0.2)
FEW = 10

Play = Callable[[AgentSeries, range], GameTable]


def in_python(series: AgentSeries, numbers: range) -> GameTable:
    return agent_series._in_python(series, numbers, None)


def in_kernel(series: AgentSeries, numbers: range) -> GameTable:
    strategy = _engine.strategy_of(series.agent, series.clues, DEAL.grid)
    assert strategy is not None, f"{series.agent.name} does not play natively"
    return agent_series.play_range(series, numbers)


def timed(play: Play, series: AgentSeries, games: int) -> tuple[float, GameTable]:
    begun = process_time()
    table = play(series, range(games))
    return process_time() - begun, table


def measure(series: AgentSeries, seconds: float, rounds: int) -> tuple[int, float, float]:
    """Return the number of games, and the best CPU seconds in Python and in the kernel."""
    first, slow = timed(in_python, series, FEW)
    _, fast = timed(in_kernel, series, FEW)
    names = [name for name in slow.columns if name not in {"cpu_seconds", "expected_score"}]
    assert all((slow[name] == fast[name]).all() for name in names if slow[name].dtype.kind != "f")
    games = max(FEW, int(FEW * seconds / max(first, 1e-9)))
    python, kernel = (
        min(timed(play, series, games)[0] for _ in range(rounds)) for play in (in_python, in_kernel)
    )
    return games, python, kernel


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("agents", nargs="*", default=AGENTS, metavar="AGENT")
    parser.add_argument("--seconds", type=float, default=1.0, help="time per measurement in Python")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    print("10x10, density 0.2, for a score: games per CPU second")
    print(f" {'agent':20} {'clues':28} {'games':>6} {'Python':>8} {'kernel':>8} {'ratio':>6}")
    for name in given.agents:
        for model in MODELS:
            series = AgentSeries(mp.agents.get(name), DEAL, RULES, parse(model), None, 1)
            games, python, kernel = measure(series, given.seconds, given.rounds)
            print(
                f" {name:20} {model:28} {games:6} {games / python:8.0f} {games / kernel:8.0f}"
                f" {python / kernel:6.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
