"""Estimates under loose clues: how far from the truth, for how much CPU, and what games take.

Positions come from games of `exact` with cautious clues on 20x20, where a budget of three million
states counts them: that is the truth. `python benchmarks/estimates.py [--positions N] [--games N]`
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from time import process_time

import numpy as np

import mineproof as mp
from mineproof.reasoning.posterior import Posterior

CLUES = mp.clues.Cautious()
RULES = mp.Rules(on_mine="continue")
BUDGETS = (1_000, 3_000, 10_000, 30_000, 100_000)
MANY = 3_000_000


def games(side: int, share: float, seed: int) -> tuple[mp.Record, float]:
    board = mp.Board.random(side, side, round(share * side * side), seed=seed)
    begun = process_time()
    record = mp.play(board, "exact", rules=RULES, clues=CLUES, seed=seed)
    return record, process_time() - begun


def positions(count: int) -> Iterator[tuple[mp.View, Posterior]]:
    """Positions that were estimated in play and can be counted."""
    found = 0
    for seed in range(count):
        record, _ = games(20, (0.1, 0.2, 0.3)[seed % 3], seed)
        for view in _estimated(record)[seed % 7 :: 7]:
            truth = mp.posterior(view, CLUES, budget=MANY)
            if truth.exact:
                yield view, truth
                found += 1
            if found == count:
                return


def _estimated(record: mp.Record) -> list[mp.View]:
    views = []
    view = mp.View.hidden(record.board.rows, record.board.cols, record.board.mine_count)
    for move, _, game in record.replay():
        if move.estimated:
            views.append(view)
        view = game.view
    return views


def accuracy(count: int) -> None:
    known = list(positions(count))
    print(f"{len(known)} positions of games on 20x20 with cautious clues, nothing else")
    print(f"{'budget':>8} {'CPU ms':>8} {'stated':>8} {'rms':>8} {'claims':>7} {'>1':>7} {'>2':>7}")
    for budget in BUDGETS:
        times, stated, gaps = [], [], []
        for view, truth in known:
            begun = process_time()
            guess = mp.posterior(view, CLUES, budget=budget)
            took = process_time() - begun
            if guess.exact:
                continue
            times.append(took)
            stated.append(guess.error)
            gaps.append(np.abs(guess.risk - truth.risk)[np.isfinite(truth.risk)])
        if not times:
            continue
        by_error = np.concatenate([gap / error for gap, error in zip(gaps, stated, strict=True)])
        rms = float(np.sqrt(np.mean(np.concatenate(gaps) ** 2)))
        print(
            f"{budget:8} {1e3 * np.mean(times):8.2f} {np.mean(stated):8.4f} {rms:8.4f} "
            f"{by_error.size:7} {np.mean(by_error > 1):7.2%} {np.mean(by_error > 2):7.2%}"
        )


def speed(count: int) -> None:
    for side in (20, 30):
        played = [games(side, 0.2, seed) for seed in range(count)]
        moves = sum(len(record.moves) for record, _ in played)
        seconds = sum(took for _, took in played)
        estimated = sum(move.estimated for record, _ in played for move in record.moves)
        score = sum(record.score for record, _ in played) / count
        print(
            f"{side}x{side}, n = {count}: {seconds / count:.2f} s of CPU a game, "
            f"{1e3 * seconds / moves:.1f} ms a move, {estimated / moves:.0%} of moves estimated, "
            f"score {score:.3f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--games", type=int, default=0)
    chosen = parser.parse_args()
    if chosen.games:
        speed(chosen.games)
    else:
        accuracy(chosen.positions)


if __name__ == "__main__":
    main()
