"""The exact posterior: microseconds per position, compared with the best library on PyPI.

Positions are those of real expert games without a safe cell, and 50x50 boards at density 0.2 with
scattered openings. With `ms_toollib` installed (`pip install ms_toollib`) the same positions go to
its `cal_probability_onboard` in the same run, and the answers are compared.

    python benchmarks/posterior.py [--positions N]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from time import process_time

import numpy as np

import mineproof as mp
from mineproof import _engine
from mineproof.reasoning.posterior import BUDGET
from mineproof.series.intervals import mean
from mineproof.world.view import HIDDEN


def stuck(count: int) -> Iterator[mp.View]:
    """Expert positions without a safe cell, from games with a safe corner start."""
    found = 0
    for seed in range(1_000_000):
        game = mp.Game.deal(16, 30, 99, rules=mp.Rules(opening="safe"), start=(0, 0), seed=seed)
        game.open((0, 0))
        while not game.over:
            posterior = mp.posterior(game.view)
            for cell in posterior.safe:
                if not game.over and game.view.state(cell) == HIDDEN:
                    game.open(cell)
            if not posterior.safe:
                yield game.view
                found += 1
                if found == count:
                    return
                game.open(divmod(int(np.nanargmin(posterior.risk)), 30))


def scattered(side: int, density: float, openings: int, seed: int) -> mp.View:
    """A board with some random cells opened."""
    board = mp.Board.random(side, side, density=density, seed=seed)
    game = mp.Game(board, mp.Rules(on_mine="continue", opening="any"))
    stream = mp.chance.Stream(seed, mp.chance.Purpose.TIES)
    for _ in range(openings):
        cell = board.grid.cell(stream.below(board.grid.size))
        if not board.is_mine(cell) and game.view.state(cell) == HIDDEN:
            game.open(cell)
    return game.view


def kernel(views: list[mp.View]) -> list[float]:
    """CPU seconds of each view inside the native kernel, the best of three."""
    return _engine.native.timings(views, BUDGET, 3)


def seconds(call: Callable[[list[mp.View]], object], views: list[mp.View]) -> float:
    """CPU seconds per view in batches, the best of three."""
    best = float("inf")
    for _ in range(3):
        begun = process_time()
        call(views)
        best = min(best, process_time() - begun)
    return best / len(views)


def peer() -> Callable[[mp.View], np.ndarray] | None:
    try:
        import ms_toollib  # type: ignore[import-not-found]
    except ImportError:
        return None

    def ask(view: mp.View) -> np.ndarray:
        cells = np.frombuffer(view.states, np.uint8).reshape(view.rows, view.cols)
        board = np.where(cells == HIDDEN, 10, cells).tolist()
        found = ms_toollib.cal_probability_onboard(board, view.mines)
        return np.array(found[0])

    return ask


def compare(title: str, views: list[mp.View], ask: Callable[[mp.View], np.ndarray] | None) -> None:
    """Time all functions on the same views, in turn, as the speed of a machine varies."""
    print(f"{title}: {len(views)} positions; microseconds of CPU per position, mean (95 % CI)")
    ways: dict[str, Callable[[list[mp.View]], object]] = {
        "mp.posterior(view).risk": lambda some: [mp.posterior(view).risk for view in some],
        "mp.posteriors(views), one core": mp.posteriors,
    }
    if ask is not None:
        ways["ms_toollib"] = lambda some: [ask(view) for view in some]
    taken: dict[str, list[float]] = {name: [] for name in ("native kernel", *ways)}
    single, batch, theirs = (*ways, "ms_toollib")[:3]
    size = max(1, len(views) // 30)
    tail = []
    for i in range(0, len(views), size):
        piece = views[i : i + size]
        inside = kernel(piece)
        tail += inside
        taken["native kernel"].append(sum(inside) / len(inside))
        for name, way in ways.items():
            taken[name].append(seconds(way, piece))
    for name, each in taken.items():
        one = mean(each)
        assert one is not None
        reach = one.interval.high - one.mean
        print(f"  {name:34} {1e6 * one.mean:10.2f} +- {1e6 * reach:6.2f}", flush=True)
    print(f"  99th percentile of the kernel      {1e6 * float(np.percentile(tail, 99)):10.2f}")
    if ask is None:
        print("  (ms_toollib is not installed: nothing to compare with)")
        return
    times = {name: sum(taken[theirs]) / sum(taken[name]) for name in (single, batch)}
    print(f"  times faster: {times[single]:.0f} (single calls), {times[batch]:.0f} (batches)")
    apart = [np.abs(ask(view) - mp.posterior(view).risk) for view in views[:100]]
    worst = max(float(np.nanmax(one)) for one in apart)
    print(f"  largest difference of a risk over {len(apart)} positions: {worst:.1e}")


def large() -> None:
    print("large frontiers: native kernel, milliseconds; groups and width of the largest component")
    print("  board    density opened   n    mean     max  groups   width  open clues  estimates")
    for side, density, openings in (
        (50, 0.20, 300),
        (50, 0.25, 600),
        (50, 0.30, 800),
        (100, 0.20, 2500),
        (100, 0.25, 2500),
        (200, 0.20, 8000),
    ):
        n = 12 if side == 50 else 4
        views = [scattered(side, density, openings, seed) for seed in range(n)]
        found = _engine.native.posteriors(views, None, [], None, False, BUDGET, 1)
        seconds = _engine.native.timings(views, BUDGET, 1)
        efforts = [one.effort for one in found]
        print(
            f"  {side:3}x{side:<3} {density:8} {openings:6} {n:4} {1e3 * np.mean(seconds):8.2f}"
            f" {1e3 * max(seconds):8.2f} {max(one.largest_component for one in efforts):7}"
            f" {max(one.widest for one in efforts):7} {max(one.most_open for one in efforts):8}"
            f" {sum(not one.exact for one in found):10}",
            flush=True,
        )


def chequered(side: int, seed: int) -> mp.View:
    """A board with a clue on every second safe cell."""
    board = mp.Board.random(side, side, density=0.2, seed=seed)
    game = mp.Game(board, mp.Rules(on_mine="continue", opening="any", flood=False))
    for row in range(side):
        for col in range(row % 2, side, 2):
            if not board.is_mine((row, col)):
                game.open((row, col))
    return game.view


def every_second(limit: float = 1.0) -> None:
    """The largest board with a clue on every second cell that is counted within a second."""
    print("a clue on every second cell (a chequered pattern), density 0.2: milliseconds, 3 boards")
    for side in range(20, 1001, 20):
        found, times = [], []
        for view in [chequered(side, seed) for seed in range(3)]:
            begun = process_time()
            ask = _engine.native.posterior
            found.append(ask(view, None, [], None, False, 2 * BUDGET, None))
            times.append(process_time() - begun)
        exact = all(one.exact for one in found)
        states = max(one.effort.states for one in found)
        kind = "exact" if exact else "estimated"
        print(f"  {side:3}x{side:<3} {1e3 * max(times):9.1f} {states:9} states, {kind}", flush=True)
        if max(times) > limit or not exact:
            return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=2000, help="expert positions")
    positions = parser.parse_args().positions
    ask = peer()
    compare("stuck expert positions", list(stuck(positions)), ask)
    boards = [
        scattered(50, 0.2, openings, seed) for seed in range(10) for openings in (60, 150, 300)
    ]
    compare("50x50, density 0.2, 60-300 openings", boards, ask)
    large()
    every_second()


if __name__ == "__main__":
    main()
